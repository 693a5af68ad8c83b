"""Photographs: an index in doubt is read again by a second reader and by its card, and what all say counts."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hw.cards import RANKS, SUITS
from hw.pack.raster import face_bgra
from vision.finder import Spot
from vision.index_reader import FACES, NOTHING, IndexReader, IndexReading, Scores
from vision.look import BESIDE_OTHERS, BY_ITSELF, context_weight, find_everywhere, prepared
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


class _Second:
    """Says what it was told to, wherever it is asked."""

    def __init__(self, told: str) -> None:
        self.told, self.asked = told, 0

    def answers(self, picture: Image, spots: list[Spot]) -> NDArray[np.float64]:
        self.asked += len(spots) if picture.size else 0
        out = np.zeros((len(spots), 20))
        if self.told == "nothing":
            out[:, 19] = 4.0
        else:
            out[:, (RANKS.index(self.told[0]), 13 + SUITS.index(self.told[1]), 17)] = 6.0
        return out


class _Context:
    """Says what it was told to of the card beside each index; "" where it cannot tell."""

    def __init__(self, told: str) -> None:
        self.told = told

    def answers(self, picture: Image, spots: list[Spot]) -> NDArray[np.float64]:
        out = np.zeros((len(spots) if picture.size else 0, 17))
        if self.told:
            out[:, (RANKS.index(self.told[0]), 13 + SUITS.index(self.told[1]))] = 3.0
        return out


class _Reader(IndexReader):
    """Reads what it was told to; so do its second and its context reader."""

    def __init__(self, found: Scores, second: str, context: str = "") -> None:
        self._context = _Context(context)  # type: ignore[assignment]
        self.finder = _Finder()  # type: ignore[assignment]
        self.pack = None
        self.found, self.asked, self.other = found, 0, _Second(second)
        self._second = self.other  # type: ignore[assignment]

    def read(self, picture: Image, spots: list[Spot], wider: float = 1.0) -> list[IndexReading]:
        self.asked += len(spots) if picture.size and wider == 1.0 else 0
        return [IndexReading(s, self.found) for s in spots]


def test_an_index_in_doubt_is_what_both_readers_say_together() -> None:
    reader = _Reader(_scores(H5=0.6, H3=0.39), "3H")
    (reading,) = find_everywhere(PICTURE, reader)
    assert reading.face == "3H"
    # the second reader's logits differ by 6 and count twice of three
    one, other = (float(reading.scores[FACES.index(face)]) for face in ("3H", "5H"))
    assert one / other == pytest.approx((0.39 / 0.6 * math.exp(2 * 6.0)) ** (1 / 3))
    assert reading.spot.height == TALL
    assert float(reading.scores.sum()) == pytest.approx(1.0)


def test_where_readers_differ_the_card_beside_the_index_decides() -> None:
    """A flat-topped three that is read as a five: the card shows no pip where a five has one."""
    for beside, told in (("5H", "5H"), ("3H", "3H")):
        (reading,) = find_everywhere(PICTURE, _Reader(_scores(H5=0.6, H3=0.39), "7H", beside))
        assert reading.face == told
    without = find_everywhere(PICTURE, _Reader(_scores(H5=0.6, H3=0.39), "7H"))[0].scores
    weighed = reading.scores / without
    assert weighed[FACES.index("3H")] / weighed[FACES.index("5H")] == pytest.approx(math.exp(BY_ITSELF * 3.0))


@pytest.mark.parametrize(
    ("right", "down", "tall", "weight"),
    [
        (1.0, 0.2, 1.0, BESIDE_OTHERS),  # the next card of a fan
        (1.0, 0.2, 2.0, BY_ITSELF),  # another pack's, or a pip
        (-1.0, 0.2, 1.0, BY_ITSELF),  # the card before it
        (1.0, 3.0, 1.0, BY_ITSELF),
        (0.0, 1.2, 1.0, BY_ITSELF),  # the next of a column, below
    ],
)
@pytest.mark.parametrize("degrees", [0, 75, 200])
def test_beside_another_index_the_card_counts_less(
    right: float, down: float, tall: float, weight: float, degrees: int
) -> None:
    a = math.radians(degrees)
    ux, uy = math.sin(a), -math.cos(a)
    one = Spot(100.0, 100.0, (ux, uy), TALL, 0.9)
    x, y = one.x + (-uy * right - ux * down) * TALL, one.y + (ux * right - uy * down) * TALL
    assert context_weight(one, [one, Spot(x, y, (ux, uy), TALL * tall, 0.9)]) == weight


def test_what_the_second_reader_takes_for_nothing_is_left_out() -> None:
    assert find_everywhere(PICTURE, _Reader(_scores(H7=0.8, nothing=0.2), "nothing")) == []


def test_a_place_that_may_be_nothing_is_read_again_too() -> None:
    (reading,) = find_everywhere(PICTURE, _Reader(_scores(H7=0.3, nothing=0.7), "7H"))
    assert reading.face == "7H"


def test_what_is_surely_nothing_stays_nothing_whatever_the_second_reader_would_say() -> None:
    reader = _Reader(_scores(H7=0.02, nothing=0.98), "7H")
    assert find_everywhere(PICTURE, reader) == []
    assert reader.other.asked == 0


def test_an_index_read_surely_is_read_once() -> None:
    reader = _Reader(_scores(H7=0.999), "nothing")
    (reading,) = find_everywhere(PICTURE, reader)
    assert (reading.face, reader.asked, reader.other.asked) == ("7H", 1, 0)


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

    def read(self, picture: Image, spots: list[Spot], wider: float = 1.0) -> list[IndexReading]:
        """The same at any height."""
        assert picture.size
        assert wider == 1.0
        return [IndexReading(s, self.left if s.x == 100.0 else self.right) for s in spots]


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
    assert sorted(c["card"] for c in see_picture(picture, IndexReader())) == ["4C", "7S", "8S", "9S", "KC", "QC"]


def test_specks_are_filtered_out() -> None:
    picture = _table("7S", "QC", "4C").copy()
    random = np.random.default_rng(4).random(picture.shape[:2])
    picture[random < 0.002], picture[random > 0.998] = 0, 255
    assert prepared(picture) is not picture
