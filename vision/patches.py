"""Cutting an upright picture of one corner index out of a frame: the same for training and for reading."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

PATCH_WIDTH: Final = 40
PATCH_HEIGHT: Final = 48
"""Pixels of a patch."""
INDEX_HEIGHT: Final = 28.0
"""Rows of a patch that the index (rank and suit) fills; its middle is the patch's middle."""


def cut_patch(
    image: Image,
    x: float,
    y: float,
    up: tuple[float, float],
    height: float,
    size: tuple[int, int] = (PATCH_WIDTH, PATCH_HEIGHT),
    wider: float = 1.0,
) -> Image:
    """Return the index centred at (``x``, ``y``) pixels of ``image`` (BGR uint8), turned upright.

    ``up`` is the unit vector in pixels (y down) from suit to rank, ``height`` the index's height in pixels.
    Answers ``size`` (width, height) pixels, BGR uint8; what lies outside the frame repeats the frame's edge.
    ``wider``: the index is cut as it would stand in a frame so much wider, which was pressed to this one.
    """
    grown = float(np.hypot(up[0] * wider, up[1]))
    ux, uy = (up[0] * wider / grown, up[1] / grown) if wider != 1.0 else up
    step = max(height * grown if wider != 1.0 else height, 2.0) / INDEX_HEIGHT
    width, tall = size
    # patch (i, j) -> frame: right is `up` turned by 90 degrees clockwise as seen, down is minus `up`
    right, down = (-uy * step / wider, ux * step), (-ux * step / wider, -uy * step)
    origin = [at - a * (width - 1) / 2 - b * (tall - 1) / 2 for at, a, b in zip((x, y), right, down, strict=True)]
    grid = np.array([right, down, origin], np.float32).T
    if step > 1.6:  # shrink first, or the sampling would alias
        reach = float(np.hypot(width, tall)) * step / min(wider, 1.0) / 2 + 2
        x0, y0 = int(max(x - reach, 0)), int(max(y - reach, 0))
        part = image[y0 : int(y + reach) + 1, x0 : int(x + reach) + 1]
        if min(part.shape[:2]) >= 2 * step:
            small = cv2.resize(part, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
            fx, fy = small.shape[1] / part.shape[1], small.shape[0] / part.shape[0]
            move = np.array([[fx, 0, (0.5 - x0) * fx - 0.5], [0, fy, (0.5 - y0) * fy - 0.5], [0, 0, 1]])
            grid = (move @ np.vstack([grid, [0, 0, 1]]))[:2].astype(np.float32)
            image = small.astype(np.uint8)
    patch = cv2.warpAffine(
        image, grid, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(patch, np.uint8)
