"""Zones of a table, as rectangles in millimetres from its centre (x to East, y to North)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Final

from hw.seats import Line, Seat
from hw.zones import DISCARD, GATE_STOCK, POTS, STOCK, TABLE, melds

CARD_WIDTH: Final = 63.0
CARD_HEIGHT: Final = 88.0
"""A card in millimetres."""
TABLE_SIDE: Final = 900.0
"""The square table in millimetres."""


@dataclass(frozen=True, slots=True)
class Rect:
    """An upright rectangle in table millimetres, ``x0 < x1``, ``y0 < y1``."""

    x0: float
    y0: float
    x1: float
    y1: float

    def holds(self, x: float, y: float) -> bool:
        """Return True if the point lies inside or on the edge."""
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the rectangle."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2


@dataclass(frozen=True, slots=True)
class Marker:
    """A printed ArUco marker (DICT_4X4_50): its number, centre and side in millimetres; upright seen from South."""

    number: int
    x: float
    y: float
    side: float = 40.0


@dataclass(frozen=True, slots=True)
class Layout:
    """Zones and markers of one table."""

    zones: dict[str, Rect]
    markers: tuple[Marker, ...]
    side: float = TABLE_SIDE
    masked: tuple[str, ...] = field(default=("hand-N", "hand-E", "hand-S", "hand-W"))

    def opened(self, zones: Collection[str]) -> Layout:
        """Return the same table with hand areas that lie open: what is in ``zones`` is not masked."""
        return replace(self, masked=tuple(one for one in self.masked if one not in zones))

    def zone_at(self, x: float, y: float) -> str:
        """Return the zone that holds the point; ``table`` if none does."""
        for name, rect in self.zones.items():
            if rect.holds(x, y):
                return name
        return TABLE

    def seat_before(self, line: Line) -> Seat:
        """Return the seat of ``line``, of a table of four, at whose edge the zone of its melds lies nearer.

        >>> DEFAULT_LAYOUT.seat_before(Line.EW)
        <Seat.EAST: 'E'>
        """
        rect = self.zones.get(melds(line))
        x, y = (0.0, 0.0) if rect is None else rect.centre
        if line is Line.NS:
            return Seat.NORTH if y >= 0 else Seat.SOUTH
        return Seat.EAST if x >= 0 else Seat.WEST


# Seats keep a strip of 92 mm for fan, shield and the count; the upper block holds the columns of the line whose
# keeper sits North (they run from the keeper's edge to the centre), the right block those of the keeper East; the
# lower left block has stock, pots and the fanned pile. Columns stand 65 mm apart, cards 16 to 22 mm.
DEFAULT_LAYOUT: Final = Layout(
    zones={
        "hand-N": Rect(-300, 358, 300, 450),
        "hand-E": Rect(358, -300, 450, 300),
        "hand-S": Rect(-300, -450, 300, -358),
        "hand-W": Rect(-450, -300, -358, 300),
        "melds-NS": Rect(-357, 102, 357, 357),
        "melds-EW": Rect(102, -357, 357, 101),
        DISCARD: Rect(-357, -112, 100, -8),
        STOCK: Rect(-85, -4, 5, 100),
        POTS: Rect(10, -4, 100, 100),
        GATE_STOCK: Rect(-180, -4, -90, 100),
        "side-N": Rect(-260, -4, -190, 100),
        "side-W": Rect(-340, -4, -270, 100),
        "side-S": Rect(-60, -355, 10, -255),
        "side-E": Rect(20, -355, 90, -255),
    },
    markers=(
        Marker(0, -420, 420),
        Marker(1, 420, 420),
        Marker(2, 420, -420),
        Marker(3, -420, -420),
    ),
)
"""The table of the twin and of the drawings, for keepers N and E."""

_HANDS: Final = {f"hand-{seat}": DEFAULT_LAYOUT.zones[f"hand-{seat}"] for seat in "NESW"}

# Two players: the lower block holds the columns of who sits South, as the upper one those of who sits North.
HEADS_UP_LAYOUT: Final = Layout(
    zones={
        "hand-N": DEFAULT_LAYOUT.zones["hand-N"],
        "hand-S": DEFAULT_LAYOUT.zones["hand-S"],
        "melds-NS": DEFAULT_LAYOUT.zones["melds-NS"],
        "melds-EW": Rect(-357, -357, 357, -113),
        **{zone: DEFAULT_LAYOUT.zones[zone] for zone in (DISCARD, STOCK, POTS, GATE_STOCK, "side-N")},
        "side-S": Rect(110, -4, 180, 100),
    },
    markers=DEFAULT_LAYOUT.markers,
    masked=("hand-N", "hand-S"),
)
"""The same table for two players, N and S, each with his melds before him (``online``, heads-up)."""

# The trick in the middle; each line's tricks at the right hand of the player who keeps them (North, East), the scarto
# in the corner that is left; before each player what he shows for a declaration. Plates stay clear of the coils.
TAROCCO_LAYOUT: Final = Layout(
    zones={
        **_HANDS,
        "trick": Rect(-150, -150, 150, 150),
        "tricks-NS": Rect(-330, 220, -220, 330),
        "tricks-EW": Rect(220, 220, 330, 330),
        "scarto": Rect(-330, -330, -220, -220),
        "side-N": Rect(60, 170, 200, 330),
        "side-E": Rect(170, -200, 330, -60),
        "side-S": Rect(-200, -330, -60, -170),
        "side-W": Rect(-330, 60, -170, 200),
    },
    markers=DEFAULT_LAYOUT.markers,
)
"""The table of tarocco, for keepers N and E."""

# The screen runs from the North-West to the South-East corner; under it the tray passes over the middle. The board's
# soft wallet lies in the North-West corner, where both sides reach it, on a plate for each of its four pockets.
BRIDGE_LAYOUT: Final = Layout(
    zones={
        **_HANDS,
        "tray": Rect(-150, -150, 150, 150),
        "board-N": Rect(-350, 225, -287, 330),
        "board-E": Rect(-284, 225, -221, 330),
        "board-S": Rect(-218, 225, -155, 330),
        "board-W": Rect(-152, 225, -89, 330),
        "played-N": Rect(-60, 240, 300, 345),
        "played-E": Rect(240, -200, 345, 200),
        "played-S": Rect(-200, -345, 200, -240),
        "played-W": Rect(-345, -200, -240, 200),
        "side-N": Rect(-60, 155, 60, 235),
        "side-E": Rect(155, -60, 235, 60),
        "side-S": Rect(-60, -235, 60, -155),
        "side-W": Rect(-235, -60, -155, 60),
    },
    markers=DEFAULT_LAYOUT.markers,
)
"""The table of bridge with screens."""

SEAT_EDGE: Final[dict[Seat, tuple[float, float]]] = {
    Seat.NORTH: (0.0, 450.0),
    Seat.EAST: (450.0, 0.0),
    Seat.SOUTH: (0.0, -450.0),
    Seat.WEST: (-450.0, 0.0),
}
"""The middle of each seat's table edge."""
