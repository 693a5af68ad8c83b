"""``tavolo see``: every physical card in one photograph, without calibration and of whatever size it is taken.

Boxes, corners and angles are in pixels and degrees of the picture as shown (turned by its EXIF): x right, y down, angle
anticlockwise from -180 to 180, 0 for a card whose shown index stands upright.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import PictureError
from vision.finder import BASE_HEIGHT, Spot
from vision.grouping import Corner, Found, Reach, measured_reach, outline, pair_up, to_cards
from vision.pictures import Image, open_picture
from vision.reader import Reader, Reading

MIN_CONFIDENCE: Final = 0.5
MIN_HEAT: Final = 0.30
CARD_OVER_INDEX: Final = 5.0
"""Height of a card over that of its index where no card shows both corners: packs have 4 to 6."""
LEVELS: Final = (0.5, 1.0, 2.0, 4.0)
"""How much smaller than the picture the finder looks at it: each level sees indices twice as large."""
MAX_SIDE: Final = 2200
"""No level is looked at that has a longer side than this."""


def see_image(path: Path, reader: Reader) -> dict[str, Any]:
    """What ``tavolo see --json`` says of one picture file (contract, section 5). Raises PictureError."""
    picture = open_picture(path)
    begun = time.perf_counter()
    cards = see_picture(picture, reader)
    spent = (time.perf_counter() - begun) * 1000
    return {
        "image": str(path),
        "width": picture.shape[1],
        "height": picture.shape[0],
        "ms": round(spent, 1),
        "cards": cards,
    }


def see_picture(picture: Image, reader: Reader) -> list[dict[str, Any]]:
    """Each physical card of a BGR uint8 picture once: card, confidence, box, corner, angle; by rows from the top."""
    corners = [_corner(r) for r in find_everywhere(picture, reader)]
    pairs = pair_up(corners, None, 0.0)
    heights = [c.height for c in corners]
    cards: list[tuple[Found, float, Corner]] = []
    ratio = _card_over_index(corners, pairs)
    for found in _cards(corners, pairs, ratio):
        first = corners[found.corners[0]]
        tall = ratio * float(np.mean([heights[k] for k in found.corners]))
        cards.append((found, tall, first))
    listed = [
        _listed(found, tall, first, picture) for found, tall, first in cards if found.confidence >= MIN_CONFIDENCE
    ]
    return sorted(listed, key=lambda c: (c["corner"][1], c["corner"][0], c["card"]))


def find_everywhere(picture: Image, reader: Reader) -> list[Reading]:
    """Readings of all indices of a picture, whatever their size: the finder looks at several scales."""
    spots: list[Spot] = []
    longest = max(picture.shape[:2])
    for shrink in LEVELS:
        if longest / shrink > MAX_SIDE or (longest / shrink < 160 and shrink > 1):
            continue
        for spot in reader.finder.find(picture, shrink, MIN_HEAT):
            tall = spot.height / shrink / BASE_HEIGHT
            if 0.45 < tall < 2.2:
                spots.append(spot)
    readings = [r for r in reader.read(picture, spots) if r.face is not None]
    kept: list[Reading] = []
    for r in sorted(readings, key=lambda r: -r.confidence * r.spot.heat):
        size = r.spot.height
        if all(np.hypot(k.spot.x - r.spot.x, k.spot.y - r.spot.y) > 0.45 * max(size, k.spot.height) for k in kept):
            kept.append(r)
    return kept


def _corner(reading: Reading) -> Corner:
    s = reading.spot
    ux, uy = s.up
    # y points down in pictures: the card's right hand is its up vector turned clockwise as seen
    return Corner(s.x, s.y, (-uy, ux), (-ux, -uy), s.height, reading.scores, s.heat)


def _card_over_index(corners: list[Corner], pairs: list[tuple[int, int]]) -> float:
    """Height of a card over the height of its index, from cards that show both corners."""
    ratios = []
    for i, j in pairs:
        reach = measured_reach(corners, [(i, j)])
        if reach is not None:
            ratios.append(reach.down / 0.775 / ((corners[i].height + corners[j].height) / 2))
    return float(np.median(ratios)) if ratios else CARD_OVER_INDEX


def _cards(corners: list[Corner], pairs: list[tuple[int, int]], ratio: float) -> list[Found]:
    """Each card once; a corner alone is given the size that its own height suggests."""
    paired = to_cards([*corners], pairs, Reach(0.0, 0.0))
    done = {k for pair in pairs for k in pair}
    cards = [c for c in paired if len(c.corners) == 2]
    for k, corner in enumerate(corners):
        if k not in done:
            cards += [
                replace(alone, corners=(k,)) for alone in to_cards([corner], [], Reach.of_card(ratio * corner.height))
            ]
    return cards


def _listed(found: Found, tall: float, first: Corner, picture: Image) -> dict[str, Any]:
    ring = outline(found, tall)
    low = np.clip(ring.min(axis=0), 0, [picture.shape[1], picture.shape[0]])
    high = np.clip(ring.max(axis=0), 0, [picture.shape[1], picture.shape[0]])
    turn = float(np.degrees(np.arctan2(first.down[1], -first.down[0]))) - 90.0
    return {
        "card": found.face,
        "confidence": round(min(found.confidence * min(1.0, 0.5 + first.heat), 0.9999), 4),
        "box": [round(float(v), 1) for v in (*low, *high)],
        "corner": [round(first.x, 1), round(first.y, 1)],
        "angle": round((turn + 180.0) % 360.0 - 180.0, 1),
        "corners": len(found.corners),
    }


def draw_cards(picture: Image, cards: Sequence[dict[str, Any]]) -> Image:
    """A copy of the picture with each card's box, corner and name painted on."""
    out = picture.copy()
    scale = max(0.5, max(picture.shape[:2]) / 1600)
    for card in cards:
        x0, y0, x1, y1 = (round(v) for v in card["box"])
        cx, cy = (round(v) for v in card["corner"])
        sure = card["confidence"] >= 0.9
        colour = (70, 200, 60) if sure else (0, 150, 255)
        cv2.rectangle(out, (x0, y0), (x1, y1), colour, max(1, round(1.5 * scale)))
        cv2.circle(out, (cx, cy), round(7 * scale), colour, max(1, round(2 * scale)))
        label(out, card["card"], (cx, cy), colour, scale)
    return out


def label(out: Image, text: str, at: tuple[int, int], colour: tuple[int, int, int], scale: float = 1.0) -> None:
    """Paint ``text`` on a dark plate beside the point ``at`` (px), in place."""
    (width, height), low = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.6 * scale, max(1, round(scale)))
    x = int(np.clip(at[0] + 9 * scale, 0, max(0, out.shape[1] - width)))
    y = int(np.clip(at[1], height + 2, out.shape[0] - low))
    cv2.rectangle(out, (x - 2, y - height - 2), (x + width + 2, y + low), (25, 25, 25), -1)
    cv2.putText(out, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.6 * scale, colour, max(1, round(scale)), cv2.LINE_AA)


def write_drawing(path: Path, picture: NDArray[np.uint8]) -> None:
    """Write a marked-up picture. Raises PictureError where the file's kind or place does not allow it."""
    try:
        done = cv2.imwrite(str(path), picture)
    except cv2.error as problem:
        raise PictureError(
            f"{path.name}: no picture can be written under this name; end it in .jpg or .png"
        ) from problem
    if not done:
        raise PictureError(f"{path.name}: the picture cannot be written there")
