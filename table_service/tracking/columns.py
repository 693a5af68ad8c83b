"""Column of a row of melds: a card laid towards a meld without touching it lies in line with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot
from typing import Final

Spot = tuple[float, float]
"""Place of a card, in millimetres from the table's centre."""
_ASIDE: Final = 20.0
"""Millimetres from the middle line of a column, which runs along a side of the table, for a card to lie in it."""
_NEAR: Final = 130.0
"""Millimetres from the middle of a card to that of the next within which one is laid towards the other."""


def _spread(spots: Sequence[Spot], axis: int) -> float:
    return max(spot[axis] for spot in spots) - min(spot[axis] for spot in spots)


def in_column(row: int, spots: Mapping[int, Sequence[Spot]]) -> int | None:
    """Return the nearest row in whose column the cards of ``row`` lie; None if there is none."""
    mine = spots.get(row, ())
    if not mine:
        return None
    found: list[tuple[float, int]] = []
    for other, theirs in spots.items():
        if other == row or len(theirs) < 2:
            continue
        across = 0 if _spread(theirs, 1) > _spread(theirs, 0) else 1
        middle = sum(spot[across] for spot in theirs) / len(theirs)
        aside = max(abs(spot[across] - middle) for spot in mine)
        apart = min(hypot(x - a, y - b) for x, y in mine for a, b in theirs)
        if aside <= _ASIDE and apart <= _NEAR:
            found.append((apart, other))
    return min(found)[1] if found else None
