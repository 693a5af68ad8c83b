"""The tray of bidding cards as the camera sees it: a board with an edge and compartments, upon the cloth."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.bidding import TRAY_HALF_MM, compartment, tray_centre
from hw.layout import Rect
from hw.seats import SEATS
from hw.twin.camera_cards import Box
from hw.twin.camera_optics import Optics
from hw.twin.camera_style import TrayLook
from hw.twin.scene import TrayPlace

Pixels = NDArray[np.uint8]
_LINE_MM: Final = 0.9


class TableWithTray:
    """The bare table as it looks with the tray anywhere: (height, width, 3) BGR without light, blur and noise.

    ``look``: None if trays are not drawn.
    """

    def __init__(self, bare: Pixels, look: TrayLook | None, optics: Optics) -> None:
        self._look, self._optics = look, optics
        self._painted: dict[TrayPlace | None, Pixels] = {None: bare}
        self._place: TrayPlace | None = None

    @property
    def picture(self) -> Pixels:
        """The table with the tray where it is now; not to be changed."""
        return self._painted[self._place]

    def move(self, place: TrayPlace | None) -> list[Box]:
        """Put the tray somewhere, or away (None). Return the boxes in pixels that look otherwise then."""
        if self._look is None or place == self._place:
            return []
        boxes = [self._box(one, self._look.edge_mm) for one in (self._place, place) if one is not None]
        if place not in self._painted and place is not None:
            self._painted[place] = _with_tray(self._painted[None], self._look, place, self._optics)
        self._place = place
        return boxes

    def _box(self, place: TrayPlace, edge_mm: float) -> Box:
        ring = self._optics.project(_corners(_tray_rect(place), edge_mm))
        (x0, y0), (x1, y1) = np.floor(ring.min(axis=0)) - 2, np.ceil(ring.max(axis=0)) + 3
        return int(x0), int(y0), int(x1), int(y1)


def _with_tray(bare: Pixels, look: TrayLook, place: TrayPlace, optics: Optics) -> Pixels:
    picture = bare.copy()
    outer = _tray_rect(place)
    cv2.fillPoly(picture, [_fixed(outer, look.edge_mm, optics)], look.edge, cv2.LINE_AA, 4)
    inside = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(inside, [_fixed(outer, 0.0, optics)], 255, cv2.LINE_AA, 4)
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    part = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    fibre = np.random.default_rng(7).standard_normal(inside[part].shape, dtype=np.float32) * look.grain
    surface = np.clip(np.array(look.surface, np.float32) * (1 + fibre[..., None]), 0, 255)
    share = (inside[part] / np.float32(255))[..., None]
    picture[part] = np.rint(picture[part] * (1 - share) + surface * share).astype(np.uint8)
    if look.lines is not None:
        thick = max(1, round(_LINE_MM * optics.px_per_mm))
        for seat in SEATS:
            rect = compartment(seat, None if place == "moving" else place)
            cv2.polylines(picture, [_fixed(rect, 0.0, optics)], True, look.lines, thick, cv2.LINE_AA, 4)
    return picture


def _tray_rect(place: TrayPlace) -> Rect:
    """Return the tray without its edge, in table millimetres."""
    x, y = tray_centre(None if place == "moving" else place)
    return Rect(x - TRAY_HALF_MM, y - TRAY_HALF_MM, x + TRAY_HALF_MM, y + TRAY_HALF_MM)


def _corners(rect: Rect, grow: float) -> list[tuple[float, float]]:
    x0, y0, x1, y1 = rect.x0 - grow, rect.y0 - grow, rect.x1 + grow, rect.y1 + grow
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _fixed(rect: Rect, grow: float, optics: Optics) -> NDArray[np.int32]:
    """Return a rectangle's corners in sixteenths of a pixel, as OpenCV's drawing takes them with a shift of 4."""
    return np.round(optics.project(_corners(rect, grow)) * 16).astype(np.int32)
