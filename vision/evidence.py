"""Pictures that may be kept: the table from above and nothing beside it, hand areas painted out, cards marked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np

from hw.layout import CARD_HEIGHT, CARD_WIDTH, DEFAULT_LAYOUT, Layout
from hw.observations import SightedCard
from vision.calibration import Calibration
from vision.see import label
from vision.surface import MASK_GREY, Image

SIDE_PX: Final = 1080
"""Pixels of the square picture, North up."""
QUALITY: Final = 82
MARKED: Final = (40, 40, 235)
PLAIN: Final = (70, 200, 60)


def table_picture(
    frame: Image, calibration: Calibration, layout: Layout = DEFAULT_LAYOUT, *, masked: bool = True
) -> Image:
    """The table of a frame as a square BGR picture of SIDE_PX, North up; with ``masked`` the hand areas are grey."""
    half = layout.side / 2
    steps = (np.arange(SIDE_PX) + 0.5) * layout.side / SIDE_PX - half
    xs, ys = np.meshgrid(steps, -steps)
    coarse = calibration.to_pixel(np.column_stack([xs[::8, ::8].ravel(), ys[::8, ::8].ravel()]))
    # the lens is smooth: the map is worked out on every eighth pixel and filled in between
    grid = coarse.reshape(*xs[::8, ::8].shape, 2).astype(np.float32)
    at = np.arange(SIDE_PX, dtype=np.float32) / 8
    ax, ay = np.meshgrid(at, at)
    map_x = cv2.remap(np.ascontiguousarray(grid[..., 0]), ax, ay, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    map_y = cv2.remap(np.ascontiguousarray(grid[..., 1]), ax, ay, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    small = frame
    scale = calibration.px_per_mm() * layout.side / SIDE_PX
    if scale > 1.8:
        small = cv2.resize(frame, None, fx=1 / scale, fy=1 / scale, interpolation=cv2.INTER_AREA).astype(np.uint8)
        fx, fy = small.shape[1] / frame.shape[1], small.shape[0] / frame.shape[0]
        map_x, map_y = (map_x + 0.5) * fx - 0.5, (map_y + 0.5) * fy - 0.5
    out = cv2.remap(small, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT).astype(np.uint8)
    if masked:
        for name in layout.masked:
            if name in layout.zones:
                r = layout.zones[name]
                corner, far = _place(r.x0, r.y1, layout), _place(r.x1, r.y0, layout)
                cv2.rectangle(out, corner, far, (MASK_GREY,) * 3, -1)
    return out


def marked(
    picture: Image,
    marks: Iterable[SightedCard] = (),
    layout: Layout = DEFAULT_LAYOUT,
    accused: Iterable[SightedCard] = (),
    *,
    masked: bool = True,
) -> Image:
    """A copy of a ``table_picture`` with ``marks`` outlined in green, ``accused`` in red, both named.

    Cards in masked areas are never marked while these are masked.
    """
    out = picture.copy()
    for cards, colour, thick in ((marks, PLAIN, 1), (accused, MARKED, 3)):
        for card in cards:
            if masked and card.zone in layout.masked:
                continue
            _mark(out, card, layout, colour, thick)
    return out


def evidence_jpeg(
    frame: Image,
    calibration: Calibration,
    marks: Iterable[SightedCard] = (),
    layout: Layout = DEFAULT_LAYOUT,
    accused: Iterable[SightedCard] = (),
    *,
    masked: bool = True,
) -> bytes:
    """A JPEG of the table alone, at most SIDE_PX square, marked as by ``marked``.

    Pass ``masked=False`` only when the deal is over and hands lie open for the count.
    """
    picture = table_picture(frame, calibration, layout, masked=masked)
    return to_jpeg(marked(picture, marks, layout, accused, masked=masked))


def to_jpeg(picture: Image) -> bytes:
    """A BGR picture as JPEG."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def _place(x: float, y: float, layout: Layout) -> tuple[int, int]:
    half, scale = layout.side / 2, SIDE_PX / layout.side
    return round((x + half) * scale), round((half - y) * scale)


def _mark(out: Image, card: SightedCard, layout: Layout, colour: tuple[int, int, int], thick: int) -> None:
    turn = np.deg2rad(card.angle)
    across = np.array([np.cos(turn), np.sin(turn)]) * CARD_WIDTH / 2
    along = np.array([-np.sin(turn), np.cos(turn)]) * CARD_HEIGHT / 2
    middle = np.array([card.x, card.y])
    ring = [middle + a * across + b * along for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
    spots = np.array([_place(float(p[0]), float(p[1]), layout) for p in ring], np.int32)
    cv2.polylines(out, [spots], True, colour, thick, cv2.LINE_AA)
    if thick > 1:
        label(out, card.card, _place(card.x, card.y, layout), colour, 0.9)
