"""Where the zones of a table lie, as rectangles in millimetres from its centre (x to East, y to North)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from hw.seats import Seat
from hw.zones import DISCARD, GATE_STOCK, POTS, STOCK, TABLE

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
        """Whether the point lies inside or on the edge."""
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

    def zone_at(self, x: float, y: float) -> str:
        """The zone that holds the point; ``table`` where none does."""
        for name, rect in self.zones.items():
            if rect.holds(x, y):
                return name
        return TABLE


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

SEAT_EDGE: Final[dict[Seat, tuple[float, float]]] = {
    Seat.NORTH: (0.0, 450.0),
    Seat.EAST: (450.0, 0.0),
    Seat.SOUTH: (0.0, -450.0),
    Seat.WEST: (-450.0, 0.0),
}
"""The middle of each seat's table edge."""
