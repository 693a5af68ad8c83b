"""Ground beneath the bidding cards: the tray's own surface and edge, the cloth around it, and arms that reach over it.

Every tray looks different, and none is enrolled. Its middle, between the compartments, is always bare: what shows there
is its surface. Masks are of a view's cells (``vision.surface``).
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.bidding import TRAY_HALF_MM, TRAY_SIDES, TraySide, compartment, tray_centre
from hw.layout import Layout, Rect
from hw.seats import SEATS, Seat
from vision.calibration import Calibration
from vision.surface import TRAY, TRAY_EDGE_MM, VIEW_MM, Felt, Image, Mask, Surface, grown

MIDDLE_MM: Final = 20.0
"""Half of the side of the tray's middle that is looked at; compartments begin 27 mm from it."""
EVEN: Final = 0.7
"""Share of the middle that must look alike to be a surface."""
SAME_SHARES: Final = 0.022
"""By so much a colour's shares of blue, green and red may differ from the surface's: less than skin from pale wood."""
SAME_BRIGHT: Final = (0.6, 1.25)
"""And so is its brightness over the surface's own, the light's slope taken away: cards throw shadows."""
EDGE_MM: Final = 12.0
"""Width beyond its compartments within which a tray may have an edge of another colour;"""
OVER_MM: Final = 3.0
"""and so far within, where cards that reach to its rim throw shadows."""
EDGE_SEEN_MM: Final = (1.0, 6.0)
"""Range in which it is looked for."""
EDGE_SHARE: Final = 0.6
"""Share of this that must not be cloth for an edge. It looks alike along each side; an arm across it does not."""
LINE_MM: Final = 5.0
"""Distance from a compartment's border within which its line may look different from the surface."""
NARROW_EDGE: Final = 5
"""Cells (of 2.5 mm) that a hand is wider than, there too: what is narrower is an edge, or the shadow of one."""
FINGER: Final = 3
"""Cells that a finger is wider than."""
AROUND_MM: Final = 85.0
"""Distance around the tray's zone within which the cloth is looked at; players' cards are further out."""
SHADES: Final = 16
"""Shades of a colour channel that are distinguished when the cloth's colour is looked for."""
SAMPLES: Final = 60_000
"""Pixels, about, by which the cloth's colour is learnt."""
ALIKE: Final = 24.0
"""Shades by which the cloth may differ from its commonest colour."""
ARMS_MM: Final = 112.0
"""Distance around the tray's zone within which an arm is followed: beyond the places of cards beside the tray."""
TOUCHING_MM: Final = 5.0
"""Distance from the tray's edge within which something coming from outside reaches it."""
BRIGHT: Final = 0.06
"""Share by which ground may be brighter or darker than it was, the change of the tray's middle taken away;"""
FIRST_BRIGHT: Final = 0.1
"""than the tray's middle, if it was never seen bare."""
SHARES: Final = 0.012
"""By so much its colour's shares of blue, green and red may differ."""
MOST: Final = 0.95
"""Share of the cells that must look so."""
LEAST_MM2: Final = 300.0
"""Less ground says nothing."""
LINE: Final = 0.08
"""Share by which brightness changes beside a printed line: a tray that comes back is a millimetre off."""
FOLLOWS: Final = 0.1
"""Share of the light's change that the memory takes over at each look."""
BLACK: Final = 1e-3
"""Added to what is divided by: of a black tray a cell may be 0."""
Lit = NDArray[np.float32]


