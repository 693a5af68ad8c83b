"""The camera's part of a running table: a frame in, what it shows and the picture that may be kept out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hw.cards import face
from hw.layout import Layout
from hw.observations import Health, Sight, SightedCard
from hw.seats import Line, Seat
from hw.zones import is_melds
from vision.calibration import Calibration, calibrate
from vision.drift import DriftWatch
from vision.evidence import marked, table_picture, to_jpeg
from vision.reader import Reader
from vision.sightings import Watcher

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame gave: the sight, and the picture of the table that goes with it, hand areas masked."""

    sight: Sight
    picture: Picture


@dataclass(frozen=True)
class Picture:
    """The table as one frame showed it: square BGR, North up, and the cards that were read in it."""

    ref: str
    pixels: Image
    cards: tuple[SightedCard, ...]
    layout: Layout
    masked: bool

    def evidence(self, accused: Iterable[str]) -> bytes:
        """A JPEG with every card outlined, those whose faces are ``accused`` in red (all copies in open zones)."""
        faces = {face(card) for card in accused}
        red = [card for card in self.cards if card.card in faces and not is_melds(card.zone)]
        return to_jpeg(marked(self.pixels, self.cards, self.layout, red, masked=self.masked))


class Eye:
    """One camera over one table, used from one thread. Calibrates itself on the first frame, of the empty table."""

    def __init__(self, layout: Layout, keepers: Mapping[Line, Seat], boot: str) -> None:
        """``boot`` makes the references of frames differ from those of an earlier boot. Raises vision's ModelError."""
        self._layout = layout
        self._keepers = dict(keepers)
        self._boot = boot
        self._reader = Reader()
        self._watcher: Watcher | None = None
        self._calibration: Calibration | None = None
        self._drift: DriftWatch | None = None
        self._notice: Health | None = None
        self._deal_over = False
        self._frames = 0

    @property
    def calibration(self) -> Calibration | None:
        """Camera to table; None before the first frame."""
        return self._calibration

    def calibrate(self, frame: Image) -> Calibration:
        """Find the printed markers in ``frame``, which shows the table without cards. Raises CalibrationError."""
        self._calibration = calibrate(frame, self._layout)
        self._watcher = Watcher(self._layout, self._calibration, self._reader, self._keepers, empty=frame)
        self._drift = DriftWatch(self._layout, self._calibration)
        return self._calibration

    def new_deal(self) -> None:
        """A deal begins: hands are masked, rows are numbered anew."""
        self._deal_over = False
        if self._watcher is not None:
            self._watcher.new_deal()

    def deal_over(self) -> None:
        """The deal is over: hands lie open for the count and are read."""
        self._deal_over = True
        if self._watcher is not None:
            self._watcher.deal_over()

    def deal_goes_on(self) -> None:
        """The end of the deal was no end: hands are masked again, and the melds keep their numbers."""
        self._deal_over = False
        if self._watcher is not None:
            self._watcher.deal_goes_on()

    def look(self, frame: Image, t: float) -> Look | None:
        """What ``frame`` (BGR), taken at ``t``, shows; None where it tells nothing new. Raises CalibrationError."""
        self._frames += 1
        if self._watcher is None or self._calibration is None:
            self.calibrate(frame)
        assert self._watcher is not None  # noqa: S101 - calibrate made it
        assert self._calibration is not None  # noqa: S101
        sight = self._watcher.look(frame, t)
        standing = self._drift.look(frame, t) if self._drift is not None else None
        if standing is not None:
            state: Literal["ok", "lost"] = "ok" if standing.holds else "lost"
            self._notice = Health(round(t, 6), "calibration", state, standing.note)
        if sight is None:
            return None
        ref = f"{self._boot}-{self._frames:06d}"
        masked = not self._deal_over
        pixels = table_picture(frame, self._calibration, self._layout, masked=masked)
        return Look(replace(sight, frame=ref), Picture(ref, pixels, sight.cards, self._layout, masked))

    def notice(self) -> Health | None:
        """What has become known of the calibration since this was last asked: it no longer holds, or holds again."""
        notice, self._notice = self._notice, None
        return notice

    def report(self) -> dict[str, Any]:
        """Counters for the health topic."""
        residual = self._calibration.residual_mm if self._calibration is not None else None
        return {"frames": self._frames, "calibration_mm": None if residual is None else round(residual, 2)}
