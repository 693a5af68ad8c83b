"""The camera's part of a running table: a frame in, what it shows and the picture that may be kept out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, Final, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from hw.equipment import DRAWN_TABLE, Equipment
from hw.layout import Layout
from hw.observations import Health, Reach, Sight
from hw.seats import Line, Seat
from table_service.evidence import Picture
from vision.arm_watch import ArmWatch
from vision.calibration import Calibration, calibrate
from vision.drift import DriftWatch, still_right
from vision.faces.box import BiddingFaces
from vision.faces.bridge_follower import BridgeWatcher
from vision.faces.face_follower import FaceWatcher
from vision.following import Follower
from vision.index_reader import IndexReader
from vision.kept_pictures import TablePictures
from vision.packs import PackFaces
from vision.sightings import Watcher
from vision.surface import TRAY

Image = NDArray[np.uint8]
STILL_S: Final = 0.5
"""Seconds between pictures of a table of which each sight says the same: a film has two a second."""


class Sightings(Protocol):
    """Maker of sights from a calibrated camera's frames (``vision.sightings.Watcher``)."""

    def look(self, frame: Image, t: float) -> Sight | None:
        """Return the sight of ``frame``; None if there is nothing new to report."""

    def new_deal(self) -> None:
        """Begin a deal: hands are masked."""

    def deal_over(self) -> None:
        """Hands are laid out for the count."""

    def deal_goes_on(self) -> None:
        """Continue the deal, which has not ended: hands are masked again."""


@runtime_checkable
class OpenHands(Protocol):
    """Sightings that read a hand area which lies open in play; who follows whole faces (tarocchi) has no such game."""

    def open_hands(self, zones: Collection[str]) -> None:
        """Open the hand areas ``zones`` for all from now on, and no others."""


