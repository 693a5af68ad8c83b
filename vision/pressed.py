"""How a photograph was pressed: frames of 4:3 or 16:9 made square, or cards seen from far aside.

Indices are then narrow or low and point askew, and no card has the form that a pack has. Where many indices are in
doubt, they are read again as they would look if the picture were wider or taller; if one such form makes them surer,
the whole picture is looked at in it.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.index_reader import NOTHING, Reader, Reading
from vision.pictures import Image

FORMS: Final = (4 / 3, 16 / 9, 3 / 4, 9 / 16)
"""So much wider than tall a square of the picture may have been; frames of cameras have these formats."""
ASKED: Final = 24
"""So many indices, those found hottest, say how a picture was pressed."""
LEAST: Final = 6
"""Fewer indices say nothing sure: of one or two cards a wrong form can make the wrong face surer."""
DOUBT: Final = 0.93
"""Indices that are read so surely in the mean are not pressed."""
GAIN: Final = 0.02
"""So much surer in the mean a form must make them; set on rendered pictures (``vision.measure_scenes --hard``)."""
LEGIBLE: Final = 0.5
"""So sure they must be in the mean then: in a smeared picture a wrong form invents cards; set on the same pictures."""
HOT: Final = 0.3
"""Heat of the indices that are asked."""


def form_of(picture: Image, readings: list[Reading], reader: Reader) -> float:
    """How much wider than it is ``picture`` must be made for its indices to look as printed; 1 where it need not be."""
    hottest = sorted((r for r in readings if r.spot.heat > HOT), key=lambda r: (-r.spot.heat, r.spot.y, r.spot.x))
    spots = [r.spot for r in hottest[:ASKED]]
    if len(spots) < LEAST or np.mean([_surest(r) for r in hottest[:ASKED]]) >= DOUBT:
        return 1.0
    sure = [float(np.mean([_surest(r) for r in reader.read(picture, spots, wider)])) for wider in (1.0, *FORMS)]
    best = int(np.argmax(sure))
    return (1.0, *FORMS)[best] if sure[best] >= max(sure[0] + GAIN, LEGIBLE) else 1.0


def _surest(reading: Reading) -> float:
    """The probability of the likeliest suited face."""
    return float(reading.scores[: NOTHING - 1].max())


def made_wider(picture: Image, form: float) -> Image:
    """The picture ``form`` times as wide, or as much taller where that is below 1; never smaller than it was."""
    height, width = picture.shape[:2]
    size = (round(width * form), height) if form > 1 else (width, round(height / form))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8)
