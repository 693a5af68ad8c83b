"""A joker of a row that was not read is told by a closer look at its place, and no other card is taken for one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from hw.cards import JOKER, UNKNOWN
from table_service.photographs.photograph_reading import read_photograph
from vision.index_reader import IndexReader
from vision.jokers_in_rows import with_jokers
from vision.laid_groups import LaidGroup

Draw = Callable[..., np.ndarray]
MELD = ["4H", "5H", JOKER, "7H", "8H"]


def _unread(group: LaidGroup, place: int) -> LaidGroup:
    """``group`` with the card at ``place`` as one that is only known by the room that it takes."""
    cards = [
        replace(card, face=UNKNOWN, confidence=0.0, at=None, index=None, indices=np.zeros((0, 2)))
        if n == place
        else card
        for n, card in enumerate(group.cards)
    ]
    return replace(group, cards=tuple(cards))


@pytest.fixture(scope="module")
def picture(drawn: Draw) -> np.ndarray:
    return np.asarray(drawn([MELD, ["KC", "KD", "KS"]]), np.uint8)


@pytest.fixture(scope="module")
def meld(picture: np.ndarray, reader: IndexReader) -> LaidGroup:
    groups = read_photograph(picture, "melds-NS", reader).groups
    (meld,) = [group for group in groups if group.faces == tuple(MELD)]
    return meld


@pytest.mark.parametrize("place", range(len(MELD)))
def test_only_the_joker_is_told_at_a_place_where_a_card_was_not_read(
    picture: np.ndarray, meld: LaidGroup, reader: IndexReader, place: int
) -> None:
    (told,) = with_jokers([_unread(meld, place)], picture, reader)
    expected = [UNKNOWN if n == place and face != JOKER else face for n, face in enumerate(MELD)]
    assert list(told.faces) == expected
    assert told.cards[2].confidence >= 0.9


def test_a_joker_that_was_read_is_not_told_once_more_at_a_place_beside_it(
    picture: np.ndarray, meld: LaidGroup, reader: IndexReader
) -> None:
    """As where a row seems to have room at its joker for two cards."""
    joker = meld.cards[2]
    there = replace(joker, face=UNKNOWN, confidence=0.0, at=None, likely=JOKER)
    (told,) = with_jokers([replace(meld, cards=(*meld.cards[:2], there, *meld.cards[2:]))], picture, reader)
    assert told.faces.count(JOKER) == 1


def test_a_row_of_which_all_was_read_is_as_it_was(picture: np.ndarray, meld: LaidGroup, reader: IndexReader) -> None:
    assert with_jokers([meld], picture, reader) == [meld]
