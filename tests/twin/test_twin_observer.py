"""The log of a rehearsed table: in order, complete, true to the error figures, and of the agreed form."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from hw.cards import face
from hw.observation_log import Header, LogWriter, read_log
from hw.observations import Console, Health, Observation, Reach, Scale, Shield, Sight, Tags
from hw.seats import SEATS, Seat
from hw.twin.gestures import (
    ConsoleGesture,
    DrawGesture,
    ExposeGesture,
    Gesture,
    LayOut,
    Press,
    PutAside,
    SlideBack,
    SlideOff,
    TurnShield,
    Wait,
)
from hw.twin.noise import LEVELS, load_noise
from hw.twin.observe import Observer
from table_service.games.burraco.rehearsal.burraco_gestures import take_pot

Deal = Callable[..., list[Gesture]]


def logged(tags: dict[str, str], script: list[Gesture], level: str = "normal", seed: int = 2) -> list[Observation]:
    observer = Observer(tags, load_noise(level), random.Random(seed))
    lines = [line for gesture in script for line in observer.perform(gesture)[0]]
    return lines + observer.finish()


def sensor(line: Observation) -> str:
    zone = line.zone if isinstance(line, Tags | Scale) else line.seat if isinstance(line, Reach | Shield) else ""
    return f"{line.kind} {zone}"


@pytest.mark.parametrize("level", LEVELS)
def test_each_sensor_speaks_in_the_order_of_time_and_no_line_lags_two_seconds(
    tags: dict[str, str], deal: Deal, level: str
) -> None:
    last: dict[str, float] = {}
    newest = 0.0
    for line in logged(tags, deal(3), level):
        assert line.t >= last.get(sensor(line), 0.0), line
        assert line.t >= newest - 2.0, line
        last[sensor(line)] = line.t
        newest = max(newest, line.t)


def test_only_sights_come_late(tags: dict[str, str], deal: Deal) -> None:
    others = [line.t for line in logged(tags, deal(3)) if not isinstance(line, Sight)]
    assert others == sorted(others)


def test_the_same_seed_gives_the_same_log_and_another_does_not(tags: dict[str, str], deal: Deal) -> None:
    assert logged(tags, deal(4)) == logged(tags, deal(4))
    assert logged(tags, deal(4)) != logged(tags, deal(4), seed=3)


def test_people_keep_their_times_at_every_level_of_noise(tags: dict[str, str], deal: Deal) -> None:
    times = []
    for level in LEVELS:
        observer = Observer(tags, load_noise(level), random.Random(6))
        times.append([observer.perform(gesture)[1].committed for gesture in deal(4)])
    assert times[0] == times[1] == times[2]


def test_the_log_reads_back_as_it_was_written(tags: dict[str, str], deal: Deal, tmp_path: Path) -> None:
    lines = logged(tags, deal(5))
    path = tmp_path / "deal.jsonl"
    with LogWriter(path, Header("T1", "fibur2024", tags=tags)) as writer:
        writer.write_all(lines)
    header, back = read_log(path)
    assert header.tags == tags
    assert list(back) == lines


def test_a_card_is_named_by_the_gates_it_crosses_alone(tags: dict[str, str], deal: Deal) -> None:
    observer = Observer(tags, load_noise("none"), random.Random(1))
    for gesture in deal(6, turns=0):
        observer.perform(gesture)
    lines, done = observer.perform(DrawGesture(Seat.WEST))
    assert [tags[uid] for line in lines if isinstance(line, Tags) for uid in line.tags] == [*done.cards, *done.cards]
    assert [line.zone for line in lines if isinstance(line, Tags) and line.tags] == ["gate-stock", "gate-W"]
    assert any(line.t == round(done.committed, 6) for line in lines if isinstance(line, Tags))
    lines, done = observer.perform(DrawGesture(Seat.NORTH, 2))
    assert len(done.cards) == 2
    assert not [line for line in lines if isinstance(line, Tags)]
    lines, _ = observer.perform(take_pot(Seat.NORTH, Seat.SOUTH))
    assert not [line for line in lines if isinstance(line, Tags)]
    assert {line.seat for line in lines if isinstance(line, Reach)} == {Seat.SOUTH}


@pytest.mark.parametrize("level", LEVELS)
def test_no_line_ever_names_two_cards_at_one_gate_of_a_stack(tags: dict[str, str], deal: Deal, level: str) -> None:
    seats = {f"gate-{seat}" for seat in SEATS} | {"gate-stock"}
    for line in logged(tags, deal(7), level):
        if isinstance(line, Tags) and line.zone in seats:
            assert len(line.tags) <= 1


def test_scales_show_the_change_at_once_and_settle_on_the_weight(tags: dict[str, str], deal: Deal) -> None:
    observer = Observer(tags, load_noise("none"), random.Random(1))
    for gesture in deal(6, turns=0):
        observer.perform(gesture)
    lines, done = observer.perform(DrawGesture(Seat.WEST))
    lines += observer.perform(Wait(1.0))[0]
    stock = [x for x in lines if isinstance(x, Scale) and x.zone == "stock" and x.t > done.committed]
    assert stock[0].t < done.committed + 0.1
    assert not stock[0].settled
    settled = [line for line in stock if line.settled]
    assert {line.grams for line in settled} == {40 * 1.8}
    dense = [line.t for line in settled if line.t <= settled[0].t + 0.401]
    assert len(dense) >= 8
    assert max(b - a for a, b in pairwise(dense)) <= 0.0501


def test_a_scale_at_rest_speaks_every_five_seconds_and_the_camera_too(tags: dict[str, str], deal: Deal) -> None:
    observer = Observer(tags, load_noise("none"), random.Random(1))
    for gesture in deal(6, turns=1):
        observer.perform(gesture)
    start = observer.t
    lines = [line for line in observer.perform(Wait(60.0))[0] if line.t >= start]
    for kind in ("sight ", "scale stock", "scale discard", "scale pots"):
        times = [start, *(line.t for line in lines if sensor(line) == kind), start + 60.0]
        assert max(b - a for a, b in pairwise(times)) <= 5.01, kind


def test_a_hand_hides_the_zone_it_reaches_for_and_cards_show_when_it_is_gone(tags: dict[str, str], deal: Deal) -> None:
    for line in logged(tags, deal(8), "none"):
        if isinstance(line, Sight):
            assert not {card.zone for card in line.cards} & set(line.hidden)
    script = deal(8)
    observer = Observer(tags, load_noise("none"), random.Random(1))
    for gesture in script:
        observer.perform(gesture)
    lines = observer.perform(Wait(3.0))[0]
    final = [line for line in lines if isinstance(line, Sight)][-1]
    assert final.hidden == ()
    world = observer.world
    seen = {(card.row, card.order): card.card for card in final.cards if card.zone != "discard"}
    assert seen == {(n, k): face(card) for n, row in world.rows.items() for k, card in enumerate(row.cards)}
    pile = {card.order or 0: card.card for card in final.cards if card.zone == "discard" and card.order is not None}
    assert [pile[n] for n in sorted(pile)] == [face(card) for card in world.heap("discard")]


def test_sights_miss_misread_and_scatter_as_often_as_the_figures_say(tags: dict[str, str], deal: Deal) -> None:
    noise = load_noise("rough")
    observer = Observer(tags, noise, random.Random(9))
    for gesture in deal(9):
        observer.perform(gesture)
    observer.perform(Wait(6.0))
    truth = {(n, k): face(card) for n, row in observer.world.rows.items() for k, card in enumerate(row.cards)}
    lines = observer.perform(Wait(4000.0))[0]
    sights = [line for line in lines if isinstance(line, Sight) and not line.hidden]
    cards = [c for line in sights for c in line.cards if c.zone != "discard"]
    possible = len(sights) * len(truth)
    assert within(possible - len(cards), possible, noise.sight_miss)
    wrong = sum(
        truth[card.row, card.order] != card.card for card in cards if card.row is not None and card.order is not None
    )
    assert within(wrong, len(cards), noise.sight_misread)
    first = [card.x for card in cards if (card.row, card.order) == min(truth)]
    mean = sum(first) / len(first)
    spread = math.sqrt(sum((x - mean) ** 2 for x in first) / (len(first) - 1))
    assert spread == pytest.approx(noise.sight_position_mm, rel=0.15)


def within(count: int, runs: int, rate: float) -> bool:
    return abs(count - runs * rate) <= 4 * math.sqrt(runs * rate * (1 - rate)) + 1


def test_rough_covers_the_whole_camera_in_each_turn(tags: dict[str, str], deal: Deal) -> None:
    lines = logged(tags, deal(10), "rough")
    covered = [line for line in lines if isinstance(line, Sight) and "side-S" in line.hidden and "pots" in line.hidden]
    assert len(covered) > 24
    assert all(not line.cards for line in covered)


def test_held_hands_are_masked_and_laid_out_ones_are_read(tags: dict[str, str], deal: Deal) -> None:
    script = deal(11)
    observer = Observer(tags, load_noise("none"), random.Random(1))
    for gesture in script:
        for line in observer.perform(gesture)[0]:
            if isinstance(line, Sight):
                assert not [card for card in line.cards if card.zone.startswith("hand-")]
    for seat in SEATS:
        observer.perform(LayOut(seat))
    final = [line for line in observer.perform(Wait(3.0))[0] if isinstance(line, Sight)][-1]
    for seat in SEATS:
        shown = sorted(card.card for card in final.cards if card.zone == f"hand-{seat}")
        assert shown == sorted(face(card) for card in observer.world.hands[seat])


def test_exposed_and_penalised_cards_are_seen_where_they_lie(tags: dict[str, str], deal: Deal) -> None:
    observer = Observer(tags, load_noise("none"), random.Random(1))
    for gesture in deal(12, turns=4):
        observer.perform(gesture)
    one, two = observer.world.hands[Seat.SOUTH][:2]
    observer.perform(ExposeGesture(Seat.SOUTH, (one,), -200.0, -250.0))
    observer.perform(PutAside(Seat.SOUTH, (two,)))
    final = [line for line in observer.perform(Wait(3.0))[0] if isinstance(line, Sight)][-1]
    found = {card.zone: card for card in final.cards if card.zone in ("table", "side-S")}
    assert found["table"].card == face(one)
    assert abs(found["table"].x + 200) < 3
    assert found["side-S"].card == face(two)


def test_two_cards_slid_off_weigh_less_and_name_nobody(tags: dict[str, str], deal: Deal) -> None:
    observer = Observer(tags, load_noise("none"), random.Random(1))
    for gesture in deal(12, turns=0):
        observer.perform(gesture)
    before = observer.world.heap("stock")
    lines, done = observer.perform(SlideOff(Seat.WEST))
    lines += observer.perform(Wait(1.0))[0]
    stock = [line for line in lines if isinstance(line, Scale) and line.zone == "stock"]
    assert stock[-1].grams == pytest.approx(39 * 1.8)
    assert not [line for line in lines if isinstance(line, Tags)]
    observer.perform(SlideBack(Seat.WEST, done.cards))
    assert observer.world.heap("stock") == before


def test_shields_buttons_and_the_arbitro_are_logged(tags: dict[str, str], deal: Deal) -> None:
    script = [
        *deal(1, turns=0),
        TurnShield(Seat.EAST, "over"),
        Press(Seat.WEST, "referee"),
        ConsoleGesture("dismiss", fields={"key": "k"}),
    ]
    lines = logged(tags, script, "none")
    assert [line.pose for line in lines if isinstance(line, Shield)] == ["up"] * 4 + ["over"]
    assert [(line.do, line.fields) for line in lines if isinstance(line, Console)][-1] == ("dismiss", {"key": "k"})
    assert sum(line.kind == "button" for line in lines) == 1


def test_a_node_that_starts_anew_says_so_and_tells_what_it_missed(tags: dict[str, str], deal: Deal) -> None:
    noise = replace(load_noise("none"), link_reset_per_hour=120.0)
    observer = Observer(tags, noise, random.Random(5))
    lines = [line for gesture in deal(13) for line in observer.perform(gesture)[0]] + observer.finish()
    resets = [line.t for line in lines if isinstance(line, Health) and line.state == "reset"]
    assert len(resets) > 3
    for t in resets:
        node = [line.t for line in lines if isinstance(line, Tags | Scale | Reach | Shield)]
        assert not [heard for heard in node if t - 0.8 < heard < t]
    told: dict[str, tuple[str, ...]] = {}
    arms: dict[tuple[object, object], str] = {}
    for line in lines:
        if isinstance(line, Tags):
            told[line.zone] = line.tags
        elif isinstance(line, Reach):
            arms[line.seat, line.zone] = line.phase
    assert set(arms.values()) == {"out"}
    assert all(answer == () for zone, answer in told.items() if zone != "discard")
    assert [x for x in lines if isinstance(x, Scale) and x.zone == "discard"][-1].grams == pytest.approx(
        1.8 * len(observer.world.heap("discard")), abs=0.01
    )


def test_resets_come_as_often_as_the_figures_say(tags: dict[str, str]) -> None:
    noise = load_noise("rough")
    observer = Observer(tags, noise, random.Random(8))
    hours = 60
    lines = [line for _ in range(hours) for line in observer.perform(Wait(3600.0))[0]]
    count = sum(isinstance(line, Health) and line.state == "reset" for line in lines)
    expected = noise.link_reset_per_hour * hours
    assert abs(count - expected) <= 4 * math.sqrt(expected)
