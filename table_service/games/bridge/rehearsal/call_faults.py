"""Faults of calls and of the tray, the way people commit them behind the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from hw.seats import CLOCKWISE, Seat
from hw.twin.gestures import PutAside, TakeUp
from hw.twin.screen_gestures import CallGesture, TakeBackCall
from hw.twin.world import ImpossibleGesture
from table_service.games.bridge.judges.sides import SIDES, pusher, screen_mate, side_of
from table_service.games.bridge.judges.tempo import is_jump
from table_service.games.bridge.rehearsal.fault_kinds import BoardFaultKind, BoardMoment, asks_23, rules
from table_service.games.bridge.rehearsal.table_board import ScriptBoard
from table_service.games.bridge.rules.auction import DOUBLE, NO_BID
from table_service.games.bridge.rules.contract import BIDS, is_higher

PUSHERS: Final = tuple(pusher(side) for side in SIDES)
"""Who passes the tray on either side."""
Due = Literal["right", "left", "partner"]
"""Whose turn it was, as the one who called sees them."""


def _too_low(board: ScriptBoard, seat: Seat) -> str | None:
    """Return a bid that is not enough, if ``seat`` may think that it is."""
    bid = board.auction.bid
    if bid is None or board.auction.turn is not seat:
        return None
    lower = [one for one in BIDS[: BIDS.index(bid)] if (seat, one) not in board.auction.calls]
    return board.rng.choice(lower[-6:]) if lower else None


def _corrected_in_time(board: ScriptBoard, seat: Seat) -> bool:
    bid = _too_low(board, seat)
    if bid is None:
        return False
    cue = board.call(seat, bid, counts=False)
    board.inject("A4-2a", seat, "insufficient, changed before the tray was passed", cue)
    board.wait(2.0, 4.0)
    board.script.do(TakeBackCall(seat))
    board.wait(1.0, 2.0)
    board.call(seat, NO_BID)
    return True


def _passed_by_opponent(board: ScriptBoard, seat: Seat) -> bool:
    bid = _too_low(board, seat)
    if bid is None or seat in PUSHERS:
        return False
    cue = board.call(seat, bid)
    board.wait(0.8, 2.0)
    board.inject("FIGB-6", seat, "insufficient, passed by the screen mate", cue, board.push())
    asks_23(board, cue)
    board.wait(1.0, 2.0)
    return True


def _passed_by_offender(board: ScriptBoard, seat: Seat) -> bool:
    bid = _too_low(board, seat)
    if bid is None or seat in PUSHERS:
        return False
    cue = board.call(seat, bid)
    board.wait(0.8, 2.0)
    board.inject("FIGB-7", seat, "insufficient, passed by himself", cue, board.push(seat))
    rules(board, "FIGB-7", seat, "27A")
    return True


def _called_over(board: ScriptBoard, seat: Seat) -> bool:
    bid = _too_low(board, seat)
    if bid is None or seat not in PUSHERS:
        return False
    cue = board.call(seat, bid)
    board.thinks(screen_mate(seat))
    board.call(screen_mate(seat), NO_BID)
    board.wait(0.8, 2.0)
    board.inject("FIGB-8", seat, "insufficient, called over, then passed", cue, board.push())
    asks_23(board, cue)
    board.wait(1.0, 2.0)
    return True


def _double_of_nothing(board: ScriptBoard, seat: Seat) -> bool:
    if board.auction.bid is not None or seat in PUSHERS or DOUBLE in board.auction.lawful(seat):
        return False
    cue = board.call(seat, DOUBLE, counts=False)
    board.wait(0.8, 2.0)
    board.inject("law-36", seat, "nothing to double", cue, board.push(seat))
    rules(board, "law-36", seat)
    board.push()
    board.wait(1.0, 2.0)
    board.script.do(TakeBackCall(seat))
    board.wait(1.0, 2.0)
    board.call(seat, NO_BID)
    return True


def _offender(dealer: Seat, due: Due) -> Seat:
    """Seat that calls too early, the dealer being due."""
    return {"right": CLOCKWISE.next(dealer), "left": CLOCKWISE.previous(dealer), "partner": dealer.partner}[due]


def _before_the_dealer(
    row: str, due: Due, *, by_himself: bool, over: bool = False, call: str | None = None
) -> Callable[[ScriptBoard, Seat], bool]:
    """Have somebody call in the dealer's place before any call; the tray is passed empty if it must be.

    ``over``: the opponent on the same side calls after him before the tray is passed.
    """

    def commit(board: ScriptBoard, seat: Seat) -> bool:
        offender = _offender(seat, due)
        if board.auction.calls or (over and offender not in PUSHERS):
            return False
        if side_of(offender) != board.side:
            board.push()
            board.wait(1.0, 2.0)
        cue = board.call(offender, call or board.rng.choice(BIDS[:5]))
        mate = screen_mate(offender)
        if over:
            board.thinks(mate)
            board.call(mate, NO_BID)
        board.wait(0.8, 2.0)
        pushed = board.push(offender if by_himself else mate)
        who = "himself" if by_himself else "the screen mate"
        board.inject(row, offender, f"at the turn of the {due}, passed by {who}", cue, pushed)
        if over or not by_himself:
            asks_23(board, cue)
        else:
            rules(board, row, offender)
        board.wait(1.0, 2.0)
        return True

    return commit


def _doubles_early(board: ScriptBoard, seat: Seat) -> bool:
    """Have the partner of the player who bids next double at the turn of the player before him."""
    auction, wrong = board.auction, CLOCKWISE.next(seat)
    if auction.bidder is None or auction.doubled or auction.bidder.line is wrong.line or seat not in PUSHERS:
        return False
    cue = board.call(wrong, DOUBLE)
    board.wait(0.8, 2.0)
    board.inject("law-32", wrong, "doubled before his turn, passed by himself", cue, board.push(wrong))
    rules(board, "law-32", wrong)
    return True


def _calls_though_silent(board: ScriptBoard, seat: Seat) -> bool:
    """Replace an insufficient bid by a pass, so the partner must pass (27B2), and does not."""
    bid, partner, between = _too_low(board, seat), seat.partner, CLOCKWISE.next(seat)
    if bid is None or seat in PUSHERS:
        return False
    cue = board.call(seat, bid, counts=False)
    board.wait(0.8, 2.0)
    board.inject("FIGB-7", seat, "insufficient, passed by himself", cue, board.push(seat))
    rules(board, "FIGB-7", seat, "27B2")
    asks_23(board, cue)  # law 27 names law 23 where the partner passes on
    _takes_back(board, seat)
    board.bring_tray(between)
    board.thinks(between)
    board.call(between, NO_BID)
    higher = next((one for one in BIDS if is_higher(one, board.auction.bid)), None)
    if board.auction.turn is not partner or higher is None:
        raise ImpossibleGesture(f"{partner} is not to call any more")
    board.thinks(partner)
    board.silent.add(partner)
    cue = board.call(partner, higher, counts=False)
    board.wait(0.8, 2.0)
    board.inject("law-37", partner, "bids though the partner's bid was withdrawn (27B2)", cue, board.push())
    rules(board, "law-37", partner)
    _takes_back(board, partner)
    return True


def _takes_back(board: ScriptBoard, seat: Seat) -> None:
    """Bring the tray back; ``seat`` takes its last call off and passes."""
    board.push()
    board.wait(1.0, 2.0)
    board.script.do(TakeBackCall(seat))
    board.wait(1.5, 2.5)
    board.call(seat, NO_BID)


def _after_the_end(board: ScriptBoard, seat: Seat) -> bool:
    bid = next((one for one in BIDS if is_higher(one, board.auction.bid)), None)
    if bid is None or side_of(seat) != board.side:
        return False
    cue = board.script.do(CallGesture(seat, bid), board.act("call", seat, call=bid))
    board.wait(0.8, 2.0)
    board.inject("law-39", seat, "bid after three passes", cue, board.push())
    rules(board, "law-39", seat)
    return True


def _jumps_without_stop(board: ScriptBoard, seat: Seat) -> bool:
    jumping = [one for one in board.auction.lawful(seat) if one in BIDS and is_jump(one, board.auction.bid)]
    if not jumping or seat in board.stopped:
        return False
    board.stopped.add(seat)  # as if the card lay there: neither now nor later
    cue = board.call(seat, board.rng.choice(jumping[:3]))
    board.inject("NI-18.3", seat, "jump without the stop card", cue)
    return True


def _shows_a_card(board: ScriptBoard, seat: Seat) -> bool:
    """Drop a card on the table during the auction, for a while; a defender's card the arbitro lets be."""
    printed = board.rng.choice(board.faces(seat))
    card = board.physical(seat, printed)
    cue = board.script.do(PutAside(seat, (card,)))
    board.inject("law-24-auction", seat, "lay at the side", cue, cards=(printed,))
    board.shown = seat
    board.wait(3.0, 5.0)
    board.script.do(TakeUp(seat, (card,)))
    board.wait(0.5, 1.0)
    board.call(seat, board.sensible(seat))
    return True


