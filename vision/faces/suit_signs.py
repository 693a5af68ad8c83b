"""Clubs and spades of one level, distinguished by the small sign in which alone their bidding cards differ.

Two cards of a box were never cut out of their photograph alike to the cell, nor lit alike: compared as wholes, more
parts a 3C from a 3S than their signs, and now and then it spoke for the wrong one. So one of them is laid exactly over
the other, what still differs is the sign, and a look is laid over what they share before its sign is compared.

Cells are those of ``box``: 2.5 a millimetre, weighted CIE Lab.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.bidding import BIDS
from vision.faces.face_differences import laid_over
from vision.faces.geometry import Array, Image, Mask
from vision.faces.prints import BIDDING_CHANNELS as CHANNELS
from vision.faces.prints import BIDDING_RIM as RIM

PART: Final = (105, 36)
"""Rows and columns of a face, from its upper left corner, in which its sign is looked for."""
MORE: Final = (8, 24)
"""Rows and columns beyond the compared part that are aligned too."""
FINER: Final = 3
"""A look is laid over its face to a third of a cell."""
REACH: Final = 3
"""Cells by which a look may be off."""
BLURS: Final = (0.0, 0.6, 1.0)
"""Spreads (cells) of the blur by which a look may be softer than the enrolled faces."""
SIGN: Final = 0.3
"""Share of the largest difference from which a cell belongs to the sign."""
CONTRAST: Final = 10.0
"""Lab units by which the signs must differ somewhere."""
ELSEWHERE: Final = (22.0, 0.04)
"""Lab units, and the most cells beside the sign that may differ by more: else they do not lie over each other."""
COLOURED: Final = 2.6
"""Lab units by which half the cells of ground or ink of most levels differ in boxes whose black suits have colours of
their own: 3.3 to 92 in drawn boxes, .7 to 1.9 in those that have not. Such cards are well distinguished as wholes."""
INK: Final = 40.0
"""Lab units from a face's commonest colour from which a cell is ink."""
OPEN: Final = 0.7
"""Share of what separates two signs that must be open to view."""
AROUND: Final = (14, 6)
"""Rows above and below the sign and columns to its right that fix the place of a look."""
ALIKE: Final = 0.94
"""Correlation of a look with what both faces share from which its place is certain."""
DECIDED: Final = 0.25
"""Leaning (``_leans``) from which a sign is decided."""
BEYOND: Final = 1.7
"""… and up to which: a look that is more like one sign than that sign itself shows something else."""
NOISY: Final = 0.6
"""Least difference of both signs by what neither explains of a look."""
_MOTIONS: Final = (cv2.MOTION_EUCLIDEAN, cv2.MOTION_TRANSLATION, cv2.MOTION_AFFINE)
_PART: Final = (slice(0, PART[0]), slice(0, PART[1]))
Box = tuple[int, int, int, int]
"""Top, bottom, left and right."""
Cut = Callable[[tuple[int, int], int], Image]
"""Gives this many columns and rows of a card, from RIM on, with a border of this many cells, as uint8 Lab."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """A level's two faces aligned with each other, and the box in which they differ."""

    clubs: Array
    spades: Array
    box: Box


