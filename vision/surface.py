"""The table seen coarsely from above: what is felt, what has changed, and what lies over it that is neither.

A *view* is a BGR picture of the whole table, VIEW_MM millimetres a pixel, row 0 at the North edge, column 0 West.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.layout import CARD_HEIGHT, CARD_WIDTH, Layout, Rect
from vision.calibration import Calibration

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Box = tuple[int, int, int, int]
"""Left, top, right and bottom, px."""

VIEW_MM: Final = 2.5
"""Millimetres a pixel of a view."""
CHANGED: Final = 16
"""Grey levels by which a pixel of a view must differ to count as changed; noise of a camera stays below a third."""
HUE_FAR: Final = 0.045
"""Distance of a colour's shares of blue, green and red from the felt's beyond which it is no felt, shadowed or not."""
BRIGHT_FAR: Final = 1.7
DARK_FAR: Final = 0.3
"""Brightness over the felt's own beyond which it is no felt."""
SMALL_CM2: Final = 5.0
"""Smaller things that are neither felt nor card are left alone: chips, crumbs, shine."""
SHAPELESS_CM2: Final = 14.0
"""A thing of this size that has not a card's shape covers the table, wherever it comes from: a hand in a felt-coloured
sleeve seems to come from nowhere."""
COVERS_CM2: Final = 1.5
"""A zone counts as hidden when so much of it is covered."""
MASK_GREY: Final = 96
TRAY: Final = "tray"
"""The zone of the bidding cards' tray."""
TRAY_EDGE_MM: Final = 14.0
"""Width of a tray's edge beyond its zone, at most."""
SPARED: Final = 8
"""A picture made smaller by a multiple of this is large enough to do with every other row."""


@dataclass(frozen=True)
class Blob:
    """Something on the table that is neither felt nor a card that was read; ``mask`` is a view's mask.

    ``card`` is (column, row, degrees) of its middle in the view if it has the size and shape of one card.
    """

    mask: Mask
    area_cm2: float
    from_edge: bool
    card: tuple[float, float, float] | None = None

    @property
    def covers(self) -> bool:
        """True if it must be taken for an arm, or something else that hides what lies beneath."""
        return self.from_edge or (self.card is None and self.area_cm2 >= SHAPELESS_CM2)


