"""A card of a row that nobody could read is told as unknown, in its place; a pip where no card has room is not."""

from __future__ import annotations

import numpy as np
import pytest

from hw.layout import CARD_HEIGHT
from vision.finder import Spot
from vision.grouping import Corner, Found, IndexReach, to_cards
from vision.index_reader import FACES, NOTHING, IndexReading, Scores
from vision.unread_cards import unread
from vision.votes import MIN_CONFIDENCE, Seen, is_gone, like_before

REACH = IndexReach.of_card(CARD_HEIGHT)


def _scores(face: str, sure: float, nothing: float = 0.0) -> Scores:
    out = np.full(NOTHING + 1, (1 - sure - nothing) / NOTHING)
    out[FACES.index(face)], out[NOTHING] = sure, max(nothing, 1e-6)
    return np.asarray(out / out.sum(), np.float64)


def _corner(y: float, scores: Scores, heat: float = 0.9, x: float = 0.0) -> Corner:
    return Corner(x, y, (1.0, 0.0), (0.0, -1.0), 20.0, scores, heat)


def _told(doubted: Corner, ys: tuple[float, ...]) -> list[Found]:
    read = [_corner(y, _scores(f"{n + 4}C", 0.99)) for n, y in enumerate(ys)]
    return unread(to_cards(read, [], REACH), [*read, doubted], REACH)


@pytest.mark.parametrize(
    ("face", "sure", "nothing"),
    [("JK", 0.45, 0.5), ("JK", 0.5, 0.3)],
    ids=["likelier none of these", "too weak to be told"],
)
def test_a_marked_card_between_two_of_a_row_is_told_unknown(face: str, sure: float, nothing: float) -> None:
    (card,) = _told(_corner(20.0, _scores(face, sure, nothing), heat=0.5), (38.0, 2.0))
    assert card.confidence < MIN_CONFIDENCE
    assert card.y == pytest.approx(20.0 - REACH.down / 2)


@pytest.mark.parametrize(
    ("x", "y", "rows"),
    [
        (0.0, 20.0, (34.0, 16.0, -2.0)),  # each step as wide as the others
        (0.0, 20.0, (36.0, 4.0, -28.0)),  # a wide row whose steps are all the same
        (15.0, 20.0, (38.0, 2.0)),  # beside the row
        (0.0, 8.0, (38.0, 2.0)),  # at the next card's edge
        (0.0, -20.0, (38.0, 2.0)),  # beyond the last card
    ],
)
def test_a_pip_where_no_card_has_room_is_not_told(x: float, y: float, rows: tuple[float, ...]) -> None:
    assert _told(_corner(y, _scores("JK", 0.45, 0.5), heat=0.5, x=x), rows) == []


def test_an_unsure_look_neither_forgets_a_card_nor_keeps_another() -> None:
    spot = Spot(0.0, 0.0, (0.0, -1.0), 50.0, 0.5)
    joker = Seen(spot, _scores("JK", 0.94))
    assert like_before(IndexReading(spot, _scores("JK", 0.4, 0.5)), joker)
    assert not like_before(IndexReading(spot, _scores("7D", 0.4, 0.5)), joker)
    assert not like_before(IndexReading(spot, _scores("JK", 0.05, 0.88)), joker)


def test_only_looks_that_are_sure_make_a_corner_nothing() -> None:
    spot = Spot(0.0, 0.0, (0.0, -1.0), 50.0, 0.5)
    votes = _scores("JK", 0.01, 0.98)
    assert is_gone(Seen(spot, votes))
    assert not is_gone(Seen(spot, votes, votes=4, alone=_scores("JK", 0.3, 0.6)))
