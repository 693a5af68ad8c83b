"""Cards as the camera sees them: how high each lies, its picture, its shadow, its gloss."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw import cards as names
from hw.layout import CARD_HEIGHT, CARD_WIDTH
from hw.pack.drawn import BACK, Drawing, bidding_drawing
from hw.pack.raster import back_bgra, drawn_bgra, face_bgra
from hw.pack.style import TAVOLO, PackStyle
from hw.twin.camera_optics import Optics, card_box, card_points
from hw.twin.camera_style import CameraStyle
from hw.twin.camera_table import to_quad
from hw.twin.scene import BID, PlacedCard

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float64]
Box = tuple[int, int, int, int]
"""Pixels x0, y0 (inside) to x1, y1 (outside)."""

CARD_THICKNESS: Final = 0.29
"""Millimetres."""
SPRITE_PX_PER_MM: Final = 4.0
_STACKED_MM: Final = 8.0
"""Cards whose centres lie nearer than this make a stack and lift each other."""
_KEPT_MOST: Final = 4096
"""Most outlines kept: for still cards each frame needs the same again."""
_SHADOW_MM: Final = 6.0
_SHADOW_PX: Final = 2.0

Artwork = Callable[[str, float], Pixels]
"""The picture of a face (``7H``, ``JK``, or ``back``) at a number of pixels a millimetre: BGRA of 63 by 88 mm."""


def pack_artwork(style: PackStyle = TAVOLO) -> Artwork:
    """Our own pack in ``style``, and bidding cards.

    Copies 1 and 2 of a joker are red and black; a back's colour distinguishes the two packs.
    """

    def picture(card: str, px_per_mm: float) -> Pixels:
        if card.startswith(BID):
            return drawn_bgra(bidding_drawing, card.removeprefix(BID), px_per_mm)
        if card in ("back-blue", "back-red"):
            return back_bgra(px_per_mm, style, card.removeprefix("back-"))
        printed, _, variety = card.partition("/")
        return face_bgra(printed, px_per_mm, style, variety or "red")

    return picture


def artwork_of(drawing: Drawing | None) -> Artwork:
    """Return the pictures of the pack of ``drawing``, with its one back; None: of our French-suited pack."""
    if drawing is None:
        return pack_artwork()

    def picture(card: str, px_per_mm: float) -> Pixels:
        return drawn_bgra(drawing, BACK if card.startswith(f"{BACK}-") else card, px_per_mm)

    return picture


def shown_side(card: PlacedCard) -> str:
    """Return the name of the picture of ``card``: its face, ``JK/red`` or ``JK/black``, ``back-blue`` or ``back-red``.

    The first copy of a face belongs to the blue pack, the second to the red; of the jokers 1 and 2 to the blue, 3 and
    4 to the red. A card without copy mark counts as a first copy; an unknown card shows its back however it lies.
    """
    printed, _, copy = card.card.partition("#")
    number = int(copy) if copy.isdigit() else 1
    if not card.face_up or printed == names.UNKNOWN:
        second = number > 2 if printed == names.JOKER else number % 2 == 0
        return "back-red" if second else "back-blue"
    if printed == names.JOKER:
        return "JK/black" if number % 2 == 0 else "JK/red"
    return printed


@dataclass(frozen=True, slots=True)
class CardOnTable:
    """A card with the height of its upper side above the cloth in millimetres; ``casts`` whether its shadow is seen."""

    card: PlacedCard
    z: float
    casts: bool = True


def lying(cards: Sequence[PlacedCard]) -> tuple[CardOnTable, ...]:
    """Return the cards with their heights: each lies on the highest of the cards stacked under it."""
    if not cards:
        return ()
    where = np.array([(card.x, card.y) for card in cards])
    heights = np.zeros(len(cards))
    for n in range(len(cards)):
        near = (np.abs(where[:n] - where[n]) < _STACKED_MM).all(axis=1)
        heights[n] = CARD_THICKNESS + (heights[:n][near].max() if near.any() else 0.0)
    return tuple(CardOnTable(card, round(float(z), 4)) for card, z in zip(cards, heights, strict=True))


class CardPainter:
    """Draws cards of one pack into the picture of one camera."""

    def __init__(self, style: CameraStyle, optics: Optics, artwork: Artwork) -> None:
        self._style, self._optics, self._artwork = style, optics, artwork
        self._sprites: dict[str, tuple[Pixels, Pixels]] = {}
        self._shadow = _shadow_sprite(style.shadow)
        self._quads: dict[tuple[CardOnTable, float], Floats] = {}
        self._boxes: dict[CardOnTable, Box] = {}

    def quad(self, item: CardOnTable, grow: float = 0.0) -> Floats:
        """Pixels of the card's corners, top left first and clockwise as printed, ``grow`` mm outwards."""
        found = self._quads.get((item, grow))
        if found is None:
            _make_room(self._quads)
            found = self._quads[item, grow] = self._optics.project(card_points(item.card, card_box(grow)), item.z)
            found.flags.writeable = False
        return found

    def box(self, item: CardOnTable) -> Box:
        """Return the pixels that the card and its shadow can touch."""
        found = self._boxes.get(item)
        if found is None:
            _make_room(self._boxes)
            quad = np.concatenate([self.quad(item), self._shadow_quad(item)])
            low, high = np.floor(quad.min(axis=0)) - 2, np.ceil(quad.max(axis=0)) + 3
            found = self._boxes[item] = (int(low[0]), int(low[1]), int(high[0]), int(high[1]))
        return found

    def _shadow_quad(self, item: CardOnTable) -> Floats:
        away = radians(self._style.light_from)
        shift = 1.1 + 0.5 * item.z
        points = card_points(item.card, card_box(_SHADOW_MM)) - shift * np.array([cos(away), sin(away)])
        return self._optics.project(points, max(0.0, item.z - CARD_THICKNESS))

    def paint(self, picture: Pixels, corner: tuple[int, int], items: Sequence[CardOnTable]) -> None:
        """Draw ``items`` from below to above into ``picture``, whose top left pixel is ``corner`` of the frame."""
        shape = picture.shape[:2]
        for item in items:
            shadow = self._warped(self._shadow, self._shadow_quad(item), shape, corner)
            if item.casts and shadow is not None:
                (x0, y0, x1, y1), (dark,) = shadow
                part = picture[y0:y1, x0:x1]
                light = cv2.bitwise_not(dark)
                cv2.multiply(part, cv2.merge([light, light, light]), dst=part, scale=1 / 255)
            face = self._warped(self._sprite(shown_side(item.card)), self.quad(item), shape, corner)
            if face is not None:
                self._lay(picture, corner, item, *face)

    def _lay(self, picture: Pixels, corner: tuple[int, int], item: CardOnTable, box: Box, layers: list[Pixels]) -> None:
        colour, alpha = layers
        x0, y0, x1, y1 = box
        part = picture[y0:y1, x0:x1]
        shine = cv2.multiply(self._gloss(item, corner, box), alpha, scale=1 / 255)
        kept = cv2.multiply(part, cv2.bitwise_not(cv2.merge([alpha, alpha, alpha])), scale=1 / 255)
        cv2.add(kept, colour, dst=part)
        cv2.add(part, cv2.merge([shine, shine, shine]), dst=part)

    def _gloss(self, item: CardOnTable, corner: tuple[int, int], box: Box) -> Pixels:
        """Return the lamp's reflection on this card, which lies a little tilted in its own way."""
        card = item.card
        tilt_x, tilt_y = sin(card.x * 12.9 + card.y * 7.3) * 45, sin(card.x * 5.1 - card.y * 9.7 + 1) * 45
        spot = self._optics.project([(self._style.lamp[0] + tilt_x, self._style.lamp[1] + tilt_y)])[0]
        radius = 130.0 * self._optics.px_per_mm
        across = np.exp(-(((np.arange(box[0], box[2]) + corner[0] - spot[0]) / radius) ** 2))
        down = np.exp(-(((np.arange(box[1], box[3]) + corner[1] - spot[1]) / radius) ** 2))
        return np.outer(down * self._style.glare, across).astype(np.uint8)

    def shown(self, items: Sequence[CardOnTable]) -> tuple[CardOnTable, ...]:
        """Return the items of which something shows, judged on a grid of a quarter of the frame's pixels.

        Of a stack only the highest casts its shadow, else the shadows of all would add up to black.
        """
        free = np.full((self._optics.height // 4 + 2, self._optics.width // 4 + 2), 255, np.uint8)
        found: list[CardOnTable] = []
        stacks = _Stacks()
        for item in reversed(items):
            outline = np.round(self.quad(item, -0.4) * 4).astype(np.int32)
            low, high = np.maximum(outline.min(axis=0) // 16 - 1, 0), outline.max(axis=0) // 16 + 2
            if (high <= 0).any():
                continue
            window = free[low[1] : high[1], low[0] : high[0]]
            if not window.size:
                continue
            mask = np.zeros(window.shape, np.uint8)
            cv2.fillConvexPoly(mask, outline - low.astype(np.int32) * 16, 255, shift=4)
            if cv2.countNonZero(cv2.bitwise_and(mask, window)):
                found.append(CardOnTable(item.card, item.z, not stacks.lies_under(item.card)))
                stacks.add(item.card)
                window[mask > 0] = 0
        return tuple(found[::-1])

    def _warped(
        self, layers: tuple[Pixels, ...], quad: Floats, shape: tuple[int, ...], corner: tuple[int, int]
    ) -> tuple[Box, list[Pixels]] | None:
        """Return the layers warped onto ``quad``, with their place in the picture; None if that is outside."""
        local = quad - corner
        low, high = np.floor(local.min(axis=0)) - 1, np.ceil(local.max(axis=0)) + 2
        x0, y0 = max(int(low[0]), 0), max(int(low[1]), 0)
        x1, y1 = min(int(high[0]), shape[1]), min(int(high[1]), shape[0])
        if x0 >= x1 or y0 >= y1:
            return None
        matrix = to_quad(layers[0].shape[1], layers[0].shape[0], local - (x0, y0))
        warped = [cv2.warpPerspective(layer, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR) for layer in layers]
        return (x0, y0, x1, y1), [np.asarray(layer, np.uint8) for layer in warped]

    def _sprite(self, side: str) -> tuple[Pixels, Pixels]:
        """Colour with alpha multiplied in, and alpha, of a side at the sprite's scale."""
        found = self._sprites.get(side)
        if found is None:
            size = (round(CARD_WIDTH * SPRITE_PX_PER_MM), round(CARD_HEIGHT * SPRITE_PX_PER_MM))
            picture = self._artwork(side, SPRITE_PX_PER_MM)
            if picture.shape[1::-1] != size:
                picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
            alpha = np.ascontiguousarray(picture[..., 3])
            colour = cv2.multiply(picture[..., :3], cv2.merge([alpha, alpha, alpha]), scale=1 / 255)
            # Printed paper is never whiter than about nine tenths.
            found = (np.asarray(cv2.convertScaleAbs(colour, alpha=0.9), np.uint8), alpha)
            self._sprites[side] = found
        return found


class _Stacks:
    """Cards by the square of ``_STACKED_MM`` in which they lie: a stack reaches into the eight squares around."""

    def __init__(self) -> None:
        self._squares: dict[tuple[int, int], list[PlacedCard]] = {}

    def add(self, card: PlacedCard) -> None:
        self._squares.setdefault(self._square(card), []).append(card)

    def lies_under(self, card: PlacedCard) -> bool:
        """Return True if ``card`` is of one stack with a card that was added."""
        x, y = self._square(card)
        near = ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
        return any(_stacked(card, other) for square in near for other in self._squares.get(square, ()))

    @staticmethod
    def _square(card: PlacedCard) -> tuple[int, int]:
        return int(card.x // _STACKED_MM), int(card.y // _STACKED_MM)


def _make_room(kept: dict[Any, Any]) -> None:
    """Forget everything where too much is kept: what lies on the table now is soon there again."""
    if len(kept) >= _KEPT_MOST:
        kept.clear()


def _stacked(one: PlacedCard, other: PlacedCard) -> bool:
    return abs(one.x - other.x) < _STACKED_MM and abs(one.y - other.y) < _STACKED_MM


def _shadow_sprite(strength: float) -> tuple[Pixels]:
    size = (
        round((CARD_HEIGHT + 2 * _SHADOW_MM) * _SHADOW_PX),
        round((CARD_WIDTH + 2 * _SHADOW_MM) * _SHADOW_PX),
    )
    edge = round(_SHADOW_MM * _SHADOW_PX)
    solid = np.zeros(size, np.float32)
    solid[edge:-edge, edge:-edge] = 255 * strength
    return (np.asarray(cv2.GaussianBlur(solid, (0, 0), 1.5 * _SHADOW_PX), np.uint8),)