class SuitSigns:
    """The signs of one box; of a box whose black suits differ in more, as in colour, nothing is said."""

    def __init__(self, pictures: Mapping[str, Sequence[Image]]) -> None:
        """``pictures``: of each face, (rows, columns, 3) uint8 Lab."""
        self._pairs: dict[str, _Pair | None] = {}
        off = []
        for level in "1234567":
            clubs, spades = (pictures.get(f"{level}{suit}") for suit in "CS")
            if clubs and spades:
                faces = [one[0].astype(np.float32) * CHANNELS for one in (clubs, spades)]
                laid = [over for motion in _MOTIONS if (over := _laid_over(faces[0], faces[1], motion)) is not None]
                self._pairs[level] = _pair(faces[0], laid)
                off += [_off_in_colour(over[_PART], _lit_as(faces[0][_PART], over[_PART])) for over in laid[:1]]
        if not off or float(np.median(off)) > COLOURED:
            self._pairs.clear()

    def know(self, name: str) -> bool:
        """Return True if a bid is a club or spade of a box whose black suits differ in their signs alone."""
        return name in BIDS and name[1] in "CS" and name[0] in self._pairs

    def read(self, cut: Cut, shows: Mask, name: str) -> str | None:
        """Decide whether the card that ``cut`` cuts out is the club or the spade of the level of ``name``.

        ``shows``: the cells of it, from RIM on, that are open to view. None if it cannot be decided.
        """
        pair = self._pairs[name[0]]
        box = None if pair is None else _open_part(pair, shows)
        if pair is None or box is None:
            return None
        top, bottom, left, right = box
        around = (max(RIM, top - AROUND[0]), min(PART[0], bottom + AROUND[0]), RIM, _open_to(shows, box))
        size = (around[3] + REACH, around[1] + REACH)
        look = cut((size[0] - RIM, size[1] - RIM), RIM + REACH)[: size[1] + REACH, : size[0] + REACH]
        seen = _finer(look[around[0] : around[1] + 2 * REACH, around[2] :].astype(np.float32) * CHANNELS)
        sign = (
            slice((top - around[0]) * FINER, (bottom - around[0]) * FINER),
            slice((left - around[2]) * FINER, (right - around[2]) * FINER),
        )
        clubs, spades = (_finer(_part(face, around)) for face in (pair.clubs, pair.spades))
        leans = _leans(seen, clubs, spades, sign)
        if leans is None or not DECIDED <= abs(leans) <= BEYOND:
            return None
        return f"{name[0]}{'C' if leans > 0 else 'S'}"


