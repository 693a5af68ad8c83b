"""Likelihood of each change in the number of cards on a plate, by its readings and by other sensors."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from typing import Final

from table_service.tracking.plate_zero import PlateNoise
from table_service.tracking.recent_readings import CLIP
from table_service.tracking.zone_roles import PlateHabit

SURE: Final = 13.8
"""Lead in log-likelihood at which a count is taken at once: an error of one in a million."""
_UNUSUAL: Final = 4.0
"""Cost, against one card drawn or discarded, of any other change without other evidence."""
_NEVER: Final = -1e9


class ChangeWeights:
    """Log-likelihoods of changes, the likeliest 0: that nothing has changed is always among them.

    ``count`` below is what lay there before the change. ``usual``: how many cards come or go at a time, if known.
    """

    __slots__ = ("_card_grams", "_empties", "_hints", "_noise", "_spent", "_weights", "usual")

    def __init__(self, card_grams: float, noise: PlateNoise, habit: PlateHabit) -> None:
        self.usual = habit.usual
        self._empties = habit.empties
        self._card_grams = card_grams
        self._noise = noise
        self._weights: dict[int, float] = {0: 0.0}
        self._hints: dict[int, tuple[float, float]] = {}
        self._spent: frozenset[float] = frozenset()

    def __getitem__(self, change: int) -> float:
        return self._weights.get(change, _NEVER)

    @property
    def top(self) -> float:
        """The weight of the likeliest."""
        return max(self._weights.values())

    def best(self) -> tuple[int, float]:
        """Return the likeliest change, the smallest of equals, and its lead over the next."""
        best, most, second = 0, -math.inf, _NEVER
        for change, weight in self._weights.items():
            if weight > most or (weight == most and abs(change) < abs(best)):
                best, most, second = change, weight, max(most, second)
            elif weight > second:
                second = weight
        return best, most - second

    def is_hinted(self, change: int) -> bool:
        """Return True if another sensor has spoken for ``change`` since the last step."""
        return change in self._hints

    @property
    def hinted(self) -> bool:
        """True if another sensor has spoken for any change since the last step."""
        return bool(self._hints)

    def unusual(self, change: int, count: int) -> float:
        """Return how much less likely ``change`` is than the usual one.

        Cards come to a pile and leave a stack that is drawn from one by one; elsewhere they may go all together.
        """
        if change == self.usual or (change < 0 and count + change == 0 and self._empties):
            return 0.0
        if change == -1:
            return _UNUSUAL / 2
        return _UNUSUAL

    def admit(self, changes: set[int], count: int, t: float, weight: float) -> None:
        """Take ``changes`` into question with ``weight``: less if unusual, more if another sensor hints."""
        for change in sorted(changes - {0}):
            if count + change < 0:
                continue
            until, hint = self._hints.get(change, (_NEVER, 0.0))
            start = weight - self.unusual(change, count) + (hint if t <= until else 0.0)
            if self._weights.get(change, _NEVER) < start:
                self._weights[change] = start

    def weigh(self, residual: float) -> None:
        """Take a reading at rest, ``residual`` grams off what nothing having changed would weigh."""
        double = 2 * self._noise.variance
        weighed = {
            change: weight - min((residual - change * self._card_grams) ** 2 / double, CLIP)
            for change, weight in self._weights.items()
        }
        top = max(weighed.values())
        self._weights = {change: weight - top for change, weight in weighed.items() if change == 0 or weight > top - 40}

    def weigh_heap(self, rest: Sequence[float], counts: Iterable[int]) -> None:
        """Weigh ``counts`` of a first heap by all its readings at rest, the plate's zero taken off.

        The noise is hardly known so early: if these readings stray further, they count for less.
        """
        double = 2 * max(self._noise.variance, statistics.variance(rest))
        weights = {
            count: -sum(min((grams - count * self._card_grams) ** 2 / double, CLIP) for grams in rest)
            for count in counts
        }
        top = max(weights.values())
        self._weights = {count: weight - top for count, weight in weights.items()}

    def keep_unchanged(self, weight: float) -> None:
        """Let nothing having changed weigh ``weight``."""
        self._weights[0] = weight

    def forget(self) -> None:
        """Reset to no change."""
        self._weights = {0: 0.0}

    def taken(self, change: int) -> None:
        """``change`` came about: what else it may have been stays in question, the next readings may still show it."""
        behind = -self._weights[change]
        self._weights = {k - change: w + behind for k, w in self._weights.items() if w + behind > -CLIP - SURE}

    def spend_hints(self) -> None:
        """Forget what other sensors said up to now: a step was taken, and it speaks for no other."""
        self._spent = frozenset(until for until, _ in self._hints.values())
        self._hints.clear()

    def hint(self, change: int, weight: float, until: float, count: int) -> bool:
        """Another sensor speaks for ``change`` up to ``until``; whether that brings a change into question.

        Repeated with the same ``until`` it counts once, and for one step only.
        """
        if until in self._spent or self._hints.get(change, (None, 0.0))[0] == until:
            return False
        self._hints[change] = (until, weight)
        if change == 0 or count + change < 0:
            return False
        self._weights[change] = self._weights.get(change, self._weights[0] - 2 * CLIP) + weight
        return True
