"""The faces of an enrolled bidding box, ready to be compared with what shows of a card in the tray.

Cells are those of a bidding card's finer picture (``prints.BIDDING_FACE``): 2.5 a millimetre, CIE Lab.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.bidding import BIDDING_BOX, BIDS
from hw.layout import CARD_HEIGHT, CARD_WIDTH
from vision.faces.geometry import Array, Mask
from vision.faces.index import FaceIndex
from vision.faces.prints import BIDDING_CHANNELS, BIDDING_FACE, BIDDING_RIM
from vision.faces.suit_signs import Cut, SuitSigns
from vision.packs import PackError, PackFaces

Cells = NDArray[Any]
CELLS: Final = (BIDDING_FACE[0] / CARD_WIDTH, BIDDING_FACE[1] / CARD_HEIGHT)
"""Cells a millimetre, across and down."""
CHANNELS: Final = BIDDING_CHANNELS
NOISE: Final = 5.0
"""Spread of cells (Lab units) that noise alone may make: blank paper resembles nothing."""
RIM: Final = BIDDING_RIM
UPPER: Final = BIDDING_FACE[1] // 2 - RIM
"""Rows that are compared of a strip: further down there is no sign."""
SOFT: Final = 0.7
"""Spread of the blur (cells) by which enrolled faces are made as soft as a frame, which is coarser."""
PEEK: Final = (12, 42)
"""Columns and rows (``COARSE`` cells) of a face by which places are proposed."""
NARROW: Final = 6
"""Such columns where little shows: 4 mm."""
COARSE: Final = (1.5, 1.0)
"""Such cells a millimetre, across and down."""
PEEK_RIM: Final = 1
"""Such cells at the edges that are left out."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """Comparison of a look with the face that it fits best.

    ``score``: correlation, -1 to 1; ``apart``: 1 if all that distinguishes the face from every other speaks for it, 0
    if it speaks for another; ``sure``: lead over the next face in standard deviations of what the face leaves
    unexplained. ``beside``: both, not counting the bid of the same level in the other black suit. ``either``: the names
    left open if the sign decides neither.
    """

    name: str
    face: int
    score: float
    apart: float
    sure: float
    beside: tuple[float, float] = (1.0, 0.0)
    either: tuple[str, ...] = ()


def twin_of(name: str) -> str | None:
    """Return the bid of the same level in the other black suit; None for any other call."""
    if name not in BIDS or name[1] not in "CS":
        return None
    return f"{name[0]}{'S' if name[1] == 'C' else 'C'}"


def black_pair(name: str) -> tuple[str, ...]:
    """Both black bids of a level, the club first; nothing for any other call."""
    twin = twin_of(name)
    return () if twin is None else tuple(sorted((name, twin)))


def missing_calls(pack: PackFaces) -> tuple[str, ...]:
    """Return the cards of a box, in their order, that ``pack`` has no face of."""
    return tuple(name for name in BIDDING_BOX.copies if name not in pack.pictures)


def whole_box(pack: PackFaces) -> BiddingFaces:
    """Return the faces of a box of which every card was enrolled. Raises PackError for any other ``pack``."""
    faces = BiddingFaces(pack)
    if missing := missing_calls(pack):
        raise PackError(f"this box lacks {', '.join(missing)}: no bidding card can be told; enrol all of its faces")
    return faces


@dataclass(frozen=True, slots=True)
class Coarse:
    """The upper halves of cards, from RIM on, in cells twice as large, summed from the left to each column."""

    columns: Array
    """The cells (columns, n, rows x 3)."""
    sums: Array
    """The sums of each channel (columns, n, 3)."""
    squares: Array
    """The sums of squares without each channel's mean (columns, n)."""
    rows: int

    @classmethod
    def of(cls, lab: Array) -> Coarse:
        """Make the coarse form of weighted cells (n, rows, columns, 3)."""
        n, rows, columns = lab.shape[0], lab.shape[1] // 2, lab.shape[2] // 2
        small = lab[:, : rows * 2, : columns * 2].reshape(n, rows, 2, columns, 2, 3).mean(axis=(2, 4))
        turned = np.ascontiguousarray(small.transpose(2, 0, 1, 3))
        sums = np.cumsum(turned.sum(axis=2), axis=0)
        cells = np.arange(1, columns + 1, dtype=np.float32)[:, None] * rows
        squares = np.cumsum((turned**2).sum(axis=(2, 3)), axis=0) - (sums**2).sum(axis=2) / cells
        flat = turned.reshape(columns, n, -1)
        return cls(flat, np.asarray(sums, np.float32), np.asarray(squares, np.float32), rows)

    def likeness(self, look: Coarse) -> tuple[Array, Array]:
        """Correlations (columns, n) with one ``look`` by the columns that show, and the number of their cells."""
        cells = np.arange(1, len(self.columns) + 1, dtype=np.float32)[:, None] * self.rows
        products = np.cumsum((self.columns @ look.columns.transpose(0, 2, 1))[..., 0], axis=0)
        products -= (self.sums @ look.sums.transpose(0, 2, 1))[..., 0] / cells
        noise = NOISE**2 * cells
        return np.asarray(products / np.sqrt((self.squares + noise) * (look.squares + noise)), np.float32), cells[:, 0]


