"""The faces of an enrolled bidding box, ready to be compared with what shows of a card in the tray.

Cells are those of a face's small picture (``face_print``): 96 across the card's width, 192 down its height, CIE Lab.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.bidding import BIDDING_BOX
from hw.layout import CARD_HEIGHT, CARD_WIDTH
from vision.face_print import SIZE, Array
from vision.packs import PackError, PackFaces

Cells = NDArray[Any]
CELLS: Final = (SIZE[0] / CARD_WIDTH, SIZE[1] / CARD_HEIGHT)
"""Cells a millimetre, across and down."""
CHANNELS: Final = np.array([1.0, 1.2, 1.2], np.float32)
"""Weights of lightness and of both colour channels."""
NOISE: Final = 5.0
"""Spread of cells (Lab units) that noise alone may make: blank paper resembles nothing."""
RIM: Final = 2
"""Columns and rows at a face's edges that are not compared: a neighbour's card or its shadow may lie there."""
PEEK: Final = (10, 46)
"""Columns and rows (every second one) of a face by which places are proposed: 7 mm at its left edge, its upper half."""
UPPER: Final = SIZE[1] // 2 - RIM
"""Rows that are compared of a strip: further down the next card, turned a little, may cover it."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How well a look fits the likeliest face.

    ``score``: correlation, -1 to 1; ``apart``: 1 where all that parts it from every other face speaks for it, 0 where
    it speaks for another.
    """

    name: str
    score: float
    apart: float


class BiddingFaces:
    """The faces of one box. Raises PackError where ``pack`` is no enrolled bidding box."""

    def __init__(self, pack: PackFaces) -> None:
        if pack.kind != BIDDING_BOX.name or not pack.whole:
            raise PackError("this pack holds no bidding cards: enrol a box with --of bidding")
        pairs = [(name, one.small) for name, prints in pack.whole.items() for one in prints]
        self.names = tuple(name for name, _ in pairs)
        self.missing = tuple(name for name in BIDDING_BOX.copies if name not in pack.whole)
        """Cards of a box that were not enrolled."""
        lab = np.stack([small for _, small in pairs])
        self._faces = np.ascontiguousarray(lab.astype(np.float32) * CHANNELS)
        self._same = np.array([[one == other for other in self.names] for one in self.names])
        peeks = np.stack([peek_of(cv2.cvtColor(small, cv2.COLOR_LAB2BGR)) for small in lab])
        self.peeks = normed(peeks[:, RIM // 2 : RIM // 2 + PEEK[1], RIM : RIM + PEEK[0]].reshape(len(peeks), -1))
        """What shows of each face at its left edge, of length 1: (n, cells)."""
        self._strip = lru_cache(maxsize=128)(self._made_strip)

    def _made_strip(self, rows: int, columns: int) -> tuple[Array, Array]:
        """``rows`` and ``columns`` of all faces without their mean (n, cells), and their products."""
        part = self._faces[:, RIM : RIM + rows, RIM : RIM + columns]
        flat = (part - part.mean(axis=(1, 2), keepdims=True)).reshape(len(part), -1)
        return np.ascontiguousarray(flat), np.asarray(flat @ flat.T, np.float32)

    def scores(self, cuts: Cells) -> Array:
        """The correlations (m, n) of ``cuts`` (m, rows, columns, 3) Lab with that much of each face, from RIM on."""
        faces, products = self._strip(*cuts.shape[1:3])
        squares = products.diagonal()
        seen = _levelled(cuts)
        noise = NOISE**2 * seen.shape[1]
        mine = np.sqrt(np.einsum("ij,ij->i", seen, seen) + noise)
        return np.asarray(seen @ faces.T / mine[:, None] / np.sqrt(squares + noise)[None], np.float32)

    def likeness(self, cut: Cells) -> Likeness:
        """Which face the look ``cut`` (rows, columns, 3) Lab is of."""
        score = self.scores(cut[None])[0]
        best = int(score.argmax())
        faces, products = self._strip(*cut.shape[:2])
        squares = products.diagonal()
        seen = _levelled(cut[None])[0]
        like = faces @ seen
        like *= float(like[best]) / max(1e-6, float(seen @ seen))
        # of what parts the best from another, the part that the look has: 1 as the best, 0 as the other
        has = like[best] - like - products[best] + squares
        part = has / np.maximum(squares[best] - 2 * products[best] + squares, 1e-6)
        others = part[~self._same[best]]
        return Likeness(self.names[best], float(score[best]), float(others.min()) if len(others) else 1.0)


def _levelled(cuts: Cells) -> Array:
    """``cuts`` (m, rows, columns, 3) Lab as rows of weighted cells without each channel's mean."""
    flat = cuts.astype(np.float32) * CHANNELS
    return np.asarray((flat - flat.mean(axis=(1, 2), keepdims=True)).reshape(len(cuts), -1), np.float32)


def peek_of(picture: Cells) -> Array:
    """The darkest colour of each cell of a BGR picture, every two rows as one: ink of any colour is dark there."""
    blue, green, red = cv2.split(picture)
    least = cv2.min(cv2.min(blue, green), red)
    half = cv2.resize(least, (picture.shape[1], picture.shape[0] // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(half, np.float32)


def normed(rows: Array) -> Array:
    """``rows`` (n, cells) without their mean, of length 1; flat ones shorter."""
    flat = rows - rows.mean(axis=1, keepdims=True)
    noise = NOISE**2 * rows.shape[1]
    return np.asarray(flat / np.sqrt(np.einsum("ij,ij->i", flat, flat) + noise)[:, None], np.float32)