class Eye:
    """One camera over one table, used from one thread. Calibrates itself on the first frame, of the empty table."""

    def __init__(
        self,
        layout: Layout,
        keepers: Mapping[Line, Seat],
        boot: str,
        watch: Callable[[Calibration, Image], Sightings] | None = None,
        *,
        sees_hands: bool = False,
        kept: Calibration | None = None,
    ) -> None:
        """Make a reader. ``boot`` makes the references of frames differ from those of an earlier boot.

        ``watch``: maker of the frames' reader, from a calibration and the empty table's frame; None: the reader of
        corner indices. ``sees_hands``: reaches are reported from frames too (``vision.arm_watch``). ``kept``: the
        calibration by cards of a table without markers. Raises vision's ModelError.
        """
        self._kept = kept
        self._layout = self._shown = layout
        self._boot = boot
        self._watch = watch or sightings_of(layout, DRAWN_TABLE, dict(keepers))
        self._watcher: Sightings | None = None
        self._calibration: Calibration | None = None
        self._drift: DriftWatch | None = None
        self._notice: Health | None = None
        self._sees_hands = sees_hands
        self._arms: ArmWatch | None = None
        self._reaches: list[Reach] = []
        self._deal_over = False
        self._frames = 0
        self._pictures: TablePictures | None = None
        self._sight: Sight | None = None
        self._pictured = -STILL_S
        self._fresh = False

    @property
    def calibration(self) -> Calibration | None:
        """Camera to table; None before the first frame."""
        return self._calibration

    def calibrate(self, frame: Image) -> Calibration:
        """Find the printed markers in ``frame``, which shows the table without cards. Raises CalibrationError.

        A kept calibration is used as it is, unless the table's edge shows that the camera was moved since.
        """
        kept, layout = self._kept, self._layout
        self._calibration = calibrate(frame, layout) if kept is None else still_right(kept, frame, layout)
        self._watcher = self._watch(self._calibration, frame)
        self._drift = DriftWatch(self._layout, self._calibration)
        self._pictures = TablePictures(self._calibration, self._layout)
        self._arms = ArmWatch(self._layout, self._calibration, frame) if self._sees_hands else None
        return self._calibration

    def new_deal(self) -> None:
        """Begin a deal: hands are masked, rows are numbered anew."""
        self._deal_over = False
        if self._watcher is not None:
            self._watcher.new_deal()

    def deal_over(self) -> None:
        """End the deal: hands lie open for the count and are read."""
        self._deal_over = True
        if self._watcher is not None:
            self._watcher.deal_over()

    def deal_goes_on(self) -> None:
        """Continue the deal, which has not ended: hands are masked again, and the melds keep their numbers."""
        self._deal_over = False
        if self._watcher is not None:
            self._watcher.deal_goes_on()

    def open_hands(self, zones: Collection[str]) -> None:
        """Open the hand areas ``zones`` for all, as dummy's is: they are read, and shown in what is kept."""
        self._shown = self._layout.opened(zones)
        if isinstance(self._watcher, OpenHands):
            self._watcher.open_hands(zones)
        if self._calibration is not None:
            self._pictures = TablePictures(self._calibration, self._shown)

    def look(self, frame: Image, t: float) -> Sight | None:
        """Return the sight of ``frame`` (BGR), taken at ``t``; None if nothing is new. Raises CalibrationError."""
        self._frames += 1
        if self._watcher is None or self._calibration is None:
            self.calibrate(frame)
        assert self._watcher is not None  # noqa: S101 - calibrate made it
        assert self._calibration is not None  # noqa: S101
        sight = self._watcher.look(frame, t)
        standing = self._drift.follow(frame, t) if self._drift is not None else None
        if standing is not None:
            state: Literal["ok", "lost"] = "ok" if standing.holds else "lost"
            self._notice = Health(round(t, 6), "calibration", state, standing.note)
        if self._arms is not None:
            whole = self._watcher.whole if isinstance(self._watcher, Follower) else None
            self._reaches += self._arms.look(frame, t, whole)
        if sight is not None:
            self._fresh |= self._sight is None or (sight.cards, sight.hidden) != (self._sight.cards, self._sight.hidden)
            sight = self._sight = replace(sight, frame=self._ref())
        return sight

    def _ref(self) -> str:
        return f"{self._boot}-{self._frames:06d}"

    def picture(self, frame: Image, t: float) -> Picture | None:
        """Return the table in the last frame looked at, to be held as possible evidence; None if none is due.

        Hand areas are painted out, after the end of a deal too: that end may be retracted. Dummy's is not.
        """
        if self._pictures is None or self._sight is None or not (self._fresh or t >= self._pictured + STILL_S):
            return None
        self._pictured, self._fresh = t, False
        seen = self._sight
        pixels = self._pictures.picture(frame)
        return Picture.of(self._ref(), round(t, 6), pixels, seen.cards, seen.hidden, self._shown)

    def reaches(self) -> list[Reach]:
        """Hands that have come and gone since this was last asked, in the order of time."""
        reaches, self._reaches = self._reaches, []
        return reaches

    def notice(self) -> Health | None:
        """Return news of the calibration since the last call: it no longer holds, or holds again."""
        notice, self._notice = self._notice, None
        return notice

    def report(self) -> dict[str, Any]:
        """Counters for the health topic."""
        residual = self._calibration.residual_mm if self._calibration is not None else None
        return {"frames": self._frames, "calibration_mm": None if residual is None else round(residual, 2)}


def sightings_of(
    layout: Layout,
    equipment: Equipment,
    keepers: Mapping[Line, Seat],
    pack: PackFaces | None = None,
    box: PackFaces | None = None,
) -> Callable[[Calibration, Image], Sightings]:
    """Return the maker of a reader of a table's frames: by corner indices, or by enrolled whole faces of cards.

    ``pack``: the enrolled pack that is played with. ``box``: the enrolled bidding box, whose cards are read in the tray
    of a table that has one. Raises vision's ModelError, and PackError for a ``box`` that is not one.
    """
    if pack is not None and pack.by_whole_faces and pack.faces is not None:
        faces = pack.faces

        def watch_faces(calibration: Calibration, empty: Image) -> Sightings:
            return FaceWatcher(layout, calibration, faces, empty, equipment)

        return watch_faces
    reader = IndexReader(pack=pack)
    if box is not None and TRAY in layout.zones:
        calls = BiddingFaces(box)

        def watch_bridge(calibration: Calibration, empty: Image) -> Sightings:
            return BridgeWatcher(layout, calibration, reader, calls, empty)

        return watch_bridge

    def watch(calibration: Calibration, empty: Image) -> Sightings:
        return Watcher(layout, calibration, reader, keepers, empty=empty, equipment=equipment)

    return watch
