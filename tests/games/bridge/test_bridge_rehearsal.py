"""Rehearsed boards through the whole table: what players behind screens did is told, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from hw.seats import SEATS, Seat
from hw.twin.gestures import ConsoleGesture
from table_service.games.bridge.judges.card_play import CardPlay
from table_service.games.bridge.rehearsal.faults import KINDS
from table_service.games.bridge.rehearsal.table_board import Revoked, moved_by
from table_service.games.bridge.rules.contract import BIDS, Contract
from table_service.rehearsal.prove import ProofCase, run_case
from table_service.rehearsal.rehearse import prepare
from tests.sweeps import rest_in_proof


def report_of(row: str | None, seed: int, noise: str = "normal", deals: int = 1) -> dict[str, Any]:
    report = run_case(ProofCase(seed, row, noise, deals, "bridge"))["report"]
    assert isinstance(report, dict)
    return report


@pytest.mark.slow
@pytest.mark.parametrize("seed", rest_in_proof([910, 911]))
def test_clean_boards_are_told_call_by_call_and_trick_by_trick_and_nobody_is_accused(seed: int) -> None:
    report = report_of(None, seed, deals=3)
    assert report["actions"] > 39
    assert (report["wrong"], report["false"], report["ends_wrong"]) == ([], [], [])
    assert (report["score_right"], report["score_doubtful"], report["score_wrong"]) == (36, 0, [])


FEW_TESTS = ("A4-2a", "A4-3c", "FIGB-8", "law-32", "law-39", "law-41", "law-61", "law-65")
"""Rows of call, screen, lead, play and quitted tricks that the fewest other tests act: those of `make test`."""


@pytest.mark.parametrize(
    "row",
    rest_in_proof(
        sorted((name for name, kind in KINDS.items() if kind.told), key=lambda name: name not in FEW_TESTS),
        len(FEW_TESTS),
    ),
)
def test_a_staged_fault_is_told_with_row_and_offender_and_nobody_else_is_accused(row: str) -> None:
    report = report_of(row, 920)
    met = {one["row"]: one for one in report["faults"]}
    one = met[KINDS[row].row]
    assert [one[what] for what in ("right_row", "right_seat", "in_time", "right_remedy")] == [True] * 4, one
    assert not one["by_ruling"], one
    assert report["false"] == []
    assert report["score_wrong"] == []


@pytest.mark.parametrize(
    ("row", "seed", "what"),
    [
        ("FIGB-8", 81400026, "the stop card was read as 6NT in the first picture that showed it"),
        ("A4-2a", 81100010, "a pass that lay there was read as a double in the picture in which another was new"),
    ],
)
def test_a_board_that_once_accused_somebody_wrongly_does_so_no_more(row: str, seed: int, what: str) -> None:
    case = ProofCase(seed, row, "normal", 1, "bridge")
    report = run_case(case)["report"]
    assert (report["false"], report["wrong"], report["score_wrong"]) == ([], [], []), what


def test_a_lead_that_is_taken_back_behind_the_closed_aperture_accuses_nobody() -> None:
    report = report_of("FIGB-1", 921)
    assert (report["false"], report["faults"], report["wrong"]) == ([], [], [])


def test_every_second_board_or_so_has_a_record_and_the_same_seed_makes_the_same_script() -> None:
    scripts = [prepare("bridge", seed, 4, habits="lively").script for seed in (5, 5)]
    assert [cue.gesture for cue in scripts[0].cues] == [cue.gesture for cue in scripts[1].cues]
    deals = [cue.gesture for seed in range(8) for cue in prepare("bridge", seed, 2, habits="lively").script.cues]
    orders = [one.fields for one in deals if isinstance(one, ConsoleGesture) and one.do == "deal"]
    assert 0 < sum("record" in fields for fields in orders) < len(orders) == 16


def play_of(tricks: list[str]) -> CardPlay:
    """Tricks of a contract in hearts by South, each from who leads on, clockwise."""
    play = CardPlay.begun(Contract("4H", Seat.SOUTH))
    for cards in tricks:
        for card in cards.split():
            turn = play.turn()
            assert turn is not None
            play = play.played(turn, card, 0.0)
    return play


@pytest.mark.parametrize(
    ("tricks", "seat", "number", "moved"),
    [
        (["2S AS 3S 4S", "2C 3C 4H 5C", "AC KC QC JC"], Seat.EAST, 2, 0),
        (["AS 2S 3S 4S", "KS 5S 6S 7S"], Seat.WEST, 1, 2),
        (["AS 2S 3S 4S"], Seat.WEST, 1, 1),
        (["AS 2S 3S 4S", "KS 5S 6S 7S"], Seat.EAST, 1, 1),
        (["2S AS 3S 4S", "AC 2C 3C 4C"], Seat.EAST, 1, 0),
        (["2S AS 3S 4S", "AC 2C 3C 4C"], Seat.NORTH, 1, -2),
        (["2S AS 3S 4S", "AC 2C 3C 4C"], Seat.SOUTH, 1, -1),
    ],
)
def test_64a_what_a_revoke_moves_is_counted_from_the_trick_in_which_it_happened_on(
    tricks: list[str], seat: Seat, number: int, moved: int
) -> None:
    assert moved_by(Revoked(seat, "C", number, "2D", 0), play_of(tricks)) == moved


def test_all_seats_come_to_deal() -> None:
    dealers = {prepare("bridge", seed, 1).script.ends[0].dealer for seed in range(24)}
    assert dealers == set(SEATS)


@pytest.mark.parametrize(("row", "seed"), [("FIGB-6", 40200006), ("FIGB-8", 40400004)])
def test_no_board_ends_where_a_bidding_box_lacks_the_card(row: str, seed: int) -> None:
    rehearsal = prepare("bridge", seed, 1, (row,), "none", habits="lively")
    calls = [action for cue in rehearsal.script.cues for action in cue.actions if action.type == "call"]
    assert len(rehearsal.script.ends) == 1
    assert len({(action.seat, action.more["call"]) for action in calls if action.more["call"] in BIDS}) == sum(
        action.more["call"] in BIDS for action in calls
    )
