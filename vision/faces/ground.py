"""The ground on which cards lie, as a picture's rim shows it: distances from it, its parts, and where it is not.

Keypoints cost by the pixel: they are looked for where the ground does not show and nothing was read. If the rim shows
little of the ground (cards at the rim, a ground of many colours) a larger part is looked at, at most all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.geometry import Array, Corners, Image
from vision.surface import Box, joined_boxes

Distances = NDArray[np.float32]
RIM: Final = 6
"""Pixels along a picture's edges that are taken for the ground."""
GRID: Final = 12
"""Parts of each edge whose middle colours say what the ground is like."""
FITS: Final = 8
"""Rounds in which parts that are of another colour (cards at the rim) lose their say."""
SHADES: Final = (0.4, 1.1)
"""Brightness of the ground's shadowed and lit parts, as shares of its own."""
TILE: Final = 16
"""Pixels of a tile's side; keypoints lie alike in a part as in the whole if it begins at a multiple of them."""
BUSY: Final = 0.04
"""Share of a tile that must differ from the ground."""
FAR: Final = (10.0, 30.0)
"""Lab units by which a pixel must differ from the ground: more than nearly all of the rim does, within these."""
MOST_OF_RIM: Final = 0.98
LEAST: Final = 4
"""Tiles that hang together below which a thing is a speck."""
MARGIN: Final = 1
"""Tiles around a thing that are looked at too: a keypoint is described by what lies around it."""
READ: Final = 0.08
"""Heights of a card around one that was read that are its edge and shadow."""
LEAST_BARE: Final = np.ones((3, 3), np.uint8)
"""Pixels of the ground that must lie together."""


def apart_from_ground(picture: Image) -> Distances:
    """Distance of each pixel's colour (h, w) from the ground's there, in Lab units, of lightness 0.7.

    The ground's colour is that of the picture's rim; light may fall off evenly across it.
    """
    soft = np.asarray(cv2.GaussianBlur(picture, (5, 5), 0), np.uint8)
    ground = cv2.cvtColor(_ground_colours(soft), cv2.COLOR_BGR2LAB)
    ground = cv2.resize(ground, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_LINEAR)
    away = cv2.absdiff(cv2.cvtColor(soft, cv2.COLOR_BGR2LAB), ground)
    squares = cv2.transform(cv2.multiply(away, away, dtype=cv2.CV_32F), np.array([[0.49, 1.0, 1.0]], np.float32))
    return np.asarray(cv2.sqrt(squares), np.float32)


def unlike_ground(picture: Image) -> Array:
    """Distance of each pixel's colour from the ground's (BGR levels), however it is lit; the rim shows the ground."""
    ground = np.median(_rim(picture).reshape(-1, 3), axis=0).astype(np.float32)
    seen = picture.astype(np.float32)
    shade = np.clip(seen @ ground / float(ground @ ground), *SHADES)
    return np.asarray(np.sqrt(((seen - shade[..., None] * ground) ** 2).sum(axis=2)), np.float32)