class Surface:
    """The geometry of one table in one camera's frames, worked out once."""

    def __init__(self, layout: Layout, calibration: Calibration) -> None:
        self.layout, self.calibration = layout, calibration
        self.size = round(layout.side / VIEW_MM)
        self.shrink = max(1, int(calibration.px_per_mm() * VIEW_MM))
        half = layout.side / 2
        steps = (np.arange(self.size) + 0.5) * VIEW_MM - half
        xs, ys = np.meshgrid(steps, -steps)
        pixels = calibration.to_pixel(np.column_stack([xs.ravel(), ys.ravel()]))
        # only the table's part of a frame is made small; it begins and ends at a whole number of small pixels
        step = self.shrink
        low = np.maximum(np.floor(pixels.min(axis=0) / step) - 1, 0).astype(int) * step
        high = np.ceil(pixels.max(axis=0) / step).astype(int) * step + 2 * step
        whole = np.array([calibration.width, calibration.height]) // step * step
        (x0, y0), (x1, y1) = low.tolist(), np.minimum(high, whole).tolist()
        self._part = (slice(y0, y1), slice(x0, x1))
        small = ((pixels - low + 0.5) / step - 0.5).reshape(self.size, self.size, 2).astype(np.float32)
        self._map_x, self._map_y = np.ascontiguousarray(small[..., 0]), np.ascontiguousarray(small[..., 1])
        self._xs, self._ys = xs, ys
        self.zone_masks = {name: self._rect_mask(rect) for name, rect in layout.zones.items()}
        inner = min((inner_edge(layout.zones[n]) for n in layout.masked if n in layout.zones), default=half)
        self.rim = (np.maximum(np.abs(xs), np.abs(ys)) > inner) | self._marker_mask()
        """The hand strips, the markers and what lies outside them: nothing is judged there."""
        self.hands = np.zeros((self.size, self.size), np.bool_)
        """The hand areas as a view's mask."""
        for name in layout.masked:
            if name in layout.zones:
                self.hands |= grown(self.zone_masks[name], VIEW_MM)
        self._hand_polygons = [
            calibration.polygon(r.x0, r.y0, r.x1, r.y1)
            for r in (layout.zones[n] for n in layout.masked if n in layout.zones)
        ]

    def view(self, frame: Image) -> Image:
        """Return the view of a frame (BGR uint8)."""
        small = _smaller(frame[self._part], self.shrink)
        seen = cv2.remap(small, self._map_x, self._map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return seen.astype(np.uint8)

    def mask_hands(self, frame: Image) -> Image:
        """Return a copy of ``frame`` with the hand areas painted grey: nothing there remains visible."""
        masked = frame.copy()
        cv2.fillPoly(masked, [np.asarray(p) for p in self._hand_polygons], (MASK_GREY,) * 3)
        return masked

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """(row, column) of a view for table millimetres, kept inside the view."""
        half = self.layout.side / 2
        row, column = int((half - y) / VIEW_MM), int((x + half) / VIEW_MM)
        return min(max(row, 0), self.size - 1), min(max(column, 0), self.size - 1)

    def place(self, column: float, row: float) -> tuple[float, float]:
        """(x, y) in table millimetres of a view's (column, row)."""
        half = self.layout.side / 2
        return (column + 0.5) * VIEW_MM - half, half - (row + 0.5) * VIEW_MM

    def mask_of(self, zones: Iterable[str]) -> Mask:
        """Return the cells of ``zones``; those that the layout does not have have none."""
        mask = np.zeros((self.size, self.size), np.bool_)
        for name in zones:
            if name in self.zone_masks:
                mask |= self.zone_masks[name]
        return mask

    def polygons_mask(self, outlines: NDArray[np.float64]) -> Mask:
        """Return the union of table polygons (n, corners, 2 mm) as a view's mask."""
        mask = np.zeros((self.size, self.size), np.uint8)
        half = self.layout.side / 2
        spots = (outlines * [1.0, -1.0] + half) / VIEW_MM - 0.5
        for polygon in np.rint(spots).astype(np.int32):
            cv2.fillPoly(mask, [polygon], 1)
        return mask > 0

    def part_of(self, mask: Mask, box: Box) -> NDArray[np.uint8]:
        """Return a view's ``mask`` as it lies in ``box`` (px) of a frame: 255 or 0."""
        x0, y0, x1, y1 = box
        ring = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64)
        cells = (self.calibration.to_table(ring) * [1.0, -1.0] + self.layout.side / 2) / VIEW_MM - 0.5
        move = cv2.getPerspectiveTransform(cells.astype(np.float32), (ring - ring[0]).astype(np.float32))
        full = np.where(mask, 255, 0).astype(np.uint8)
        return np.asarray(cv2.warpPerspective(full, move, (x1 - x0, y1 - y0), flags=cv2.INTER_NEAREST), np.uint8)

    def boxes(self, changed: Mask, pad_mm: float) -> list[Box]:
        """Pixel boxes (x0, y0, x1, y1) of a frame around each separate part of a view's mask, padded and merged."""
        count, _, stats, _ = cv2.connectedComponentsWithStats(changed.astype(np.uint8))
        half = self.layout.side / 2
        found = []
        for n in range(1, count):
            left, top, width, height = (float(v) for v in stats[n][:4])
            x0, x1 = left * VIEW_MM - half - pad_mm, (left + width) * VIEW_MM - half + pad_mm
            y1, y0 = half - top * VIEW_MM + pad_mm, half - (top + height) * VIEW_MM - pad_mm
            ring = self.calibration.polygon(x0, y0, x1, y1)
            low = np.maximum(ring.min(axis=0), 0)
            high = np.minimum(ring.max(axis=0) + 1, [self.calibration.width, self.calibration.height])
            if (high > low).all():
                found.append((int(low[0]), int(low[1]), int(high[0]), int(high[1])))
        return joined_boxes(found)

    def hidden_by(self, blobs: list[Blob]) -> tuple[str, ...]:
        """Return the zones that ``blobs`` cover in part, in the layout's order; masked zones are not judged."""
        covers = COVERS_CM2 * 100 / VIEW_MM**2
        return tuple(
            name
            for name, mask in self.zone_masks.items()
            if name not in self.layout.masked and any((blob.mask & mask).sum() >= covers for blob in blobs)
        )

    def _rect_mask(self, rect: Rect) -> Mask:
        inside = (self._xs >= rect.x0) & (self._xs <= rect.x1) & (self._ys >= rect.y0) & (self._ys <= rect.y1)
        return np.asarray(inside, np.bool_)

    def _marker_mask(self) -> Mask:
        mask = np.zeros((self.size, self.size), np.bool_)
        for m in self.layout.markers:
            h = m.side * 0.75
            mask |= self._rect_mask(Rect(m.x - h, m.y - h, m.x + h, m.y + h))
        return mask


