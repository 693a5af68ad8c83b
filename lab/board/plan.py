"""Plan of everything on and under the table top, in millimetres from its centre (x to East, y to North)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hw.equipment import DRAWN_TABLE, Equipment
from hw.layout import DEFAULT_LAYOUT, Layout, Rect
from hw.zones import DISCARD, GATE_STOCK, TABLE
from lab.board.wiring import load_wiring

COIL_LONG: Final = 80.0
COIL_SHORT: Final = 12.0
KEEP_CLEAR: Final = 40.0
"""No metal this near to a coil: it would detune it and eat its field."""
EDGE: Final = 352.0
"""Distance from the centre to a seat's edge coil and beam: where the hand area ends."""


@dataclass(frozen=True, slots=True)
class PlannedPart:
    """One thing of the plan: its part in wiring.toml, its kind, its place."""

    part: str
    kind: str
    rect: Rect


@dataclass(frozen=True, slots=True)
class Beam:
    """A light barrier: its part, the places of its emitter and of its receiver."""

    part: str
    start: tuple[float, float]
    end: tuple[float, float]


def _around(x: float, y: float, across: float, down: float) -> Rect:
    return Rect(x - across / 2, y - down / 2, x + across / 2, y + down / 2)


def seat_coils() -> tuple[PlannedPart, ...]:
    """Return the four gate coils at the seats' edges, the same on every table."""
    return (
        PlannedPart("coil-gate-N", "coil", _around(0, EDGE, COIL_LONG, COIL_SHORT)),
        PlannedPart("coil-gate-E", "coil", _around(EDGE, 0, COIL_SHORT, COIL_LONG)),
        PlannedPart("coil-gate-S", "coil", _around(0, -EDGE, COIL_LONG, COIL_SHORT)),
        PlannedPart("coil-gate-W", "coil", _around(-EDGE, 100, COIL_SHORT, COIL_LONG)),  # clear of the discard spot's
    )


def coils(layout: Layout = DEFAULT_LAYOUT) -> tuple[PlannedPart, ...]:
    """Return the six gate coils: four at the seats' edges, one at the stock's mouth, one under the newest discard."""
    stock, pile = layout.zones[GATE_STOCK], layout.zones[DISCARD]
    x, y = stock.centre
    return (
        *seat_coils(),
        PlannedPart("coil-gate-stock", "coil", _around(x, y, COIL_SHORT, COIL_LONG)),
        PlannedPart("coil-discard", "coil", _around(pile.x0 + 31.5, pile.centre[1], COIL_SHORT, COIL_LONG)),
    )


def scales(layout: Layout = DEFAULT_LAYOUT, equipment: Equipment = DRAWN_TABLE) -> tuple[PlannedPart, ...]:
    """Return the plates on load cells: for Burraco under stock, discard pile and pots."""
    return tuple(PlannedPart(f"scale-{zone}", "scale", layout.zones[zone]) for zone in equipment.weighed)


def beams(layout: Layout = DEFAULT_LAYOUT, emitters: Mapping[str, str] | None = None) -> tuple[Beam, ...]:
    """Return four light barriers along the seats' edges, five across places.

    ``emitters``: part → compass point of the end with its emitter, as wiring.toml has it (the default).
    """
    if emitters is None:
        wired = load_wiring().parts.values()
        emitters = {part.name: part.settings["emitter"] for part in wired if part.kind == "beam"}
    reach, at = 320.0, EDGE + 12
    lines = {
        "beam-edge-N": ((-reach, at), (reach, at)),
        "beam-edge-E": ((at, -reach), (at, reach)),
        "beam-edge-S": ((-reach, -at), (reach, -at)),
        "beam-edge-W": ((-at, -reach), (-at, reach)),
        **{f"beam-place-{zone}": _across(layout.zones[zone]) for zone in _PLACES},
    }
    return tuple(_sent(part, low, high, emitters[part]) for part, (low, high) in lines.items())


_PLACES: Final = tuple(zone for zone in DRAWN_TABLE.beamed if zone != TABLE)


def _sent(part: str, low: tuple[float, float], high: tuple[float, float], emitter: str) -> Beam:
    """Return the beam from the end that lies towards ``emitter``. Raises ValueError if neither end does."""
    if emitter not in (("W", "E") if low[1] == high[1] else ("S", "N")):
        raise ValueError(f"'{part}' runs the other way: its emitter cannot stand at {emitter}")
    return Beam(part, low, high) if emitter in "WS" else Beam(part, high, low)


def _across(rect: Rect) -> tuple[tuple[float, float], tuple[float, float]]:
    """Through the middle of ``rect``, the long way: its West and East, or its South and North end."""
    x, y = rect.centre
    if rect.x1 - rect.x0 >= rect.y1 - rect.y0:
        return (rect.x0, y), (rect.x1, y)
    return (x, rect.y0), (x, rect.y1)