class TrayGround:
    """Finds what is bare in the tray's zone, at whichever of its two places the tray is taken to be."""

    def __init__(self, surface: Surface, empty: Image) -> None:
        """``empty``: a view of ``surface`` in which all is cloth."""
        self._felt = Felt(empty, np.zeros((surface.size, surface.size), np.bool_))
        self.middles = {side: tray_square(surface, side, MIDDLE_MM) for side in TRAY_SIDES}
        """Masks where a tray is always bare: no compartment reaches there."""
        self._trays = {side: tray_square(surface, side, TRAY_HALF_MM) for side in TRAY_SIDES}
        self._edges = {side: _ring(surface, side, (-OVER_MM, EDGE_MM)) for side in TRAY_SIDES}
        self.borders = {side: _borders(surface, side) for side in TRAY_SIDES}
        """Masks where lines may be printed around the compartments."""
        self._looked = {side: _ring(surface, side, EDGE_SEEN_MM) for side in TRAY_SIDES}
        self._lanes = {side: _lanes(surface, side) for side in TRAY_SIDES}

    def lit(self, view: Image) -> NDArray[np.float32]:
        """Return the view's colours as they would be if the cloth were as bright everywhere."""
        return self._felt.evenly_lit(view)

    def bare(self, view: Image, side: TraySide) -> Mask:
        """Mask of ``view`` that is cloth, or the surface or edge of a tray on ``side``, without its lines."""
        felt, lit = self._felt.is_felt(view), self._felt.evenly_lit(view)
        tray, edge, looked = self._trays[side], self._edges[side], self._looked[side]
        out = felt.copy()
        # a tray covers both middles wherever it stands: where one shows cloth there is none, or it looks like cloth,
        # and what shows in the other is a card
        if all(felt[one].mean() < EVEN for one in self.middles.values()):
            out |= _as_most_of(lit, self.middles[side]) & (tray | edge)
        if (~out)[looked].mean() >= EDGE_SHARE:
            for lane in self._lanes[side]:
                out |= _as_most_of(lit, lane) & lane
        return np.asarray(out | ((edge | self.borders[side]) & ~_thick(~out, NARROW_EDGE)), np.bool_)


def _as_most_of(lit: NDArray[np.float32], sample: Mask) -> Mask:
    """Mask of evenly lit cells with the commonest colour of a ``sample``; empty if it has none."""
    colour = np.median(lit[sample], axis=0)
    if _like(lit[sample][:, None], colour).mean() < EVEN:
        return np.zeros(sample.shape, np.bool_)
    return _like(lit, colour)


def without_lines(mask: Mask) -> Mask:
    """Return the mask without what is narrower than a finger: printed lines, a card's edge, a shadow."""
    return _thick(mask, FINGER)


def _thick(mask: Mask, cells: int) -> Mask:
    """Return the mask without parts narrower than ``cells`` cells."""
    kernel = np.ones((cells, cells), np.uint8)
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, kernel) > 0, np.bool_)


