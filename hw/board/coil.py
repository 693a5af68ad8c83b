"""The gate coil: a rectangle of a few printed turns, its inductance and what tunes it to 13.56 MHz.

The inductance of one rectangular turn is Grover's closed form; turns that lie close together count with their square
and a coupling factor. These are design values: a coil must be measured with a network analyser and tuned on the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, log, pi, sqrt
from typing import Final

CARRIER_HZ: Final = 13.56e6
"""ISO/IEC 15693."""
MU_0: Final = 4e-7 * pi
COPPER_OHM_M: Final = 1.72e-8
COPPER_MM: Final = 0.035
"""Thickness of one ounce of copper."""


@dataclass(frozen=True, slots=True)
class Coil:
    """A printed rectangular coil, lengths in mm: outer sides, number of turns, width of track and gap."""

    length: float = 80.0
    width: float = 12.0
    turns: int = 3
    track: float = 0.8
    gap: float = 0.4
    mux_ohm: float = 9.4
    """What two switches of the multiplexer add in series."""

    @property
    def mean_sides(self) -> tuple[float, float]:
        """The sides of the middle turn in mm."""
        inset = (self.turns - 1) * (self.track + self.gap) / 2 + self.track / 2
        return self.length - 2 * inset, self.width - 2 * inset

    @property
    def wire_mm(self) -> float:
        """Length of the track in mm."""
        a, b = self.mean_sides
        return 2 * (a + b) * self.turns

    @property
    def inductance_h(self) -> float:
        """In henry. Turns are coupled by 0.7 of what coinciding turns would be."""
        a, b = (side / 1000 for side in self.mean_sides)
        radius = (self.track + COPPER_MM) / 4 / 1000
        diagonal = hypot(a, b)
        one = (MU_0 / pi) * (
            -2 * (a + b)
            + 2 * diagonal
            - a * log((a + diagonal) / b)
            - b * log((b + diagonal) / a)
            + a * log(2 * a / radius)
            + b * log(2 * b / radius)
        )
        return one * (self.turns + 0.7 * self.turns * (self.turns - 1))

    @property
    def resistance_ohm(self) -> float:
        """At the carrier, the skin effect included; without the multiplexer."""
        skin_mm = sqrt(COPPER_OHM_M / (pi * CARRIER_HZ * MU_0)) * 1000
        depth = min(COPPER_MM, skin_mm)
        return COPPER_OHM_M * self.wire_mm / 1000 / (self.track * depth * 1e-6)

    @property
    def reactance_ohm(self) -> float:
        """Of the inductance at the carrier."""
        return 2 * pi * CARRIER_HZ * self.inductance_h

    @property
    def quality(self) -> float:
        """Of the coil with its multiplexer in series; 10 to 30 lets the tags' sub-carriers through."""
        return self.reactance_ohm / (self.resistance_ohm + self.mux_ohm)

    @property
    def resonance_f(self) -> float:
        """Farad in parallel that tune it to the carrier."""
        return 1 / ((2 * pi * CARRIER_HZ) ** 2 * self.inductance_h)


GATE: Final = Coil()
"""The edge coil of a gate, 12 x 80 mm (reference hardware facts)."""
