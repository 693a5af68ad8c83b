"""Print on the paper of cards, in a mask of the paper's colour: pips and figures are of the card as well."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

UNLIKE: Final = 16.0
"""Distance in Lab (a and b count twice) within which a pixel is of the paper's colour, at least;"""
PRINT: Final = 0.14
"""Width, in card heights, of what is printed at one piece, at most;"""
GROUND_IN: Final = 90
"""share in a hundred of the ground around the cards that is less unlike its usual colour than print must be."""
FEWER: Final = 4
"""Every so many pixels, along and across, tell the ground's colour."""
HOLE: Final = 0.5
"""Area, in areas of a card, below which what paper encloses is print."""


def with_print(
    is_paper: NDArray[np.bool_], lab: NDArray[np.float32], around: NDArray[np.bool_], tall: float
) -> NDArray[np.bool_]:
    """Return the mask of the paper with what is printed on it: unlike the ground, and paper at both sides of it.

    The strip that shows of a joker or a court card is more print than paper. ``lab``: colours of the picture, as
    ``UNLIKE`` counts; ``around``: mask of the ground; ``tall``: height of a card, px.
    """
    ground = lab[::FEWER, ::FEWER][around[::FEWER, ::FEWER]]
    if not len(ground):
        return is_paper
    usual = np.median(ground, axis=0)
    bound = max(UNLIKE, float(np.percentile(np.sqrt(((ground - usual) ** 2).sum(axis=1)), GROUND_IN)))
    wide = max(3, round(PRINT * tall) | 1)
    closed = cv2.morphologyEx(is_paper.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((wide, wide), np.uint8))
    may_be = closed.view(np.bool_) & ~is_paper
    printed = is_paper.copy()
    printed[may_be] = ((lab[may_be] - usual) ** 2).sum(axis=1) > bound * bound
    return printed


def without_holes(mask: NDArray[np.bool_], area: float) -> NDArray[np.bool_]:
    """Return the mask of the paper with all that it encloses and that is small against ``area``, a card's (px).

    Pips may be as dark as the ground is.
    """
    contours, tree = cv2.findContours(mask.astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    outer = tree[0][:, 3] if len(contours) else ()
    holes = [c for c, around in zip(contours, outer, strict=True) if around >= 0 and cv2.contourArea(c) < HOLE * area]
    filled = mask.astype(np.uint8)
    cv2.drawContours(filled, holes, -1, 1, cv2.FILLED)
    return filled.view(np.bool_)
