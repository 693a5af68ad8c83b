"""In a picture of one pack a face that lies elsewhere is no candidate; in one of two packs it may come twice."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hw.cards import RANKS
from vision.grouping import Corner
from vision.index_reader import FACES, Scores
from vision.see import told_cards

TALL = 20.0
LAID = [rank + suit for suit in "HDC" for rank in RANKS]
"""The 39 cards of three rows; spades are left over."""


def _scores(**sure: float) -> Scores:
    scores = np.full(len(FACES) + 1, 1e-4)
    for face, share in sure.items():
        scores[FACES.index(face.lstrip("_"))] = share
    return np.asarray(scores / scores.sum())


def _corner(scores: Scores, x: float, y: float, turn: float = 0.0) -> Corner:
    a = math.radians(turn)
    return Corner(x, y, (math.cos(a), math.sin(a)), (-math.sin(a), math.cos(a)), TALL, scores, 0.8)


def _rows(faces: list[str]) -> list[Corner]:
    """Corners read surely, thirteen to a row, far enough apart for no two to be of one card."""
    return [_corner(_scores(**{"_" + f: 0.98}), n % 13 * 1.2 * TALL, n // 13 * 30 * TALL) for n, f in enumerate(faces)]


def _faces(*corners: Corner) -> list[str]:
    return sorted(card.found.face for card in told_cards(list(corners)))


AT = (14 * TALL, 45 * TALL)
"""Where no other card lies near."""


def test_clubs_or_spades_is_no_question_where_the_club_lies_elsewhere() -> None:
    torn = _corner(_scores(KS=0.5, KC=0.48), *AT)
    assert _faces(torn) == []
    assert _faces(*_rows(LAID), torn) == sorted([*LAID, "KS"])


def test_the_surer_of_two_of_one_face_is_settled_first() -> None:
    sure, torn = _corner(_scores(KS=0.95, KC=0.04), AT[0], -AT[1]), _corner(_scores(KS=0.55, KC=0.43), *AT)
    others = [f for f in LAID if f != "KC"]
    told = {card.found.corners: card.found.face for card in told_cards([*_rows(others), torn, sure])}
    assert (told[38,], told[39,]) == ("KC", "KS")


@pytest.mark.parametrize("sure", [0.87, 0.93, 0.97])
def test_a_face_told_surely_is_not_told_again_in_a_picture_of_one_pack(sure: float) -> None:
    again = _corner(_scores(_7D=sure, _7S=0.02), *AT)
    assert _faces(*_rows(LAID), again) == sorted(LAID)


def test_cards_of_two_packs_are_told_twice() -> None:
    double = LAID[:26] + LAID[:20]
    again = _corner(_scores(_7C=0.93, _7S=0.02), *AT)
    assert _faces(*_rows([*double, "7C"]), again) == sorted([*double, "7C", "7C"])


def test_few_cards_do_not_say_that_they_are_of_one_pack() -> None:
    assert _faces(*_rows(["7D", "KC"]), _corner(_scores(_7D=0.98), *AT)) == ["7D", "7D", "KC"]


def test_a_card_s_second_index_seen_askew_is_not_taken_for_another_card() -> None:
    # where the second index of the 7D (row 2, place 7) would lie, but turned so far that the two were not joined
    n = LAID.index("7D")
    x, y = n % 13 * 1.2 * TALL, n // 13 * 30 * TALL
    askew = _corner(_scores(_7D=0.6, _7S=0.38), x + 2.5 * TALL, y + 5 * TALL, 145)
    assert "7S" not in _faces(*_rows(LAID), askew)
