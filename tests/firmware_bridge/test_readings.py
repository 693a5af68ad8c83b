"""Messages → observations, the clock's mapping, and ports that are not there."""

from __future__ import annotations

import asyncio
import fcntl
import os
import time
import tty
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import Bridge, codec
from firmware_bridge.clock import ClockMap, RoundTrip
from firmware_bridge.frames import (
    NODE_ITSELF,
    Hello,
    Knocked,
    Level,
    Message,
    Pressed,
    Sensor,
    SnapshotBegin,
    SnapshotEnd,
    TagsRead,
    Trouble,
    Weighed,
)
from firmware_bridge.readings import Readings
from firmware_bridge.session import Joined
from hw.observations import Button, Health, Knock, Observation, Reach, Scale, Screen, Shield, Tags, Tray
from hw.provision import files_checksum
from hw.seats import Seat
from lab.link.real_pty import PtyNode

KIND = {name: number for number, name in codec.SCHEMA.kinds.items()}
SENSORS = [("coil", "gate-N"), ("scale", "stock"), ("beam", "N:stock"), ("beam", "-:table"), ("shield", "E")]
SENSORS += [("button", "S:referee"), ("knock", "W"), ("knock", "-"), ("shield", "X"), ("beam", "nonsense")]
UID = bytes.fromhex("E00401C31A7C6B58")


def hello(sensors: list[tuple[str, str]] = SENSORS) -> Hello:
    text = "\n".join(f"{number} {KIND[kind]} {name}" for number, (kind, name) in enumerate(sensors))
    return Hello(codec.SCHEMA.hash, 1, 1, len(sensors), zlib.crc32(text.encode()), 0, 0, "test", "table")


def join(
    readings: Readings, how: str = "first", state: tuple[Message, ...] = (), dropped: int = 0
) -> list[Observation]:
    got = list(readings.joined(Joined(hello(), 1, how)))  # type: ignore[arg-type]
    for number, (kind, name) in enumerate(SENSORS):
        got += readings.message(0.0, Sensor(number, KIND[kind], name))
    for message in (SnapshotBegin(dropped), *state, SnapshotEnd()):
        got += readings.message(1.0, message)
    return got


@pytest.fixture
def readings() -> Readings:
    made = Readings(lambda: 9.0)
    join(made)
    return made


@pytest.mark.parametrize(
    ("message", "observation"),
    [
        (TagsRead(0, (UID,)), Tags(2.0, "gate-N", ("E00401C31A7C6B58",))),
        (Weighed(1, -1234, 0), Scale(2.0, "stock", -1.234, settled=False)),
        (Weighed(1, 75_600, 1), Scale(2.0, "stock", 75.6, settled=True)),
        (Level(2, 1), Reach(2.0, Seat.NORTH, "stock", "in")),
        (Level(3, 1), Reach(2.0, None, "table", "in")),
        (Level(4, 0), Shield(2.0, Seat.EAST, "over")),
        (Pressed(5), Button(2.0, Seat.SOUTH, "referee")),
        (Knocked(6, 900), Knock(2.0, Seat.WEST)),
        (Knocked(7, 900), Knock(2.0, None)),
    ],
)
def test_a_message_means_its_observation(readings: Readings, message: Message, observation: Observation) -> None:
    assert readings.message(2.0, message) == [observation]


@pytest.mark.parametrize(
    "message",
    [Level(0, 1), TagsRead(1, (UID,)), Pressed(2), Weighed(99, 1, 1), Level(8, 1), Level(9, 1), Knocked(4, 5)],
)
def test_a_message_that_does_not_fit_its_sensor_means_nothing(readings: Readings, message: Message) -> None:
    assert readings.message(2.0, message) == []


def test_a_snapshot_after_a_gap_tells_what_differs_and_then_that_all_is_well(readings: Readings) -> None:
    readings.message(2.0, Level(2, 1))
    readings.message(2.0, TagsRead(0, (UID,)))
    state = (TagsRead(0, (UID,)), Weighed(1, 1800, 1), Level(2, 0), Level(3, 0), Level(4, 1))
    got = join(readings, "reset", state)
    assert [type(o) for o in got] == [Health, Scale, Reach, Shield, Health]
    assert [o.state for o in got if isinstance(o, Health)] == ["reset", "ok"]
    assert got[2] == Reach(1.0, Seat.NORTH, "stock", "out")


