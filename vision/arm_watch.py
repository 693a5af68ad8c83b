"""Hands over the table as the camera sees them: reports what light beams would.

An arm is something that is neither cloth nor what lay there before and that comes from beyond the players' edge. It is
followed in a view of the table, from which nothing is kept. Everything is in table millimetres and seconds of the log.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from math import atan2, degrees, dist
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.layout import SEAT_EDGE, Layout
from hw.observations import Reach
from hw.seats import Seat
from hw.zones import TABLE
from vision.calibration import Calibration
from vision.surface import VIEW_MM, Image, Mask, Surface, inner_edge, strongest

Floats = NDArray[np.float64]

_STEP: Final = 2
"""Cells of a view, along each side, that make one cell here."""
CELL_MM: Final = VIEW_MM * _STEP
_APART: Final = 9
"""Grey levels by which a cell differs from what lay there before, where something else covers it."""
_HUE_FAR: Final = 0.022
"""Shares of blue, green and red change by less where only a shadow falls."""
_DARKEST: Final = 0.45
_LIGHTEST: Final = 1.12
"""A shadow leaves so much of the light at least; beside an arm the cloth is so much lighter at most."""
_WIDTH_MM: Final = 25.0
"""Along the edge of the players' strips an arm is at least so wide."""
_BEYOND_MM: Final = 45.0
"""Length over the strip from which an arm is seen; a card at the strip's edge reaches less far."""
_OVER_MM: Final = 45.0
"""A hand that comes less far over the table than this lies before its player and reaches for nothing."""
_HAND_MM: Final = 48.0
"""Length of an arm beneath which a card held in its hand may be."""
_ONE_ZONE: Final = 0.62
"""Share of the part of a hand that lies over zones from which on it is over one of them and beside the others."""
_RAISED: Final = 0.965
"""A hand is seen so much nearer to the middle than it is drawn out by its height: 40 mm under a camera at 1160 mm."""
_SEAT_DEG: Final = 27.0
"""The elbow lies at most so far aside of the middle of its player's edge, seen from the table's middle."""
_ELBOW_MM: Final = 300.0
"""Distance outward from where the arm crosses the strip's edge at which the elbow is looked for."""
_CORE_MM: Final = 12.0
"""Half of the narrowest part by which something may reach from an arm to its hand."""
_HANDS_MM: Final = 80.0
"""Distance between two hands from which they count as two."""
_SLOW: Final = 700.0
"""Millimetres a second below which a hand counts as acting where it is; a hand on its way is faster."""
_BACK_MM: Final = 25.0
"""Drawing back by this much since the last frame means that the hand had reached its goal."""
_CROSSED_S: Final = 0.18
"""Seconds after which a hand under another arm counts as acting where it is."""
_SAME_MM: Final = 130.0
"""Along the edge the same arm moves at most so far from one frame to the next."""
_REST_S: Final = 3.0
"""Seconds without motion after which a thing counts as lying on the table."""
_SHORT_S: Final = 0.6
"""Frames further apart than this do not show how fast a hand moves."""


@dataclass(frozen=True, slots=True)
class SeenArm:
    """One arm in one frame: ``seat`` whose it is, None if its direction does not show it.

    ``entry``: the middle of where it crosses the edge of the players' strips. ``tip``: the hand's farthest point, None
    if several arms cross so that the hand cannot be found. ``zone``: where the hand is, None over several zones.
    """

    seat: Seat | None
    entry: tuple[float, float]
    tip: tuple[float, float] | None
    zone: str | None = None
    alone: bool = True
    """True if no other arm touches it in the frame."""

    @property
    def length(self) -> float:
        """Length of the arm over the table, in millimetres."""
        return 0.0 if self.tip is None else dist(self.tip, self.entry)


@dataclass(frozen=True, slots=True)
class _Followed:
    """An arm and its history since the two looks before."""

    arm: SeenArm
    t: float
    start: float
    """When it was first seen in its zone without leaving it."""
    came: bool
    """True if it reached further than in the look before."""


