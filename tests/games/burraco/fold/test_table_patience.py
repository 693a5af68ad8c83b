"""Movements that would accuse somebody wait for evidence: a discard told late, a draw missed, melds laid unseen."""

from __future__ import annotations

from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from hw.seats import Seat
from table_service.games.burraco.fold.turn_doubts import TurnDoubts
from table_service.table.deferral import WAIT, Deferral
from table_service.tracking.movements import Movement, Track


class Watched:
    """A table whose tracker assures what the test says."""

    def __init__(self, script: Any) -> None:
        self.script, self.now, self.number = script, 100.0, 1000
        self.assured = {"stock": -inf, "discard": -inf}
        tracker: Any = SimpleNamespace(assured=lambda zone: self.assured[zone], assured_before=-inf)
        self.deferral = Deferral(TurnDoubts(script.fold.game.parts.course, tracker), self._told)

    def _told(self, track: Track) -> None:
        self.script.events += self.script.fold.follow([track])

    def told(self, cards: str, source: str | None, target: str, seat: str | None, at: float, **more: Any) -> None:
        self.number += 1
        who = Seat(seat) if seat else None
        move = Movement(
            self.number,
            max(at, self.now),
            at,
            tuple(cards.split()),
            source,
            target,
            who,
            0.99,
            ("scale", "reach"),
            **more,
        )
        self.deferral.pass_on(move, self.now)

    def later(self, seconds: float) -> None:
        self.now += seconds
        self.deferral.look_at_time(self.now)

    def rows(self) -> list[str]:
        self.script.events += self.script.fold.drain()
        return [row for row, _, _ in self.script.verdicts()]


@pytest.fixture
def watched(script: Any) -> Watched:
    """W has drawn at 98 s and is to discard."""
    one = Watched(script)
    one.told("??", "stock", "hand-W", "W", 98.0)
    return one


def test_a_draw_before_the_discard_was_told_is_in_order_once_it_is_told(watched: Watched) -> None:
    watched.told("??", "stock", "hand-N", "N", 101.0)
    watched.later(1.0)
    watched.told("9C", "hand-W", "discard", "W", 100.5)
    deal = watched.script.fold.deal
    assert (deal.to_play, deal.turn, deal.drawn) == ("N", 2, True)
    assert watched.rows() == []


def test_a_discard_that_was_dated_late_is_the_one_that_was_missing(watched: Watched) -> None:
    watched.told("??", "stock", "hand-N", "N", 101.0)
    watched.told("9C", None, "discard", None, 102.5)
    assert watched.script.fold.deal.pile[-1] == "9C"
    assert watched.script.fold.deal.to_play == "N"
    assert watched.rows() == []


def test_f31a_a_draw_out_of_turn_is_told_at_once_where_the_pile_is_assured(watched: Watched) -> None:
    watched.assured["discard"] = inf
    watched.told("??", "stock", "hand-N", "N", 101.0)
    assert watched.rows() == ["F-31a"]


def test_a_draw_out_of_turn_that_nothing_assures_accuses_nobody(watched: Watched) -> None:
    watched.told("??", "stock", "hand-N", "N", 101.0)
    watched.later(WAIT + 1.5)
    deal = watched.script.fold.deal
    assert deal.count(Seat.NORTH) == 12
    assert not deal.sure_of(Seat.WEST)
    watched.told("7H 7D 7C", "hand-N", "melds-NS", "N", 104.0, row=0, result=("7H", "7D", "7C"))
    watched.told("4S", "hand-N", "discard", "N", 105.0)
    assert watched.rows() == []
    assert watched.script.fold.deal.size == 108


def test_a_draw_that_is_told_after_the_cards_it_allowed_is_in_order(script: Any) -> None:
    one = Watched(script)
    one.told("7H 7D 7C", "hand-W", "melds-EW", "W", 101.0, row=0, result=("7H", "7D", "7C"))
    one.told("??", "stock", "hand-W", "W", 99.0)
    one.later(WAIT + 2.0)
    assert one.rows() == []


def test_f30a_cards_laid_without_a_draw_are_told_where_stock_and_pile_are_assured(script: Any) -> None:
    one = Watched(script)
    one.assured = {"stock": inf, "discard": inf}
    one.told("7H 7D 7C", "hand-W", "melds-EW", "W", 101.0, row=0, result=("7H", "7D", "7C"))
    assert one.rows() == ["F-30a"]


def test_f30a_who_may_have_picked_up_the_pile_unheard_is_not_accused(script: Any) -> None:
    one = Watched(script)
    one.assured["stock"] = inf
    one.told("7H 7D 7C", "hand-W", "melds-EW", "W", 101.0, row=0, result=("7H", "7D", "7C"))
    assert one.rows() == []


def test_cards_laid_while_nobody_could_see_are_dated_before_the_discard(watched: Watched) -> None:
    watched.told("9C", "hand-W", "discard", "W", 100.5)
    watched.assured["discard"] = inf
    watched.told("7H 7D 7C", "hand-W", "melds-EW", "W", 101.5, row=0, result=("7H", "7D", "7C"), since=99.0)
    assert watched.rows() == []
    assert watched.script.fold.deal.meld(0).cards == ("7H", "7D", "7C")


def test_f27a_cards_laid_after_the_discard_in_plain_sight_are_told(watched: Watched) -> None:
    watched.told("9C", "hand-W", "discard", "W", 100.5)
    watched.assured["discard"] = inf
    watched.told("7H 7D 7C", "hand-W", "melds-EW", "W", 102.5, row=0, result=("7H", "7D", "7C"), since=101.5)
    assert watched.rows() == ["F-27a"]


def test_penalised_cards_that_are_discarded_leave_the_players_side(script: Any) -> None:
    script.draw("W")
    script.hands(W="2S TD KC 4H")
    script.move("2S#2", "hand-W", "side-W", "W")
    script.discard("W", "2S#2")
    deal = script.fold.deal
    assert deal.at("side-W") == ()
    assert [card.partition("#")[0] for card in deal.pile] == ["TD", "2S"]
