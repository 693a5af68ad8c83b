"""Parts of a picture in which keypoints are worth looking for: not of the ground's colour and not yet read.

Keypoints cost by the pixel. The ground is judged by the picture's rim; if that shows little of it (cards at the rim, a
ground of many colours) a larger part is looked at, at most all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quads import RIM, Distances

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
Box = tuple[int, int, int, int]
"""Left, top, right and bottom, px."""


def regions_to_search(apart: Distances, read: Sequence[NDArray[np.float64]] = ()) -> list[Box]:
    """The boxes, none over another, that hold all that differs from the ground but the cards ``read`` (4, 2) px each.

    ``apart``: see ``quads.apart_from_ground``.
    """
    mask = np.where(apart > _far(apart), 255, 0).astype(np.uint8)
    for ring in read:
        middle = ring.mean(axis=0)
        grown = middle + (ring - middle) * (1.0 + 2 * READ)
        cv2.fillConvexPoly(mask, np.rint(grown).astype(np.int32), 0)
    high, wide = apart.shape
    tiles = (-(-wide // TILE), -(-high // TILE))
    padded = cv2.copyMakeBorder(mask, 0, tiles[1] * TILE - high, 0, tiles[0] * TILE - wide, cv2.BORDER_REPLICATE)
    busy = (cv2.resize(padded, tiles, interpolation=cv2.INTER_AREA) > BUSY * 255).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(busy)
    for n in range(1, count):
        if stats[n, cv2.CC_STAT_AREA] < LEAST:
            busy[labels == n] = 0
    grown_tiles = cv2.dilate(busy, np.ones((2 * MARGIN + 1, 2 * MARGIN + 1), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(grown_tiles)
    boxes = [(int(x), int(y), int(x + w), int(y + h)) for x, y, w, h, _ in stats[1:count]]
    return [
        (left * TILE, top * TILE, min(right * TILE, wide), min(bottom * TILE, high))
        for left, top, right, bottom in _apart(boxes)
    ]


class Ground:
    """The ground of a picture, in its parts that hang together."""

    def __init__(self, apart: Distances) -> None:
        """``apart``: see ``quads.apart_from_ground``."""
        self._apart = apart

    @cached_property
    def _parts(self) -> NDArray[np.int32]:
        plain = cv2.morphologyEx((self._apart <= _far(self._apart)).astype(np.uint8), cv2.MORPH_OPEN, LEAST_BARE)
        return np.asarray(cv2.connectedComponents(plain, connectivity=4)[1], np.int32)

    def beside(self, ring: NDArray[np.float64]) -> NDArray[np.uint8]:
        """A mask (0 or 255) of those parts of the ground that lie beside the card with corners ``ring`` (4, 2) px."""
        middle = ring.mean(axis=0)
        around = np.zeros(self._parts.shape, np.uint8)
        cv2.fillConvexPoly(around, np.rint(middle + (ring - middle) * (1.0 + 2 * READ)).astype(np.int32), 1)
        goes_on = np.zeros(int(self._parts.max()) + 1, np.uint8)
        goes_on[np.unique(self._parts[around == 0])] = 255
        goes_on[0] = 0
        return np.asarray(goes_on[self._parts], np.uint8)


def _far(apart: Distances) -> float:
    """Distance from the ground's colour from which a pixel is not ground."""
    rim = np.concatenate([apart[:RIM].ravel(), apart[-RIM:].ravel(), apart[:, :RIM].ravel(), apart[:, -RIM:].ravel()])
    return float(np.clip(np.quantile(rim, MOST_OF_RIM) + 4.0, *FAR))


def _apart(boxes: list[Box]) -> list[Box]:
    """The boxes with those joined that overlap, until none does."""
    kept: list[Box] = []
    for box in boxes:
        one = box
        while over := [other for other in kept if _overlap(one, other)]:
            kept = [other for other in kept if other not in over]
            lefts, tops, rights, bottoms = zip(one, *over, strict=True)
            one = (min(lefts), min(tops), max(rights), max(bottoms))
        kept.append(one)
    return kept


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
