"""Bidding cards in the tray: its compartments are read when the picture has changed and has come to rest.

The tray is on one of two sides, and the compartments are at the places of ``hw.bidding``. While anything moves over it,
or something that no card explains is there (a hand, the tray on its way), it is hidden and no card of it is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from hw.bidding import TRAY_SIDES, TraySide, on_table, other_side
from hw.cards import UNKNOWN
from hw.layout import Layout, Rect
from hw.observations import SightedCard
from hw.seats import SEATS, Seat
from vision.calibration import Calibration
from vision.faces.box import BiddingFaces
from vision.faces.box_places import compartment_picture, compartment_points
from vision.faces.box_rows import LyingCall, ReadRow, read_row, shows_whole
from vision.faces.geometry import Array, Points
from vision.faces.tray_ground import (
    ArmsAround,
    GroundMemory,
    Lit,
    TrayGround,
    compartment_area,
    with_bare_tray,
    without_lines,
)
from vision.surface import SMALL_CM2, TRAY, VIEW_MM, Image, Mask, Surface, blobs_of, changed_cells, grown

BORDER_MM: Final = 12.0
"""Border around the tray's zone that is looked at, so that a coming hand is seen to come from outside."""
SURE: Final = 0.9999
UNREAD_CONFIDENCE: Final = 0.5
COVERED: Final = 2
"""Calls of a row that are not taken for unknown at once: a hand that looks like cards lies over them."""
PATIENCE: Final = 100
"""Looks for which the tray is then reported as hidden: ten seconds of a table's camera."""
AROUND_MM: Final = 5.0
"""Distance around a card that was read within which shadow and edge count as the card's."""
UNEXPLAINED_MM2: Final = 1200.0
"""Unexplained area from which the tray may be on its other side: a quarter of a card."""
TURNED: Final = {Seat.NORTH: 180.0, Seat.EAST: 90.0, Seat.SOUTH: 0.0, Seat.WEST: 270.0}
"""Angle of a card that is upright for a seat, degrees anticlockwise, seen from South."""


@dataclass(frozen=True, slots=True)
class TraySeen:
    """Contents of the tray: its cards in order, and whether something hides it."""

    cards: tuple[SightedCard, ...] = ()
    hidden: bool = False


