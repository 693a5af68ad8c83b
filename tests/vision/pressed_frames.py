"""Small cards in frames that were pressed to a square and packed, for the readers of doubted indices."""

from __future__ import annotations

import cv2
import numpy as np

from hw.cards import JOKER
from lab.vision.train.decks import ALL_FACES, Image, own_decks
from lab.vision.train.scenes import draw_laid, shelves
from vision.finder import Spot

Drawn = list[tuple[Image, list[Spot], list[str]]]


def pressed_frames(seed: int, count: int, per_mm: float, quality: int) -> Drawn:
    """``count`` frames of six cards apart, their whole indices, and the faces; no network learnt from these seeds.

    ``per_mm``: px per mm upright; ``quality``: of their JPEG.
    """
    rng, shelf = np.random.default_rng([seed, 4]), shelves(own_decks())
    frames: Drawn = []
    for n in range(count):
        faces = [str(f) for f in rng.permutation(np.array([f for f in ALL_FACES if f != JOKER]))[:6]]
        cards = [(f, (k % 3 - 1) * 100.0, (k // 3 - 0.5) * 105.0, rng.uniform(0, 6.28)) for k, f in enumerate(faces)]
        picture = draw_laid(rng, shelf[n % len(shelf)], cards, 480, per_mm, pressed=(4 / 3, 16 / 9)[n % 2])
        packed = cv2.imencode(".jpg", picture.image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        whole = [c for c in picture.corners if c.shown > 0.9]
        spots = [Spot(c.x, c.y, c.up, c.height, 1.0) for c in whole]
        frames.append((np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8), spots, [c.face for c in whole]))
    return frames
