"""Distortion of a photograph: frames of 4:3 or 16:9 made square, or cards seen from far aside.

Indices are then narrow or low and point askew, and no card has the form that a pack has. The cards that show both
indices say how much: as printed, the second is as far and in the same direction from the first on each, whatever way
the card is turned; pressed, it is not. If many indices are in doubt, they are read again as they would look if the
picture were wider or taller. If such a form makes them more certain, the whole picture is looked at in it.
"""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER
from vision.grouping import DEFAULT_ACROSS, DEFAULT_DOWN, TURN_TOLERANCE_DEG, Corner
from vision.index_reader import NOTHING, IndexReader, IndexReading
from vision.pictures import Image
from vision.plane_form import PlaneForm

FORMS: Final = (4 / 3, 16 / 9, 3 / 4, 9 / 16)
"""Width over height that a square of the picture may have had; frames of cameras have these formats."""
ASKED: Final = 24
"""Number of indices, the hottest, that decide how a picture was pressed."""
LEAST: Final = 6
"""Fewer indices decide nothing: with one or two cards a wrong form can make the wrong face more certain."""
DOUBT: Final = 0.97
"""Mean confidence from which indices are not pressed."""
GAIN: Final = 0.02
"""Least gain in mean confidence that a form must bring; set on rendered pictures (``lab.vision.measure.scenes
--hard``)."""
LEGIBLE: Final = 0.5
"""Least mean confidence then: in a smeared picture a wrong form invents cards; set on the same pictures."""
HOT: Final = 0.3
"""Heat of the indices that are asked."""
CARDS: Final = 3
"""Cards with both indices needed to find a picture's form: turned alike, two can agree by chance."""
PAIRS: Final = 24
"""More pairs say no more, and take longer."""
READ: Final = 0.4
"""Least confidence of both indices for a pair."""
TRIED: Final = np.exp(np.linspace(-math.log(2.0), math.log(2.0), 29))
"""Forms that are tried by the cards' geometry, a twentieth apart."""
SPREAD: Final = (7.0, 0.15, 10.0)
"""Errors of one pair: degrees, logarithm of the way in index heights; degrees by which packs differ from the usual."""
NONE: Final = 4.0
"""Squared error, in units of ``SPREAD``, from which two indices may as well not be of one card."""
ALIKE: Final = 1.5
"""Mean unlikeness below which cards are of one form: many false pairs prove nothing."""
PRESSED_BY: Final = 0.7
"""Gain in unlikeness that they need over the picture as it is; set, like ``ALIKE``, on drawn pictures and photographs.
"""
_OPPOSITE: Final = math.cos(math.radians(TURN_TOLERANCE_DEG))
_USUAL: Final = math.degrees(math.atan2(DEFAULT_ACROSS, DEFAULT_DOWN))


def form_of(picture: Image, readings: list[IndexReading], reader: IndexReader) -> float:
    """Factor by which ``picture`` must be made wider for its indices to look as printed; 1 if it need not be."""
    hottest = sorted((r for r in readings if r.spot.heat > HOT), key=lambda r: (-r.spot.heat, r.spot.y, r.spot.x))
    spots = [r.spot for r in hottest[:ASKED]]
    if len(spots) < LEAST or np.mean([_surest(r) for r in hottest[:ASKED]]) >= DOUBT:
        return 1.0
    sure = [float(np.mean([_surest(r) for r in reader.read(picture, spots, wider)])) for wider in (1.0, *FORMS)]
    best = int(np.argmax(sure))
    return (1.0, *FORMS)[best] if sure[best] >= max(sure[0] + GAIN, LEGIBLE) else 1.0


def _surest(reading: IndexReading) -> float:
    """Return the probability of the likeliest suited face."""
    return float(reading.scores[: NOTHING - 1].max())


def made_wider(picture: Image, form: float) -> Image:
    """Return the picture ``form`` times as wide, or, if that is below 1, as much taller; never smaller than it was."""
    height, width = picture.shape[:2]
    size = (round(width * form), height) if form > 1 else (width, round(height / form))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def form_of_cards(corners: list[Corner]) -> float:
    """Factor by which the corners' picture must be made wider for all cards to have one form; 1 if that is unknown."""
    ends = _both_ends(corners)
    if len(ends) < CARDS:
        return 1.0
    unlike = _unlikeness(*_as_wide(ends, TRIED)) / len(ends)
    best, plain = int(unlike.argmin()), int(np.abs(np.log(TRIED)).argmin())
    return float(TRIED[best]) if unlike[best] < ALIKE and unlike[best] + PRESSED_BY < unlike[plain] else 1.0


def stretched(corner: Corner, form: float) -> Corner:
    """Return the corner as it would be if the picture were ``form`` times as wide."""
    return PlaneForm.drawn_out(form, 0.0).corner(corner)


def _both_ends(corners: list[Corner]) -> NDArray[np.float64]:
    """Return the first ``PAIRS`` of one face that point apart: corner to corner, and mean index, (n, 2, 2) px."""
    same: dict[str, list[Corner]] = {}
    for corner in corners:
        if corner.face not in (None, JOKER) and corner.surest > READ:
            same.setdefault(str(corner.face), []).append(corner)
    ends = []
    for group in same.values():
        for n, one in enumerate(group):
            for other in group[n + 1 :]:
                along = one.down[0] * other.down[0] + one.down[1] * other.down[1]
                if along < -_OPPOSITE and 0.55 < one.height / other.height < 1.8:
                    right, down = (a * one.height - b * other.height for a, b in zip(one.down, other.down, strict=True))
                    ends.append(((other.x - one.x, other.y - one.y), (right / 2, down / 2)))
    return np.array(ends[:PAIRS], np.float64).reshape(-1, 2, 2)


def _as_wide(ends: NDArray[np.float64], forms: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Angles (degrees) from an index's way down to the other's place, and logarithms of how many heights away that is.

    For each form and pair (m, n), as if the picture were so much wider.
    """
    (x, y), (right, down) = ends.transpose(1, 2, 0)
    x, right = forms[:, None] * x, forms[:, None] * right
    angles = np.degrees(np.arctan2(x * down - y * right, x * right + y * down))
    return angles, np.log(np.hypot(x, y) / np.hypot(right, down))


def _unlikeness(angles: NDArray[np.float64], far: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each form how little pairs (m, n) are like the one that most are like; no error counts more than ``NONE``."""
    turned = np.minimum(((angles[:, :, None] - angles[:, None]) / SPREAD[0]) ** 2, NONE)
    away = np.minimum(((far[:, :, None] - far[:, None]) / SPREAD[1]) ** 2, NONE)
    usual = np.minimum(((angles - _USUAL) / SPREAD[2]) ** 2, NONE) / 2
    return np.asarray((turned + away).sum(axis=2).min(axis=1) + usual.sum(axis=1), np.float64)
