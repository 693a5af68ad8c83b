"""Two players (``online``, O-14, O-15): every deal through every sensor, each player a line, nobody else counted."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from hw.observations import Button, Knock, Reach, Sight, SightedCard, Tags
from hw.seats import CLOCKWISE, HEADS_UP, Seat
from table_service.display.screen_view import face
from table_service.rehearsal.game_rehearsal import RehearsalError, rehearsal_of
from table_service.rehearsal.prove import ProofCase, events_of, run_case, table_fold
from table_service.rehearsal.rehearse import prepare
from table_service.table.seated import as_seated
from tests.sweeps import rest_in_proof


def played(row: str | None, seed: int) -> dict[str, Any]:
    return run_case(ProofCase(seed, row, "normal", rules="online", habits="lively", players=2))["report"]  # type: ignore[no-any-return]


def test_o15_a_clean_deal_of_two_is_told_and_counted_right() -> None:
    report = played(None, 616720000)
    assert report["false"] == []
    assert report["wrong"] == []
    assert report["score_wrong"] == []
    assert (report["score_right"], report["score_doubtful"]) == (report["score_items"], 0)


@pytest.mark.parametrize("row", rest_in_proof(["O-20", "O-21", "O-23", "O-32"]))
def test_o15_a_move_that_the_rules_do_not_have_is_told_of_the_one_who_made_it(row: str) -> None:
    report = played(row, 616720001)
    assert report["false"] == []
    (fault,) = [one for one in report["faults"] if one["row"] == row]
    assert fault["right_row"]
    assert fault["right_seat"]
    assert report["score_wrong"] == []


@pytest.mark.sweep
def test_two_discards_under_one_resting_arm_end_the_turns_of_both_players() -> None:
    report = played(None, 1340000166)
    assert report["false"] == []
    assert report["wrong"] == []
    assert report["score_wrong"] == []


def test_o22_a_meld_that_an_arm_hid_until_its_player_is_in_turn_again_was_laid_after_his_draw() -> None:
    report = played(None, 1700300182)
    assert report["false"] == []
    assert report["score_wrong"] == []


@pytest.mark.sweep
def test_who_laid_out_his_hand_beside_one_whose_number_is_not_sure_shows_that_he_closed() -> None:
    """A node that started anew missed a draw: the stock that is gathered afterwards is not one that was used up."""
    report = played(None, 1700100015)
    assert report["ends_wrong"] == []
    assert report["score_wrong"] == []


def test_o14_o15_two_hands_two_pots_sixty_four_cards_and_each_player_a_line() -> None:
    rehearsal = prepare("online", 616720002, 1, noise="none", players=2)
    assert list(rehearsal.header.seats) == ["N", "S"]
    fold = table_fold(rehearsal.header)
    events, _, _ = events_of(fold, list(rehearsal.observations()))
    (checked,) = [event["data"] for event in events if event["type"] == "deal.checked"]
    assert (checked["stock"], checked["pots"], set(checked["hands"]), checked["faults"]) == (64, 22, {"N", "S"}, [])
    lines = {(event["seat"], event["line"]) for event in events if event["seat"]}
    assert lines == {("N", "NS"), ("S", "EW")}
    turns = [event["seat"] for event in events if event["type"] == "turn.started"]
    assert all(one != following for one, following in pairwise(turns))
    state = fold.state()
    assert set(state["hands"]) == {"N", "S"}
    assert face(state, [], {}).seats == ("N", "S")


def test_a_code_of_four_is_not_rehearsed_with_two() -> None:
    for rules in ("fibur2024", "feburit", "tarocco"):
        with pytest.raises(RehearsalError, match="not played by 2"):
            rehearsal_of(rules, 2)
    with pytest.raises(RehearsalError, match="not played by 3"):
        rehearsal_of("online", 3)


def test_what_sensors_say_of_seats_that_nobody_takes_is_somebody_else_s() -> None:
    reach = Reach(1.0, Seat.EAST, "stock", "in")
    assert as_seated(reach, HEADS_UP) == Reach(1.0, None, "stock", "in")
    assert as_seated(reach, CLOCKWISE) is reach
    assert as_seated(Knock(1.0, Seat.WEST), HEADS_UP) == Knock(1.0, None)
    assert as_seated(Button(1.0, Seat.EAST, "referee"), HEADS_UP) is None
    assert as_seated(Button(1.0, Seat.SOUTH, "referee"), HEADS_UP) == Button(1.0, Seat.SOUTH, "referee")
    assert as_seated(Tags(1.0, "gate-W", ("E004",)), HEADS_UP) is None
    card = SightedCard("7H", "side-E", 20.0, -300.0, 0.0, "up", 0.99)
    seen = as_seated(Sight(1.0, (card,)), HEADS_UP)
    assert isinstance(seen, Sight)
    assert [one.zone for one in seen.cards] == ["table"]


@pytest.mark.parametrize("seat", ["E", "W"])
def test_a_ruling_on_a_seat_that_nobody_takes_is_refused(seat: str) -> None:
    from hw.observation_log import Header
    from hw.observations import Console

    fold = table_fold(Header("T1", "online", options={"target": 2005}, seats={"N": "a", "S": "b"}))
    fold.feed(Console(0.0, "Anna", "start-round", {}))
    fold.feed(Console(1.0, "Anna", "deal", {"deal": 1, "dealer": "S"}))
    said = fold.feed(Console(2.0, "Anna", "rule", {"row": "O-20", "seat": seat, "remedy": "take-back"}))
    assert [(one.type, one.data.state) for one in said] == [("table.health", "ignored")]  # type: ignore[attr-defined]
    assert "nobody sits at" in said[0].data.note  # type: ignore[attr-defined]
    said = fold.feed(Console(3.0, "Anna", "rule", {"row": "O-20", "seat": "S", "remedy": "take-back"}))
    assert [one.line for one in said if one.type == "irregularity"] == ["EW"]
