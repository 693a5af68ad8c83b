"""The calls in one compartment of the tray: cards on each other, of all but the last a strip shows at their left.

A compartment's picture stands upright as its owner sees it, in the cells of ``bidding_faces``; places in it are
millimetres from its upper left corner, ``u`` to the right, ``v`` down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, radians, sin, tan
from typing import Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from hw.cards import UNKNOWN
from hw.layout import CARD_HEIGHT, CARD_WIDTH
from vision.bidding_faces import CELLS, NOISE, PEEK, RIM, UPPER, BiddingFaces, peek_of
from vision.face_print import SIZE, Array, Image

MARGIN_MM: Final = 12.0
"""So far a compartment's picture reaches beyond it on every side."""
OFF_MM: Final = 5.5
"""A card may lie so far from where its compartment holds it, up or down."""
BEFORE_MM: Final = 8.0
"""… and so far to the left of its compartment."""
TILTS: Final = (-4.0, -2.0, 0.0, 2.0, 4.0)
"""Degrees (clockwise) by which cards may be turned when places are proposed."""
PROPOSED: Final = 0.55
"""Correlation of a face's left edge from which a place is proposed."""
NEAREST_MM: Final = 3.2
"""Less of a strip tells nothing."""
GAP_MM: Final = 4.0
"""Where so much more than a strip's ``STRIP_MM`` lies between two calls, another may have been missed there."""
LIKELY: Final = 0.75
"""Correlation of a face's left edge from which a place that was not read is told as a card that is not known."""
WIDEST_MM: Final = 19.0
"""Further apart no two calls lie without another between them."""
FARTHEST_MM: Final = 20.0
"""A card whose next lies further away than that leaves so much of it to be compared."""
STRIP_MM: Final = 8.5
"""So much of a card's left side is compared where its place is corrected."""
RIM_MM: Final = 0.7
"""So near to the card above it nothing of a strip is compared: that one's shadow falls there."""
WHOLE: Final = 0.45
"""Correlation of all of the uppermost card with the face that its strip is of: what lies inside of a card has .25."""
STRIP: Final = 0.74
"""Correlation of a strip."""
APART: Final = 0.55
"""See ``Likeness.apart``."""
AROUND: Final = (2, 2)
"""Columns and rows of cells by which a place is corrected."""


@dataclass(frozen=True, slots=True)
class LyingCall:
    """A bidding card in a compartment: its upper left corner (mm), its turn in degrees clockwise, and its face."""

    name: str
    score: float
    apart: float
    u: float
    v: float
    tilt: float

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle, mm."""
        turn = radians(self.tilt)
        x, y = CARD_WIDTH / 2, CARD_HEIGHT / 2
        return self.u + x * cos(turn) - y * sin(turn), self.v + x * sin(turn) + y * cos(turn)


@dataclass(frozen=True, slots=True)
class _Proposed:
    u: float
    v: float
    tilt: float
    score: float


def read_row(picture: Image, faces: BiddingFaces) -> list[LyingCall]:
    """The calls in a compartment's ``picture`` (BGR, MARGIN_MM around it), from left to right.

    Where something lies between two calls that no face fits, a call ``??`` stands there.
    """
    lab = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), np.uint8)
    offered = sorted(_proposed(picture, faces), key=lambda one: -one.u)
    found: list[LyingCall] = []
    missed: list[_Proposed] = []
    for one in offered:
        if not found:
            call = _uppermost(lab, one, faces)
        else:
            call = _strip_of(lab, one, found[-1], faces)
            if call is None and (call := _strip_apart(lab, one, found[-1], faces)) is not None:
                found += _between(call, found[-1], missed)
        if call is not None:
            found.append(call)
            missed = []
        else:
            missed.append(one)
    return found[::-1]


def _between(call: LyingCall, above: LyingCall, missed: list[_Proposed]) -> list[LyingCall]:
    """What must lie between two calls without having been read: where something looks like a card, or much room is."""
    likely = [one for one in missed if one.score >= LIKELY and call.u + GAP_MM < one.u < above.u - GAP_MM]
    if not likely and above.u - call.u > WIDEST_MM:
        likely = [_Proposed((call.u + above.u) / 2, call.v, call.tilt, 0.0)]
    return [_unread(one) for one in likely]


def _unread(one: _Proposed) -> LyingCall:
    return LyingCall(UNKNOWN, 0.0, 0.0, one.u, one.v, one.tilt)


def _uppermost(lab: Image, one: _Proposed, faces: BiddingFaces) -> LyingCall | None:
    """The card at ``one`` if all of it shows as its face is."""
    at = _corrected(lab, one, _columns(STRIP_MM), faces)
    strip = _told(lab, at, STRIP_MM, faces)
    if strip is None:
        return None
    looks = np.stack([_cut(lab, at.u, at.v, at.tilt + more, _ALL, (0, 0)) for more in _LEANS])
    scores = faces.scores(looks)[:, [name == strip.name for name in faces.names]].max(axis=1)
    best = int(scores.argmax())
    if scores[best] < WHOLE:
        return None
    return replace(strip, tilt=at.tilt + _LEANS[best])


_ALL: Final = (SIZE[0] - 2 * RIM, SIZE[1] - 2 * RIM)
_LEANS: Final = (-1.6, -0.8, 0.0, 0.8, 1.6)
"""Degrees by which the turn of a card is corrected once all of it is compared."""


def _columns(shown: float) -> int:
    """The columns that are compared of a strip of ``shown`` mm."""
    return round(shown * CELLS[0]) - RIM


def _strip_of(lab: Image, one: _Proposed, above: LyingCall, faces: BiddingFaces) -> LyingCall | None:
    """The card at ``one``, of which a strip shows beside the card ``above`` it, if that strip is its face's."""
    if _shown_mm(one, above) < NEAREST_MM - 1.0:
        return None
    at = _corrected(lab, one, _columns(min(STRIP_MM, max(_shown_mm(one, above), NEAREST_MM))), faces)
    shown = min(_shown_mm(at, above), FARTHEST_MM)
    return _told(lab, at, shown, faces) if shown >= NEAREST_MM else None


