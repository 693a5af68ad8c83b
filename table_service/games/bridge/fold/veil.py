"""What all four players may know of a board: calls whose tray was passed; leads once the aperture is open.

Until the tray passes the other side learns nothing (app. 4, 4 and 4b), not even that something happened. What the two
on one side did and when stays between them; the arbitro has it sealed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from table_service.games.bridge.fold.board import Board
from table_service.games.bridge.judges.tempo import NOTHING_S, Stay, stays
from table_service.games.bridge.judges.tray import TrayAuction


def known_tray(board: Board, *, is_over: bool) -> TrayAuction:
    """The auction as all four may know it: without the calls that were not passed, and what was changed before."""
    if is_over or board.is_revealed:
        return board.tray
    calls = tuple(one for one in board.tray.calls if one.passed is not None)
    return replace(board.tray, calls=calls, changes=())


def is_auction_known(board: Board, *, is_over: bool) -> bool:
    """Whether all four may know how the auction has ended."""
    if board.over_t is None:
        return False
    return is_over or board.is_revealed or all(one.passed is not None for one in board.tray.calls)


def sealed_auction(board: Board) -> dict[str, Any]:
    """All that happened at the tray so far, for the arbitro alone: calls, changes, alerts, the tempo of each side."""
    return {
        "calls": [
            {
                "seat": str(one.seat),
                "call": one.call,
                "t": round(one.t, 3),
                "passed_t": None if one.passed is None else round(one.passed.t, 3),
                "passed_by": None if one.passed is None or one.passed.by is None else str(one.passed.by),
            }
            for one in board.tray.calls
        ],
        "changes": [
            {"seat": str(one.seat), "old": one.old, "new": one.new, "t": round(one.t, 3), "passed": one.passed}
            for one in board.tray.changes
        ],
        "alerts": [
            {
                "by": str(one.by),
                "over": str(one.seat),
                "side": one.side,
                "t": round(one.t, 3),
                "returned_t": None if one.returned is None else round(one.returned, 3),
            }
            for one in board.alerts
        ],
        "stops": [{"seat": str(seat), "t": round(t, 3)} for seat, t in board.stops],
        "tempo": [_stay(one) for one in stays(board.tray, board.since)],
    }


def _stay(one: Stay) -> dict[str, Any]:
    return {
        "side": one.side,
        "seconds": round(one.seconds, 3),
        "evidence_for": one.received_by if one.seconds > NOTHING_S else None,
        "thought": [{"seat": str(seat), "seconds": round(seconds, 3)} for seat, seconds in one.thought()],
    }


def sealed_hands(board: Board) -> dict[str, Any]:
    """The leads behind the screens and the four hands as far as they are known, for the arbitro alone."""
    leads = () if board.opening is None else board.opening.leads
    hands = {} if board.play is None else board.play.hands.held
    return {
        "leads": [
            {"seat": str(one.seat), "card": one.card, "t": round(one.t, 3), "faced_t": one.faced} for one in leads
        ],
        "hands": {str(seat): sorted(cards) for seat, cards in sorted(hands.items())},
        "record": None
        if board.record is None
        else {str(seat): sorted(cards) for seat, cards in sorted(board.record.items())},
    }
