"""What ``lab.vision.measure.tricks`` plays with and how it counts."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from hw.cards import TAROCCO
from hw.layout import CARD_HEIGHT, CARD_WIDTH
from hw.observations import Sight, SightedCard
from hw.twin.scene import PlacedCard
from lab.vision.measure.tricks import counted, crossing, free, pair
from lab.vision.train.tarocchi import drawn_tarocchi


def _told(name: str, x: float) -> SightedCard:
    return SightedCard(name, "trick", x, 0.0, 0.0, "up", 0.9)


def test_a_pack_drawn_at_random_has_62_faces_that_differ_and_is_another_with_another_number() -> None:
    five, six = drawn_tarocchi(5), drawn_tarocchi(6)
    faces = {name: five(name, 2.0).astype(np.int16) for name in TAROCCO.copies}
    assert len({picture.tobytes() for picture in faces.values()}) == 62
    assert all(np.abs(picture - six(name, 2.0)).max() > 60 for name, picture in faces.items())


def test_the_cards_of_a_trick_cross_and_lie_in_its_zone() -> None:
    cards = crossing(["KC", "9D", "t5", "8S"], np.random.default_rng(1))
    assert [card.card for card in cards] == ["KC#1", "9D#1", "t5#1", "8S#1"]
    assert all(abs(card.x) < 60 and abs(card.y) < 60 for card in cards)


def _shared(one: PlacedCard, other: PlacedCard) -> float:
    """How much of a card the two share."""
    ring, over = (cv2.boxPoints(((card.x, card.y), (CARD_WIDTH, CARD_HEIGHT), card.angle)) for card in (one, other))
    return float(cv2.intersectConvexConvex(ring, over)[0]) / (CARD_WIDTH * CARD_HEIGHT)


@pytest.mark.parametrize("seed", range(5))
def test_free_cards_share_nothing_and_the_second_of_a_pair_hides_a_third_of_the_first(seed: int) -> None:
    names = ["KC", "9D", "t5", "8S"]
    lying = free(names, np.random.default_rng(seed))
    assert max(_shared(one, other) for n, one in enumerate(lying) for other in lying[:n]) == 0
    assert 0.30 < _shared(*pair(names, np.random.default_rng(seed))) <= 1 / 3


def test_a_name_that_is_wrong_or_stands_at_another_place_counts_as_wrong_and_an_unknown_card_as_untold() -> None:
    laid = [PlacedCard("KC#1", 0, 0, 0, face_up=True), PlacedCard("m3#1", 60, 0, 0, face_up=True)]
    index = SimpleNamespace(alike={"m3": frozenset({"m4"})})

    def judged(*told: SightedCard) -> Counter[str]:
        return counted(Sight(0.0, told, (), 1), laid, [1.0, 0.5], index)

    right = judged(_told("KC", 1.0), _told("m4", 61.0))
    assert (right["named"], right["wrong"], right["cards of which two thirds show"]) == (2, 0, 1)
    assert judged(_told("QC", 1.0))["wrong"] == 1
    assert judged(_told("KC", 40.0))["wrong"] == 1
    unknown = judged(_told("??", 0.0))
    assert (unknown["told"], unknown["wrong"], unknown["named"], unknown["cards"]) == (0, 0, 0, 2)
