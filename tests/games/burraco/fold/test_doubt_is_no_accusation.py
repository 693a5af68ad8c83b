"""What no sensor vouches for makes doubt: a pot of which a part was seen to go, a weight that was contradicted."""

from __future__ import annotations

from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from hw.seats import Line, Seat
from table_service.games.burraco.counting import count_deal
from table_service.games.burraco.fold.turn_doubts import TurnDoubts
from table_service.table.deferral import Deferral
from table_service.tracking.movements import Counted, Movement, Shown, Track, Unverified

NO_BONUS = dict.fromkeys(Line, 0)


def _over(script: Any) -> None:
    """W has closed; the others hold one card each."""
    script.draw("W")
    script.lay("W", 90, "3H 4H 5H 6H 7H 8H 9H")
    script.hands(W="")
    script.take_pot("W", giver="N")
    script.hands(W="4S", N="QS", E="3D", S="3C")
    script.discard("W", "4S")


def test_a_hand_that_is_gathered_settles_no_count(script: Any) -> None:
    _over(script)
    script.hands(N="")
    for seat, cards in (("N", "QS"), ("E", "3D"), ("S", "3C")):
        script.shown(seat, cards)
    script.press("N", "count")
    assert "NS.hand" in script.of("score.counted")[-1].data.doubtful
    early = script.t - 1.5  # when the frames showed it, before the count was asked for
    script.take(Shown(script.t + 1.0, early, "hand-N", (), Seat.NORTH, 0.99, ("sight",)))
    assert "NS.hand" in script.of("score.counted")[-1].data.doubtful


def test_a_hand_that_is_gathered_before_the_count_counts_as_it_lay(script: Any) -> None:
    _over(script)
    for seat, cards in (("N", "QS"), ("E", "3D"), ("S", "3C"), ("N", "")):
        script.shown(seat, cards)
    script.press("N", "count")
    assert script.of("score.counted")[-1].data.lines["NS"]["items"]["hand"] == -15


@pytest.mark.parametrize(("count", "known"), [(3, False), (10, True), (11, True)])
def test_a_pot_of_which_only_a_few_cards_went_is_doubtful(script: Any, count: int, known: bool) -> None:
    script.draw("W")
    script.hands(W="")
    script.take_pot("W", giver="N", count=count)
    script.hands(W="3C", E="3D")
    deal = script.fold.deal.over("time-out")
    shown = {Seat.WEST: ("3C",), Seat.EAST: ("3D",)}
    assert (count_deal(deal, shown, NO_BONUS).lines["EW"]["items"]["pot"] is not None) is known


@pytest.mark.parametrize(("turns", "known"), [("", False), ("N E S W", True)])
def test_a_pot_just_taken_by_one_of_two_hands_that_nobody_knows_is_doubtful(
    script: Any, turns: str, known: bool
) -> None:
    script.draw("W")
    script.hands(W="4S")
    script.discard("W", "4S")
    script.take_pot("W", giver="N")
    for seat in turns.split():
        script.turn(seat)
    shown = {Seat.EAST: (), Seat.WEST: ("3C",) * 11}
    counted = count_deal(script.fold.deal.over("time-out"), shown, NO_BONUS)
    assert counted.lines["EW"]["items"]["hand"] is None
    assert (counted.lines["EW"]["items"]["pot"] is not None) is known


def test_f26e_a_card_that_only_a_contradicted_scale_tells_of_accuses_nobody(script: Any) -> None:
    script.draw("W")
    script.take(Unverified(script.t, "discard", "the weight has changed although nothing came or went"))
    script.move("?? 7H", "hand-W", "discard", "W")
    assert script.verdicts() == []


def test_a_plate_whose_node_started_anew_is_not_checked_by_what_it_told_before(make_script: Any) -> None:
    script = make_script(pots=None, stock=None)
    for track in (Counted(script.t, "pots", 0, 1.0), Unverified(script.t, "pots", "table started anew")):
        script.take(track)
    script.counted("stock", 42)
    script.turn_up()
    assert script.verdicts() == []
    assert len(script.fold.deal.at("pot-1")) == 11


def test_f30a_a_draw_of_which_nobody_saw_the_hand_waits_for_the_discard_before_it(script: Any) -> None:
    """It is committed after that discard, which the scale tells later: so it is the next player's."""

    def told(track: Track) -> None:
        script.events += script.fold.follow([track])

    tracker: Any = SimpleNamespace(assured=lambda _zone: -inf, assured_before=-inf)
    deferral = Deferral(TurnDoubts(script.fold.game.parts.course, tracker), told)

    def move(number: int, card: str, source: str | None, target: str | None, seat: Seat | None, t: float) -> None:
        sure = 0.99 if seat else 0.5
        deferral.pass_on(Movement(number, 110.0, t, (card,), source, target, seat, sure, ("scale",)), 110.0)

    move(1001, "??", "stock", "hand-W", Seat.WEST, 98.0)
    move(1002, "??", "stock", None, None, 104.5)
    move(1003, "9C", "hand-W", "discard", Seat.WEST, 101.3)
    deferral.look_at_time(110.0)
    deal = script.fold.deal
    assert (deal.to_play, deal.drawn) == (Seat.NORTH, True)


def test_what_cards_exposed_to_the_end_of_a_deal_cost_is_doubtful_for_their_line_alone(script: Any) -> None:
    script.draw("W")
    script.hands(E="8H 9H 3D")
    script.expose("E", "8H 9H")
    deal = script.fold.deal.over("time-out")
    doubtful = count_deal(deal, {Seat.EAST: ("3D",)}, NO_BONUS).doubtful
    assert "EW.penalised" in doubtful
    assert "NS.penalised" not in doubtful


@pytest.mark.parametrize(("laid", "assured"), [("3S#1", False), ("3S#2", True)])
def test_f30a_who_lays_the_very_card_that_lay_on_the_pile_has_picked_it_up_whatever_scales_say(
    script: Any, laid: str, assured: bool
) -> None:
    """The pile of one card went and another came while its scale could not be read: it weighs the same."""
    script.turn("W", "3S#1")
    tracker: Any = SimpleNamespace(assured=lambda _zone: inf, assured_before=inf)
    doubts = TurnDoubts(script.fold.game.parts.course, tracker)
    move = Movement(
        1001, 110.0, 108.0, (laid, "3H#1", "3C#1"), "hand-N", "melds-NS", Seat.NORTH, 0.99, ("sight", "tags"), row=0
    )
    assert doubts.is_assured("stock", move) is assured
    deal = script.fold.deal
    doubts.unsettled(move, "stock")
    assert (deal.clouded, script.fold.deal.clouded) == (False, True), "and so nobody is accused in this turn"
