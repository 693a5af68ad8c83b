"""Duties of players from rulings, and the charges for breaking them (laws 24, 26, 50D2, 54)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN
from hw.seats import Seat
from table_service.games.bridge.codes.figb2010 import UNCONFIRMED
from table_service.games.bridge.fold.board_state import Board
from table_service.games.bridge.fold.charges import READ_AGAIN_S, SETTLES_S, Charge
from table_service.games.bridge.fold.heard import Ruled
from table_service.games.bridge.fold.veil import known_tray
from table_service.games.bridge.judges.card_play import CardPlay
from table_service.games.bridge.judges.ordered_leads import WAYS, broken_leads, order_of
from table_service.games.bridge.judges.ordered_passes import broken_passes, ordered_now
from table_service.games.bridge.judges.ordered_plays import broken_plays, play_order
from table_service.games.bridge.judges.penalty_cards import lead_choice
from table_service.games.bridge.judges.sides import side_of

EXPOSED: Final = "law-24-auction"
LEAD_LIMIT: Final = "law-26"
PENALTY_LEAD: Final = "law-50D2"
BROKEN_LEAD: Final = "law-61-lead"
CALL_OF_WHO_PASSES: Final = "law-37"
LEAD_OUT_OF_TURN: Final = "FIGB-4"
PLAY_BEFORE_PARTNER: Final = "law-57"


# -- what a ruling changes ---------------------------------------------------------------------------------------------


def obliged(board: Board, act: Ruled) -> Board:
    """``board`` with the duties that ``act`` imposes; those that a law leaves to declarer as he has chosen."""
    if act.seat is None:
        return board
    match act.row, act.option:
        case (row, option) if row == EXPOSED:
            board = replace(board, exposures_ruled=board.exposures_ruled | {act.seat})
            partner = ordered_now(board.tray, act.seat.partner)
            return replace(board, ordered_passes=(*board.ordered_passes, partner)) if option == "24B" else board
        case (row, option) if row in (LEAD_LIMIT, PENALTY_LEAD):
            return _lead_ordered(board, act)
        case (row, option) if row == PLAY_BEFORE_PARTNER and board.play is not None:
            order = play_order(board.play, option, act.seat)
            return board if order is None else replace(board, play_orders=(*board.play_orders, order))
        case (row, "54A") if row == LEAD_OUT_OF_TURN:
            return _declarer_is_dummy(board)
        case (row, "54D") if row == LEAD_OUT_OF_TURN:
            return _lead_refused(board, act)
    return board


def _lead_ordered(board: Board, act: Ruled) -> Board:
    """Record that declarer has named a suit; by 50D2 the penalty cards of that suit go back into the hand."""
    if act.seat is None:
        return board
    play = board.play
    since = 1 if play is None else play.count + 1
    order = order_of(act.option, act.seat.partner, since)
    if order is None:
        return board
    if play is not None and act.row == PENALTY_LEAD:
        for one in play.penalty_cards:
            if one.seat is act.seat and one.card[-1:] == order.suit:
                play = play.released(one.seat, one.card)
    return replace(board, play=play, lead_orders=(*board.lead_orders, order))


def _declarer_is_dummy(board: Board) -> Board:
    """54A: who was to declare lays the hand open; the partner plays both. Nothing more than once, or later."""
    play, opening = board.play, board.opening
    if play is None or opening is None or len(play.tricks) > 1 or play.contract.declarer is not opening.declarer:
        return board
    contract = replace(play.contract, declarer=play.contract.declarer.partner)
    return replace(board, play=replace(play, contract=contract))


def _lead_refused(board: Board, act: Ruled) -> Board:
    """54D: the lead is refused; it lies face up as a major penalty card, and who was to lead leads."""
    play = board.play
    if play is None or len(play.tricks) != 1 or [seat for seat, _ in play.play.open.plays] != [act.seat]:
        return board
    seat, card = play.play.open.plays[0]
    play = play.taken_back(seat, card, act.t)
    play = replace(play, faults=tuple(one for one in play.faults if one.wrong != "lead-out-of-turn"))
    return replace(board, play=play, gone=tuple(one for one in board.gone if one.seat is not act.seat))


# -- what is charged ---------------------------------------------------------------------------------------------------


def charges_of_duties(board: Board, *, is_over: bool) -> tuple[Charge, ...]:
    """Choices that are declarer's now, and what was done against what was ruled."""
    choices = _choices(board.play) if board.play is not None and board.is_revealed and not is_over else ()
    return (*_exposed(board), *_passes(board, is_over=is_over), *choices, *_leads(board))


