"""What sensors read: stacks never answer, scales settle, and errors come as often as the figures say."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from hw.seats import Seat
from hw.twin.changes import apply
from hw.twin.gestures import CollectGesture, DiscardGesture, DrawGesture
from hw.twin.noise import Noise, load_noise
from hw.twin.physics import LoadCell, Sensors, Signal, powered
from hw.twin.timed_events import ArmIn, ArmOut, Blow, OffGate, OverGate, Pose
from hw.twin.twin_table import DRAWN
from hw.twin.world import World
from lab.link.node_firmware import firmware

RUNS = 20_000


def within(count: int, runs: int, rate: float) -> bool:
    """Whether ``count`` of ``runs`` lies in the interval that ``rate`` keeps in all but one of 15 000 cases."""
    return abs(count - runs * rate) <= 4 * math.sqrt(runs * rate * (1 - rate)) + 1


def sensors(tags: dict[str, str], level: str = "normal", seed: int = 1) -> Sensors:
    return Sensors(tags_of(tags), load_noise(level), random.Random(seed))


def tags_of(tags: dict[str, str]) -> dict[str, str]:
    return {card: uid for uid, card in tags.items()}


@pytest.mark.parametrize("level", ["none", "normal", "rough"])
@pytest.mark.parametrize("count", [2, 3, 11])
def test_stacked_cards_never_answer_at_a_gate(tags: dict[str, str], level: str, count: int) -> None:
    sensed = sensors(tags, level)
    bundle = tuple(tags.values())[:count]
    for n in range(300):
        for zone in ("gate-stock", "gate-N"):
            assert sensed.sense(float(n), OverGate(zone, bundle), 0.2) == []
            assert sensed.sense(n + 0.2, OffGate(zone)) == []


def test_one_card_alone_on_the_discard_spot_answers_and_a_pile_does_not(tags: dict[str, str], table: World) -> None:
    sensed = sensors(tags, "rough")
    world = apply(table, DiscardGesture(Seat.NORTH, table.hands[Seat.NORTH][0]))
    uid = tags_of(tags)[world.heap("discard")[0]]
    assert sensed.spot(1.0, world) == [Signal(1.0, "coil:discard", [uid])]
    assert sensed.spot(2.0, apply(world, DrawGesture(Seat.EAST))) == []
    world = apply(world, DiscardGesture(Seat.NORTH, table.hands[Seat.NORTH][1]))
    assert sensed.spot(3.0, world) == [Signal(3.0, "coil:discard", [])]
    world = apply(world, DiscardGesture(Seat.NORTH, table.hands[Seat.NORTH][2]))
    assert sensed.spot(4.0, world) == []
    assert sensed.spot(5.0, apply(world, CollectGesture(Seat.EAST, leave=1))) == [Signal(5.0, "coil:discard", [uid])]


@pytest.mark.parametrize("level", ["normal", "rough"])
def test_a_card_at_a_gate_is_missed_as_often_as_the_figures_say(tags: dict[str, str], level: str) -> None:
    sensed = sensors(tags, level)
    card = ("7H#1",)
    missed = sum(not sensed.sense(float(n), OverGate("gate-N", card), 0.2) for n in range(RUNS))
    assert within(missed, RUNS, load_noise(level).gate_miss)


def test_a_neighbour_coil_hears_a_ghost_as_often_as_the_figures_say(tags: dict[str, str]) -> None:
    noise = replace(load_noise("normal"), gate_miss=0.0)
    sensed = Sensors(tags_of(tags), noise, random.Random(5))
    stay = 10 * noise.gate_scan_s + 1e-6
    signals = [s for n in range(RUNS) for s in sensed.sense(float(n), OverGate("gate-N", ("7H#1",)), stay)]
    ghosts = [s for s in signals if s.name != "coil:gate-N" and s.value]
    assert {s.name for s in ghosts} == {"coil:gate-W", "coil:gate-E"}
    assert within(len(ghosts), 2 * RUNS, 1 - (1 - noise.gate_ghost) ** 10)


@pytest.mark.parametrize("level", ["normal", "rough"])
def test_beams_miss_and_bounce_as_often_as_the_figures_say(tags: dict[str, str], level: str) -> None:
    noise = load_noise(level)
    sensed = sensors(tags, level, 3)
    missed = bounced = 0
    for n in range(RUNS):
        came = sensed.sense(float(n), ArmIn(Seat.EAST, "stock", 0, 0))
        went = sensed.sense(n + 0.5, ArmOut(Seat.EAST, "stock"))
        missed += not came
        bounced += len(came) == 3
        assert bool(came) == bool(went)
        assert [s.value for s in came] in ([], [1], [1, 0, 1])
    assert within(missed, RUNS, noise.beam_miss)
    assert within(bounced, RUNS, (1 - noise.beam_miss) * noise.beam_bounce)


def test_an_arm_that_is_nobodys_breaks_a_barrier_that_the_table_has(tags: dict[str, str]) -> None:
    noise = replace(load_noise("none"), beam_miss=0.0)
    sensed = Sensors(tags_of(tags), noise, random.Random(6))
    for zone in ("stock", "discard", "melds-NS", "table"):
        came = sensed.sense(1.0, ArmIn(None, zone, 0, 0))
        went = sensed.sense(2.0, ArmOut(None, zone))
        assert [(s.name, s.value) for s in (*came, *went)] == [(f"beam:-:{zone}", 1), (f"beam:-:{zone}", 0)]
        assert f"beam:-:{zone}" in DRAWN.sensors


def test_contacts_and_knocks_err_as_often_as_the_figures_say(tags: dict[str, str]) -> None:
    noise = load_noise("normal")
    sensed = sensors(tags, "normal", 4)
    turned = [sensed.sense(float(n), Pose(Seat.EAST, "over")) for n in range(RUNS)]
    assert within(sum(not t for t in turned), RUNS, noise.contact_miss)
    assert within(sum(len(t) == 3 for t in turned), RUNS, (1 - noise.contact_miss) * noise.contact_bounce)
    knocks = sum(bool(sensed.sense(float(n), Blow(Seat.EAST))) for n in range(RUNS))
    assert within(RUNS - knocks, RUNS, noise.knock_miss)
    hours = 200
    heard = len(list(sensed.false_knocks(0.0, hours * 3600.0)))
    expected = noise.knock_false_per_min * 60 * hours
    assert abs(heard - expected) <= 4 * math.sqrt(expected)


def test_nothing_errs_at_level_none(tags: dict[str, str]) -> None:
    sensed = sensors(tags, "none")
    for n in range(2000):
        assert len(sensed.sense(float(n), OverGate("gate-N", ("7H#1",)), 0.2)) == 1
        assert len(sensed.sense(float(n), ArmIn(Seat.EAST, "stock", 0, 0))) == 1
        assert len(sensed.sense(float(n), Pose(Seat.EAST, "over"))) == 1
    assert list(sensed.false_knocks(0.0, 1e6)) == []


def test_power_follows_stacking_and_shift_as_computed() -> None:
    rng = random.Random(8)
    column = [f"c{n}" for n in range(11)]
    assert powered(column[:1], 0.0, rng) == ("c0",)
    for count in (2, 3, 11):
        for shift in (0.0, 5.0, 15.9):
            assert powered(column[:count], shift, rng) == ()
    assert powered(column, 20.0, rng) == tuple(column)
    silent = [11 - len(powered(column, 16.0, rng)) for _ in range(4000)]
    assert 3.3 <= sum(silent) / 4000 <= 3.7
    assert sum(11 - len(powered(column, 18.0, rng)) for _ in range(4000)) / 4000 == pytest.approx(1.75, abs=0.15)


def test_the_node_scans_as_often_as_the_figures_say() -> None:
    sensors_of_node = firmware("sensors")
    assert load_noise("normal").gate_scan_s * 1_000_000 == sensors_of_node.COIL_AWAKE
    assert sensors_of_node.COIL_EMPTY == 19_000


@pytest.fixture
def calm() -> Noise:
    return load_noise("none")


def test_a_scale_swings_to_the_new_weight_and_settles_in_its_time(calm: Noise) -> None:
    cell = LoadCell(calm, random.Random(1))
    cell.load(10.0, 42)
    readings = [cell.read(10.0 + 0.05 * n) for n in range(10)]
    assert readings == sorted(readings)
    assert readings[0] == pytest.approx(0.0)
    assert not cell.settled(10.2)
    assert cell.settled(10.25)
    assert cell.read(10.25) == pytest.approx(42 * 1.8)
    cell.load(20.0, 41)
    assert 41 * 1.8 < cell.read(20.05) < 42 * 1.8
    assert cell.read(20.3) == pytest.approx(41 * 1.8)


@pytest.mark.parametrize("level", ["normal", "rough"])
def test_readings_scatter_and_drift_as_the_figures_say(level: str) -> None:
    noise = load_noise(level)
    drifts = []
    for seed in range(40):
        cell = LoadCell(noise, random.Random(seed))
        cell.load(0.0, 10)
        cell.tare(0.0)
        early = [cell.read(1.0) for _ in range(500)]
        mean = sum(early) / 500
        spread = math.sqrt(sum((x - mean) ** 2 for x in early) / 499)
        assert spread == pytest.approx(noise.scale_sigma_g, rel=0.2)
        drifts.append((sum(cell.read(601.0) for _ in range(500)) / 500 - mean) / 10)
    slack = noise.scale_sigma_g / 30
    assert max(map(abs, drifts)) <= noise.scale_drift_g_per_min + slack
    assert max(map(abs, drifts)) > noise.scale_drift_g_per_min / 2