def with_bare_tray(picture: Image, calibration: Calibration, zone: Rect) -> Image:
    """Return the picture with the cloth, as it looks around the tray's ``zone``, in place of the tray."""
    tray, around = (_pixels(picture, calibration, zone, by) for by in (0.0, AROUND_MM))
    every = max(1, int(np.sqrt(np.count_nonzero(around) / SAMPLES)))
    y, x = (at * every for at in np.nonzero((around & ~tray)[::every, ::every]))
    colours = picture[y, x]
    codes = (colours.astype(np.int64) * SHADES // 256) @ np.array([SHADES * SHADES, SHADES, 1])
    common = np.median(colours[codes == np.bincount(codes).argmax()], axis=0)
    bare = np.abs(colours - common).max(axis=1) < ALIKE
    terms = np.column_stack([x[bare], y[bare], np.ones(int(bare.sum()))])
    right, down, level = np.linalg.lstsq(terms, colours[bare].astype(np.float64), rcond=None)[0]
    out = picture.copy()
    for row in np.flatnonzero(tray.any(axis=1)):  # by rows: all at once takes 200 MB of a 12 megapixel frame
        columns = np.flatnonzero(tray[row])
        shades = columns[:, None] * right + (row * down + level)
        out[row, columns] = np.clip(np.rint(shades), 0, 255).astype(np.uint8)
    return out


def _like(lit: NDArray[np.float32], colour: NDArray[np.float32]) -> Mask:
    """Mask of cells (rows, columns, 3) with the surface's ``colour``, in light or shadow."""
    total, own = lit.sum(axis=2), float(colour.sum())
    far = np.abs(lit / total[..., None] - colour / own).max(axis=2)
    low, high = (share * own for share in SAME_BRIGHT)
    return np.asarray((far < SAME_SHARES) & (low < total) & (total < high), np.bool_)


def _pixels(picture: Image, calibration: Calibration, zone: Rect, by: float) -> Mask:
    """Return the pixels of a zone grown ``by`` millimetres."""
    out = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(out, [calibration.polygon(zone.x0 - by, zone.y0 - by, zone.x1 + by, zone.y1 + by)], 1)
    return out > 0


def tray_square(surface: Surface, side: TraySide, half: float) -> Mask:
    """Mask of a square about the middle of the tray on ``side``, ``half`` the millimetres of its side."""
    x, y = tray_centre(side)
    corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    return surface.polygons_mask(np.array([corners], np.float64))


def _ring(surface: Surface, side: TraySide, beyond: tuple[float, float]) -> Mask:
    """Return the cells between so far and so far beyond the tray's compartments."""
    inner, outer = (tray_square(surface, side, TRAY_HALF_MM + by) for by in beyond)
    return np.asarray(outer & ~inner, np.bool_)


def compartment_area(surface: Surface, seat: Seat, side: TraySide) -> Mask:
    """Mask of a compartment of the tray on ``side``."""
    rect = compartment(seat, side)
    corners = [(rect.x0, rect.y0), (rect.x1, rect.y0), (rect.x1, rect.y1), (rect.x0, rect.y1)]
    return surface.polygons_mask(np.array([corners], np.float64))


def _borders(surface: Surface, side: TraySide) -> Mask:
    """Return the cells beside the compartments' borders."""
    out = np.zeros((surface.size, surface.size), np.bool_)
    for seat in SEATS:
        area = compartment_area(surface, seat, side)
        out |= grown(area, LINE_MM) & grown(~area, LINE_MM)
    return out


def _lanes(surface: Surface, side: TraySide) -> list[Mask]:
    """Return the strips along the tray's four sides, a cell wide, one beside the other to where its edge may end."""
    (x, y), steps = tray_centre(side), (np.arange(surface.size) + 0.5) * VIEW_MM - surface.layout.side / 2
    right, up = steps[None, :] - x, -steps[:, None] - y
    beyond = np.floor((np.maximum(np.abs(right), np.abs(up)) - TRAY_HALF_MM) / VIEW_MM)
    upright = np.abs(right) > np.abs(up)
    halves = (upright & (right > 0), upright & (right < 0), ~upright & (up > 0), ~upright & (up <= 0))
    return [np.asarray((beyond == n) & half) for n in range(round(EDGE_MM / VIEW_MM)) for half in halves]


class ArmsAround:
    """Finds whether something reaches from the table's outer part to the tray. Of one camera's frames.

    A hand, or a sleeve, can have the tray's own colour, and what it covers then looks bare. The cloth that it crosses
    shows it all the same, unless that has its colour too.
    """

    def __init__(self, calibration: Calibration, zone: Rect, empty: Image) -> None:
        """``empty``: a frame in which the tray's ``zone`` shows cloth."""
        half = max(abs(zone.x0), abs(zone.x1), abs(zone.y0), abs(zone.y1)) + ARMS_MM
        self._surface = Surface(Layout({TRAY: Rect(-half, -half, half, half)}, (), 2 * half, ()), calibration)
        size = self._surface.size
        self._felt = Felt(self._surface.view(empty), np.zeros((size, size), np.bool_))
        self._rim = np.ones((size, size), np.bool_)
        self._rim[2:-2, 2:-2] = False
        self._trays = {side: tray_square(self._surface, side, TRAY_HALF_MM + TRAY_EDGE_MM) for side in TRAY_SIDES}
        self._near = {side: grown(tray, TOUCHING_MM) & ~tray for side, tray in self._trays.items()}

    def reached(self, frame: Image) -> set[TraySide]:
        """Return the sides on which something other than cloth reaches, in ``frame``, from outside to a tray there."""
        strange = ~self._felt.is_felt(self._surface.view(frame))
        return {side for side in TRAY_SIDES if self._joins(strange & ~self._trays[side], self._near[side])}

    def _joins(self, strange: Mask, near: Mask) -> bool:
        """Return True if something leads from the rim to the tray."""
        _, labels = cv2.connectedComponents(without_lines(strange).astype(np.uint8))
        return bool((set(labels[self._rim].tolist()) & set(labels[near].tolist())) - {0})


class GroundMemory:
    """Remembers the bare tray on each side, cell by cell: where a card was taken away it must look as before.

    ``TrayGround`` says loosely what may be bare, so that light and shadow hide no tray. That is too little to say that
    a card has left: a hand of the tray's colour may lie over it. Views are evenly lit ones (``TrayGround.lit``).
    """

    def __init__(self, middles: dict[TraySide, Mask], borders: dict[TraySide, Mask]) -> None:
        """``middles``: where the tray is always bare; ``borders``: where lines may be printed."""
        self._middles, self._borders = middles, borders
        self._known: dict[TraySide, tuple[Lit, Mask]] = {}
        """Looks of the tray and masks of where they are known: last, and before."""

    def learn(self, lit: Lit, side: TraySide, bare: Mask, *, anew: bool = False) -> None:
        """Remember the ``bare`` tray; known cells follow slowly, cells that look different not at all.

        ``anew``: these are remembered too, beside what was known there before: it may be a hand that stays long.
        """
        if side not in self._known:
            self._known[side] = np.stack([lit, lit]), np.zeros((2, *bare.shape), np.bool_)
        values, known = self._known[side]
        if anew:
            odd = bare & self.unlike(lit, side)
            values[1][odd], values[0][odd] = values[0][odd], lit[odd]
            known[1] |= odd
        fresh = bare & ~known[0]
        values[0][fresh] = lit[fresh]
        same = bare & known[0] & _alike(lit, values[0], BRIGHT)
        values[0][same] += FOLLOWS * (lit[same] - values[0][same])
        known[0] |= fresh

    def is_ground(self, lit: Lit, side: TraySide, where: Mask) -> bool:
        """Return True if the tray is bare ``where``: as it was, or, if never seen bare, as its middle looks now."""
        as_known, known, steady = self._as_known(lit, side)
        colour = np.median(lit[self._middles[side]], axis=0)
        first = _alike(lit, np.broadcast_to(colour, lit.shape), FIRST_BRIGHT)
        judged = where & (steady | ~(known | self._borders[side]))
        if judged.sum() * VIEW_MM**2 < LEAST_MM2:
            return False
        return bool(np.where(known, as_known, first)[judged].mean() >= MOST)

    def unlike(self, lit: Lit, side: TraySide) -> Mask:
        """Mask of cells that were seen bare and look different now."""
        as_known, _, steady = self._as_known(lit, side)
        return steady & ~as_known

    def _as_known(self, lit: Lit, side: TraySide) -> tuple[Mask, Mask, Mask]:
        """Masks of the tray: looks as it did, light in its middle allowed for; is known; is known and near no line."""
        nowhere = np.zeros(lit.shape[:2], np.bool_)
        then, known = self._known.get(side, (np.stack([lit, lit]), np.stack([nowhere, nowhere])))
        middle = known[0] & self._middles[side]
        if not middle.any():
            return nowhere, nowhere, nowhere
        changes = [np.median(lit[middle] / (one[middle] + BLACK), axis=0) for one in then]
        alike = [_alike(lit, one * change, BRIGHT) for one, change in zip(then, changes, strict=True)]
        return alike[0] | (alike[1] & known[1]), known[0], known[0] & ~_beside_lines(then[0])


def _alike(one: Lit, other: Lit, bright: float) -> Mask:
    total, own = one.sum(axis=2) + BLACK, other.sum(axis=2) + BLACK
    apart = np.abs(one / total[..., None] - other / own[..., None]).max(axis=2)
    return np.asarray((np.abs(total / own - 1.0) <= bright) & (apart <= SHARES), np.bool_)


def _beside_lines(lit: Lit) -> Mask:
    total = lit.sum(axis=2)
    kernel = np.ones((3, 3), np.uint8)
    return np.asarray(cv2.dilate(total, kernel) > (1.0 + LINE) * cv2.erode(total, kernel), np.bool_)
