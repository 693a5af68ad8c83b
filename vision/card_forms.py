"""Outlines of cards read in a photograph, made as tall, wide and slanted as the cards truly are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from vision.grouping import DEFAULT_ACROSS, DEFAULT_DOWN

if TYPE_CHECKING:
    from vision.laid_groups import SeenCard

ACROSS: Final = 0.25
"""Share of a card's width, and of its height, by which two indices across it from each other are apart at least."""
BOTH_ENDS: Final = 2
"""Indices by which a card's middle is known: they lie across it from each other."""
FROM_END_TO_END: Final = math.hypot(DEFAULT_ACROSS, DEFAULT_DOWN)
"""Their distance, in heights of a card."""
FEWEST_EVEN: Final = 3
"""Cards that lie the same way from which on their heights are evened;"""
SAME_WAY: Final = math.cos(math.radians(15.0))
"""cosine between their directions from which on they do: seen aslant, cards turned otherwise are of another height;"""
ERROR: Final = 0.1
"""error of the logarithm of a card's height where one index tells it;"""
SLOPE: Final = 0.1
"""change of that logarithm from one card height to the next, as it is usual aslant."""
PASSES: Final = 4
"""Times that the plane is fitted, with what lies off it counting less."""
FLAT: Final = 1e-6
"""Area below which an outline has no width."""


@dataclass(frozen=True, slots=True)
class Form:
    """Change of an outline: ``tall`` and ``wide`` times, its upper side and its left one askew by a share."""

    tall: float = 1.0
    wide: float = 1.0
    across: float = 0.0
    down: float = 0.0


def as_measured(cards: list[SeenCard]) -> list[SeenCard]:
    """Return the cards made as tall as their pack's that were read by both ends: one printed index says little.

    What is left of an index's error is taken out by the cards around it: see ``_evened``.
    """
    known = [apart / card.height for card in cards if (apart := from_end_to_end(card)) is not None]
    if known:
        cards = formed(cards, Form(float(np.median(known)) / FROM_END_TO_END))
    return _evened(cards)


def _evened(cards: list[SeenCard]) -> list[SeenCard]:
    """Return the cards, each told by one index as tall as those of the picture that lie the same way let expect there.

    All are of one size and seen in one perspective, so that their heights' logarithms change evenly over the picture;
    one index is read up to a fifth too large or small, and outlines of columns beside each other then overlap.
    """
    if len(cards) < FEWEST_EVEN:
        return cards
    read = np.log([max(card.height, FLAT) for card in cards])
    lone = np.array([card.ends < BOTH_ENDS for card in cards])
    error = np.where(lone, ERROR, ERROR / math.sqrt(2.0))
    downs = np.array([card.down / max(card.height, FLAT) for card in cards])
    spots = np.array([card.centre for card in cards]) / math.exp(float(np.median(read)))
    alike = np.abs(downs @ downs.T) > SAME_WAY
    grown = np.ones(len(cards))
    for n, same in enumerate(alike):
        if lone[n] and same.sum() >= FEWEST_EVEN:
            grown[n] = math.exp(_expected(spots[same] - spots[n], read[same], error[same]) - read[n])
    own = Outlines.of(cards)
    rings = own.fixed[:, None] + grown[:, None, None] * (own.kept - own.fixed[:, None])
    return [replace(card, outline=ring) for card, ring in zip(cards, rings, strict=True)]


def _expected(away: NDArray[np.float64], read: NDArray[np.float64], error: NDArray[np.float64]) -> float:
    """Return the value at the origin of the plane that fits ``read`` best at ``away`` (n, 2), each with its ``error``.

    A slope is as likely as ``SLOPE`` says; what lies far from the plane counts less, for it may be no card.
    """
    terms = np.column_stack([np.ones(len(away)), away])
    prior = np.diag([0.0, SLOPE**-2, SLOPE**-2])
    off = read - np.median(read)
    for _ in range(PASSES):
        weight = 1.0 / (error**2 + off**2)
        plane = np.linalg.solve((terms.T * weight) @ terms + prior, (terms.T * weight) @ read)
        off = read - terms @ plane
    return float(plane[0])


def from_end_to_end(card: SeenCard) -> float | None:
    """Distance of two indices of ``card`` that lie across it from each other; None if no two such were read.

    In a pack with four indices two may be at one edge, and say nothing of the card's height.
    """
    if not len(card.indices):
        return 2 * float(np.hypot(*(card.centre - card.spot))) if card.ends == BOTH_ENDS else None
    sides = np.column_stack([card.outline[1] - card.outline[0], card.outline[3] - card.outline[0]])
    if abs(float(np.linalg.det(sides))) < FLAT:
        return None
    shares = np.linalg.solve(sides, card.indices.T).T
    across = [
        float(np.hypot(*(card.indices[a] - card.indices[b])))
        for a, b in combinations(range(len(shares)), 2)
        if bool((np.abs(shares[a] - shares[b]) > ACROSS).all())
    ]
    return max(across, default=None)


@dataclass(frozen=True, slots=True)
class Outlines:
    """Outlines of cards, ready to be given many forms: all that no form changes is worked out once."""

    kept: NDArray[np.float64]
    """The outlines (n, 4, 2) as they are."""
    fixed: NDArray[np.float64]
    """The points (n, 2) that stay where they are: the index of each card, or its middle if it was read by both ends."""
    right: NDArray[np.float64]
    down: NDArray[np.float64]
    """Two sides (n, 2) of each, and"""
    shares: NDArray[np.float64]
    """its corners (n, 4, 2) from the fixed point, in shares of these."""

    @classmethod
    def of(cls, cards: Sequence[SeenCard]) -> Outlines:
        """Return the outlines of ``cards``."""
        kept = np.array([card.outline for card in cards], np.float64).reshape(-1, 4, 2)
        fixed = [card.spot if from_end_to_end(card) is None else card.centre for card in cards]
        spots = np.array(fixed, np.float64).reshape(-1, 2)
        right, down = kept[:, 1] - kept[:, 0], kept[:, 3] - kept[:, 0]
        sides = np.stack([right, down], axis=2)
        sides[np.abs(np.linalg.det(sides)) < FLAT] = np.eye(2)
        shares = np.linalg.solve(sides, (kept - spots[:, None]).transpose(0, 2, 1)).transpose(0, 2, 1)
        return cls(kept, spots, right, down, np.asarray(shares, np.float64))

    def formed(self, form: Form) -> NDArray[np.float64]:
        """Return the outlines (n, 4, 2) in that form, about their fixed points; one without width stays as it is."""
        right, down = self.right, self.down
        over = np.maximum(np.hypot(*down.T), FLAT)[:, None] / np.maximum(np.hypot(*right.T), FLAT)[:, None]
        wide = form.tall * form.wide * (right + form.across / over * down)
        high = form.tall * (down + form.down * over * right)
        rings = self.fixed[:, None] + self.shares @ np.stack([wide, high], axis=1)
        is_flat = np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]) < FLAT
        return np.where(is_flat[:, None, None], self.kept, rings)


def formed(cards: Sequence[SeenCard], form: Form) -> list[SeenCard]:
    """Return the cards with outlines of that form about their indices; about their middles if read by both ends."""
    rings = Outlines.of(cards).formed(form)
    return [replace(card, outline=ring) for card, ring in zip(cards, rings, strict=True)]
