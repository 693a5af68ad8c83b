"""Number of cards in a pocket of the board, by its scale, even if that was tared with cards in it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from table_service.games.bridge.rules.contract import TRICKS

EMPTIED: Final = TRICKS - 1
"""A pocket from which so many cards were taken out on this board was empty then: one may have been missing."""


@dataclass(slots=True)
class PocketScale:
    """``grams``: of a card. ``least``, ``most``: readings on this board; ``number``: its newest count."""

    grams: float
    least: float = math.inf
    most: float = -math.inf
    number: int | None = None

    def cards(self, weight: float) -> int | None:
        """Return the number of cards of ``weight``; None if it fits no number.

        Until the pocket was seen to be emptied the scale's own zero is taken for an empty one.
        """
        self.least, self.most = min(self.least, weight), max(self.most, weight)
        was_emptied = round((self.most - self.least) / self.grams) >= EMPTIED
        own = weight - self.least if was_emptied else weight
        number = round(own / self.grams)
        fits = abs(own - number * self.grams) <= self.grams / 3
        if not fits and self.number is not None and abs(own - self.number * self.grams) <= self.grams * 2 / 3:
            return self.number  # noise at the edge of the tolerance is no change
        self.number = number if fits and 0 <= number <= 2 * TRICKS else None
        return self.number
