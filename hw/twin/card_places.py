"""Places of a world's cards on the table, in millimetres, as orderly players would lay them.

Columns run from the keeper's edge to the centre. The card nearest the keeper lies on top, and of every card beneath it
the end shows that carries the index upright for the keeper. Rows run along the edge, from the keeper's left to the
right, each card on the one before. A pile is fanned to the right, the newest on top, so that the upper left corner of
each shows.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from hw.bidding import compartment
from hw.layout import CARD_HEIGHT, CARD_WIDTH, Rect
from hw.seats import Seat
from hw.twin.scene import BID, PlacedCard
from hw.twin.twin_table import keeper
from hw.twin.world import CardRow, World, seat_angle, top_heap
from hw.zones import TABLE, hand, side

COLUMN_PITCH_MM: Final = 65.0
CARD_PITCHES_MM: Final = (18.0, 16.0, 14.0)
"""From card to card of a column: the first that fits; a longer column is pushed together to what fits."""
ROW_PITCHES_MM: Final = (40.0, 30.0, 22.0, 18.0)
"""From card to card of a row."""
PILE_PITCHES_MM: Final = (18.0, 14.0, 11.0, 9.0)
HAND_PITCH_MM: Final = 40.0
BID_PITCHES_MM: Final = (15.0, 12.0, 10.0, 8.0)
BESIDE_TRAY_MM: Final = {
    Seat.NORTH: (110.0, 195.0),
    Seat.EAST: (195.0, -110.0),
    Seat.SOUTH: (-110.0, -195.0),
    Seat.WEST: (-195.0, 110.0),
}
"""The middle of a bidding card that is shown beside the tray, in table millimetres."""
GAP_MM: Final = 12.0
"""Between a row and a card that was laid towards it without touching it."""
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
class CardPlace:
    """A card and its place. ``angle`` in degrees anticlockwise from 0 to 360, 0 upright seen from South."""

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
    seat: Seat | None = None
    """Owner of the tray's compartment that holds a bidding card."""
    back_counts: bool = False
    """True if a back here is reported: it shows how a trick was quitted."""

    def in_scene(self) -> PlacedCard:
        """Return the card as the camera renderer takes it."""
        card = self.card if self.seat is None else f"{BID}{self.card}"
        return PlacedCard(card, self.x, self.y, self.angle, self.face_up)


@lru_cache(maxsize=4096)
def _jitter(card: str, zone: str, row: int | None, tidied: int) -> tuple[float, float, float]:
    """Untidiness of ``card`` there: the same each time, until it is pushed straight once more."""
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
) -> CardPlace:
    dx, dy, turn = _jitter(card, zone, row, tidied)
    return CardPlace(card, zone, x + dx, y + dy, (angle + turn) % 360, face_up, row, order)


def pitch(pitches: tuple[float, ...], count: int, room: float) -> float:
    """Return the distance from card to card of ``count`` cards: the first of ``pitches`` that fits, else what does."""
    if count < 2:
        return pitches[0]
    return next((step for step in pitches if step * (count - 1) <= room), room / (count - 1))


def places(world: World) -> tuple[CardPlace, ...]:
    """Every card that lies on the table, from below to above; hands that are held and the box are not on it.

    Of a face-down stack only the uppermost few cards are given.
    """
    found: list[CardPlace] = []
    equipment = world.table.equipment
    for zone in equipment.lying("stack", "pocket"):
        for heap in reversed(world.heaps.get(zone, ())):
            found.extend(_stack(heap, zone, world.table.rect(zone)))
    for zone in equipment.crossed:
        found.extend(_mouth(top_heap(world, zone), zone, world.table.rect(zone)))
    for zone in equipment.lying("pile"):
        found.extend(_pile(world, zone))
    with_rows = dict.fromkeys(row.zone for row in world.rows.values())
    for zone in (*equipment.lying("rows"), *(zone for zone in with_rows if zone not in equipment.lying("rows"))):
        found.extend(_rows(world, zone))
    for seat, cards in world.sides.items():
        found.extend(_side(cards, side(seat), world.table.rect(side(seat))))
    for seat in world.laid_out:
        found.extend(_spread(world, seat))
    for seat in world.played:
        found.extend(_played(world, seat))
    found.extend(_bidding(world))
    for card in world.loose:
        zone = world.table.layout.zone_at(card.x, card.y)
        found.append(_place(card.card, zone, card.x, card.y, card.angle, face_up=card.face_up))
    return tuple(found)


def _stack(cards: tuple[str, ...], zone: str, rect: Rect) -> list[CardPlace]:
    x, y = rect.centre
    shown = cards[-_STACK_SHOWN:]
    return [
        CardPlace(card, zone, x + n * _STACK_STEP_MM, y + n * _STACK_STEP_MM, 0.0, face_up=False)
        for n, card in enumerate(shown)
    ]


def _mouth(cards: tuple[str, ...], zone: str, rect: Rect) -> list[CardPlace]:
    x, y = rect.centre
    return [_place(card, zone, x + 4.0 * n, y, 0.0, face_up=False) for n, card in enumerate(cards)]


