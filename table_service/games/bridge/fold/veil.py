"""Facts of a board that all four players may know: calls whose tray was passed; leads once the aperture is open.

Until the tray passes the other side learns nothing (app. 4, 4 and 4b), not even that something happened. Acts and times
of the two on one side stay between them; the arbitro has them sealed.
"""

from __future__ import annotations

from typing import Any

from table_service.games.bridge.fold.board_state import Board
from table_service.games.bridge.judges.tempo import NOTHING_S, Stay, stays
from table_service.games.bridge.judges.tray import TrayAuction
from table_service.games.bridge.reading.acts import UNREAD
from table_service.games.bridge.rules.auction import Auction


def known_tray(board: Board, *, is_over: bool) -> TrayAuction:
    """Return the auction as all four know it: as the tray was last passed; all of it once nothing is hidden."""
    if is_over or board.is_revealed:
        return board.tray
    return board.known or TrayAuction(board.dealer)


def known_end(board: Board, *, is_over: bool) -> Auction | None:
    """Return the auction once all four know that it is over; None before, and while a call of it is unread."""
    tray = known_tray(board, is_over=is_over)
    auction = tray.lawful_part
    if not auction.is_over or any(call == UNREAD for _, call in auction.calls):
        return None
    return auction


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
    """Return the leads behind the screens and the four hands as far as they are known, for the arbitro alone."""
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