def regions_to_search(apart: Distances, read: Sequence[Corners] = ()) -> list[Box]:
    """Return the boxes, none over another, that hold all that differs from the ground but the cards ``read`` (px).

    ``apart``: see ``apart_from_ground``.
    """
    mask = np.where(apart > _far(apart), 255, 0).astype(np.uint8)
    for corners in read:
        _fill(mask, corners, 0)
    high, wide = apart.shape
    tiles = (-(-wide // TILE), -(-high // TILE))
    padded = cv2.copyMakeBorder(mask, 0, tiles[1] * TILE - high, 0, tiles[0] * TILE - wide, cv2.BORDER_REPLICATE)
    busy = (cv2.resize(padded, tiles, interpolation=cv2.INTER_AREA) > BUSY * 255).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(busy)
    busy[(stats[:, cv2.CC_STAT_AREA] < LEAST)[labels]] = 0
    grown_tiles = cv2.dilate(busy, np.ones((2 * MARGIN + 1, 2 * MARGIN + 1), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(grown_tiles)
    boxes = joined_boxes([(int(x), int(y), int(x + w), int(y + h)) for x, y, w, h, _ in stats[1:count]])
    return [(x0 * TILE, y0 * TILE, min(x1 * TILE, wide), min(y1 * TILE, high)) for x0, y0, x1, y1 in boxes]


class Ground:
    """The ground of a picture, in its parts that hang together."""

    def __init__(self, apart: Distances) -> None:
        """``apart``: see ``apart_from_ground``."""
        self._apart = apart

    @cached_property
    def _parts(self) -> NDArray[np.int32]:
        plain = cv2.morphologyEx((self._apart <= _far(self._apart)).astype(np.uint8), cv2.MORPH_OPEN, LEAST_BARE)
        return np.asarray(cv2.connectedComponents(plain, connectivity=4)[1], np.int32)

    def beside(self, corners: Corners) -> NDArray[np.uint8]:
        """Return a mask (0 or 255) of the parts of the ground that lie beside the card with these ``corners`` (px)."""
        around = np.zeros(self._parts.shape, np.uint8)
        _fill(around, corners, 1)
        goes_on = np.zeros(int(self._parts.max()) + 1, np.uint8)
        goes_on[np.unique(self._parts[around == 0])] = 255
        goes_on[0] = 0
        return np.asarray(goes_on[self._parts], np.uint8)


def _fill(mask: NDArray[np.uint8], corners: Corners, value: int) -> None:
    """Paint a card with its edge and shadow."""
    middle = corners.mean(axis=0)
    cv2.fillConvexPoly(mask, np.rint(middle + (corners - middle) * (1.0 + 2 * READ)).astype(np.int32), value)


def _rim(picture: NDArray[np.uint8] | Distances) -> NDArray[np.uint8] | Distances:
    """Return the pixels along a picture's edges, one a row."""
    edges = (picture[:RIM], picture[-RIM:], picture[:, :RIM], picture[:, -RIM:])
    return np.concatenate([edge.reshape(-1, *picture.shape[2:]) for edge in edges])


def _far(apart: Distances) -> float:
    """Distance from the ground's colour from which a pixel is not ground."""
    return float(np.clip(np.quantile(_rim(apart), MOST_OF_RIM) + 4.0, *FAR))


def _ground_colours(picture: Image) -> Image:
    """Return the ground's colours (``GRID``, BGR): a plane through most of those along the rim (least sums)."""
    high, wide = picture.shape[:2]
    places, colours = [], []
    for n in range(GRID):
        x, y = (slice(n * size // GRID, max((n + 1) * size // GRID, n * size // GRID + 1)) for size in (wide, high))
        at = (n + 0.5) / GRID - 0.5
        for u, v, strip in (
            (at, -0.5, picture[:RIM, x]),
            (at, 0.5, picture[-RIM:, x]),
            (-0.5, at, picture[y, :RIM]),
            (0.5, at, picture[y, -RIM:]),
        ):
            places.append((u, v, 1.0))
            colours.append(np.median(strip.reshape(-1, 3), axis=0))
    terms, goal = np.array(places), np.array(colours)
    plane = np.zeros((3, 3))
    plane[2] = np.median(goal, axis=0)
    for _ in range(FITS):
        weight = 1.0 / np.maximum(1.0, np.abs(goal - terms @ plane).sum(axis=1))
        plane = np.linalg.solve(terms.T @ (terms * weight[:, None]), terms.T @ (goal * weight[:, None]))
    middle = (np.arange(GRID) + 0.5) / GRID - 0.5
    colours_at = middle[None, :, None] * plane[0] + middle[:, None, None] * plane[1] + plane[2]
    return np.asarray(np.clip(np.rint(colours_at), 0, 255), np.uint8)
