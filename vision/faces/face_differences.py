"""Differences of a picture from a face at a pose, beyond small shifts, light and noise: a pip too many, another figure.

Block evidence says which face resembles most. What makes it certain is that nothing visible contradicts it, and that
every other face is contradicted by something visible: a nine of swords is an eight with one sword more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.geometry import Array, Image, Mask, Pose, cut
from vision.faces.prints import SIZE

SHIFT: Final = np.ones((5, 5), np.uint8)
"""Kernel that counts a point within two cells, a millimetre, of its place as there."""
FAR: Final = 24.0
"""Lab units (lightness and 1.3 times each colour channel, added) by which a cell must differ; set on drawn pictures."""
COLOUR: Final = np.array([1.0, 1.3, 1.3], np.float32)
RIM: Final = 5
"""Cells at a card's edge that are not compared: its border is cut differently from card to card."""
SPECK: Final = 10
"""Cells below which a difference is dirt or shine."""
PART: Final = 0.06
"""Share of a card from which on a difference that reaches its edge is something lying over it."""
GAIN: Final = (0.5, 1.5)
"""Contrast of a picture over that of the enrolled face, at least and at most."""
SOFT: Final = 2.0
"""Cells of blur under which light is compared: shifts by a cell do not count."""
BESIDE: Final = np.ones((7, 7), np.uint8)
"""Kernel of three cells around parts that are not compared: what is within counts as beside them."""
THIN: Final = 10
"""Every tenth cell is enough for it."""
BLURRED: Final = 1.5
"""Cells of blur under which a card is laid over its face: so far off it may be at first."""
MOST: Final = 16.0
"""Cells, 8 mm, by which no corner may move then: that would be another card."""
_NOTHING: Final = np.zeros((SIZE[1], SIZE[0], 3), np.float32)


@dataclass(frozen=True)
class FaceDifference:
    """Differences between a card and a face.

    ``area``: share of the card, in thousandths, that differs and is not hidden; ``inside``: of this the parts that
    touch nothing that is left out of the comparison (the card's rim excepted), so that they cannot be a strip of
    something lying over the card; ``over`` (192, 96): cells covered by something not identified; ``hidden`` (192, 96):
    these and what is close to them.
    """

    area: float
    inside: float
    hidden: Mask
    over: Mask


def cut_out(picture: Image, pose: Pose, aspect: float) -> Array:
    """Return the card at ``pose`` as (192, 96, 3) Lab."""
    seen = cut(picture, pose, (aspect / SIZE[0], 1.0 / SIZE[1]), SIZE)
    return cv2.cvtColor(seen, cv2.COLOR_BGR2LAB).astype(np.float32)


def on_card(mask: NDArray[np.uint8], pose: Pose, aspect: float) -> NDArray[np.uint8]:
    """Return a picture's mask as it lies on the card at ``pose`` (192, 96)."""
    cells = pose @ np.diag([aspect / SIZE[0], 1.0 / SIZE[1], 1.0])
    return np.asarray(cv2.warpPerspective(mask, cells, SIZE, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP), np.uint8)


def cells_over(covered: NDArray[np.uint8], pose: Pose, aspect: float) -> Mask:
    """Return the cells (192, 96) of the card at ``pose`` in ``covered``, a mask of the picture, or close to it."""
    return np.asarray(cv2.dilate(on_card(covered, pose, aspect), np.ones((7, 7), np.uint8)) > 0, np.bool_)


def inner(covered: Mask) -> Mask:
    """Return the cells to compare: what is not ``covered`` (192, 96), and not at the card's rim."""
    valid = ~covered
    valid[:RIM] = valid[-RIM:] = False
    valid[:, :RIM] = valid[:, -RIM:] = False
    return valid


@dataclass(frozen=True)
class CardLook:
    """A card as it is seen, made ready to be compared with many faces.

    ``valid`` (192, 96): the cells to compare; ``cells`` (192, 96, 3) Lab, blurred a little; ``low`` and ``high``: the
    least and the greatest value within ``SHIFT``; ``few`` (n): every ``THIN``-th valid cell; ``light`` (n, 3): their
    values under the blur ``SOFT``; ``slopes`` (n, 3): how light may change over the card, at those cells.
    """

    valid: Mask
    cells: Array
    low: Array
    high: Array
    few: NDArray[np.int64]
    light: Array
    slopes: Array

    @classmethod
    def of(cls, seen: Array, valid: Mask) -> CardLook:
        """``seen`` (192, 96, 3) Lab, of which the ``valid`` cells count."""
        cells = np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.6), np.float32)
        few = np.flatnonzero(valid)[::THIN]
        down, across = _slopes(*valid.shape)
        row, column = np.divmod(few, valid.shape[1])
        slopes = np.column_stack([down[row], across[column], np.ones(len(few), np.float32)])
        light = cv2.GaussianBlur(cells, (0, 0), SOFT).reshape(-1, 3)[few]
        return cls(valid, cells, *_around(cells), few, np.asarray(light, np.float32), slopes)


