"""Steps and duties that the articles on wrong melds share: mending, penalising, the end of the turn (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.referee.catalogue import Ageing, Choice, DutyRule, StepRule, Words
from table_service.referee.row_writing import only

MEND: Final = Words("Può sanare il gioco con le carte mancanti o con una matta che ha in mano.",
    "He may put the meld right with the missing cards, or with a wild card, from his hand.")  # fmt: skip
PENALISE: Final = Words("Le carte eccedenti vanno scoperte al lato del tavolo.",
    "The excess cards go face up to the side of the table.")  # fmt: skip
DISCARD_THEM: Final = Words(
    "Le carte penalizzate si scartano una per turno, dalla più alta (a parità di valore cuori, quadri, fiori, picche).",
    "The penalised cards are discarded one a turn, the highest first (of equal value hearts, diamonds, clubs, spades).",
)
NO_MORE: Final = Words("Il suo gioco finisce qui: scarta senza aprire né legare altro.",
    "His play ends here: he discards and lays nothing more.")  # fmt: skip
FROZEN_FOR_GOOD: Final = Words("Il gioco è congelato definitivamente: non vi si aggiungono più carte.",
    "The meld is frozen for good: no card may be added to it any more.")  # fmt: skip
PAIR_WARNED: Final = Words("La coppia è ammonita.", "The pair is warned.")

MEND_STEP: Final = StepRule("complete-or-penalise", "offender", MEND, until="end-of-own-turn", cards=True,
    option="mend")  # fmt: skip
PENALISE_STEP: Final = StepRule("penalise", "offender", PENALISE, cards=True)
DISCARD_STEP: Final = StepRule("discard", "offender", DISCARD_THEM, until="none-left", cards=True)
END_TURN: Final = StepRule("limit-turn", "offender", NO_MORE, until="end-of-own-turn")
WARN_STEP: Final = StepRule("warn", "line", PAIR_WARNED)
FREEZE_NEXT_TURN: Final = StepRule("freeze", "line",
    Words("Il gioco è congelato fino al prossimo turno di chi ha commesso l'infrazione.",
        "The meld is frozen until the offender's next turn."), until="own-next-turn")  # fmt: skip

MUST_MEND: Final = DutyRule("complete-or-penalise", MEND, when="this-turn", until="end-of-own-turn")
MUST_PENALISE: Final = DutyRule("penalise", PENALISE)
MUST_DISCARD: Final = DutyRule("discard", DISCARD_THEM, until="none-left")
MUST_END: Final = DutyRule("limit-turn", NO_MORE, ("discard",), when="this-turn", until="end-of-own-turn")

CHOOSES_TO_MEND: Final = (
    Choice("mend", Words("Sana il gioco con carte sue.", "He puts the meld right with cards of his."), "offender"),
    Choice("penalise", Words("Non lo sana: eccedenti penalizzate.", "He does not: excess penalised."), "offender"),
)
PENALISED_STEPS: Final = (*only("penalise", PENALISE_STEP), *only("penalise", DISCARD_STEP))
FOUND_LATER: Final = (Ageing("discard", "F-25b"), Ageing("next-draw", "F-25c"), Ageing("deal-end", "F-25c"))
"""What a wrong meld is judged by when it is found after the discard, and after the next draw (art. 25)."""
