"""Places of cards in a compartment of the tray: proposed by their left edges, fitted, and what shows of them.

Places are millimetres from the compartment's upper left corner as its owner sees it, ``u`` to the right, ``v`` down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import cos, radians, sin, tan
from typing import Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from hw.bidding import COMPARTMENT_MM
from hw.layout import CARD_HEIGHT, CARD_WIDTH
from vision.faces.box import CELLS, COARSE, NARROW, NOISE, PEEK, PEEK_RIM, RIM, UPPER, BiddingFaces, peek_of, weighted
from vision.faces.geometry import Array, Image, Mask, Points, Pose, cut

FINER: Final = 2
"""Pixels a cell, across and down, in a compartment's picture before it is made small."""
MARGIN_MM: Final = 12.0
"""Width by which a compartment's picture reaches beyond it on every side."""
OFF_MM: Final = 5.0
"""Largest distance of a card from its compartment's own place, up or down."""
BEFORE_MM: Final = 4.5
"""… and so far to the left of its compartment, or beyond its right end."""
TILTS: Final = (-2.5, 0.0, 2.5)
"""Degrees (clockwise) by which cards may be turned when places are proposed."""
PROPOSED: Final = 0.5
"""Correlation of a face's left edge from which a place is proposed."""
NEAR_MM: Final = 2.2
"""Places nearer to each other are one card's."""
INDEX_MM: Final = 14.0
"""Distance of an index's middle below its card's upper edge, about."""
FARTHEST: Final = (1.6, 5.0)
"""Millimetres and degrees by which a place may be corrected at once."""
STRIP_MM: Final = 6.0
"""Width of a card's left side that is compared when its place is first corrected."""
NARROW_MM: Final = 4.2
"""… where little of it shows."""
DOUBT: Final = 0.1
"""By so much more a narrow edge must be like a face's."""
ROW_STEP: Final = 2
"""Step in rows between the places that are tried."""
NEAREST_MM: Final = 3.0
"""Width of a strip below which it decides nothing."""
SIGNS_MM: Final = 14.0
"""Widest part of a card that is compared: its signs are there."""
RIM_MM: Final = 0.7
"""Width of a strip beside the card above it that is not compared: that card's shadow falls there."""
STIFF: Final = 1.0
"""Cost of a correction of a millimetre, as if each cell's square erred by as much."""
_CARD: Final = ((0.0, 0.0), (CARD_WIDTH, 0.0), (CARD_WIDTH, CARD_HEIGHT), (0.0, CARD_HEIGHT))


@dataclass(frozen=True, slots=True)
class PlaceInRow:
    """A card's upper left corner (mm) and its turn in degrees clockwise."""

    u: float
    v: float
    tilt: float

    @property
    def index_u(self) -> float:
        """Distance of its left edge to the right at the height of its index."""
        return self.u - tan(radians(self.tilt)) * INDEX_MM

    def in_row(self, points: Sequence[tuple[float, float]] | Points) -> Points:
        """Points of the card (mm from its upper left corner) in the row's millimetres."""
        across = np.array([cos(radians(self.tilt)), sin(radians(self.tilt))])
        at = np.asarray(points, np.float64)
        out = np.array([self.u, self.v]) + at[..., :1] * across + at[..., 1:] * [-across[1], across[0]]
        return np.asarray(out, np.float64)

    @property
    def corners(self) -> Points:
        """Its corners in the row's millimetres."""
        return self.in_row(_CARD)

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle in the row's millimetres."""
        u, v = self.in_row([(CARD_WIDTH / 2, CARD_HEIGHT / 2)])[0].tolist()
        return u, v

    @property
    def pose(self) -> Pose:
        """From its millimetres to the pixels of the compartment's picture."""
        c, s = cos(radians(self.tilt)), sin(radians(self.tilt))
        at = np.array([[c, -s, self.u + MARGIN_MM], [s, c, self.v + MARGIN_MM], [0.0, 0.0, 1.0]])
        return np.asarray(np.diag([*CELLS, 1.0]) @ at, np.float64)


@dataclass(frozen=True, slots=True)
class CardPose(PlaceInRow):
    """A possible place of a card.

    ``score``: the correlation that spoke for it, ``face``: the box's face that it fits; ``strip_mm``: width of its left
    side that is compared when its place is first corrected.
    """

    score: float
    face: int
    strip_mm: float = STRIP_MM


