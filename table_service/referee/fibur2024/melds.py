"""Arts. 10 to 13 and 25 to 29: melds wrongly laid, hidden cards, play after the discard, thrown cards."""

from __future__ import annotations

from typing import Final

from table_service.referee.catalogue import Row, Words
from table_service.referee.fibur2024.steps import FREEZE_NEXT, STOP

ROWS: Final[tuple[Row, ...]] = (
    Row(
        id="F-27a",
        article="27",
        title=Words("Apertura o carta legata dopo lo scarto", "Meld or addition after the discard"),
        severity="play-stops",
        senses=("camera", "beam"),
        steps=(STOP, FREEZE_NEXT),
        freezes=True,
    ),
)
