"""Two cards that were read in a photograph, and may be one: by another index of its own, misread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.laid_groups import SeenCard

INDEX_IN: Final = 0.14
"""Distance of an index from its card's corner, as a share of the way to the card's middle."""
AT_INDEX: Final = 0.16
"""Distance, in card heights, within which two places are one index."""
AT_KNOWN_INDEX: Final = 0.12
"""The same on a card read by two indices or more, whose place is known."""
ALL_ENDS: Final = 4
"""A card has no more indices."""
SAME_MIDDLE: Final = 0.3
"""Distance, in card heights, within which two cards, each read by both ends, lie in one place."""
INSIDE: Final = 0.05
"""Distance, in card heights, from a card's edge within which its outline does not say what lies on it."""
ENDS: Final = (0.45, 2.0)
"""Distance of a card's other end, in the width and height known from its index, in a pressed picture."""


def may_be_one_card(one: SeenCard, other: SeenCard, every: Sequence[SeenCard]) -> bool:
    """Return True if two cards that were read, of ``every`` one of the picture, may be one that was read twice."""
    if one.is_proven and other.is_proven:
        return False
    if not (_may_be_one(one, other) or _may_be_one(other, one) or _may_be_ends(one, other)):
        return False
    return not any(_parts(card, one, other) for card in every if card is not one and card is not other)


def _may_be_one(one: SeenCard, other: SeenCard) -> bool:
    """Return True if the index by which ``other`` was read may be ``one``'s own, misread: of one rank, and there.

    Its lower ones are upside down; the one beside it, in a pack with four, is to its right, or to its left where
    nothing but one index says where the card lies. A card read by both ends is where they are, and no end of another.
    """
    if one.face[0] != other.face[0]:
        return False
    both = one.ends > 1 and other.ends > 1
    if other.ends > 1 and not (both and float(np.hypot(*(one.centre - other.centre))) < SAME_MIDDLE * one.height):
        return False
    alike = float(one.down @ other.down) / (one.height * other.height)
    own = one.outline + INDEX_IN * (one.centre - one.outline)
    ends = own[2:] if alike < 0 else own[1:2] if one.ends > 1 else np.array([own[1], 2 * own[0] - own[1]])
    near = (AT_INDEX if one.ends == 1 else AT_KNOWN_INDEX) * one.height
    return abs(alike) > 0.9 and one.ends < ALL_ENDS and float(np.hypot(*(ends - other.spot).T).min()) < near


def _parts(card: SeenCard, one: SeenCard, other: SeenCard) -> bool:
    """Return True if ``card`` lies on ``one`` and would cover the index that ``other`` was read by, were it its own."""
    if card.at is None or any(_may_be_one(card, two) or _may_be_one(two, card) for two in (one, other)):
        return False
    if float(one.down @ other.down) > 0:
        right = one.outline[1] - one.outline[0]
        ways = [(one, other) if float((other.spot - one.spot) @ right) > 0 else (other, one)]
    else:
        ways = [(one, other), (other, one)]
    return any(_holds(under, card.spot) and _holds(card, end.spot) for under, end in ways)


def _holds(card: SeenCard, place: NDArray[np.float64]) -> bool:
    """Return True if ``place`` is well inside a card's outline."""
    ring = np.ascontiguousarray(card.outline, np.float32).reshape(-1, 1, 2)
    inside = cv2.pointPolygonTest(ring, (float(place[0]), float(place[1])), measureDist=True)
    return bool(inside > INSIDE * card.height)


def _may_be_ends(one: SeenCard, other: SeenCard) -> bool:
    """Return True if two cards, each read by one index, may be the two ends of one, of which one was misread.

    They are upside down to each other, corner to corner, in a picture that may be pressed; rank or suit agree.
    """
    alike = float(one.down @ other.down) / (one.height * other.height)
    if alike > -0.9 or one.ends != 1 or other.ends != 1 or not set(one.face) & set(other.face):
        return False
    sides = np.column_stack([one.outline[1] - one.outline[0], one.outline[3] - one.outline[0]])
    if abs(np.linalg.det(sides)) < 1.0:
        return False
    across, down = np.linalg.solve(sides, other.outline[0] - one.outline[0])
    return bool(ENDS[0] < across < ENDS[1] and ENDS[0] < down < ENDS[1])
