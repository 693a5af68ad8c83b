"""Where the cards of a world lie on the table, in millimetres, as players who keep order would lay them.

Columns run from the keeper's edge to the centre. The card nearest the keeper lies on top, and of every card beneath it
that end shows which carries the index upright for the keeper. The pile is fanned to the right, the newest on top, so
that the upper left corner of each shows.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hw.layout import CARD_HEIGHT, CARD_WIDTH, Layout, Rect
from hw.seats import SEATS, Line, Seat
from hw.twin.scene import PlacedCard
from hw.twin.world import Row, World, seat_angle
from hw.zones import DISCARD, GATE_STOCK, POTS, STOCK, hand, melds, side

COLUMN_PITCH_MM: Final = 65.0
CARD_PITCHES_MM: Final = (18.0, 16.0, 14.0)
"""From card to card of a column: the first that fits; a longer column is pushed together to what fits."""
PILE_PITCHES_MM: Final = (18.0, 14.0, 11.0, 9.0)
HAND_PITCH_MM: Final = 40.0
GAP_MM: Final = 12.0
"""Between a meld and a card that was laid towards it without touching it."""
SIDE_PITCH_MM: Final = 16.0
_EDGE_MM: Final = 3.5
"""From the outer edge of an area to the first card in it."""
_JITTER_MM: Final = 1.5
_JITTER_DEG: Final = 2.0
_STACK_SHOWN: Final = 3
_STACK_STEP_MM: Final = 0.4
_HALF_W: Final = CARD_WIDTH / 2
_HALF_H: Final = CARD_HEIGHT / 2


@dataclass(frozen=True, slots=True)
class Place:
    """A card where it lies. ``angle`` in degrees anticlockwise from 0 to 360, 0 upright seen from South."""

    card: str
    zone: str
    x: float
    y: float
    angle: float
    face_up: bool
    row: int | None = None
    order: int | None = None
    covered: bool = False
    """It lies exactly beneath another one: nothing of it can be seen."""

    def in_scene(self) -> PlacedCard:
        """The card as the camera renderer takes it."""
        return PlacedCard(self.card, self.x, self.y, self.angle, self.face_up)


@lru_cache(maxsize=4096)
def _jitter(card: str, zone: str, row: int | None, tidied: int) -> tuple[float, float, float]:
    """How untidily ``card`` lies there: the same each time it is asked, until it is pushed straight once more."""
    bits = zlib.crc32(f"{card}|{zone}|{row}{f'|{tidied}' * bool(tidied)}".encode())
    unit = [((bits >> shift) & 0x3FF) / 511.5 - 1 for shift in (0, 10, 20)]
    return unit[0] * _JITTER_MM, unit[1] * _JITTER_MM, unit[2] * _JITTER_DEG


def _place(
    card: str,
    zone: str,
    x: float,
    y: float,
    angle: float,
    row: int | None = None,
    order: int | None = None,
    *,
    face_up: bool = True,
    tidied: int = 0,
) -> Place:
    dx, dy, turn = _jitter(card, zone, row, tidied)
    return Place(card, zone, x + dx, y + dy, (angle + turn) % 360, face_up, row, order)


def pitch(pitches: tuple[float, ...], count: int, room: float) -> float:
    """The distance from card to card of ``count`` cards: the first of ``pitches`` that fits, else what does."""
    if count < 2:
        return pitches[0]
    return next((step for step in pitches if step * (count - 1) <= room), room / (count - 1))


def places(world: World, layout: Layout) -> tuple[Place, ...]:
    """Every card that lies on the table, from below to above; hands that are held and the box are not on it.

    Of a face-down stack only the uppermost few cards are given.
    """
    found = [*_stack(world.stock, STOCK, layout)]
    for pot in reversed(world.pots):
        found.extend(_stack(pot, POTS, layout))
    found.extend(_mouth(world, layout))
    found.extend(_pile(world, layout))
    for line in Line:
        found.extend(_rows(world, line, layout.zones[melds(line)]))
    for seat in SEATS:
        found.extend(_side(world, seat, layout))
    for seat in world.laid_out:
        found.extend(_spread(world, seat, layout))
    for card in world.loose:
        zone = layout.zone_at(card.x, card.y)
        found.append(_place(card.card, zone, card.x, card.y, card.angle, face_up=card.face_up))
    return tuple(found)


def _stack(cards: tuple[str, ...], zone: str, layout: Layout) -> list[Place]:
    x, y = layout.zones[zone].centre
    shown = cards[-_STACK_SHOWN:]
    return [
        Place(card, zone, x + n * _STACK_STEP_MM, y + n * _STACK_STEP_MM, 0.0, face_up=False)
        for n, card in enumerate(shown)
    ]


def _mouth(world: World, layout: Layout) -> list[Place]:
    x, y = layout.zones[GATE_STOCK].centre
    return [_place(card, GATE_STOCK, x + 4.0 * n, y, 0.0, face_up=False) for n, card in enumerate(world.mouth)]


def _pile(world: World, layout: Layout) -> list[Place]:
    rect = layout.zones[DISCARD]
    room = rect.x1 - rect.x0 - CARD_WIDTH - 2 * _EDGE_MM
    tidied = world.tidied.get(DISCARD, 0)
    # A pile that was pushed together lies closer, yet every card of it shows (tables with screens).
    step = pitch(PILE_PITCHES_MM[tidied % len(PILE_PITCHES_MM) :], len(world.pile), room)
    left = rect.x0 + _HALF_W + _EDGE_MM
    y = rect.centre[1]
    found = []
    seen = 0
    for n, card in enumerate(world.pile):
        if card in world.stuck and n + 1 < len(world.pile):
            above = _place(world.pile[n + 1], DISCARD, left + (n + 1) * step, y, 0.0, 0, tidied=tidied)
            found.append(Place(card, DISCARD, above.x, above.y, above.angle, True, 0, None, covered=True))
            continue
        found.append(_place(card, DISCARD, left + n * step, y, 0.0, 0, seen, tidied=tidied))
        seen += 1
    return found


def column_centre(line: Line, slot: int, rect: Rect) -> float:
    """The middle of column ``slot`` across ``line``'s area: x for NS, y for EW.

    Once every column is taken, further ones lie half over their neighbours, whose indices they leave free.
    """
    low, high = (rect.x0, rect.x1) if line is Line.NS else (rect.y0, rect.y1)
    whole = int((high - low - CARD_WIDTH) // COLUMN_PITCH_MM) + 1
    first = low + (high - low - (whole - 1) * COLUMN_PITCH_MM) / 2
    if slot < whole:
        return first + slot * COLUMN_PITCH_MM
    between = (slot - whole) % max(1, whole - 1)
    return first + (between + 0.5) * COLUMN_PITCH_MM


def _rows(world: World, line: Line, rect: Rect) -> list[Place]:
    """The columns of ``line``, those first whose index a neighbour could cover."""
    columns = [
        (column_centre(line, row.slot, rect), number, row) for number, row in world.rows.items() if row.line is line
    ]
    # The index that shows lies at the east (NS) or south (EW) side of a card: what lies further west or north may
    # cover its other side.
    columns.sort(key=lambda column: (-column[0] if line is Line.NS else column[0], column[1]))
    found = []
    depth = (rect.y1 - rect.y0) if line is Line.NS else (rect.x1 - rect.x0)
    outer = (rect.y1 if line is Line.NS else rect.x1) - _HALF_H
    angle = 180.0 if line is Line.NS else 90.0
    for across, number, row in columns:
        start, step = _column(world, row, depth - CARD_HEIGHT)
        shown = [card for card in row.cards if card not in world.stuck]
        for order in range(len(row.cards) - 1, -1, -1):
            card = row.cards[order]
            along = outer - start - order * step
            x, y = (across, along) if line is Line.NS else (along, across)
            if card in world.stuck:
                found.append(Place(card, melds(line), x, y, angle, True, number, None, covered=True))
            else:
                tidied = world.tidied.get(melds(line), 0)
                turned = angle + 90.0 * (card in row.crossed)
                found.append(_place(card, melds(line), x, y, turned, number, shown.index(card), tidied=tidied))
    return found


def _column(world: World, row: Row, room: float) -> tuple[float, float]:
    """Where the first card of ``row`` lies from the outermost place, and the distance from card to card, in mm."""
    other = world.rows.get(row.beside) if row.beside is not None else None
    if other is None:
        return 0.0, pitch(CARD_PITCHES_MM, len(row.cards), room)
    step = pitch(CARD_PITCHES_MM, len(other.cards), room)
    start = (len(other.cards) - 1) * step + CARD_HEIGHT + GAP_MM
    return min(start, room), pitch(CARD_PITCHES_MM, len(row.cards), max(0.0, room - start))


def _side(world: World, seat: Seat, layout: Layout) -> list[Place]:
    rect = layout.zones[side(seat)]
    cards = world.sides[seat]
    step = pitch((SIDE_PITCH_MM,), len(cards), rect.y1 - rect.y0 - CARD_HEIGHT)
    top = rect.y1 - _HALF_H
    return [_place(card, side(seat), rect.centre[0], top - n * step, 0.0) for n, card in enumerate(cards)]


def _spread(world: World, seat: Seat, layout: Layout) -> list[Place]:
    """A hand laid out for the count, from its owner's left to right, each card on the one before."""
    rect = layout.zones[hand(seat)]
    cards = world.hands[seat]
    upright = seat in (Seat.NORTH, Seat.SOUTH)
    length = (rect.x1 - rect.x0) if upright else (rect.y1 - rect.y0)
    step = pitch((HAND_PITCH_MM,), len(cards), length - CARD_WIDTH - 2 * _EDGE_MM)
    to_right = 1.0 if seat in (Seat.SOUTH, Seat.EAST) else -1.0
    start = -(length / 2 - _HALF_W - _EDGE_MM) * to_right
    found = []
    for n, card in enumerate(cards):
        along = start + n * step * to_right
        cx, cy = rect.centre
        x, y = (cx + along, cy) if upright else (cx, cy + along)
        found.append(_place(card, hand(seat), x, y, seat_angle(seat)))
    return found
