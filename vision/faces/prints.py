"""Print of a pack's whole face: keypoints for finding it anywhere, and a small picture to compare with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.geometry import Array, Image

SIZE: Final = (96, 192)
"""Columns and rows of a face's small picture: about two a millimetre."""
BIDDING_FACE: Final = (158, 220)
"""… of a bidding card's finer picture, of which narrow strips are compared: 2.5 a millimetre."""
BIDDING_CHANNELS: Final = np.array([1.0, 1.2, 1.2], np.float32)
"""Weights of its lightness and of both its colour channels."""
BIDDING_RIM: Final = 3
"""Its columns and rows at the edges that are not compared: a neighbour's card or its shadow may lie there."""
KEYPOINTS: Final = 350
"""Keypoints kept of a face."""
WORDS: Final = 255.0
"""Scale of the stored words: square roots of shares, 0 to 1, kept as bytes."""


@dataclass(frozen=True)
class FacePrint:
    """One picture of a face.

    ``points`` (n, 2) in the card frame, ``angles`` (n) degrees clockwise, ``sizes`` (n) in card heights; ``words``
    (n, 128) uint8, RootSIFT (Arandjelović and Zisserman, 2012) times 255; ``small`` (192, 96, 3) uint8 CIE Lab as
    OpenCV scales it; ``aspect`` the card's width over its height.
    """

    points: Array
    angles: Array
    sizes: Array
    words: NDArray[np.uint8]
    small: NDArray[np.uint8]
    aspect: float


def face_print(face: Image) -> FacePrint:
    """Make the print of a straightened face (BGR uint8, of any size, upright or not)."""
    found, words = _sift().detectAndCompute(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), None)
    height, width = face.shape[:2]
    return FacePrint(
        np.array([k.pt for k in found], np.float32).reshape(-1, 2) / height,
        np.array([k.angle for k in found], np.float32),
        np.array([k.size for k in found], np.float32) / height,
        np.rint(root_words(words) * WORDS).astype(np.uint8),
        shrunk(face, SIZE),
        width / height,
    )


def root_words(words: NDArray[Any] | None) -> Array:
    """SIFT words (n, 128) as RootSIFT: their dot products are cosines."""
    if words is None:
        return np.zeros((0, 128), np.float32)
    plain = words.astype(np.float32)
    return np.asarray(np.sqrt(plain / (plain.sum(axis=1, keepdims=True) + 1e-6)), np.float32)


def shrunk(face: Image, size: tuple[int, int]) -> NDArray[np.uint8]:
    """Return a straightened face (BGR uint8) made smaller to ``size`` columns and rows, CIE Lab as OpenCV scales it."""
    shrink = max(1.0, face.shape[0] / size[1])
    soft = cv2.GaussianBlur(face, (0, 0), 0.5 * shrink)
    small = cv2.resize(soft, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), np.uint8)


@cache
def _sift() -> Any:
    return cv2.SIFT.create(nfeatures=KEYPOINTS, contrastThreshold=0.02)
