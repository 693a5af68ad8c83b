"""Ottocento: who may call himself out when, with which combinations, and what a wrong call costs."""

from __future__ import annotations

from typing import Final

import pytest

from hw.seats import Line, Seat
from hw.twin.gestures import ConsoleGesture, Gesture, PutAside, PutDown, Say, TakeUp, Tap, Wait
from table_service.games.tarocco.fold.calling_out import SHOWS_S, CallingOut, called, verdict
from table_service.games.tarocco.fold.course import Course
from table_service.games.tarocco.judges import Watched, charges
from table_service.games.tarocco.rules.deal import TaroccoDeal
from table_service.games.tarocco.rules.match import Match
from tests.games.tarocco.table_of_tarocco import E, N, S, W, hands_with, opening, told, trick

KINGS: Final = ("KC", "KD", "KS", "KB")
"""34 points."""
NEAR: Final = {Line.NS: 770, Line.EW: 770}


def course(*plays: tuple[Seat, str], scarto: bool = True) -> Course:
    """Dealer East: North leads. ``plays``: cards that lie in the first trick."""
    deal = TaroccoDeal.dealt(E)
    deal = deal.with_scarto(2) if scarto else deal
    for seat, card in plays:
        deal = deal.with_play(seat, card)
    return Course(deal)


def with_accuso(before: Course, *seats: Seat) -> Course:
    deal = before.deal
    for seat in seats:
        deal = deal.with_accuso(seat, KINGS)
    return Course(deal, before.laid)


@pytest.mark.parametrize(
    ("seat", "before", "order"),
    [
        (E, course(scarto=False), "in-order"),  # the scartatore on his first fifteen
        (E, course(), "unstated"),  # he has taken the last two: the text is silent
        (N, course(), "in-order"),
        (N, course(scarto=False), "unknown"),  # a scarto may lie that the scale has not told yet
        (W, course((N, "6D")), "in-order"),
        (S, course((N, "6D")), "out-of-order"),
        (S, course((N, "6D"), (W, "7D")), "in-order"),
        (E, course((N, "6D"), (W, "7D"), (S, "8D")), "unstated"),
    ],
)
def test_each_calls_at_his_own_moment(seat: Seat, before: Course, order: str) -> None:
    assert called(before, E, seat, 50.0).order == order


def test_who_has_enough_with_what_he_has_shown_is_out() -> None:
    now = with_accuso(course(), N)
    assert verdict(CallingOut(N, 50.0, "in-order"), now, E, NEAR, 50.0).valid is True
    assert verdict(CallingOut(N, 50.0, "in-order"), now, E, NEAR, 50.0).points == 804


def test_the_leaders_partner_adds_what_the_leader_has_shown_and_nobody_else_does() -> None:
    far = {Line.NS: 740, Line.EW: 740}
    led = with_accuso(course(), N).deal.with_play(N, "6D").with_play(W, "7D")
    both = with_accuso(Course(led), S)
    assert verdict(CallingOut(S, 50.0, "in-order"), both, E, far, 90.0).valid is True
    assert verdict(CallingOut(N, 50.0, "in-order"), with_accuso(both, S), E, far, 90.0).valid is False
    others = with_accuso(course((N, "6D")), E, W)
    assert verdict(CallingOut(W, 50.0, "in-order"), others, E, far, 90.0).valid is False


def test_nobody_is_short_by_cards_that_were_not_seen_or_points_that_are_not_known() -> None:
    call = CallingOut(N, 50.0, "in-order")
    late = 50.0 + SHOWS_S
    assert verdict(call, course(), E, NEAR, late).valid is None  # nothing was shown yet
    unread = Course(course().deal.with_accuso(N, ("KC", "KD", "??")))
    assert verdict(call, unread, E, NEAR, late).valid is None
    assert verdict(call, with_accuso(course(), N), E, {Line.NS: None, Line.EW: 0}, late).valid is None
    short = {Line.NS: 700, Line.EW: 0}
    assert verdict(call, with_accuso(course(), N), E, short, 51.0).valid is None  # more may still be shown
    assert verdict(call, with_accuso(course(), N), E, short, late).valid is False


def test_the_scartatore_may_not_add_his_partners_accuso_and_on_his_own_the_giuria_decides() -> None:
    """The text's own wrong call; of his own combinations with the last two cards it says nothing."""
    call = called(course(), E, E, 50.0)
    both = with_accuso(course(), E, W)
    late = 50.0 + SHOWS_S
    short = verdict(call, both, E, {Line.NS: 0, Line.EW: 740}, late)
    assert (short.valid, short.jury) == (False, False)
    alone = verdict(call, both, E, NEAR, late)
    assert (alone.valid, alone.jury) == (None, True)
    assert [one.note for one in charges(Watched(late, both, calls=((call, alone),)))] == [True]
    assert [one.note for one in charges(Watched(late, both, calls=((call, short),)))] == [False]


HANDS: Final = hands_with({N: "KD KC KS KB 6D", W: "QD 7D t5", S: "8D FD t6", E: "9D CD 6S 7S"})


def shows_and_calls(seat: Seat) -> list[Gesture]:
    cards = tuple(f"{card}#1" for card in KINGS)
    return [PutAside(seat, cards), Wait(2.0), TakeUp(seat, cards), Say(seat, "out"), Wait(SHOWS_S + 2)]


def test_a_call_that_falls_short_is_proposed_and_ruled_it_loses_the_match() -> None:
    rule = ConsoleGesture("rule", fields={"row": "T-out", "seat": "N"})
    found = told([*opening(HANDS, "6S 7S"), *shows_and_calls(N), *trick("6D"), rule], form="ottocento")
    assert [one["valid"] for one in found.data("match.called-out")][-1] is False
    assert found.data("match.called-out")[-1]["points"] == 34
    assert [row for row in found.rows if row[0] == "T-out"] == [("T-out", "N", "ruled")]
    first = found.of("irregularity")[0]
    called_t = found.of("match.called-out")[0].t
    assert (first.data.model_dump()["severity"], first.t - called_t <= 5.0) == ("score", True)
    match = found.fold.state()["match"]
    assert (match["winner"], match["decided_by"], match["total"]["NS"]) == ("EW", "wrong-call", 0)


def test_in_quattro_scartate_nobody_calls_out() -> None:
    found = told([*opening(HANDS, "6S 7S"), *shows_and_calls(N)])
    assert found.of("match.called-out") == []
    assert found.rows == []


def test_a_right_call_wins_the_match_whatever_is_played_on() -> None:
    assert Match("ottocento", (), called_out=Line.NS).result().winner is Line.NS


def test_the_scarto_lies_before_the_leader_may_call() -> None:
    begun = [*opening(HANDS), PutDown(E, ("6S#1", "7S#1"), "tricks-EW"), Tap(E), Wait(2.0), *shows_and_calls(N)]
    found = told(begun, form="ottocento")
    assert found.data("match.called-out")[-1] == {"points": 34, "valid": False}
