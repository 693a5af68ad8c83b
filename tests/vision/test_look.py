"""Photographs: an index in doubt is read again a little larger and smaller, and what all three looks say counts."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from hw.pack.raster import face_bgra
from vision.finder import Spot
from vision.index_reader import FACES, NOTHING, Reader, Reading, Scores
from vision.look import find_everywhere, prepared
from vision.pictures import Image
from vision.see import see_picture

PICTURE = np.zeros((300, 300, 3), np.uint8)
TALL = 30.0


def _scores(**shares: float) -> Scores:
    scores = np.full(NOTHING + 1, 1e-5)
    for name, share in shares.items():
        scores[NOTHING if name == "nothing" else FACES.index(name[::-1] if name[0] in "HDCS" else name)] = share
    return np.asarray(scores / scores.sum())


class _Finder:
    """Finds one index, looking at full size."""

    def find(self, picture: Image, shrink: float, sure: float, beside: float = 0.5) -> list[Spot]:
        whole = shrink == 1.0 and picture.shape == PICTURE.shape and sure < 0.9 and beside < 0.38
        return [Spot(100.0, 100.0, (0.0, -1.0), TALL, 0.9)] if whole else []


class _Reader(Reader):
    """Reads at the height found, larger and smaller what it was told to."""

    def __init__(self, found: Scores, smaller: Scores, larger: Scores) -> None:
        self.finder = _Finder()  # type: ignore[assignment]
        self.told, self.asked = (smaller, found, larger), 0

    def read(self, picture: Image, spots: list[Spot], wider: float = 1.0) -> list[Reading]:
        self.asked += len(spots) if picture.size and wider == 1.0 else 0
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


class _Fan(_Finder):
    """Finds two indices so many heights apart."""

    def __init__(self, apart: float) -> None:
        self.apart = apart

    def find(self, picture: Image, shrink: float, sure: float, beside: float = 0.5) -> list[Spot]:
        """The first is hotter."""
        first = super().find(picture, shrink, sure, beside)
        return first + [replace(s, x=s.x + self.apart * TALL, heat=0.8) for s in first]


class _Beside(_Reader):
    """Reads what stands left and what stands right of it."""

    def __init__(self, apart: float, left: Scores, right: Scores) -> None:
        self.finder = _Fan(apart)  # type: ignore[assignment]
        self.left, self.right = left, right

    def read(self, picture: Image, spots: list[Spot], wider: float = 1.0) -> list[Reading]:
        """The same at any height."""
        assert picture.size
        assert wider == 1.0
        return [Reading(s, self.left if s.x == 100.0 else self.right) for s in spots]


@pytest.mark.parametrize(
    ("apart", "right", "seen"),
    [
        (0.38, _scores(D9=0.98), ["7H", "9D"]),  # two cards of a fan
        (0.38, _scores(H7=0.98), ["7H"]),  # one index, found twice
        (0.38, _scores(D7=0.6, H7=0.39), ["7H"]),  # and misread once
        (0.25, _scores(D9=0.98), ["7H"]),  # no two indices lie so close
        (0.60, _scores(H7=0.98), ["7H", "7H"]),
    ],
)
def test_two_indices_that_lie_close_are_two_where_both_are_read_surely(
    apart: float, right: Scores, seen: list[str]
) -> None:
    readings = find_everywhere(PICTURE, _Beside(apart, _scores(H7=0.99), right))
    assert [r.face for r in readings] == seen


def _table(*faces: str) -> Image:
    """Small sharp cards on cloth: their indices are some 17 px tall."""
    out = np.full((200, 100 * len(faces), 3), (60, 96, 34), np.uint8)
    for n, face in enumerate(faces):
        card = cv2.resize(face_bgra(face, px_per_mm=4), None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA)
        out[40 : 40 + card.shape[0], 10 + 100 * n : 10 + 100 * n + card.shape[1]] = card[..., :3]
    return out


def test_small_sharp_print_is_not_taken_for_specks() -> None:
    """A filter against specks would melt the pips of clubs and spades into one shape."""
    picture = _table("7S", "QC", "4C", "8S", "KC", "9S")
    assert prepared(picture) is picture
    assert sorted(c["card"] for c in see_picture(picture, Reader())) == ["4C", "7S", "8S", "9S", "KC", "QC"]


def test_specks_are_filtered_out() -> None:
    picture = _table("7S", "QC", "4C").copy()
    random = np.random.default_rng(4).random(picture.shape[:2])
    picture[random < 0.002], picture[random > 0.998] = 0, 255
    assert prepared(picture) is not picture
