"""Possible places of cards, found by outlines of what is not cloth or of what has changed, without keypoints.

A row is as wide or as high as one card; a card that was laid has changed the picture where it lies.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.surface import VIEW_MM, Mask

FILLED: Final = 0.8
"""Share of its rectangle that a row fills at least."""
AS_WIDE: Final = 0.08
"""Share by which a row may be broader than its cards: none lies quite straight."""
LONGER: Final = 1.05
"""A row is so much longer than one of its cards, at least."""
CHANGED: Final = 0.6
"""Share of a card that differs at least from what lay there before: paper on paper does not."""
THIN: Final = 3
"""Pixels of a view below which a change is a line: the rim of a card that was pushed, a shadow."""


def laid_cards(changed: Mask, tall: tuple[float, float], aspect: float) -> list[NDArray[np.float64]]:
    """Return the corners (4, 2 mm, clockwise from an upper left one) of the single cards that ``changed`` may show.

    ``changed``: a view's mask of what is no cloth and looks otherwise than before; ``tall`` and ``aspect`` as in
    ``ends_of_rows``. A thing of another size than one card's gives none.
    """
    solid = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_OPEN, np.ones((THIN, THIN), np.uint8))
    count, labels = cv2.connectedComponents(solid)
    found = []
    for n in range(1, count):
        centre, (wide, high), turn, filled = _rectangle(labels == n)
        fair = tall[0] * (1 - AS_WIDE) <= high <= tall[1] * (1 + AS_WIDE)
        if fair and filled >= CHANGED and abs(wide / high / aspect - 1) <= 2 * AS_WIDE:
            found += _at_the_ends(centre, turn, 0.0, (wide, high), across=False)[:1]
    return found


def ends_of_rows(cards: Mask, where: Mask, tall: tuple[float, float], aspect: float) -> list[NDArray[np.float64]]:
    """Return the corners (4, 2 mm, clockwise from an upper left one) of the cards that may end rows within ``cards``.

    ``cards``: a view's mask of what is no cloth; only things that reach into ``where`` are looked at. ``tall``: the
    least and the greatest height of a card in mm; ``aspect``: its width over its height.
    """
    labels = cv2.connectedComponents(cards.astype(np.uint8))[1]
    found = []
    for n in np.setdiff1d(np.unique(labels[where]), [0]):
        centre, (wide, high), turn, filled = _rectangle(labels == n)
        if filled < FILLED:
            continue
        for card, along in _cards_across(wide, tall, aspect):
            if high > LONGER * along:
                found += _at_the_ends(centre, turn, (high - along) / 2, card, across=along != card[1])
    return found


def _rectangle(thing: Mask) -> tuple[NDArray[np.float64], tuple[float, float], float, float]:
    """Return the least rectangle around ``thing``: middle and (short, long) side in mm, turn, and the share filled.

    The turn is that of its long side, degrees clockwise from upright.
    """
    spots = np.argwhere(thing)[:, ::-1].astype(np.float32)
    middle, (wide, high), turn = cv2.minAreaRect(spots)
    wide, high = (wide + 1) * VIEW_MM, (high + 1) * VIEW_MM
    if wide > high:
        wide, high, turn = high, wide, turn + 90.0
    half = thing.shape[0] * VIEW_MM / 2
    centre = np.array([(middle[0] + 0.5) * VIEW_MM - half, half - (middle[1] + 0.5) * VIEW_MM])
    return centre, (wide, high), turn, len(spots) * VIEW_MM**2 / (wide * high)


def _cards_across(wide: float, tall: tuple[float, float], aspect: float) -> list[tuple[tuple[float, float], float]]:
    """Return the sizes (width, height) of cards that make a row so ``wide``, with how long each is along the row."""
    fits = []
    if tall[0] <= wide <= tall[1] * (1 + AS_WIDE):
        fits.append(((wide * aspect, wide), wide * aspect))
    if tall[0] <= wide / aspect <= tall[1] * (1 + AS_WIDE):
        fits.append(((wide, wide / aspect), wide / aspect))
    return fits


def _at_the_ends(
    centre: NDArray[np.float64], turn: float, far: float, card: tuple[float, float], *, across: bool
) -> list[NDArray[np.float64]]:
    """Cards ``far`` mm from ``centre`` along a row whose long side is ``turn`` degrees clockwise from upright."""
    rad = np.radians(-turn)
    along = np.array([-np.sin(rad), np.cos(rad)])
    up = np.array([along[1], -along[0]]) if across else along
    right = np.array([up[1], -up[0]])
    w, h = card[0] / 2, card[1] / 2
    ring = np.array([-w * right + h * up, w * right + h * up, w * right - h * up, -w * right - h * up])
    return [centre + side * far * along + ring for side in (1.0, -1.0)]
