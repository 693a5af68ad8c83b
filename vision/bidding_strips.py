"""The visible part of a bidding card beside the cards that lie over it.

Cells are those of ``bidding_faces``, places those of ``bidding_places``.
"""

from __future__ import annotations

from math import cos, radians, sin
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.bidding_faces import CELLS, RIM, UPPER
from vision.bidding_places import CardPose

NEAREST_MM: Final = 3.0
"""Width of a strip below which it decides nothing."""
SIGNS_MM: Final = 14.0
"""Widest part of a card that is compared: its signs are there."""
RIM_MM: Final = 0.7
"""Width of a strip beside the card above it that is not compared: that card's shadow falls there."""
Shows = NDArray[np.bool_]


def too_little(shows: Shows) -> bool:
    """True if too little shows to decide anything by it."""
    return float(shows.sum()) < (NEAREST_MM - RIM_MM) * CELLS[0] * UPPER / 2


def strip_of(wide: float) -> Shows:
    """Mask of the left side of a card, ``wide`` millimetres wide."""
    return every_second_row(np.ones((UPPER, round(wide * CELLS[0])), np.bool_))


def every_second_row(shows: Shows) -> Shows:
    """``shows`` without every second row: for a fit they are enough."""
    few = shows.copy()
    few[::2] = False
    return few


def shows_of(one: CardPose, above: list[CardPose], rows: int = UPPER, columns: int | None = None) -> Shows:
    """Mask of the cells (rows, columns), from RIM on, that show of ``one`` beside the cards ``above`` it."""
    if columns is None:
        wide = SIGNS_MM if not above else max(NEAREST_MM, above[0].index_u - one.index_u) + 4.0
        columns = round(min(SIGNS_MM, wide) * CELLS[0]) - RIM
    shows = np.ones((rows, columns), np.bool_)
    if not above:
        return shows
    y, x = np.mgrid[0:rows, 0:columns]
    x, y = (x + RIM + 0.5) / CELLS[0], (y + RIM + 0.5) / CELLS[1]
    own = radians(one.tilt)
    us, vs = one.u + x * cos(own) - y * sin(own), one.v + x * sin(own) + y * cos(own)
    for other in above[:2]:
        turn = radians(other.tilt)
        across = (us - other.u) * cos(turn) + (vs - other.v) * sin(turn)
        down = -(us - other.u) * sin(turn) + (vs - other.v) * cos(turn)
        shows &= ~((across > -RIM_MM) & (down > -RIM_MM))
    return shows
