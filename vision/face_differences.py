"""Where a picture and a face differ at a pose, beyond small shifts, light and noise: a pip too many, another figure.

Block evidence says which face resembles most. What makes it certain is that nothing visible contradicts it, and that
every other face is contradicted by something visible: a nine of swords is an eight with one sword more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.face_blocks import Pose
from vision.face_print import SIZE, Array, Image

Mask = NDArray[np.bool_]

SHIFT: Final = np.ones((5, 5), np.uint8)
"""What lies within two cells, a millimetre, of its place counts as there."""
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
THIN: Final = 5
"""Every fifth cell is enough for it."""


@dataclass(frozen=True)
class Difference:
    """What differs between a card and a face.

    ``area``: share of the card, in thousandths, that differs and is not hidden; ``hidden`` (192, 96): cells that
    something covers which nobody has named.
    """

    area: float
    hidden: Mask


def cut_out(picture: Image, pose: Pose, aspect: float) -> Array:
    """The card at ``pose`` as (192, 96, 3) Lab."""
    to_pixels = pose @ np.array([[aspect / SIZE[0], 0, 0], [0, 1.0 / SIZE[1], 0], [0, 0, 1.0]])
    half = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.0, 0.0, 1.0]])
    back = np.array([[1.0, 0.0, -0.5], [0.0, 1.0, -0.5], [0.0, 0.0, 1.0]])
    cut = cv2.warpPerspective(
        picture,
        back @ to_pixels @ half,
        SIZE,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return cv2.cvtColor(cut, cv2.COLOR_BGR2LAB).astype(np.float32)


def on_card(mask: NDArray[np.uint8], pose: Pose, aspect: float) -> NDArray[np.uint8]:
    """A picture's mask as it lies on the card at ``pose`` (192, 96)."""
    cells = pose @ np.diag([aspect / SIZE[0], 1.0 / SIZE[1], 1.0])
    return np.asarray(cv2.warpPerspective(mask, cells, SIZE, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP), np.uint8)


def cells_over(covered: NDArray[np.uint8], pose: Pose, aspect: float) -> Mask:
    """The cells (192, 96) of the card at ``pose`` that lie in ``covered``, a mask of the picture, or close to it."""
    return np.asarray(cv2.dilate(on_card(covered, pose, aspect), np.ones((7, 7), np.uint8)) > 0, np.bool_)


def inner(covered: Mask) -> Mask:
    """The cells to compare: what is not ``covered`` (192, 96), and not at the card's rim."""
    valid = ~covered
    valid[:RIM] = valid[-RIM:] = False
    valid[:, :RIM] = valid[:, -RIM:] = False
    return valid


@dataclass(frozen=True)
class SeenCard:
    """A card as it is seen, made ready to be compared with many faces.

    ``valid`` (192, 96): the cells to compare; ``cells`` (192, 96, 3) Lab, blurred a little; ``low`` and ``high``: the
    least and the greatest value within ``SHIFT``; ``few`` (n): every ``THIN``-th valid cell; ``light`` (n, 3): their
    values under the blur ``SOFT``; ``slopes`` (192, 96, 3): how light may change over the card.
    """

    valid: Mask
    cells: Array
    low: Array
    high: Array
    few: NDArray[np.int64]
    light: Array
    slopes: Array

    @classmethod
    def of(cls, seen: Array, valid: Mask) -> SeenCard:
        """``seen`` (192, 96, 3) Lab, of which the ``valid`` cells count."""
        cells = np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.6), np.float32)
        few = np.flatnonzero(valid)[::THIN]
        high, wide = valid.shape
        down, across = np.mgrid[0:high, 0:wide].astype(np.float32)
        slopes = np.stack([down / high - 0.5, across / wide - 0.5, np.ones_like(down)], axis=-1).astype(np.float32)
        light = cv2.GaussianBlur(cells, (0, 0), SOFT).reshape(-1, 3)[few]
        return cls(valid, cells, *_around(cells), few, np.asarray(light, np.float32), slopes)


def difference(seen: Array, face: Array, valid: Mask, *, may_be_hidden: bool = True) -> Difference:
    """Return what of ``face`` (192, 96, 3) Lab is not as ``seen``, or the other way round, within ``valid``."""
    return difference_of(SeenCard.of(seen, valid), face, may_be_hidden=may_be_hidden)


def difference_of(seen: SeenCard, face: Array, *, may_be_hidden: bool = True) -> Difference:
    """Return what of ``face`` (192, 96, 3) Lab is not as ``seen``, or the other way round, where it is to be compared.

    Where the card ``may_be_hidden``, a large part at its edge is taken for something that lies over it and is not
    counted; to be said of one face alone, or every face would be hidden wherever it differs.
    """
    if seen.valid.sum() < SPECK:
        return Difference(0.0, np.zeros(seen.valid.shape, np.bool_))
    soft = np.asarray(cv2.GaussianBlur(np.asarray(face, np.float32), (0, 0), 0.6), np.float32)
    lit = _lit_alike(soft, seen)
    far = np.maximum(_beyond(seen.cells, *_around(lit)), _beyond(lit, seen.low, seen.high))
    unlike = ((far > FAR) & seen.valid).astype(np.uint8)
    unlike = np.asarray(cv2.morphologyEx(unlike, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(unlike)
    hidden, area = np.zeros(seen.valid.shape, np.bool_), 0
    for n in range(1, count):
        x, y, wide, high, cells = (int(v) for v in stats[n])
        at_edge = x < RIM + 3 or y < RIM + 3 or x + wide > SIZE[0] - RIM - 3 or y + high > SIZE[1] - RIM - 3
        if may_be_hidden and at_edge and cells > PART * unlike.size:
            hidden |= cv2.dilate((labels == n).astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
        elif cells >= SPECK:
            area += cells
    return Difference(1000.0 * area / unlike.size, hidden)


def _lit_alike(face: Array, seen: SeenCard) -> Array:
    """``face`` in the light of ``seen``: each channel by its contrast, its level, and how light changes over the card.

    Least squares over the cells to compare, twice, the second time without the tenth that fits worst (what is hidden).
    """
    soft = cv2.GaussianBlur(face, (0, 0), SOFT).reshape(-1, 3)[seen.few]
    slopes = seen.slopes.reshape(-1, 3)[seen.few]
    out = np.empty_like(face)
    for channel in range(3):
        goal = seen.light[:, channel]
        terms = np.column_stack([soft[:, channel], slopes])
        used = np.ones(len(goal), np.bool_)
        for _ in range(2):
            fit = np.linalg.lstsq(terms[used], goal[used], rcond=None)[0]
            away = np.abs(terms @ fit - goal)
            used = away <= np.quantile(away, 0.9)
        gain = float(np.clip(fit[0], *GAIN))
        rest = goal - gain * terms[:, 0]
        levels = np.linalg.lstsq(terms[used, 1:], rest[used], rcond=None)[0]
        out[..., channel] = gain * face[..., channel] + seen.slopes @ levels
    return out


def _around(cells: Array) -> tuple[Array, Array]:
    """Return the least and the greatest value within ``SHIFT`` of each cell."""
    return np.asarray(cv2.erode(cells, SHIFT), np.float32), np.asarray(cv2.dilate(cells, SHIFT), np.float32)


def _beyond(one: Array, low: Array, high: Array) -> Array:
    """Return how far each cell of ``one`` lies below ``low`` or above ``high``, what another shows within ``SHIFT``."""
    far = np.maximum(np.maximum(low - one, one - high), 0.0) * COLOUR
    return np.asarray(far[..., 0] + far[..., 1] + far[..., 2], np.float32)  # three times as fast as sum(axis=2)