def _smaller(picture: Image, times: int) -> Image:
    """Return the picture with each ``times`` by ``times`` pixels as one; halving again and again is the fastest way.

    Of a large picture every other row is left out: most of the time goes with fetching it from memory.
    """
    spared = times % SPARED == 0
    width, height = picture.shape[1] // times, picture.shape[0] // times
    if spared:
        picture, times = picture[::2], times // 2
    while times > 1:
        step = 2 if times % 2 == 0 else times
        size = (picture.shape[1] // step, picture.shape[0] // step)
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
        times //= step
    if spared:
        picture = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    return picture


def inner_edge(rect: Rect) -> float:
    """Return the coordinate of a hand strip's edge that faces the table's centre."""
    cx, cy = rect.centre
    if abs(cx) > abs(cy):
        return min(abs(rect.x0), abs(rect.x1))
    return min(abs(rect.y0), abs(rect.y1))


def joined_boxes(boxes: list[Box]) -> list[Box]:
    """Return the boxes with those joined that overlap, until none does."""
    kept: list[Box] = []
    for box in boxes:
        grown_box = box
        while over := [other for other in kept if _overlap(grown_box, other)]:
            kept = [other for other in kept if other not in over]
            lefts, tops, rights, bottoms = zip(grown_box, *over, strict=True)
            grown_box = (min(lefts), min(tops), max(rights), max(bottoms))
        kept.append(grown_box)
    return kept


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def tray_edge(surface: Surface) -> Mask:
    """Cells around the zone of the bidding cards' tray that its edge may cover; none for a table without a tray."""
    zone = surface.mask_of((TRAY,))
    return grown(zone, TRAY_EDGE_MM) & ~zone if zone.any() else zone


def strongest(one: Image, other: Image) -> NDArray[np.uint8]:
    """Return how far two views lie apart, cell by cell: the most of the three colours."""
    blue, green, red = cv2.split(cv2.absdiff(one, other))
    return cv2.max(cv2.max(blue, green), red).astype(np.uint8, copy=False)


def pasted(one: Image, where: Mask, other: Image) -> Image:
    """``other`` with ``one`` where the mask says so."""
    return cv2.copyTo(one, where.view(np.uint8), other.copy()).astype(np.uint8, copy=False)


def changed_cells(view: Image, before: Image) -> Mask:
    """Return where two views differ by more than noise: a mask, single cells left out."""
    apart = strongest(view, before)
    far = (apart > CHANGED).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(far, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0, np.bool_)


def grown(mask: Mask, millimetres: float) -> Mask:
    """Return the mask with a border of ``millimetres`` added."""
    cells = max(1, round(millimetres / VIEW_MM))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * cells + 1, 2 * cells + 1))
    return np.asarray(cv2.dilate(mask.astype(np.uint8), kernel) > 0, np.bool_)


class Felt:
    """Colour of the bare cloth, learnt from views, with room for shadow and uneven light."""

    def __init__(self, empty: Image, rim: Mask) -> None:
        """``empty`` is a view in which most of the table inside ``rim`` is bare."""
        shares, bright = _shares(empty)
        inside = ~rim
        # the commonest colour of the table is the cloth's
        codes = (np.clip((shares[..., :2] * 60).astype(int), 0, 59) * [60, 1]).sum(axis=2)
        common = int(np.bincount(codes[inside]).argmax())
        near = inside & (codes == common)
        self._shares = np.median(shares[near], axis=0)
        self._bright = float(np.median(bright[near]))
        felt = self.is_felt(empty) & inside
        level = np.where(felt, bright, self._bright).astype(np.float32)
        self._level = cv2.GaussianBlur(level, (0, 0), 20.0)

    def is_felt(self, view: Image) -> Mask:
        """Return where a view shows bare cloth."""
        shares, bright = _shares(view)
        level = getattr(self, "_level", self._bright)
        low, high = self._shares - HUE_FAR, self._shares + HUE_FAR
        same = cv2.inRange(shares, low.astype(np.float64), high.astype(np.float64)) > 0
        return np.asarray(same & (bright < BRIGHT_FAR * level) & (bright > DARK_FAR * level), np.bool_)

    def evenly_lit(self, view: Image) -> NDArray[np.float32]:
        """Return a view's colours, a little softened, as they would be if the cloth were as bright everywhere."""
        soft = np.asarray(cv2.GaussianBlur(view, (3, 3), 0), np.float32) + np.float32(4.0)
        return np.asarray(soft * (self._bright / self._level)[..., None], np.float32)


def _shares(view: Image) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    values = np.asarray(cv2.GaussianBlur(view, (3, 3), 0), np.float32) + np.float32(4.0)
    total = np.asarray(cv2.transform(values, np.ones((1, 3), np.float32)), np.float32)
    return values / total[..., None], total


def blobs_of(foreign: Mask, rim: Mask) -> list[Blob]:
    """Return the separate things in a mask of what is neither felt nor card, small ones left out.

    A thing that touches the rim comes from the table's edge: an arm does, a lost card rarely.
    """
    opened = cv2.morphologyEx((foreign & ~rim).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened)
    near_rim = grown(rim, 4.0)
    blobs = []
    for n in range(1, count):
        area = float(stats[n][4]) * VIEW_MM**2 / 100
        if area >= SMALL_CM2:
            mask = np.asarray(labels == n, np.bool_)
            blobs.append(Blob(mask, area, bool((mask & near_rim).sum() >= 4), card_shape(mask)))
    return blobs


def card_shape(mask: Mask) -> tuple[float, float, float] | None:
    """(column, row, degrees clockwise of its long side from upright) of a thing that looks like one card."""
    points = np.argwhere(mask)[:, ::-1].astype(np.float32)
    area_cm2 = len(points) * VIEW_MM**2 / 100
    (x, y), (width, height), turn = cv2.minAreaRect(points)
    width, height = (width + 1) * VIEW_MM, (height + 1) * VIEW_MM
    if width > height:
        width, height, turn = height, width, turn + 90
    same = abs(width - CARD_WIDTH) < 9 and abs(height - CARD_HEIGHT) < 11
    return (float(x), float(y), float(turn)) if same and area_cm2 > 0.8 * width * height / 100 else None
