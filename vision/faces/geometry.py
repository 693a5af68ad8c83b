"""Places of cards in pictures: poses, corners, and cards cut out of a picture.

A *card frame* has its origin at the card's upper left corner as printed, x right, y down, in units of the card's
height: the card reaches from (0, 0) to (aspect, 1). A *pose* is a 3 x 3 matrix from the card frame to pixels of a
picture. *Corners* are (4, 2), clockwise from the upper left one.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Array = NDArray[np.float32]
Mask = NDArray[np.bool_]
Pose = NDArray[np.float64]
Corners = NDArray[np.float64]
Points = NDArray[np.float64]
PARALLEL: Final = 0.2
"""Determinant of two unit directions below which their lines have no useful crossing."""


def shift(x: float, y: float) -> Pose:
    """Return the matrix that moves by (x, y)."""
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])


def pose_of(corners: Corners, aspect: float) -> Pose:
    """Return the pose of a card with these ``corners`` (px)."""
    card = np.array([[0.0, 0.0], [aspect, 0.0], [aspect, 1.0], [0.0, 1.0]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(card, corners.astype(np.float32)), np.float64)


def corners_of(pose: Pose, aspect: float) -> Corners:
    """Return the corners (px) of the card at ``pose``."""
    return moved_by(pose, [(0.0, 0.0), (aspect, 0.0), (aspect, 1.0), (0.0, 1.0)])


def moved_by(matrix: Pose, points: object) -> NDArray[np.float64]:
    """``points`` (n, 2) after the projective ``matrix``."""
    return np.asarray(cv2.perspectiveTransform(np.asarray(points, np.float64)[None], matrix)[0], np.float64)


def height_of(corners: Corners) -> float:
    """Return the height of the card with these corners, never 0."""
    return max(1e-3, float(np.hypot(*(corners[3] - corners[0]))))


def turn_of(corners: Corners) -> float:
    """Return the turn of the card with these corners, degrees modulo 180."""
    down = corners[3] - corners[0]
    return float(np.degrees(np.arctan2(down[1], down[0]))) % 180.0


def turned_apart(one: float, other: float) -> float:
    """Degrees between two turns that are known modulo 180."""
    return abs((one - other + 90.0) % 180.0 - 90.0)


def holds(corners: Corners, point: NDArray[np.float64] | tuple[float, float]) -> bool:
    """Return True if a point lies within the ``corners`` or on their rim."""
    ring = corners.astype(np.float32).reshape(-1, 1, 2)
    return cv2.pointPolygonTest(ring, (float(point[0]), float(point[1])), measureDist=False) >= 0


def crossings(lines: list[tuple[Points, Points]]) -> Corners | None:
    """Return the corners where each of four lines (a point, a unit direction) meets the one before, or None."""
    out = []
    for (p, u), (q, v) in zip(lines[-1:] + lines[:-1], lines, strict=True):
        system = np.column_stack([u, -v])
        if abs(float(np.linalg.det(system))) < PARALLEL:
            return None
        out.append(p + u * np.linalg.solve(system, q - p)[0])
    return np.array(out)


def cut(
    picture: Image,
    pose: Pose,
    cell: tuple[float, float],
    size: tuple[int, int],
    first: tuple[float, float] = (0.0, 0.0),
) -> Image:
    """Cut ``size`` columns and rows out of the card at ``pose``, from the column and row ``first`` on.

    ``cell``: width and height of a cell in the unit of the card frame.
    """
    to_pixels = pose @ np.diag([*cell, 1.0]) @ shift(first[0] + 0.5, first[1] + 0.5)
    return np.asarray(
        cv2.warpPerspective(
            picture,
            shift(-0.5, -0.5) @ to_pixels,
            size,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )
