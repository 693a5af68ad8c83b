"""Strips of whole faces, compared with each other: any rows of cells of all faces, or any columns, both ways up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.face_print import Array, FacePrint

WIDE: Final = 48
HIGH: Final = 96
"""Columns and rows of a face here: cells of about a millimetre."""
CHANNELS: Final = np.array([1.0, 1.2, 1.2], np.float32)
"""Weights of lightness and of both colour channels."""
NOISE: Final = 5.0
"""Spread of a strip's cells (Lab units) that noise alone may make: blank paper resembles nothing."""


class FaceStrips:
    """The faces of prints, then all of them upside down, ready to be compared with strips of a picture."""

    def __init__(self, prints: Sequence[FacePrint]) -> None:
        up = np.stack([cv2.resize(one.small, (WIDE, HIGH), interpolation=cv2.INTER_AREA) for one in prints])
        both = np.concatenate([up, up[:, ::-1, ::-1]]).astype(np.float32) * CHANNELS
        both -= both.mean(axis=(0, 1, 2))
        self._by_rows = np.ascontiguousarray(both)
        self._by_columns = np.ascontiguousarray(both.transpose(0, 2, 1, 3))
        self._squares: dict[tuple[bool, int, int], Array] = {}
        """The squared lengths of the strips that were asked for, by rows or by columns."""

    def likeness(self, cuts: Array, rows: slice, columns: slice) -> Array:
        """The correlations (m, 2n) of ``cuts`` (m, rows, columns, 3) Lab with those cells of each of n faces.

        Either ``rows`` or ``columns`` are all there are.
        """
        across = columns == slice(0, WIDE)
        faces, cut = (self._by_rows, rows) if across else (self._by_columns, columns)
        seen = (cuts - cuts.mean(axis=(1, 2), keepdims=True)) * CHANNELS
        flat = (seen if across else seen.transpose(0, 2, 1, 3)).reshape(len(seen), -1)
        width = faces.shape[2] * 3
        theirs = faces.reshape(len(faces), -1)[:, cut.start * width : cut.stop * width]
        key = (across, cut.start, cut.stop)
        if key not in self._squares:
            self._squares[key] = _squares(theirs)
        noise = NOISE**2 * flat.shape[1]
        mine = np.sqrt((flat**2).sum(axis=1) + noise)
        # what is seen has no mean: that of the faces falls out of the products, not out of their lengths
        return np.asarray(flat @ theirs.T / mine[:, None] / np.sqrt(self._squares[key] + noise)[None], np.float32)


def _squares(strips: Array) -> Array:
    """The squared lengths of ``strips`` (n, cells of three channels) about the mean of each channel."""
    sums = np.stack([strips[:, channel::3].sum(axis=1) for channel in range(3)])
    means = (sums**2).sum(axis=0) / (strips.shape[1] // 3)
    return np.asarray(np.einsum("ij,ij->i", strips, strips) - means, np.float32)
