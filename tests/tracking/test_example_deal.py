"""The contract's example deal, clean and with one kind of sensor fault at a time: the same movements every time."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from hw.cards import face
from hw.equipment import BURRACO_TABLE
from hw.observation_log import Header, read_log
from hw.observations import Observation, Reach, Scale, Sight, Tags
from hw.seats import SEATS, Seat
from hw.zones import gate
from table_service.tracking import Tracker
from table_service.tracking.movements import Counted, Movement, Notice, RowChanged

DATA = Path(__file__).parent / "data"
Log = list[Observation]


@pytest.fixture(scope="module")
def example() -> tuple[Header, Log]:
    header, observations = read_log(DATA / "example_deal.jsonl.gz")
    return header, list(observations)


@pytest.fixture(scope="module")
def actions() -> list[dict[str, object]]:
    truth = json.loads((DATA / "example_deal.truth.json").read_text(encoding="utf-8"))
    return [action for action in truth["actions"] if action["type"] != "ruled"]


def line_of(action: dict[str, object]) -> tuple[object, ...]:
    """What a perfect tracker says about an action of the truth."""
    seat = Seat(str(action["seat"]))
    hand, melds = f"hand-{seat}", f"melds-{seat.line}"
    cards = tuple(face(card) for card in action["cards"])  # type: ignore[attr-defined]
    source, target = {
        "turn-up": ("stock", "discard"),
        "draw": ("stock", hand),
        "open": (hand, melds),
        "extend": (hand, melds),
        "discard": (hand, "discard"),
        "collect": ("discard", hand),
        "return-to-stock": (hand, "stock"),
    }[str(action["type"])]
    return source, target, seat, cards, action.get("meld")


def agrees(header: Header, log: Log, actions: list[dict[str, object]], twin: SimpleNamespace) -> list[Movement]:
    """Assert that ``log`` gives the example's movements in order; the movements."""
    lines, movements = twin.told(twin.follow(header, log))
    assert lines == [line_of(action) for action in actions]
    return list(movements)


def test_every_action_comes_in_order_with_seat_cards_row_and_time(example, actions, twin):
    movements = agrees(*example, actions, twin)
    for movement, action in zip(movements, actions, strict=True):
        assert abs(movement.committed_t - float(action["t"])) < 0.7
        if "row" in action:
            assert movement.result == tuple(face(card) for card in action["row"])
        assert movement.confidence > 0.97


def test_movements_come_within_a_second_and_a_half_of_the_hand(example, actions):
    header, log = example
    tracker = Tracker(header, BURRACO_TABLE)
    heard = {}
    for observation in log:
        for track in tracker.feed(observation):
            if isinstance(track, Movement):
                heard[track.id] = observation.t - track.committed_t
    assert max(heard.values()) < 1.5


def test_pots_and_stock_are_counted_before_play(example):
    header, log = example
    tracker = Tracker(header, BURRACO_TABLE)
    counted = {t.zone: t.cards for o in log for t in tracker.feed(o) if isinstance(t, Counted)}
    assert counted == {"pots": 22, "stock": 42}


def test_the_table_at_the_end_is_the_truths(example):
    header, log = example
    tracker = Tracker(header, BURRACO_TABLE)
    for observation in log:
        tracker.feed(observation)
    tracker.close()
    assert tracker.table.counts == {"stock": 36, "discard": 4, "pots": 22}
    assert tracker.table.pile == ("JH", "6D", "8C", "JC")
    assert tracker.table.rows["melds-EW"][2] == ("8D", "2H", "TD", "JD", "QD")
    assert tracker.table.loose == {}
    assert tracker.table.places["5C#1"] == "hand-W"


def test_notices_keep_their_place_among_the_movements(example, twin):
    said = twin.follow(*example)
    order = [
        track.observation.do if isinstance(track, Notice) and track.observation.kind == "console" else track
        for track in said
        if isinstance(track, Movement) or (isinstance(track, Notice) and track.observation.kind == "console")
    ]
    ruled = order.index("rule")
    assert isinstance(order[ruled - 1], Movement)
    assert order[ruled - 1].seat == Seat.NORTH
    assert order[ruled + 1].target == "stock"
    kinds = [t.observation.kind for t in said if isinstance(t, Notice)]
    assert kinds.count("shield") == 4
    assert kinds.count("button") == 1


