"""Check that the load of a plate at rest weighs a whole number of cards."""

from __future__ import annotations

from math import sqrt
from typing import Final

from table_service.tracking.plate_zero import PlateNoise
from table_service.tracking.scale_steps import Misfit

_MISFIT: Final = 0.3
"""Share of a card by which a settled weight may miss a whole number before it is no count."""


class WholeCards:
    """The running mean of a plate's readings at rest, against the accepted number of cards.

    ``misfit``: the mean is no whole number of cards.
    """

    __slots__ = ("_card_grams", "_noise", "_plateau", "_zone", "misfit")

    def __init__(self, zone: str, card_grams: float, noise: PlateNoise) -> None:
        self.misfit = False
        self._zone = zone
        self._card_grams = card_grams
        self._noise = noise
        self._plateau = (0, 0.0)

    def begin_anew(self) -> None:
        """Begin anew as the plate swings: what it weighed before says nothing of what it weighs now."""
        self._plateau = (0, 0.0)

    def feed(self, t: float, rest: float, count: int) -> list[Misfit]:
        """Take a reading at rest, ``rest`` grams off the ``count`` accepted cards; return the changes."""
        number, total = self._plateau
        if number and self.leaps(rest - total / number):
            number, total = 0, 0.0
        number, total = number + 1, total + rest
        self._plateau = (number, total) if number < 12 else (6, total / 2)
        mean, spread = total / number, sqrt(self._noise.variance / number)
        off = number >= 6 and abs(mean) > _MISFIT * self._card_grams and abs(mean) > 5 * spread
        fits = number >= 4 and abs(mean) < 0.15 * self._card_grams + 2 * spread
        if off and not self.misfit:
            self.misfit = True
            return [Misfit(self._zone, t, fits=False, count=count)]
        if fits and self.misfit:
            self.misfit = False
            return [Misfit(self._zone, t, fits=True, count=count)]
        return []

    def leaps(self, change: float) -> bool:
        """Return True if readings at rest differ by more than noise: cards came or went, though without a swing."""
        return abs(change) > max(0.5 * self._card_grams, 7 * sqrt(self._noise.variance))
