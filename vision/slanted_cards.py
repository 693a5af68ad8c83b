"""Indices of one card that has one in all four corners and is seen from aside: its edges meet at no right angle.

However slanted a card is seen, an index runs along the card's side: it points to the index at the side's other end,
and that one points back. Everything is in pixels of the picture, y down.
"""

from __future__ import annotations

import math
from itertools import permutations
from typing import Final

from vision.grouping import Corner

ALONG: Final = math.cos(math.radians(20.0))
"""Least cosine with which the indices at the ends of a side point at each other; with 15 or 30 degrees photographs
read the same."""
DRAWN: Final = (0.5, 1.8)
"""Shortest and longest side or end of the card against the pack's own, in index heights."""
ALIKE: Final = 0.7
"""Least cosine between the directions of the two indices at one end."""
AMISS: Final = math.cos(math.radians(30.0))
"""An end of a card is not turned to its side by less than this."""
SIDES: Final = 2.0
"""One side of a card is so much longer than the other at most."""


def are_of_one_card(corners: list[Corner], across: float, down: float) -> bool:
    """Return whether three or four corners of one face can be indices of one card.

    ``across`` and ``down``: from index to index of the pack, in index heights.
    """
    one_end = [c for c in corners if _cosine(c.down, corners[0].down) > 0]
    other_end = [c for c in corners if _cosine(c.down, corners[0].down) <= 0]
    if len(one_end) < len(other_end):
        one_end, other_end = other_end, one_end
    if len(one_end) != 2 or len(other_end) not in (1, 2):
        return False
    if not all(_is_end(end[0], end[1], across) for end in (one_end, other_end) if len(end) == 2):
        return False
    return any(_are_sides(first, second, other_end, down) for first, second in permutations(one_end))


def _are_sides(first: Corner, second: Corner, other_end: list[Corner], down: float) -> bool:
    """Return whether the first of the other end is at the side of ``first``, and its second at that of ``second``.

    If the other end shows one index only, ``second`` must point along the one side that is known.
    """
    if not _is_side(first, other_end[0], down):
        return False
    side = _way(first, other_end[0])
    if len(other_end) == 1:
        return _cosine(second.down, side) > ALONG
    sides = math.hypot(*side), math.hypot(*_way(second, other_end[1]))
    return _is_side(second, other_end[1], down) and max(sides) < SIDES * min(sides)


def _is_side(one: Corner, other: Corner, down: float) -> bool:
    """Return whether two indices point at each other from about so far (index heights)."""
    way, back = _way(one, other), _way(other, one)
    return _reaches(one, other, down) and min(_cosine(one.down, way), _cosine(other.down, back)) > ALONG


def _is_end(one: Corner, other: Corner, across: float) -> bool:
    """Return whether two indices point the same way and are beside each other, about this far (index heights)."""
    if _cosine(one.down, other.down) < ALIKE or not _reaches(one, other, across):
        return False
    return abs(_cosine(one.down, _way(one, other))) < AMISS


def _reaches(one: Corner, other: Corner, heights: float) -> bool:
    far = math.hypot(*_way(one, other)) * 2 / (one.height + other.height)
    return DRAWN[0] * heights < far < DRAWN[1] * heights


def _way(one: Corner, other: Corner) -> tuple[float, float]:
    return other.x - one.x, other.y - one.y


def _cosine(one: tuple[float, float], other: tuple[float, float]) -> float:
    return (one[0] * other[0] + one[1] * other[1]) / (math.hypot(*one) * math.hypot(*other) or 1.0)