def _strip_apart(lab: Image, one: _Proposed, above: LyingCall, faces: BiddingFaces) -> LyingCall | None:
    """The card at ``one`` if no more than a strip of it shows, though the card ``above`` it lies further away."""
    if _shown_mm(one, above) < STRIP_MM + GAP_MM:
        return None
    return _told(lab, _corrected(lab, one, _columns(STRIP_MM), faces), STRIP_MM, faces)


def _told(lab: Image, at: _Proposed, shown: float, faces: BiddingFaces) -> LyingCall | None:
    like = faces.likeness(_cut(lab, at.u, at.v, at.tilt, (_columns(shown), UPPER), (0, 0)))
    if like.score < STRIP or like.apart < APART:
        return None
    return LyingCall(like.name, like.score, like.apart, at.u, at.v, at.tilt)


def _shown_mm(one: _Proposed, above: LyingCall) -> float:
    """How wide the strip of ``one`` is that shows beside ``above``, where that is narrowest in its upper half."""
    turned = sin(radians(above.tilt)) - sin(radians(one.tilt))
    return above.u - one.u - max(0.0, turned * CARD_HEIGHT / 2) - RIM_MM


def _proposed(picture: Image, faces: BiddingFaces) -> list[_Proposed]:
    """Where cards may lie, by what shows of their left edges."""
    least = peek_of(picture)
    first = round((MARGIN_MM - OFF_MM) * CELLS[1] / 2)
    heights = round(2 * OFF_MM * CELLS[1] / 2) + 1
    left = round((MARGIN_MM - BEFORE_MM) * CELLS[0]) + RIM
    right = least.shape[1] - round((CARD_WIDTH + MARGIN_MM - 8.0) * CELLS[0])
    part = least[first + RIM // 2 : first + RIM // 2 + PEEK[1] + heights - 1]
    size = float(PEEK[0] * PEEK[1])
    best: list[_Proposed] = []
    for tilt in TILTS:
        straight = _sheared(part, tilt)[:, left : right + PEEK[0]]
        windows = sliding_window_view(straight, (PEEK[1], PEEK[0]))
        seen = np.ascontiguousarray(windows).reshape(-1, PEEK[0] * PEEK[1])
        spread = np.einsum("ij,ij->i", seen, seen) - seen.sum(axis=1) ** 2 / size + NOISE**2 * size
        score = ((seen @ faces.peeks.T).max(axis=1) / np.sqrt(spread)).reshape(heights, -1)
        lean = tan(radians(tilt)) * _INDEX_MM
        for row, column in zip(*np.nonzero(score >= PROPOSED), strict=True):
            u = float(column + left - RIM) / CELLS[0] - MARGIN_MM + lean
            v = float(first + row) * 2 / CELLS[1] - MARGIN_MM
            best.append(_Proposed(u, v, tilt, float(score[row, column])))
    return _thinned(best)


_INDEX_MM: Final = 14.0
"""So far below a card's upper edge its index has its middle, about."""


def _thinned(offered: list[_Proposed]) -> list[_Proposed]:
    """The best of those whose indices lie near each other."""
    kept: list[tuple[float, _Proposed]] = []
    for one in sorted(offered, key=lambda one: -one.score):
        at = one.u - tan(radians(one.tilt)) * _INDEX_MM
        if all(abs(at - other) > 2.5 for other, _ in kept):
            kept.append((at, one))
    return [one for _, one in kept]


def _sheared(part: Array, tilt: float) -> Array:
    """``part`` with every row pushed along so that cards turned by ``tilt`` stand straight, as high as their index."""
    if not tilt:
        return part
    # a row further down lies further left where a card is turned clockwise
    push = -tan(radians(tilt)) * CELLS[0] * 2 / CELLS[1]
    middle = (OFF_MM + _INDEX_MM) * CELLS[1] / 2
    matrix = np.array([[1.0, push, -push * middle], [0.0, 1.0, 0.0]])
    size = (part.shape[1], part.shape[0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(part, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _corrected(lab: Image, one: _Proposed, columns: int, faces: BiddingFaces) -> _Proposed:
    """The place near ``one`` where ``columns`` of some face fit best."""
    across, down = AROUND
    best = one
    score = -1.0
    for tilt in (one.tilt, one.tilt - 1.2, one.tilt + 1.2):
        cut = _cut(lab, one.u, one.v, tilt, (columns, UPPER), AROUND)
        windows = sliding_window_view(cut, (UPPER, columns), axis=(0, 1))
        flat = np.ascontiguousarray(windows.transpose(0, 1, 3, 4, 2)).reshape(-1, UPPER, columns, 3)
        scores = faces.scores(flat).max(axis=1)
        at = int(scores.argmax())
        if scores[at] > score:
            score = float(scores[at])
            row, column = divmod(at, 2 * across + 1)
            turn = radians(tilt)
            du, dv = (column - across) / CELLS[0], (row - down) / CELLS[1]
            u = one.u + du * cos(turn) - dv * sin(turn)
            v = one.v + du * sin(turn) + dv * cos(turn)
            best = _Proposed(u, v, tilt, score)
    return _finely_corrected(lab, best, columns, faces)


def _finely_corrected(lab: Image, one: _Proposed, columns: int, faces: BiddingFaces) -> _Proposed:
    """The place by half a cell or less around ``one`` where ``columns`` of some face fit best."""
    places = [
        _Proposed(one.u + du / CELLS[0], one.v + dv / CELLS[1], one.tilt + tilt, 0.0)
        for tilt in (-0.6, 0.0, 0.6)
        for du in (-0.5, 0.0, 0.5)
        for dv in (-0.5, 0.0, 0.5)
    ]
    looks = np.stack([_cut(lab, at.u, at.v, at.tilt, (columns, UPPER), (0, 0)) for at in places])
    scores = faces.scores(looks).max(axis=1)
    best = int(scores.argmax())
    return replace(places[best], score=float(scores[best]))


def _cut(lab: Image, u: float, v: float, tilt: float, size: tuple[int, int], border: tuple[int, int]) -> Image:
    """``size`` columns and rows, from RIM on, of the card whose corner lies at (``u``, ``v``), with a ``border``."""
    turn = radians(tilt)
    c, s = cos(turn), sin(turn)
    kx, ky = CELLS
    # a cell (i, j) of the cut is the point ((i - border + RIM + .5) / kx, …) of the card
    x0, y0 = (RIM + 0.5 - border[0]) / kx, (RIM + 0.5 - border[1]) / ky
    matrix = np.array(
        [
            [c, -s * kx / ky, (u + MARGIN_MM + x0 * c - y0 * s) * kx - 0.5],
            [s * ky / kx, c, (v + MARGIN_MM + x0 * s + y0 * c) * ky - 0.5],
        ]
    )
    whole = (size[0] + 2 * border[0], size[1] + 2 * border[1])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(lab, matrix, whole, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)
