"""Where everything lies on and under the table top, in millimetres from its centre (x to East, y to North)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hw.equipment import DRAWN_TABLE
from hw.layout import DEFAULT_LAYOUT, Layout, Rect
from hw.zones import DISCARD, GATE_STOCK, TABLE

COIL_LONG: Final = 80.0
COIL_SHORT: Final = 12.0
KEEP_CLEAR: Final = 40.0
"""No metal this near to a coil: it would detune it and eat its field."""
EDGE: Final = 352.0
"""How far from the centre a seat's edge coil and beam lie: where the hand area ends."""


@dataclass(frozen=True, slots=True)
class Laid:
    """One thing of the plan: its part in wiring.toml, what it is, where it lies."""

    part: str
    kind: str
    rect: Rect


@dataclass(frozen=True, slots=True)
class Beam:
    """A light barrier: its part, and from where to where its light goes."""

    part: str
    start: tuple[float, float]
    end: tuple[float, float]


def _around(x: float, y: float, across: float, down: float) -> Rect:
    return Rect(x - across / 2, y - down / 2, x + across / 2, y + down / 2)


def coils(layout: Layout = DEFAULT_LAYOUT) -> tuple[Laid, ...]:
    """The six gate coils: four at the seats' edges, one at the stock's mouth, one under the newest discard's spot."""
    stock, pile = layout.zones[GATE_STOCK], layout.zones[DISCARD]
    x, y = stock.centre
    return (
        Laid("coil-gate-N", "coil", _around(0, EDGE, COIL_LONG, COIL_SHORT)),
        Laid("coil-gate-E", "coil", _around(EDGE, 0, COIL_SHORT, COIL_LONG)),
        Laid("coil-gate-S", "coil", _around(0, -EDGE, COIL_LONG, COIL_SHORT)),
        Laid("coil-gate-W", "coil", _around(-EDGE, 100, COIL_SHORT, COIL_LONG)),  # clear of the discard spot's
        Laid("coil-gate-stock", "coil", _around(x, y, COIL_SHORT, COIL_LONG)),
        Laid("coil-discard", "coil", _around(pile.x0 + 31.5, pile.centre[1], COIL_SHORT, COIL_LONG)),
    )


def scales(layout: Layout = DEFAULT_LAYOUT) -> tuple[Laid, ...]:
    """The plates on load cells under stock, discard pile and pots."""
    return tuple(Laid(f"scale-{zone}", "scale", layout.zones[zone]) for zone in DRAWN_TABLE.weighed)


def beams(layout: Layout = DEFAULT_LAYOUT) -> tuple[Beam, ...]:
    """Four light barriers along the seats' edges, five across places."""
    reach = 320.0
    edges = (
        Beam("beam-edge-N", (-reach, EDGE + 12), (reach, EDGE + 12)),
        Beam("beam-edge-E", (EDGE + 12, reach), (EDGE + 12, -reach)),
        Beam("beam-edge-S", (reach, -EDGE - 12), (-reach, -EDGE - 12)),
        Beam("beam-edge-W", (-EDGE - 12, -reach), (-EDGE - 12, reach)),
    )
    return (*edges, *(_across(f"beam-place-{zone}", layout.zones[zone]) for zone in _PLACES))


_PLACES: Final = tuple(zone for zone in DRAWN_TABLE.beamed if zone != TABLE)


def _across(part: str, rect: Rect) -> Beam:
    """Through the middle of ``rect``, the long way."""
    x, y = rect.centre
    if rect.x1 - rect.x0 >= rect.y1 - rect.y0:
        return Beam(part, (rect.x0, y), (rect.x1, y))
    return Beam(part, (x, rect.y0), (x, rect.y1))
