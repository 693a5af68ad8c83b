"""Art. 28: cards thrown, and cards passed into the partner's hand (own wording). No sensor tells a throw."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.fibur2024.laying import (
    DISCARD_STEP,
    DISCARD_THEM,
    END_TURN,
    FREEZE_NEXT_TURN,
    MUST_DISCARD,
    MUST_END,
    MUST_PENALISE,
    PENALISE,
    PENALISE_STEP,
    WARN_STEP,
)
from table_service.games.burraco.codes.fibur2024.steps import STOP
from table_service.referee.catalogue import Choice, DutyRule, Row, StepRule, Words
from table_service.referee.row_writing import fault, holds, only, step

_VALID: Final = step("nothing", "table", "Il gioco è valido.", "The meld is valid.")
_STANDS: Final = step("nothing", "table", "La chiusura è valida.", "Going out is valid.")
_OPPONENT_PLACES: Final = step("referee", "opponent-in-turn",
    "L'avversario di turno decide dove vanno le carte, anche dividendole.",
    "The opponent in turn decides where the cards go; he may divide them.", cards=True)  # fmt: skip
_ONLY_ONE: Final = step("nothing", "table", "Se un solo gioco può contenerle vanno legate a quello.",
    "Where one meld alone can hold them they go on that one.")  # fmt: skip
_PLACES: Final = (
    Choice("place", Words("Le colloca su un gioco che può contenerle.", "He puts them where they fit."),
        "opponent-in-turn"),
    Choice("penalise", Words("Ciò che non trova posto è penalizzato.", "What finds no place is penalised."),
        "opponent-in-turn"),
)  # fmt: skip
_UNPLACED: Final = (
    DutyRule("referee",
        Words("Le carte vanno dove ha deciso l'avversario.", "The cards go where the opponent has decided."),
        option="place"),
    DutyRule("penalise", PENALISE, option="penalise"),
    DutyRule("discard", DISCARD_THEM, until="none-left", option="penalise"),
)  # fmt: skip


def _thrown(
    name: str,
    title: Words,
    *steps: StepRule,
    article: str = "28",
    duties: tuple[DutyRule, ...] = (),
    choices: tuple[Choice, ...] = (),
    ends: bool = True,
    freezes: bool = False,
) -> Row:
    """Return the row of a throw or a pass: a warning and, unless the deal is over by it, the player's turn ends."""
    return fault(name, article, title, ("person",), *((STOP,) if ends else ()), *steps, *((END_TURN,) if ends else ()),
        WARN_STEP, *duties, *((MUST_END,) if ends else ()), *choices, severity="play-stops" if ends else "warning",
        freezes=freezes, heals="opponent-draws")  # fmt: skip


ROWS: Final[tuple[Row, ...]] = (
    _thrown("F-28a", Words("Apertura di un gioco con il lancio", "New meld thrown"), _VALID),
    _thrown(
        "F-28b",
        Words("Carte legate con il lancio, che non toccano giochi", "Added cards thrown, touching no meld"),
        _VALID,
        FREEZE_NEXT_TURN,
        freezes=True,
    ),
    _thrown(
        "F-28c",
        Words("Carta lanciata che lascia palese dubbio su dove vada", "Thrown card that leaves doubt where it goes"),
        _OPPONENT_PLACES,
        *only("penalise", PENALISE_STEP),
        duties=_UNPLACED,
        choices=_PLACES,
    ),
    _thrown(
        "F-28d",
        Words("Carta lanciata su un gioco che non può contenerla", "Thrown card on a meld that cannot hold it"),
        PENALISE_STEP,
        DISCARD_STEP,
        article="28, 25",
        duties=(MUST_PENALISE, MUST_DISCARD),
    ),
    _thrown(
        "F-28e",
        Words("Lancio come ultimo gioco prima di chiudere", "Throw as the last play before going out"),
        _STANDS,
        ends=False,
    ),
    _thrown(
        "F-28f", Words("Nuovo gioco passato in mano al compagno", "New meld passed into the partner's hand"), _VALID
    ),
    _thrown(
        "F-28g",
        Words("Carte da legare passate al compagno senza dichiarare", "Cards to add passed to the partner, undeclared"),
        _OPPONENT_PLACES,
        _ONLY_ONE,
        *only("penalise", PENALISE_STEP),
        duties=_UNPLACED,
        choices=_PLACES,
    ),
    _thrown(
        "F-28h",
        Words("Passaggio come ultimo gioco prima di chiudere", "Passing as the last play before going out"),
        _STANDS,
        ends=False,
    ),
    _thrown(
        "F-28i",
        Words("Carte lanciate ma dichiarate, o cadute sul loro gioco", "Cards thrown, but declared or on their meld"),
        _VALID,
    ),
    # OPTION declared_passing: no_sanction.
    holds("F-28j", "28",
        Words("Carte passate al compagno dopo chiara dichiarazione", "Cards passed to the partner, clearly declared"),
        Words("Vanno dove è stato dichiarato.", "They go where it was declared."), "person"),
)  # fmt: skip
