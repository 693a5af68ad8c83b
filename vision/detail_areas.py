"""Areas of a picture that show detail: bare cloth, floor and wall need no network.

Pixels are (x, y) from the picture's upper left corner, y down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]

BLOCK: Final = 8
"""Side in pixels of the smallest blocks judged; areas begin at its multiples, as the finder's cells do."""
WORTH: Final = 300_000
"""Pixels from which a picture is worth the look."""
STEP: Final = 18
"""Least difference in grey levels between an index's ink and its paper, within ``REACH``. Noise of cameras differs
less; if it does not, nothing is left out."""
REACH: Final = 10
"""Pixels within which ink and paper lie."""
NEAR: Final = 32
"""Pixels around detail in which an index may be found: those of 56 px have theirs in the middle."""
CONTEXT: Final = 64
"""Pixels around that which the finder sees, too: it needs no more to be right."""
GAIN: Final = 0.85
"""Share of the picture from which, if the areas are larger together, the whole is looked at."""
Box = tuple[int, int, int, int]
"""Left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Areas:
    """The parts of a picture to be looked at, and the blocks in which what is found there counts."""

    boxes: tuple[Box, ...]
    near: Mask

    def counts(self, x: float, y: float) -> bool:
        """Return True if a finding at a pixel counts."""
        row, column = int(y + 0.5) // BLOCK, int(x + 0.5) // BLOCK
        return bool(self.near[min(row, self.near.shape[0] - 1), min(column, self.near.shape[1] - 1)])


def detail_areas(picture: NDArray[np.uint8]) -> Areas | None:
    """Return the areas of a BGR uint8 picture that show any detail; None if leaving out the others gains little."""
    height, width = picture.shape[:2]
    if height * width < WORTH:
        return None
    rows, columns = -(-height // BLOCK), -(-width // BLOCK)
    near = _grown(_detail(picture, rows, columns), NEAR)
    boxes = _joined(_boxes(_grown(near, CONTEXT)))
    if sum(_size(box) for box in boxes) > GAIN * rows * columns:
        return None
    pixels = tuple(
        (x0 * BLOCK, y0 * BLOCK, min(x1 * BLOCK, width), min(y1 * BLOCK, height)) for x0, y0, x1, y1 in boxes
    )
    return Areas(pixels, near)


def _detail(picture: NDArray[np.uint8], rows: int, columns: int) -> Mask:
    """Return the blocks (1 or 0) within which grey levels differ by ``STEP``, at half as many pixels a side."""
    height, width = picture.shape[0] // 2, picture.shape[1] // 2
    half = cv2.resize(picture[: 2 * height, : 2 * width], (width, height), interpolation=cv2.INTER_AREA)
    window = np.ones((REACH // 2, REACH // 2), np.uint8)
    steps = cv2.morphologyEx(cv2.cvtColor(half, cv2.COLOR_BGR2GRAY), cv2.MORPH_GRADIENT, window)
    there = cv2.threshold(steps, STEP, 255, cv2.THRESH_BINARY)[1]
    side = BLOCK // 2
    there = cv2.copyMakeBorder(there, 0, rows * side - height, 0, columns * side - width, cv2.BORDER_REPLICATE)
    return (cv2.resize(there, (columns, rows), interpolation=cv2.INTER_AREA) > 0).astype(np.uint8)


def _grown(mask: Mask, pixels: int) -> Mask:
    side = 2 * (pixels // BLOCK) + 1
    return cv2.dilate(mask, np.ones((side, side), np.uint8)).astype(np.uint8)


def _boxes(mask: Mask) -> list[Box]:
    """Return the connected parts' boxes, in blocks."""
    stats = cv2.connectedComponentsWithStats(mask, connectivity=8)[2][1:]
    return [(int(x), int(y), int(x + w), int(y + h)) for x, y, w, h, _ in stats]


def _joined(boxes: list[Box]) -> list[Box]:
    """Join any two boxes whose common box is not larger than both."""
    boxes = sorted(boxes)
    n = 0
    while n < len(boxes):
        for m in range(n + 1, len(boxes)):
            both = _around(boxes[n], boxes[m])
            if _size(both) <= _size(boxes[n]) + _size(boxes[m]):
                del boxes[m]
                boxes[n] = both
                n = -1
                break
        n += 1
    return boxes


def _around(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _size(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])