def test_readings_that_a_node_had_to_drop_are_told_once(readings: Readings) -> None:
    got = join(readings, "back", dropped=7)
    told = [(o.state, o.note) for o in got if isinstance(o, Health)]
    assert told == [("lost", "7 readings did not fit the node's memory; its state follows anew."), ("ok", "8 sensors")]
    assert readings.message(3.0, SnapshotBegin(7)) == []


def test_a_node_whose_sensors_are_not_those_announced_is_not_called_well() -> None:
    readings = Readings(lambda: 9.0)
    readings.joined(Joined(hello(), 1, "first"))
    readings.message(0.0, Sensor(0, KIND["coil"], "gate-S"))
    readings.message(0.0, SnapshotBegin(0))
    (health,) = readings.message(0.0, SnapshotEnd())
    assert isinstance(health, Health)
    assert health.state == "lost"


@given(
    st.floats(-1e5, 1e5),
    st.lists(st.tuples(st.floats(0.0001, 0.2), st.floats(0.0001, 0.2)), min_size=1, max_size=20),
)
def test_a_clock_is_mapped_within_its_round_trips(offset: float, ways: list[tuple[float, float]]) -> None:
    clock = ClockMap()
    now = 0.0
    for to, back in ways:
        clock.add(RoundTrip(now, now + to + back, now + to - offset))
        now += 1.0
    longest = max(to + back for to, back in ways)
    assert abs(clock.offset - offset) <= longest
    least = min(back for _, back in ways) - min(to + back for to, back in ways) / 2
    assert clock.offset - offset == pytest.approx(least, abs=1e-6)


def test_a_clock_that_was_set_is_followed_at_once() -> None:
    clock = ClockMap()
    clock.add(RoundTrip(1.0, 1.001, 1.0005))
    clock.add(RoundTrip(2.0, 2.001, 102.0005))
    assert clock.to_table(102_000_500) == pytest.approx(2.0005, abs=1e-6)
    assert ClockMap().round_trip is None
    with pytest.raises(ValueError, match="no round trip"):
        ClockMap().to_table(0)


def test_a_missing_device_is_told_in_one_sentence_and_tried_again(tmp_path: Path) -> None:
    port = tmp_path / "tty"
    with Bridge([str(port)], lambda: 1.5) as bridge:
        health = bridge.get(10)
        assert isinstance(health, Health)
        assert (health.t, health.node, health.state) == (1.5, str(port), "lost")
        assert health.note == f"There is no serial device {port}: is the node plugged in? Trying again."
        assert bridge.counters()[str(port)]["state"] == "lost"
        assert bridge.get(0.7) is None, "told once, not at each attempt"


@pytest.fixture
def port() -> Iterator[tuple[int, str]]:
    master, slave = os.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(slave)
    os.close(master)


def test_a_device_in_use_by_another_program_is_told_so(port: tuple[int, str]) -> None:
    with Path(port[1]).open("rb", buffering=0) as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with Bridge([port[1]], lambda: 0.0) as bridge:
            health = bridge.get(10)
    assert isinstance(health, Health)
    assert "in use by another program" in health.note


def test_a_file_that_is_no_serial_device_is_told_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("")
    with Bridge([str(path)], lambda: 0.0) as bridge:
        health = bridge.get(10)
    assert isinstance(health, Health)
    assert "cannot be opened" in health.note
    assert "\n" not in health.note


def test_a_device_that_only_brings_noise_yields_no_observation_but_that_nobody_answers(port: tuple[int, str]) -> None:
    with Bridge([port[1]], lambda: 0.0) as bridge:
        deadline = time.monotonic() + 20
        health = None
        while health is None and time.monotonic() < deadline:
            os.write(port[0], os.urandom(200).replace(b"\0", b"\1") + b"\0")
            health = bridge.get(0.05)
        assert isinstance(health, Health)
        assert "no node speaks" in health.note
        assert bridge.counters()[port[1]]["broken"] > 10
        assert bridge.counters()[port[1]]["readings"] == 0


async def test_iteration_ends_when_the_bridge_is_closed(tmp_path: Path) -> None:
    bridge = Bridge([str(tmp_path / "none")], lambda: 0.0)
    seen = []

    async def read() -> None:
        seen.extend([observation async for observation in bridge])

    async with asyncio.timeout(20):
        reader = asyncio.create_task(read())
        while not bridge.counters()[str(tmp_path / "none")]["problem"].startswith("There is no"):  # noqa: ASYNC110 - no event tells
            await asyncio.sleep(0.01)
        bridge.close()
        await reader
    assert [type(observation) for observation in seen] == [Health]