def _pile(world: World, zone: str) -> list[CardPlace]:
    rect, pile = world.table.rect(zone), top_heap(world, zone)
    room = rect.x1 - rect.x0 - CARD_WIDTH - 2 * _EDGE_MM
    tidied = world.tidied.get(zone, 0)
    # A pile that was pushed together lies closer, yet every card of it shows (tables with screens).
    step = pitch(PILE_PITCHES_MM[tidied % len(PILE_PITCHES_MM) :], len(pile), room)
    left = rect.x0 + _HALF_W + _EDGE_MM
    y = rect.centre[1]
    found = []
    seen = 0
    for n, card in enumerate(pile):
        if card in world.stuck and n + 1 < len(pile):
            above = _place(pile[n + 1], zone, left + (n + 1) * step, y, 0.0, 0, tidied=tidied)
            found.append(CardPlace(card, zone, above.x, above.y, above.angle, True, 0, None, covered=True))
            continue
        found.append(_place(card, zone, left + n * step, y, 0.0, 0, seen, tidied=tidied))
        seen += 1
    return found


@dataclass(frozen=True, slots=True)
class _ZoneFrame:
    """A zone of rows as its keeper sees it: ``across`` runs along the table's edge, ``inward`` towards the middle."""

    rect: Rect
    seat: Seat

    @property
    def upright(self) -> bool:
        """True if across is x."""
        return self.seat in (Seat.NORTH, Seat.SOUTH)

    @property
    def width(self) -> tuple[float, float]:
        """The ends of the zone across, in table millimetres."""
        return (self.rect.x0, self.rect.x1) if self.upright else (self.rect.y0, self.rect.y1)

    @property
    def depth(self) -> float:
        """Depth of the zone inward."""
        rect = self.rect
        return (rect.y1 - rect.y0) if self.upright else (rect.x1 - rect.x0)

    @property
    def to_right(self) -> float:
        """The sign of the way to the keeper's right."""
        return 1.0 if self.seat in (Seat.SOUTH, Seat.EAST) else -1.0

    def inward(self, depth: float) -> float:
        """Return the middle of a card that lies ``depth`` mm inward of the outermost place."""
        rect = self.rect
        if self.seat in (Seat.NORTH, Seat.EAST):
            return (rect.y1 if self.upright else rect.x1) - _HALF_H - depth
        return (rect.y0 if self.upright else rect.x0) + _HALF_H + depth

    def at(self, across: float, inward: float) -> tuple[float, float]:
        """Table millimetres of a point."""
        return (across, inward) if self.upright else (inward, across)


