"""Rows keep their numbers and cards their places, whatever grows, hides or is missed."""

from __future__ import annotations

import pytest

from hw.seats import Seat
from vision.meld_rows import MeldCard, RowBook


def _column(x: float, faces: str, top: float = 310.0, pitch: float = 18.0) -> list[MeldCard]:
    return [MeldCard(face, x, top - n * pitch) for n, face in enumerate(faces.split())]


def _place(book: RowBook, cards: list[MeldCard], *, hidden: bool = False) -> list[tuple[int, int]]:
    return book.place("melds-NS", Seat.NORTH, cards, hidden=hidden)


def test_order_counts_from_the_keepers_edge_whoever_keeps() -> None:
    for keeper, turn in {
        Seat.NORTH: (0, 1), Seat.SOUTH: (0, -1), Seat.EAST: (1, 0), Seat.WEST: (-1, 0),
    }.items():  # fmt: skip
        cards = [MeldCard(f, turn[0] * d, turn[1] * d) for f, d in (("5H", 260.0), ("7H", 300.0), ("6H", 280.0))]
        assert RowBook().place("melds-NS", keeper, cards, hidden=False) == [(0, 2), (0, 0), (0, 1)]


def test_a_growing_row_keeps_its_number_at_either_end() -> None:
    book = RowBook()
    assert {n for n, _ in _place(book, _column(0, "4H 5H 6H") + _column(65, "KS KD KC"))} == {0, 1}
    grown = _column(0, "3H 4H 5H 6H 7H") + _column(65, "KS KD KC KH") + _column(130, "9C TC JC")
    assert [n for n, _ in _place(book, grown)] == [0] * 5 + [1] * 4 + [2] * 3


def test_columns_that_lie_half_over_each_other_are_two_rows() -> None:
    numbers = [n for n, _ in _place(RowBook(), _column(0, "4H 5H 6H") + _column(32.5, "KS KD KC"))]
    assert len(set(numbers[:3])) == len(set(numbers[3:])) == 1
    assert numbers[0] != numbers[3]


def test_missed_cards_do_not_split_a_row() -> None:
    book = RowBook()
    whole = _column(0, "4H 5H 6H 7H 8H 9H TH")
    _place(book, whole)
    assert [n for n, _ in _place(book, [whole[0], whole[1], whole[5], whole[6]])] == [0] * 4


def test_a_row_that_an_arm_hid_comes_back_under_its_number() -> None:
    book = RowBook()
    both = _column(0, "4H 5H 6H") + _column(65, "KS KD KC")
    _place(book, both)
    for _ in range(10):
        _place(book, both[3:], hidden=True)
    assert _place(book, both) == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]


def test_a_row_that_is_gone_gives_its_number_to_no_other() -> None:
    book = RowBook()
    _place(book, _column(0, "4H 5H 6H"))
    for _ in range(4):
        _place(book, [])
    assert {n for n, _ in _place(book, _column(0, "9S TS JS"))} == {1}
    book.new_deal()
    assert {n for n, _ in _place(book, _column(0, "9S TS JS"))} == {0}


@pytest.mark.parametrize("shift", [0.0, 120.0])
def test_a_row_laid_elsewhere_is_known_by_its_cards(shift: float) -> None:
    book = RowBook()
    _place(book, _column(0, "4H 5H 6H 7H"))
    assert {n for n, _ in _place(book, _column(shift, "4H 5H 6H 7H 8H"))} == {0}