CALL_KINDS: Final = (
    BoardFaultKind("A4-2a", BoardMoment.CALL, _corrected_in_time),
    BoardFaultKind("FIGB-6", BoardMoment.CALL, _passed_by_opponent),
    BoardFaultKind("FIGB-7", BoardMoment.CALL, _passed_by_offender),
    BoardFaultKind("FIGB-8", BoardMoment.CALL, _called_over),
    BoardFaultKind("FIGB-9", BoardMoment.CALL, _before_the_dealer("FIGB-9", "right", by_himself=False)),
    BoardFaultKind("FIGB-10", BoardMoment.CALL, _before_the_dealer("FIGB-10", "right", by_himself=True)),
    BoardFaultKind("FIGB-11", BoardMoment.CALL, _before_the_dealer("FIGB-11", "left", by_himself=False)),
    BoardFaultKind("FIGB-12", BoardMoment.CALL, _before_the_dealer("FIGB-12", "left", by_himself=True)),
    BoardFaultKind("FIGB-13", BoardMoment.CALL, _before_the_dealer("FIGB-13", "partner", by_himself=True, over=True)),
    BoardFaultKind("FIGB-14", BoardMoment.CALL, _before_the_dealer("FIGB-14", "right", by_himself=False, over=True)),
    BoardFaultKind("FIGB-15", BoardMoment.CALL, _before_the_dealer("FIGB-15", "partner", by_himself=False)),
    BoardFaultKind("FIGB-16", BoardMoment.CALL, _before_the_dealer("FIGB-16", "partner", by_himself=True)),
    BoardFaultKind("law-30", BoardMoment.CALL, _before_the_dealer("law-30", "right", by_himself=True, call=NO_BID)),
    BoardFaultKind("law-32", BoardMoment.CALL, _doubles_early),
    BoardFaultKind("law-36", BoardMoment.CALL, _double_of_nothing),
    BoardFaultKind("law-37", BoardMoment.CALL, _calls_though_silent),
    BoardFaultKind("law-39", BoardMoment.OVER, _after_the_end),
    BoardFaultKind("NI-18.3", BoardMoment.CALL, _jumps_without_stop),
    BoardFaultKind("law-24-auction", BoardMoment.CALL, _shows_a_card),
)
"""Faults of calls."""
