"""Following a table of bridge: playing cards by their corner indices, bidding cards in the tray by an enrolled box."""

from __future__ import annotations

from dataclasses import replace

from hw.layout import Layout
from hw.observations import Sight
from vision.calibration import Calibration
from vision.faces.box import BiddingFaces
from vision.faces.tray_reader import TrayPictureReader, TraySeen
from vision.following import SightClock
from vision.index_reader import IndexReader
from vision.sightings import Watcher
from vision.surface import TRAY, Image


class BridgeWatcher(Watcher):
    """Turns the frames of one camera over one table with a tray into sights. Not shared between threads.

    ``empty`` is a frame of the table without cards, as calibration takes one.
    """

    def __init__(
        self, layout: Layout, calibration: Calibration, reader: IndexReader, faces: BiddingFaces, empty: Image
    ) -> None:
        super().__init__(layout, calibration, reader, empty=empty, apart=(TRAY,))
        self._tray = TrayPictureReader(layout, calibration, faces, empty)
        self._cards_seen: Sight | None = None
        self._tray_seen = TraySeen()
        self._clock = SightClock()

    def new_deal(self) -> None:
        """Begin a deal: no card is known."""
        super().new_deal()
        self._tray.forget()

    def look(self, frame: Image, t: float) -> Sight | None:
        """Return the sight of ``frame`` (BGR uint8) taken at ``t`` seconds; None if there is nothing new to report.

        Raises CalibrationError for a frame of another size than the calibration's.
        """
        cards = super().look(frame, t)
        self._cards_seen = last = cards or self._cards_seen
        seen = self._tray.look(frame)
        changed, self._tray_seen = seen != self._tray_seen, seen
        if last is None or not self._clock.is_due(t, changed=changed, at_once=cards is not None):
            return None
        hidden = (*last.hidden, TRAY) if seen.hidden else last.hidden
        return replace(last, t=round(t, 6), cards=(*last.cards, *seen.cards), hidden=hidden)
