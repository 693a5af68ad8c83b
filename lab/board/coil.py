"""The gate coil: a rectangle of a few printed turns, its inductance by Neumann's integral, its field.

For straight filaments the double integral has a closed form, so a coil of rectangles is a sum over pairs of its sides
(Greenhouse 1974); each side's own part takes the width of its track into account (Grover 1946). These are design
values: a coil is measured before it is tuned (``lab.board.tuning``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import asinh, hypot, log, pi, sqrt
from typing import Final

CARRIER_HZ: Final = 13.56e6
"""ISO/IEC 15693."""
MU_0: Final = 4e-7 * pi
COPPER_OHM_M: Final = 1.72e-8
COPPER_MM: Final = 0.035
"""Thickness of one ounce of copper."""


@dataclass(frozen=True, slots=True)
class CoilSide:
    """One straight piece of a turn: its line's distance from the coil's middle, its ends, which way its current flows.

    ``across``: it runs along x, else along y; lengths in metres.
    """

    across: bool
    at: float
    start: float
    end: float
    sign: int


@dataclass(frozen=True, slots=True)
class Coil:
    """A printed rectangular coil, lengths in mm: outer sides, number of turns, width of track and gap."""

    length: float = 80.0
    width: float = 12.0
    turns: int = 3
    track: float = 0.8
    gap: float = 0.4

    def sides(self) -> Iterator[CoilSide]:
        """Yield the four sides of every turn."""
        for turn in range(self.turns):
            inset = turn * (self.track + self.gap) + self.track / 2
            half_long, half_wide = (self.length / 2 - inset) / 1000, (self.width / 2 - inset) / 1000
            for sign in (1, -1):
                yield CoilSide(True, -sign * half_wide, -half_long, half_long, sign)
                yield CoilSide(False, sign * half_long, -half_wide, half_wide, sign)

    @property
    def wire_mm(self) -> float:
        """Length of the track in mm."""
        return sum(side.end - side.start for side in self.sides()) * 1000

    @property
    def inductance_h(self) -> float:
        """In henry, by Neumann's integral over all pairs of parallel sides."""
        sides = list(self.sides())
        bar = (self.track + COPPER_MM) / 1000
        total = sum(self_inductance(side.end - side.start, bar) for side in sides)
        for n, one in enumerate(sides):
            for other in sides[n + 1 :]:
                if one.across == other.across:
                    total += 2 * one.sign * other.sign * mutual_inductance(one, other)
        return total

    @property
    def resistance_ohm(self) -> float:
        """At the carrier, the skin effect included."""
        skin_mm = sqrt(COPPER_OHM_M / (pi * CARRIER_HZ * MU_0)) * 1000
        depth = min(COPPER_MM, skin_mm)
        return COPPER_OHM_M * self.wire_mm / 1000 / (self.track * depth * 1e-6)

    @property
    def reactance_ohm(self) -> float:
        """Reactance of the inductance at the carrier."""
        return 2 * pi * CARRIER_HZ * self.inductance_h

    @property
    def quality(self) -> float:
        """Quality of the bare coil; far above what lets the tags' sub-carriers through."""
        return self.reactance_ohm / self.resistance_ohm

    def field(self, x_mm: float, y_mm: float, z_mm: float) -> float:
        """Return the vertical field of one ampere in A/m at a point above the coil's middle (Biot and Savart)."""
        x, y, z = (value / 1000 for value in (x_mm, y_mm, z_mm))
        total = 0.0
        for side in self.sides():
            along, off = (x, y - side.at) if side.across else (y, x - side.at)
            square = off * off + z * z
            ends = (side.end - along) / hypot(side.end - along, sqrt(square))
            ends -= (side.start - along) / hypot(side.start - along, sqrt(square))
            total += side.sign * (off if side.across else -off) * ends / (4 * pi * square)
        return total


def self_inductance(length: float, bar: float) -> float:
    """Inductance of a straight flat bar in henry: its length and the sum of width and thickness, in metres (Grover)."""
    return MU_0 * length / (2 * pi) * (log(2 * length / bar) + 0.5 + 0.2235 * bar / length)


def mutual_inductance(one: CoilSide, other: CoilSide) -> float:
    """Neumann's integral of two parallel straight filaments, in henry."""
    apart = abs(one.at - other.at)

    def part(u: float) -> float:
        return u * asinh(u / apart) - hypot(u, apart)

    whole = part(one.end - other.start) + part(one.start - other.end)
    return MU_0 / (4 * pi) * (whole - part(one.start - other.start) - part(one.end - other.end))


GATE: Final = Coil()
"""The edge coil of a gate, 12 x 80 mm (reference hardware facts)."""
