"""The newest readings of one plate, and where among them cards came or went."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

from table_service.tracking.plate_zero import PlateNoise, PlateZero

BURST_GAP: Final = 0.45
"""Seconds without a reading after which a burst of readings is over (20 a second while something changes)."""
CLIP: Final = 10.0
"""Log-likelihood that one reading may count against anything: it may have strayed."""
_GAP_COST: Final = 12.0
"""A change lies in the newest burst of readings unless those before it say so clearly."""


class RecentReadings:
    """Readings since the last step, forty at most: when, grams, settled. ``count`` below is what lay there before."""

    __slots__ = ("_card_grams", "_noise", "_readings", "_zero")

    def __init__(self, card_grams: float, noise: PlateNoise, zero: PlateZero) -> None:
        self._card_grams = card_grams
        self._noise = noise
        self._zero = zero
        self._readings: deque[tuple[float, float, bool]] = deque(maxlen=40)

    def __iter__(self) -> Iterator[tuple[float, float, bool]]:
        return iter(self._readings)

    def __reversed__(self) -> Iterator[tuple[float, float, bool]]:
        return reversed(self._readings)

    def add(self, t: float, grams: float, *, settled: bool) -> None:
        """Keep a reading."""
        self._readings.append((t, grams, settled))

    def clear(self) -> None:
        """Forget the readings: a step was taken, and they speak for no other."""
        self._readings.clear()

    def at_rest(self) -> list[float]:
        """Grams of those that were settled."""
        return [grams for _, grams, settled in self._readings if settled]

    def likelihood(self, count: int, part: int, change: int, early: float, later: float) -> float:
        """Return how well they fit ``part`` of ``change`` having come at ``early`` and the rest at ``later``."""
        total = 0.0
        for at, grams, settled in self._readings:
            if settled:
                lying = count + (0 if at < early else part if at < later else change)
                off = grams - self._zero.grams - lying * self._card_grams
                total -= min(off**2 / (2 * self._noise.variance), CLIP)
        return total

    def split(self, count: int, change: int, early: float, later: float) -> int:
        """Return how much of ``change`` came at ``early``, the rest at ``later``: 0 or all of it if it came at once."""
        sign = 1 if change > 0 else -1
        best, split = self.likelihood(count, 0, change, early, later) - 2.0, 0
        for part in range(1, abs(change) + 1):
            fit = self.likelihood(count, sign * part, change, early, later)
            fit -= 2.0 * (part > 1) + 2.0 * (abs(change) - part > 1)
            if fit > best:
                best, split = fit, sign * part
        return split

    def likeliest(self, count: int, change: int, moments: Sequence[float]) -> float:
        """Return the one of ``moments`` at which ``change`` came about most likely."""
        return max(moments, key=lambda began: (self.likelihood(count, 0, change, began, began), began))

    def break_between(self, count: int, change: int, t: float) -> float:
        """Return when ``change`` began, without a swing: at the likeliest break in the readings, else ``t``."""
        new = (count + change) * self._card_grams + self._zero.grams
        old = count * self._card_grams + self._zero.grams
        best, total, start = 0.0, 0.0, t
        readings = list(self._readings)
        place = len(readings) - 1
        double = 2 * self._noise.variance
        for index in range(len(readings) - 1, -1, -1):
            at, grams, settled = readings[index]
            if index + 1 < len(readings) and readings[index + 1][0] - at > 2 * BURST_GAP:
                total -= _GAP_COST
            if settled:
                fit = ((grams - old) ** 2 - (grams - new) ** 2) / double
                total += max(-CLIP, min(CLIP, fit))
            if total > best:
                best, place, start = total, index, at
        while place > 0:
            at, grams, settled = readings[place - 1]
            toward = (grams - old) * (1 if change > 0 else -1)
            if settled or start - at > 0.4 or toward < 0.1 * self._card_grams:
                break
            place, start = place - 1, at
        return min(start, t)
