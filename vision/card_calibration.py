"""Camera to table from five cards of the pack, for a table without printed markers.

One card lies in each corner of the table, flush with both edges; a fifth between the middle and North says which way
North is. Each card's outline says how the camera sees a rectangle of known form there, so that four cards give plane,
lens and scale; where they lie gives the middle of the table. Both are weighed together: an adjustment of the camera and
of the five cards' places at once, with the places asked for as measurements of a few millimetres.

Pixels and table millimetres as in ``vision.calibration``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.layout import CARD_HEIGHT, CARD_WIDTH, Layout
from vision.calibration import Calibration
from vision.errors import CalibrationError
from vision.faces.edges import at_its_edges
from vision.faces.outlines import outlines_in
from vision.lens import Points, least_squares, plane_scale, project, slopes_of, straighten, unpack
from vision.table_rim import rim_profiles

CORNERS: Final = {"North-West": (-1, 1), "North-East": (1, 1), "South-East": (1, -1), "South-West": (-1, -1)}
"""Corners of the table in which a card lies, clockwise as seen from above."""
POINTER: Final = (0.0, 1 / 6)
"""The middle of the fifth card from the table's middle, in sides of the table."""
POINTER_MM: Final = 70.0
"""Distance from there within which it is looked for; it need not lie exactly."""
LONGEST: Final = 2400
"""Pixels of the longer side at which cards are looked for: small ones seem too round for cards."""
FILLS: Final = (0.0008, 0.02)
"""Least and greatest share of the picture that a card fills: a wide picture, a camera from aside; a table within it."""
SQUAREST: Final = 1.0
"""Longer over shorter side of a card in the picture at least: from aside the long one may seem as short."""
WIDEST: Final = 0.11
"""Width of a pale thing, in shorter sides of the picture, from which it is no card of a table within it."""
MOST: Final = 14
"""Card-like things in a picture beyond which there are too many to tell which are meant."""
ALIKE: Final = 0.14
"""Share by which a card's sides may differ from the others' before lens and places are known."""
SIZES: Final = (0.7, 1.4)
"""Sizes, in cards, that the cards may seem to have if the table map has another table's side."""
TURNED: Final = 14.0
"""Degrees by which a card in a corner may then seem turned."""
EDGE_PX: Final = 0.2
"""Error of an outline's corner, px, as rendered tables show it."""
PLACED: Final = (2.0, 1.5)
"""Error of a card that a person pushes into a corner: millimetres each way, degrees."""
CARD_SIZE: Final = 0.005
"""Error of a card's size: packs for one table are cut to 62.5 to 64 mm."""
LENS: Final = 0.2
"""Expected size of the lens's distortion ``k1``."""
MISFIT_MM: Final = 1.5
"""Distance of an outline's corners from a card's from which the thing is no card of this size."""
ASIDE: Final = (7.0, 5.0)
"""Millimetres and degrees by which a card lies so badly in its corner that it must be laid again."""
OTHER_SIDE: Final = 0.03
"""Share by which the cards may say that the table has another size than the table map."""
MAX_ERROR_MM: Final = 5.0
"""Expected error at the worst place of the table from which a calibration is refused."""
SPREAD: Final = 2.0
"""Standard deviations that ``error_mm`` covers. It is no bound: of 84 drawn tables one lay further off."""


@dataclass(frozen=True, slots=True)
class _Laid:
    """A card's corners (4, 2) px, short side first, and where its middle was asked for (mm; upright)."""

    name: str
    ring: Points
    corner: tuple[int, int] | None


def card_places(layout: Layout) -> dict[str, tuple[float, float]]:
    """Return the middles (mm) of the cards to lay for a calibration, upright as seen from South.

    >>> from hw.layout import DEFAULT_LAYOUT
    >>> card_places(DEFAULT_LAYOUT)["North-East"]
    (418.5, 406.0)
    """
    half = layout.side / 2
    places = {name: (x * (half - CARD_WIDTH / 2), y * (half - CARD_HEIGHT / 2)) for name, (x, y) in CORNERS.items()}
    return places | {"between the middle and North": (POINTER[0] * layout.side, POINTER[1] * layout.side)}


