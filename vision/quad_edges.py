"""The edges of a free card to a fraction of a pixel, its shadow left out: what narrow strips are compared with.

``quads`` finds cards by what is not their ground, in a smaller picture; a shadow counts there as card. Here each side
is looked for again in the picture itself, where the colour stops being the ground's, shadowed or not.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.face_print import Array, Image

SHADES: Final = (0.4, 1.1)
"""Of the ground's brightness: what its shadowed and lit parts may have."""
ALONG: Final = (0.12, 0.88, 90)
"""The part of a side that is straight whatever the corners, and at how many places its edge is looked for."""
OUT: Final = 0.03
"""So far outside of a side its edge is looked for, in lengths of the card's long side."""
INSIDE: Final = 0.11
"""… and inside, at first."""
NEAR: Final = 0.022
"""… and inside, once the sides are about right."""
RISE: Final = 0.45
"""The outermost place where the colour changes by so much of the steepest change is the edge."""
STRAY_PX: Final = 1.5
"""Places farther from the line through the others are left out."""
AGREEING: Final = 0.5
"""Share of the places that must lie on the line; else the side stays as it was."""


def unlike_ground(picture: Image) -> Array:
    """How far each pixel's colour is from the ground's (BGR levels), however it is lit; the rim shows the ground."""
    edges = (picture[:6], picture[-6:], picture[:, :6].transpose(1, 0, 2), picture[:, -6:].transpose(1, 0, 2))
    ground = np.median(np.concatenate([edge.reshape(-1, 3) for edge in edges]), axis=0).astype(np.float32)
    seen = picture.astype(np.float32)
    shade = np.clip(seen @ ground / float(ground @ ground), *SHADES)
    return np.asarray(np.sqrt(((seen - shade[..., None] * ground) ** 2).sum(axis=2)), np.float32)


def at_its_edges(unlike: Array, corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The ``corners`` (4, 2) px, clockwise, of a card moved to where its edges meet in what is ``unlike_ground``."""
    for inside in (INSIDE, NEAR):
        corners = _moved(unlike, corners, inside)
    return corners


def _moved(unlike: Array, corners: NDArray[np.float64], inside: float) -> NDArray[np.float64]:
    tall = float(np.hypot(*(corners[2] - corners[1])))
    sides = [_side(unlike, corners[k], corners[(k + 1) % 4], OUT * tall, inside * tall) for k in range(4)]
    moved = []
    for k in range(4):
        (p, u), (q, v) = sides[k - 1], sides[k]
        system = np.column_stack([u, -v])
        if abs(float(np.linalg.det(system))) < 0.2:
            return corners
        moved.append(p + u * np.linalg.solve(system, q - p)[0])
    return np.array(moved)


def _side(
    unlike: Array, a: NDArray[np.float64], b: NDArray[np.float64], out: float, inside: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A point of the edge between two corners and its direction."""
    way = (b - a) / max(1e-6, float(np.hypot(*(b - a))))
    inward = np.array([-way[1], way[0]])
    starts = a + np.linspace(*ALONG)[:, None] * (b - a)
    steps = np.arange(-out, inside, 0.5)
    points = (starts[:, None] + steps[None, :, None] * inward).astype(np.float32)
    seen = cv2.remap(unlike, points[..., 0], points[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    rise = np.gradient(cv2.GaussianBlur(seen, (9, 1), 1.6, borderType=cv2.BORDER_REPLICATE), axis=1)
    steep = rise > RISE * rise.max(axis=1, keepdims=True)
    first = steep.argmax(axis=1)
    places = []
    for n, at in enumerate(first.tolist()):
        top = at
        while top + 1 < rise.shape[1] and rise[n, top + 1] > rise[n, top]:
            top += 1
        places.append(starts[n] + steps[top] * inward)
    return _line(np.array(places), a, way)


def _line(
    places: NDArray[np.float64], a: NDArray[np.float64], way: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The line through most of the ``places``; that from ``a`` along ``way`` where they do not agree."""
    left = places
    for _ in range(3):
        vx, vy, x, y = cv2.fitLine(left.astype(np.float32), cv2.DIST_L1, 0, 0.01, 0.01).ravel().tolist()
        off = np.abs((places - [x, y]) @ np.array([-vy, vx]))
        left = places[off < STRAY_PX]
        if len(left) < AGREEING * len(places):
            return a, way
    vx, vy, x, y = cv2.fitLine(left.astype(np.float32), cv2.DIST_L2, 0, 0.01, 0.01).ravel().tolist()
    return np.array([x, y]), np.array([vx, vy])
