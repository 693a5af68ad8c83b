"""The public table of a board: nothing in it that the other side of the screen may not know."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hw.seats import LINES, SEATS
from table_service.games.bridge.fold.board_state import Board
from table_service.games.bridge.fold.course import last_taken, taken_by
from table_service.games.bridge.fold.veil import known_end, known_tray
from table_service.games.bridge.judges.ordered_leads import is_pending
from table_service.games.bridge.judges.sides import Side
from table_service.games.bridge.rules.contract import TRICKS
from table_service.games.tricks.trick import Trick


def board_state(number: int, board: Board, side: Side | None, turn: int | None, *, is_over: bool) -> dict[str, Any]:
    """Return what anybody may know of deal ``number``. ``side``: where the tray stands; ``turn``: of the events."""
    return {
        "game": "bridge",
        "deal": number,
        "board": board.number,
        "dealer": str(board.dealer),
        "vulnerable": board.vulnerable,
        "phase": _phase(board, is_over=is_over),
        "tray": side,
        **_auction(board, is_over=is_over),
        **_play(board, turn, is_over=is_over),
    }


def _auction(board: Board, *, is_over: bool) -> dict[str, Any]:
    ended = known_end(board, is_over=is_over)
    contract = None if ended is None else ended.contract()
    if board.is_revealed and board.play is not None:
        contract = board.play.contract
    return {
        "auction": [{"seat": str(one.seat), "call": one.call} for one in known_tray(board, is_over=is_over).calls],
        "contract": None if contract is None else str(contract),
        "declarer": None if contract is None else str(contract.declarer),
        "passed_out": ended is not None and contract is None,
    }


def _play(board: Board, turn: int | None, *, is_over: bool) -> dict[str, Any]:
    """Return the play, of which the players across know nothing before the aperture is open."""
    play = board.play
    if play is None or not board.is_revealed:
        return {
            "turn": {"n": turn, "seat": None},
            "hands": {str(who): TRICKS for who in SEATS},
            "dummy": None,
            "trick": {"n": 1, "cards": []},
            "last_trick": None,
            "tricks": {str(line): 0 for line in LINES},
            "penalty_cards": [],
            "lead_orders": [],
            "claim": None,
            "result": None,
        }
    seat, won = None if is_over else play.turn(), taken_by(board)
    played = Counter(who for trick in play.tricks for who, _ in trick.plays)
    return {
        "turn": {"n": turn, "seat": None if seat is None else str(seat)},
        "hands": {str(who): max(0, TRICKS - played[who]) for who in SEATS},
        "dummy": _dummy(board),
        "trick": {"n": max(1, len(play.tricks)), "cards": _cards(play.play.open)},
        "last_trick": _last(board),
        "tricks": {str(line): won.get(line) for line in LINES},
        "penalty_cards": [{"seat": str(one.seat), "card": one.card, "kind": one.kind} for one in play.penalty_cards],
        "lead_orders": [
            {"seat": str(one.leader), "way": one.way, "suit": one.suit}
            for one in board.lead_orders
            if is_pending(play, one)
        ],
        "claim": None if board.claim is None else {"seat": str(board.claim.seat), "cards": list(board.claim.cards)},
        "result": _result(board),
    }


def _result(board: Board) -> dict[str, Any] | None:
    """Return declarer's tricks as stated, and the seats that pressed to agree; None while none were stated."""
    stated = board.stated
    if stated is None:
        return None
    agreed = {str(one.seat) for one in board.agreed if one.t >= stated.t}
    return {"tricks": stated.tricks, "by_arbitro": stated.by_arbitro, "agreed": [s for s in SEATS if s in agreed]}


def _cards(trick: Trick) -> list[dict[str, str]]:
    return [{"seat": str(who), "card": card} for who, card in trick.plays]


def _last(board: Board) -> dict[str, Any] | None:
    last = last_taken(board)
    if last is None:
        return None
    return {"n": last.number, "cards": _cards(last.trick), "winner": None if last.by is None else str(last.by)}


def _phase(board: Board, *, is_over: bool) -> str:
    if is_over:
        return "over"
    if board.is_revealed:
        return "playing"
    return "auction"


def _dummy(board: Board) -> dict[str, Any] | None:
    """Dummy's hand, once it lies open: what of it was not played."""
    play = board.play
    if play is None or play.dummy not in board.spread:
        return None
    gone = {card for trick in play.tricks for _, card in trick.plays}
    return {"seat": str(play.dummy), "cards": [card for card in board.spread[play.dummy] if card not in gone]}
