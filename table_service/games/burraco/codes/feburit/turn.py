"""Art. 6: the turn, what is drawn, what is played, conduct while others play (own wording)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from table_service.games.burraco.codes.feburit.steps import (
    FIRST_OR_REPEATED,
    REPEATED,
    REPEATED_COSTS,
    STOP,
    WARN,
)
from table_service.referee.catalogue import Row, Words
from table_service.referee.row_writing import choice, duty, fault, holds, only, step

_SECOND_DISCARD: Final = step("take-back", "offender", "Un secondo scarto torna in mano.",
    "A second discard goes back to the hand.", cards=True)  # fmt: skip
_SURPLUS: Final = step("return-to-stock", "offender", "Le carte pescate in più tornano sul tallone.",
    "The cards drawn beyond the first go back onto the stock.", cards=True)  # fmt: skip
_GO_ON: Final = step("referee", "arbitro",
    "Non può recedere: se ha in mano carte adatte a proseguire l'arbitro gliele fa collocare.",
    "He may not withdraw: if he holds cards that go on with it the arbitro makes him lay them.")  # fmt: skip
_FAN: Final = step("nothing", "table", "Le carte in mano stanno a ventaglio, visibili e in ordine.",
    "Cards in hand are held as a fan, in sight and in order.")  # fmt: skip


def _repeatable(name: str, title: Words) -> Row:
    """Return the row of a conduct that costs a warning, and 100 match points when it is repeated."""
    return fault(name, "6", title, ("person",), WARN, REPEATED, *FIRST_OR_REPEATED, *REPEATED_COSTS,
        severity="warning", asks=("seat", "option"))  # fmt: skip


def _forbidden(name: str, title: Words, *, it: str, en: str) -> Row:
    """Return the row of a conduct that the code forbids without a penalty."""
    return fault(name, "6", title, ("person",), step("nothing", "table", it, en), asks=("seat",),
        heals="next-seat-draws")  # fmt: skip


_WARNED: Final = (choice("warn", "arbitro", "Ammonizione.", "A warning."), *FIRST_OR_REPEATED[1:])
# OPTION fan_warning: the clause on warnings follows the ban on asking for counts, in the same sentence.
_FAN_ROW: Final = fault("B-06k", "6",
    Words("Ventaglio non visibile o non ordinato", "Fan not in sight or not in order"), ("person",), _FAN,
    *only("warn", WARN), REPEATED, choice("no-warning", "arbitro", "Senza ammonizione.", "Without a warning."),
    *_WARNED, *REPEATED_COSTS, severity="warning", warn_option="warn", needs_referee=True,
    asks=("seat", "option"))  # fmt: skip
FAN_THAT_IS_WARNED: Final = replace(_FAN_ROW, steps=(_FAN, WARN, REPEATED), choices=_WARNED, warn_option=None,
    needs_referee=False)  # fmt: skip
"""The same where the option reads the clause on warnings as meant for it too."""

ROWS: Final[tuple[Row, ...]] = (
    fault("B-06a", "6", Words("Più di una carta pescata", "More than one card drawn"), ("scale", "gate", "beam"),
        STOP, _SURPLUS,
        *only("seen",
            step("show", "next-opponent",
                "Può vederle anche il giocatore successivo, che sceglie fra la prima carta vista e il monte.",
                "The next player may see them too, and chooses between the first card seen and the pile.",
                cards=True)), duty(_SURPLUS),
        choice("seen", "arbitro", "Il giocatore le ha viste.", "The player has seen them."),
        choice("unseen", "arbitro", "Non le ha viste.", "He has not."), heals="next-seat-draws"),
    holds("B-06b", "Definizioni; 6, 16",
        Words("Carta sollevata o monte trascinato", "Card lifted or pile drawn near"),
        Words("Una carta sollevata anche solo in parte, o il monte avvicinato a sé, è presa: la scelta è definitiva.",
            "A card lifted even in part, or a pile drawn towards oneself, is taken: the choice is final."), "scale",
        "gate", "person"),
    holds("B-06c", "Definizioni; 6", Words("Quando una carta è giocata", "When a card is played"),
        Words("Quando tocca il tavolo, anche solo in parte.", "Once it touches the table, even in part."), "camera"),
    # Hands rest at the pile in every deal: a beam there cannot tell one that looks through it.
    _forbidden("B-06d",
        Words("Monte degli scarti ispezionato da chi non è di turno", "Pile inspected by a player not in turn"),
        it="Può ispezionarlo solo chi è di turno; nessuna penalità è scritta.",
        en="Only the player in turn may inspect it; no penalty is written."),
    _repeatable("B-06e", Words("Domanda sul numero delle carte in mano", "Asking how many cards are held")),
    _repeatable("B-06f",
        Words("Ventaglio riordinato mentre gioca il compagno", "Fan arranged while the partner plays")),
    fault("B-06g", "6", Words("Matta posta in alto per proseguire il gioco", "Wild laid on top so as to go on"),
        ("camera", "person"), STOP, _GO_ON, needs_referee=True),
    fault("B-06h", "6, 14.3", Words("Azione dopo lo scarto", "Action after the discard"), ("camera", "scale"), STOP,
        step("nothing", "table", "Dopo lo scarto nulla è più consentito: ciò che è stato calato segue l'art. 14.3.",
            "After the discard nothing is allowed: what has been laid is judged by art. 14.3."), _SECOND_DISCARD,
        duty(_SECOND_DISCARD), options=("B-06h", "B-14d"), heals="next-seat-draws"),
    holds("B-06i", "6", Words("Dove stanno i giochi", "Where the melds lie"),
        Words("Davanti a chi della linea ha aperto per primo nella mano, salvo diverso accordo.",
            "Before the player of the line who opened first in the deal, unless agreed otherwise."), "camera"),
    _forbidden("B-06j", Words("Monte non aperto o tallone non compatto", "Pile not open, or stock not compact"),
        it="Il monte resta aperto e visibile, il tallone compatto; nessuna penalità è scritta.",
        en="The pile stays open and in sight, the stock compact; no penalty is written."),
    _FAN_ROW,
)  # fmt: skip
