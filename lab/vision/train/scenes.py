"""Training pictures: cards in columns, fans, piles and scattered, with all that a camera does to them."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER
from hw.layout import CARD_HEIGHT, CARD_WIDTH
from lab.vision.train.camera_effects import photograph
from lab.vision.train.clutter import background
from lab.vision.train.decks import ALL_FACES, SCALE, Deck, Image
from lab.vision.train.sampling_bias import EVEN, Lean

BACK: Final = "back"


@dataclass(frozen=True)
class Corner:
    """One corner index of a picture: centre (px), unit vector from suit to rank, height (px), share that shows.

    ``card``: which of the picture's cards it is printed on, in the order in which they were laid.
    """

    face: str
    x: float
    y: float
    up: tuple[float, float]
    height: float
    shown: float
    card: int


@dataclass(frozen=True)
class Picture:
    """A BGR training picture and its corner indices; ``loose`` are points without an index."""

    image: Image
    corners: tuple[Corner, ...]
    loose: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class _Placed:
    face: str
    x: float  # card centre, mm of the picture's plane, y down
    y: float
    turn: float  # radians, clockwise as seen


class Shelf:
    """The faces of the decks at several sizes, so that drawing them small does not alias."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self._cache: dict[tuple[str, int, int], tuple[Image, Image]] = {}

    def get(self, face: str, variant: int, level: int) -> tuple[Image, Image]:
        """Picture and mask at SCALE / 2**level pixels per millimetre."""
        pictures = self.deck.backs if face == BACK else self.deck.faces[face]
        key = (face, variant % len(pictures), level)
        if key not in self._cache:
            picture = pictures[key[1]]
            mask = _round_mask(picture.shape[:2], self.deck.corner_radius * SCALE)
            for _ in range(level):
                half = (picture.shape[1] // 2, picture.shape[0] // 2)
                picture = cv2.resize(picture, half, interpolation=cv2.INTER_AREA).astype(np.uint8)
                mask = cv2.resize(mask, half, interpolation=cv2.INTER_AREA).astype(np.uint8)
            self._cache[key] = (picture, mask)
        return self._cache[key]


def _round_mask(shape: tuple[int, ...], radius: float) -> Image:
    height, width = shape[0], shape[1]
    mask = np.zeros((height, width), np.uint8)
    r = max(1, round(radius))
    cv2.rectangle(mask, (r, 0), (width - 1 - r, height - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (width - 1, height - 1 - r), 255, -1)
    for cx in (r, width - 1 - r):
        for cy in (r, height - 1 - r):
            cv2.circle(mask, (cx, cy), r, 255, -1)
    return mask


def _layout(rng: np.random.Generator, span: float) -> list[_Placed]:
    """Cards placed over a square of ``span`` millimetres."""
    kind = rng.random()
    turn = rng.choice([0, 0.5, 1, 1.5]) * np.pi + rng.normal(0, 0.05) if rng.random() < 0.6 else rng.uniform(0, 6.3)
    cards: list[_Placed] = []
    half = span / 2
    across, along = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    if kind < 0.5:
        cards = _columns(rng, span, turn, across, along)
    elif kind < 0.65:
        cards = _pile(rng, span, turn, across, along)
    elif kind < 0.85:
        for _ in range(int(rng.integers(1, 4))):
            cards += _fan(rng, span)
    else:
        count = int(rng.integers(2, max(4, min(16, int((span / 70) ** 2 * 1.5)))))
        cards = [
            _Placed(draw_face(rng), rng.uniform(-half, half), rng.uniform(-half, half), rng.uniform(0, 2 * np.pi))
            for _ in range(count)
        ]
    if rng.random() < 0.35:
        cards += [
            _Placed(BACK, rng.uniform(-half, half), rng.uniform(-half, half), turn + rng.normal(0, 0.3))
            for _ in range(int(rng.integers(1, 4)))
        ]
    return cards


def draw_face(rng: np.random.Generator) -> str:
    """A face; jokers come four times as often as they do in Burraco, for they are harder to find."""
    return "JK" if rng.random() < 0.15 else str(ALL_FACES[int(rng.integers(0, 52))])


def _columns(
    rng: np.random.Generator, span: float, turn: float, across: NDArray[np.float64], along: NDArray[np.float64]
) -> list[_Placed]:
    cards = []
    spacing = rng.uniform(13, 17.5) if rng.random() < 0.5 else rng.uniform(17.5, 26)
    gap = rng.uniform(60, 78)
    count = int(span * 1.2 / gap) + 2
    shift = rng.uniform(-40, 40)
    way = 1.0 if rng.random() < 0.7 else -1.0  # upper ends show, or lower ends
    for c in range(count):
        length = int(rng.integers(1, max(3, int(span / spacing))))
        start = rng.uniform(-span * 0.6, span * 0.3)
        middle = across * ((c - count / 2) * gap + shift)
        for n in range(length):
            p = middle + along * way * (start + n * spacing + rng.normal(0, 0.8)) + across * rng.normal(0, 1.0)
            cards.append(_Placed(draw_face(rng), p[0], p[1], turn + rng.normal(0, 0.03)))
    return cards


def _pile(
    rng: np.random.Generator, span: float, turn: float, across: NDArray[np.float64], along: NDArray[np.float64]
) -> list[_Placed]:
    """Cards side by side, each upon the one at its left (or its right), as a pile is spread out."""
    cards = []
    spacing = rng.uniform(8, 24)
    sign = 1 if rng.random() < 0.8 else -1
    for c in range(int(span / 96) + 2):
        middle = along * ((c - span / 192 - 0.5) * 96)
        count = int(rng.integers(2, max(4, int(span * 1.2 / spacing))))
        for n in range(count):
            p = middle + across * sign * (-span * 0.55 + n * spacing) + rng.normal(0, 0.8, 2)
            cards.append(_Placed(draw_face(rng), p[0], p[1], turn + rng.normal(0, 0.04)))
    return cards


def _fan(rng: np.random.Generator, span: float) -> list[_Placed]:
    pivot = rng.uniform(-span / 2, span / 2, 2)
    radius, count = rng.uniform(60, 160), int(rng.integers(3, 15))
    step = rng.uniform(9, 22) / (radius + 30)
    first = rng.uniform(0, 2 * np.pi)
    cards = []
    for n in range(count):
        a = first + n * step + rng.normal(0, 0.02)
        p = pivot + radius * np.array([np.sin(a), -np.cos(a)])
        cards.append(_Placed(draw_face(rng), p[0], p[1], a))
    return cards


def draw_scene(
    rng: np.random.Generator,
    shelves: list[Shelf],
    size: int,
    per_mm: tuple[float, float],
    about: list[Image] | None = None,
    lean: Lean = EVEN,
) -> Picture:
    """One picture of ``size`` square pixels at a resolution (px/mm) drawn from ``per_mm``; ``about`` is clutter."""
    weights = np.array([s.deck.weight for s in shelves])
    shelf = shelves[int(rng.choice(len(shelves), p=weights / weights.sum()))]
    ppm = float(np.exp(rng.uniform(np.log(per_mm[0]), np.log(per_mm[1]))))
    view = _view(rng, ppm, lean)
    canvas = background(rng, size, about or [])
    owner = np.full((size, size), -1, np.int16)
    placed = _placed(rng, size / ppm, shelf.deck.faces, lean)
    shade = rng.uniform(0.0, 0.45)
    for number, card in enumerate(placed):
        _draw_card(rng, canvas, owner, shelf, card, number, view, size, shade)
    if rng.random() < 0.25:
        _arms(rng, canvas, owner, size)
    corners = _corners(shelf.deck, placed, owner, view, size)
    if rng.random() < 0.35:
        canvas, corners = _slant(rng, canvas, corners, size)
    loose = tuple((float(x), float(y)) for x, y in rng.uniform(0, size, (12, 2)))
    return Picture(photograph(rng, canvas, size), corners, loose)


def _view(rng: np.random.Generator, ppm: float, lean: Lean) -> NDArray[np.float64]:
    """Local transformation of a card's plane in a slanting view: a little squeeze along some direction."""
    steep = 0.27 if rng.random() < 0.35 else 0.07
    a, squeeze = rng.uniform(0, np.pi), max(0.42, 1 - abs(rng.normal(0, steep)))
    turned = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    view: NDArray[np.float64] = turned @ np.diag([1, squeeze]) @ turned.T * ppm
    if lean.stretched and rng.random() < lean.stretched:
        wide = float(np.exp(rng.uniform(-0.5, 0.5) * np.log(lean.most)))
        view = np.diag([wide, 1 / wide]) @ view
    return view


def _placed(rng: np.random.Generator, side: float, faces: Container[str], lean: Lean) -> list[_Placed]:
    """The cards that lie in a picture of ``side`` millimetres, of a deck that has ``faces``; none at times."""
    placed = [] if rng.random() < 0.06 else _layout(rng, side)
    if lean.share:
        placed = [
            replace(c, face=str(rng.choice(lean.faces))) if c.face != BACK and rng.random() < lean.share else c
            for c in placed
        ]
    if JOKER not in faces:
        placed = [replace(c, face="AS") if c.face == JOKER else c for c in placed]
    return placed


def draw_laid(
    rng: np.random.Generator,
    shelf: Shelf,
    cards: list[tuple[str, float, float, float]],
    size: int,
    ppm: float,
    pressed: float = 1.0,
    about: list[Image] | None = None,
    slant: float = 0.05,
) -> Picture:
    """A picture of given cards (face, x and y of the middle in mm from the picture's middle, turn in radians).

    ``pressed``: so much wider than tall the frame was before it was made square; ``ppm`` is px per mm upright.
    ``about``: clutter for some of the grounds. ``slant``: how far the picture's corners are moved at most, as a share.
    """
    view = np.diag([ppm / pressed, ppm])
    canvas = background(rng, size, about or [])
    owner = np.full((size, size), -1, np.int16)
    placed = [_Placed(*card) for card in cards]
    for number, card in enumerate(placed):
        _draw_card(rng, canvas, owner, shelf, card, number, view, size, 0.3)
    corners = _corners(shelf.deck, placed, owner, view, size)
    canvas, corners = _slant(rng, canvas, corners, size, slant)
    return Picture(photograph(rng, canvas, size), corners, ())


def _slant(
    rng: np.random.Generator, canvas: NDArray[np.float32], corners: tuple[Corner, ...], size: int, most: float = 0.16
) -> tuple[NDArray[np.float32], tuple[Corner, ...]]:
    """The picture as from aside: what lies at one edge is nearer than what lies at the other."""
    ring = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    moved = ring + rng.uniform(-most, most, (4, 2)).astype(np.float32) * size
    view = cv2.getPerspectiveTransform(ring, moved.astype(np.float32))
    seen = cv2.warpPerspective(canvas, view, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    out = []
    for c in corners:
        half = c.height / 2
        ends = np.array([[[c.x + c.up[0] * half, c.y + c.up[1] * half], [c.x - c.up[0] * half, c.y - c.up[1] * half]]])
        top, low = cv2.perspectiveTransform(ends.astype(np.float64), view)[0]
        x, y = (top + low) / 2
        length = float(np.hypot(*(top - low)))
        inside = bool(min(*top, *low) >= 0 and max(*top, *low) <= size - 1)
        if 0 <= x < size and 0 <= y < size and length > 1:
            up = ((top - low) / length).tolist()
            shown = c.shown if inside else 0.6 * c.shown
            out.append(Corner(c.face, float(x), float(y), (up[0], up[1]), length, shown, c.card))
    return seen.astype(np.float32), tuple(out)


def _card_to_canvas(card: _Placed, view: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """2x3 matrix from millimetres on the card (upper left corner, y down) to canvas pixels."""
    c, s = np.cos(card.turn), np.sin(card.turn)
    linear = view @ np.array([[c, -s], [s, c]])
    origin = view @ np.array([card.x, card.y]) + size / 2 - linear @ np.array([CARD_WIDTH / 2, CARD_HEIGHT / 2])
    return np.column_stack([linear, origin])


def _draw_card(
    rng: np.random.Generator,
    canvas: NDArray[np.float32],
    owner: NDArray[np.int16],
    shelf: Shelf,
    card: _Placed,
    number: int,
    view: NDArray[np.float64],
    size: int,
    shade: float,
) -> None:
    matrix = _card_to_canvas(card, view, size)
    outline = (
        matrix[:, :2] @ np.array([[0, CARD_WIDTH, CARD_WIDTH, 0], [0, 0, CARD_HEIGHT, CARD_HEIGHT]]) + matrix[:, 2:]
    )
    x0, y0 = np.maximum(np.floor(outline.min(axis=1)) - 2, 0).astype(int)
    x1, y1 = np.minimum(np.ceil(outline.max(axis=1)) + 3, size).astype(int)
    if x1 <= x0 + 1 or y1 <= y0 + 1:
        return
    ppm = float(np.sqrt(abs(np.linalg.det(view))))
    level = int(np.clip(np.floor(np.log2(SCALE / ppm) + 0.15), 0, 3))
    varieties = 1 if card.face == BACK else len(shelf.deck.faces[card.face])
    picture, mask = shelf.get(card.face, int(rng.integers(0, max(2, varieties))), level)
    step = 2**level / SCALE
    local = matrix.copy()
    local[:, :2] *= step
    local[:, 2] += matrix[:, :2] @ np.full(2, step / 2) - (x0, y0)
    part = (int(x1 - x0), int(y1 - y0))
    drawn = cv2.warpAffine(picture, local, part, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    alpha = cv2.warpAffine(mask, local, part, flags=cv2.INTER_LINEAR).astype(np.float32)[..., None] / 255
    region = canvas[y0:y1, x0:x1]
    if shade > 0.05:
        soft = cv2.blur(alpha, (5, 5))
        region *= 1 - shade * soft[..., None]
    region *= 1 - alpha
    region += drawn.astype(np.float32) * alpha
    owner[y0:y1, x0:x1][alpha[..., 0] > 0.5] = number


def _arms(rng: np.random.Generator, canvas: NDArray[np.float32], owner: NDArray[np.int16], size: int) -> None:
    """A sleeve or a hand lies over part of the picture."""
    start = rng.uniform(0, size, 2)
    angle, length, width = rng.uniform(0, 6.3), rng.uniform(0.3, 0.9) * size, rng.uniform(0.06, 0.2) * size
    along = np.array([np.cos(angle), np.sin(angle)])
    side = np.array([-along[1], along[0]])
    shape = np.array([start - side * width, start + side * width, start + along * length + side * width * 0.7])
    shape = np.vstack([shape, start + along * length - side * width * 0.7]).astype(np.int32)
    mask = np.zeros((size, size), np.uint8)
    cv2.fillPoly(mask, [shape], 1)
    tip = start + along * length
    cv2.circle(mask, (int(tip[0]), int(tip[1])), int(width), 1, -1)
    skin = np.array([rng.uniform(60, 170), rng.uniform(90, 190), rng.uniform(130, 240)])
    colour = skin if rng.random() < 0.5 else rng.uniform(10, 230, 3)
    canvas[mask > 0] = colour + rng.normal(0, 6, (int(mask.sum()), 1))
    owner[mask > 0] = -2


def _corners(
    deck: Deck, placed: list[_Placed], owner: NDArray[np.int16], view: NDArray[np.float64], size: int
) -> tuple[Corner, ...]:
    x0, y0, x1, y1 = deck.index
    grid = np.stack(np.meshgrid(np.linspace(x0, x1, 5), np.linspace(y0, y1, 9)), axis=-1).reshape(-1, 2)
    found = []
    for number, card in enumerate(placed):
        if card.face == BACK:
            continue
        matrix = _card_to_canvas(card, view, size)
        mirrored = np.array([CARD_WIDTH, 0]) + grid * np.array([-1, 1])
        sides = (grid, mirrored) if deck.four_corners else (grid,)
        for near, far in [(s, f) for s in sides for f in (False, True)]:
            points = np.array([CARD_WIDTH, CARD_HEIGHT]) - near if far else near
            spots = points @ matrix[:, :2].T + matrix[:, 2]
            middle = spots.mean(axis=0)
            lift = matrix[:, :2] @ np.array([0.0, 1.0 if far else -1.0])
            length = float(np.hypot(*lift))
            inside = ((spots >= 0) & (spots <= size - 1)).all(axis=1)
            cells = np.clip(np.rint(spots), 0, size - 1).astype(int)
            shown = float(((owner[cells[:, 1], cells[:, 0]] == number) & inside).mean())
            if shown > 0.05:
                up = (float(lift[0] / length), float(lift[1] / length))
                tall = length * (y1 - y0)
                found.append(Corner(card.face, float(middle[0]), float(middle[1]), up, tall, shown, number))
    return tuple(found)


def shelves(decks: list[Deck]) -> list[Shelf]:
    """The decks ready to be drawn from."""
    return [Shelf(deck) for deck in decks]
