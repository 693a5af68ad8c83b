"""Arts. 21, 22 and 24: exposed cards."""

from __future__ import annotations

from dataclasses import replace

from hw.seats import Seat
from table_service.games.burraco import actions as act
from table_service.games.burraco.deal import Phase
from table_service.referee.catalogue import Catalogue
from table_service.referee.judging.facts import Facts, new
from table_service.referee.values import Irregularity


def judge(catalogue: Catalogue, facts: Facts) -> list[Irregularity]:
    """Whether cards of a hand were seen or named that should not have been."""
    action = facts.action
    return _exposing(catalogue, facts, action) if isinstance(action, act.Expose | act.Declare) else []


def _exposing(catalogue: Catalogue, facts: Facts, action: act.Expose | act.Declare) -> list[Irregularity]:
    """Art. 24: cards of a hand that the partner could see, or that were named aloud."""
    seat = action.seat
    if isinstance(action, act.Expose) and facts.before.phase is Phase.DEALT:
        return []  # a card seen before play begins is a misdeal (art. 4)
    if isinstance(action, act.Declare):
        return [] if not action.cards else [new(catalogue, facts, "F-24a", seat, needs_referee=seat is None)]
    if seat is None:
        unsure = new(catalogue, facts, "F-24a", None, severity="note", needs_referee=True)
        return [replace(unsure, seen=_all_saw(action.visible_to))]
    known = action.visible_to is not None
    if not (facts.before.book.exposed_to == "anyone" or action.visible_to is None or seat.partner in action.visible_to):
        return []
    again = facts.open_of(seat, ("F-24a",))
    if again is not None and set(again.cards) & set(action.cards):
        return []
    return [
        new(
            catalogue,
            facts,
            "F-24a",
            seat,
            seen=_all_saw(action.visible_to),
            needs_referee=not known,
            severity="" if known else "note",
        )
    ]


def _all_saw(visible_to: tuple[Seat, ...] | None) -> bool:
    return visible_to is not None and set(visible_to) >= set(Seat)
