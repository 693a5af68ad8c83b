"""Places of every physical card of the twin. Pure: ``hw.twin.changes`` makes a new world of an old one.

The world knows no rule. An impossible gesture (a card that the seat does not hold) is a fault of the script
that asks for it and raises ImpossibleGesture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from hw.bidding import TraySide
from hw.errors import TavoloError
from hw.seats import SEATS, Seat
from hw.twin.gestures import Gesture
from hw.twin.twin_table import DRAWN, TableKind

Heaps = tuple[tuple[str, ...], ...]
"""Heaps upon each other in a zone, each from below to above; the first heap lies on top and is taken first."""


class ImpossibleGesture(TavoloError, ValueError):  # noqa: N818 - it names what the script asked for
    """A gesture that the cards' places do not allow; the message says which card lies elsewhere."""


@dataclass(frozen=True, slots=True)
class LayHeaps:
    """Heaps out of the box are put down at ``zone``: a part of SetTable."""

    zone: str
    heaps: Heaps


@dataclass(frozen=True, slots=True)
class LiftHeaps:
    """The dealer takes up the cards at ``zone`` to be counted."""

    zone: str


@dataclass(frozen=True, slots=True)
class MoveTray:
    """The bidding tray comes to the side ``to``, or is under way (None)."""

    to: TraySide | None


Step = Gesture | LayHeaps | LiftHeaps | MoveTray
"""Anything that can change a world."""


@dataclass(frozen=True, slots=True)
class CardRow:
    """Face-up cards in ``zone``, from its keeper's edge.

    ``along``: ``column``, each next one nearer to the middle of the table, or ``row``, along the edge from the keeper's
    left to the right. ``slot``: which column or row of the zone. ``beside``: it lies in the column of that row, beyond
    its last card, with a gap between them.
    """

    zone: str
    slot: int
    cards: tuple[str, ...]
    beside: int | None = None
    crossed: frozenset[str] = frozenset()
    """Cards that lie crosswise."""
    along: Literal["column", "row"] = "column"


@dataclass(frozen=True, slots=True)
class LooseCard:
    """A card that lies by itself at (``x``, ``y``) mm; ``angle`` as in a scene; ``seat`` let it go."""

    card: str
    x: float
    y: float
    angle: float
    face_up: bool
    seat: Seat


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """A card in the row before its player: face up or down; ``quitted``: turned over after its trick.

    ``across``: a back that lies crosswise, as of a trick that was lost.
    """

    card: str
    up: bool = True
    quitted: bool = False
    across: bool = False


@dataclass(frozen=True, slots=True)
class World:
    """Every card's place at ``table``."""

    table: TableKind = DRAWN
    box: tuple[str, ...] = ()
    heaps: Mapping[str, Heaps] = field(default_factory=dict)
    """By zone what lies upon each other: stacks, piles, pockets, cards at the mouth of a stack; none that is empty."""
    hands: dict[Seat, tuple[str, ...]] = field(default_factory=lambda: dict.fromkeys(SEATS, ()))
    rows: dict[int, CardRow] = field(default_factory=dict)
    sides: dict[Seat, tuple[str, ...]] = field(default_factory=lambda: dict.fromkeys(SEATS, ()))
    loose: tuple[LooseCard, ...] = ()
    stuck: frozenset[str] = frozenset()
    """Cards of rows and piles that lie exactly beneath their neighbour (the next above) and cannot be seen."""
    laid_out: tuple[Seat, ...] = ()
    """The seats whose hand lies face up before them."""
    shields: dict[Seat, Literal["up", "over"]] = field(default_factory=dict)
    played: Mapping[Seat, tuple[PlayedCard, ...]] = field(default_factory=dict)
    """Cards in the row before each player, in the order in which they were played."""
    calls: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    """The bidding cards in each compartment of the tray, in the order in which they came."""
    shown: Mapping[Seat, str] = field(default_factory=dict)
    """The bidding card that a seat shows beside the tray."""
    tray: TraySide | None = None
    """Place of the tray; None while it moves, and before the first deal."""
    tidied: dict[str, int] = field(default_factory=dict)
    """Times that the cards of a zone were pushed straight: each time they lie a little differently."""

    def cards(self) -> tuple[str, ...]:
        """Every card, sorted: the same whatever was done."""
        found = [*self.box]
        for heaps in self.heaps.values():
            for heap in heaps:
                found.extend(heap)
        for group in (*self.hands.values(), *self.sides.values()):
            found.extend(group)
        for row in self.rows.values():
            found.extend(row.cards)
        for lying in self.played.values():
            found.extend(card.card for card in lying)
        found.extend(card.card for card in self.loose)
        return tuple(sorted(found))

    def heap(self, zone: str) -> tuple[str, ...]:
        """Return the cards that lie upon each other at ``zone``, heap by heap from the uppermost one."""
        heaps = self.heaps.get(zone, ())
        return heaps[0] if len(heaps) == 1 else tuple(card for heap in heaps for card in heap)

    def weighed(self, zone: str) -> int:
        """Return the number of cards on the scale of ``zone``; 0 if it has none."""
        return sum(map(len, self.heaps.get(zone, ()))) if zone in self.table.equipment.weighed else 0


