"""Arts. 7 to 9: drawing from the stock, taking the discard pile (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.referee.catalogue import DutyRule, Row, StepRule, Words
from table_service.referee.fibur2024.steps import STOP

ROWS: Final[tuple[Row, ...]] = (
    Row(
        id="F-08a",
        article="8",
        title=Words("Due carte prese dal tallone", "Two cards taken from the stock"),
        severity="play-stops",
        senses=("scale", "gate", "beam"),
        steps=(
            STOP,
            StepRule(
                "return-to-stock",
                "offender",
                Words(
                    "La prima carta è sua, la seconda torna sul tallone.",
                    "The first card is his, the second goes back onto the stock.",
                ),
                cards=True,
            ),
            StepRule(
                "show",
                "next-opponent",
                Words(
                    "L'arbitro la mostra all'avversario che segue, che al suo turno può prenderla o raccogliere.",
                    "The arbitro shows it to the next opponent, who at his turn may take it or pick up the pile.",
                ),
                cards=True,
            ),
        ),
        duties=(
            DutyRule(
                "return-to-stock",
                Words("La seconda carta torna sul tallone.", "The second card goes back onto the stock."),
            ),
        ),
    ),
)