def calibrate_by_cards(frame: NDArray[np.uint8], layout: Layout) -> Calibration:
    """Return the calibration of the camera that took ``frame`` (BGR uint8) over a table with the five cards.

    ``error_mm`` of it is the expected error at the worst place of the table, two standard deviations. Raises
    CalibrationError, with what is to be done, where the cards do not give one.
    """
    rings = _paper_outlines(frame)
    if len(rings) < len(CORNERS) + 1:
        raise CalibrationError(
            f"only {len(rings)} of the five cards can be made out: lay them face up and apart, one in each corner of "
            "the table, one between its middle and North, each wholly in the picture and on a cloth that is darker"
        )
    if len(rings) > MOST:
        raise CalibrationError(f"{len(rings)} things look like cards: leave only the five cards on and near the table")
    height, width = frame.shape[:2]
    pale = np.asarray(frame.min(axis=2), np.float32)
    found: list[Calibration] = []
    refused: list[CalibrationError] = []
    for laid in _arrangements(rings, layout, refused):
        exact = [replace(one, ring=at_its_edges(pale, one.ring)) for one in laid]
        try:
            found.append(_adjusted(exact, layout, width, height))
        except CalibrationError as error:
            refused.append(error)
    if len(found) > 1:
        raise CalibrationError("more than five cards could be meant: leave only the five on the table")
    if not found:
        raise refused[-1] if refused else CalibrationError(_NOT_IN_CORNERS)
    return replace(found[0], rim=rim_profiles(frame, found[0], layout))


_NOT_IN_CORNERS: Final = (
    "no four cards lie in the table's four corners: push one into each, flush with both edges, and lay all face up"
)


_NO_FIFTH: Final = (
    "four cards lie in the corners but the fifth is missing, which says where North is: "
    "lay it between the middle and North"
)
_SEVERAL: Final = "more than one card lies around the middle: leave only the one between the middle and North"


def _paper_outlines(frame: NDArray[np.uint8]) -> list[Points]:
    """Return the corners (4, 2 px) of what stands out as paper and is about as large as a card of the table.

    What is pale and narrower than a card and a half stands out, however light falls off and whatever lies around the
    table: the picture less its opening (the white top-hat).
    """
    shrink = max(frame.shape[:2]) / LONGEST
    size = (round(frame.shape[1] / shrink), round(frame.shape[0] / shrink))
    small = np.asarray(
        cv2.resize(frame, size, interpolation=cv2.INTER_AREA if shrink > 1 else cv2.INTER_LINEAR), np.uint8
    )
    pale = cv2.GaussianBlur(small.min(axis=2), (5, 5), 0)
    across = round(WIDEST * min(size)) | 1
    above = cv2.morphologyEx(pale, cv2.MORPH_TOPHAT, np.ones((across, across), np.uint8))
    return [(ring + 0.5) * shrink - 0.5 for ring in outlines_in(small, np.asarray(above, np.float32), FILLS, SQUAREST)]


def _arrangements(rings: list[Points], layout: Layout, refused: list[CalibrationError]) -> Iterator[list[_Laid]]:
    """Yield the ways in which things of a picture can be the five cards; why not goes to ``refused``."""
    places = np.array(list(card_places(layout).values())[:4], np.float32)
    for chosen in combinations(rings, 4):
        clockwise = _clockwise(chosen)
        if clockwise is None:
            continue
        middles = np.array([ring.mean(axis=0) for ring in clockwise], np.float32)
        to_table = np.asarray(cv2.getPerspectiveTransform(middles, places), np.float64)
        size = _common_size([project(to_table, ring) for ring in clockwise])
        if size is None:
            continue
        others = [ring for ring in rings if not any(ring is one for one in chosen)]
        pointers = _pointers(to_table, others, size, layout)
        if len(pointers) != 1:
            refused.append(CalibrationError(_SEVERAL if pointers else _NO_FIFTH))
            continue
        ((turn, pointer),) = pointers
        named = zip(CORNERS.items(), np.roll(np.arange(4), -turn).tolist(), strict=True)
        laid = [_Laid(name, _short_side_first(to_table, clockwise[k]), corner) for (name, corner), k in named]
        yield [*laid, _Laid("between the middle and North", _short_side_first(to_table, pointer), None)]


def _pointers(to_table: Points, others: list[Points], size: float, layout: Layout) -> list[tuple[int, Points]]:
    """Return the outlines that can be the fifth card, each with the quarter turns that make its side North."""
    return [
        (n, ring)
        for n in range(4)
        for ring in others
        if _points_north(_quarter(project(to_table, ring), n), size, layout)
    ]


def _common_size(on_table: list[Points]) -> float | None:
    """Return the size, in cards, of four outlines (mm) that can be cards laid flush; None if they cannot."""
    size = float(np.mean([np.sqrt(np.prod(_sides(ring)) / (CARD_WIDTH * CARD_HEIGHT)) for ring in on_table]))
    is_one = SIZES[0] < size < SIZES[1] and all(_is_like_card(ring, size) for ring in on_table)
    return size if is_one else None


