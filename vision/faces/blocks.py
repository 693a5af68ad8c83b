"""Whole faces compared at a supposed place: which face fits, and how the place is to be corrected.

A card is divided into 8 rows of 4 blocks; each is compared by itself, so that light may change over the card and a part
of it may be hidden. Of a card under others a strip is compared: rows or columns of its cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from vision.faces.geometry import Array, Image, Pose, cut
from vision.faces.prints import FacePrint

ROWS: Final = 8
COLUMNS: Final = 4
SIDE: Final = 12
"""Cells of a block's side; a card is 48 cells wide and 96 high, about one a millimetre."""
WIDE: Final = COLUMNS * SIDE
HIGH: Final = ROWS * SIDE
NOISE: Final = 5.0
"""Spread of a block's cells (Lab units) that noise alone may make: blank paper resembles nothing."""
CHROMA: Final = 1.2
"""Weight of the two colour channels beside lightness."""
EVEN: Final = 0.66
"""Correlation of a block that is evidence neither for nor against a face: set on one drawn and one
printed pack, where true blocks reached .70 in 99 of 100 cases and those of other faces had .4 to .6 in the middle."""
STEEP: Final = 7.0
LOST: Final = -1.5
"""Largest evidence against a face from a block that differs: the block may be hidden."""
LIKE: Final = 1.6
"""Largest evidence for a face from a block that agrees."""
TEXTURE: Final = (6.0, 16.0)
"""Spread of a block from which on it begins to be evidence, and from which it counts fully."""
STRAY: Final = 0.02
"""Correlation that a cell of shift must gain: along a line all shifts are alike, and the least is meant."""
STIFF: Final = 1.0
"""Resistance of a card to being slanted, in blocks at its rim."""
FITS: Final = 0.45
"""Correlation from which a block's shift helps to correct the pose."""

_WEIGHTS: Final = np.array([1.0, CHROMA, CHROMA], np.float32)
_CENTRES: Final = np.array([[(c + 0.5) * SIDE, (r + 0.5) * SIDE] for r in range(ROWS) for c in range(COLUMNS)])


@dataclass(frozen=True)
class FaceBlocks:
    """The blocks of faces, all of them both ways up: the second half is upside down.

    ``cells`` (32, 2n, 432) with zero mean, ``spread`` (2n, 32) of each block's cells.
    """

    cells: Array
    spread: Array

    @classmethod
    def of(cls, prints: Sequence[FacePrint]) -> FaceBlocks:
        """Return the blocks of ``prints``, in their order, then of all of them upside down."""
        up = np.stack([_centred(_weighted(_shrunk(one))) for one in prints])
        upright = up.reshape(len(prints), ROWS, COLUMNS, SIDE, SIDE, 3)
        turned = upright[:, ::-1, ::-1, ::-1, ::-1].reshape(up.shape)
        both = np.concatenate([up, turned])
        cells = np.ascontiguousarray(both.transpose(1, 0, 2))
        return cls(cells, np.sqrt((both**2).mean(axis=2)))

    def some(self, faces: NDArray[np.int64]) -> FaceBlocks:
        """Select ``faces`` alone."""
        return FaceBlocks(np.ascontiguousarray(self.cells[:, faces]), self.spread[faces])


@dataclass(frozen=True)
class FaceComparison:
    """Comparison of faces at a pose.

    ``likeness`` (faces, 32): correlations at the best shift; ``shift`` (faces, 32, 2): cells; ``spread`` (32): that of
    the picture's blocks.
    """

    likeness: Array
    shift: Array
    spread: Array


