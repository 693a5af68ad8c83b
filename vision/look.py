"""Finding and reading every index of one photograph, whatever their size and however it was taken.

Pixels are (x, y) from the picture's upper left corner, y down.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from hw.cards import JOKER
from vision.finder import BASE_HEIGHT, Spot, apart
from vision.index_reader import Reader, Reading
from vision.pictures import Image

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
DOUBTED: Final = 0.97
"""A suited index read less surely is read again, cut larger and smaller; jokers have no one height."""
AGAIN: Final = (0.92, 1.09)
"""By so much; how tall an index is, the finder knows to about a tenth."""
DRAWN_OUT: Final = 1.5
"""So much narrower and then lower a picture is looked at again in which nothing was read surely."""
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

    The finder looks at several scales, coarse to fine, and no further than the indices found ask for. A picture in
    which nothing is read surely is looked at again, narrowed and then lowered: some are pressed into another format.
    """
    readings = _looked_at(picture, reader)
    if not any(_sure(r) for r in readings):
        for wide, tall in ((DRAWN_OUT, 1.0), (1.0, DRAWN_OUT)):
            size = (max(1, round(picture.shape[1] / wide)), max(1, round(picture.shape[0] / tall)))
            small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
            fx, fy = picture.shape[1] / size[0], picture.shape[0] / size[1]
            readings += [replace(r, spot=_drawn_out(r.spot, fx, fy)) for r in _looked_at(small, reader)]
    order = sorted(readings, key=lambda r: (-r.confidence * r.spot.heat, r.spot.y, r.spot.x))
    sizes = [0.45 * r.spot.height for r in order]
    once = [order[n] for n in apart([(r.spot.x, r.spot.y) for r in order], sizes, mean=False)]
    return _read_again(picture, once, reader)


def _read_again(picture: Image, readings: list[Reading], reader: Reader) -> list[Reading]:
    """The readings, those in doubt as the mean of three looks says; without those that then show no face."""
    doubted = [r for r in readings if r.confidence < DOUBTED and r.face != JOKER]
    spots = [replace(r.spot, height=r.spot.height * much) for much in AGAIN for r in doubted]
    looks = reader.read(picture, spots)
    meant = {}
    for n, reading in enumerate(doubted):
        three = [reading, *looks[n :: len(doubted)]]
        scores = np.exp(np.mean([np.log(r.scores) for r in three], axis=0))
        meant[id(reading)] = replace(reading, scores=scores / scores.sum())
    told = [meant.get(id(r), r) for r in readings]
    return [r for r in told if r.face is not None]


def _sure(reading: Reading) -> bool:
    """Whether an index was found and read so surely that it says how large indices are here."""
    return reading.spot.heat >= SURE_HEAT and reading.confidence >= SURE_READ and reading.face != JOKER


def _drawn_out(spot: Spot, fx: float, fy: float) -> Spot:
    """A spot of a smaller picture in the pixels of one ``fx`` times as wide and ``fy`` times as tall."""
    ux, uy = spot.up[0] * fx, spot.up[1] * fy
    grown = math.hypot(ux, uy)
    place = ((spot.x + 0.5) * fx - 0.5, (spot.y + 0.5) * fy - 0.5)
    return Spot(*place, (ux / grown, uy / grown), spot.height * grown, spot.heat)


def _looked_at(picture: Image, reader: Reader) -> list[Reading]:
    """Readings at all scales, coarse to fine; an index that several scales show comes several times."""
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
        sure = [r.spot.height / shrink / BASE_HEIGHT for r in found if _sure(r)]
        dear = 4 * side * min(picture.shape[:2]) / shrink > CHEAP  # the next level has four times the pixels
        if dear and len(sure) >= ASKED and min(sure) >= ENOUGH:
            break
    return readings
