"""Arms that reach over the cloth to the bidding tray, seen beside it: upon the tray they may look like the tray.

A hand, or a sleeve, can have the tray's own colour, and what it covers then looks bare. The cloth that it crosses shows
it all the same, unless that has its colour too.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from hw.bidding import TRAY_HALF_MM, TRAY_SIDES, TraySide, tray_centre
from hw.layout import Layout, Rect
from vision.calibration import Calibration
from vision.surface import TRAY, TRAY_EDGE_MM, Felt, Image, Mask, Surface, grown
from vision.tray_ground import without_lines

AROUND_MM: Final = 112.0
"""Distance around the tray's zone within which an arm is followed: beyond the places of cards beside the tray."""
TOUCHING_MM: Final = 5.0
"""Distance from the tray's edge within which something coming from outside reaches it."""


class ArmsAround:
    """Finds whether something reaches from the table's outer part to the tray. Of one camera's frames."""

    def __init__(self, calibration: Calibration, zone: Rect, empty: Image) -> None:
        """``empty``: a frame in which the tray's ``zone`` shows cloth."""
        half = max(abs(zone.x0), abs(zone.x1), abs(zone.y0), abs(zone.y1)) + AROUND_MM
        self._surface = Surface(Layout({TRAY: Rect(-half, -half, half, half)}, (), 2 * half, ()), calibration)
        size = self._surface.size
        self._felt = Felt(self._surface.view(empty), np.zeros((size, size), np.bool_))
        self._rim = np.ones((size, size), np.bool_)
        self._rim[2:-2, 2:-2] = False
        self._trays = {side: self._tray(side) for side in TRAY_SIDES}
        self._near = {side: grown(tray, TOUCHING_MM) & ~tray for side, tray in self._trays.items()}

    def reached(self, frame: Image) -> set[TraySide]:
        """The sides on which something that is no cloth reaches, in ``frame``, from further out to a tray there."""
        strange = ~self._felt.is_felt(self._surface.view(frame))
        return {side for side in TRAY_SIDES if self._joins(strange & ~self._trays[side], self._near[side])}

    def _joins(self, strange: Mask, near: Mask) -> bool:
        """True if something leads from the rim to the tray."""
        _, labels = cv2.connectedComponents(without_lines(strange).astype(np.uint8))
        return bool((set(labels[self._rim].tolist()) & set(labels[near].tolist())) - {0})

    def _tray(self, side: TraySide) -> Mask:
        """Mask of the tray on ``side``, its edge included."""
        x, y = tray_centre(side)
        half = TRAY_HALF_MM + TRAY_EDGE_MM
        corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
        return self._surface.polygons_mask(np.array([corners], np.float64))
