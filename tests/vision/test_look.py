"""Photographs: an index in doubt is read again a little larger and smaller, and what all three looks say counts."""

from __future__ import annotations

import numpy as np
import pytest

from vision.finder import Spot
from vision.index_reader import FACES, NOTHING, Reader, Reading, Scores
from vision.look import find_everywhere
from vision.pictures import Image

PICTURE = np.zeros((300, 300, 3), np.uint8)
TALL = 30.0


def _scores(**shares: float) -> Scores:
    scores = np.full(NOTHING + 1, 1e-5)
    for name, share in shares.items():
        scores[NOTHING if name == "nothing" else FACES.index(name[::-1] if name[0] in "HDCS" else name)] = share
    return np.asarray(scores / scores.sum())


class _Finder:
    """Finds one index, looking at full size."""

    def find(self, picture: Image, shrink: float, sure: float) -> list[Spot]:
        whole = shrink == 1.0 and picture.shape == PICTURE.shape and sure < 0.9
        return [Spot(100.0, 100.0, (0.0, -1.0), TALL, 0.9)] if whole else []


class _Reader(Reader):
    """Reads at the height found, larger and smaller what it was told to."""

    def __init__(self, found: Scores, smaller: Scores, larger: Scores) -> None:
        self.finder = _Finder()  # type: ignore[assignment]
        self.told, self.asked = (smaller, found, larger), 0

    def read(self, picture: Image, spots: list[Spot]) -> list[Reading]:
        self.asked += len(spots) if picture.size else 0
        return [Reading(s, self.told[1 + (s.height > TALL + 0.1) - (s.height < TALL - 0.1)]) for s in spots]


def test_an_index_in_doubt_is_what_three_looks_say_together() -> None:
    reader = _Reader(_scores(H5=0.6, H3=0.39), _scores(H3=0.9, H5=0.1), _scores(H3=0.9, H5=0.1))
    (reading,) = find_everywhere(PICTURE, reader)
    assert reading.face == "3H"
    assert 0.6 < reading.confidence < 0.9
    assert reading.spot.height == TALL
    assert float(reading.scores.sum()) == pytest.approx(1.0)


def test_what_two_other_looks_take_for_nothing_is_left_out() -> None:
    reader = _Reader(_scores(H7=0.8, nothing=0.2), _scores(nothing=0.99), _scores(nothing=0.99))
    assert find_everywhere(PICTURE, reader) == []


def test_an_index_read_surely_is_read_once() -> None:
    reader = _Reader(_scores(H7=0.999), _scores(nothing=0.99), _scores(nothing=0.99))
    (reading,) = find_everywhere(PICTURE, reader)
    assert (reading.face, reader.asked) == ("7H", 1)