def _column_centre(slot: int, frame: _ZoneFrame) -> float:
    """Return the middle of column ``slot`` across its zone.

    Once every column is taken, further ones lie half over their neighbours, whose indices they leave free.
    """
    low, high = frame.width
    whole = int((high - low - CARD_WIDTH) // COLUMN_PITCH_MM) + 1
    first = low + (high - low - (whole - 1) * COLUMN_PITCH_MM) / 2
    if slot < whole:
        return first + slot * COLUMN_PITCH_MM
    between = (slot - whole) % max(1, whole - 1)
    return first + (between + 0.5) * COLUMN_PITCH_MM


def row_centre(row: CardRow, rect: Rect) -> tuple[float, float]:
    """Return the middle of the column or row of ``row`` in its zone, in table millimetres."""
    frame = _ZoneFrame(rect, keeper(rect))
    if row.along == "row":
        return frame.at(sum(frame.width) / 2, frame.inward(row.slot * CARD_HEIGHT))
    middle = rect.centre[1] if frame.upright else rect.centre[0]
    return frame.at(_column_centre(row.slot, frame), middle)


def _rows(world: World, zone: str) -> list[CardPlace]:
    """Return the rows and columns of ``zone``, those first whose index a neighbour could cover."""
    rect = world.table.rect(zone)
    frame = _ZoneFrame(rect, keeper(rect))
    rows = [(_column_centre(row.slot, frame), number, row) for number, row in world.rows.items() if row.zone == zone]
    # The index that shows lies at the keeper's left side of a card: what lies further to the right may cover the other.
    rows.sort(key=lambda placed: (placed[0] * frame.to_right, placed[1]))
    found: list[CardPlace] = []
    for across, number, row in rows:
        found.extend(_row(world, number, frame) if row.along == "row" else _lying_column(world, number, across, frame))
    return found


def _lying_column(world: World, number: int, across: float, frame: _ZoneFrame) -> list[CardPlace]:
    row = world.rows[number]
    start, step = _column(world, row, frame.depth - CARD_HEIGHT)
    spots = [frame.at(across, frame.inward(start + order * step)) for order in range(len(row.cards))]
    return _lain(world, number, spots, frame)[::-1]


def _row(world: World, number: int, frame: _ZoneFrame) -> list[CardPlace]:
    row = world.rows[number]
    low, high = frame.width
    step = pitch(ROW_PITCHES_MM, len(row.cards), high - low - CARD_WIDTH - 2 * _EDGE_MM) * frame.to_right
    first = (low if frame.to_right > 0 else high) + (_HALF_W + _EDGE_MM) * frame.to_right
    inward = frame.inward(row.slot * CARD_HEIGHT)
    return _lain(world, number, [frame.at(first + n * step, inward) for n in range(len(row.cards))], frame)


def _lain(world: World, number: int, spots: list[tuple[float, float]], frame: _ZoneFrame) -> list[CardPlace]:
    """Return the cards of row ``number`` at ``spots``, in their order."""
    row, angle = world.rows[number], seat_angle(frame.seat)
    tidied = world.tidied.get(row.zone, 0)
    seen = 0
    found = []
    for card, (x, y) in zip(row.cards, spots, strict=True):
        if card in world.stuck:
            found.append(CardPlace(card, row.zone, x, y, angle, True, number, None, covered=True))
            continue
        turned = angle + 90.0 * (card in row.crossed)
        found.append(_place(card, row.zone, x, y, turned, number, seen, tidied=tidied))
        seen += 1
    return found


def _column(world: World, row: CardRow, room: float) -> tuple[float, float]:
    """Place of the first card of ``row`` from the outermost one, and the distance from card to card, in mm."""
    other = world.rows.get(row.beside) if row.beside is not None else None
    if other is None:
        return 0.0, pitch(CARD_PITCHES_MM, len(row.cards), room)
    step = pitch(CARD_PITCHES_MM, len(other.cards), room)
    start = (len(other.cards) - 1) * step + CARD_HEIGHT + GAP_MM
    return min(start, room), pitch(CARD_PITCHES_MM, len(row.cards), max(0.0, room - start))


def _side(cards: tuple[str, ...], zone: str, rect: Rect) -> list[CardPlace]:
    step = pitch((SIDE_PITCH_MM,), len(cards), rect.y1 - rect.y0 - CARD_HEIGHT)
    top = rect.y1 - _HALF_H
    return [_place(card, zone, rect.centre[0], top - n * step, 0.0) for n, card in enumerate(cards)]


def _played(world: World, seat: Seat) -> list[CardPlace]:
    """Return the row before ``seat``: room for thirteen, each card further to its right and on the one before."""
    zone = world.table.played(seat)
    if zone is None:
        return []
    frame = _ZoneFrame(world.table.rect(zone), seat)
    low, high = frame.width
    first = (low if frame.to_right > 0 else high) + (_HALF_H + _EDGE_MM) * frame.to_right
    step = (high - low - CARD_HEIGHT - 2 * _EDGE_MM) / 12 * frame.to_right
    x, y = frame.rect.centre
    found = []
    for n, card in enumerate(world.played[seat]):
        at = (first + n * step, y) if frame.upright else (x, first + n * step)
        lain = _place(card.card, zone, *at, seat_angle(seat) + 90.0 * card.across, None, n, face_up=card.up)
        found.append(replace(lain, back_counts=True))
    return found


def _bidding(world: World) -> list[CardPlace]:
    """Return the bidding cards: each compartment from its owner's left to right, and what is shown beside the tray."""
    zone = world.table.tray
    if zone is None:
        return []
    found = []
    for seat, calls in world.calls.items():
        frame = _ZoneFrame(compartment(seat, world.tray), seat)
        low, high = frame.width
        x, y = frame.rect.centre
        first = (low if frame.to_right > 0 else high) + _HALF_W * frame.to_right
        step = pitch(BID_PITCHES_MM, len(calls), high - low - CARD_WIDTH) * frame.to_right
        for n, call in enumerate(calls):
            at = (first + n * step, y) if frame.upright else (x, first + n * step)
            turn = _jitter(call, zone, n, 0)[2]
            found.append(CardPlace(call, zone, *at, (seat_angle(seat) + turn) % 360, True, None, n, seat=seat))
    for seat, call in world.shown.items():
        x, y = BESIDE_TRAY_MM[seat]
        found.append(CardPlace(call, TABLE, x, y, seat_angle(seat), True, seat=seat))
    return found


def _spread(world: World, seat: Seat) -> list[CardPlace]:
    """Return a hand laid out for the count, from its owner's left to right, each card on the one before."""
    rect, cards = world.table.rect(hand(seat)), world.hands[seat]
    frame = _ZoneFrame(rect, seat)
    low, high = frame.width
    length = high - low
    step = pitch((HAND_PITCH_MM,), len(cards), length - CARD_WIDTH - 2 * _EDGE_MM)
    start = -(length / 2 - _HALF_W - _EDGE_MM) * frame.to_right
    cx, cy = rect.centre
    found = []
    for n, card in enumerate(cards):
        along = start + n * step * frame.to_right
        x, y = (cx + along, cy) if frame.upright else (cx, cy + along)
        found.append(_place(card, hand(seat), x, y, seat_angle(seat)))
    return found
