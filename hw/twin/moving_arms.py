"""Hands on their way over the twin's table, for a camera that looks at them many times a second."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import dist
from typing import Final

from hw.layout import SEAT_EDGE
from hw.seats import Seat
from hw.twin.scene import Arm
from hw.twin.timed_events import ArmIn

Spot = tuple[float, float]
_SPEED: Final = 1800.0
"""Millimetres a second of a hand on its way."""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A hand goes from one spot to another, in table millimetres, beginning at ``t``; ``home``: it is gone then."""

    t: float
    start: Spot
    end: Spot
    home: bool = False

    def at(self, t: float) -> Spot:
        length = dist(self.start, self.end)
        share = min(1.0, (t - self.t) * _SPEED / length) if length else 1.0
        (x0, y0), (x1, y1) = self.start, self.end
        return x0 + (x1 - x0) * share, y0 + (y1 - y0) * share


class MovingArms:
    """One hand of each seat: it goes to where it reaches last, and home once it reaches nowhere."""

    def __init__(self) -> None:
        self._ways: dict[Seat, _Stretch] = {}

    def follow(self, t: float, arms: Iterable[ArmIn]) -> None:
        """From ``t`` seconds on the hands reach to ``arms``, the latest of a seat last."""
        wanted = {arm.seat or Seat.SOUTH: (arm.x, arm.y) for arm in arms}
        for seat in {*wanted, *self._ways}:
            end = wanted.get(seat, SEAT_EDGE[seat])
            way = self._ways.get(seat)
            if way is None or (way.end, way.home) != (end, seat not in wanted):
                start = SEAT_EDGE[seat] if way is None else way.at(t)
                self._ways[seat] = _Stretch(t, start, end, seat not in wanted)

    def at(self, t: float) -> tuple[Arm, ...]:
        """Return the arms over the table at ``t`` seconds, which never goes back."""
        self._ways = {seat: way for seat, way in self._ways.items() if not (way.home and way.at(t) == way.end)}
        return tuple(Arm(seat, *way.at(t)) for seat, way in self._ways.items())