def look_at(picture: Image, pose: Pose, aspect: float, blocks: FaceBlocks, *, reach: int, step: int) -> FaceComparison:
    """Compare the picture (BGR) at ``pose`` with ``blocks``, each block shifted by up to ``reach`` cells."""
    size = (WIDE + 2 * reach, HIGH + 2 * reach)
    seen = cut(picture, pose, (aspect / WIDE, 1.0 / HIGH), size, (-reach, -reach))
    lab = cv2.cvtColor(cv2.GaussianBlur(seen, (0, 0), 0.5), cv2.COLOR_BGR2LAB).astype(np.float32)
    lab = _weighted(lab, reach)
    across = 2 * reach // step + 1
    spread = _spreads(lab, across, step)
    # the faces' cells have no mean: that of the windows falls out of the products
    alike = np.matmul(blocks.cells, _windows(lab, across, step).transpose(0, 2, 1))
    alike *= (1.0 / np.sqrt(blocks.spread.T**2 + NOISE**2))[:, :, None]
    alike *= (1.0 / (SIDE * SIDE * 3 * np.sqrt(spread**2 + NOISE**2)))[:, None]
    best = (alike - _stray(across, step)).argmax(axis=2)
    shift = np.stack([best % across, best // across], axis=-1) * step - reach
    likeness = np.take_along_axis(alike, best[:, :, None], axis=2)[:, :, 0]
    middle = (across // 2) * across + across // 2
    return FaceComparison(likeness.T, shift.transpose(1, 0, 2).astype(np.float32), spread[:, middle])


def evidence(look: FaceComparison, spread: Array, open_: Array) -> Array:
    """Return what each block says for each face (faces, 32): positive for it, negative against it.

    ``spread`` (faces, 32) that of the faces' blocks; ``open_`` (32): how far each block is open to view, 0 to 1. Blocks
    that are blank on both sides say nothing.
    """
    texture = np.maximum(spread, look.spread[None])
    tells = np.clip((texture - TEXTURE[0]) / (TEXTURE[1] - TEXTURE[0]), 0.0, 1.0) * open_[None]
    return np.asarray(tells * np.clip((look.likeness - EVEN) * STEEP, LOST, LIKE), np.float32)


def corrected(pose: Pose, aspect: float, look: FaceComparison, face: int) -> Pose:
    """Move the pose to where the blocks of ``face`` fit best; unchanged if too few of them fit.

    Turned, moved and scaled as most blocks agree (RANSAC); slanted only as far as blocks all over the card ask for
    it (ridge): a few of them, in one part of a card, say little of its far end.
    """
    fits = look.likeness[face] > FITS
    if fits.sum() < 4:
        return pose
    here = _CENTRES[fits]
    there = here + look.shift[face][fits]
    moved, used = cv2.estimateAffinePartial2D(
        here.reshape(-1, 1, 2), there.reshape(-1, 1, 2), method=cv2.RANSAC, ransacReprojThreshold=2.0
    )
    if moved is None:
        return pose
    kept = used.ravel() > 0
    middle = np.array([WIDE / 2, HIGH / 2])
    terms = np.column_stack([(here[kept] - middle) / (HIGH / 2), np.ones(int(kept.sum()))])
    rest = there[kept] - (here[kept] @ moved[:, :2].T + moved[:, 2])
    aslant = np.linalg.solve(terms.T @ terms + np.diag([STIFF, STIFF, 1e-6]), terms.T @ rest)
    linear = aslant[:2].T / (HIGH / 2)
    whole = np.eye(3)
    whole[:2, :2] = moved[:, :2] + linear
    whole[:2, 2] = moved[:, 2] + aslant[2] - linear @ middle
    cells = np.diag([aspect / WIDE, 1.0 / HIGH, 1.0])
    return np.asarray(pose @ cells @ whole @ np.linalg.inv(cells), np.float64)


class FaceStrips:
    """The faces of prints, then all of them upside down, ready to be compared with strips of a picture."""

    def __init__(self, prints: Sequence[FacePrint]) -> None:
        up = np.stack([_shrunk(one) for one in prints])
        both = np.concatenate([up, up[:, ::-1, ::-1]]) * _WEIGHTS
        both -= both.mean(axis=(0, 1, 2))
        self._by_rows, self._by_columns = (np.ascontiguousarray(one) for one in (both, both.transpose(0, 2, 1, 3)))
        self._squares: dict[tuple[bool, int, int], Array] = {}
        """The squared lengths of the strips that were asked for, by rows or by columns."""

    def likeness(self, cuts: Array, rows: slice, columns: slice) -> Array:
        """Return the correlations (m, 2n) of ``cuts`` (m, rows, columns, 3) Lab with those cells of each of n faces.

        Either ``rows`` or ``columns`` are all there are.
        """
        across = columns == slice(0, WIDE)
        faces, cut = (self._by_rows, rows) if across else (self._by_columns, columns)
        seen = (cuts - cuts.mean(axis=(1, 2), keepdims=True)) * _WEIGHTS
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
    """Return the squared lengths of ``strips`` (n, cells of three channels) about the mean of each channel."""
    sums = np.stack([strips[:, channel::3].sum(axis=1) for channel in range(3)])
    means = (sums**2).sum(axis=0) / (strips.shape[1] // 3)
    return np.asarray(np.einsum("ij,ij->i", strips, strips) - means, np.float32)


def _shrunk(one: FacePrint) -> Array:
    return np.asarray(cv2.resize(one.small, (WIDE, HIGH), interpolation=cv2.INTER_AREA), np.float32)


def _weighted(lab: Array, rim: int = 0) -> Array:
    """Lab cells with the colour channels about the card's own middle, weighted."""
    inner = lab[rim : lab.shape[0] - rim, rim : lab.shape[1] - rim]
    middle = np.array([0.0, _median(inner[..., 1]), _median(inner[..., 2])], np.float32)
    return np.asarray((lab - middle) * _WEIGHTS, np.float32)


def _median(cells: Array) -> float:
    """Return the middle one of the values; of an even count the mean of both."""
    flat = cells.ravel()
    middle = ((len(flat) - 1) // 2, len(flat) // 2)
    return float(np.partition(flat, middle)[list(middle)].mean())


def _centred(lab: Array) -> Array:
    """Return the blocks of a card (32, 432) with zero mean in each channel."""
    cells = _windows(lab, 1, 1).reshape(ROWS * COLUMNS, SIDE * SIDE, 3)
    return np.asarray((cells - cells.mean(axis=1, keepdims=True)).reshape(ROWS * COLUMNS, -1), np.float32)


def _windows(lab: Array, across: int, step: int) -> Array:
    """Return the blocks of ``across`` times ``across`` card-sized windows, row by row: (32, windows, 432)."""
    lab = np.ascontiguousarray(lab)
    row, column, value = lab.strides
    shape = (ROWS, COLUMNS, across, across, SIDE, SIDE * 3)
    strides = (SIDE * row, SIDE * column, step * row, step * column, row, value)
    return as_strided(lab, shape, strides, writeable=False).reshape(ROWS * COLUMNS, across * across, SIDE * SIDE * 3)


def _spreads(lab: Array, across: int, step: int) -> Array:
    """Return the spread of the cells of those blocks about their mean in each channel: (32, windows)."""
    sums, squares = (_block_sums(np.asarray(one, np.float64), across, step) for one in cv2.integral2(lab))
    cells = SIDE * SIDE
    variance = (squares - sums**2 / cells).sum(axis=2) / (3 * cells)
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)), np.float32)


def _block_sums(table: NDArray[np.float64], across: int, step: int) -> NDArray[np.float64]:
    """Return the sums over those blocks (32, windows, 3), by their integral image."""
    row, column, value = table.strides
    corners = as_strided(
        table,
        (ROWS + 1, COLUMNS + 1, across, across, 3),
        (SIDE * row, SIDE * column, step * row, step * column, value),
        writeable=False,
    )
    sums = corners[1:, 1:] - corners[1:, :-1] - corners[:-1, 1:] + corners[:-1, :-1]
    return sums.reshape(ROWS * COLUMNS, across * across, 3)


@cache
def _stray(across: int, step: int) -> Array:
    """Cost of the shift of each window."""
    moved = (np.arange(across) - across // 2) * step
    return np.asarray(STRAY * np.hypot(*np.meshgrid(moved, moved)).ravel(), np.float32)
