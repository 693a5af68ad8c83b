"""The edges of a free card to a fraction of a pixel, its shadow left out: what narrow strips are compared with.

``outlines`` finds cards by what is not their ground, in a smaller picture; a shadow counts there as card. Here each
side is looked for again in the picture itself, where the colour stops being the ground's, shadowed or not.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.faces.geometry import Array, Corners, Points, crossings

ALONG: Final = (0.12, 0.88, 90)
"""The part of a side that is straight whatever the corners, and at how many places its edge is looked for."""
OUT: Final = 0.03
"""Distance outside of a side within which its edge is looked for, in lengths of the card's long side."""
INSIDE: Final = 0.11
"""… and inside, at first."""
NEAR: Final = 0.022
"""… and inside, once the sides are about right."""
RISE: Final = 0.3
"""Share of the steepest change at which the outermost place counts as the edge."""
RISES: Final = (0.2, 0.45, 0.3, 0.12)
"""… as tried for cards that lie together: a border like the ground takes little, a shadow's end more."""
TOGETHER: Final = 8
"""Cards of one size from which the size expected of each is known."""
STRAY: Final = 3.0
"""Cards whose size is off by this many times the median are left out."""
STRAY_PX: Final = 1.5
"""Places farther from the line through the others are left out."""
AGREEING: Final = 0.5
"""Share of the places that must lie on the line; else the side stays as it was."""


def at_its_edges(unlike: Array, corners: Corners, rise: float = RISE) -> Corners:
    """Return the ``corners`` (px) of a card moved to where its edges meet in what is ``unlike`` the ground."""
    for inside in (INSIDE, NEAR):
        corners = _moved(unlike, corners, inside, rise)
    return corners


def all_at_their_edges(unlike: Array, cards: list[Corners]) -> list[Corners]:
    """Return the corners of ``cards`` of one size, each as ``at_its_edges``.

    Where many lie together, seen from anywhere, their widths and heights change evenly over the picture: of several
    cuts of a card the one is taken whose size is nearest to what the others say, and made that large. A border of
    another colour, or of the ground's, makes a cut some pixels too small or too large, all around.
    """
    if len(cards) < TOGETHER:
        return [at_its_edges(unlike, corners) for corners in cards]
    cuts = np.array([[at_its_edges(unlike, corners, rise) for rise in RISES] for corners in cards])
    every = np.arange(len(cards))
    best = np.zeros(len(cards), np.int64)
    sides, even = _sides(cuts), np.empty((len(cards), 2))
    for _ in range(3):
        even = _even(cuts[every, best].mean(axis=1), sides[every, best].mean(axis=1))
        best = np.abs(sides / even[:, None, None] - 1.0).max(axis=(2, 3)).argmin(axis=1)
    return [_as_large(corners, size) for corners, size in zip(cuts[every, best], even, strict=True)]


def _sides(corners: Corners) -> Corners:
    """Widths and heights (…, 2 sides, 2) px of quadrangles (…, 4, 2)."""
    return np.stack([_length(corners, (0, 3), (1, 2)), _length(corners, (1, 0), (2, 3))], axis=-1)


def _even(middles: Points, sizes: Points) -> Points:
    """``sizes`` (n, 2) as they change evenly with where the ``middles`` (n, 2) lie; strays are left out."""
    terms = np.column_stack([np.ones(len(middles)), middles - middles.mean(axis=0)])
    among = np.ones(len(middles), np.bool_)
    for _ in range(3):
        even = terms @ np.linalg.lstsq(terms[among], sizes[among], rcond=None)[0]
        off = np.abs(sizes / even - 1.0).max(axis=1)
        among = off <= STRAY * np.median(off)
    return np.asarray(even, np.float64)


def _as_large(corners: Corners, size: Points) -> Corners:
    """Return a quadrangle (4, 2) made ``size`` px wide and high, its middle and its turn kept."""
    scale = size / _sides(corners).mean(axis=0) - 1.0
    middles = (corners + np.roll(corners, -1, axis=0)) / 2
    right, down = (middles[1] - middles[3]) / 2 * scale[0], (middles[2] - middles[0]) / 2 * scale[1]
    return np.asarray(corners + np.array([-right - down, right - down, right + down, down - right]), np.float64)


def _length(corners: Corners, a: tuple[int, int], b: tuple[int, int]) -> Points:
    return np.asarray(np.linalg.norm(corners[..., b, :] - corners[..., a, :], axis=-1), np.float64)


def _moved(unlike: Array, corners: Corners, inside: float, rise: float) -> Corners:
    tall = float(np.hypot(*(corners[2] - corners[1])))
    sides = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    met = crossings([_side(unlike, a, b, OUT * tall, inside * tall, rise) for a, b in sides])
    return corners if met is None else met


def _side(unlike: Array, a: Points, b: Points, out: float, inside: float, share: float) -> tuple[Points, Points]:
    """Return a point of the edge between two corners and its direction."""
    way = (b - a) / max(1e-6, float(np.hypot(*(b - a))))
    inward = np.array([-way[1], way[0]])
    starts = a + np.linspace(*ALONG)[:, None] * (b - a)
    steps = np.arange(-out, inside, 0.5)
    points = (starts[:, None] + steps[None, :, None] * inward).astype(np.float32)
    seen = cv2.remap(unlike, points[..., 0], points[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    rise = np.gradient(cv2.GaussianBlur(seen, (9, 1), 1.6, borderType=cv2.BORDER_REPLICATE), axis=1)
    steep = rise > share * rise.max(axis=1, keepdims=True)
    past = np.arange(rise.shape[1]) >= steep.argmax(axis=1)[:, None]
    falls = np.diff(rise, axis=1, append=-np.inf) <= 0
    tops = (past & falls).argmax(axis=1)
    return _line(starts + steps[tops, None] * inward, a, way)


def _line(places: Points, a: Points, way: Points) -> tuple[Points, Points]:
    """Return the line through most of the ``places``; that from ``a`` along ``way`` if they do not agree."""
    among = np.ones(len(places), np.bool_)
    for _ in range(3):
        vx, vy, x, y = cv2.fitLine(places[among].astype(np.float32), cv2.DIST_L1, 0, 0.01, 0.01).ravel().tolist()
        near = np.abs((places - [x, y]) @ np.array([-vy, vx])) < STRAY_PX
        if near.sum() < AGREEING * len(places):
            return a, way
        if np.array_equal(near, among):  # of the same places the same line would come
            break
        among = near
    vx, vy, x, y = cv2.fitLine(places[among].astype(np.float32), cv2.DIST_L2, 0, 0.01, 0.01).ravel().tolist()
    return np.array([x, y]), np.array([vx, vy])
