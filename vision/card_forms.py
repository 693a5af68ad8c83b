"""Outlines of cards read in a photograph, made as tall, wide and slanted as the cards truly are."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.grouping import DEFAULT_ACROSS, DEFAULT_DOWN

if TYPE_CHECKING:
    from vision.laid_groups import SeenCard

ACROSS: Final = 0.25
"""Share of a card's width, and of its height, by which two indices across it from each other are apart at least."""
BOTH_ENDS: Final = 2
"""Indices by which a card's middle is known: they lie across it from each other."""
FROM_END_TO_END: Final = math.hypot(DEFAULT_ACROSS, DEFAULT_DOWN)
"""Their distance, in heights of a card."""


@dataclass(frozen=True, slots=True)
class Form:
    """Change of an outline: ``tall`` and ``wide`` times, its upper side and its left one askew by a share."""

    tall: float = 1.0
    wide: float = 1.0
    across: float = 0.0
    down: float = 0.0


def as_measured(cards: list[SeenCard]) -> list[SeenCard]:
    """The cards as tall as those of their pack are that were read by both ends: a printed index says little of that."""
    known = [apart / card.height for card in cards if (apart := from_end_to_end(card)) is not None]
    if not known:
        return cards
    tall = float(np.median(known)) / FROM_END_TO_END
    return [formed(card, Form(tall)) for card in cards]


def from_end_to_end(card: SeenCard) -> float | None:
    """Distance of two indices of ``card`` that lie across it from each other; None if no two such were read.

    In a pack with four indices two may be at one edge, and say nothing of the card's height.
    """
    if not len(card.indices):
        return 2 * float(np.hypot(*(card.centre - card.spot))) if card.ends == BOTH_ENDS else None
    sides = np.column_stack([card.outline[1] - card.outline[0], card.outline[3] - card.outline[0]])
    if abs(float(np.linalg.det(sides))) < 1e-6:
        return None
    shares = np.linalg.solve(sides, card.indices.T).T
    across = [
        float(np.hypot(*(card.indices[a] - card.indices[b])))
        for a, b in combinations(range(len(shares)), 2)
        if bool((np.abs(shares[a] - shares[b]) > ACROSS).all())
    ]
    return max(across, default=None)


def formed(card: SeenCard, form: Form) -> SeenCard:
    """The card with an outline of that form, about its index; about its middle if it was read by both ends."""
    corner, fixed = card.outline[0], card.spot if from_end_to_end(card) is None else card.centre
    right, down = card.outline[1] - corner, card.outline[3] - corner
    sides = np.column_stack([right, down])
    if abs(float(np.linalg.det(sides))) < 1e-6:
        return card
    over = np.hypot(*down) / max(float(np.hypot(*right)), 1e-6)
    wide = form.tall * form.wide * (right + form.across / over * down)
    high = form.tall * (down + form.down * over * right)
    shares = np.linalg.solve(sides, (card.outline - fixed).T)
    return replace(card, outline=fixed + (np.column_stack([wide, high]) @ shares).T)
