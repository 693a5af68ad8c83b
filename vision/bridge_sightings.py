"""Following a table of bridge: playing cards by their corner indices, bidding cards in the tray by an enrolled box."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from hw.layout import Layout
from hw.observations import Sight
from vision.bidding_faces import BiddingFaces
from vision.calibration import Calibration
from vision.index_reader import IndexReader
from vision.sightings import CONFIRM_S, HEARTBEAT_S, Watcher
from vision.surface import TRAY, Image
from vision.tray_reading import TrayPictureReader, TraySeen


class BridgeWatcher:
    """Turns the frames of one camera over one table with a tray into sights. Not shared between threads.

    ``empty`` is a frame of the table without cards, as calibration takes one.
    """

    def __init__(
        self, layout: Layout, calibration: Calibration, reader: IndexReader, faces: BiddingFaces, empty: Image
    ) -> None:
        self._cards = Watcher(layout, calibration, reader, empty=empty, apart=(TRAY,))
        self._tray = TrayPictureReader(layout, calibration, faces, empty)
        self._last: Sight | None = None
        self._seen = TraySeen()
        self._told_t = -HEARTBEAT_S
        self._changed_t = -CONFIRM_S

    def new_deal(self) -> None:
        """A deal begins: no card is known."""
        self._cards.new_deal()
        self._tray.forget()

    def deal_over(self) -> None:
        """The deal is over: cards laid out in the hand areas are read until ``new_deal``."""
        self._cards.deal_over()

    def deal_goes_on(self) -> None:
        """Take back the end of the deal: hands are masked again."""
        self._cards.deal_goes_on()

    def open_hands(self, zones: Collection[str]) -> None:
        """The hand areas ``zones`` lie open for all: dummy's cards are read."""
        self._cards.open_hands(zones)

    def look(self, frame: Image, t: float) -> Sight | None:
        """Return the sight of ``frame`` (BGR uint8) taken at ``t`` seconds; None if there is nothing new to report.

        Raises CalibrationError for a frame of another size than the calibration's.
        """
        cards = self._cards.look(frame, t)
        if cards is not None:
            self._last = cards
        seen = self._tray.look(frame)
        if seen != self._seen:
            self._seen, self._changed_t = seen, t
        due = cards is not None or t - self._told_t >= HEARTBEAT_S or t - self._changed_t <= CONFIRM_S
        if self._last is None or not due:
            return None
        self._told_t = t
        hidden = (*self._last.hidden, TRAY) if seen.hidden else self._last.hidden
        return replace(self._last, t=round(t, 6), cards=(*self._last.cards, *seen.cards), hidden=hidden)
