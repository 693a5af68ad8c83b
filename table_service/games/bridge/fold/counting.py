"""A board's score: contract and tricks, revokes as they are ruled; unknown where anybody would have to guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any, Final

from hw.seats import LINES, Line, Seat
from table_service.games.bridge.fold.board_state import Board
from table_service.games.bridge.judges.doubtful_results import possible_tricks
from table_service.games.bridge.judges.order_costs import order_costs
from table_service.games.bridge.judges.revoke_tricks import result_after
from table_service.games.bridge.rules.contract import TRICKS, is_vulnerable
from table_service.games.bridge.rules.score import SHEET, BoardScore, score
from table_service.table.scores import Count

RevokeOf = tuple[Seat, int]
"""A revoke by its seat and the number of its trick."""


WITNESSES: Final = 2
"""So many backs that point to the line which has not won a trick by its cards leave in doubt who has won it."""


def is_play_sure(board: Board) -> bool:
    """Return True if thirteen tricks were read as four hands play them, and the backs do not speak against a winner."""
    play = board.play
    if play is None:
        return False
    tricks = play.tricks
    cards = {card for trick in tricks for _, card in trick.plays}
    whole = all(len(trick.plays) == len({seat for seat, _ in trick.plays}) == len(Seat) for trick in tricks)
    if not whole or len(cards) != len(Seat) * TRICKS:
        return False
    against: Counter[int] = Counter()
    for one in board.quits:
        by = play.turned[one.number - 1].by if one.number <= len(play.turned) else None
        against[one.number] += by is not None and one.points_to not in (None, by.line)
    return max(against.values(), default=0) < WITNESSES


def _is_settled(board: Board, won: int) -> bool:
    """Return True if ``won`` tricks of declarer's side are sure: read well or confirmed, and not denied by the cards.

    A claim that the tricks turned before it deny is for the arbitro (79): until then the result is unknown.
    """
    if board.play is None:
        return True
    if board.play.count == TRICKS:
        return is_play_sure(board) or (board.stated is not None and board.stated.tricks == won)
    return won in possible_tricks(board.play)


def final_tricks(board: Board, *, open_: Collection[RevokeOf], taken_off: Collection[RevokeOf]) -> int | None:
    """Return declarer's tricks; None while they are not known.

    ``open_``: revokes that wait for the arbitro; ``taken_off``: those that he has ruled to cost nothing. What an open
    one would cost is not taken before he has ruled: until then nobody knows the result, unless it costs nothing.
    """
    play = board.play
    if play is None:
        return None
    if board.stated is not None and board.stated.by_arbitro:
        return board.stated.tricks
    won = board.tricks
    if won is None or not _is_settled(board, won):
        return None
    told = (*play.costs(), *order_costs(play, board.lead_orders, board.play_orders))
    costs = [(one, cost) for one, cost in told if (one.seat, one.number) not in taken_off]
    if any((one.seat, one.number) in open_ and cost.tricks != 0 for one, cost in costs):
        return None
    line = play.contract.declarer.line
    return result_after(won, [(one.seat.line is line, cost) for one, cost in costs])


def board_count(
    board: Board,
    *,
    open_: Collection[RevokeOf] = (),
    taken_off: Collection[RevokeOf] = (),
    is_auction_open: bool = False,
) -> Count:
    """Return the count of ``board`` for its score sheet, with the sign that each line has it by.

    ``is_auction_open``: something in the auction waits for the arbitro that may change the contract.
    """
    if is_auction_open and not (board.stated is not None and board.stated.by_arbitro):
        return _count(None, None)
    if board.is_passed_out:
        return _count(BoardScore(), None)
    play = board.play
    tricks = final_tricks(board, open_=open_, taken_off=taken_off)
    if play is None or tricks is None or board.vulnerable is None or not 0 <= tricks <= TRICKS:
        return _count(None, None)
    line = play.contract.declarer.line
    return _count(score(play.contract, tricks, vulnerable=is_vulnerable(line, board.vulnerable)), line)


def _count(points: BoardScore | None, declaring: Line | None) -> Count:
    lines = {str(line): _line(points, sign=1 if line is declaring else -1) for line in LINES}
    doubtful = () if points is not None else tuple(f"{line}.{name}" for line in LINES for name in SHEET.names)
    nothing: dict[str, Any] = {str(line): {"items": {}, "total": None} for line in LINES}
    return Count(
        lines=lines, camera=nothing, ledger=lines, agrees=points is not None, doubtful=doubtful, differences=()
    )


def _line(points: BoardScore | None, *, sign: int) -> dict[str, Any]:
    if points is None:
        return {"items": dict.fromkeys(SHEET.names), "total": None}
    items = {name: sign * int(getattr(points, name)) for name in SHEET.names}
    return {"items": items, "total": sign * points.total}
