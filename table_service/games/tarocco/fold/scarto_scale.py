"""Whether the scale under the scarto surely speaks against two cards: a single step of it may be one that wavered."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import mean, stdev
from typing import Final

from table_service.games.tarocco.rules.deal import SCARTO

SWINGS_S: Final = 0.2
"""So long after the cards were put there a plate may still swing."""
LEAST_READINGS: Final = 3
LEAST_ERROR_G: Final = 0.1
"""No scale is taken to read closer than that."""
ERRORS: Final = 3.0
"""The weight must lie so many standard errors beyond half a card from that of two cards."""


def is_weighed(weighed: Sequence[tuple[float, float]], since: float, count: int, card_grams: float) -> bool:
    """True where readings at rest after ``since`` bear out ``count`` cards; another number than two beyond doubt.

    ``weighed``: log times and grams, also those of the empty plate before. Of readings that waver, more are needed.
    """
    if count == SCARTO:
        return True
    empty = [grams for t, grams in weighed if t < since]
    lying = [grams for t, grams in weighed if t > since + SWINGS_S]
    if len(lying) < LEAST_READINGS:
        return False
    weight = mean(lying) - (mean(empty) if empty else 0.0)
    error = max(stdev(lying), LEAST_ERROR_G) / math.sqrt(len(lying))
    return abs(weight - SCARTO * card_grams) > card_grams / 2 + ERRORS * error
