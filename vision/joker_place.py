"""An enrolled pack's joker that was found beside its place is moved there.

A joker's index is tall and has no common form: the finder marks it some millimetres too high or too low now and then,
and too tall, above all if two jokers lie one upon the other. There it looks like nothing the pack has; at its place
it looks like the pack's own joker, and within two millimetres to either side still does (cosine .98 there, .90 beside).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from hw.cards import JOKER
from vision.finder import Spot
from vision.index_reader import IndexReader, IndexReading
from vision.packs import OWN
from vision.pictures import Image
from vision.votes import FAIRLY, known_joker

STEP: Final = 0.12
"""Distance, in index heights, from one place that is tried to the next."""
STEPS: Final = 5
"""Number of places tried above and as many below."""
NEAR: Final = 0.5
"""Distance, in index heights, that two jokers' indices always have."""


def placed(readings: list[IndexReading], picture: Image, reader: IndexReader) -> list[IndexReading]:
    """Return the readings in the same order, those that show the enrolled joker only beside their spot moved there.

    Tried are spots where a joker is read that does not look like the pack's, and those that the network does not fairly
    confidently read as another card. If two come to one place, the second is left as it was.
    """
    if reader.pack is None:
        return readings
    known = [r.spot for r in readings if known_joker(r.face, r.alike)]
    heights = [r.spot.height for r in readings if r.alike >= OWN]
    usual = float(np.median(heights)) if heights else None
    out = []
    for reading in readings:
        if _may_be_beside(reading):
            there = _best_place(replace(reading.spot, height=usual or reading.spot.height), picture, reader)
            if there is not None and not any(_near(there.spot, spot) for spot in known):
                known.append(there.spot)
                reading = there  # noqa: PLW2901 - the same index at its place
        out.append(reading)
    return out


def _may_be_beside(reading: IndexReading) -> bool:
    if reading.face is None or reading.alike >= OWN:
        return reading.face is None
    return reading.face == JOKER or float(reading.unaided[reading.scores.argmax()]) < FAIRLY


def _best_place(spot: Spot, picture: Image, reader: IndexReader) -> IndexReading | None:
    """Return the reading along the index's axis most like the pack's joker; None if none is like it."""
    steps = [n * STEP * spot.height for n in range(-STEPS, STEPS + 1) if n]
    tried = [replace(spot, x=spot.x + step * spot.up[0], y=spot.y + step * spot.up[1]) for step in steps]
    jokers = [r for r in reader.read(picture, tried) if known_joker(r.face, r.alike)]
    return max(jokers, key=lambda r: r.alike, default=None)


def _near(one: Spot, other: Spot) -> bool:
    return bool(np.hypot(one.x - other.x, one.y - other.y) < NEAR * min(one.height, other.height))