def proposed(picture: Image, faces: BiddingFaces, beyond: float | None = None) -> list[CardPose]:
    """Possible places of cards in ``picture`` (BGR, MARGIN_MM around) by their left edges; the likeliest first.

    ``beyond``: the least distance (mm) to the right.
    """
    least = peek_of(picture, CELLS)
    found = _by_edges(least, faces.peeks, PEEK[0], beyond)
    narrow = _by_edges(least, faces.narrow_peeks, NARROW, beyond)
    return thinned(found + [replace(one, score=one.score - DOUBT, strip_mm=NARROW_MM) for one in narrow])


def _by_edges(least: Array, peeks: Array, across: int, beyond: float | None) -> list[CardPose]:
    """Places at which ``least`` looks like the left edges ``peeks`` of faces, ``across`` cells wide."""
    kx, ky = COARSE
    down = PEEK[1]
    first = round((MARGIN_MM - OFF_MM) * ky) + PEEK_RIM
    heights = round(2 * OFF_MM * ky) + 1
    left = round((MARGIN_MM + max(-BEFORE_MM, -BEFORE_MM if beyond is None else beyond)) * kx) + PEEK_RIM
    right = round((COMPARTMENT_MM[0] - CARD_WIDTH + MARGIN_MM + BEFORE_MM) * kx)
    part = least[first : first + down + heights - 1]
    size = float(across * down)
    best: list[CardPose] = []
    if right <= left:
        return best
    for tilt in TILTS:
        straight = _sheared(part, tilt)[:, left : right + across]
        windows = sliding_window_view(straight, (down, across))[::ROW_STEP]
        seen = np.ascontiguousarray(windows).reshape(-1, across * down)
        spread = np.einsum("ij,ij->i", seen, seen) - seen.sum(axis=1) ** 2 / size + NOISE**2 * size
        scores = seen @ peeks.T
        face = scores.argmax(axis=1)
        score = np.take_along_axis(scores, face[:, None], axis=1)[:, 0] / np.sqrt(spread)
        wide = windows.shape[1]
        for at in np.flatnonzero(score >= PROPOSED):
            row, column = divmod(int(at), wide)
            v = (first - PEEK_RIM + row * ROW_STEP) / ky - MARGIN_MM
            u = (column + left - PEEK_RIM) / kx - MARGIN_MM + tan(radians(tilt)) * INDEX_MM
            best.append(CardPose(u, v, tilt, float(score[at]), int(face[at])))
    return thinned(best)


def thinned(places: list[CardPose]) -> list[CardPose]:
    """Return the best of those whose indices lie near each other."""
    kept: list[CardPose] = []
    for one in sorted(places, key=lambda one: -one.score):
        if all(abs(one.index_u - other.index_u) > NEAR_MM for other in kept):
            kept.append(one)
    return kept


