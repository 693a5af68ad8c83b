"""Tuning parts of a gate's coil: from its measured inductance and resistance to capacitors and damping resistors.

The reader's two drivers feed the coil through an EMC filter and a pair of capacitors on either side; half of that is

    TX --- L0 ---+--- C1 ---+--- RQ --- half the coil --- (middle)
                 C0         C2
                 |          |
                GND        GND

so two conditions, a real load at the carrier of the wanted size, give C1 and C2 without approximation.
``python -m lab.board.tuning --uh 0.72 --ohm 0.6`` prints them for a coil that was measured.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from math import floor, log10, pi, sqrt
from typing import Final

from lab.board.coil import CARRIER_HZ, GATE

OMEGA: Final = 2 * pi * CARRIER_HZ
E24: Final = (10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91)


@dataclass(frozen=True, slots=True)
class ReaderCircuit:
    """The reader's side: EMC filter (henry, farad), volts of its drivers' supply, the load they shall see in ohms.

    L0 and C0 are those of NXP's designs for the PN5180 (AN11740, from memory): read them off the module's board.
    """

    filter_h: float = 470e-9
    filter_f: float = 253e-12
    volts: float = 3.3
    load_ohm: float = 24.0


@dataclass(frozen=True, slots=True)
class Tuning:
    """Parts of one side: C1 and C2 in farads, RQ in ohms, for the coil of ``henry`` and ``ohms`` with its leads."""

    henry: float
    ohms: float
    quality: float
    c1: float
    c2: float
    rq: float

    def load(self, reader: ReaderCircuit, hertz: float = CARRIER_HZ) -> complex:
        """Return what both drivers together see, in ohms."""
        omega = 2 * pi * hertz
        coil = self.ohms / 2 + self.rq + 1j * omega * self.henry / 2
        at_coil = 1 / (1 / coil + 1j * omega * self.c2)
        behind = 1 / (1 / (at_coil + 1 / (1j * omega * self.c1)) + 1j * omega * reader.filter_f)
        return 2 * (behind + 1j * omega * reader.filter_h)

    def amperes(self, reader: ReaderCircuit) -> float:
        """Through the coil, effective: all power that the drivers give is lost in the coil and its resistors."""
        peak = 4 / pi * reader.volts
        current = peak / self.load(reader)
        watts = abs(current) ** 2 / 2 * self.load(reader).real
        return sqrt(watts / (self.ohms + 2 * self.rq))

    def swing_volts(self, reader: ReaderCircuit) -> float:
        """Return the peak between one end of the coil with its resistor and ground."""
        return self.amperes(reader) * sqrt(2) * abs(self.ohms / 2 + self.rq + 1j * OMEGA * self.henry / 2)

    def supply_ma(self, reader: ReaderCircuit) -> float:
        """Return what the drivers draw, in mA."""
        watts = self.amperes(reader) ** 2 * (self.ohms + 2 * self.rq)
        return watts / reader.volts * 1000


def tune(henry: float, ohms: float, quality: float = 22.0, reader: ReaderCircuit | None = None) -> Tuning:
    """Return the parts for a coil of ``henry`` and ``ohms`` (leads included), damped to ``quality``.

    Raises ValueError if no such parts exist: the coil is worse than the wanted quality, or the load out of reach.
    """
    reader = reader or ReaderCircuit()
    if henry <= 0 or ohms < 0 or quality <= 0:
        raise ValueError("inductance and quality must be positive")
    damped = OMEGA * henry / quality
    if damped < ohms:
        raise ValueError(f"the coil's own quality is {OMEGA * henry / ohms:.0f}, {quality:g} cannot be had")
    rq = (damped - ohms) / 2
    half = 1 / (damped / 2 + 1j * OMEGA * henry / 2)
    wanted = 1 / (1 / (reader.load_ohm / 2 - 1j * OMEGA * reader.filter_h) - 1j * OMEGA * reader.filter_f)
    if not 0 < wanted.real < 1 / half.real:
        raise ValueError(f"the filter does not let the drivers see {reader.load_ohm:g} ohm")
    rest = -sqrt(half.real / wanted.real - half.real**2)
    at_coil = 1 / complex(half.real, rest)
    c2 = (rest - half.imag) / OMEGA
    series = at_coil.imag - wanted.imag
    if c2 <= 0 or series <= 0:
        raise ValueError(f"the drivers cannot see {reader.load_ohm:g} ohm through this coil")
    return Tuning(henry, ohms, quality, 1 / (OMEGA * series), c2, rq)


def in_row(value: float) -> float:
    """Return the nearest value of the E24 row."""
    if value <= 0:
        raise ValueError("no part has a value of nothing")
    decade = 10.0 ** (floor(log10(value)) - 1)
    return min((step * decade for step in (*E24, 100)), key=lambda one: abs(one - value))


def in_pair(value: float) -> tuple[float, float]:
    """Two values of the E24 row that together come near to ``value``, the second far smaller than the first."""
    low = in_row(value * 0.95) if in_row(value * 0.95) < value else in_row(value * 0.9)
    return low, in_row(value - low)


def sentences(tuning: Tuning, reader: ReaderCircuit) -> list[str]:
    """Return what to solder, and what is then to be expected."""
    c1, c2 = in_row(tuning.c1), in_pair(tuning.c2)
    built = Tuning(tuning.henry, tuning.ohms, tuning.quality, c1, sum(c2), in_row(tuning.rq))
    load, amperes = built.load(reader), built.amperes(reader)
    return [
        f"coil {tuning.henry * 1e6:.2f} uH, {tuning.ohms:.2f} ohm; quality {tuning.quality:g}",
        f"C1 {tuning.c1 * 1e12:.0f} pF each side (E24: {c1 * 1e12:.0f})",
        f"C2 {tuning.c2 * 1e12:.0f} pF each side (E24: {' + '.join(f'{one * 1e12:.0f}' for one in c2)})",
        f"RQ {tuning.rq:.2f} ohm each side (E24: {built.rq:.2g})",
        (
            f"with the values of the row the drivers see {load.real:.1f} {load.imag:+.1f}j ohm (wanted "
            f"{reader.load_ohm:g})"
        ),
        (
            f"expected: {amperes:.2f} A in the coil, {built.swing_volts(reader):.0f} V peak at each end, "
            f"{built.supply_ma(reader):.0f} mA from {reader.volts:g} V"
        ),
        (
            "field over the middle: "
            f"{', '.join(f'{z} mm {amperes * GATE.field(0, 0, z):.1f} A/m' for z in (5, 10, 20, 40))}"
        ),
    ]


def main(arguments: list[str] | None = None) -> int:
    """Print the parts for a measured coil: 0 done, 1 no such parts, 2 used wrongly."""
    parser = argparse.ArgumentParser(prog="python -m lab.board.tuning", description="Tuning parts of a gate's coil.")
    parser.add_argument("--uh", type=float, default=GATE.inductance_h * 1e6, help="measured inductance, microhenry")
    parser.add_argument("--ohm", type=float, default=GATE.resistance_ohm, help="measured resistance at 13.56 MHz")
    parser.add_argument("--quality", type=float, default=22.0)
    parser.add_argument("--filter-nh", type=float, default=ReaderCircuit().filter_h * 1e9, help="L0 of the module")
    parser.add_argument("--filter-pf", type=float, default=ReaderCircuit().filter_f * 1e12, help="C0 of the module")
    parser.add_argument("--load", type=float, default=ReaderCircuit().load_ohm, help="ohms that the drivers shall see")
    given = parser.parse_args(arguments)
    reader = ReaderCircuit(given.filter_nh * 1e-9, given.filter_pf * 1e-12, load_ohm=given.load)
    try:
        found = tune(given.uh * 1e-6, given.ohm, given.quality, reader)
    except ValueError as error:
        print(f"tavolo: {error}")
        return 1
    print("\n".join(sentences(found, reader)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