class BiddingFaces:
    """The faces of one box. Raises PackError if ``pack`` is no enrolled bidding box."""

    def __init__(self, pack: PackFaces) -> None:
        if pack.kind != BIDDING_BOX.name or not pack.whole:
            raise PackError("this pack holds no bidding cards: enrol a box with --of bidding")
        if not pack.pictures:
            raise PackError("this box was enrolled by an older version: enrol it again")
        self._pack = pack
        pairs = [(name, one) for name, some in pack.pictures.items() for one in some]
        self.names = tuple(name for name, _ in pairs)
        self.are_all = not missing_calls(pack)
        """True if every card of a box was enrolled. An incomplete box names no card: cards that were not enrolled look
        like their neighbours in level or strain and took the name of one of them, a fifth of all names reported."""
        soft = np.stack([cv2.GaussianBlur(one, (0, 0), SOFT) for _, one in pairs])
        self.lab = np.ascontiguousarray(soft.astype(np.float32) * CHANNELS)
        """Weighted cells (n, rows, columns, 3)."""
        self.coarse = Coarse.of(self.lab[:, RIM : RIM + UPPER, RIM : BIDDING_FACE[0] - RIM])
        self.other = np.array([[one != other for other in self.names] for one in self.names])
        """True for each pair of faces with different names."""
        self._twin = np.array([[twin_of(one) == other for other in self.names] for one in self.names])
        self.signs = SuitSigns(pack.pictures)
        peeks = np.stack([peek_of(cv2.cvtColor(one, cv2.COLOR_LAB2BGR), CELLS) for _, one in pairs])
        across, down = PEEK
        self.peeks = normed(peeks[:, PEEK_RIM : PEEK_RIM + down, PEEK_RIM : PEEK_RIM + across].reshape(len(peeks), -1))
        """Left edge of each face as it shows beneath others, of length 1: (n, cells)."""
        narrow = peeks[:, PEEK_RIM : PEEK_RIM + down, PEEK_RIM : PEEK_RIM + NARROW]
        self.narrow_peeks = normed(narrow.reshape(len(peeks), -1))
        """… where little of it shows."""

    @property
    def whole(self) -> FaceIndex:
        """The same faces, to be looked for in a picture wherever they lie."""
        index = self._pack.faces
        assert index is not None  # noqa: S101 - a box without whole faces is none
        return index

    def _coarsely(self, seen: Array, shows: Mask) -> Array:
        """Return the correlations of all faces with weighted cells, every second cell of every second row compared."""
        rows, columns = shows.shape
        part = self.lab[:, RIM : RIM + rows : 2, RIM : RIM + columns : 2]
        coarse = shows[::2, ::2]
        return scores(*_flat(seen[::2, ::2][coarse], part[:, coarse]))[0]

    def likest(self, look: Cells, shows: Mask) -> int:
        """Return the face most like the ``look`` by a coarse comparison; see ``likeness``."""
        return int(self._coarsely(weighted(look), shows).argmax())

    def likeness(self, look: Cells, shows: Mask) -> Likeness:
        """Compare the ``look`` (rows, columns, 3), from RIM on, with all faces, in the cells that ``shows`` marks."""
        rows, columns = shows.shape
        seen = weighted(look)
        part = self.lab[:, RIM : RIM + rows, RIM : RIM + columns]
        few = np.argsort(-self._coarsely(seen, shows))[:LIKELIEST]
        x, flat = _flat(seen[shows], part[few][:, shows])
        score, inner, squares = scores(x, flat)
        likest = int(score.argmax())
        gain = float(np.clip(inner[likest] / max(1e-6, squares[likest]), *GAINS))
        x, flat = _without(_indifferent(seen, flat, shows), x, gain * flat)
        return self._nearest(x, flat, few, score)

    def _nearest(self, x: Array, flat: Array, few: NDArray[np.int64], score: Array) -> Likeness:
        """Return the face of ``few``, with cells ``flat``, that is nearest to the cells ``x``."""
        rest = ((x - flat) ** 2).sum(axis=1)
        best = int(rest.argmin())
        face = int(few[best])
        others = np.flatnonzero(self.other[face][few])
        if not len(others):
            return Likeness(self.names[face], face, float(score[best]), 1.0, ALONE)
        lead = rest[others] - rest[best]
        parting = np.maximum(((flat[others] - flat[best]) ** 2).sum(axis=1), 1e-6)
        variance = max(float(rest[best]) / len(x), FLOOR**2)
        apart = 0.5 + 0.5 * lead / parting
        sure = 0.5 * lead / np.sqrt(parting * variance * BLOB)
        alien = ~self._twin[face][few][others]
        beside = (float(apart[alien].min()), float(sure[alien].min())) if alien.any() else (1.0, ALONE)
        return Likeness(self.names[face], face, float(score[best]), float(apart.min()), float(sure.min()), beside)

    def by_sign(self, cut: Cut, shows: Mask, like: Likeness) -> Likeness:
        """``like`` with the name that the sign says, where both black bids of its level differ in their sign alone.

        ``cut`` cuts the card out of its picture; ``shows``: which cells of it, from RIM on.
        """
        if not self.signs.know(like.name):
            return like
        apart, sure = like.beside
        name = self.signs.read(cut, shows, like.name)
        if name is None:
            return replace(like, apart=apart, sure=sure, either=black_pair(like.name))
        return replace(like, name=name, face=self.names.index(name), apart=apart, sure=sure)


