"""A lone corner is believed from less evidence where it stands in a row of cards, and never as a card told already."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from vision.grouping import Corner
from vision.index_reader import FACES, Scores
from vision.see import told_cards

TALL = 20.0


def _scores(face: str, sure: float) -> Scores:
    scores = np.full(len(FACES) + 1, (1 - sure) / len(FACES))
    scores[FACES.index(face)] = sure
    return np.asarray(scores / scores.sum())


def _corner(
    face: str, sure: float, x: float = 0.0, *, turn: float = 0.0, tall: float = TALL, heat: float = 0.8
) -> Corner:
    a = math.radians(turn)
    return Corner(x, 0.0, (math.cos(a), math.sin(a)), (-math.sin(a), math.cos(a)), tall, _scores(face, sure), heat)


def _faces(*corners: Corner) -> list[str]:
    return sorted(card.found.face for card in told_cards(list(corners)))


def test_a_lone_corner_beside_a_sure_one_is_a_card_of_their_row() -> None:
    assert _faces(_corner("7H", 0.98), _corner("9C", 0.75, 1.2 * TALL)) == ["7H", "9C"]


@pytest.mark.parametrize(
    "alone",
    [
        _corner("9C", 0.75, 6 * TALL),  # too far for a neighbour
        _corner("9C", 0.75, 1.2 * TALL, turn=90),  # turned another way
        _corner("9C", 0.75, 1.2 * TALL, tall=2 * TALL),  # of another size
        _corner("9C", 0.65, 1.2 * TALL),  # read less surely
        _corner("9C", 0.75, 1.2 * TALL, heat=0.35),  # found less surely
        _corner("JK", 0.75, 1.2 * TALL),  # a joker's index has no common form
        _corner("7H", 0.75, 1.2 * TALL),  # told already: more often that card's other corner
    ],
)
def test_a_doubtful_lone_corner_is_not_believed(alone: Corner) -> None:
    assert _faces(_corner("7H", 0.98), alone) == ["7H"]


def test_doubtful_corners_do_not_prove_each_other() -> None:
    assert _faces(_corner("7H", 0.8), _corner("9C", 0.8, 1.2 * TALL)) == []


def _both_ends(one: float, other: float, face: str = "7H", other_face: str | None = None) -> list[str]:
    first, second = _corner(face, one, heat=0.4), _corner(other_face or face, other, turn=180)
    return _faces(first, replace(second, x=2.6 * TALL, y=3.4 * TALL))


def test_two_doubtful_looks_at_one_print_do_not_make_a_card() -> None:
    assert _both_ends(0.45, 0.45) == []


def test_a_fair_look_and_a_doubtful_one_do() -> None:
    assert _both_ends(0.55, 0.45) == ["7H"]


def test_of_a_joker_both_ends_must_look_like_one() -> None:
    assert _both_ends(0.9, 0.7, "JK") == ["JK"]
    assert _both_ends(0.9, 0.5, "JK") == []


def test_an_index_that_is_read_is_not_the_other_end_of_a_joker() -> None:
    assert _both_ends(0.999, 0.9, "JK", "2H") == ["2H"]