class ArmWatch:
    """Tracks the arms in one camera's frames and reports which hands enter and leave which zones."""

    def __init__(self, layout: Layout, calibration: Calibration, empty: Image) -> None:
        """``empty``: a frame (BGR uint8) of the table on which nothing lies."""
        self._layout = layout
        self._surface = Surface(layout, calibration)
        size = self._surface.size // _STEP
        view = self._coarse(self._surface.view(empty))
        self._empty = view
        self._bare = view.copy()
        """The table as it looks without arms."""
        self._older = view.copy()
        """The same before what rests on it came to lie there: an arm that has rested leaves what was beneath it."""
        self._still: Image = view
        self._since = np.zeros((size, size), np.float32)
        half = layout.side / 2
        places = (np.arange(size) + 0.5) * CELL_MM - half
        self._xs, self._ys = np.meshgrid(places, -places)
        out = np.maximum(np.abs(self._xs), np.abs(self._ys))
        edge = min((inner_edge(layout.zones[n]) for n in layout.masked if n in layout.zones), default=half - 60.0)
        self._inside = out <= edge
        self._ring = (out > edge) & (out <= edge + CELL_MM)
        self._outer = (out > edge) & (out <= edge + _BEYOND_MM + CELL_MM)
        self._far = out > edge + _BEYOND_MM
        self._followed: list[_Followed] = []
        self._open: set[tuple[Seat | None, str | None]] = set()
        self._t: float | None = None

    def look(self, frame: Image, t: float, whole: Image | None = None) -> list[Reach]:
        """Return the reaches known by ``frame`` (BGR uint8, taken at ``t`` seconds), in the order of time.

        ``whole``: the view of that frame, nothing masked, if another reader has made it already.
        """
        return self.follow(self.arms(frame, t, whole), t)

    # one frame

    def arms(self, frame: Image, t: float, whole: Image | None = None) -> list[SeenArm]:
        """Return the arms over the table in ``frame``; ``whole`` as in ``look``."""
        view = self._coarse(self._surface.view(frame) if whole is None else whole)
        closed = cv2.morphologyEx(self._strange(view).view(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        _, labels = cv2.connectedComponents(closed)
        found = [n for n in np.unique(labels[self._ring & (closed > 0)]).tolist() if (labels[self._inside] == n).any()]
        arms = [arm for n in found for arm in self._arms_of(np.asarray(labels == n, np.bool_))]
        self._settle(view, t)
        return arms

    def _coarse(self, view: Image) -> Image:
        """Return the table of ``view`` in cells of CELL_MM."""
        size = self._surface.size // _STEP
        small = cv2.resize(view, (size, size), interpolation=cv2.INTER_AREA)
        return small.astype(np.uint8, copy=False)

    def _strange(self, view: Image) -> Mask:
        """Return the cells that show neither what lay there before nor a shadow upon it."""
        before, older = self._bare, self._older
        changed = (strongest(view, before) > _APART) & (strongest(view, older) > _APART)
        if changed.any():  # in most frames few cells differ: a shadow is asked about there alone
            now = view[changed]
            changed[changed] = ~_shaded(now, before[changed]) & ~_shaded(now, older[changed])
        return changed

    def _settle(self, view: Image, t: float) -> None:
        """Take things that have not moved for ``_REST_S`` as lying on the table; bare cloth at once."""
        self._since[strongest(view, self._still) > _APART] = t
        self._still = view
        rests = (t - self._since >= _REST_S) | (strongest(view, self._empty) <= _APART)
        other = rests & (strongest(view, self._bare) > _APART)
        if other.any():
            where = other.view(np.uint8)
            cv2.copyTo(self._bare, where, self._older)
            cv2.copyTo(view, where, self._bare)

    def _arms_of(self, mask: Mask) -> list[SeenArm]:
        """Return the arms of which one separate thing over the table consists: one for each place it comes in at."""
        _, parts = cv2.connectedComponents((mask & self._outer).astype(np.uint8))
        entries = []
        for n in np.unique(parts[self._ring]).tolist():
            crossing = (parts == n) & self._ring
            if n and (self._far & (parts == n)).any() and crossing.sum() * CELL_MM >= _WIDTH_MM:
                entries.append((float(self._xs[crossing].mean()), float(self._ys[crossing].mean())))
        within = mask & self._inside
        if not entries or not within.any():
            return []
        points = np.column_stack([self._xs[within], self._ys[within]])
        if len(entries) == 1:
            return self._arm(entries[0], points)
        core = cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8), iterations=round(_CORE_MM / CELL_MM)) > 0
        crossed = [
            replace(arm, alone=False)
            for entry in entries
            for arm in self._arm(entry, self._straight(entry, points, core), several=True)
        ]
        return [_parted(arm, crossed) for arm in crossed]

    def _straight(self, entry: tuple[float, float], points: Floats, core: Mask) -> Floats:
        """Select the ``points`` to which a straight arm can lead from ``entry`` within ``core``."""
        steps = np.linspace(0.1, 0.85, 16)[:, None, None]
        way = np.array(entry) + steps * (points - np.array(entry))
        half = self._layout.side / 2
        columns = np.clip(((way[..., 0] + half) / CELL_MM).astype(int), 0, core.shape[1] - 1)
        rows = np.clip(((half - way[..., 1]) / CELL_MM).astype(int), 0, core.shape[0] - 1)
        return np.asarray(points[core[rows, columns].mean(axis=0) >= 0.95], np.float64)

    def _arm(self, entry: tuple[float, float], points: Floats, *, several: bool = False) -> list[SeenArm]:
        if not len(points):
            return [SeenArm(self.seat_at(entry, None), entry, None)]
        far = np.hypot(*(points - np.array(entry)).T)
        length = float(far.max())
        if length < _OVER_MM:
            return []
        x, y = (float(v) for v in points[far >= length - 2 * CELL_MM].mean(axis=0))
        length = dist((x, y), entry) or 1.0
        right, up = (x - entry[0]) / length, (y - entry[1]) / length
        seat = self.seat_at(entry, (right, up))
        if seat is None and several:
            return [SeenArm(None, entry, None)]
        hand = points[np.hypot(points[:, 0] - x, points[:, 1] - y) < _HAND_MM]
        zone = self._zone(hand * _RAISED)
        return [] if zone in self._layout.masked else [SeenArm(seat, entry, (x, y), zone)]

    def _zone(self, hand: Floats) -> str | None:
        """Return the zone over which ``hand`` (n, 2) is; None if it may be over another."""
        zones = Counter(self._layout.zone_at(*spot) for spot in hand.tolist())
        named = Counter({zone: n for zone, n in zones.items() if zone != TABLE})
        if not named or named.total() < zones.total() / 4:
            return TABLE
        zone, most = named.most_common(1)[0]
        return zone if most >= _ONE_ZONE * named.total() else None

    def seat_at(self, entry: tuple[float, float], way: tuple[float, float] | None) -> Seat | None:
        """Return the seat from whose edge an arm enters at ``entry``, pointing ``way``; None if it may be another's."""
        x, y = entry
        if way is not None:
            x, y = x - way[0] * _ELBOW_MM, y - way[1] * _ELBOW_MM
        angle = degrees(atan2(y, x))
        for seat, (edge_x, edge_y) in SEAT_EDGE.items():
            aside = abs((angle - degrees(atan2(edge_y, edge_x)) + 180) % 360 - 180)
            if aside <= _SEAT_DEG:
                return seat
        return None

    # one frame after another

    def follow(self, arms: list[SeenArm], t: float) -> list[Reach]:
        """Take the arms of a frame at ``t`` seconds; return the reaches that it shows, in the order of time."""
        told: list[Reach] = []
        there: set[tuple[Seat | None, str | None]] = set()
        unclear = {arm.seat for arm in arms if arm.tip is None}
        followed = []
        for arm in arms:
            if arm.tip is None:
                continue
            one, turned = self._joined(arm, t)
            followed.append(one)
            if turned is not None:
                told += self._passed(turned, t)
            pair = (arm.seat, arm.zone)
            there.add(pair)
            if t - one.start > (0.0 if arm.alone else _CROSSED_S) and pair not in self._open:
                self._open.add(pair)
                told.append(Reach(round(one.start, 6), *pair, "in"))
        for pair in [p for p in self._open if p not in there and p[0] not in unclear]:
            self._open.remove(pair)
            told.append(Reach(round(t, 6), *pair, "out"))
        self._followed, self._t = followed, t
        return sorted(told, key=lambda reach: reach.t)

    def _joined(self, arm: SeenArm, t: float) -> tuple[_Followed, _Followed | None]:
        """Join ``arm`` to its history; the look before is returned too if the arm reached furthest there."""
        assert arm.tip is not None  # noqa: S101 - asked by the caller
        before = min(self._followed, key=lambda one: _away(one.arm, arm), default=None)
        if before is None or before.arm.seat is not arm.seat or _away(before.arm, arm) > _SAME_MM:
            return _Followed(arm, t, t, came=True), None
        assert before.arm.tip is not None  # noqa: S101 - only such are followed
        moved = dist(arm.tip, before.arm.tip)
        slow = t - before.t > _SHORT_S or moved <= _SLOW * (t - before.t)
        start = before.start if slow and arm.zone == before.arm.zone else t
        back = before.arm.length - arm.length
        clear = arm.alone and before.arm.alone and before.came and before.start == before.t
        turned = before if clear and back > _BACK_MM else None
        return _Followed(arm, t, start, came=back < 0), turned

    def _passed(self, turned: _Followed, t: float) -> list[Reach]:
        """Report a hand that came and went within two frames."""
        pair = (turned.arm.seat, turned.arm.zone)
        if pair in self._open:
            return []
        return [
            Reach(round(turned.t, 6), *pair, "in"),
            Reach(round((turned.t + t) / 2, 6), *pair, "out"),
        ]


def _parted(arm: SeenArm, crossed: list[SeenArm]) -> SeenArm:
    """Return ``arm`` without its hand if the hand may belong to an arm that touches it."""
    for other in crossed:
        if other is not arm and arm.tip is not None and other.tip is not None and dist(arm.tip, other.tip) < _HANDS_MM:
            return replace(arm, tip=None, zone=None)
    return arm


def _shaded(view: Image, before: Image) -> Mask:
    """Return the cells of ``view`` (n, 3) that may show ``before`` in a shadow, or in a little more light."""
    now, then = np.asarray(view, np.float32) + np.float32(4.0), np.asarray(before, np.float32) + np.float32(4.0)
    light, level = now.sum(axis=1), then.sum(axis=1)
    ratio = light / level
    turned = np.abs(now / light[:, None] - then / level[:, None]).max(axis=1)
    return np.asarray((turned < _HUE_FAR) & (ratio > _DARKEST) & (ratio < _LIGHTEST), np.bool_)


def _away(one: SeenArm, other: SeenArm) -> float:
    return dist(one.entry, other.entry)
