"""Changes of gestures to rows, cards by themselves or at a seat's side, and a pile that is pulled apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.seats import Seat
from hw.twin.gestures import (
    Cross,
    ExposeGesture,
    LayGesture,
    PlayGesture,
    PullPile,
    PushPile,
    PushRow,
    PutAside,
    ShiftRow,
    TakeFromRow,
    TakeUp,
    UncoverGesture,
)
from hw.twin.screen_changes import play_before
from hw.twin.stack_changes import pile_of
from hw.twin.world import (
    CardRow,
    Changes,
    ImpossibleGesture,
    LooseCard,
    World,
    free_slot,
    from_hand,
    in_hand,
    known,
    seat_angle,
    top_heap,
    with_heaps,
    with_top,
    without,
)

_LOOSE_PITCH_MM = 68.0
"""From one exposed card to the next."""
_PULLED_BY = (32.0, -73.0)
"""From the lower left corner of a pile's place to the first card when it is pulled aside, in mm."""
_PULLED_PITCH = 18.0
_PULLED_ROOM = 380.0
_TRICK_MM = 52.0
"""From the middle of a trick to the card that a seat has played."""
_TRICK_AGAIN_MM = 16.0
"""Distance of a second card of the same seat beside its first."""
_TOWARDS = {Seat.NORTH: (0.0, 1.0), Seat.EAST: (1.0, 0.0), Seat.SOUTH: (0.0, -1.0), Seat.WEST: (-1.0, 0.0)}
"""The direction from the middle of the table to each seat."""


def added(world: World, step: LayGesture) -> tuple[str, ...]:
    """Return the cards of ``step`` that do not lie in its row yet, in the order of the row."""
    row = world.rows.get(step.row)
    lying = set(row.cards) if row else set()
    return tuple(card for card in step.result if card not in lying)


def _lay(world: World, step: LayGesture) -> World:
    row = world.rows.get(step.row)
    if len(set(step.result)) != len(step.result):
        raise ImpossibleGesture(f"row {step.row} cannot hold a card twice: {' '.join(step.result)}")
    missing = set(row.cards if row else ()) - set(step.result)
    if missing:
        raise ImpossibleGesture(f"row {step.row} would lose {' '.join(sorted(missing))}: use TakeFromRow")
    if not step.result:
        raise ImpossibleGesture("a row needs cards")
    new = added(world, step)
    after = from_hand(world, step.seat, (*new, *([step.under] if step.under else [])))
    beside = world.rows.get(step.beside) if step.beside is not None else None
    if row is not None:
        laid = replace(row, cards=step.result)
    elif beside is not None:
        laid = CardRow(beside.zone, beside.slot, step.result, step.beside)
    else:
        zone = known(step.zone, world.table.rows(step.seat), f"place for rows of {step.seat}")
        laid = CardRow(zone, free_slot(world, zone), step.result, along=step.along)
    if step.under is not None:
        if not new:
            raise ImpossibleGesture(f"{step.under} must slip under a card that is laid")
        at = laid.cards.index(new[0])
        # Cards nearer the keeper lie on top, so that what is hidden beneath a card comes right after it.
        laid = replace(laid, cards=(*laid.cards[: at + 1], step.under, *laid.cards[at + 1 :]))
        after = replace(after, stuck=after.stuck | {step.under})
    return replace(after, rows={**after.rows, step.row: laid})


def _push(world: World, step: PushRow) -> World:
    row, onto = world.rows.get(step.row), world.rows.get(step.onto)
    if row is None or onto is None:
        raise ImpossibleGesture(f"there is no row {step.row if row is None else step.onto}")
    if sorted(step.result) != sorted((*row.cards, *onto.cards)):
        raise ImpossibleGesture(f"rows {step.row} and {step.onto} together do not read {' '.join(step.result)}")
    rows = {number: other for number, other in world.rows.items() if number != step.row}
    return replace(world, rows={**rows, step.onto: replace(onto, cards=step.result)})


def _take_from_row(world: World, step: TakeFromRow) -> World:
    row = world.rows.get(step.row)
    if row is None:
        raise ImpossibleGesture(f"there is no row {step.row}")
    left = without(row.cards, step.cards, f"row {step.row}")
    rows = {number: other for number, other in world.rows.items() if number != step.row}
    if left:
        rows[step.row] = replace(row, cards=left)
    return in_hand(replace(world, rows=rows), step.seat, step.cards)


def _shift_row(world: World, step: ShiftRow) -> World:
    row = world.rows.get(step.row)
    if row is None:
        raise ImpossibleGesture(f"there is no row {step.row}")
    return replace(world, rows={**world.rows, step.row: replace(row, slot=free_slot(world, row.zone))})


def _cross(world: World, step: Cross) -> World:
    row = world.rows.get(step.row)
    if row is None or not set(step.cards) <= set(row.cards):
        raise ImpossibleGesture(f"row {step.row} does not hold {' '.join(step.cards)}")
    return replace(world, rows={**world.rows, step.row: replace(row, crossed=frozenset(step.cards))})


