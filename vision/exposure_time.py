"""Exposure times under lamps that flicker: a whole number of the light's periods, or bands run through the picture."""

from __future__ import annotations

from typing import Literal, NamedTuple

Mains = Literal[50, 60]


class Exposure(NamedTuple):
    """``time_us`` microseconds at ``gain``; ``steady``: whether lamps on the mains cannot band the picture."""

    time_us: int
    gain: float
    steady: bool


def flicker_period_us(mains: Mains) -> int:
    """Return the period of a lamp on the mains in microseconds: twice a cycle, 10 000 at 50 Hz and 8 333 at 60 Hz."""
    return round(1e6 / (2 * mains))


def flicker_free(time_us: float, gain: float, period_us: int, least_gain: float = 1.0) -> Exposure:
    """Return an exposure about as bright as ``time_us`` at ``gain`` that lasts whole periods.

    An exposure shorter than one period, which libcamera's own flicker control leaves as it is (raspberrypi/libcamera
    issue 269), becomes one period where the gain can be lowered for it; else it stays as it is and is not ``steady``.
    """
    light = time_us * gain
    for periods in (round(time_us / period_us), int(time_us // period_us), 1):
        if periods >= 1 and light / (periods * period_us) >= least_gain:
            time = periods * period_us
            return Exposure(time, light / time, steady=True)
    return Exposure(round(time_us), gain, steady=False)
