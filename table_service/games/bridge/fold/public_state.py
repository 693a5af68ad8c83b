"""The public table of a board: nothing in it that the other side of the screen may not know."""

from __future__ import annotations

from typing import Any

from hw.seats import LINES, SEATS
from table_service.games.bridge.fold.board import Board
from table_service.games.bridge.fold.course import last_taken, taken_by
from table_service.games.bridge.fold.veil import is_auction_known, known_tray
from table_service.games.bridge.judges.sides import Side
from table_service.games.bridge.rules.contract import TRICKS


def board_state(number: int, board: Board, side: Side | None, turn: int | None, *, is_over: bool) -> dict[str, Any]:
    """What anybody may know of deal ``number``. ``side``: where the tray stands; ``turn``: of the events."""
    play = board.play if board.is_revealed else None
    known = is_auction_known(board, is_over=is_over)
    contract = board.contract if known else None
    open_ = () if play is None else play.play.open.plays
    last = None if play is None else last_taken(board)
    won = taken_by(board) if play is not None else dict.fromkeys(LINES, 0)
    seat = None if play is None or is_over else play.turn()
    played = dict.fromkeys(SEATS, 0)
    for trick in () if play is None else play.tricks:
        for who, _ in trick.plays:
            played[who] += 1
    return {
        "game": "bridge",
        "deal": number,
        "board": board.number,
        "dealer": str(board.dealer),
        "vulnerable": board.vulnerable,
        "phase": _phase(board, is_over=is_over),
        "turn": {"n": turn, "seat": None if seat is None else str(seat)},
        "tray": side,
        "auction": [{"seat": str(one.seat), "call": one.call} for one in known_tray(board, is_over=is_over).calls],
        "contract": None if contract is None else str(contract),
        "declarer": None if contract is None else str(contract.declarer),
        "passed_out": known and board.is_passed_out,
        "hands": {str(who): max(0, TRICKS - count) for who, count in played.items()},
        "dummy": None if play is None else _dummy(board),
        "trick": {
            "n": 1 if play is None else min(TRICKS, len(play.turned) + (0 if not open_ or last is None else 1) or 1),
            "cards": [{"seat": str(who), "card": card} for who, card in open_],
        },
        "last_trick": None
        if last is None
        else {
            "n": last.number,
            "cards": [{"seat": str(who), "card": card} for who, card in last.trick.plays],
            "winner": None if last.by is None else str(last.by),
        },
        "tricks": {str(line): won.get(line) for line in LINES},
        "penalty_cards": []
        if play is None
        else [{"seat": str(one.seat), "card": one.card, "kind": one.kind} for one in play.penalty_cards],
        "claim": None
        if board.claim is None or play is None
        else {"seat": str(board.claim.seat), "cards": list(board.claim.cards)},
    }


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
