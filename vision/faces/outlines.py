"""Cards that lie whole and apart on a ground of another colour: found by their outline and straightened.

Used to enrol a pack, one picture a card; reading needs no outline (``finding``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from vision.faces.geometry import Corners, Image, crossings
from vision.faces.ground import Distances, apart_from_ground
from vision.smaller_pictures import made_smaller

TALL: Final = 352
"""Pixels of a straightened card's height; its width follows its own shape."""
SHAPES: Final = (1.15, 2.4)
"""Height over width of playing cards: bridge and poker cards 1.4 to 1.6, tarocchi up to 2."""
SHARE: Final = (0.002, 0.9)
"""Least and greatest share of the picture that a card fills."""


@dataclass(frozen=True)
class Quad:
    """A free card in a picture: its corners (4, 2) px clockwise from its upper left one, and it straightened (BGR)."""

    corners: Corners
    face: Image


def find_quads(picture: Image) -> list[Quad]:
    """Return the cards of a BGR uint8 picture that lie whole and apart on a ground of another colour."""
    shrink = max(1.0, max(picture.shape[:2]) / 1400)
    size = (round(picture.shape[1] / shrink), round(picture.shape[0] / shrink))
    small = made_smaller(picture, size)
    corners = [(ring + 0.5) * shrink - 0.5 for ring in outlines_in(small, apart_from_ground(small))]
    return in_rows([Quad(ring, straightened(picture, ring)) for ring in corners])


def outlines_in(
    picture: Image, apart: Distances, fills: tuple[float, float] = SHARE, squarest: float = SHAPES[0]
) -> list[Corners]:
    """Return the corners (4, 2) px of the cards of a small ``picture`` (BGR) that lie whole and apart from each other.

    ``apart``: see ``apart_from_ground``; ``fills``: least and greatest share of the picture that a card fills;
    ``squarest``: height over width that it has at least, seen by a camera from aside.
    """
    rings: list[Corners] = []
    taken: list[tuple[float, float, float]] = []
    for mask in _masks(picture, apart):
        outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for outline in outlines:
            x, y, wide, high = cv2.boundingRect(outline)
            if not fills[0] * mask.size < wide * high < 2 * fills[1] * mask.size:
                continue
            if any(np.hypot(x + wide / 2 - a, y + high / 2 - b) < reach / 2 for a, b, reach in taken):
                continue
            ring = _quad_of(outline, float(mask.size), fills, squarest)
            if ring is None:
                continue
            x, y = ring.mean(axis=0)
            if any(np.hypot(x - a, y - b) < reach for a, b, reach in taken):
                continue
            taken.append((float(x), float(y), float(np.hypot(*(ring[1] - ring[0])) / 2)))
            rings.append(ring)
    return rings


def in_rows(quads: list[Quad]) -> list[Quad]:
    """Return the cards in reading order: rows from the top, each from the left."""
    left = sorted(quads, key=lambda q: float(q.corners[:, 1].mean()))
    out: list[Quad] = []
    while left:
        y = float(left[0].corners[:, 1].mean())
        tall = float(np.ptp(left[0].corners[:, 1]))
        row = [q for q in left if float(q.corners[:, 1].mean()) < y + 0.5 * tall]
        left = [q for q in left if all(q is not r for r in row)]
        out += sorted(row, key=lambda q: float(q.corners[:, 0].mean()))
    return out


def _masks(picture: Image, apart: Distances) -> list[Image]:
    """Return what is not the ground, judged by its colour (that of the picture's rim) and by brightness."""
    level, _ = cv2.threshold(cv2.convertScaleAbs(apart), 0, 255, cv2.THRESH_OTSU)
    masks = [apart > max(10.0, level * 0.6), apart > max(10.0, float(level))]
    grey = cv2.cvtColor(cv2.GaussianBlur(picture, (5, 5), 0), cv2.COLOR_BGR2GRAY)
    masks.append(cv2.threshold(grey, 0, 255, cv2.THRESH_OTSU)[1] > 0)
    closed = np.ones((5, 5), np.uint8)
    return [cv2.morphologyEx(m.astype(np.uint8) * 255, cv2.MORPH_CLOSE, closed).astype(np.uint8) for m in masks]


def _quad_of(outline: Any, area: float, fills: tuple[float, float], squarest: float) -> Corners | None:
    """Return the four corners of a contour that looks like one card, its short side first; None if it does not."""
    hull = cv2.convexHull(outline)
    filled = float(cv2.contourArea(hull))
    if not fills[0] * area < filled < fills[1] * area or cv2.contourArea(outline) < 0.93 * filled:
        return None
    ring = None
    for share in (0.02, 0.03, 0.045, 0.06):
        corners = cv2.approxPolyDP(hull, share * cv2.arcLength(hull, closed=True), closed=True)
        if len(corners) == 4:
            ring = corners.reshape(4, 2).astype(np.float64)
            break
    if ring is None or cv2.contourArea(ring.astype(np.float32)) < 0.9 * filled:
        return None
    ring = _squared_out(hull.reshape(-1, 2).astype(np.float64), ring)
    if cv2.contourArea(ring.astype(np.float32), oriented=True) < 0:
        ring = ring[::-1].copy()
    sides = np.hypot(*(np.roll(ring, -1, axis=0) - ring).T)
    if (sides[0] + sides[2]) > (sides[1] + sides[3]):
        ring, sides = np.roll(ring, -1, axis=0), np.roll(sides, -1)
    if ring[0, 1] + ring[1, 1] > ring[2, 1] + ring[3, 1]:  # its upper short side first: enrolled cards stand upright
        ring, sides = np.roll(ring, 2, axis=0), np.roll(sides, 2)
    shape = (sides[1] + sides[3]) / max(1.0, sides[0] + sides[2])
    fair = all(max(a, b) < 1.35 * min(a, b) for a, b in ((sides[0], sides[2]), (sides[1], sides[3])))
    return ring if fair and squarest <= shape < SHAPES[1] else None


def _squared_out(hull: Corners, ring: Corners) -> Corners:
    """Return the corners where the card's straight edges would meet: a card's own corners are round."""
    lines = []
    steps = np.linspace(0, 1, 200)[:, None]
    dense = (hull[:, None] + (np.roll(hull, -1, axis=0) - hull)[:, None] * steps).reshape(-1, 2)
    for a, b in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        length = float(np.hypot(*(b - a)))
        way = (b - a) / max(1e-6, length)
        along, off = (dense - a) @ way, (dense - a) @ np.array([-way[1], way[0]])
        near = dense[(along > 0.15 * length) & (along < 0.85 * length) & (np.abs(off) < 0.06 * length)]
        if len(near) < 10:
            return ring
        vx, vy, x, y = cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
        lines.append((np.array([x, y]), np.array([vx, vy])))
    met = crossings(lines)
    return ring if met is None else met


def straightened(picture: Image, corners: Corners) -> Image:
    """Return the card between ``corners`` as if seen from straight above, TALL pixels high."""
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    wide = round(TALL * float((sides[0] + sides[2]) / (sides[1] + sides[3])))
    goal = np.array([[0, 0], [wide, 0], [wide, TALL], [0, TALL]], np.float32)
    view = cv2.getPerspectiveTransform(corners.astype(np.float32), goal)
    shrink = float(sides[1] + sides[3]) / 2 / TALL
    if shrink > 1.5:
        picture = cv2.GaussianBlur(picture, (0, 0), 0.4 * shrink).astype(np.uint8)
    return cv2.warpPerspective(picture, view, (wide, TALL), flags=cv2.INTER_LINEAR).astype(np.uint8)
