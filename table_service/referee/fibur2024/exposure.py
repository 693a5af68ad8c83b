"""Arts. 21, 22 and 24: silence, hints, exposed cards; tables with screens (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.referee.catalogue import DutyRule, Row, StepRule, Words
from table_service.referee.fibur2024.steps import EXPOSED, STOP

ROWS: Final[tuple[Row, ...]] = (
    Row(
        id="F-24a",
        article="24",
        title=Words("Carta esposta al compagno o dichiarata", "Card exposed to the partner, or declared"),
        severity="play-stops",
        senses=("camera", "person"),
        steps=(
            STOP,
            StepRule("expose", "offender", EXPOSED, until="end-of-own-turn", cards=True),
            StepRule(
                "penalise",
                "offender",
                Words(
                    "La carta che non può o non vuole giocare va scoperta al lato del tavolo e diventa lo scarto.",
                    "A card he cannot or will not play goes face up to the side of the table and becomes his discard.",
                ),
                until="end-of-own-turn",
                cards=True,
            ),
        ),
        duties=(DutyRule("expose", EXPOSED, until="end-of-own-turn"),),
    ),
)
