"""A card's two corners are one card; two cards of one face stay two."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from hw.layout import CARD_HEIGHT
from vision.grouping import Corner, Found, IndexReach, outline, pair_up, to_cards
from vision.index_reader import FACES

REACH = IndexReach(51.7, 68.9)


def _scores(face: str, sure: float = 0.97) -> np.ndarray:
    scores = np.full(len(FACES) + 1, (1 - sure) / len(FACES))
    scores[FACES.index(face)] = sure
    return scores


def _corners(face: str, x: float, y: float, turn: float, error: float = 0.0, up: int = 1) -> list[Corner]:
    """Both corners of a card on a plane with y up (``up`` 1) or down (-1), their directions wrong by ``error`` deg."""
    out = []
    for half, wrong in ((0.0, error), (180.0, -error)):
        a, b = math.radians(turn + half), math.radians(turn + half + wrong)
        right, down = (math.cos(a), math.sin(a)), (up * math.sin(a), -up * math.cos(a))
        px = x - (right[0] * REACH.across + down[0] * REACH.down) / 2
        py = y - (right[1] * REACH.across + down[1] * REACH.down) / 2
        seen = (math.cos(b), math.sin(b)), (up * math.sin(b), -up * math.cos(b))
        out.append(Corner(px, py, *seen, 14.0, _scores(face)))
    return out


def _group(corners: list[Corner]) -> list[Found]:
    return to_cards(corners, pair_up(corners, REACH, 5.0), REACH)


@pytest.mark.parametrize("up", [1, -1])
@pytest.mark.parametrize("turn", [0.0, 33.0, 90.0, 200.0, 271.0])
def test_two_corners_are_one_card_whose_axes_come_from_where_they_lie(turn: float, up: int) -> None:
    (card,) = _group(_corners("7H", 12.0, -30.0, turn, error=8.0, up=up))
    assert (card.x, card.y) == pytest.approx((12.0, -30.0))
    a = math.radians(turn)
    along = abs(card.right[0] * math.cos(a) + card.right[1] * math.sin(a))
    assert along > math.cos(math.radians(0.1))
    assert card.right[0] * card.down[0] + card.right[1] * card.down[1] == pytest.approx(0.0, abs=1e-9)
    assert card.confidence > 0.99


def test_two_cards_of_one_face_are_two_cards() -> None:
    corners = _corners("7H", 0.0, 0.0, 0.0, 3.0) + _corners("7H", 70.0, 5.0, 2.0, -3.0)
    assert sorted(round(c.x) for c in _group(corners)) == [0, 70]


def test_corners_of_different_faces_are_never_joined() -> None:
    one, other = _corners("7H", 0.0, 0.0, 0.0)
    other = Corner(other.x, other.y, other.right, other.down, other.height, _scores("7D"))
    assert sorted(c.face for c in _group([one, other])) == ["7D", "7H"]


def _misread(corner: Corner, by: float) -> Corner:
    """The corner with its direction read wrongly by ``by`` degrees."""
    turn = math.radians(by)

    def turned(axis: tuple[float, float]) -> tuple[float, float]:
        x, y = axis
        return x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)

    return replace(corner, right=turned(corner.right), down=turned(corner.down))


@pytest.mark.parametrize("by", [-45.0, -24.5, 25.0, 50.0])
@pytest.mark.parametrize("which", [0, 1])
def test_a_card_of_which_one_index_seems_to_point_another_way_is_one_card(which: int, by: float) -> None:
    both = _corners("9H", 12.0, -30.0, 53.0, error=0.5)
    both[which] = _misread(both[which], by)
    (card,) = _group(both)
    assert (card.x, card.y) == pytest.approx((12.0, -30.0))
    assert abs(card.down[0] * math.sin(math.radians(53.0)) - card.down[1] * math.cos(math.radians(53.0))) > 0.999


@pytest.mark.parametrize("turn", [20.0, 40.0, 90.0])
def test_two_like_cards_one_upon_the_other_are_two_by_their_four_indices(turn: float) -> None:
    corners = _corners("9H", 0.0, 0.0, 0.0) + _corners("9H", 6.0, -8.0, turn)
    corners[1] = _misread(corners[1], 10.0)
    assert sorted(c.corners for c in _group(corners)) == [(0, 1), (2, 3)]


@pytest.mark.parametrize(("x", "y", "turn"), [(16.0, 0.0, 30.0), (0.0, -20.0, 40.0), (-30.0, 25.0, -35.0)])
def test_two_like_cards_of_which_one_index_each_shows_are_two(x: float, y: float, turn: float) -> None:
    one, other = _corners("9H", 0.0, 0.0, 0.0)[0], _corners("9H", x, y, turn)[1]
    assert len(_group([one, other])) == 2


def test_like_cards_at_right_angles_are_two_even_where_an_index_of_one_lies_in_the_other_s_place() -> None:
    one, other = _corners("9H", 0.0, 0.0, 0.0)
    assert len(_group([one, _misread(other, 90.0)])) == 2


def test_a_corner_alone_is_a_card_where_that_corner_says() -> None:
    (card,) = _group(_corners("JK", 40.0, 50.0, 90.0)[:1])
    assert (card.x, card.y) == pytest.approx((40.0, 50.0))
    ring = outline(card, CARD_HEIGHT)
    assert ring.mean(axis=0) == pytest.approx((40.0, 50.0))
    assert np.ptp(ring[:, 0]) == pytest.approx(88.0)


def test_without_scale_the_shape_of_a_card_decides() -> None:
    both = _corners("7H", 500.0, 400.0, 20.0, 4.0, up=-1)
    assert pair_up(both, None, 0.0) == [(0, 1)]
    assert pair_up([both[0], _corners("7H", 900.0, 400.0, 20.0, up=-1)[1]], None, 0.0) == []
