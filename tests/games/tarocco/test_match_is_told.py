"""A match of several deals: its counts stay while piles are gathered, and its end tells who has won."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from hw.cards import TAROCCO
from hw.seats import Line, Seat
from table_service import rulesets
from table_service.events import Event
from table_service.games.tarocco.fold.game import Tarocco
from table_service.games.tarocco.fold.laid_out import LaidOut
from table_service.games.tarocco.fold.match_standing import match_told
from table_service.games.tarocco.rules.match import DealResult, Match
from table_service.rehearsal.rehearse import prepare
from table_service.table.game_fold import GameFold

N, E, S = Seat.NORTH, Seat.EAST, Seat.SOUTH
WHOLE = tuple(TAROCCO.copies)


@cache
def match() -> tuple[list[Event], Any]:
    """A whole Quattro Scartate of lively people: its events and what is true."""
    rehearsal = prepare("tarocco", 1970000200, 4)
    fold = rulesets.open_fold(rehearsal.header)
    assert isinstance(fold, GameFold)
    assert isinstance(fold.game, Tarocco)
    told = [event for one in rehearsal.observations() for event in fold.feed(one)]
    return told + fold.close(), rehearsal.truth


@pytest.mark.slow
def test_no_count_is_lost_while_piles_are_gathered_for_the_next_deal() -> None:
    known: set[int] = set()
    for event in (one for one in match()[0] if one.type == "score.counted"):
        totals = [event.data.lines[line]["total"] for line in ("NS", "EW")]
        assert event.deal not in known or None not in totals, f"deal {event.deal} was known"
        if None not in totals:
            known.add(event.deal)
    assert known == {1, 2, 3, 4}


@pytest.mark.slow
def test_the_last_count_tells_who_has_won_with_points_and_begati() -> None:
    counts = [one.data.model_dump(mode="json") for one in match()[0] if one.type == "score.counted"]
    told = counts[-1]["match"]
    running = {line: counts[-1]["lines"][line]["running"] for line in ("NS", "EW")}
    assert told["over"] is True
    assert told["points"] == running
    assert told["won"] == {"NS": running["NS"] > running["EW"], "EW": running["EW"] > running["NS"]}
    assert counts[0]["match"]["won"] == {"NS": None, "EW": None}


def test_a_match_that_nobody_has_won_is_told_so() -> None:
    equal = DealResult({Line.NS: 100, Line.EW: 100}, None)
    told = match_told(Match("quattro-scartate", (equal,) * 4))
    assert (told["over"], told["winner"], told["won"]) == (True, None, {"NS": None, "EW": None})
    lost = match_told(Match("quattro-scartate", (equal,), lost_by=Line.NS))
    assert lost["won"] == {"NS": False, "EW": True}
    assert lost["points"] == {"NS": 0, "EW": 100}


# -- what lies face up -------------------------------------------------------------------------------------------------


def whole(north: int = 30) -> LaidOut:
    """Both piles whole and counted, ``north`` cards before North, the others before East."""
    laid = LaidOut()
    laid.see(N, WHOLE[:north], is_counted=False)
    laid.see(E, WHOLE[north:], is_counted=True)
    return laid


def test_gathering_the_piles_in_any_order_changes_nothing() -> None:
    laid = whole()
    before = dict(laid.shown)
    steps = [(N, WHOLE[5:30]), (E, WHOLE[40:]), (N, ()), (E, (*WHOLE[40:], *WHOLE[:5])), (E, WHOLE), (E, ())]
    assert not any(laid.see(seat, cards, is_counted=True) for seat, cards in steps)
    assert laid.shown == before


def test_a_card_put_to_the_other_pile_is_taken_from_the_first() -> None:
    for first, second in ((N, E), (E, N)):
        laid = whole()
        piles = {N: WHOLE[1:30], E: (*WHOLE[30:], WHOLE[0])}
        assert not laid.see(first, piles[first], is_counted=True)
        assert laid.see(second, piles[second], is_counted=True)
        assert laid.shown == piles


def test_a_pile_that_is_still_laid_out_when_the_count_is_asked_for_grows() -> None:
    laid = LaidOut()
    laid.see(N, WHOLE[:10], is_counted=False)
    assert laid.see(N, WHOLE[:30], is_counted=True)
    assert not laid.see(N, WHOLE[:12], is_counted=True)
    assert laid.see(E, WHOLE[30:], is_counted=True)
    assert laid.shown == {N: WHOLE[:30], E: WHOLE[30:]}


def test_a_misread_card_is_put_right_where_as_many_lie_there() -> None:
    laid = LaidOut()
    laid.see(N, ("??", *WHOLE[1:30]), is_counted=False)
    laid.see(E, WHOLE[30:], is_counted=True)
    assert laid.see(N, WHOLE[:30], is_counted=True)
    assert laid.shown[N] == WHOLE[:30]


def test_a_pile_stated_by_a_person_holds() -> None:
    laid = LaidOut()
    laid.state(S, WHOLE[:30])
    assert not laid.see(S, (), is_counted=True)
    assert laid.shown == {S: WHOLE[:30]}
