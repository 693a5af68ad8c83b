"""Law 23 after rulings: where the arbitro has chosen what no sensor tells, it is asked whose gain is to be looked at.

Where tray or aperture have told it, ``charges`` asks by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hw.seats import Seat
from table_service.games.bridge.fold.board_state import Asked, Board
from table_service.games.bridge.fold.charges import Charge
from table_service.games.bridge.fold.heard import Ruled
from table_service.games.bridge.judges.verdict import Watch

QUESTION: Final = "law-23"
LEADS: Final = frozenset({"FIGB-1", "FIGB-2", "FIGB-3", "FIGB-4", "FIGB-5"})
_BY_THE_OTHERS: Final = frozenset({"FIGB-2", "FIGB-3", "FIGB-6", "FIGB-9", "FIGB-11", "FIGB-14", "FIGB-15"})
"""Rows by which the offender's opponents let it pass, opened the aperture, or kept a silence."""
_BY_BOTH: Final = frozenset({"FIGB-8", "FIGB-13"})
_BY_THE_OFFENDER: Final = frozenset({"27B2", "30B2", "31A2a", "31A2b", "31B", "32A2", "32B"})
"""Options by which a call is replaced and the partner passes: laws 27 and 30 to 32 name law 23 there."""


def _watch(act: Ruled, seat: Seat) -> Watch | None:
    """Line whose gain ``act`` asks to look at: it takes a choice of the arbitro that no sensor had made before."""
    if act.option in _BY_THE_OFFENDER:
        return seat.line
    if act.row != act.option and act.row != "FIGB-3":
        return None
    if act.row in _BY_BOTH:
        return "both"
    return seat.line.other if act.row in _BY_THE_OTHERS else None


def remembered(board: Board, act: Ruled) -> Board:
    """``board`` with the question that ``act`` leaves; a later ruling on the same stands in place of the first."""
    if act.seat is None:
        return board
    watch, is_lead = _watch(act, act.seat), act.row in LEADS
    kept = tuple(one for one in board.asked if (one.seat, one.is_lead) != (act.seat, is_lead))
    asked = () if watch is None else (Asked(act.seat, is_lead, watch, act.t),)
    return replace(board, asked=(*kept, *asked))


def charges_of_questions(board: Board) -> Iterator[Charge]:
    """Once the board is over, the questions that rulings have left."""
    for one in board.asked:
        yield Charge(
            key=("23", "ruled", one.seat, one.is_lead),
            row=QUESTION,
            seat=None,
            t=max(one.t, board.over_t or 0.0),
            found="hand_end",
            needs_referee=True,
            against=None if one.watch == "both" else one.watch,
        )
