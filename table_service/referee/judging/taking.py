"""Arts. 7 to 9: drawing from the stock, taking the discard pile."""

from __future__ import annotations

from table_service.games.burraco import actions as act
from table_service.games.burraco.deal import Fault
from table_service.referee.catalogue import Catalogue
from table_service.referee.judging.facts import Facts, joined, new
from table_service.referee.values import Irregularity


def judge(catalogue: Catalogue, facts: Facts) -> list[Irregularity]:
    """What is wrong with how many cards were taken."""
    action = facts.action
    return _taking_too_much(catalogue, facts, action) if isinstance(action, act.Draw) else []


def _taking_too_much(catalogue: Catalogue, facts: Facts, action: act.Draw) -> list[Irregularity]:
    """Art. 8: two cards at one draw, or a second draw in the same turn."""
    seat = action.seat
    if seat is None or Fault.OUT_OF_TURN in facts.faults:
        return []
    before = facts.before
    second = Fault.ALREADY_DRAWN in facts.faults and before.collected is None and before.seen
    if not second and Fault.SEVERAL not in facts.faults:
        return []
    over = action.cards if second else action.cards[1:]
    again = facts.open_of(seat, ("F-08a",))
    if again is not None:
        return [joined(again, facts)]
    unclear = second and before.last_play is not None
    return [new(catalogue, facts, "F-08a", seat, cards=over, found="during_turn", needs_referee=unclear)]
