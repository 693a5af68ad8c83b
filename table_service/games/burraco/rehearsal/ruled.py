"""Which rows can be ruled when: in mid-deal, or in the last turn of each kind of end, and the remedy is carried out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from table_service.games.burraco.rehearsal.fault import Kind, Moment
from table_service.games.burraco.rehearsal.faults import KINDS

_NEVER: Final = frozenset(("F-08c", "F-10a", "F-23c", "F-23p", "F-S1", "F-04f", "F-04k", "F-05b", "F-30c", "F-36"))
"""Rows that are played on without a ruling of their own, or whose score the arbitro makes himself (art. 36)."""
_STALEMATE: Final = frozenset(("F-24a", "F-24d"))
"""Rows that leave the four exchanging cards (art. 16); besides, those that are found once the deal is over."""
_PICKS_UP: Final = frozenset(("F-09f", "F-09g", "F-09h"))
"""Rows of who picks up the pile: the last turn of the stock begins with a draw (art. 17)."""
_BEFORE: Final = frozenset((Moment.SET_UP, Moment.DEALT))


def can_be_ruled(kind: Kind, stage: str) -> bool:
    """Whether the arbitro can rule on a fault of ``kind`` in ``stage``, one of ``STAGES``."""
    if kind.row in _NEVER:
        return False
    if stage == "mid" or kind.late:
        return True
    if set(kind.moments) <= _BEFORE or kind.row == "F-27d":
        return False
    match stage:
        case "stalemate":
            return kind.row in _STALEMATE
        case "closing":
            plays_on = {Moment.BEFORE_TURN, Moment.AFTER_DRAW} & set(kind.moments)
            return (bool(plays_on) or kind.own or kind.row == "F-08a") and kind.lead == 0
        case "stock":
            return kind.row not in _PICKS_UP
    return True


def rows_ruled(rows: Sequence[str], stage: str) -> tuple[str, ...]:
    """Those of ``rows`` that can be ruled in ``stage``."""
    return tuple(row for row in rows if can_be_ruled(KINDS[row], stage))
