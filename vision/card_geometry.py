"""Cards as they lie on the table, in millimetres: which can be one, how a pile is ordered, where their edges are."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from hw.layout import CARD_HEIGHT, CARD_WIDTH
from vision.grouping import Corner, Found

STACKED_MM: Final = 5.0
"""Least distance between the middles of two cards; of two that are closer the less certain is a misreading."""
DOUBT_BELOW: Final = 0.28
"""Heat times confidence of a lone corner below which it is no card: a pip or a figure that looked like an index. Set
on rendered tables (seed 925), where 7 of 855 true corners lie below it and two thirds of the false ones."""


def doubtful(card: Found, corners: list[Corner]) -> bool:
    """Return True if a card has one weak corner only: weak in single looks, as votes make a guess look certain."""
    corner = corners[card.corners[0]]
    return len(card.corners) == 1 and min(card.confidence, corner.there) * corner.heat < DOUBT_BELOW


def without_stacked(cards: list[Found]) -> list[Found]:
    """Return the cards without those that would lie exactly upon a surer one."""
    spots = np.array([(c.x, c.y) for c in cards]) if cards else np.zeros((0, 2))
    close = np.hypot(*(spots[:, None] - spots[None]).transpose(2, 0, 1)) <= STACKED_MM
    order = sorted(range(len(cards)), key=lambda n: (-len(cards[n].corners), -cards[n].confidence, *spots[n]))
    kept: list[int] = []
    alone = close.sum(axis=1) == 1
    for n in order:
        if alone[n] or not close[n, kept].any():
            kept.append(n)
    return [cards[n] for n in kept]


def outlines(cards: list[Found]) -> NDArray[np.float64]:
    """Return the corners (n, 4, 2 mm) of the cards."""
    if not cards:
        return np.zeros((0, 4, 2))
    middle = np.array([(c.x, c.y) for c in cards])
    across = np.array([c.right for c in cards]) * (CARD_WIDTH / 2)
    down = np.array([c.down for c in cards]) * (CARD_HEIGHT / 2)
    return np.stack([middle - across - down, middle + across - down, middle + across + down, middle - across + down], 1)


def one_card(one: Found, other: Found) -> bool:
    """Return True if two readings are the same card."""
    return one.face == other.face and float(np.hypot(one.x - other.x, one.y - other.y)) < 10.0


def angle_of(card: Found) -> float:
    """Degrees anticlockwise modulo 180, 0 upright seen from South."""
    return round(float(np.degrees(np.arctan2(-card.down[1], -card.down[0])) - 90.0) % 180.0, 1) % 180.0


def pile_order(cards: list[Found]) -> list[int]:
    """Places in a fanned pile, 0 the bottom: a covered card shows the end that no later card lies on."""
    if not cards:
        return []
    spots = np.array([(c.x, c.y) for c in cards])
    axis = np.array([1.0, 0.0])
    if len(cards) > 1:
        spread = spots - spots.mean(axis=0)
        axis = np.linalg.svd(spread, full_matrices=False)[2][0]
    axis = axis if axis[int(np.abs(axis).argmax())] > 0 else -axis
    lean = 0.0
    for card in cards:
        if len(card.corners) == 1:  # from the corner that shows to the card's middle: where later cards lie
            toward = np.array(card.right) * CARD_WIDTH + np.array(card.down) * CARD_HEIGHT
            along = float(toward @ axis)
            lean += float(np.sign(along)) if abs(along) > 20 else 0.0
    if lean < 0:
        axis = -axis
    ranks = np.argsort(np.argsort(spots @ axis, kind="stable"), kind="stable")
    return [int(r) for r in ranks]
