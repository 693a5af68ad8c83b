"""Finding and reading every index of one photograph, whatever their size and however it was taken.

Pixels are (x, y) from the picture's upper left corner, y down.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER
from vision.finder import BASE_HEIGHT, Spot
from vision.index_reader import IndexReader, IndexReading
from vision.pictures import Image

MIN_HEAT: Final = 0.30
LEVELS: Final = (8.0, 4.0, 2.0, 1.0, 0.5)
"""Factors by which the picture is shrunk for the finder, coarse first: each level sees indices twice as large."""
SIDES: Final = (160, 2200)
"""Levels with a longest side (px) outside this are not looked at."""
RANGE: Final = (0.42, 2.2)
"""Heights, in BASE_HEIGHT, of indices that one level finds; the levels overlap."""
ENOUGH: Final = 0.68
"""Height, in BASE_HEIGHT, of a level's smallest certain index from which finer levels are left out."""
CHEAP: Final = 1.0e6
"""Pixels of a level that is looked at in any case: seen from aside, cards of one picture differ in size."""
SURE_HEAT: Final = 0.5
SURE_READ: Final = 0.9
ASKED: Final = 2
"""Number of indices found and read with certainty before finer levels are left out."""
MIN_INDEX_PX: Final = 11.0
"""Indices less tall than this in the picture show too little to be read."""
DOUBTED: Final = 0.93
"""Confidence below which an index is read again, by the second reader."""
NOTHING_DOUBTED: Final = 0.9
"""And that of no index, below which the place is read again,"""
NOTHING_HEAT: Final = 0.5
"""if it was found with this heat."""
BY_ITSELF: Final = 0.7
"""Weight of what lies beside a doubted index, where 1 would be as much as the index itself;"""
BESIDE_OTHERS: Final = 0.3
"""and if another index is there, so that what lies there may be another card's. Both set on drawn frames,
black packs and fans (``lab.vision.measure.scenes --hard``, seeds 42 and 977)."""
NEIGHBOUR_RIGHT: Final = (0.3, 2.2)
"""Distance to the right of that other index, in index heights"""
NEIGHBOUR_DOWN: Final = (-1.2, 1.6)
"""and below,"""
NEIGHBOUR_TALL: Final = (0.6, 1.6)
"""and how tall it is."""
DRAWN_OUT: Final = 1.5
"""Factors by which a picture in which nothing was read with certainty is looked at again narrower, then lower."""
SPECKS: Final = 0.0005
"""Share of lone black or white pixels above which a picture is taken to have specks, which are filtered out: of the
photographs those with specks have .0007 and more, sharp ones without .0002 at most."""
LONE: Final = 60
"""Grey levels by which a lone pixel differs from each of its eight neighbours; a thin stroke has neighbours like it."""
DARK: Final = 110
"""A picture whose brightest hundredth is darker than this is made brighter."""
HAZE: Final = 80
"""A picture whose grey levels, but for the lowest and highest hundredth, span less than this is drawn apart."""
SPAN: Final = (25.0, 190.0)
"""To this darkest grey level and span."""
ONE_INDEX: Final = 0.45
"""Distance, in index heights, within which readings are of one index, unless they are read as two faces."""
BESIDE: Final = 0.30
"""And as two faces, both with ``SURE_READ``, nearer than this: cards of a fan can lie this close. Of two
places nearer, across, only the hotter one is read at all."""