def _pair(clubs: Array, laid: list[Array]) -> _Pair | None:
    """Two faces, the second ``laid`` over the first in several ways, if a sign is all in which they differ."""
    best: tuple[float, Array, Array] | None = None
    for spades in laid:
        lit = _lit_as(clubs[_PART], spades[_PART])
        apart = np.abs(clubs[_PART] - lit).sum(axis=2)
        apart[:RIM], apart[:, :RIM] = 0.0, 0.0
        if best is None or float(apart.sum()) < best[0]:
            best = float(apart.sum()), lit, np.asarray(apart, np.float32)
    if best is None:
        return None
    _, lit, apart = best
    soft = cv2.GaussianBlur(apart, (0, 0), 1.2)
    if soft.max() < CONTRAST:
        return None
    parts = cv2.dilate((soft > SIGN * soft.max()).astype(np.uint8), np.ones((3, 3), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(parts)
    row, column = np.unravel_index(int(soft.argmax()), soft.shape)
    x, y, wide, tall = (int(v) for v in stats[labels[row, column]][:4])
    box = (max(RIM, y - 1), min(PART[0], y + tall + 1), max(RIM, x - 1), min(PART[1], x + wide + 1))
    rest = apart.copy()
    rest[box[0] : box[1], box[2] : box[3]] = 0.0
    if float((rest > ELSEWHERE[0]).mean()) > ELSEWHERE[1]:
        return None
    return _Pair(np.ascontiguousarray(clubs[_PART]), lit, box)


def _off_in_colour(face: Array, lit: Array) -> float:
    """Distance in colour (Lab units) that a face's ground or ink was moved to look as the other one's does."""
    far = np.abs(lit - face)[..., 1:].max(axis=2)
    ink = np.abs(face - np.median(face, axis=(0, 1))).sum(axis=2) > INK
    return max(float(np.median(far[cells])) for cells in (ink, ~ink) if cells.any())


def _laid_over(one: Array, other: Array, motion: int) -> Array | None:
    """Return ``other`` aligned with ``one`` by their upper left parts; None if they cannot be aligned."""
    rows, columns = PART[0] + MORE[0], PART[1] + MORE[1]
    found = laid_over(one[:rows, :columns], other[:rows, :columns], 1.0, (motion,), (60, 1e-5, 3))
    if found is None:
        return None
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    size = (other.shape[1], other.shape[0])
    return np.asarray(cv2.warpAffine(other, found, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _lit_as(one: Array, other: Array) -> Array:
    """``other`` in the light of ``one``: of each channel a gain and a level, with a slope, whatever few cells say."""
    rows, columns = one.shape[:2]
    down, right = (axis / 40.0 for axis in np.mgrid[0:rows, 0:columns])
    out = np.empty_like(one)
    for channel in range(3):
        own, goal = other[..., channel], one[..., channel].ravel()
        terms = np.stack([own, np.ones_like(own), right, down, own * right, own * down], -1).reshape(-1, 6)
        weight = np.ones(len(goal))
        for _ in range(4):
            shares = np.linalg.lstsq(terms * weight[:, None], goal * weight, rcond=None)[0]
            weight = 1.0 / (1.0 + np.abs(terms @ shares - goal) / 6.0)
        out[..., channel] = (terms @ shares).reshape(rows, columns)
    return out


def _open_part(pair: _Pair, shows: Mask) -> Box | None:
    """Return the visible part of a sign, from its left on; None if it is too little to decide."""
    top, bottom, left, right = pair.box
    first = _open_to(shows, pair.box)
    parting = ((pair.clubs - pair.spades)[top:bottom] ** 2).sum(axis=(0, 2))
    whole, seen = float(parting[left:right].sum()), float(parting[left : min(first, right)].sum())
    return (top, bottom, left, min(first, right)) if seen >= OPEN * whole else None


def _open_to(shows: Mask, box: Box) -> int:
    """Distance to the right of a sign up to which all beside it is open to view."""
    columns = np.flatnonzero(~shows[box[0] - RIM : box[1] - RIM].all(axis=0))
    first = int(columns[0]) + RIM if len(columns) else shows.shape[1] + RIM
    return min(first, box[3] + AROUND[1], PART[1])


def _part(face: Array, box: Box) -> Array:
    return face[box[0] : box[1], box[2] : box[3]]


def _finer(cells: Array) -> Array:
    finer = cv2.resize(np.ascontiguousarray(cells), None, fx=FINER, fy=FINER, interpolation=cv2.INTER_CUBIC)
    return np.asarray(finer, np.float32)


def _leans(seen: Array, clubs: Array, spades: Array, sign: tuple[slice, slice]) -> float | None:
    """To which ``sign`` a look leans, 1: as clubs are, -1: as spades are; None: its place or its sign is not clear."""
    best: tuple[float, int, int, float] | None = None
    grey, half = np.ascontiguousarray(seen[..., 0]), np.ascontiguousarray((clubs + spades)[..., 0] / 2)
    for blur in BLURS:
        soft = _blurred(half, blur)
        _, alike, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(grey, soft, cv2.TM_CCOEFF_NORMED))
        if best is None or alike > best[0]:
            best = alike, x, y, blur
    assert best is not None  # noqa: S101 - there are blurs
    alike, x, y, blur = best
    if alike < ALIKE:
        return None
    clubs, spades = _blurred(clubs, blur), _blurred(spades, blur)
    look, shared = seen[y : y + clubs.shape[0], x : x + clubs.shape[1]], (clubs + spades) / 2
    level = shared[..., 0] - shared[..., 0].mean()
    gain = float((level * look[..., 0]).sum() / max(1e-6, float((level * level).sum())))
    middle, apart = gain * shared[sign], gain * (clubs - spades)[sign]
    # a small error of its place, and its level in each channel, say nothing
    idle = [*np.gradient(middle, axis=(0, 1)), *(np.ones_like(middle) * (np.arange(3) == n) for n in range(3))]
    base = np.stack([row.ravel() for row in idle]).astype(np.float64)
    off, way = (_aside(cells, base) for cells in (look[sign] - middle, apart))
    length = float(way @ way)
    leans = 2.0 * float(off @ way) / max(1e-6, length)
    left = off - leans / 2 * way
    return leans if length >= NOISY**2 * float(left @ left) else None


def _blurred(cells: NDArray[Any], blur: float) -> Array:
    return np.asarray(cv2.GaussianBlur(cells, (0, 0), blur * FINER) if blur else cells, np.float32)


def _aside(cells: NDArray[Any], base: NDArray[np.float64]) -> NDArray[np.float64]:
    """``cells`` as a row, without what the rows of ``base`` can make of them."""
    row = cells.ravel().astype(np.float64)
    normal = base @ base.T
    normal[np.diag_indices_from(normal)] += 1e-3  # a flat look has no slopes
    return np.asarray(row - np.linalg.solve(normal, base @ row) @ base)
