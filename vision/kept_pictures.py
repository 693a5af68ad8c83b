"""Pictures that may be kept: the table from above and nothing beside it, hand areas painted out, cards marked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.layout import CARD_HEIGHT, CARD_WIDTH, DEFAULT_LAYOUT, Layout
from hw.observations import SightedCard
from vision.calibration import Calibration
from vision.see import label
from vision.surface import MASK_GREY, Image, inner_edge

SIDE_PX: Final = 1080
"""Pixels of the square picture, North up."""
QUALITY: Final = 82
FINEST: Final = 1.8
"""Pixels of a frame per pixel of the view up to which it is not shrunk before: finer detail would flicker."""
RIM_MM: Final = 18.0
"""Width of painted-out area that stays in the picture as a frame around what is open; the caption is in it."""
SEALED: Final = "tray"
"""Zone that is in no kept picture until hands are open for all: a player across the screen learns a call once the tray
passes, and no picture shows when that is."""
MASK_GROWS_PX: Final = 3
"""Width by which the grey reaches beyond the hand areas: shrinking a frame mixes neighbouring pixels."""
ACCUSED: Final = (40, 40, 235)
UNSURE: Final = (0, 170, 255)
PLAIN: Final = (70, 200, 60)
ZONE: Final = (255, 200, 40)


@dataclass(frozen=True, slots=True)
class Marks:
    """Marks painted into a picture; the name of each frame is beside it, in the reader's language.

    ``plain``: every card that was read, thin green. ``accused``: the cards it concerns, red. ``unsure``: cards of such
    a face if it is not known which one is meant, amber with a question mark. ``zones``: where it happened, outlined
    in blue. ``caption``: a line at the picture's foot (ASCII).
    """

    plain: tuple[SightedCard, ...] = ()
    accused: tuple[SightedCard, ...] = ()
    unsure: tuple[SightedCard, ...] = ()
    zones: tuple[str, ...] = ()
    caption: str = ""


class TablePictures:
    """Makes pictures of one calibrated camera's frames; the geometry is worked out once."""

    def __init__(self, calibration: Calibration, layout: Layout = DEFAULT_LAYOUT) -> None:
        self._calibration, self._layout = calibration, layout
        self._shape: tuple[int, ...] = ()
        self._grey = _hand_mask(layout)

    def picture(self, frame: Image, *, masked: bool = True) -> Image:
        """Return the table of a frame as a square BGR picture of SIDE_PX, North up; ``masked``: the hand areas grey.

        It shows what ``reach`` says. The table's whole rim counts as hand area, but for zones that lie open there.
        """
        if frame.shape != self._shape:
            self._prepare(frame)
        small = frame
        if self._times > 1:
            width, height = frame.shape[1] // self._times, frame.shape[0] // self._times
            whole = frame[: height * self._times, : width * self._times]
            small = cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
        out = cv2.remap(small, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT).astype(
            np.uint8, copy=False
        )
        if masked:
            out[self._grey] = MASK_GREY
        return out

    def _prepare(self, frame: Image) -> None:
        layout, calibration = self._layout, self._calibration
        half = reach(layout)
        steps = (np.arange(SIDE_PX) + 0.5) * 2 * half / SIDE_PX - half
        xs, ys = np.meshgrid(steps, -steps)
        coarse = calibration.to_pixel(np.column_stack([xs[::8, ::8].ravel(), ys[::8, ::8].ravel()]))
        # the lens is smooth: the map is worked out on every eighth pixel and filled in between
        grid = coarse.reshape(*xs[::8, ::8].shape, 2).astype(np.float32)
        at = np.arange(SIDE_PX, dtype=np.float32) / 8
        ax, ay = np.meshgrid(at, at)
        map_x, map_y = (
            cv2.remap(np.ascontiguousarray(grid[..., i]), ax, ay, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            for i in (0, 1)
        )
        scale = calibration.px_per_mm() * 2 * half / SIDE_PX
        # averaging a whole number of pixels is five times as fast as any other shrinking
        self._times = ceil(scale / FINEST)
        if self._times > 1:
            map_x, map_y = (map_x + 0.5) / self._times - 0.5, (map_y + 0.5) / self._times - 0.5
        self._maps = cv2.convertMaps(np.ascontiguousarray(map_x), np.ascontiguousarray(map_y), cv2.CV_16SC2)
        self._shape = frame.shape


def painted_out(layout: Layout) -> tuple[str, ...]:
    """Return the zones that a kept picture does not show: masked hands, and the tray until one of the hands lies open.

    Then the lead is faced, and all four know the calls.
    """
    hands = [name for name in layout.zones if name.startswith("hand-")]
    is_open = bool(layout.masked) and any(name not in layout.masked for name in hands)
    return layout.masked if is_open else (*layout.masked, SEALED)


def _hand_mask(layout: Layout) -> NDArray[np.bool_]:
    """Return which pixels of a picture are painted out."""
    hands = [layout.zones[name] for name in painted_out(layout) if name in layout.zones]
    inner = _inner(layout)
    grey = np.ones((SIDE_PX, SIDE_PX), np.uint8)
    cv2.rectangle(grey, _place(-inner, inner, layout), _place(inner, -inner, layout), 0, -1)
    for name, r in layout.zones.items():
        if name not in painted_out(layout):
            cv2.rectangle(grey, _place(r.x0, r.y1, layout), _place(r.x1, r.y0, layout), 0, -1)
    for r in hands:
        cv2.rectangle(grey, _place(r.x0, r.y1, layout), _place(r.x1, r.y0, layout), 1, -1)
    size = 2 * MASK_GROWS_PX + 1
    return cv2.dilate(grey, np.ones((size, size), np.uint8)).astype(np.bool_)


def reach(layout: Layout) -> float:
    """Reach of a picture from the table's centre, in mm: the open area, and a rim of what is painted out."""
    open_zones = [r for name, r in layout.zones.items() if name not in layout.masked]
    farthest = max((max(abs(v) for v in (r.x0, r.x1, r.y0, r.y1)) for r in open_zones), default=0.0)
    return min(layout.side / 2, max(_inner(layout), farthest) + RIM_MM)


def _inner(layout: Layout) -> float:
    hands = [layout.zones[name] for name in layout.masked if name in layout.zones]
    return min([layout.side / 2, *map(inner_edge, hands)])


def table_picture(
    frame: Image, calibration: Calibration, layout: Layout = DEFAULT_LAYOUT, *, masked: bool = True
) -> Image:
    """One picture as ``TablePictures`` makes it."""
    return TablePictures(calibration, layout).picture(frame, masked=masked)


def marked(picture: Image, marks: Marks, layout: Layout = DEFAULT_LAYOUT, *, masked: bool = True) -> Image:
    """Return a copy of a picture with ``marks``. Cards in masked areas are never marked while these are masked."""
    out = picture.copy()
    for name in marks.zones:
        if name in layout.zones:
            r = layout.zones[name]
            corner, far = _place(r.x0, r.y1, layout), _place(r.x1, r.y0, layout)
            cv2.rectangle(out, corner, far, ZONE, 2)
    for cards, colour, thick in ((marks.plain, PLAIN, 1), (marks.unsure, UNSURE, 3), (marks.accused, ACCUSED, 3)):
        for card in cards:
            if masked and card.zone in painted_out(layout):
                continue
            _mark(out, card, layout, colour, thick)
            if colour is UNSURE:
                label(out, "?", _place(card.x, card.y, layout), colour, 0.9)
    if marks.caption:
        label(out, marks.caption, (4, SIDE_PX - 7), (235, 235, 235), 0.9)
    return out


def frames_of(marks: Marks, layout: Layout = DEFAULT_LAYOUT, *, masked: bool = True) -> list[dict[str, Any]]:
    """Return what the frames of a picture mean, so that a page can name them beside it.

    Each is ``kind`` card/unsure/zone, ``name`` (a card's code or a zone's name) and ``box`` [x0, y0, x1, y1] in parts
    of the picture's side, from its upper left corner; the cards that it concerns first.
    """
    found = [("card", card) for card in marks.accused] + [("unsure", card) for card in marks.unsure]
    frames = [
        {"kind": kind, "name": card.card, "box": _box(_corners(card), layout)}
        for kind, card in found
        if not (masked and card.zone in painted_out(layout))
    ]
    for name in marks.zones:
        if name in layout.zones:
            r = layout.zones[name]
            frames.append({"kind": "zone", "name": name, "box": _box([(r.x0, r.y0), (r.x1, r.y1)], layout)})
    return frames


def _box(points: Iterable[tuple[float, float]], layout: Layout) -> list[float]:
    half = reach(layout)
    xs, ys = zip(*(((x + half) / (2 * half), (half - y) / (2 * half)) for x, y in points), strict=True)
    return [round(min(max(value, 0.0), 1.0), 4) for value in (min(xs), min(ys), max(xs), max(ys))]


def evidence_jpeg(
    frame: Image,
    calibration: Calibration,
    marks: Iterable[SightedCard] = (),
    layout: Layout = DEFAULT_LAYOUT,
    accused: Iterable[SightedCard] = (),
    *,
    masked: bool = True,
) -> bytes:
    """Return a JPEG of the table alone, at most SIDE_PX square, ``marks`` outlined in green, ``accused`` in red."""
    picture = table_picture(frame, calibration, layout, masked=masked)
    return to_jpeg(marked(picture, Marks(plain=tuple(marks), accused=tuple(accused)), layout, masked=masked))


def sheet_of(pictures: Sequence[Image], captions: Sequence[str], columns: int, side: int) -> Image:
    """Pictures that may be kept, shrunk to ``side`` pixels, in rows of ``columns``, each with its caption (ASCII)."""
    rows = ceil(len(pictures) / columns)
    sheet = np.full((rows * side, columns * side, 3), MASK_GREY, np.uint8)
    for n, (picture, caption) in enumerate(zip(pictures, captions, strict=True)):
        y, x = n // columns * side, n % columns * side
        cell = sheet[y : y + side, x : x + side]
        cell[:] = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
        for colour, thick in ((20, 4), (245, 1)):
            foot = (8, side - 10)
            cv2.putText(cell, caption, foot, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (colour,) * 3, thick, cv2.LINE_AA)
    return sheet


def to_jpeg(picture: Image) -> bytes:
    """Return a BGR picture as JPEG."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def of_jpeg(data: bytes) -> Image:
    """Return the BGR picture that ``to_jpeg`` made a JPEG of."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError("this is no JPEG")
    return picture.astype(np.uint8, copy=False)


def _place(x: float, y: float, layout: Layout) -> tuple[int, int]:
    half = reach(layout)
    scale = SIDE_PX / (2 * half)
    return round((x + half) * scale), round((half - y) * scale)


def _corners(card: SightedCard) -> list[tuple[float, float]]:
    """Return the card's corners in mm from the table's centre."""
    turn = np.deg2rad(card.angle)
    across = np.array([np.cos(turn), np.sin(turn)]) * CARD_WIDTH / 2
    along = np.array([-np.sin(turn), np.cos(turn)]) * CARD_HEIGHT / 2
    middle = np.array([card.x, card.y])
    ring = [middle + a * across + b * along for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
    return [(float(p[0]), float(p[1])) for p in ring]


def _mark(out: Image, card: SightedCard, layout: Layout, colour: tuple[int, int, int], thick: int) -> None:
    spots = np.array([_place(x, y, layout) for x, y in _corners(card)], np.int32)
    cv2.polylines(out, [spots], True, colour, thick, cv2.LINE_AA)
