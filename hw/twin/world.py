"""Where every physical card of the twin is. Pure: ``hw.twin.changes`` makes a new world of an old one.

The world knows no rule. A gesture that nobody could make (a card that the seat does not hold) is a fault of the script
that asks for it and raises ImpossibleGesture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from hw.errors import TavoloError
from hw.seats import SEATS, Line, Seat
from hw.twin.gestures import Gesture


class ImpossibleGesture(TavoloError, ValueError):  # noqa: N818 - it names what the script asked for
    """A gesture that the cards' places do not allow; the message says which card lies elsewhere."""


@dataclass(frozen=True, slots=True)
class LayPots:
    """The first half of SetTable: the pots lie on their place, the first to be played on top."""

    pots: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class LayStock:
    """The stock is put down out of the dealer's hand."""

    stock: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LiftStock:
    """The dealer takes the stock up, to count it."""


Step = Gesture | LayPots | LayStock | LiftStock
"""What can change a world."""


@dataclass(frozen=True, slots=True)
class Row:
    """Face-up cards of one meld from the keeper's edge, in column ``slot`` of ``line``'s area.

    ``beside``: it lies in the column of that row, beyond its last card, with a gap between them.
    """

    line: Line
    slot: int
    cards: tuple[str, ...]
    beside: int | None = None
    crossed: frozenset[str] = frozenset()
    """Cards that lie crosswise."""


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
class World:
    """Every card's place. Stock, pots and pile from below to above; ``pots[0]`` lies on top and is played first."""

    box: tuple[str, ...] = ()
    stock: tuple[str, ...] = ()
    pots: tuple[tuple[str, ...], ...] = ()
    pile: tuple[str, ...] = ()
    hands: dict[Seat, tuple[str, ...]] = field(default_factory=lambda: dict.fromkeys(SEATS, ()))
    rows: dict[int, Row] = field(default_factory=dict)
    sides: dict[Seat, tuple[str, ...]] = field(default_factory=lambda: dict.fromkeys(SEATS, ()))
    mouth: tuple[str, ...] = ()
    """Face down at the mouth of the stock, from below to above."""
    loose: tuple[LooseCard, ...] = ()
    stuck: frozenset[str] = frozenset()
    """Cards of rows and pile that lie exactly beneath their neighbour (the next above) and cannot be seen."""
    laid_out: tuple[Seat, ...] = ()
    """The seats whose hand lies face up before them."""
    shields: dict[Seat, Literal["up", "over"]] = field(default_factory=dict)
    tidied: dict[str, int] = field(default_factory=dict)
    """How often the cards of a zone were pushed straight: each time they lie a little otherwise."""

    def cards(self) -> tuple[str, ...]:
        """Every card, sorted: the same whatever was done."""
        found = [*self.box, *self.stock, *self.pile, *self.mouth]
        for group in (*self.pots, *self.hands.values(), *self.sides.values()):
            found.extend(group)
        for row in self.rows.values():
            found.extend(row.cards)
        found.extend(card.card for card in self.loose)
        return tuple(sorted(found))

    def weighed(self, zone: str) -> int:
        """How many cards lie on the scale of ``zone`` (stock, discard or pots; 0 elsewhere)."""
        if zone == "stock":
            return len(self.stock)
        if zone == "discard":
            return len(self.pile)
        return sum(map(len, self.pots)) if zone == "pots" else 0


Changes = dict[type[Step], Callable[[World, Any], World]]
"""What each kind of step makes of a world."""


def boxed(cards: Iterable[str]) -> World:
    """A bare table, the pack still in its box."""
    return World(box=tuple(cards))


def free_slot(world: World, line: Line) -> int:
    """The first column of ``line``'s area where no row lies."""
    used = {row.slot for row in world.rows.values() if row.line is line and row.beside is None}
    return next(slot for slot in range(len(used) + 1) if slot not in used)


_ANGLE = {Seat.SOUTH: 0.0, Seat.EAST: 90.0, Seat.NORTH: 180.0, Seat.WEST: 270.0}


def seat_angle(seat: Seat) -> float:
    """How a card that stands upright for ``seat`` is turned, seen from South: degrees anticlockwise."""
    return _ANGLE[seat]


def without(cards: tuple[str, ...], gone: Sequence[str], where: str) -> tuple[str, ...]:
    """``cards`` without those of ``gone``. Raises ImpossibleGesture where one does not lie there; ``where`` says so."""
    left = list(cards)
    for card in gone:
        if card not in left:
            raise ImpossibleGesture(f"{card} does not lie in {where}")
        left.remove(card)
    return tuple(left)


def from_hand(world: World, seat: Seat, cards: Sequence[str]) -> World:
    """The world in which ``seat`` no longer holds ``cards``. Raises ImpossibleGesture where it holds one not."""
    left = without(world.hands[seat], cards, f"the hand of {seat}")
    return replace(world, hands={**world.hands, seat: left})


def in_hand(world: World, seat: Seat, cards: Sequence[str]) -> World:
    """The world in which ``seat`` holds ``cards`` as well, last in its hand; none of them lies hidden any more."""
    hands = {**world.hands, seat: (*world.hands[seat], *cards)}
    return replace(world, hands=hands, stuck=world.stuck - set(cards))
