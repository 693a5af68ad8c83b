"""Two cards that were read in a photograph, and may be one: by another index of its own, misread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.laid_groups import SeenCard

INDEX_IN: Final = 0.14
"""Distance of an index from its card's corner, as a share of the way to the card's middle."""
AT_INDEX: Final = 0.16
"""Distance, in card heights, within which two places are one index."""
ENDS: Final = (0.45, 2.0)
"""Distance of a card's other end, in the width and height known from its index, in a pressed picture."""


def may_be_one_card(one: SeenCard, other: SeenCard) -> bool:
    """True if two cards that were read may be one that was read twice."""
    return _may_be_one(one, other) or _may_be_one(other, one) or _may_be_ends(one, other)


def _may_be_one(one: SeenCard, other: SeenCard) -> bool:
    """True if the index by which ``other`` was read may be another of ``one``'s own, misread: of one rank, and there.

    Its lower ones are upside down; the one beside it, in a pack with four, is to its right or left.
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


def _spot(card: SeenCard) -> NDArray[np.float64]:
    """Place of the index by which a card was read."""
    return np.asarray(card.outline[0] + INDEX_IN * (card.centre - card.outline[0]))
