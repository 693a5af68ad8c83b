"""Claims and hands laid open in a board's course: dummy, a claim by sight, a claim that is stated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hw.seats import Seat
from table_service.games.bridge.fold.board_state import Board, Claim
from table_service.games.bridge.fold.heard import (
    ClaimStated,
)
from table_service.games.bridge.fold.play_course import is_playing
from table_service.games.bridge.judges.card_play import CardPlay
from table_service.games.bridge.reading.acts import (
    HandSpread,
)
from table_service.games.bridge.rules.contract import TRICKS, Contract

CLAIMED_PART: Final = 0.6
"""Who lays open so much of what the hand still holds has claimed; less may be a hand that was tilted."""


def hand_spread(board: Board, act: HandSpread) -> Board:
    """Lay a hand open: dummy's, declarer's who has become dummy by law 54A, or that of a player who claims."""
    board = replace(board, spread={**board.spread, act.seat: act.cards})
    play = board.play
    if play is None or not is_playing(board):
        return board
    cards = list(act.cards)
    if board.claim is not None and act.seat is not play.dummy:
        shown = board.claim.cards or (_lying(play, cards) if act.seat is board.claim.seat else ())
        return replace(board, play=play.laid_open(act.seat, cards), claim=replace(board.claim, cards=shown))
    if act.seat is play.dummy:
        return replace(board, play=play.spread(cards))
    if act.seat is play.contract.declarer and _may_become_dummy(board):
        return replace(board, play=replace(play, contract=_turned(play.contract)).spread(cards))
    left = TRICKS - sum(who is act.seat for trick in play.tricks for who, _ in trick.plays)
    lying = _lying(play, cards)
    if len(lying) < max(1, CLAIMED_PART * left):
        return board
    return _claimed(board, act.seat, lying, act.t)


def _lying(play: CardPlay, cards: Sequence[str]) -> tuple[str, ...]:
    """Cards that were not played."""
    played = {card for trick in play.tricks for _, card in trick.plays}
    return tuple(card for card in cards if card not in played)


def _may_become_dummy(board: Board) -> bool:
    """Return True if the lead was out of turn, and no hand has played to it, so that declarer may spread (54A)."""
    play = board.play
    return (
        play is not None
        and board.opening is not None
        and len(play.tricks) == 1
        and len(play.play.open.plays) == 1
        and play.play.open.leader is not board.opening.leader
    )


def _turned(contract: Contract) -> Contract:
    return replace(contract, declarer=contract.declarer.partner)


def _claimed(board: Board, seat: Seat, cards: tuple[str, ...], t: float) -> Board:
    if board.play is None or board.play.count == TRICKS:
        return board
    return replace(board, claim=Claim(seat, cards, t), play=board.play.claim(seat, t).laid_open(seat, cards))


def claim_stated(board: Board, act: ClaimStated) -> Board:
    """Record that a person has heard a claim or a concession."""
    if board.claim is not None or not is_playing(board):
        return board
    return _claimed(board, act.seat, board.spread.get(act.seat, ()), act.t)