def _indifferent(seen: Array, faces: Array, shows: Mask) -> Array:
    """Rows of cells by which a look may differ from its face without meaning anything.

    Small errors of its place, turn, size and sharpness; another light across or along it; more or less contrast of what
    all likely faces share.
    """
    right, down = np.gradient(seen, axis=1), np.gradient(seen, axis=0)
    places = np.argwhere(shows).astype(np.float32) / 40.0 - 1.0
    y, x = places[:, :1], places[:, 1:]
    right, down, sharp = right[shows], down[shows], cv2.Laplacian(seen, cv2.CV_32F)[shows]
    shared = faces.mean(axis=0).reshape(-1, 3)
    own = np.eye(3, dtype=np.float32)
    rows = [right, down, right * y, right * x, down * y, down * x, sharp]
    rows += [light * one for light in (x, y, shared, x * y) for one in own]
    rows += [np.broadcast_to(one, right.shape) for one in own]
    return np.stack([row.ravel() for row in rows])


def _without(rows: Array, x: Array, faces: Array) -> tuple[Array, Array]:
    """``x`` and ``faces`` (n, cells) without what ``rows`` can make of it."""
    both = np.concatenate([x[None], faces])
    normal = rows @ rows.T
    normal[np.diag_indices_from(normal)] *= 1.0 + 1e-5
    shares = np.linalg.solve(normal.astype(np.float64), (rows @ both.T).astype(np.float64))
    both -= shares.T.astype(np.float32) @ rows
    return both[0], both[1:]


def _flat(seen: Array, faces: Array) -> tuple[Array, Array]:
    """Cells (m, 3) and those of faces (n, m, 3) as rows without each channel's mean."""
    level = seen - seen.mean(axis=0)
    return level.ravel(), (faces - faces.mean(axis=1, keepdims=True)).reshape(len(faces), -1)


def scores(x: Array, faces: Array) -> tuple[Array, Array, Array]:
    """Return the correlations of cells ``x`` with ``faces`` (n, cells), the products with them and their squares."""
    noise = NOISE**2 * len(x) / 3
    inner = faces @ x
    squares = np.einsum("ij,ij->i", faces, faces)
    return inner / np.sqrt((squares + noise) * (float(x @ x) + noise)), inner, squares


LIKELIEST: Final = 9
"""Faces that are compared in all cells."""
GAINS: Final = (0.4, 1.6)
"""Contrast of a look by that of the enrolled face."""
ALONE: Final = 99.0
"""``Likeness.sure`` of a face in a box that has no other."""
FLOOR: Final = 3.0
"""Spread of a cell (Lab units) that is granted where a face seems to explain all."""
BLOB: Final = 12.0
"""Number of neighbouring cells that err together, about."""


def weighted(look: Cells) -> Array:
    """Return a look (…, 3) uint8 Lab as weighted cells."""
    return np.asarray(look.astype(np.float32) * CHANNELS, np.float32)


def peek_of(picture: Cells, cells: tuple[float, float]) -> Array:
    """Return the darkest colour of each COARSE cell of a BGR picture of ``cells`` a millimetre: any ink is dark."""
    blue, green, red = cv2.split(picture)
    least = cv2.min(cv2.min(blue, green), red)
    size = (round(picture.shape[1] / cells[0] * COARSE[0]), round(picture.shape[0] / cells[1] * COARSE[1]))
    return np.asarray(cv2.resize(least, size, interpolation=cv2.INTER_AREA), np.float32)


def normed(rows: Array) -> Array:
    """``rows`` (n, cells) without their mean, of length 1; flat ones shorter."""
    flat = rows - rows.mean(axis=1, keepdims=True)
    noise = NOISE**2 * rows.shape[1]
    return np.asarray(flat / np.sqrt(np.einsum("ij,ij->i", flat, flat) + noise)[:, None], np.float32)
