"""Remedies of a wrong closing, as the rows on closing and those on pots wrongly taken both state them (own wording).

A way is one of the cases of arts. 33 to 35, known by the row that holds it; rows to which several may apply name it by
``KEYS`` as the ``option`` of their steps and duties.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from table_service.games.burraco.codes.fibur2024.steps import DISCARD_STANDS, LAST_PLAY_BACK, PENALISED
from table_service.games.burraco.fault_kinds import CLOSING_WAYS, FaultKind
from table_service.referee.catalogue import Choice, DutyRule, StepRule, Words

Way = Literal["F-33", "F-34", "F-35a", "F-35b"]
_ROWS: Final[dict[FaultKind, Way]] = {
    FaultKind.CLOSED_WITHOUT_BURRACO: "F-33",
    FaultKind.CLOSED_WITH_WILD: "F-34",
    FaultKind.CLOSED_WITHOUT_DISCARD_OPENED: "F-35a",
    FaultKind.CLOSED_WITHOUT_DISCARD_ADDED: "F-35b",
}

STEPS: Final[dict[Way, tuple[StepRule, ...]]] = {
    # OPTION last_addition: last_card, by the definition of the last play; art. 33 itself speaks of the cards added.
    "F-33": (
        DISCARD_STANDS,
        StepRule("penalise", "offender",
            Words("Le carte dell'ultimo gioco effettuato sono penalizzate e vanno scoperte al lato del tavolo.",
                "The cards of his last play are penalised and go face up to the side of the table."), cards=True),
        StepRule("discard", "offender", PENALISED, until="none-left", cards=True),
    ),
    "F-34": (StepRule("take-back", "offender", LAST_PLAY_BACK, cards=True), DISCARD_STANDS),
    "F-35a": (
        StepRule("discard", "offender",
            Words("Una carta a scelta dell'ultimo gioco aperto diventa lo scarto.",
                "One card of the meld opened last, at his choice, becomes the discard."), cards=True),
        StepRule("expose", "offender",
            Words("Le altre carte di quel gioco sono esposte.", "The other cards of that meld are exposed."),
            until="end-of-own-next-turn", cards=True),
    ),
    "F-35b": (
        StepRule("take-back", "offender", LAST_PLAY_BACK, cards=True),
        StepRule("discard", "offender",
            Words("La carta legata al posto dello scarto diventa lo scarto.",
                "The card added instead of being discarded becomes the discard."), cards=True),
    ),
}  # fmt: skip
DUTIES: Final[dict[Way, tuple[DutyRule, ...]]] = {
    "F-33": (DutyRule("discard", PENALISED, until="none-left"),),
    "F-34": (DutyRule("take-back", LAST_PLAY_BACK),),
    "F-35a": (
        DutyRule("take-back",
            Words("Le carte del gioco si riprendono: una è lo scarto, le altre sono esposte.",
                "The cards of the meld are taken back: one is the discard, the others are exposed.")),
        DutyRule("expose",
            Words("Le carte rimaste si giocano al prossimo turno o si scartano, dalla più alta.",
                "The cards left are played at the next turn or discarded, the highest first."), allow=("discard",),
            until="end-of-own-next-turn"),
    ),
    "F-35b": (
        DutyRule("take-back", LAST_PLAY_BACK),
        DutyRule("bar-closing", Words("Con questo scarto non chiude.", "He does not go out with this discard."),
            until="own-next-turn"),
    ),
}  # fmt: skip
WORDS: Final[dict[Way, Words]] = {
    "F-33": Words("Chiusura senza burraco (art. 33).", "Going out without a burraco (art. 33)."),
    "F-34": Words("Chiusura scartando una matta (art. 34).", "Going out by discarding a wild (art. 34)."),
    "F-35a": Words("Chiusura senza scarto, gioco aperto (art. 35).", "No discard, a meld opened last (art. 35)."),
    "F-35b": Words("Chiusura senza scarto, carta legata (art. 35).", "No discard, a card added last (art. 35)."),
}
KEYS: Final[dict[Way, str]] = {way: CLOSING_WAYS[kind] for kind, way in _ROWS.items()}
"""What a ruling names as ``option``."""
VALID: Final = Choice("valid", Words("La chiusura è valida.", "He has gone out rightly."), "arbitro")


def steps_by_way(*ways: Way) -> tuple[StepRule, ...]:
    """Return the steps of each of ``ways``, each only if that one was chosen."""
    return tuple(replace(step, option=KEYS[way]) for way in ways for step in STEPS[way])


def duties_by_way(*ways: Way) -> tuple[DutyRule, ...]:
    """Return the duties of each of ``ways``, each only if that one was chosen."""
    return tuple(replace(duty, option=KEYS[way]) for way in ways for duty in DUTIES[way])


def choices(*ways: Way) -> tuple[Choice, ...]:
    """``ways`` to choose among: the table knows the last play, the arbitro decides."""
    return tuple(Choice(KEYS[way], WORDS[way], "arbitro") for way in ways)