# Faults, one kind at a time


def edited(log: Log, edit: Callable[[Observation], list[Observation]]) -> Log:
    return [out for observation in log for out in edit(observation)]


def test_without_any_gate_only_faces_remain_and_no_action_is_lost(example, actions, twin):
    header, log = example
    without = [o for o in log if not (isinstance(o, Tags) and o.zone.startswith("gate-"))]
    lines, _movements = twin.told(twin.follow(header, without))
    for line, action in zip(lines, actions, strict=True):
        expected = line_of(action)
        hidden = action["type"] in ("draw", "return-to-stock")
        assert line == ((*expected[:3], ("??",), None) if hidden else expected)


@pytest.mark.parametrize("zone", ["gate-stock", *[gate(seat) for seat in SEATS]])
def test_one_gate_that_reads_nothing_loses_nothing(example, actions, twin, zone):
    header, log = example
    agrees(header, [o for o in log if not (isinstance(o, Tags) and o.zone == zone)], actions, twin)


def reaches(log: Log) -> list[tuple[int, int]]:
    """The places of each reach's two halves in the log."""
    found, entered = [], {}
    for place, observation in enumerate(log):
        if isinstance(observation, Reach):
            key = (observation.seat, observation.zone)
            if observation.phase == "in":
                entered[key] = place
            elif key in entered:
                found.append((entered.pop(key), place))
    return found


def test_any_one_missed_reach_changes_no_card_and_names_no_wrong_seat(example, actions, twin):
    header, log = example
    expected = [line_of(action) for action in actions]
    for start, end in reaches(log):
        lines, movements = twin.told(twin.follow(header, [o for n, o in enumerate(log) if n not in (start, end)]))
        assert [(line[3], line[4]) for line in lines] == [(line[3], line[4]) for line in expected]
        for line, right, movement in zip(lines, expected, movements, strict=True):
            assert line[2] in (right[2], None)
            if line[2] is None:
                assert movement.confidence < 0.99
                # Only cards that cross no gate, or several at once, leave nobody to name.
                assert right[1] in ("melds-NS", "melds-EW") or "discard" in right[: 1 + (right[0] == "stock")]


def test_a_bounced_reach_is_one_reach(example, actions, twin):
    header, log = example

    def bounce(observation: Observation) -> list[Observation]:
        if isinstance(observation, Reach) and observation.phase == "in":
            out = replace(observation, t=observation.t + 0.04, phase="out")
            return [observation, out, replace(observation, t=observation.t + 0.09)]
        return [observation]

    agrees(header, sorted(edited(log, bounce), key=lambda o: o.t), actions, twin)


def test_a_ghost_at_a_neighbouring_gate_names_no_one(example, actions, twin):
    header, log = example

    def ghost(observation: Observation) -> list[Observation]:
        if isinstance(observation, Tags) and observation.tags and observation.zone.startswith("gate-"):
            seat = next((s for s in SEATS if gate(s) == observation.zone), None)
            zone = gate(seat.next) if seat else "discard"
            heard = Tags(observation.t + 0.05, zone, observation.tags)
            return [observation, heard, Tags(observation.t + 0.073, zone, ())]
        return [observation]

    agrees(header, sorted(edited(log, ghost), key=lambda o: o.t), actions, twin)


@pytest.mark.parametrize("seed", range(4))
def test_missed_cards_in_one_of_ten_sightings_move_nothing(example, actions, twin, seed):
    header, log = example
    rng = random.Random(seed)

    def miss(observation: Observation) -> list[Observation]:
        if isinstance(observation, Sight):
            return [replace(observation, cards=tuple(c for c in observation.cards if rng.random() > 0.1))]
        return [observation]

    lines, _ = twin.told(twin.follow(header, edited(log, miss)))
    assert sorted((line[:3], sorted(line[3]), line[4]) for line in lines) == sorted(
        (line[:3], sorted(line[3]), line[4]) for line in map(line_of, actions)
    )