class TrayPictureReader:
    """Reads the tray in the frames of one calibrated camera. Used from one thread.

    ``empty``: a frame of the table, from which the cloth around the tray's zone is learnt; the zone itself is not
    looked at, so the tray may be there.
    """

    def __init__(
        self, layout: Layout, calibration: Calibration, faces: BiddingFaces, empty: Image, patience: int = PATIENCE
    ) -> None:
        self._faces, self._patience = faces, patience
        zone = layout.zones[TRAY]
        half = max(abs(zone.x0), abs(zone.x1), abs(zone.y0), abs(zone.y1)) + BORDER_MM
        middle = Layout({TRAY: Rect(-half, -half, half, half)}, (), 2 * half, ())
        self._surface = Surface(middle, calibration)
        self._rim = np.ones((self._surface.size, self._surface.size), np.bool_)
        self._rim[2:-2, 2:-2] = False
        bare = with_bare_tray(empty, calibration, zone)
        self._ground = TrayGround(self._surface, self._surface.view(bare))
        self._arms = ArmsAround(calibration, zone, bare)
        self._maps = {(seat, side): _map(calibration, seat, side) for seat in SEATS for side in TRAY_SIDES}
        self._areas = {at: compartment_area(self._surface, *at) for at in self._maps}
        self._memory = GroundMemory(self._ground.middles, self._ground.borders)
        self._side: TraySide = "NE"
        self._rows: dict[Seat, ReadRow] = {}
        """Rows read of each compartment while the tray is on this side."""
        self._before: Image | None = None
        self._read: Image | None = None
        """The tray when it was last read."""
        self._seen = TraySeen()
        self._waited = 0
        """Looks since when calls that were known seem to be covered."""

    @property
    def calls(self) -> Mapping[Seat, Sequence[LyingCall]]:
        """The calls last read of each compartment, in the order of the cards reported."""
        return {seat: row.calls for seat, row in self._rows.items()}

    def forget(self) -> None:
        """Read all of it again at the next look."""
        self._rows, self._read, self._before, self._waited = {}, None, None, 0

    def look(self, frame: Image) -> TraySeen:
        """Read the tray in ``frame`` (BGR uint8)."""
        view = self._surface.view(frame)
        moving = self._before is not None and bool(changed_cells(view, self._before).any())
        self._before = view
        changed = np.ones(view.shape[:2], np.bool_) if self._read is None else changed_cells(view, self._read)
        if not changed.any():
            return self._seen
        if moving:
            return TraySeen((), hidden=True)
        reached = self._arms.reached(frame)
        if len(reached) == len(TRAY_SIDES):
            # wherever the tray stands; what is known of it is compared with what shows once it is free
            self._read, self._seen = None, TraySeen((), hidden=True)
            return self._seen
        self._read_again(frame, view, changed, reached)
        return self._seen

    def _read_again(self, frame: Image, view: Image, changed: Mask, reached: Collection[TraySide]) -> None:
        self._read = view
        side, rows, unexplained = self._likeliest(frame, view, changed)
        known = self._rows if side == self._side else {}
        lit = self._ground.lit(view)
        bare = self._ground.bare(view, side) & ~grown(self._explained(rows, side), AROUND_MM)
        doubtful = self._doubtful(lit, side, known, rows)
        is_odd = self._is_odd(lit, side, known, bare)
        covered = bool(doubtful) or is_odd or _seem_covered(known, rows)
        self._waited = self._waited + 1 if covered else 0
        if self._is_hidden(unexplained) or side in reached or 0 < self._waited <= self._patience:
            # what is known of the side stays, and is compared with what shows once it is free
            self._read = None
            self._seen = TraySeen((), hidden=True)
            return
        told = {seat: row.calls for seat, row in rows.items()}
        for seat in doubtful:  # unknown, and it may be seen again
            told[seat], rows[seat] = told_meanwhile(known[seat], rows[seat]), known[seat]
        if not doubtful:
            self._waited = 0
            self._memory.learn(lit, side, bare, anew=is_odd)
            if not any(told.values()):
                self._learn_other(view, lit, other_side(side))
        self._side, self._rows = side, rows
        self._seen = TraySeen(tuple(one for seat in SEATS for one in _sighted(told[seat], seat, side)))

    def _likeliest(self, frame: Image, view: Image, changed: Mask) -> tuple[TraySide, dict[Seat, ReadRow], Mask]:
        """Return the tray's side, by what cards explain there, its rows, and the mask of what is left unexplained."""
        best: tuple[float, TraySide, dict[Seat, ReadRow], Mask] | None = None
        for side in sorted(TRAY_SIDES, key=lambda side: side != self._side):
            known = self._rows if side == self._side else {}
            foreign = without_lines(~self._ground.bare(view, side))
            rows = {seat: self._row(frame, seat, side, known, changed, foreign) for seat in SEATS}
            explained = self._explained(rows, side)
            unexplained = foreign & ~grown(explained, AROUND_MM)
            left = float(unexplained.sum())
            if best is None or left < best[0]:
                best = (left, side, rows, unexplained)
            if left * VIEW_MM**2 < UNEXPLAINED_MM2 and not self._is_hidden(unexplained):
                break
        assert best is not None  # noqa: S101 - there are two sides
        return best[1:]

    def _learn_other(self, view: Image, lit: Lit, side: TraySide) -> None:
        """Remember the bare tray on the other ``side`` too: one that looks like the cloth may be on either."""
        bare = self._ground.bare(view, side)
        if not without_lines(~bare).any():
            self._memory.learn(lit, side, bare)

    def _doubtful(self, lit: Lit, side: TraySide, known: dict[Seat, ReadRow], rows: dict[Seat, ReadRow]) -> list[Seat]:
        """Return the seats with ``known`` calls not seen any more, without a sign that they were taken away."""
        out = []
        for seat, before in known.items():
            gone = vanished(before, rows[seat])
            if not gone or is_uncovered(before, rows[seat], self._faces):
                continue
            place = self._surface.polygons_mask(np.stack([_on_table(call.corners, seat, side) for call in gone]))
            place &= ~grown(~place, VIEW_MM) & ~grown(self._explained(rows, side), AROUND_MM)
            if not self._memory.is_ground(lit, side, place):
                out.append(seat)
        return out

    def _is_odd(self, lit: Lit, side: TraySide, known: dict[Seat, ReadRow], bare: Mask) -> bool:
        """Return True if much that may be ``bare`` in unread compartments did not look so before."""
        fresh = [self._areas[seat, side] for seat in SEATS if seat not in known]
        if not fresh:
            return False
        odd = without_lines(self._memory.unlike(lit, side) & bare) & np.logical_or.reduce(fresh)
        return float(odd.sum()) * VIEW_MM**2 >= SMALL_CM2 * 100

    def _row(
        self,
        frame: Image,
        seat: Seat,
        side: TraySide,
        known: dict[Seat, ReadRow],
        changed: Mask,
        foreign: Mask,
    ) -> ReadRow:
        """Return the calls of ``seat``, the tray on ``side``: as they are ``known`` if nothing changed there."""
        area = self._areas[seat, side]
        before = known.get(seat)
        if before is not None and not (changed & area).any():
            return before
        picture = compartment_picture(frame, *self._maps[seat, side])
        if not (area & foreign).any():
            return ReadRow([], picture)
        return read_row(picture, self._faces, before)

    def _explained(self, rows: dict[Seat, ReadRow], side: TraySide) -> Mask:
        """Mask of the cards of ``rows``."""
        rings = [_on_table(call.corners, seat, side) for seat, row in rows.items() for call in row.calls]
        if not rings:
            return np.zeros((self._surface.size, self._surface.size), np.bool_)
        return self._surface.polygons_mask(np.stack(rings))

    def _is_hidden(self, unexplained: Mask) -> bool:
        """Return True if a hand, or something not shaped like a card, lies over the tray."""
        return any(blob.covers for blob in blobs_of(unexplained, self._rim))


