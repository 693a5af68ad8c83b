"""Cards that no hand was seen to lay, beneath an arm: who goes on with the turn has laid them, or either partner."""

from __future__ import annotations

from typing import Any

import pytest

from hw.seats import SEATS

TAKEN = {"confidence": 0.873, "basis": ("sight", "reach")}
"""Of a pick-up beneath an arm: another hand may have made it."""
UNSEEN = {"confidence": 0.5, "basis": ("sight",)}


@pytest.fixture
def open_turn(script: Any) -> Any:
    """S has taken up the pile beneath an arm: whose turn it is is open."""
    for seat, card in (("W", "3S"), ("N", "KH"), ("E", "5C")):
        script.turn(seat, card)
    script.move("TD 3S KH 5C", "discard", "hand-S", "S", **TAKEN)
    return script


@pytest.fixture
def taken(open_turn: Any) -> Any:
    """Then a card came to a meld that no hand was seen to lay."""
    open_turn.move("5C", None, "melds-NS", None, row=3, result=("5C",), **UNSEEN)
    return open_turn


def _doubted(script: Any) -> list[str]:
    hands = script.fold.state()["hands"]
    return [seat.value for seat in SEATS if hands[seat] is None]


def test_cards_that_nobody_was_seen_to_lay_in_an_open_turn_leave_both_hands_in_doubt(taken: Any) -> None:
    assert taken.of("meld.opened")[-1].seat is None
    assert _doubted(taken) == ["N", "S"]


def test_who_goes_on_with_that_meld_has_laid_its_first_card_too(taken: Any) -> None:
    taken.lay("S", 3, "6C 7C", before="5C")
    assert taken.of("meld.opened")[-1].seat == "S"
    assert _doubted(taken) == []
    assert taken.verdicts() == []


def test_who_discards_in_that_turn_has_laid_what_came_before(open_turn: Any) -> None:
    open_turn.move("5C 6C 7C", None, "melds-NS", None, row=4, result=("5C", "6C", "7C"), **UNSEEN)
    open_turn.move("8C", None, "melds-NS", None, row=4, result=("5C", "6C", "7C", "8C"), **UNSEEN)
    assert _doubted(open_turn) == ["N", "S"]
    open_turn.discard("S", "KH")
    laid = (*open_turn.of("meld.opened"), *open_turn.of("meld.extended"))
    assert [one.seat for one in laid][-1:] == ["S"]
    assert _doubted(open_turn) == []


def test_where_the_partner_lays_on_it_stays_open_who_laid_it(taken: Any) -> None:
    taken.lay("N", 3, "6C 7C", before="5C")
    taken.discard("S", "KH")
    assert taken.of("meld.opened")[-1].seat is None
    assert {"N", "S"} <= set(_doubted(taken))


EITHER = {"confidence": 0.54, "basis": ("sight", "reach")}
"""Of cards that came to light when fewer hands had come than rows had changed, beneath a partner's arm."""


def _two_turns(script: Any) -> float:
    """N and S have both had a turn; when the first of them began."""
    script.turn("W")
    began = script.t
    script.turn("N", "4S")
    script.turn("E", "5S")
    script.draw("S")
    return began  # type: ignore[no-any-return]


def test_of_rows_that_changed_in_two_turns_beneath_an_arm_it_is_open_whose_they_are(script: Any) -> None:
    since = _two_turns(script)
    result = ("5C", "6C", "7C")
    script.move("5C 6C 7C", None, "melds-NS", "N", row=3, result=result, since=since, committed_t=since + 1.0, **EITHER)
    assert script.of("meld.opened")[-1].seat is None
    assert _doubted(script) == ["N", "S"]
    assert script.verdicts() == []


def test_cards_that_the_partner_had_just_taken_up_are_his(script: Any) -> None:
    began = _two_turns(script)
    script.discard("S", "9S")
    script.turn("W", "5C")
    script.collect("N", "TD 3S 4S 5S 9S 5C")
    result = ("3S", "4S", "5S")
    script.move("3S 4S 5S", None, "melds-NS", "S", row=3, result=result, since=began, committed_t=began + 4.0, **EITHER)
    assert script.of("meld.opened")[-1].seat == "N"


def test_where_only_one_of_the_line_had_a_turn_meanwhile_the_hand_that_came_laid_them(script: Any) -> None:
    _two_turns(script)
    since, result = script.t - 0.5, ("5C", "6C", "7C")
    script.discard("S", "9S")
    script.move("5C 6C 7C", None, "melds-NS", "S", row=3, result=result, since=since, committed_t=since + 0.1, **EITHER)
    assert script.of("meld.opened")[-1].seat == "S"
    assert _doubted(script) == []