def _clockwise(rings: tuple[Points, ...]) -> list[Points] | None:
    """Return four outlines in the order of their middles, clockwise as seen; None if one lies between the others."""
    middles = np.array([ring.mean(axis=0) for ring in rings])
    away = middles - middles.mean(axis=0)
    order = np.argsort(np.arctan2(away[:, 1], away[:, 0]))
    hull = cv2.convexHull(middles[order].astype(np.float32))
    return [rings[k] for k in order.tolist()] if len(hull) == 4 else None


def _quarter(points: Points, turns: int) -> Points:
    """Return table points turned so that the corner ``turns`` places further clockwise becomes the first."""
    matrix = np.linalg.matrix_power(np.array([[0.0, -1.0], [1.0, 0.0]]), turns)
    return np.asarray(points @ matrix.T, np.float64)


def _points_north(ring: Points, size: float, layout: Layout) -> bool:
    """Return True if an outline (mm) can be that of the fifth card; ``size``: of the others, in cards."""
    away = ring.mean(axis=0) - np.array(POINTER) * layout.side
    return _is_sized_like_card(ring, size) and float(np.hypot(*away)) <= POINTER_MM


def _sides(ring: Points) -> tuple[float, float]:
    sides = np.hypot(*(np.roll(ring, -1, axis=0) - ring).T)
    return float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2


def _short_side_first(to_table: Points, ring: Points) -> Points:
    """Return an outline (px) that starts with the side which is short on the table, not in the picture."""
    short, long = _sides(project(to_table, ring))
    return ring if short <= long else np.roll(ring, -1, axis=0)


def _is_sized_like_card(ring: Points, size: float) -> bool:
    short, long = sorted(_sides(ring))
    return abs(short / CARD_WIDTH / size - 1) <= ALIKE and abs(long / CARD_HEIGHT / size - 1) <= ALIKE


def _is_like_card(ring: Points, size: float) -> bool:
    turn = _turn_of(ring)
    return _is_sized_like_card(ring, size) and abs((turn + 45) % 90 - 45) <= TURNED


def _turn_of(ring: Points) -> float:
    """Degrees anticlockwise from upright of a card's outline (mm) whose short side comes first."""
    down = ring[2] + ring[3] - ring[0] - ring[1]
    return float(np.degrees(np.arctan2(down[0], -down[1])))


def _adjusted(laid: list[_Laid], layout: Layout, width: int, height: int) -> Calibration:
    """Return the camera that fits outlines and places best. Raises CalibrationError if it does not fit well enough."""
    seen = np.concatenate([one.ring for one in laid])
    plane = cv2.findHomography(
        np.array([one.ring.mean(axis=0) for one in laid[:4]]), np.array(list(card_places(layout).values())[:4]), 0
    )[0]
    first = np.asarray(plane, np.float64)
    poses = [_first_pose(project(first, one.ring), one, layout) for one in laid]
    asked = np.array([[*pose.place, pose.turn] for pose in poses])
    guess = np.concatenate([(first / first[2, 2]).ravel()[:8], [0.0, 1.0], np.array([p.now for p in poses]).ravel()])
    scale = np.concatenate([plane_scale(guess[:9]), [0.01], np.tile([10.0, 10.0, 0.1], len(laid))])
    middle = np.array([[(width - 1) / 2, (height - 1) / 2]])
    near = project(first, np.concatenate([middle, middle + np.array([1.0, 0.0])]))
    edge_mm = EDGE_PX * float(np.hypot(*(near[1] - near[0])))
    loose = np.array([[*_LOOSE] if one.corner is None else [*_PUSHED] for one in laid])

    def outlines(values: Points) -> Points:
        matrix, k1, _ = unpack(values[:9])
        return project(matrix, straighten(seen, width, height, k1, 0.0)) - _corners(values[10:], float(values[9]))

    def miss(values: Points) -> Points:
        aside = (values[10:].reshape(-1, 3) - asked) / loose
        size, lens = (values[9] - 1.0) / CARD_SIZE, values[8] / LENS
        return np.concatenate([outlines(values).ravel() / edge_mm, aside.ravel(), [size, lens]])

    best = least_squares(miss, guess, scale)
    off = np.hypot(*outlines(best).T).reshape(-1, 4)
    _refuse_misfits(laid, off, best, asked, layout)
    matrix, k1, _ = unpack(best[:9])
    residual = float(np.sqrt((off**2).mean()))
    found = Calibration(width, height, tuple(float(v) for v in matrix.ravel()), k1, 0.0, residual, ())
    error = _expected_error(miss, best, scale, found, layout)
    if not error <= MAX_ERROR_MM:
        raise CalibrationError(
            f"the cards fix the table to {error:.1f} mm only, and {MAX_ERROR_MM:g} are allowed: hang the camera nearer "
            "and straighter, or give more light"
        )
    return replace(found, error_mm=error)


