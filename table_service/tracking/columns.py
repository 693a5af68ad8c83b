"""Which rows of melds lie in one column: a card laid towards a meld without touching it lies in line with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot
from typing import Final

Spot = tuple[float, float]
"""Where a card lies, in millimetres from the table's centre."""
_ASIDE: Final = 20.0
"""Millimetres from the middle line of a column within which a card lies in it: less than a third of a card's width."""
_NEAR: Final = 130.0
"""Millimetres from the middle of a card to that of the next within which one is laid towards the other."""


def in_column(row: int, spots: Mapping[int, Sequence[Spot]]) -> int | None:
    """The row in whose column the cards of ``row`` lie, the nearest; None where there is none."""
    mine = spots.get(row, ())
    if not mine:
        return None
    found: list[tuple[float, int]] = []
    for other, theirs in spots.items():
        if other == row or len(theirs) < 2:
            continue
        (x0, y0), (x1, y1) = theirs[0], theirs[-1]
        length = hypot(x1 - x0, y1 - y0)
        if length < 1.0:
            continue
        ux, uy = (x1 - x0) / length, (y1 - y0) / length
        aside = max(abs((x - x0) * uy - (y - y0) * ux) for x, y in mine)
        apart = min(hypot(x - a, y - b) for x, y in mine for a, b in theirs)
        if aside <= _ASIDE and apart <= _NEAR:
            found.append((apart, other))
    return min(found)[1] if found else None
