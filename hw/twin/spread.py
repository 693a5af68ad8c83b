"""Gestures at rows, cards that lie by themselves or at a seat's side and hands laid out → beats."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.seats import Seat
from hw.twin.card_places import row_centre
from hw.twin.gesture_timeline import GestureTimeline, Writers, carry, carry_home, lay_on, touch
from hw.twin.gestures import (
    Cross,
    ExposeGesture,
    LayGesture,
    LayOut,
    PushRow,
    PutAside,
    ShiftRow,
    TakeFromRow,
    TakeUp,
    UncoverGesture,
)
from hw.twin.spread_changes import added
from hw.twin.stack_changes import pile_of
from hw.twin.world import CardRow, free_slot, known
from hw.zones import TABLE, hand, side


def _lay(score: GestureTimeline, gesture: LayGesture) -> None:
    zone = _row_of(score, gesture).zone
    new = added(score.world, gesture)
    if gesture.through is not None:
        _lay_through(score, gesture, gesture.through, zone, new)
        return
    if gesture.bunches > 1 and len(new) > 1:
        _lay_in_bunches(score, gesture, zone, new)
        return
    cards = new + ((gesture.under,) if gesture.under else ())
    lay_on(score, gesture.seat, zone, cards, gesture, (0.55, 0.8 + 0.12 * min(len(cards), 4)), _row_at(score, gesture))


def _lay_through(score: GestureTimeline, gesture: LayGesture, other: Seat, zone: str, new: tuple[str, ...]) -> None:
    """One hands the cards over the table, the other takes them and lays them down."""
    score.cards = new
    score.arm_in(gesture.seat, TABLE)
    score.edge(gesture.seat, new)
    score.wait(0.5, 0.9)
    score.arm_out(gesture.seat, TABLE)
    touch(score, other, zone, replace(gesture, through=None), at=_row_at(score, gesture))


def _lay_in_bunches(score: GestureTimeline, gesture: LayGesture, zone: str, new: tuple[str, ...]) -> None:
    """Both hands, or one that goes to and fro within the arm's reach: every bunch crosses the gate by itself."""
    seat, count = gesture.seat, min(gesture.bunches, len(new))
    score.cards = new
    score.arm_in(seat, zone, _row_at(score, gesture))
    for n in range(count):
        bunch = new[len(new) * n // count : len(new) * (n + 1) // count]
        score.edge(seat, bunch)
        score.wait(0.4, 0.7)
        left = set(new[len(new) * (n + 1) // count :])
        reads = tuple(card for card in gesture.result if card not in left)
        score.change(replace(gesture, result=reads, bunches=1))
    score.wait(0.4, 0.75)
    score.arm_out(seat, zone)


def _row_of(score: GestureTimeline, gesture: LayGesture) -> CardRow:
    """Return the row that ``gesture`` lays into, or the one that it begins, still without cards."""
    row = score.world.rows.get(gesture.row)
    if row is not None:
        return row
    table = score.world.table
    zone = known(gesture.zone, table.rows(gesture.seat), f"place for rows of {gesture.seat}")
    return CardRow(zone, free_slot(score.world, zone), (), along=gesture.along)


def _row_at(score: GestureTimeline, gesture: LayGesture) -> tuple[float, float]:
    """Return the middle of the column that ``gesture`` lays into."""
    row = _row_of(score, gesture)
    return row_centre(row, score.world.table.rect(row.zone))


def _row_zone(score: GestureTimeline, seat: Seat, number: int) -> str:
    """Return the zone of row ``number``; if there is none, the place for rows of ``seat``."""
    row = score.world.rows.get(number)
    return row.zone if row else known("", score.world.table.rows(seat), f"place for rows of {seat}")


def _take_from_row(score: GestureTimeline, gesture: TakeFromRow) -> None:
    carry_home(score, gesture.seat, _row_zone(score, gesture.seat, gesture.row), gesture.cards, gesture)


def _shift_row(score: GestureTimeline, gesture: ShiftRow | Cross) -> None:
    touch(score, gesture.seat, _row_zone(score, gesture.seat, gesture.row), gesture)


def _uncover(score: GestureTimeline, gesture: UncoverGesture) -> None:
    row = next((row for row in score.world.rows.values() if gesture.card in row.cards), None)
    score.cards = (gesture.card,)
    touch(score, gesture.seat, pile_of(score.world, "") if row is None else row.zone, gesture)


def _expose(score: GestureTimeline, gesture: ExposeGesture) -> None:
    zone = score.world.table.layout.zone_at(gesture.x, gesture.y)
    score.cards = gesture.cards
    score.arm_in(gesture.seat, zone, (gesture.x, gesture.y))
    score.edge(gesture.seat, gesture.cards)
    score.wait(0.2, 0.4)
    score.change(gesture)
    score.wait(0.3, 0.6)
    score.arm_out(gesture.seat, zone)


def _zone_of(score: GestureTimeline, cards: tuple[str, ...]) -> str:
    """Return the zone of the first of ``cards`` outside rows and pile."""
    first = cards[0] if cards else ""
    for loose in score.world.loose:
        if loose.card == first:
            return score.world.table.layout.zone_at(loose.x, loose.y)
    owner = next((seat for seat, aside in score.world.sides.items() if first in aside), None)
    if owner is not None:
        return side(owner)
    gates = (zone for zone in score.world.heaps if zone in score.world.table.equipment.crossed)
    return next((zone for zone in gates if first in score.world.heap(zone)), TABLE)


def _put_aside(score: GestureTimeline, gesture: PutAside) -> None:
    if gesture.row is None:
        lay_on(score, gesture.seat, side(gesture.seat), gesture.cards, gesture, (0.4, 0.7))
        return
    carry(score, gesture.seat, _row_zone(score, gesture.seat, gesture.row), side(gesture.seat), gesture.cards, gesture)


def _lay_out(score: GestureTimeline, gesture: LayOut) -> None:
    zone = hand(gesture.seat)
    score.arm_in(gesture.seat, zone, beam=False)
    score.cards = score.world.hands[gesture.seat]
    score.wait(0.8, 1.4)
    score.change(gesture)
    score.wait(0.6, 1.2)
    score.arm_out(gesture.seat, zone, beam=False)


WRITERS: Final[Writers] = {
    LayGesture: _lay,
    PushRow: lambda score, step: touch(score, step.seat, _row_zone(score, step.seat, step.onto), step),
    UncoverGesture: _uncover,
    TakeFromRow: _take_from_row,
    ShiftRow: _shift_row,
    Cross: _shift_row,
    ExposeGesture: _expose,
    TakeUp: lambda score, step: carry_home(score, step.seat, _zone_of(score, step.cards), step.cards, step),
    PutAside: _put_aside,
    LayOut: _lay_out,
}
"""Writer of each gesture."""
