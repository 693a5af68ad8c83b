"""Card faces to draw training pictures from: what a deck is, and our own pack.

``lab.vision.train.artwork`` adds packaged decks, ``lab.vision.train.random_decks`` packs drawn at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER, RANKS
from hw.layout import CARD_HEIGHT, CARD_WIDTH

Image = NDArray[np.uint8]

SCALE: Final = 5.0
"""Pixels per millimetre of the stored faces."""
FACE_SIZE: Final = (round(CARD_WIDTH * SCALE), round(CARD_HEIGHT * SCALE))
ALL_FACES: Final = (*(r + s for s in "CDHS" for r in RANKS), JOKER)


@dataclass(frozen=True)
class Deck:
    """Faces as BGR pictures of FACE_SIZE, upright; ``index`` is the box of the upper left corner index in mm.

    ``index`` is (x0, y0, x1, y1) from the card's upper left corner, y down; the lower right one mirrors it.
    """

    name: str
    faces: dict[str, tuple[Image, ...]]
    backs: tuple[Image, ...]
    index: tuple[float, float, float, float]
    corner_radius: float = 3.0
    weight: float = 1.0
    four_corners: bool = False


def render(svg: str, width: int, fonts: tuple[str, ...] = ()) -> NDArray[np.uint8]:
    """The drawing as BGRA pixels."""
    import resvg_py

    extra: dict[str, Any] = {"font_files": list(fonts), "skip_system_fonts": True} if fonts else {}
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, **extra))
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise ValueError("the drawing could not be rendered")
    return picture.astype(np.uint8)


def flatten(picture: NDArray[np.uint8]) -> Image:
    """BGRA over white, at FACE_SIZE."""
    alpha = picture[..., 3:].astype(np.float32) / 255
    flat = picture[..., :3] * alpha + 255 * (1 - alpha)
    return cv2.resize(flat.astype(np.uint8), FACE_SIZE, interpolation=cv2.INTER_AREA).astype(np.uint8)


def find_index(faces: list[Image]) -> tuple[float, float, float, float]:
    """The box (mm) of the corner index that number cards of one design share: ink near the upper left corner."""
    boxes = []
    for picture in faces:
        x0, y0 = round(1.6 * SCALE), round(2.0 * SCALE)
        region = picture[y0 : round(27 * SCALE), x0 : round(12.2 * SCALE)].astype(np.float32)
        paper = np.median(region.reshape(-1, 3), axis=0)
        ink = np.abs(region - paper).max(axis=2) > 60
        _, _, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8))
        keep = [s for s in stats[1:] if s[4] > 30 and s[0] + s[2] < region.shape[1] - 1]
        if not keep:
            continue
        left, top = min(s[0] for s in keep), min(s[1] for s in keep)
        right, low = max(s[0] + s[2] for s in keep), max(s[1] + s[3] for s in keep)
        boxes.append([(left + x0) / SCALE, (top + y0) / SCALE, (right + x0) / SCALE, (low + y0) / SCALE])
    middle = np.median(np.array(boxes), axis=0)
    return float(middle[0]), float(middle[1]), float(middle[2]), float(middle[3])


def own_decks() -> list[Deck]:
    """The three styles of our own pack."""
    from hw.pack.raster import back_bgra, face_bgra
    from hw.pack.style import STYLES

    decks = []
    for style in STYLES:
        faces: dict[str, tuple[Image, ...]] = {
            face: (flatten(face_bgra(face, SCALE, style)),) for face in ALL_FACES if face != JOKER
        }
        faces[JOKER] = tuple(flatten(face_bgra(JOKER, SCALE, style, variety)) for variety in ("red", "black"))
        backs = tuple(flatten(back_bgra(SCALE, style, colour)) for colour, _ in style.backs)
        low = style.margin_y + style.rank_height + 0.8 + style.suit_height
        box = (style.margin_x, style.margin_y, style.margin_x + style.rank_width, low)
        decks.append(Deck(style.name, faces, backs, box, style.corner, weight=10.0))
    return decks
