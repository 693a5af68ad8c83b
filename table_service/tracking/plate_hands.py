"""Hands at a plate: who made a step of its scale, whether anybody was there, whether a card was carried in.

Pure functions of what the context knows of reaches and gates.
"""

from __future__ import annotations

from typing import Final

from hw.seats import Seat
from table_service.tracking.context import TrackingContext
from table_service.tracking.hand_intervals import ANYWHERE, LONGEST, TOLD_LATE, Interval
from table_service.tracking.scale_steps import ScaleStep

SEAT_WAIT: Final = 1.6
"""Seconds for which a movement without a maker from a beam waits for a gate."""
_WRITES: Final = 12.0
"""Longest time, in seconds, for which a player may hold up the score sheet, which lies upon the pots."""
_LAYS: Final = 2.5
"""Seconds for which a hand that lays or takes a card is at the pile: one that was there before may only rest."""
_COMES: Final = 1.0
"""Seconds after the first frame that shows the pile covered in which another hand may have come and done it instead."""
_RESTING: Final = 4.5
"""Seconds after which a hand that came to a plate is taken to rest there."""


def who(context: TrackingContext, step: ScaleStep, start: float, end: float) -> tuple[Seat | None, float, list[str]]:
    """Return the seat whose hand made ``step``, the confidence, by which sensors; gates count in the span."""
    if step.maker is not None:
        return *step.maker, []
    there = context.hands_at(step.zone, step.first_t - 0.35, step.t)
    hands = [i for i in _makers(there, step) if not _is_elsewhere(context, i, step)]
    seats = {i.seat for i in hands}
    by_gate = context.seat_by_gates(start, end)
    unseen = by_gate is not None and by_gate not in seats and _has_come(context, by_gate, there, start, end)
    if len(seats) == 1 and (None in seats or not unseen):
        seat = hands[0].seat
        return seat, (0.995 if seat else 0.9), ["reach"]
    if by_gate is not None and (len(seats) < 2 or by_gate in seats):
        return by_gate, 0.93, ["tags"]  # the one hand that was seen brought nothing, and no beam reported this one
    return None, 0.5, []


def _is_elsewhere(context: TrackingContext, hand: Interval, step: ScaleStep) -> bool:
    """Return True if ``hand``, whose place the camera did not tell, had lain over the table before the plate changed.

    Another has come to the plate then, whose hand was not told, and the order of play says whose it was.
    """
    told = context.sees_hands and step.zone in context.equipment.beamed and step.basis == "sight"
    return told and hand.zone == ANYWHERE and step.first_t - hand.start > _LAYS


def _has_come(context: TrackingContext, seat: Seat, there: list[Interval], start: float, end: float) -> bool:
    """Return True if ``seat``, whose gate read a card, was at the plate: his hand seemed to rest, or no beam saw it.

    A hand of his that beams saw elsewhere brought the card there.
    """
    return any(i.seat is seat for i in there) or not context.reaches.of(seat, start - 0.5, end + 0.5)


def _makers(there: list[Interval], step: ScaleStep) -> list[Interval]:
    """Return the hands, of those that were ``there``, of which one made ``step``.

    If all were there for long and only frames report it, it may as well have been one that came while they covered it.
    """
    hands = [i for i in there if _may_have_moved(i, step)]
    if step.basis == "sight" and hands and all(step.first_t - i.start > _LAYS for i in hands):
        hands += [i for i in there if step.first_t < i.start <= step.first_t + _COMES]
    return hands


def _may_have_moved(hand: Interval, step: ScaleStep) -> bool:
    """Return True if ``hand``, not a stranger's that may be anywhere, came in time for ``step`` and does not rest."""
    known = hand.seat is not None or hand.zone != ANYWHERE
    late = TOLD_LATE if step.basis == "sight" else 0.05
    return known and hand.start <= step.first_t + late and step.first_t - hand.start < _RESTING


def is_handled(context: TrackingContext, step: ScaleStep) -> bool:
    """Return True if a hand was at the plate while ``step`` came about."""
    return bool(context.hands_at(step.zone, step.first_t - 0.35, step.t))


def is_touched(context: TrackingContext, zone: str) -> bool:
    """Return True if a hand is, or was half a second ago, in ``zone``."""
    now = context.now
    return any(i.covers(now, 0.5) for i in context.hands_at(zone, now - 0.5, now))


def left_at(context: TrackingContext, step: ScaleStep) -> float | None:
    """Return when the last hand has left, or is taken to have left, that was there since ``step`` began."""
    hands = context.hands_at(step.zone, step.first_t - 0.35, context.now)
    longest = _WRITES if step.zone == context.roles.heaps else LONGEST
    return max((i.start + longest if i.end is None else i.end for i in hands), default=None)


def carried_in(context: TrackingContext, step: ScaleStep, start: float) -> bool:
    """Return True if a gate read a card that a hand at the plate carried there."""
    hands = context.hands_at(step.zone, step.first_t - 0.35, step.t)
    seats = {i.seat for i in hands if i.seat is not None} or set(context.seats)
    start = min([start, *(i.start for i in hands if step.first_t - i.start < LONGEST / 2)]) - 0.3
    return any(context.at_gate(seat, start, step.first_t + 0.1, None) for seat in seats)