_PUSHED: Final = (PLACED[0], PLACED[0], float(np.radians(PLACED[1])))
_LOOSE: Final = (POINTER_MM / 2, POINTER_MM / 2, 1.0)


@dataclass(frozen=True, slots=True)
class _Pose:
    """Place and turn (radians) at which a card was asked for, and at which it seems to lie: x, y, turn."""

    place: tuple[float, float]
    turn: float
    now: tuple[float, float, float]


def _first_pose(ring: Points, one: _Laid, layout: Layout) -> _Pose:
    """Return the pose of an outline (mm): a card in a corner may be upright or lie on its side, flush both ways."""
    turn = _turn_of(ring)
    x, y = ring.mean(axis=0).tolist()
    if one.corner is None:
        near = float(np.radians(turn))
        return _Pose((POINTER[0] * layout.side, POINTER[1] * layout.side), near, (x, y, near))
    quarter = round(turn / 90.0)
    wide, tall = (CARD_HEIGHT, CARD_WIDTH) if quarter % 2 else (CARD_WIDTH, CARD_HEIGHT)
    half = layout.side / 2
    place = one.corner[0] * (half - wide / 2), one.corner[1] * (half - tall / 2)
    return _Pose(place, quarter * np.pi / 2, (x, y, float(np.radians(turn))))


def _corners(poses: Points, size: float) -> Points:
    """Return the corners (n * 4, 2 mm) of cards at ``poses`` (x, y, radians for each), short side first."""
    box = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * np.array([CARD_WIDTH, CARD_HEIGHT]) / 2 * size
    x, y, turn = poses.reshape(-1, 3).T
    c, s = np.cos(turn), np.sin(turn)
    turns = np.stack([np.stack([c, -s], axis=1), np.stack([s, c], axis=1)], axis=1)
    return np.asarray((box[None] @ turns.transpose(0, 2, 1) + np.stack([x, y], axis=1)[:, None]).reshape(-1, 2))


def _refuse_misfits(laid: list[_Laid], off: Points, best: Points, asked: Points, layout: Layout) -> None:
    """Raise CalibrationError if the table has another size, a thing is no card, or a card lies badly in its corner."""
    by_cards = layout.side / float(best[9])
    if abs(by_cards / layout.side - 1) > OTHER_SIDE:
        raise CalibrationError(
            f"by the cards the table is {by_cards:.0f} mm wide, and the table map says {layout.side:g}: write its side "
            "there, or lay cards of 63 x 88 mm into its corners"
        )
    worst = int((rms := np.sqrt((off**2).mean(axis=1))).argmax())
    if rms[worst] > MISFIT_MM:
        raise CalibrationError(
            f"what lies {_at(laid[worst])} has not the outline of a card of 63 x 88 mm, by {rms[worst]:.1f} mm: lay a "
            "whole, flat card there"
        )
    for n, one in enumerate(laid):
        x, y, turn = (best[10:].reshape(-1, 3)[n] - asked[n]).tolist()
        if one.corner is not None and (np.hypot(x, y) > ASIDE[0] or abs(np.degrees(turn)) > ASIDE[1]):
            raise CalibrationError(
                f"the card {_at(one)} lies {np.hypot(x, y):.0f} mm and {abs(np.degrees(turn)):.0f} degrees from where "
                "it should: push it into the corner, flush with both edges"
            )


def _at(one: _Laid) -> str:
    return one.name if one.corner is None else f"in the {one.name} corner"


def _expected_error(
    miss: Callable[[Points], Points], best: Points, scale: Points, found: Calibration, layout: Layout
) -> float:
    """Return the expected error (mm) at the worst place of the table, from the adjustment's covariance."""
    slopes = slopes_of(miss, best, scale)
    unknown = len(slopes) - slopes.shape[1]
    spread = max(1.0, float((miss(best) ** 2).sum()) / max(1, unknown))
    covariance = np.linalg.pinv(slopes.T @ slopes) * spread
    t = np.linspace(-layout.side / 2, layout.side / 2, 7)
    pixels = found.to_pixel(np.stack(np.meshgrid(t, t), axis=-1).reshape(-1, 2))

    def places(values: Points) -> Points:
        matrix, k1, _ = unpack(values[:9])
        return project(matrix, straighten(pixels, found.width, found.height, k1, 0.0)).ravel()

    moves = slopes_of(places, best, scale)
    variances = np.einsum("ij,jk,ik->i", moves, covariance, moves).reshape(-1, 2).sum(axis=1)
    return float(SPREAD * np.sqrt(variances.max()))
