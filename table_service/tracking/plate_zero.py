"""Weight of an empty plate, and the noise of its readings: both change slowly and are learned."""

from __future__ import annotations

from math import sqrt
from typing import Final

_DRIFT_VARIANCE: Final = 4e-4
"""Grams squared a second: lets the zero follow the assumed 0.05 g a minute, and three times that."""
_FRESH: Final = 0.05
"""Variance in squared grams of a zero that was just set."""


class PlateNoise:
    """The spread of readings in grams, shared by the scales of a table; starts at the assumed 0.3 g."""

    __slots__ = ("_sum", "_weight", "variance")

    def __init__(self) -> None:
        self._sum = 3 * 0.09
        self._weight = 3.0
        self.variance = 0.09

    def pair(self, one: float, other: float) -> None:
        """Two settled readings that followed one another."""
        self._sum += min((one - other) ** 2, 9.0) / 2
        self._weight += 1
        if self._weight > 400:
            self._sum, self._weight = self._sum / 2, self._weight / 2
        self.variance = max(self._sum / self._weight, 0.02)


class PlateZero:
    """The zero of one plate in ``grams``, followed by a filter of one state with the gain that the noise allows."""

    __slots__ = ("_card_grams", "_doubt", "_followed_t", "_noise", "grams")

    def __init__(self, card_grams: float, noise: PlateNoise) -> None:
        self.grams = 0.0
        self._card_grams = card_grams
        self._noise = noise
        self._doubt = _FRESH
        self._followed_t = 0.0

    def follow(self, t: float, residual: float) -> None:
        """Take a reading at rest, ``residual`` grams off the accepted count: the plate may have drifted by it."""
        if abs(residual) > max(0.25 * self._card_grams, 2.5 * sqrt(self._noise.variance)):
            return  # no drift leaps
        self._doubt = min(self._doubt + _DRIFT_VARIANCE * max(0.0, min(t - self._followed_t, 60.0)), 0.2)
        self._followed_t = t
        gain = self._doubt / (self._doubt + self._noise.variance)
        self.grams += gain * residual
        self._doubt *= 1.0 - gain

    def doubt_anew(self) -> None:
        """Doubt the zero anew: it was just set from a few readings."""
        self._doubt = _FRESH
