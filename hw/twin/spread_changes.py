"""What gestures make of melds, exposed and penalised cards and a pile that is pulled apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.seats import SEATS, Seat
from hw.twin.gestures import (
    Cross,
    Expose,
    Lay,
    Penalise,
    PullPile,
    PushPile,
    PushRow,
    ShiftRow,
    TakeFromRow,
    TakeUp,
    Uncover,
)
from hw.twin.world import (
    Changes,
    ImpossibleGesture,
    LooseCard,
    Row,
    World,
    free_slot,
    from_hand,
    in_hand,
    seat_angle,
    without,
)

_LOOSE_PITCH_MM = 68.0
"""From one exposed card to the next."""
_PULLED_AT = (-325.0, -185.0, 18.0)
"""Where the first card of a pile that was pulled aside comes to lie, and from card to card, in mm."""
_PULLED_ROOM = 380.0


def added(world: World, step: Lay) -> tuple[str, ...]:
    """The cards of ``step`` that do not lie in its row yet, in the order of the row."""
    row = world.rows.get(step.row)
    lying = set(row.cards) if row else set()
    return tuple(card for card in step.result if card not in lying)


def _lay(world: World, step: Lay) -> World:
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
        laid = Row(beside.line, beside.slot, step.result, step.beside)
    else:
        laid = Row(step.seat.line, free_slot(world, step.seat.line), step.result)
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
    return replace(world, rows={**world.rows, step.row: replace(row, slot=free_slot(world, row.line))})


def _cross(world: World, step: Cross) -> World:
    row = world.rows.get(step.row)
    if row is None or not set(step.cards) <= set(row.cards):
        raise ImpossibleGesture(f"row {step.row} does not hold {' '.join(step.cards)}")
    return replace(world, rows={**world.rows, step.row: replace(row, crossed=frozenset(step.cards))})


def _uncover(world: World, step: Uncover) -> World:
    if step.card not in world.stuck:
        raise ImpossibleGesture(f"{step.card} does not lie hidden")
    return replace(world, stuck=world.stuck - {step.card})


def _expose(world: World, step: Expose) -> World:
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
    sides = dict(world.sides)
    mouth = world.mouth
    for card in cards:
        if card in lying:
            continue
        owner = next((s for s in SEATS if card in sides[s]), None)
        if owner is not None:
            sides[owner] = without(sides[owner], (card,), f"the side of {owner}")
        else:
            mouth = without(mouth, (card,), "the open table")
    return in_hand(replace(world, loose=loose, sides=sides, mouth=mouth), step.seat, cards)


def _penalise(world: World, step: Penalise) -> World:
    held = world if step.row is None else _take_from_row(world, TakeFromRow(step.seat, step.row, step.cards))
    sides = {**world.sides, step.seat: world.sides[step.seat] + step.cards}
    return replace(from_hand(held, step.seat, step.cards), sides=sides)


def _pull_pile(world: World, step: PullPile) -> World:
    x, y, pitch = _PULLED_AT
    pitch = min(pitch, _PULLED_ROOM / max(1, len(world.pile) - 1))
    aside = tuple(LooseCard(card, x + n * pitch, y, 0.0, True, step.seat) for n, card in enumerate(world.pile))
    return replace(world, pile=(), loose=world.loose + aside)


def _push_pile(world: World, step: PushPile) -> World:
    aside = tuple(loose.card for loose in world.loose if loose.y == _PULLED_AT[1] and loose.seat is step.seat)
    loose = tuple(loose for loose in world.loose if loose.card not in aside)
    return replace(world, pile=aside + world.pile, loose=loose)


CHANGES: Final[Changes] = {
    ShiftRow: _shift_row,
    Cross: _cross,
    PullPile: _pull_pile,
    PushPile: _push_pile,
    Lay: _lay,
    PushRow: _push,
    Uncover: _uncover,
    TakeFromRow: _take_from_row,
    Expose: _expose,
    TakeUp: _take_up,
    Penalise: _penalise,
}
