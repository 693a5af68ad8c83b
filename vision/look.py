"""Finding and reading every index of one photograph, whatever their size and however it was taken.

Pixels are (x, y) from the picture's upper left corner, y down.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from hw.cards import JOKER
from vision.finder import BASE_HEIGHT, apart
from vision.pictures import Image
from vision.reader import Reader, Reading

MIN_HEAT: Final = 0.30
LEVELS: Final = (8.0, 4.0, 2.0, 1.0, 0.5)
"""How much smaller than the picture the finder looks at it, coarse first: each level sees indices twice as large."""
SIDES: Final = (160, 2200)
"""Levels with a longest side (px) outside this are not looked at."""
RANGE: Final = (0.42, 2.2)
"""Of BASE_HEIGHT: indices that one level finds; the levels overlap."""
ENOUGH: Final = 0.68
"""Of BASE_HEIGHT: where even the smallest sure index of a level is this tall, finer levels are left out."""
CHEAP: Final = 1.0e6
"""Pixels of a level that is looked at in any case: seen from aside, cards of one picture differ in size."""
SURE_HEAT: Final = 0.5
SURE_READ: Final = 0.9
ASKED: Final = 2
"""So many indices found and read so surely are asked for before finer levels are left out."""
MIN_INDEX_PX: Final = 11.0
"""Indices less tall than this in the picture show too little to be read."""
SPECKS: Final = 0.0015
"""Share of lone black or white pixels above which a picture is taken to have specks, which are filtered out."""
DARK: Final = 110
"""A picture whose brightest hundredth is darker than this is made brighter."""


def prepared(picture: Image) -> Image:
    """The picture without specks and not too dark to see; the same picture where it needs neither."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    step = max(1, round(max(grey.shape) / 1400))
    part = np.ascontiguousarray(grey[: grey.shape[0] // step, : grey.shape[1] // step])  # full scale, upper left part
    middle = cv2.medianBlur(part, 3)
    out = picture
    specks = cv2.countNonZero(cv2.threshold(cv2.absdiff(part, middle), 60, 1, cv2.THRESH_BINARY)[1])
    if specks > SPECKS * part.size:
        out = cv2.medianBlur(picture, 3).astype(np.uint8)
    seen = np.ascontiguousarray(grey[::step, ::step])
    levels = cv2.calcHist([seen], [0], None, [256], [0, 256]).ravel()
    bright = float(np.searchsorted(np.cumsum(levels), 0.99 * seen.size))
    if bright < DARK:
        out = cv2.convertScaleAbs(out, alpha=200.0 / max(bright, 8.0)).astype(np.uint8)
    return out


def find_everywhere(picture: Image, reader: Reader) -> list[Reading]:
    """Readings of all indices of a BGR uint8 picture, each index once, surest first.

    The finder looks at several scales, coarse to fine, and no further than the indices found ask for.
    """
    readings: list[Reading] = []
    longest = max(picture.shape[:2])
    for shrink in LEVELS:
        side = longest / shrink
        if not (SIDES[0] <= side <= SIDES[1]) and not (shrink == 1.0 and side < SIDES[0]):
            continue
        spots = []
        for spot in reader.finder.find(picture, shrink, MIN_HEAT):
            tall = spot.height / shrink / BASE_HEIGHT
            if RANGE[0] < tall < RANGE[1] and spot.height >= MIN_INDEX_PX:
                spots.append(spot)
        found = [r for r in reader.read(picture, spots) if r.face is not None]
        readings += found
        # only what was read says how large indices are here: a coarse look takes a card's pips and figures for some
        sure = [
            r.spot.height / shrink / BASE_HEIGHT
            for r in found
            if r.spot.heat >= SURE_HEAT and r.confidence >= SURE_READ and r.face != JOKER
        ]
        dear = 4 * side * min(picture.shape[:2]) / shrink > CHEAP  # the next level has four times the pixels
        if dear and len(sure) >= ASKED and min(sure) >= ENOUGH:
            break
    order = sorted(readings, key=lambda r: (-r.confidence * r.spot.heat, r.spot.y, r.spot.x))
    sizes = [0.45 * r.spot.height for r in order]
    return [order[n] for n in apart([(r.spot.x, r.spot.y) for r in order], sizes, mean=False)]
