"""One movement → what it means in the deal as it stands."""

from __future__ import annotations

from hw.zones import POTS, is_melds, zone_line
from table_service.games.burraco.reading.cards_to_hand import left_behind, to_hand
from table_service.games.burraco.reading.cards_to_melds import to_melds
from table_service.games.burraco.reading.pot_taking import from_pots
from table_service.games.burraco.reading.putting import elsewhere, hand_to_hand
from table_service.games.burraco.reading.situation import HAND, Situation, card_of, kind_of
from table_service.games.burraco.remedy_movements import is_remedy
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal, Phase
from table_service.tracking.movements import Movement, RowChanged


def read_movement(now: Situation, move: Movement) -> tuple[act.Action, ...]:
    """Return the actions that ``move`` amounts to, in order; none if it means nothing to the game."""
    source, target = kind_of(move.source), kind_of(move.target)
    if now.deal.phase is Phase.OVER:
        return _after_the_end(now, move, source, target)
    return _in_play(now, move, source, target)


def _after_the_end(now: Situation, move: Movement, source: str, target: str) -> tuple[act.Action, ...]:
    """Read a movement after the end of the deal: a pot that was due, or the remedy of a ruling before the count."""
    if (source, target) == (POTS, HAND):
        return from_pots(now, move)
    if was_laid_in_play(move, now.deal):
        return to_melds(now, move, source)
    actions = _in_play(now, move, source, target) if now.settles else ()
    return tuple(action for action in actions if is_remedy(now.deal, now.owed, now.named, action))


def _in_play(now: Situation, move: Movement, source: str, target: str) -> tuple[act.Action, ...]:
    if (source, target) == (HAND, HAND):
        return hand_to_hand(move)
    ending = left_behind(now, move, source, target)
    if target == "melds":
        return (*ending, *to_melds(now, move, source))
    if target == HAND:
        return (*ending, *to_hand(now, move, source))
    return (*ending, *elsewhere(now, move, source, target))


def was_laid_in_play(move: Movement, deal: Deal) -> bool:
    """Return True if cards reported only when the deal is over were laid before its last discard, as under an arm."""
    laid = kind_of(move.source) == HAND and is_melds(move.target or "") and move.seat is not None
    return deal.phase is Phase.OVER and laid and move.committed_t < deal.last_out_t


def read_row(change: RowChanged, deal: Deal) -> tuple[act.Action, ...]:
    """Return what a meld that reads otherwise amounts to: a re-ordering, or a better reading of what lay there."""
    line = zone_line(change.zone)
    if line is None or deal.phase is Phase.OVER:
        return ()
    return (
        act.Change(
            id=change.id,
            t=change.t,
            committed_t=change.committed_t,
            seat=change.seat,
            confidence=change.confidence,
            basis=change.basis,
            frames=change.frames,
            row=change.row,
            line=line,
            result=tuple(map(card_of, change.after)),
            why="corrected" if change.corrected else "reordered",
        ),
    )
