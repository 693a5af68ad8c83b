"""People as they are: their habits move no card, hide what they hide, weigh what they weigh, and are the same again."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from hw.cards import BURRACO
from hw.observations import Reach, Scale, Sight
from hw.seats import SEATS, Line, Seat
from hw.twin.changes import apply
from hw.twin.gestures import (
    CollectGesture,
    ConsoleGesture,
    ExposeGesture,
    Gather,
    LayGesture,
    Lean,
    Lift,
    PullPile,
    PushPile,
    Rest,
    ShiftRow,
    Tidy,
    TurnUpGesture,
    Wait,
)
from hw.twin.gestures import (
    ReachGesture as ReachOver,
)
from hw.twin.noise import load_noise
from hw.twin.observe import Observer
from hw.twin.world import boxed
from hw.zones import DISCARD, POTS, STOCK, gate, melds
from table_service.games.burraco.rehearsal.burraco_gestures import set_table
from table_service.games.burraco.rehearsal.habits import HABITS
from table_service.rehearsal.game_rehearsal import RehearsalError
from table_service.rehearsal.rehearse import header_for, prepare, script_for
from table_service.rehearsal.script import Script

SEEDS = range(700, 725)
PACK = BURRACO.cards()
HANDS = {seat: PACK[11 * n : 11 * n + 11] for n, seat in enumerate(SEATS)}
DEALT = set_table(HANDS, (PACK[44:55], PACK[55:66]), PACK[66:])


def at_table() -> Observer:
    """A table without noise, dealt, the first card turned up."""
    observer = Observer(header_for("fibur2024", 1, 1).tags, load_noise("none"), random.Random(1))
    for gesture in (ConsoleGesture("deal", fields={"deal": 1, "dealer": "S"}), DEALT, TurnUpGesture(Seat.SOUTH)):
        observer.perform(gesture)
    return observer


def played(script: Script) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(act.type, str(act.seat), tuple(sorted(act.cards))) for cue in script.cues for act in cue.actions]


@pytest.mark.slow(seconds=5)
def test_people_play_the_same_cards_however_they_handle_them() -> None:
    same = [played(script_for(seed)) == played(script_for(seed, habits="lively")) for seed in SEEDS]
    # A card that is dropped and taken up lies elsewhere in the fan, so that now and then another one is chosen.
    assert sum(same) > len(same) // 2


def test_every_habit_occurs_and_none_loses_a_card() -> None:
    seen: Counter[type] = Counter()
    for seed in SEEDS:
        world = boxed(PACK)
        everything = world.cards()
        script = script_for(seed, habits="lively")
        for cue in script.cues:
            world = apply(world, cue.gesture)
            assert world.cards() == everything
            seen[type(cue.gesture)] += 1
        seen[ExposeGesture] -= sum(
            isinstance(cue.gesture, ExposeGesture) and cue.gesture.face_up for cue in script.cues
        )
        assert set(script.paces) == set(SEATS)
    for kind in (ReachOver, Rest, Lift, Lean, Tidy, ShiftRow, Gather, ExposeGesture):
        assert seen[kind] > 0, kind


def test_the_same_people_do_the_same_again_and_tidy_ones_do_nothing_besides() -> None:
    lines = [list(prepare("fibur2024", 701, habits="lively").observations()) for _ in range(2)]
    assert lines[0] == lines[1]
    kinds = {type(cue.gesture) for cue in script_for(701).cues}
    assert not kinds & {ReachOver, Rest, Lift, Lean, Tidy, ShiftRow, Gather}


def test_habits_that_nobody_has_are_refused_in_one_sentence() -> None:
    with pytest.raises(RehearsalError, match=r"no people have the habits 'wild': there are tidy, lively"):
        prepare("fibur2024", 1, habits="wild")
    assert HABITS == ("tidy", "lively")


def test_a_hand_on_a_plate_weighs_and_is_gone_again() -> None:
    observer = at_table()
    lines, _ = observer.perform(Lean(Seat.EAST, POTS, 5.4, 2.0))
    lines += observer.perform(Wait(3.0))[0]
    grams = [line.grams for line in lines if isinstance(line, Scale) and line.zone == POTS and line.settled]
    assert any(gram == pytest.approx(22 * 1.8 + 5.4, abs=0.1) for gram in grams)
    assert grams[-1] == pytest.approx(22 * 1.8, abs=0.1)


def test_an_arm_that_rests_hides_its_zone_until_it_is_lifted() -> None:
    observer = at_table()
    zone = melds(Line.NS)
    observer.perform(Rest(Seat.NORTH, zone))
    lines, _ = observer.perform(Wait(12.0))
    hidden = [zone in line.hidden for line in lines if isinstance(line, Sight)]
    assert hidden
    assert all(hidden)
    observer.perform(Lift(Seat.NORTH, zone))
    observer.perform(Wait(2.5))
    lines, _ = observer.perform(Wait(6.0))
    assert not any(zone in line.hidden for line in lines if isinstance(line, Sight))


def test_a_spectator_s_hand_is_nobody_s() -> None:
    lines, _ = at_table().perform(ReachOver(None, DISCARD, 1.0))
    assert [(line.seat, line.phase) for line in lines if isinstance(line, Reach)] == [(None, "in"), (None, "out")]


def test_cards_laid_in_bunches_cross_the_gate_bunch_by_bunch() -> None:
    observer = at_table()
    cards = observer.world.hands[Seat.NORTH][:3]
    lines, done = observer.perform(LayGesture(Seat.NORTH, 0, cards, bunches=3))
    read = [tag for line in lines if line.kind == "tags" and line.zone == gate(Seat.NORTH) for tag in line.tags]
    assert [header_for("fibur2024", 1, 1).tags[uid] for uid in read] == list(cards)
    assert done.cards == cards
    assert observer.world.rows[0].cards == cards


def test_a_pile_that_is_pushed_aside_leaves_its_scale_and_comes_back_in_its_order() -> None:
    observer = at_table()
    before = observer.world
    observer.perform(PullPile(Seat.WEST))
    assert observer.world.weighed(DISCARD) == 0
    assert {loose.card for loose in observer.world.loose} == set(before.heap("discard"))
    observer.perform(PushPile(Seat.WEST))
    assert observer.world.heap("discard") == before.heap("discard")
    assert not observer.world.loose


@pytest.mark.parametrize("manner", ["plain", "last-first", "counted", "again"])
def test_however_the_cards_are_dealt_they_lie_the_same(manner: str) -> None:
    observer = Observer(header_for("fibur2024", 1, 1).tags, load_noise("none"), random.Random(1))
    observer.perform(set_table(HANDS, DEALT.heaps["pots"], DEALT.heaps["stock"][0], manner))  # type: ignore[arg-type]
    assert observer.world.hands == HANDS
    assert observer.world.weighed(STOCK) == 42
    assert observer.world.weighed(POTS) == 22


def test_slow_hands_take_longer_than_quick_ones() -> None:
    def took(pace: float) -> float:
        observer = Observer(
            header_for("fibur2024", 1, 1).tags, load_noise("none"), random.Random(1), paces={Seat.EAST: pace}
        )
        observer.perform(DEALT)
        observer.perform(TurnUpGesture(Seat.SOUTH))
        done = observer.perform(CollectGesture(Seat.EAST))[1]
        return done.end - done.start

    assert took(0.7) < took(1.0) < took(1.8)
