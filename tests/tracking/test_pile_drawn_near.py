"""Art. 9: a pile that is drawn near on the table is only looked at; taken up, it is collected."""

from __future__ import annotations

import random

import pytest

from hw.cards import BURRACO
from hw.equipment import BURRACO_TABLE
from hw.observation_log import Header
from hw.observations import Console, Observation
from hw.seats import SEATS, Seat
from hw.twin.gestures import (
    CollectGesture,
    DiscardGesture,
    DrawGesture,
    Gesture,
    Lift,
    PullPile,
    PushPile,
    Rest,
    TurnUpGesture,
    Wait,
)
from hw.twin.noise import load_noise
from hw.twin.observe import Observer
from hw.zones import TABLE
from table_service.games.burraco.rehearsal.burraco_gestures import set_table
from table_service.tracking import Tracker
from table_service.tracking.movements import Movement, Retracted, Track, Unverified
from table_service.tracking.pulled_pile import PulledPile
from table_service.tracking.scale_steps import ScaleStep
from table_service.tracking.tags import Crossings
from tests.tracking.conftest import tags_of_pack

PACK = BURRACO.cards()
HANDS = {seat: PACK[11 * n : 11 * n + 11] for n, seat in enumerate(SEATS)}
TURNS: tuple[Gesture, ...] = tuple(
    gesture
    for seat in (Seat.WEST, Seat.NORTH, Seat.EAST)
    for gesture in (DrawGesture(seat), DiscardGesture(seat, HANDS[seat][0]), Wait(1.0))
)


def tracks(seed: int, *gestures: Gesture, noise: str = "normal") -> list[Track]:
    observer = Observer(tags_of_pack(), load_noise(noise), random.Random(seed))
    seen: list[Observation] = [Console(0.0, "a", "deal", {"deal": 1, "dealer": "S"})]
    seen += observer.perform(set_table(HANDS, (PACK[44:55], PACK[55:66]), PACK[66:]))[0]
    seen.append(Console(seen[-1].t, "a", "start-play", {}))
    for gesture in (TurnUpGesture(Seat.SOUTH), *TURNS, *gestures, Wait(6.0)):
        seen += observer.perform(gesture)[0]
    tracker = Tracker(Header("T1", "fibur2024", tags=tags_of_pack()), BURRACO_TABLE)
    return [track for one in seen for track in tracker.feed(one)] + tracker.close()


def moves(told: list[Track]) -> list[tuple[str | None, str | None, int]]:
    gone = {one.movement for one in told if isinstance(one, Retracted)}
    all_of_them = [one for one in told if isinstance(one, Movement) and one.id not in gone]
    return [(one.source, one.target, len(one.cards)) for one in all_of_them][7:]


@pytest.mark.parametrize("seed", range(6))
def test_f09a_a_pile_drawn_near_and_pushed_back_moves_no_card(seed):
    told = tracks(seed, PullPile(Seat.SOUTH), Wait(2.5), PushPile(Seat.SOUTH), Wait(1.0), DrawGesture(Seat.SOUTH))
    assert moves(told) == [("stock", "hand-S", 1)]


@pytest.mark.parametrize("seed", range(3))
def test_f09a_and_then_taken_up_it_is_collected_once(seed):
    told = tracks(seed, PullPile(Seat.SOUTH), Wait(2.5), PushPile(Seat.SOUTH), Wait(1.0), CollectGesture(Seat.SOUTH))
    assert moves(told) == [("discard", "hand-S", 4)]


@pytest.mark.parametrize("seed", range(6))
def test_a_pile_that_is_taken_up_at_once_is_collected(seed):
    assert moves(tracks(seed, CollectGesture(Seat.SOUTH))) == [("discard", "hand-S", 4)]


def test_a_pile_that_is_taken_up_is_told_within_three_seconds():
    told = tracks(1, CollectGesture(Seat.SOUTH), noise="none")
    late = [one.t - one.committed_t for one in told if isinstance(one, Movement) and one.source == "discard"]
    assert late
    assert max(late) < 3.0


@pytest.mark.parametrize("seed", range(3))
def test_a_plate_that_has_told_of_a_taking_is_not_contradicted_by_frames_that_show_it(seed):
    told = tracks(seed, Rest(Seat.EAST, TABLE), CollectGesture(Seat.SOUTH), Wait(4.0), Lift(Seat.EAST, TABLE))
    assert moves(told) == [("discard", "hand-S", 4)]
    assert [one.zone for one in told if isinstance(one, Unverified)] == []


def test_a_twin_left_on_the_plate_is_not_the_card_that_was_taken_up():
    aside = PulledPile("discard")
    aside.compare({"discard": ("3S", "KD", "KD")}, (), 9.9)
    assert aside.hold(
        ScaleStep("discard", -2, 1, 10.0, 10.2, 1.0, first=False, swung=True), ("3S#1", "KD#1", "KD#2"), 10.2
    )
    for t in (10.5, 11.0, 11.5, 12.0, 12.5):
        aside.compare({"discard": ("KD",)}, ("table",), t)
    assert aside.since() == 10.0  # an arm covers the open table: nothing shows where the two are
    assert [step.change for step in aside.taken_up([], Crossings({}), 13.0)] == [-2]


def test_a_twin_that_lay_on_the_table_before_is_not_the_card_that_was_taken_up():
    aside = PulledPile("discard")
    aside.compare({"discard": ("JC", "JD"), "table": ("JC",)}, (), 9.0)
    assert aside.hold(ScaleStep("discard", -2, 1, 10.0, 10.2, 1.0, first=False, swung=True), ("JC", "JD"), 10.2)
    for t in (10.5, 11.0, 11.5):
        assert aside.compare({"table": ("JC",)}, (), t) == ()
    assert [step.change for step in aside.taken_up([], Crossings({}), 12.0)] == [-2]
