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
"""An index stands so far from a card's corner, as a share of the way to its middle."""
AT_INDEX: Final = 0.16
"""Of a card's height: so near two places are one index."""
ENDS: Final = (0.45, 2.0)
"""Of a card's width and height as they are known from its index: the other end of a card lies so far away, pressed."""
SURELY: Final = 0.9
"""Confidence from which a card that is read may say what another hides."""


def may_be_one_card(one: SeenCard, other: SeenCard, every: Sequence[SeenCard]) -> bool:
    """True if ``one`` and ``other``, of ``every`` card of the picture, may be one that was read twice."""
    may = _may_be_one(one, other) or _may_be_one(other, one) or _may_be_ends(one, other)
    return may and not _are_parted(one, other, every)


def _may_be_one(one: SeenCard, other: SeenCard) -> bool:
    """True if the index by which ``other`` was read may be another of ``one``'s own, misread: of one rank, and there.

    Its lower ones stand on their heads; the one beside it, of a pack with four, stands to its right or left.
    """
    if one.face[0] != other.face[0]:
        return False
    alike = float(one.down @ other.down) / (one.height * other.height)
    spot = _spot(other)
    own = one.outline + INDEX_IN * (one.centre - one.outline)
    ends = own[2:] if alike < -0.9 else np.array([own[1], 2 * own[0] - own[1]])
    return abs(alike) > 0.9 and float(np.hypot(*(ends - spot).T).min()) < AT_INDEX * one.height


def _may_be_ends(one: SeenCard, other: SeenCard) -> bool:
    """True if two cards, each read by one index, may be the two ends of one, of which one was misread.

    They stand on their heads to each other, corner to corner, in a picture that may be pressed; rank or suit agree.
    """
    alike = float(one.down @ other.down) / (one.height * other.height)
    if alike > -0.9 or one.ends != 1 or other.ends != 1 or not set(one.face) & set(other.face):
        return False
    sides = np.column_stack([one.outline[1] - one.outline[0], one.outline[3] - one.outline[0]])
    if abs(np.linalg.det(sides)) < 1.0:
        return False
    across, down = np.linalg.solve(sides, other.outline[0] - one.outline[0])
    return bool(ENDS[0] < across < ENDS[1] and ENDS[0] < down < ENDS[1])


def _spot(card: SeenCard) -> NDArray[np.float64]:
    """Where the index stands by which a card was read."""
    return np.asarray(card.outline[0] + INDEX_IN * (card.centre - card.outline[0]))


def _are_parted(one: SeenCard, other: SeenCard, every: Sequence[SeenCard]) -> bool:
    """True if a third card would hide one of two indices were both of one card: they are of two."""
    return _is_hidden(one, other, every) or _is_hidden(other, one, every)


def _is_hidden(one: SeenCard, other: SeenCard, every: Sequence[SeenCard]) -> bool:
    """True if a third card lies upon ``one`` where ``other`` was read: what is seen there is not ``one``'s own index.

    It lies upon ``one`` if its own index is seen there, where none of ``one``'s stands.
    """
    ring = np.ascontiguousarray(one.outline, np.float32).reshape(-1, 1, 2)
    ends = one.outline + INDEX_IN * (one.centre - one.outline)
    spot = _spot(other)
    for third in every:
        if third is one or third is other or third.at is None:
            continue
        place = _spot(third)
        if third.confidence < SURELY or np.hypot(*(ends - place).T).min() < AT_INDEX * one.height:
            continue
        upon = cv2.pointPolygonTest(ring, (float(place[0]), float(place[1])), measureDist=True) > 0.0
        over = np.ascontiguousarray(third.outline, np.float32).reshape(-1, 1, 2)
        if upon and cv2.pointPolygonTest(over, (float(spot[0]), float(spot[1])), measureDist=True) > 0.0:
            return True
    return False