def prepared(picture: Image) -> Image:
    """Return the picture without specks and neither too dark nor too hazy to see; unchanged if it needs nothing."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    step = max(1, round(max(grey.shape) / 1400))
    part = np.ascontiguousarray(grey[: grey.shape[0] // step, : grey.shape[1] // step])  # full scale, upper left part
    out = picture
    if min(part.shape) > 2 and _lone_pixels(part) > SPECKS * part.size:
        out = np.asarray(cv2.medianBlur(picture, 3), np.uint8)
    seen = np.ascontiguousarray(grey[::step, ::step])
    levels = cv2.calcHist([seen], [0], None, [256], [0, 256]).ravel()
    sums = np.cumsum(levels)
    faint, bright = (float(np.searchsorted(sums, share * seen.size)) for share in (0.01, 0.99))
    if bright - faint < HAZE and bright >= DARK:
        gain = SPAN[1] / max(bright - faint, 12.0)
        greys = np.maximum(np.arange(256, dtype=np.uint8), np.uint8(faint))
        out = np.asarray(cv2.LUT(out, cv2.convertScaleAbs(greys, alpha=gain, beta=SPAN[0] - gain * faint)), np.uint8)
    elif bright < DARK:
        out = np.asarray(cv2.convertScaleAbs(out, alpha=200.0 / max(bright, 8.0)), np.uint8)
    return out


def _lone_pixels(grey: NDArray[Any]) -> int:
    """Count of pixels much brighter or much darker than each of their eight neighbours, in a grey uint8 picture."""
    unlike = cv2.threshold(cv2.absdiff(grey, cv2.medianBlur(grey, 3)), LONE, 1, cv2.THRESH_BINARY)[1]
    spots = cv2.findNonZero(unlike[1:-1, 1:-1])  # a lone pixel differs from the median of its place as much
    if spots is None:
        return 0
    x, y = spots.reshape(-1, 2).T + 1
    around = np.stack([grey[y + dy, x + dx] for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]).astype(np.int16)
    here = grey[y, x]
    return int(((here > around.max(axis=0) + LONE) | (here < around.min(axis=0) - LONE)).sum())


def find_everywhere(picture: Image, reader: IndexReader) -> list[IndexReading]:
    """Return readings of all indices of a BGR uint8 picture, each index once, the most certain first.

    The finder looks at several scales, coarse to fine, and no further than the indices found ask for. A picture without
    a certain reading is looked at again, narrowed and then lowered: some are pressed into another format.
    """
    readings = _looked_at(picture, reader)
    if not any(_sure(r) for r in readings):
        for wide, tall in ((DRAWN_OUT, 1.0), (1.0, DRAWN_OUT)):
            size = (max(1, round(picture.shape[1] / wide)), max(1, round(picture.shape[0] / tall)))
            small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
            fx, fy = picture.shape[1] / size[0], picture.shape[0] / size[1]
            readings += [replace(r, spot=_drawn_out(r.spot, fx, fy)) for r in _looked_at(small, reader)]
    order = sorted(readings, key=_place_in_order)
    read = doubted_again(picture, _each_once(order), reader)
    return [reading for reading in read if reading.face is not None]


def _place_in_order(reading: IndexReading) -> tuple[bool, float, float, float]:
    """Faces before places that are perhaps none, and of each the surest first."""
    weight = reading.spot.heat if reading.face is None else reading.confidence * reading.spot.heat
    return reading.face is None, -weight, reading.spot.y, reading.spot.x


def _each_once(readings: list[IndexReading]) -> list[IndexReading]:
    """Return the readings, the most certain first, without weaker ones of the same index."""
    if not readings:
        return []
    spots, tall = np.array([(r.spot.x, r.spot.y) for r in readings]), np.array([r.spot.height for r in readings])
    away = np.hypot(*(spots[:, None] - spots[None]).transpose(2, 0, 1)) / np.maximum(tall[:, None], tall[None])
    kept = [True] * len(readings)
    for n, before in np.argwhere(np.tril(away <= ONE_INDEX, -1)).tolist():  # by n: what comes before it is settled
        if kept[before] and (away[n, before] <= BESIDE or not _are_two(readings[n], readings[before])):
            kept[n] = False
    return [reading for reading, stays in zip(readings, kept, strict=True) if stays]


def _are_two(one: IndexReading, other: IndexReading) -> bool:
    """Return True if two readings this close are of two cards: both are certain, of two faces."""
    return one.face != other.face and min(one.confidence, other.confidence) >= SURE_READ


def doubted_again(
    picture: Image,
    readings: list[IndexReading],
    reader: IndexReader,
    least: float = DOUBTED,
    around: Iterable[Spot] = (),
) -> list[IndexReading]:
    """Return the readings, in the same order, those less certain than ``least`` as all readers see them together.

    ``around``: indices that are known beside those of ``readings``.
    """
    doubted = [r for r in readings if r.confidence < (NOTHING_DOUBTED if r.face is None else least)]
    spots = [*(r.spot for r in readings), *around] if doubted else []
    context = [context_weight(r.spot, spots) for r in doubted]
    again = dict(zip(map(id, doubted), reader.read_again(picture, doubted, context), strict=True))
    return [again.get(id(r), r) for r in readings]


def context_weight(spot: Spot, spots: Iterable[Spot]) -> float:
    """Weight of what lies beside the index at ``spot``; less if another of ``spots`` is there.

    Another one counts that is about as tall and is to the right, where the card's own pips would be.
    """
    ux, uy = spot.up
    for other in spots:
        x, y = (other.x - spot.x) / spot.height, (other.y - spot.y) / spot.height
        right, down = -uy * x + ux * y, -ux * x - uy * y
        within = NEIGHBOUR_RIGHT[0] < right < NEIGHBOUR_RIGHT[1] and NEIGHBOUR_DOWN[0] < down < NEIGHBOUR_DOWN[1]
        if within and NEIGHBOUR_TALL[0] < other.height / spot.height < NEIGHBOUR_TALL[1]:
            return BESIDE_OTHERS
    return BY_ITSELF


def _nothing_doubted(reading: IndexReading) -> bool:
    """Return True if a place that was read as none of the faces may still be one."""
    return reading.confidence < NOTHING_DOUBTED and reading.spot.heat >= NOTHING_HEAT


def _sure(reading: IndexReading) -> bool:
    """Return True if an index was found and read so well that it shows how large indices are here."""
    return reading.spot.heat >= SURE_HEAT and reading.confidence >= SURE_READ and reading.face != JOKER


def _drawn_out(spot: Spot, fx: float, fy: float) -> Spot:
    """Return a spot of a smaller picture in the pixels of one ``fx`` times as wide and ``fy`` times as tall."""
    ux, uy = spot.up[0] * fx, spot.up[1] * fy
    grown = math.hypot(ux, uy)
    place = ((spot.x + 0.5) * fx - 0.5, (spot.y + 0.5) * fy - 0.5)
    return Spot(*place, (ux / grown, uy / grown), spot.height * grown, spot.heat)


def _looked_at(picture: Image, reader: IndexReader) -> list[IndexReading]:
    """Return the readings at all scales, coarse to fine; an index that several scales show comes several times.

    Places that are perhaps none come too; the second reader is asked of all of them at once, later.
    """
    readings: list[IndexReading] = []
    longest = max(picture.shape[:2])
    for shrink in LEVELS:
        side = longest / shrink
        if not (SIDES[0] <= side <= SIDES[1]) and not (shrink == 1.0 and side < SIDES[0]):
            continue
        found = _at_level(picture, reader, shrink)
        readings += found
        # only what was read says how large indices are here: a coarse look takes a card's pips and figures for some
        sure = [r.spot.height / shrink / BASE_HEIGHT for r in found if _sure(r)]
        dear = 4 * side * min(picture.shape[:2]) / shrink > CHEAP  # the next level has four times the pixels
        if dear and len(sure) >= ASKED and min(sure) >= ENOUGH:
            break
    return readings


def _at_level(picture: Image, reader: IndexReader, shrink: float) -> list[IndexReading]:
    """Find indices in the picture shrunk by ``shrink``, of this level's size only, and read them."""
    spots = []
    for spot in reader.finder.find(picture, shrink, MIN_HEAT, BESIDE):
        tall = spot.height / shrink / BASE_HEIGHT
        if RANGE[0] < tall < RANGE[1] and spot.height >= MIN_INDEX_PX:
            spots.append(spot)
    return [r for r in reader.read(picture, spots) if r.face is not None or _nothing_doubted(r)]