def _exposed(board: Board) -> Iterator[Charge]:
    """Cards that lay open while the auction ran: across the screen nobody learns of it before the board is over."""
    for seat in dict.fromkeys(one[0] for one in board.exposed):
        if seat in board.exposures_ruled:
            continue
        own = [one for one in board.exposed if one[0] is seat]
        yield Charge(
            key=("exposed", seat),
            row=EXPOSED,
            seat=seat,
            t=own[0][2],
            found="any",
            told=side_of(seat),
            cards=tuple(card for _, card, _ in own if card != UNKNOWN),
            unconfirmed=EXPOSED in UNCONFIRMED,
        )


def _passes(board: Board, *, is_over: bool) -> Iterator[Charge]:
    if board.unread:
        return
    for one in broken_passes(known_tray(board, is_over=is_over), board.ordered_passes):
        yield Charge(
            key=("call", "ordered-pass", one.seat, one.t),
            row=CALL_OF_WHO_PASSES,
            seat=one.seat,
            t=one.t if one.passed is None else one.passed.t,
            found="before_pass" if one.passed is None else "after_pass",
            told=side_of(one.seat) if one.passed is None else "both",
        )


def _choices(play: CardPlay) -> Iterator[Charge]:
    """50D2: a defender is to lead whose partner has a major penalty card; declarer chooses before he does.

    Dated from when he is to lead.
    """
    leader = _leading_defender(play)
    choice = None if leader is None else lead_choice(play.penalty_cards, leader)
    if leader is None or choice is None:
        return
    cards = [one for one in play.penalty_cards if one.seat is leader.partner and one.kind == "major"]
    yield Charge(
        key=("lead", "choice", leader, play.count + 1),
        row=PENALTY_LEAD,
        seat=leader.partner,
        t=max(one.t for one in cards),
        arises=True,
        found="after_lead",
        cards=tuple(one.card for one in cards),
        settles=SETTLES_S,
        readings=(*(f"{way}-{named}" for named in choice.suits for way in WAYS), "neither"),
    )


def _leading_defender(play: CardPlay) -> Seat | None:
    """Return the defender who is to lead now; None if a trick runs, declarer's side leads, or play has ended."""
    leader = play.turn()
    is_lead = not play.play.open.plays or play.play.open.is_full(play.play.rules)
    if leader is None or not is_lead or play.claimed is not None:
        return None
    return None if leader.line is play.contract.declarer.line else leader


def _leads(board: Board) -> Iterator[Charge]:
    """Leads and plays against what declarer has asked for: that is a revoke (law 61)."""
    play = board.play
    if play is None or not board.is_revealed:
        return
    broken = [(one.order.leader, one.number, one.card) for one in broken_leads(play, board.lead_orders)]
    broken += [(one.order.player, one.order.number, one.card) for one in broken_plays(play, board.play_orders)]
    for seat, number, card in broken:
        yield Charge(
            key=("ordered-lead", seat, number),
            row=BROKEN_LEAD,
            seat=seat,
            t=board.since,
            found="after_lead",
            cards=(card,),
            settles=READ_AGAIN_S,
            needs_referee=True,
            unconfirmed=BROKEN_LEAD in UNCONFIRMED,
            revoke=(seat, number),
        )
