"""The row before one player, read from pictures that miss, misread and miscount: what is told of it, act by act."""

from __future__ import annotations

import pytest

from hw.observations import Sight, SightedCard
from hw.seats import Seat
from table_service.games.bridge.reading.acts import (
    Act,
    CardGone,
    CardPlayed,
    CardQuitted,
    CardRenamed,
    Faced,
    LaidFaceDown,
)
from table_service.games.bridge.reading.cards import CardsReader
from table_service.games.bridge.reading.looks import MOST

E = Seat.EAST
ZONE = "played-E"
Told = list[tuple[type[Act], str | None]]


class Row:
    """Pictures of what lies before East, half a second apart."""

    def __init__(self) -> None:
        self.reader = CardsReader()
        self.t = 0.0

    def look(self, *up: tuple[str, float], backs: int = 0, confidence: float = 0.99, hand: bool = False) -> Told:
        """A picture of cards ``up`` (face, mm along the row) and ``backs``, or with a ``hand`` over all of it."""
        self.t += 0.5
        cards = [SightedCard(face, ZONE, x, 0.0, 0.0, "up", confidence) for face, x in up]
        cards += [SightedCard("??", ZONE, -30.0 * n, -90.0, 0.0, "down", 0.99, None, n) for n in range(backs)]
        acts = self.reader.sight(Sight(self.t, () if hand else tuple(cards), (ZONE,) if hand else ()))
        return [(type(act), getattr(act, "new", None) or getattr(act, "card", None)) for act in acts]

    def looks(self, count: int, *up: tuple[str, float], backs: int = 0) -> Told:
        return [act for _ in range(count) for act in self.look(*up, backs=backs)]


def test_what_was_turned_was_turned_before_the_next_card_was_laid() -> None:
    row = Row()
    row.looks(3, ("9S", 0.0))
    row.look(hand=True)
    assert (CardGone, "9S") in row.looks(3), "its back was missed"
    assert row.look(("2D", 90.0), backs=1) == [(CardQuitted, "9S"), (CardPlayed, "2D")]


@pytest.mark.parametrize("off", [0.0, 22.0])
def test_a_face_that_two_single_looks_have_misread_is_no_other_card(off: float) -> None:
    row = Row()
    row.looks(3, ("9S", 0.0))
    assert row.look(("2D", 0.0)) == []
    row.looks(2, ("9S", 0.0))
    row.look(hand=True)
    assert row.look(("2D", off)) == []
    assert row.looks(2, ("9S", 0.0)) == []


def test_a_card_that_was_never_read_is_the_one_that_is_read_there_once_most_looks_show_no_back_more() -> None:
    row = Row()
    assert row.look(("6H", 0.0), confidence=0.3) == [(CardPlayed, "??")]
    row.look(hand=True)
    assert row.looks(MOST - 1, ("6H", 2.0)) == []
    assert row.look(("6H", 2.0)) == [(CardRenamed, "6H")]


def test_where_a_back_more_is_shown_what_was_never_read_was_turned_and_another_laid() -> None:
    row = Row()
    row.look(("6H", 0.0), confidence=0.3)
    row.look(hand=True)
    assert row.looks(2, ("6H", 2.0)) == []
    assert row.look(("6H", 2.0), backs=1) == [(CardQuitted, "??"), (CardPlayed, "6H")]


def test_one_look_at_another_face_where_a_card_has_vanished_is_no_card() -> None:
    row = Row()
    list(row.reader.sight(Sight(0.2, (SightedCard("??", "played-W", 0.0, 0.0, 0.0, "down", 0.99),))))
    row.looks(3, ("9S", 0.0))
    row.look(hand=True)
    assert (CardGone, "9S") in row.looks(3)
    assert row.look(("7H", 22.0)) == []
    assert row.look(("9S", 0.0)) == [(CardPlayed, "9S")]


def test_where_backs_are_left_out_one_look_at_the_next_card_is_a_card() -> None:
    row = Row()
    row.looks(3, ("9S", 0.0))
    row.look(hand=True)
    assert (CardGone, "9S") in row.looks(3)
    assert row.look(("7H", 22.0)) == [(CardPlayed, "7H")]


def test_a_card_that_was_turned_unseen_is_no_lead_that_is_turned_up_later() -> None:
    row = Row()
    row.look(backs=0)
    assert row.looks(2, backs=1) == [(LaidFaceDown, None)]
    assert row.look(("9S", 60.0), backs=1) == [(CardPlayed, "9S")]
    row.looks(2, ("9S", 60.0), backs=1)
    assert row.look(backs=2) == [(CardQuitted, "9S")]
    told = row.look(("2D", 120.0), backs=1)  # one of the two backs is missed
    assert told == [(CardPlayed, "2D")]
    assert Faced not in {kind for kind, _ in told}
