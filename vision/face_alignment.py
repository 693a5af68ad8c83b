"""A card's place corrected to a fraction of a cell by all that shows of it, its printed border among it.

Blocks (``face_blocks``) correct a place by the pips and figures that lie on it. A card with one pip has too few: placed
by its outline alone it lies two millimetres off, and its own border contradicts it.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.face_blocks import Pose
from vision.face_differences import Mask
from vision.face_print import SIZE, Array

SOFT: Final = 1.5
"""Cells of blur under which a card is laid over its face: so far off it may be at first."""
STEPS: Final = 40
"""Steps after which it lies as well as it can."""
FAR: Final = 16.0
"""Cells, 8 mm, by which no corner may move: that would be another card."""


def aligned(pose: Pose, aspect: float, seen: Array, face: Array, valid: Mask) -> Pose | None:
    """Return the ``pose`` at which a card matches ``face``; None if it cannot be aligned, or only far from there.

    ``seen`` (192, 96, 3) Lab: what is cut out at ``pose``, of which the ``valid`` cells (192, 96) count; ``face`` (192,
    96, 3) Lab. Moved and turned, then scaled and slanted too, until their lightness correlates best (ECC: Evangelidis
    and Psarakis, 2008).
    """
    move = np.eye(2, 3, dtype=np.float32)
    until = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, STEPS, 1e-4)
    one, other = (np.ascontiguousarray(cv2.GaussianBlur(cells, (0, 0), SOFT)[..., 0]) for cells in (face, seen))
    mask = np.where(valid, 255, 0).astype(np.uint8)
    try:
        for motion in (cv2.MOTION_EUCLIDEAN, cv2.MOTION_AFFINE):
            _, found = cv2.findTransformECC(one, other, move, motion, until, mask, 1)
            move = np.asarray(found, np.float32)
    except cv2.error:  # it raises where nothing is alike
        return None
    corners = np.array([[[0, 0], [SIZE[0], 0], [SIZE[0], SIZE[1]], [0, SIZE[1]]]], np.float32)
    if np.abs(cv2.transform(corners, found) - corners).max() > FAR:
        return None
    cells = np.diag([aspect / SIZE[0], 1.0 / SIZE[1], 1.0])
    whole = np.vstack([found.astype(np.float64), [0.0, 0.0, 1.0]])
    return np.asarray(pose @ cells @ whole @ np.linalg.inv(cells), np.float64)