def _sheared(part: Array, tilt: float) -> Array:
    """Push every row of ``part`` along so that cards turned by ``tilt`` are straight, as high as their index."""
    if not tilt:
        return part
    push = -tan(radians(tilt)) * COARSE[0] / COARSE[1]
    middle = (OFF_MM + INDEX_MM) * COARSE[1]
    matrix = np.array([[1.0, push, -push * middle], [0.0, 1.0, 0.0]])
    size = (part.shape[1], part.shape[0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(part, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32)


def compartment_points() -> Points:
    """Return the places (rows, columns, 2 mm) of the pixels of a compartment's picture, ``FINER`` times as fine."""
    right, down = (
        (np.arange(round((length + 2 * MARGIN_MM) * cells) * FINER) + 0.5) / FINER / cells - MARGIN_MM
        for length, cells in zip(COMPARTMENT_MM, CELLS, strict=True)
    )
    return np.stack(np.meshgrid(right, down), axis=-1)


def compartment_picture(frame: Image, across: Array, down: Array) -> Image:
    """Return a compartment upright, MARGIN_MM around it, in the cells of the faces.

    ``across`` and ``down``: the pixels of ``frame`` at ``compartment_points``, as OpenCV's remap takes them.
    """
    large = cv2.remap(frame, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    size = (large.shape[1] // FINER, large.shape[0] // FINER)
    return np.asarray(cv2.resize(large, size, interpolation=cv2.INTER_AREA), np.uint8)


def cut_at(lab: Image, one: PlaceInRow, size: tuple[int, int], border: int = 0) -> Image:
    """``size`` columns and rows, from RIM on, of the card at ``one``, with a ``border``, of a picture in Lab."""
    first = RIM - border
    return cut(
        lab, one.pose, (1 / CELLS[0], 1 / CELLS[1]), (size[0] + 2 * border, size[1] + 2 * border), (first, first)
    )


def fitted(lab: Image, one: CardPose, shows: Mask, faces: BiddingFaces, rounds: int) -> CardPose:
    """``one`` moved and turned so that the cells that ``shows`` marks fit its face best: Gauss and Newton's steps."""
    rows, columns = shows.shape
    kx, ky = CELLS
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    x, y = (x[shows] + RIM + 0.5) / kx, (y[shows] + RIM + 0.5) / ky
    print_ = faces.lab[one.face, RIM : RIM + rows, RIM : RIM + columns][shows]
    goal = (print_ - print_.mean(axis=0)).ravel()
    for _ in range(rounds):
        look = weighted(cut_at(lab, one, (columns, rows), 1))
        right = (look[1:-1, 2:] - look[1:-1, :-2])[shows] * (kx / 2)
        down = (look[2:, 1:-1] - look[:-2, 1:-1])[shows] * (ky / 2)
        seen = look[1:-1, 1:-1][shows]
        turned = right * y[:, None] - down * x[:, None]
        terms = np.stack([_level(goal.reshape(-1, 3)), _level(-right), _level(-down), _level(turned)])
        normal = terms @ terms.T
        normal[[1, 2, 3], [1, 2, 3]] += STIFF * len(goal) * np.array([1.0, 1.0, 400.0])
        _, du, dv, turn = np.linalg.solve(normal + 1e-3 * np.eye(4), terms @ _level(seen)).tolist()
        du, dv = (float(np.clip(step, -FARTHEST[0], FARTHEST[0])) for step in (du, dv))
        lean = float(np.clip(np.degrees(turn), -FARTHEST[1], FARTHEST[1]))
        at = radians(one.tilt)
        u, v = one.u + du * cos(at) - dv * sin(at), one.v + du * sin(at) + dv * cos(at)
        one = replace(one, u=u, v=v, tilt=one.tilt + lean)
    return one


def _level(cells: Array) -> Array:
    return np.asarray((cells - cells.mean(axis=0)).ravel(), np.float32)


def too_little(shows: Mask) -> bool:
    """Return True if too little shows to decide anything by it."""
    return float(shows.sum()) < (NEAREST_MM - RIM_MM) * CELLS[0] * UPPER / 2


def strip_of(wide: float) -> Mask:
    """Mask of the left side of a card, ``wide`` millimetres wide."""
    return every_second_row(np.ones((UPPER, round(wide * CELLS[0])), np.bool_))


def every_second_row(shows: Mask) -> Mask:
    """Return ``shows`` without every second row: for a fit they are enough."""
    few = shows.copy()
    few[::2] = False
    return few


def shows_of(one: PlaceInRow, above: Sequence[PlaceInRow], rows: int = UPPER, columns: int | None = None) -> Mask:
    """Mask of the cells (rows, columns), from RIM on, that show of ``one`` beside the cards ``above`` it."""
    if columns is None:
        wide = SIGNS_MM if not above else max(NEAREST_MM, above[0].index_u - one.index_u) + 4.0
        columns = round(min(SIGNS_MM, wide) * CELLS[0]) - RIM
    shows = np.ones((rows, columns), np.bool_)
    if not above:
        return shows
    y, x = np.mgrid[0:rows, 0:columns]
    x, y = (x + RIM + 0.5) / CELLS[0], (y + RIM + 0.5) / CELLS[1]
    us, vs = np.moveaxis(one.in_row(np.stack([x, y], axis=-1)), -1, 0)
    for other in above[:2]:
        turn = radians(other.tilt)
        across = (us - other.u) * cos(turn) + (vs - other.v) * sin(turn)
        down = (vs - other.v) * cos(turn) - (us - other.u) * sin(turn)
        shows &= (across <= -RIM_MM) | (down <= -RIM_MM)
    return shows
