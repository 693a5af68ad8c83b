"""Possible places of cards in a compartment of the tray: proposed by their left edges, then fitted.

Places are millimetres from the compartment's upper left corner as its owner sees it, ``u`` to the right, ``v`` down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, radians, sin, tan
from typing import Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from hw.bidding import COMPARTMENT_MM
from hw.layout import CARD_WIDTH
from vision.bidding_faces import CELLS, COARSE, NARROW, NOISE, PEEK, PEEK_RIM, RIM, BiddingFaces, peek_of, weighted
from vision.face_print import Array, Image

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


@dataclass(frozen=True, slots=True)
class CardPose:
    """A card's upper left corner (mm) and its turn in degrees clockwise.

    ``score``: the correlation that spoke for it, ``face``: the box's face that it fits; ``strip_mm``: width of its left
    side that is compared when its place is first corrected.
    """

    u: float
    v: float
    tilt: float
    score: float
    face: int
    strip_mm: float = STRIP_MM

    @property
    def index_u(self) -> float:
        """Distance of its left edge to the right at the height of its index."""
        return self.u - tan(radians(self.tilt)) * INDEX_MM


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
    """The best of those whose indices lie near each other."""
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


def cut_at(lab: Image, one: CardPose, size: tuple[int, int], border: int = 0) -> Image:
    """``size`` columns and rows, from RIM on, of the card at ``one``, with a ``border``, of a picture in Lab."""
    turn = radians(one.tilt)
    c, s = cos(turn), sin(turn)
    kx, ky = CELLS
    x0, y0 = (RIM + 0.5 - border) / kx, (RIM + 0.5 - border) / ky
    matrix = np.array(
        [
            [c, -s * kx / ky, (one.u + MARGIN_MM + x0 * c - y0 * s) * kx - 0.5],
            [s * ky / kx, c, (one.v + MARGIN_MM + x0 * s + y0 * c) * ky - 0.5],
        ]
    )
    whole = (size[0] + 2 * border, size[1] + 2 * border)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(lab, matrix, whole, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def fitted(lab: Image, one: CardPose, shows: NDArray[np.bool_], faces: BiddingFaces, rounds: int) -> CardPose:
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
        gain, du, dv, turn = np.linalg.solve(normal + 1e-3 * np.eye(4), terms @ _level(seen)).tolist()
        del gain
        du, dv = (float(np.clip(step, -FARTHEST[0], FARTHEST[0])) for step in (du, dv))
        lean = float(np.clip(np.degrees(turn), -FARTHEST[1], FARTHEST[1]))
        at = radians(one.tilt)
        one = CardPose(
            one.u + du * cos(at) - dv * sin(at),
            one.v + du * sin(at) + dv * cos(at),
            one.tilt + lean,
            one.score,
            one.face,
            one.strip_mm,
        )
    return one


STIFF: Final = 1.0
"""Cost of a correction of a millimetre, as if each cell's square erred by as much."""


def _level(cells: Array) -> Array:
    return np.asarray((cells - cells.mean(axis=0)).ravel(), np.float32)