def _seem_covered(before: Mapping[Seat, ReadRow], rows: Mapping[Seat, ReadRow]) -> bool:
    """Return True if several calls that were known in some row are gone, and there are more unknown ones."""
    for seat, row in rows.items():
        was = Counter(call.level for call in before[seat].calls) if seat in before else Counter[str]()
        now = Counter(call.level for call in row.calls)
        gone = was - now
        del gone[UNKNOWN]
        if gone.total() >= COVERED and now[UNKNOWN] > was[UNKNOWN]:
            return True
    return False


def _map(calibration: Calibration, seat: Seat, side: TraySide) -> tuple[Array, Array]:
    """Pixel of a frame for each of ``compartment_points``, as OpenCV's remap takes it."""
    points = compartment_points()
    pixels = calibration.to_pixel(_on_table(points.reshape(-1, 2), seat, side)).reshape(points.shape).astype(np.float32)
    one, two = cv2.convertMaps(np.ascontiguousarray(pixels[..., 0]), np.ascontiguousarray(pixels[..., 1]), cv2.CV_16SC2)
    return np.asarray(one), np.asarray(two)


def _on_table(points: Points, seat: Seat, side: TraySide) -> Points:
    """Points (n, 2 mm) of a compartment as its owner sees it, on the table."""
    origin, along, across = (np.array(on_table(seat, side, *at)) for at in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)))
    return np.asarray(origin + points[:, :1] * (along - origin) + points[:, 1:] * (across - origin), np.float64)


def _sighted(calls: list[LyingCall], seat: Seat, side: TraySide) -> list[SightedCard]:
    found = []
    for order, call in enumerate(calls):
        x, y = on_table(seat, side, *call.middle)
        angle = round((TURNED[seat] - call.tilt) % 180, 1) % 180
        place = (round(float(x), 1), round(float(y), 1), angle)
        sure = UNREAD_CONFIDENCE if call.name == UNKNOWN else confidence_of(call)
        found.append(SightedCard(call.name, TRAY, *place, "up", round(sure, 4), None, order, seat))
    return found


def confidence_of(call: LyingCall) -> float:
    """Confidence of a call that was named."""
    return min(SURE, 0.5 + 0.5 * call.score * min(1.0, call.apart))


def vanished(before: ReadRow, now: ReadRow) -> list[LyingCall]:
    """Return the known calls of ``before`` that are not there ``now``; none if as many calls lie there."""
    known = [call for call in before.calls if call.name != UNKNOWN or call.either]
    if len(now.calls) >= len(known):
        return []
    left = [call.level for call in now.calls]
    gone = []
    for call in known:
        if call.level in left:
            left.remove(call.level)
        else:
            gone.append(call)
    return gone


def is_uncovered(before: ReadRow, now: ReadRow, faces: BiddingFaces) -> bool:
    """Return True if the calls ``now`` are the lower ones of ``before``, and the uppermost of them shows whole."""
    names = [call.level for call in now.calls]
    return bool(names) and names == [call.level for call in before.calls[: len(names)]] and shows_whole(now, faces)


def told_meanwhile(before: ReadRow, now: ReadRow) -> list[LyingCall]:
    """Return the calls of ``before``, those that are not seen ``now`` as unknown ones."""
    gone = vanished(before, now)
    return [
        replace(call, name=UNKNOWN, score=0.0, apart=0.0, either=()) if call in gone else call for call in before.calls
    ]
