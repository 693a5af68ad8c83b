"""The peak detectors of the knock sensors: a blow must outlast the round of the converter, and be over before the next.

An amplifier charges a capacitor through a diode, a resistor discharges it. Between two looks of the converter at the
same seat the peak sinks; the firmware takes a second peak for ringing unless it is above half the first for every
``RINGS_S`` that have passed, so the held peak must sink at least that fast.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, log
from typing import Final

from lab.board.wiring import Wiring

LOOK_S: Final = 0.016
"""From one look at a seat's knock sensor to the next: four channels of 4 ms (KNOCK_US in hw/node/board_real.py)."""
RINGS_S: Final = 0.030
"""In which a peak halves for the firmware (KNOCK_RINGS in hw/node/sensors.py)."""
SEEN_LEAST: Final = 0.5
"""Share of a peak that must be left at the worst moment."""
TOLERANCE: Final = 0.11
"""Capacitor 10 %, resistor 1 %."""


@dataclass(frozen=True, slots=True)
class Hold:
    """A held peak: resistor in ohms, capacitor in farads."""

    ohms: float
    farads: float

    @property
    def seconds(self) -> float:
        """Its time constant."""
        return self.ohms * self.farads

    @property
    def left(self) -> float:
        """Share of a peak that the converter still finds when it comes as late as it can, with the worst parts."""
        return exp(-LOOK_S / (self.seconds * (1 - TOLERANCE)))

    @property
    def halves(self) -> float:
        """Seconds in which the slowest of them sinks to one half."""
        return self.seconds * (1 + TOLERANCE) * log(2)


def hold(wiring: Wiring, seat: str) -> Hold | None:
    """Resistor and capacitor to ground that hold the peak of ``seat`` on the converter's line; None without both."""
    net = wiring.net_of(f"d-hold-{seat}.K")
    if net is None:
        return None
    on = [wiring.parts[end.partition(".")[0]] for end in net.ends if ":" not in end]
    ohms = [part.number for part in on if part.kind == "resistor"]
    farads = [part.number for part in on if part.kind == "capacitor"]
    return Hold(ohms[0], farads[0]) if ohms and farads else None


def problems(wiring: Wiring) -> Iterator[str]:
    """Knock sensors whose peaks the converter would miss, or count twice."""
    for board in wiring.boards.values():
        for seat in (board["knocks"] or {"seats": []})["seats"]:
            held = hold(wiring, seat)
            if held is None:
                yield (
                    f"nothing holds the peak of 'knock-{seat}': a blow of 2 ms is over before the converter looks "
                    f"again in {LOOK_S * 1000:.0f}"
                )
            elif held.left < SEEN_LEAST:
                yield f"of a peak of 'knock-{seat}' {held.left:.0%} are left when the converter looks"
            elif held.halves > RINGS_S:
                yield (
                    f"a peak of 'knock-{seat}' halves in {held.halves * 1000:.0f} ms; above {RINGS_S * 1000:.0f} it "
                    "counts twice"
                )
