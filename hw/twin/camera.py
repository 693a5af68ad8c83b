"""The simulated camera above the table: scenes in, frames out, drawn again only where something has changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import ArrayLike, NDArray

from hw.equipment import DRAWN_TABLE, Equipment
from hw.layout import DEFAULT_LAYOUT, Layout
from hw.seats import Seat
from hw.twin.camera_arms import ARM_HEIGHT, arm_picture, arm_quad
from hw.twin.camera_cards import Artwork, Box, CardOnTable, CardPainter, lying, pack_artwork
from hw.twin.camera_optics import Floats, Optics
from hw.twin.camera_style import DEFAULT_STYLE, CameraStyle
from hw.twin.camera_table import bare_table, light_gain, light_tint, to_quad
from hw.twin.camera_tray import TableWithTray
from hw.twin.camera_truth import CardTruth, truth_of
from hw.twin.scene import Arm, Scene

Pixels = NDArray[np.uint8]

_TILE: Final = 64
_STRIP: Final = 128
_BANDS: Final = 24
"""Bands of a frame, of which each frame renews the noise of one, besides what changed."""
_BLUR_MARGIN: Final = 6


class Camera:
    """One camera over one table.

    ``style`` describes optics, light and cloth, ``artwork`` the pack (our own by default), ``equipment`` says which
    places are printed on the cloth: plates and mouths of stacks; the frame, ``width`` by
    ``height`` pixels, just holds the table, North up. The same seed and the same sequence of scenes give the same
    frames, byte for byte.
    """

    def __init__(
        self,
        layout: Layout = DEFAULT_LAYOUT,
        style: CameraStyle = DEFAULT_STYLE,
        seed: int = 0,
        width: int = 3040,
        height: int = 3040,
        *,
        artwork: Artwork | None = None,
        equipment: Equipment = DRAWN_TABLE,
    ) -> None:
        self.layout, self.style = layout, style
        self.optics = Optics(style, layout.side, width, height)
        rng = np.random.default_rng(seed)
        bare = bare_table(layout, style, self.optics, rng, equipment.printed)
        self._bare = TableWithTray(bare, style.tray, self.optics)
        self._gain = light_gain(style, width, height)
        self._tint = light_tint(style)
        self._grain = _Grain(style, width, rng)
        self._painter = CardPainter(style, self.optics, artwork or pack_artwork())
        self._table = self._bare.picture.copy()
        self._frame = np.zeros_like(bare)
        self._items: tuple[CardOnTable, ...] = ()
        self._arms: tuple[Arm, ...] = ()
        self._arm_pictures: dict[Seat, tuple[Pixels, Pixels]] = {}
        self._rendered = 0

    @property
    def width(self) -> int:
        """Pixels across."""
        return self.optics.width

    @property
    def height(self) -> int:
        """Pixels down."""
        return self.optics.height

    def project(self, x_mm: float, y_mm: float, z_mm: float = 0.0) -> tuple[float, float]:
        """Return the pixel (x, y) at which the camera sees a point of the table; the first pixel's middle is (0, 0)."""
        ((x, y),) = self.optics.project([(x_mm, y_mm)], z_mm).tolist()
        return x, y

    def project_all(self, points_mm: ArrayLike) -> Floats:
        """Pixels (n, 2) of table points (n, 2) in millimetres."""
        return self.optics.project(points_mm)

    def camera_truth(self, scene: Scene) -> list[CardTruth]:
        """Return the place of each card of ``scene`` in the frame and the indices that show, from below to above."""
        return truth_of(scene, self.optics)

    def render(self, scene: Scene) -> Pixels:
        """Return the frame of ``scene`` as (height, width, 3) uint8 BGR; the caller may keep and change it."""
        tiles = np.zeros((-(-self.height // _TILE), -(-self.width // _TILE)), np.uint8)
        items = self._painter.shown(lying(scene.cards))
        moved = [box for box in map(self._clipped, self._bare.move(scene.tray)) if box]
        for box in _merged(self._changed_boxes(items) + moved):
            self._repaint(box, items)
            _mark(tiles, box)
        self._items = items
        if scene.arms != self._arms:
            for arm in (*self._arms, *scene.arms):
                if not (arm in self._arms and arm in scene.arms):
                    self._mark_arm(tiles, arm)
            self._arms = scene.arms
        self._mark_band(tiles)
        for box in _rectangles(tiles, self.width, self.height):
            self._develop(box)
        self._rendered += 1
        return self._frame.copy()

    def _changed_boxes(self, items: Sequence[CardOnTable]) -> list[Box]:
        """Return where cards came, went, or lie in another order."""
        changed: list[CardOnTable] = []
        for what, a0, a1, b0, b1 in SequenceMatcher(None, self._items, items, autojunk=False).get_opcodes():
            if what != "equal":
                changed += [*self._items[a0:a1], *items[b0:b1]]
        boxes = (self._clipped(self._painter.box(item)) for item in dict.fromkeys(changed))
        return [box for box in boxes if box]

    def _clipped(self, box: Box) -> Box | None:
        x0, y0, x1, y1 = max(box[0], 0), max(box[1], 0), min(box[2], self.width), min(box[3], self.height)
        return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None

    def _repaint(self, box: Box, items: Sequence[CardOnTable]) -> None:
        x0, y0, x1, y1 = box
        part = self._table[y0:y1, x0:x1]
        part[:] = self._bare.picture[y0:y1, x0:x1]
        near = [item for item in items if _overlap(self._painter.box(item), box)]
        self._painter.paint(part, (x0, y0), near)

    def _mark_arm(self, tiles: Pixels, arm: Arm) -> None:
        quad = self.optics.project(arm_quad(arm, grow=60.0), ARM_HEIGHT) / _TILE
        cv2.fillConvexPoly(tiles, np.round(quad).astype(np.int32), 1)
        cv2.polylines(tiles, [np.round(quad).astype(np.int32)], True, 1, 2)

    def _mark_band(self, tiles: Pixels) -> None:
        if self._rendered == 0:
            tiles[:] = 1
            return
        rows = len(tiles)
        band = self._rendered % _BANDS
        tiles[band * rows // _BANDS : (band + 1) * rows // _BANDS] = 1

    def _develop(self, box: Box) -> None:
        """From the sharp, evenly lit table to the sensor's values, within ``box``."""
        x0, y0, x1, y1 = box
        mx0, my0 = max(x0 - _BLUR_MARGIN, 0), max(y0 - _BLUR_MARGIN, 0)
        sharp = self._table[my0 : y1 + _BLUR_MARGIN, mx0 : x1 + _BLUR_MARGIN]
        if self._arms:
            sharp = sharp.copy()
            for arm in self._arms:
                self._paint_arm(sharp, (mx0, my0), arm)
        soft = cv2.GaussianBlur(sharp, (0, 0), self.style.psf)[y0 - my0 : y1 - my0, x0 - mx0 : x1 - mx0]
        gain = self._gain[y0:y1, x0:x1]
        lit = cv2.multiply(cv2.LUT(soft, self._tint), cv2.merge([gain, gain, gain]), dtype=cv2.CV_32F)
        self._frame[y0:y1, x0:x1] = self._grain.over(lit)

    def _paint_arm(self, picture: Pixels, corner: tuple[int, int], arm: Arm) -> None:
        colour, dark = self._arm_picture(arm.seat)
        quad = self.optics.project(arm_quad(arm), ARM_HEIGHT) - corner
        shift = np.deg2rad(self.style.light_from)
        fallen = arm_quad(arm) - 16.0 * np.array([np.cos(shift), np.sin(shift)])
        shade = self.optics.project(fallen, 0.0) - corner
        size = picture.shape[1::-1]
        matrix = to_quad(dark.shape[1], dark.shape[0], shade)
        light = cv2.bitwise_not(cv2.warpPerspective(dark, matrix, size, flags=cv2.INTER_LINEAR))
        cv2.multiply(picture, cv2.merge([light, light, light]), dst=picture, scale=1 / 255)
        drawn = cv2.warpPerspective(
            colour, to_quad(colour.shape[1], colour.shape[0], quad), size, flags=cv2.INTER_LINEAR
        )
        alpha = cv2.bitwise_not(drawn[..., 3])
        kept = cv2.multiply(picture, cv2.merge([alpha, alpha, alpha]), scale=1 / 255)
        cv2.add(kept, cv2.merge(cv2.split(drawn)[:3]), dst=picture)

    def _arm_picture(self, seat: Seat) -> tuple[Pixels, Pixels]:
        """Return the arm's picture and, at a third of its scale, its soft shadow's darkness."""
        found = self._arm_pictures.get(seat)
        if found is None:
            picture = arm_picture(seat, self.style)
            small = cv2.resize(picture[..., 3], None, fx=1 / 3, fy=1 / 3, interpolation=cv2.INTER_AREA)
            shadow = cv2.GaussianBlur(cv2.convertScaleAbs(small, alpha=self.style.arms.shadow), (0, 0), 7)
            found = (picture, np.asarray(shadow, np.uint8))
            self._arm_pictures[seat] = found
        return found


class _Grain:
    """Sensor noise out of a stored sheet, taken at a new place each time."""

    def __init__(self, style: CameraStyle, width: int, rng: np.random.Generator) -> None:
        self._rng = rng
        light = np.arange(256, dtype=np.float32).reshape(1, 256)
        self._sigma = np.asarray(cv2.sqrt(light * style.shot_noise + style.read_noise**2), np.float32)
        sheet = rng.standard_normal((_STRIP * 3, width + 512, 3), dtype=np.float32)
        # Demosaicing makes neighbours alike.
        sheet = np.asarray(cv2.GaussianBlur(sheet, (0, 0), 0.55), np.float32)
        self._sheet = sheet / sheet.std()

    def over(self, values: MatLike) -> Pixels:
        """``values`` with noise, rounded to bytes; at most _STRIP rows and a frame's width."""
        rows, columns = values.shape[:2]
        y = int(self._rng.integers(self._sheet.shape[0] - rows + 1))
        x = int(self._rng.integers(self._sheet.shape[1] - columns + 1))
        sigma = cv2.LUT(cv2.convertScaleAbs(values, alpha=1.0), self._sigma)
        noise = cv2.multiply(sigma, self._sheet[y : y + rows, x : x + columns])
        return np.asarray(cv2.add(values, noise, dtype=cv2.CV_8U), np.uint8)


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _merged(boxes: list[Box]) -> list[Box]:
    """Boxes with overlapping ones joined, until none overlap."""
    done: list[Box] = []
    for box in boxes:
        while clash := next((other for other in done if _overlap(box, other)), None):
            done.remove(clash)
            box = (  # noqa: PLW2901 - grows until it touches no other
                min(box[0], clash[0]),
                min(box[1], clash[1]),
                max(box[2], clash[2]),
                max(box[3], clash[3]),
            )
        done.append(box)
    return done


def _mark(tiles: Pixels, box: Box) -> None:
    """Mark the tiles that the box's blurred picture touches."""
    x0, y0 = max(box[0] - _BLUR_MARGIN, 0) // _TILE, max(box[1] - _BLUR_MARGIN, 0) // _TILE
    tiles[y0 : (box[3] + _BLUR_MARGIN) // _TILE + 1, x0 : (box[2] + _BLUR_MARGIN) // _TILE + 1] = 1


def _rectangles(tiles: Pixels, width: int, height: int) -> Iterator[Box]:
    """Yield the marked tiles as pixel boxes of at most _STRIP rows."""
    step = _STRIP // _TILE
    for top in range(0, len(tiles), step):
        columns = np.flatnonzero(tiles[top : top + step].any(axis=0))
        if not len(columns):
            continue
        for run in np.split(columns, np.flatnonzero(np.diff(columns) > 1) + 1):
            yield (
                int(run[0]) * _TILE,
                top * _TILE,
                min((int(run[-1]) + 1) * _TILE, width),
                min((top + step) * _TILE, height),
            )