def test_any_one_misread_card_never_makes_a_movement(example, actions, twin):
    header, log = example
    rng = random.Random(5)
    sights = [n for n, o in enumerate(log) if isinstance(o, Sight) and o.cards]
    for place in rng.sample(sights, 40):
        sight = log[place]
        assert isinstance(sight, Sight)
        wrong = rng.randrange(len(sight.cards))
        cards = list(sight.cards)
        cards[wrong] = replace(cards[wrong], card="2S" if cards[wrong].card != "2S" else "3S")
        agrees(header, [*log[:place], replace(sight, cards=tuple(cards)), *log[place + 1 :]], actions, twin)


@pytest.mark.parametrize(("sigma", "seed"), [(0.3, 1), (0.3, 2), (0.3, 3), (0.6, 4)])
def test_noise_on_the_scales_changes_nothing(example, actions, twin, sigma, seed):
    header, log = example
    rng = random.Random(seed)

    def shake(observation: Observation) -> list[Observation]:
        if isinstance(observation, Scale):
            return [replace(observation, grams=observation.grams + rng.gauss(0, sigma))]
        return [observation]

    agrees(header, edited(log, shake), actions, twin)


@pytest.mark.parametrize("rate", [0.15, -0.15])
def test_a_drifting_scale_is_followed(example, actions, twin, rate):
    header, log = example
    rng = random.Random(9)

    def drift(observation: Observation) -> list[Observation]:
        if isinstance(observation, Scale):
            return [replace(observation, grams=observation.grams + rate * observation.t / 60 + rng.gauss(0, 0.1))]
        return [observation]

    agrees(header, edited(log, drift), actions, twin)


def test_sights_that_come_up_to_two_seconds_late_keep_the_order(example, actions, twin):
    header, log = example
    rng = random.Random(3)
    arrivals, last = [], 0.0
    for observation in log:
        arrival = observation.t
        if isinstance(observation, Sight):
            last = arrival = max(last, observation.t + rng.uniform(0.2, 1.9))
        arrivals.append((arrival, observation))
    late = [observation for _, observation in sorted(arrivals, key=lambda pair: pair[0])]
    agrees(header, late, actions, twin)


def test_a_quick_collect_and_discard_are_two_movements(example, twin):
    header, log = example
    t = log[-1].t + 4.0
    east = Seat.EAST
    more: Log = [Reach(t, east, "discard", "in")]
    for n in range(9):
        more.append(Scale(t + 0.3 + 0.05 * n, "discard", 0.0 if n > 1 else 2.0, n > 1))
    more += [Reach(t + 0.8, east, "discard", "out"), Reach(t + 0.9, east, "discard", "in")]
    for n in range(9):
        more.append(Scale(t + 1.0 + 0.05 * n, "discard", 1.8 if n > 1 else 1.2, n > 1))
    more.append(Reach(t + 1.5, east, "discard", "out"))
    lines, _ = twin.told(twin.follow(header, [*log, *more]))
    assert [line[:3] for line in lines[-2:]] == [("discard", "hand-E", east), ("hand-E", "discard", east)]
    assert len(lines[-2][3]) == 4


def test_a_card_put_in_a_row_and_one_misread_before_are_told_apart(example, twin):
    """A row misread in two frames and read rightly ever after is corrected, and nothing moves."""
    header, log = example
    seen = 0

    def misread(observation: Observation) -> list[Observation]:
        nonlocal seen
        if isinstance(observation, Sight) and any(c.row == 0 and c.zone == "melds-EW" for c in observation.cards):
            seen += 1
            if seen <= 3:
                cards = [
                    replace(c, card="AC") if (c.zone, c.row, c.order) == ("melds-EW", 0, 2) else c
                    for c in observation.cards
                ]
                return [replace(observation, cards=tuple(cards))]
        return [observation]

    said = twin.follow(header, edited(log, misread))
    corrections = [t for t in said if isinstance(t, RowChanged)]
    assert [(c.before, c.after, c.corrected) for c in corrections] == [(("AD", "AH", "AC"), ("AD", "AH", "AS"), True)]
    assert len([t for t in said if isinstance(t, Movement)]) == 28