Changes = dict[type[Step], Callable[[World, Any], World]]
"""Change of a world, by kind of step."""


def boxed(cards: Iterable[str], table: TableKind = DRAWN) -> World:
    """Return a bare table, the pack still in its box."""
    seats = table.rotation.seats
    return World(table, box=tuple(cards), hands=dict.fromkeys(seats, ()), sides=dict.fromkeys(seats, ()))


def known(zone: str, otherwise: str | None, what: str) -> str:
    """``zone`` if it is named, else ``otherwise``. Raises ImpossibleGesture if the table has no such ``what``."""
    found = zone or otherwise
    if found is None:
        raise ImpossibleGesture(f"this table has no {what}")
    return found


def with_heaps(world: World, zone: str, heaps: Iterable[tuple[str, ...]]) -> World:
    """Return the world in which just ``heaps`` lie at ``zone``."""
    left = {name: others for name, others in world.heaps.items() if name != zone}
    lying = tuple(filter(None, heaps))
    return replace(world, heaps={**left, zone: lying} if lying else left)


def with_top(world: World, zone: str, cards: tuple[str, ...]) -> World:
    """Return the world in which the uppermost heap of ``zone`` holds ``cards``."""
    return with_heaps(world, zone, (cards, *world.heaps.get(zone, ())[1:]))


def put_on(world: World, zone: str, cards: Sequence[str]) -> World:
    """Return the world in which ``cards`` came to lie upon the uppermost heap of ``zone``, in this order from below."""
    return with_top(world, zone, (*top_heap(world, zone), *cards))


def top_heap(world: World, zone: str) -> tuple[str, ...]:
    """Return the heap of ``zone`` that is taken first; empty if there is none."""
    heaps = world.heaps.get(zone, ())
    return heaps[0] if heaps else ()


def free_slot(world: World, zone: str) -> int:
    """Return the first free column of ``zone``."""
    used = {row.slot for row in world.rows.values() if row.zone == zone and row.beside is None}
    return next(slot for slot in range(len(used) + 1) if slot not in used)


_ANGLE = {Seat.SOUTH: 0.0, Seat.EAST: 90.0, Seat.NORTH: 180.0, Seat.WEST: 270.0}


def seat_angle(seat: Seat) -> float:
    """Return the angle of a card that is upright for ``seat``, seen from South: degrees anticlockwise."""
    return _ANGLE[seat]


def without(cards: tuple[str, ...], gone: Sequence[str], where: str) -> tuple[str, ...]:
    """Return ``cards`` without ``gone``. Raises ImpossibleGesture if one is missing; ``where`` names the place."""
    left = list(cards)
    for card in gone:
        if card not in left:
            raise ImpossibleGesture(f"{card} does not lie in {where}")
        left.remove(card)
    return tuple(left)


def held(world: World, seat: Seat) -> tuple[str, ...]:
    """Return the cards that ``seat`` holds. Raises ImpossibleGesture if the seat is empty."""
    if seat not in world.hands:
        raise ImpossibleGesture(f"nobody sits at {seat}")
    return world.hands[seat]


def from_hand(world: World, seat: Seat, cards: Sequence[str]) -> World:
    """Return the world in which ``seat`` no longer holds ``cards``. Raises ImpossibleGesture if one is not held."""
    left = without(held(world, seat), cards, f"the hand of {seat}")
    return replace(world, hands={**world.hands, seat: left})


def in_hand(world: World, seat: Seat, cards: Sequence[str]) -> World:
    """Return the world in which ``seat`` also holds ``cards``, last in its hand; none of them lies hidden any more."""
    hands = {**world.hands, seat: (*held(world, seat), *cards)}
    return replace(world, hands=hands, stuck=world.stuck - set(cards))