def test_a_sensor_that_fails_is_told_by_its_name_once_and_so_is_its_return(readings: Readings) -> None:
    fails = Trouble(1, 1, "the load cell does not answer")
    (told,) = readings.message(2.0, fails)
    assert told == Health(9.0, "table/scale:stock", "lost", "The load cell does not answer.")
    assert readings.message(3.0, fails) == []
    assert readings.troubles == {"table/scale:stock": "the load cell does not answer"}
    assert readings.message(4.0, Trouble(1, 0, "")) == [Health(9.0, "table/scale:stock", "ok", "It answers again.")]
    assert readings.message(5.0, Trouble(1, 0, "")) == []
    assert readings.message(5.0, Trouble(200, 1, "no such sensor")) == []
    (node,) = readings.message(6.0, Trouble(NODE_ITSELF, 1, "the supply has sunk to 4.2 V"))
    assert node == Health(9.0, "table/node", "lost", "The supply has sunk to 4.2 V.")


def test_a_trouble_that_a_snapshot_does_not_repeat_is_over(readings: Readings) -> None:
    readings.message(2.0, Trouble(1, 1, "dead"))
    readings.message(2.0, Trouble(0, 1, "dead"))
    got = join(readings, "back", (Trouble(0, 1, "dead"),))
    assert Health(9.0, "table/scale:stock", "ok", "It answers again.") in got
    assert list(readings.troubles) == ["table/coil:gate-N"]


def test_a_node_that_starts_anew_says_why_and_how_often() -> None:
    readings = Readings(lambda: 9.0)
    made = Hello(codec.SCHEMA.hash, 1, 3, 0, 0, 4, 2, "test", "table")
    (told,) = readings.joined(Joined(made, 1, "reset"))
    assert isinstance(told, Health)
    assert "its supply sagged" in told.note
    assert "4 resets and 2 brown-outs" in told.note


def test_screens_and_the_tray_become_observations() -> None:
    readings = Readings(lambda: 9.0)
    names = [("screen", "panel"), ("screen", "aperture:N"), ("tray", "NE"), ("tray", "SW")]
    readings.joined(Joined(hello(names), 1, "first"))
    for number, (kind, name) in enumerate(names):
        readings.message(0.0, Sensor(number, KIND[kind], name))
    got: list[Observation] = []
    for message in (SnapshotBegin(0), Level(0, 1), Level(1, 0), Level(2, 1), Level(3, 0), SnapshotEnd()):
        got += readings.message(1.0, message)
    assert got[:3] == [
        Screen(1.0, "panel", "up", None),
        Screen(1.0, "aperture", "closed", Seat.NORTH),
        Tray(1.0, "NE", None),
    ]
    assert readings.message(2.0, Level(2, 0)) == [Tray(2.0, "moving", None)]
    assert readings.message(3.0, Level(3, 1)) == [Tray(3.0, "SW", None)]
    assert readings.message(4.0, Level(2, 1)) == [], "both at once is a fault of the contacts"
    assert readings.message(5.0, Level(1, 1)) == [Screen(5.0, "aperture", "open", Seat.NORTH)]


@pytest.mark.parametrize(("files", "stale"), [("", False), ("0123456789abcdef", True), ("own", False)])
def test_a_node_that_runs_other_files_is_named_and_goes_on(files: str, stale: bool) -> None:
    said = files_checksum() if files == "own" else files
    identity = (1, zlib.crc32(b"0 2 stock"), 0, 0, "tavolo 3", "seats", said)
    with PtyNode(50, 0.0, 3, identity) as node, Bridge({"seats": node.port}, time.monotonic) as bridge:
        told = []
        while not any(isinstance(one, Health) and one.state == "ok" for one in told):
            one = bridge.get(20)
            assert one is not None, told
            told.append(one)
        health = next(one for one in told if isinstance(one, Health) and one.state == "ok")
        assert ("tavolo node update" in health.note) == stale
        assert bridge.counters()["seats"]["stale"] == stale
        assert bridge.counters()["seats"]["state"] == "ok", "its readings are taken as before"
        assert isinstance(bridge.get(20), Scale)
