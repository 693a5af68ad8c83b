"""Number of cards on the scale under the scarto, and whether it surely contradicts two: one step may waver."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import mean, stdev
from typing import Final

from hw import zones
from hw.zones import tricks
from table_service.games.tarocco.fold.course import Course
from table_service.games.tarocco.rules.deal import SCARTO

SWINGS_S: Final = 0.2
"""So long after the cards were put there a plate may still swing."""
LEAST_READINGS: Final = 3
LEAST_ERROR_G: Final = 0.1
"""No scale is taken to read closer than that."""
ERRORS: Final = 3.0
"""The weight must lie so many standard errors beyond half a card from that of two cards."""
FEW: Final = 4
"""Of so many readings the error is taken to be twice what they show: a few may lie close together by chance."""


def is_weighed(weighed: Sequence[tuple[float, float]], since: float, count: int, card_grams: float) -> bool:
    """Return True if readings at rest after ``since`` bear out ``count`` cards; another number than two beyond doubt.

    ``weighed``: log times and grams, also those of the empty plate before. Of readings that waver, more are needed.
    """
    if count == SCARTO:
        return True
    empty = [grams for t, grams in weighed if t < since]
    lying = [grams for t, grams in weighed if t > since + SWINGS_S]
    if len(lying) < LEAST_READINGS:
        return False
    weight = mean(lying) - (mean(empty) if empty else 0.0)
    error = max(stdev(lying), LEAST_ERROR_G) / math.sqrt(len(lying)) * (1 + FEW / len(lying))
    return abs(weight - SCARTO * card_grams) > card_grams / 2 + ERRORS * error


class ScartoScale:
    """The readings of the scale under the scarto in one deal. ``card_grams``: what a card weighs."""

    def __init__(self, card_grams: float) -> None:
        self._card_grams = card_grams
        self._readings: list[tuple[float, float]] = []
        self.weighed: int | None = None
        """How many cards it counted before play, where its readings leave no doubt."""

    def read(self, t: float, grams: float) -> None:
        """Take a reading at rest, at log time ``t``."""
        self._readings.append((t, grams))

    def count(self, course: Course, counted: Callable[[str], int | None]) -> int | None:
        """Return the number of cards on the scale; None once others lie there. ``counted``: count of a zone's scale."""
        line = course.deal.scartatore.line
        if course.piled[line] or course.deal.play.taken or course.scarto_by is None:
            return None
        known = [count for zone in (tricks(line), zones.SCARTO) if (count := counted(zone)) is not None]
        if known and (readings := self._before_play(course)):
            sure = is_weighed(readings, course.scarto_by.committed_t, sum(known), self._card_grams)
            self.weighed = sum(known) if sure else None
        return sum(known) if known and not course.deal.has_begun else None

    def _before_play(self, course: Course) -> list[tuple[float, float]]:
        """Return the readings until the first card was laid: then an unseen trick may lie there as well."""
        begun = min((one.move.committed_t for one in course.laid), default=math.inf)
        return [(t, grams) for t, grams in self._readings if t <= begun]
