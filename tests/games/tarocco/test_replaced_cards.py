"""Comma 14: a card replaced at once leaves the trick, whatever sensors tell of it, and accuses nobody."""

from __future__ import annotations

from typing import Final

import pytest

from hw.seats import Seat
from table_service import rulesets
from table_service.events import event_to_json
from table_service.games.tarocco.fold.course import GateRead, Glimpse
from table_service.games.tarocco.fold.course_of_moves import course_after
from table_service.games.tarocco.rehearsal.faults import KINDS
from table_service.rehearsal.rehearse import prepare
from table_service.rehearsal.truth_check import compare
from tests.games.tarocco.test_missed_by_sensors import Table

N, W, S, E = Seat.NORTH, Seat.WEST, Seat.SOUTH, Seat.EAST
LAWFUL: Final = [name for name, kind in KINDS.items() if not kind.told and kind.row in ("T14", "T18")]


def read(table: Table, seat: Seat, card: str) -> None:
    table.t += 1.5
    table.course = course_after(table.course, GateRead(table.t, seat, card))


def test_of_two_cards_of_one_player_the_one_that_leaves_alone_is_taken_back_whoever_seems_to_take_it() -> None:
    table = Table()
    table.lay(N, "KD")
    table.lay(W, "t6")
    table.lay(W, "FD")
    table.move("t6", "trick", None, None, 0.5)
    table.lay(S, "QD")
    table.lay(E, "8D")
    table.gathered(N)
    (taken,) = table.course.deal.play.taken
    assert (taken.by, taken.trick.card_of(W)) == (N, "FD")
    table.lay(N, "6C")
    assert table.faults() == []


def test_the_last_player_replaces_his_card_and_pictures_never_told_of_it() -> None:
    """Seed 20732 of a rehearsal: his gate read the trump again, and one picture showed what he laid for it."""
    table = Table()
    for seat, card in ((N, "9C"), (W, "TC"), (S, "KC"), (E, "t16")):
        table.lay(seat, card)
    read(table, E, "t16")
    read(table, E, "6C")
    table.course = course_after(table.course, Glimpse(table.t + 1, E, "6C"))
    table.gathered(S)
    (taken,) = table.course.deal.play.taken
    assert (taken.by, taken.trick.card_of(E)) == (S, "6C")
    table.lay(S, "KD")
    assert table.faults() == []


def test_the_last_player_lays_another_card_once_his_gate_has_read_the_first_again() -> None:
    table = Table()
    for seat, card in ((N, "KD"), (W, "FD"), (S, "QD"), (E, "t6")):
        table.lay(seat, card)
    read(table, E, "t6")
    table.lay(E, "8D")
    assert table.course.deal.play.open.plays[-1] == (E, "8D")
    assert table.course.deal.play.taken == ()


def test_the_first_card_of_a_gathering_is_not_taken_back() -> None:
    table = Table()
    for seat, card in ((N, "KD"), (W, "FD"), (S, "QD"), (E, "8D")):
        table.lay(seat, card)
    table.move("FD", "trick", "hand-N", N, 0.5)
    table.gathered(N)
    (taken,) = table.course.deal.play.taken
    assert taken.trick.card_of(W) == "FD"


@pytest.mark.parametrize("name", LAWFUL)
def test_who_takes_his_card_back_is_accused_of_no_pause_and_the_trick_has_its_winner(name: str) -> None:
    for seed in (20732, 20794):
        rehearsal = prepare("tarocco", seed, 1, [name], "normal", "lively")
        fold = rulesets.open_fold(rehearsal.header)
        observations = list(rehearsal.observations())
        found = [event for one in observations for event in fold.feed(one)] + fold.close()
        report = compare(rehearsal.truth(), [event_to_json(event, secret=True) for event in found], None, observations)
        assert (report.false, report.wrong, report.score_wrong) == ([], [], [])