@cache
def _slopes(high: int, wide: int) -> tuple[Array, Array]:
    """Distance of each row and each column from the middle, in card heights and widths."""
    down, across = np.arange(high, dtype=np.float32) / high - 0.5, np.arange(wide, dtype=np.float32) / wide - 0.5
    return down.astype(np.float32), across.astype(np.float32)


@dataclass(frozen=True)
class SoftFace:
    """A face made ready to be compared: ``cells`` (192, 96, 3) Lab, blurred a little, ``light`` under ``SOFT``."""

    cells: Array
    light: Array

    @classmethod
    def of(cls, face: Array) -> SoftFace:
        """``face`` (192, 96, 3) Lab."""
        cells = np.asarray(cv2.GaussianBlur(np.asarray(face, np.float32), (0, 0), 0.6), np.float32)
        return cls(cells, np.asarray(cv2.GaussianBlur(cells, (0, 0), SOFT), np.float32))


def difference_of(seen: CardLook, face: SoftFace, *, may_be_hidden: bool = True) -> FaceDifference:
    """Return where ``face`` and ``seen`` differ in the cells to be compared.

    If the card ``may_be_hidden``, a large part at its edge is taken for something that lies over it and is not counted;
    allow it for one face only, or every face would be hidden wherever it differs.
    """
    none = np.zeros(seen.valid.shape, np.bool_)
    if seen.valid.sum() < SPECK:
        return FaceDifference(0.0, 0.0, none, none)
    lit = _lit_alike(face, seen)
    far = np.maximum(_beyond(seen.cells, *_around(lit)), _beyond(lit, seen.low, seen.high))
    unlike = ((far > FAR) & seen.valid).astype(np.uint8)
    unlike = np.asarray(cv2.morphologyEx(unlike, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)
    if cv2.countNonZero(unlike) < SPECK:
        return FaceDifference(0.0, 0.0, none, none)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(unlike)
    over, area, inside = none.copy(), 0, 0
    touching = np.unique(labels[cv2.dilate((~seen.valid).astype(np.uint8), BESIDE) > 0])
    for n in range(1, count):
        x, y, wide, high, cells = (int(v) for v in stats[n])
        at_edge = x < RIM + 3 or y < RIM + 3 or x + wide > SIZE[0] - RIM - 3 or y + high > SIZE[1] - RIM - 3
        if may_be_hidden and at_edge and cells > PART * unlike.size:
            over |= labels == n
        elif cells >= SPECK:
            area += cells
            inside += cells * (n not in touching)
    hidden = np.asarray(cv2.dilate(over.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0) if over.any() else none
    return FaceDifference(1000.0 * area / unlike.size, 1000.0 * inside / unlike.size, hidden, over)


def _lit_alike(face: SoftFace, seen: CardLook) -> Array:
    """``face`` in the light of ``seen``: each channel by its contrast, its level, and how light changes over the card.

    Least squares over the cells to compare, twice, the second time without the tenth that fits worst (what is hidden).
    """
    soft = np.take(face.light.reshape(-1, 3), seen.few, axis=0)
    middle = soft.mean(axis=0)
    soft -= middle
    gains, levels = np.empty(3, np.float32), np.empty((3, 3), np.float32)
    terms = np.empty((len(seen.few), 4), np.float32)
    terms[:, 1:] = seen.slopes
    for channel in range(3):
        goal = seen.light[:, channel]
        terms[:, 0] = soft[:, channel]
        squares, products = terms.T @ terms, terms.T @ goal
        fit = _solved(*_without_worst(terms, goal, squares, products, _solved(squares, products)))
        squares, products = _without_worst(terms, goal, squares, products, fit)
        gains[channel] = np.clip(fit[0], *GAIN)
        levels[:, channel] = _solved(squares[1:, 1:], products[1:] - gains[channel] * squares[1:, 0])
    levels[2] -= gains * middle
    return _relit(face.cells, gains, levels)


def _without_worst(terms: Array, goal: Array, squares: Array, products: Array, fit: Array) -> tuple[Array, Array]:
    """Return the normal equations (``squares``, ``products``) less the tenth of ``goal`` that ``fit`` misses most."""
    away = np.abs(terms @ fit - goal)
    kept = int(0.9 * (len(away) - 1)) + 1
    worst = np.flatnonzero(away > np.partition(away, kept - 1)[kept - 1])
    few = np.take(terms, worst, axis=0)
    return squares - few.T @ few, products - few.T @ np.take(goal, worst)


def _solved(squares: Array, products: Array) -> Array:
    """Return the factors by the normal equations: for so few terms they are as exact as is asked, and take no time."""
    held = squares.astype(np.float64)
    held.flat[:: len(held) + 1] += 1e-3  # on blank paper any gain fits
    goal = products.astype(np.float64).reshape(-1, 1)
    # cv2.solve: a twentieth of the time of numpy's for four terms
    return np.asarray(cv2.solve(held, goal, flags=cv2.DECOMP_CHOLESKY)[1].ravel(), np.float32)


def _relit(face: Array, gains: Array, levels: Array) -> Array:
    """``face`` (192, 96, 3), each channel times its gain, and its levels (down, across, everywhere) added."""
    high, wide, channels = face.shape
    down, across = _slopes(high, wide)
    lit = face.reshape(high, -1) * np.tile(gains, wide)
    lit += down[:, None] * np.tile(levels[0], wide)
    lit += (across[:, None] * levels[1] + levels[2]).ravel()
    return np.asarray(lit.reshape(high, wide, channels), np.float32)


def _around(cells: Array) -> tuple[Array, Array]:
    """Return the least and the greatest value within ``SHIFT`` of each cell."""
    return np.asarray(cv2.erode(cells, SHIFT), np.float32), np.asarray(cv2.dilate(cells, SHIFT), np.float32)


def _beyond(one: Array, low: Array, high: Array) -> Array:
    """Return how far each cell of ``one`` lies below ``low`` or above ``high``, what another shows within ``SHIFT``."""
    far = cv2.max(cv2.max(cv2.subtract(low, one), cv2.subtract(one, high)), _NOTHING)
    return np.asarray(cv2.transform(far, COLOUR[None]), np.float32)


def aligned(pose: Pose, aspect: float, seen: Array, face: Array, valid: Mask) -> Pose | None:
    """Return the ``pose`` at which a card matches ``face``; None if it cannot be aligned, or only far from there.

    ``seen`` (192, 96, 3) Lab: what is cut out at ``pose``, of which the ``valid`` cells (192, 96) count; ``face`` (192,
    96, 3) Lab. Blocks correct a place by the pips and figures that lie on it; a card with one pip has too few.
    """
    motions = (cv2.MOTION_EUCLIDEAN, cv2.MOTION_AFFINE)
    found = laid_over(face, seen, BLURRED, motions, (40, 1e-4, 1), np.where(valid, 255, 0).astype(np.uint8))
    if found is None:
        return None
    corners = np.array([[[0, 0], [SIZE[0], 0], [SIZE[0], SIZE[1]], [0, SIZE[1]]]], np.float32)
    if np.abs(cv2.transform(corners, found) - corners).max() > MOST:
        return None
    cells = np.diag([aspect / SIZE[0], 1.0 / SIZE[1], 1.0])
    whole = np.vstack([found.astype(np.float64), [0.0, 0.0, 1.0]])
    return np.asarray(pose @ cells @ whole @ np.linalg.inv(cells), np.float64)


def laid_over(
    goal: Array,
    seen: Array,
    blur: float,
    motions: Sequence[int],
    limits: tuple[int, float, int],
    valid: Image | None = None,
) -> Array | None:
    """Return the move (2, 3) by which ``seen`` lies over ``goal``, cells in Lab; None if nothing is alike.

    Moved as each of ``motions`` allows, one after the other, until their lightness, blurred by ``blur`` cells,
    correlates best (ECC: Evangelidis and Psarakis, 2008). ``limits``: steps, least gain of a step, and cells of the
    method's own blur; ``valid``: 255 where ``seen`` counts.
    """
    steps, gain, own_blur = limits
    one, other = (np.ascontiguousarray(cv2.GaussianBlur(cells, (0, 0), blur)[..., 0]) for cells in (goal, seen))
    until = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, steps, gain)
    move = np.eye(2, 3, dtype=np.float32)
    try:
        for motion in motions:
            _, found = cv2.findTransformECC(one, other, move, motion, until, valid, own_blur)  # type: ignore[arg-type]
            move = np.asarray(found, np.float32)
    except cv2.error:  # it raises where nothing is alike
        return None
    return move
