"""Effects of rulings and corrections on a board's course: penalties, leads taken back, tricks given over."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from table_service.games.bridge.fold.board_state import Board
from table_service.games.bridge.fold.heard import (
    PenaltyCardsSet,
    Ruled,
    TrickCorrected,
)
from table_service.games.bridge.judges.card_play import CardPlay
from table_service.games.bridge.judges.corrected_tricks import corrected, is_supplied
from table_service.games.bridge.judges.ordered_passes import ordered_now

_PASSES_ON: Final = frozenset({"27B2", "30B2", "31", "31A2b", "31B", "32A2", "32B"})
"""Options by which the offender's partner passes until the end."""
_PASSES_ONCE: Final = frozenset({"31A2a"})
"""Options by which he passes at his next turn."""
_NO_PENALTY: Final = frozenset({"FIGB-1", "FIGB-3"})
"""Rows by which a lead goes back into the hand without a penalty."""


def ruled(board: Board, act: Ruled) -> Board:
    """Return what a ruling changes in the auction or in the play."""
    if act.seat is None:
        return board
    if act.option in _PASSES_ON:
        return replace(board, tray=board.tray.silenced(act.seat.partner, act.t))
    if act.option in _PASSES_ONCE:
        partner = ordered_now(board.tray, act.seat.partner)
        return replace(board, ordered_passes=(*board.ordered_passes, partner))
    if act.row in _NO_PENALTY and board.play is not None:
        return _lead_back_untouched(board, board.play, act)
    return board


def _lead_back_untouched(board: Board, play: CardPlay, act: Ruled) -> Board:
    """Put the lead of the player who led out of turn back into the hand; it is no penalty card."""
    for seat, card in play.play.open.plays if len(play.tricks) == 1 else ():
        if seat is act.seat:
            play = play.taken_back(seat, card, act.t)
    for one in play.penalty_cards:
        if one.seat is act.seat:
            play = play.released(one.seat, one.card)
    faults = tuple(one for one in play.faults if (one.number, one.seat) != (1, act.seat))
    play = replace(play, faults=faults)
    gone = tuple(one for one in board.gone if one.seat is not act.seat)
    return replace(board, play=play, gone=gone)


def trick_corrected(board: Board, act: TrickCorrected) -> Board:
    """Correct which card of a player lies in a trick, or add a missing one, as the arbitro says."""
    if board.play is None:
        return board
    owes = (act.seat,) if is_supplied(board.play, act.number, act.seat) else ()
    play = corrected(board.play, act.number, act.seat, act.card)
    return replace(board, play=play, supplied=(*board.supplied, *owes))


def penalty_cards_set(board: Board, act: PenaltyCardsSet) -> Board:
    """Set which cards of a player are penalty cards, as the arbitro says."""
    play = board.play
    if play is None:
        return board
    for one in play.penalty_cards:
        if one.seat is act.seat and one.card not in act.cards:
            play = play.released(one.seat, one.card)
    held = {one.card for one in play.penalty_cards if one.seat is act.seat}
    new = [card for card in act.cards if card not in held]
    return replace(board, play=play.showed(act.seat, new, act.t) if new else play)