def _uncover(world: World, step: UncoverGesture) -> World:
    if step.card not in world.stuck:
        raise ImpossibleGesture(f"{step.card} does not lie hidden")
    return replace(world, stuck=world.stuck - {step.card})


def _expose(world: World, step: ExposeGesture) -> World:
    after = from_hand(world, step.seat, step.cards)
    first = -_LOOSE_PITCH_MM * (len(step.cards) - 1) / 2
    upright = step.seat in (Seat.NORTH, Seat.SOUTH)
    fallen = tuple(
        LooseCard(
            card,
            step.x + (first + n * _LOOSE_PITCH_MM if upright else 0.0),
            step.y + (0.0 if upright else first + n * _LOOSE_PITCH_MM),
            seat_angle(step.seat),
            face_up=step.face_up,
            seat=step.seat,
        )
        for n, card in enumerate(step.cards)
    )
    return replace(after, loose=world.loose + fallen)


def _take_up(world: World, step: TakeUp) -> World:
    cards = step.cards
    if len(set(cards)) != len(cards):
        raise ImpossibleGesture(f"a card is taken up once: {' '.join(cards)}")
    loose = tuple(card for card in world.loose if card.card not in cards)
    lying = {card.card for card in world.loose}
    after = replace(world, loose=loose)
    for card in cards:
        if card not in lying:
            after = _from_side_or_mouth(after, card)
    return in_hand(after, step.seat, cards)


def _from_side_or_mouth(world: World, card: str) -> World:
    """Return the world without ``card``, which lies at a seat's side or at the mouth of a stack."""
    owner = next((seat for seat, cards in world.sides.items() if card in cards), None)
    if owner is not None:
        left = without(world.sides[owner], (card,), f"the side of {owner}")
        return replace(world, sides={**world.sides, owner: left})
    mouths = (zone for zone in world.heaps if zone in world.table.equipment.crossed)
    mouth = next((zone for zone in mouths if card in world.heap(zone)), None)
    if mouth is None:
        raise ImpossibleGesture(f"{card} does not lie in the open table")
    return with_top(world, mouth, without(top_heap(world, mouth), (card,), "the open table"))


def _put_aside(world: World, step: PutAside) -> World:
    taken = world if step.row is None else _take_from_row(world, TakeFromRow(step.seat, step.row, step.cards))
    sides = {**world.sides, step.seat: world.sides[step.seat] + step.cards}
    return replace(from_hand(taken, step.seat, step.cards), sides=sides)


def _play(world: World, step: PlayGesture) -> World:
    if not step.zone and world.table.trick is None and world.table.played(step.seat):
        return play_before(world, step.seat, step.card)
    zone = known(step.zone, world.table.trick, "place for a trick")
    x, y = world.table.rect(zone).centre
    out_x, out_y = _TOWARDS[step.seat]
    lying = sum(card.seat is step.seat and world.table.layout.zone_at(card.x, card.y) == zone for card in world.loose)
    # A further card of the same seat lies to the right of the one before.
    beside = lying * _TRICK_AGAIN_MM
    at = (x + out_x * _TRICK_MM - out_y * beside, y + out_y * _TRICK_MM + out_x * beside)
    played = LooseCard(step.card, *at, seat_angle(step.seat), face_up=True, seat=step.seat)
    return replace(from_hand(world, step.seat, (step.card,)), loose=(*world.loose, played))


def _pulled_from(world: World, zone: str) -> tuple[float, float]:
    """Return the place of the first card of the pile ``zone`` when it is pulled aside."""
    rect = world.table.rect(zone)
    return rect.x0 + _PULLED_BY[0], rect.y0 + _PULLED_BY[1]


def _pull_pile(world: World, step: PullPile) -> World:
    zone = pile_of(world, step.zone)
    pile, (x, y) = top_heap(world, zone), _pulled_from(world, zone)
    pitch = min(_PULLED_PITCH, _PULLED_ROOM / max(1, len(pile) - 1))
    aside = tuple(LooseCard(card, x + n * pitch, y, 0.0, True, step.seat) for n, card in enumerate(pile))
    return replace(with_heaps(world, zone, ()), loose=world.loose + aside)


def _push_pile(world: World, step: PushPile) -> World:
    zone = pile_of(world, step.zone)
    y = _pulled_from(world, zone)[1]
    aside = tuple(loose.card for loose in world.loose if loose.y == y and loose.seat is step.seat)
    loose = tuple(loose for loose in world.loose if loose.card not in aside)
    return with_top(replace(world, loose=loose), zone, aside + top_heap(world, zone))


CHANGES: Final[Changes] = {
    ShiftRow: _shift_row,
    Cross: _cross,
    PullPile: _pull_pile,
    PushPile: _push_pile,
    LayGesture: _lay,
    PushRow: _push,
    UncoverGesture: _uncover,
    TakeFromRow: _take_from_row,
    ExposeGesture: _expose,
    TakeUp: _take_up,
    PutAside: _put_aside,
    PlayGesture: _play,
}
