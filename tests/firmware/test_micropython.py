"""The firmware under a real MicroPython: the shared vectors, and readings from pins to observations over a real pty."""

from __future__ import annotations

import asyncio
import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge import Bridge, codec
from hw.observations import Button, Health, Knock, Observation, Reach, Scale, Shield, Tags
from hw.seats import Seat
from hw.twin.node_host import NodeHost, node_sensors
from hw.twin.provide_micropython import MicroPython
from hw.twin.raw import RawFrame, RawValue

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
VECTORS = ROOT / "tests" / "firmware_bridge" / "vectors.json"
CARD = "E00401C31A7C6B58"
PATIENCE = 20.0
"""Wall seconds after which something that should have come is taken not to come."""


def test_the_firmwares_codec_meets_the_shared_vectors(interpreter: MicroPython) -> None:
    script = HERE / "check_vectors.py"
    folder, schema = ROOT / "hw" / "node", ROOT / "hw" / "link_schema.json"
    if interpreter.kind == "npm":
        node, library = interpreter.command
        code = "import check_vectors; check_vectors.main('/node', '/node/link_schema.json', '/node/vectors.json')"
        files = [*map(str, folder.glob("*.py")), str(script), str(schema), str(VECTORS)]
        command = [node, str(HERE / "run_wasm.mjs"), library, code, *files]
    else:
        command = [*interpreter.command, str(script), str(folder), str(schema), str(VECTORS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    vectors = json.loads(VECTORS.read_text())
    assert done.returncode == 0, done.stderr[-1000:]
    assert done.stdout.split() == [
        *("frames", str(len(vectors["frames"]))),
        *("refused", str(len(vectors["refused"]))),
        *("hash", str(codec.SCHEMA.hash)),
    ]


class Desk:
    """A simulated node, a bridge that listens to it, and the table's clock, which goes on as the node is fed."""

    STEP = 0.02
    SPEED = 6.0

    def __init__(self, micropython: MicroPython, node: str = "table") -> None:
        self.t = 0.0
        self.host = NodeHost(node, micropython=micropython)
        self.bridge = Bridge([self.host.port], lambda: self.t)
        self.got: list[Observation] = []

    def feed(self, **values: RawValue) -> None:
        """The sensors now read so."""
        self.host.feed(RawFrame(self.t, dict(values), 0.0))

    def run(self, seconds: float) -> None:
        """Let the table's time pass."""
        end = self.t + seconds
        while self.t < end - 1e-9:
            time.sleep(self.STEP / self.SPEED)
            self.t = round(min(end, self.t + self.STEP), 6)
            self.feed()

    def until(self, wanted: Callable[[Observation], bool]) -> Observation:
        """Listen until something ``wanted`` comes; all that came is in ``got``."""
        deadline = time.monotonic() + PATIENCE
        while (left := deadline - time.monotonic()) > 0:
            observation = self.bridge.get(left)
            if observation is not None:
                self.got.append(observation)
                if wanted(observation):
                    return observation
        raise AssertionError(f"it did not come; what came: {self.got[-20:]}")

    def is_ok(self, observation: Observation) -> bool:
        return isinstance(observation, Health) and observation.state == "ok"

    def close(self) -> None:
        self.bridge.close()
        self.host.close()


@pytest.fixture
def desk(interpreter: MicroPython) -> Iterator[Desk]:
    made = Desk(interpreter)
    made.feed(**{"scale:stock": 75_600, "scale:discard": 0, "scale:pots": 39_600})
    made.bridge.start()
    yield made
    made.close()


def test_what_the_sensors_read_becomes_observations_in_order(desk: Desk) -> None:
    desk.until(desk.is_ok)
    desk.run(1.0)
    desk.got.clear()
    for values in (
        {"beam:N:stock": 1},
        {"coil:gate-N": [CARD], "scale:stock": 73_800},
        {"coil:gate-N": []},
        {"beam:N:stock": 0, "shield:N": 0},
        {"knock:E": 900},
        {"button:S:count": 1},
    ):
        desk.feed(**values)
        desk.run(0.3)
    desk.until(lambda o: isinstance(o, Button))
    events = [o for o in desk.got if not isinstance(o, Scale)]
    # that a barrier is whole again is told 15 ms later, with its own moment
    assert [type(o) for o in events] == [Reach, Tags, Tags, Shield, Reach, Knock, Button]
    reach_in, tag, gone, shield, reach_out, knock, button = events
    assert (reach_in.seat, reach_in.zone, reach_in.phase) == (Seat.NORTH, "stock", "in")
    assert (tag.zone, tag.tags) == ("gate-N", (CARD,))
    assert (gone.zone, gone.tags) == ("gate-N", ())
    assert reach_out.phase == "out"
    assert (shield.seat, shield.pose) == (Seat.NORTH, "over")
    assert knock.seat is Seat.EAST
    assert (button.seat, button.button) == (Seat.SOUTH, "count")
    weights = [o for o in desk.got if isinstance(o, Scale) and o.zone == "stock" and o.grams == 73.8]
    assert len(weights) >= 8
    assert weights[-1].settled
    times = [o.t for o in desk.got]
    assert times == sorted(times)
    assert [round(o.t, 6) for o in (reach_in, reach_out, shield, knock, button)] == [1.0, 1.9, 1.9, 2.2, 2.5]
    assert 1.3 <= tag.t <= 1.33
    assert 1.6 <= gone.t <= 1.63


def test_a_node_that_starts_anew_joins_again_and_tells_what_changed_meanwhile(desk: Desk) -> None:
    desk.until(desk.is_ok)
    desk.host.kill()
    desk.feed(**{"shield:W": 0, "coil:discard": [CARD], "scale:discard": 1800, "beam:E:discard": 1})
    desk.got.clear()
    desk.host.restart()
    desk.until(desk.is_ok)
    states = [o.state for o in desk.got if isinstance(o, Health)]
    assert states[-2:] == ["reset", "ok"]
    desk.got = desk.got[[isinstance(o, Health) and o.state == "reset" for o in desk.got].index(True) :]
    changed = [o for o in desk.got if isinstance(o, Tags | Shield | Reach)]
    assert {type(o) for o in changed} == {Tags, Shield, Reach}
    assert next(o for o in changed if isinstance(o, Tags)).tags == (CARD,)
    assert [o.pose for o in changed if isinstance(o, Shield)] == ["over"]
    assert next(o.grams for o in desk.got if isinstance(o, Scale) and o.zone == "discard") == 1.8
    assert desk.bridge.counters()["table"]["resets"] == 1


def test_a_node_that_falls_silent_is_told_as_lost(micropython: MicroPython) -> None:
    desk = Desk(micropython, "seats")
    desk.feed(**{"scale:stock": 75_600})
    desk.bridge.start()
    try:
        desk.until(desk.is_ok)
        desk.host.kill()
        lost = desk.until(lambda o: isinstance(o, Health))
        assert (lost.node, lost.state) == ("seats", "lost")
        assert desk.bridge.counters()["seats"]["state"] == "lost"
    finally:
        desk.close()


def test_a_cable_pulled_out_is_told_in_a_sentence_and_the_port_is_tried_again(micropython: MicroPython) -> None:
    desk = Desk(micropython)
    desk.feed(**{"scale:stock": 75_600})
    desk.bridge.start()
    try:
        desk.until(desk.is_ok)
        desk.host.close()
        lost = desk.until(lambda o: isinstance(o, Health) and o.state == "lost")
        assert "has gone" in lost.note
        deadline = time.monotonic() + PATIENCE
        while "no serial device" not in desk.bridge.counters()["table"]["problem"]:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        desk.close()


async def test_two_nodes_are_read_together_by_an_async_loop(micropython: MicroPython) -> None:
    began = time.monotonic()

    def clock() -> float:
        return time.monotonic() - began

    with NodeHost("gates", micropython=micropython) as gates, NodeHost("seats", micropython=micropython) as seats:
        for host in (gates, seats):
            host.feed(RawFrame(clock(), {"scale:pots": 39_600, "coil:gate-S": [CARD], "shield:S": 0}, 1.0))
        seen: set[str] = set()
        async with Bridge({"a": gates.port, "b": seats.port}, clock) as bridge, asyncio.timeout(PATIENCE):
            async for observation in bridge:
                seen.add(getattr(observation, "zone", None) or observation.kind)
                if isinstance(observation, Health):
                    seen.add(observation.node)
                if {"a", "b", "pots", "gate-S", "shield"} <= seen:
                    break
        assert set(bridge.counters()) == {"a", "b"}


def test_a_sensor_that_dies_in_the_middle_of_a_deal_is_told_by_name_and_so_is_its_return(
    micropython: MicroPython,
) -> None:
    desk = Desk(micropython)
    desk.feed(**{"scale:stock": 75_600, "scale:discard": 0, "scale:pots": 39_600, "coil:discard": [CARD]})
    desk.bridge.start()
    try:
        desk.until(desk.is_ok)
        desk.got.clear()
        for sensor in ("scale:stock", "coil:discard", "shield:W"):
            desk.host.fail(sensor)
        desk.feed(**{"shield:W": 0})
        desk.run(2.0)
        lost = {desk.until(lambda o: isinstance(o, Health) and o.state == "lost").node for _ in range(3)}
        assert lost == {"table/scale:stock", "table/coil:discard", "table/shield:W"}
        assert set(desk.bridge.counters()["table"]["troubles"]) == lost
        assert not [o for o in desk.got if isinstance(o, Shield) or (isinstance(o, Tags) and not o.tags)]
        desk.got.clear()
        for sensor in ("scale:stock", "coil:discard", "shield:W"):
            desk.host.fail(sensor, failing=False)
        desk.feed(**{"button:N:count": 1})
        desk.run(1.0)
        back = {desk.until(lambda o: isinstance(o, Health) and o.state == "ok").node for _ in range(3)}
        assert back == lost
        assert [o.pose for o in desk.got if isinstance(o, Shield)] == ["over"]
        with pytest.raises(KeyError, match="no sensor"):
            desk.host.fail("scale:moon")
    finally:
        desk.close()


def test_whose_hand_it_is_comes_from_nine_light_barriers_where_they_tell(micropython: MicroPython) -> None:
    desk = Desk(micropython)
    desk.feed(**{"scale:stock": 75_600, "scale:discard": 0, "scale:pots": 39_600})
    desk.bridge.start()
    try:
        desk.until(desk.is_ok)
        desk.run(0.5)
        desk.got.clear()
        for values in (
            {"beam:N:stock": 1},
            {"beam:N:stock": 0},
            {"beam:-:pots": 1},
            {"beam:-:pots": 0},
            {"beam:E:table": 1},
            {"beam:S:discard": 1},
            {"beam:S:discard": 0, "beam:E:table": 0},
            {"button:S:count": 1},
        ):
            desk.feed(**values)
            desk.run(0.6)
        desk.until(lambda o: isinstance(o, Button))
        told = [(str(o.seat or "-"), o.zone, o.phase) for o in desk.got if isinstance(o, Reach)]
        assert told[:4] == [("N", "stock", "in"), ("N", "stock", "out"), ("-", "pots", "in"), ("-", "pots", "out")]
        # two arms at once: nobody can say whose is over the discards
        assert ("-", "discard", "in") in told
        assert ("S", "discard", "in") not in told
        assert ("E", "discard", "in") not in told
    finally:
        desk.close()


def test_a_bridge_notes_both_clocks_of_every_reading_where_it_is_told_to(
    micropython: MicroPython, tmp_path: Path
) -> None:
    with NodeHost(micropython=micropython) as host:
        host.feed(RawFrame(5.0, {"scale:stock": 75_600, "scale:discard": 0, "scale:pots": 39_600}, 0.0))
        with Bridge({"T1": host.port}, lambda: 5.0, ledgers=tmp_path / "clocks") as bridge:
            while not isinstance(bridge.get(PATIENCE), Health):
                pass
    kept = [json.loads(line) for line in (tmp_path / "clocks" / "T1.clocks.jsonl").read_text().splitlines()]
    assert {"Weighed", "Level"} <= {entry["what"] for entry in kept}
    assert {entry["node"] for entry in kept} == {"T1"}
    assert all(abs(entry["micros"] / 1e6 - 5.0) < 0.5 and entry["received"] == 5.0 for entry in kept)


def test_hundreds_of_readings_a_second_arrive_complete_and_in_order(interpreter: MicroPython) -> None:
    """Ten times real speed with all scales in motion: 750 readings a second of wall time, none lost."""
    with NodeHost(micropython=interpreter) as host:
        t = [0.0]
        with Bridge([host.port], lambda: t[0]) as bridge:
            scales = ("scale:stock", "scale:discard", "scale:pots")
            host.feed(RawFrame(0.0, dict.fromkeys(scales, 0), 0.0))
            got: list[Observation] = []
            while not (got and isinstance(got[-1], Health)):
                observation = bridge.get(PATIENCE)
                assert observation is not None
                got.append(observation)
            began = time.monotonic()
            for step in range(1, 501):
                t[0] = step * 0.04
                while (time.monotonic() - began) * 10 < t[0]:
                    time.sleep(0.001)
                host.feed(RawFrame(t[0], dict.fromkeys(scales, step * 10_000), 0.0))
            grams: list[float] = []
            while not grams or grams[-1] < 4990:
                observation = bridge.get(PATIENCE)
                assert observation is not None, f"only {grams[-3:]} came"
                if isinstance(observation, Scale) and observation.zone == "pots":
                    grams.append(observation.grams)
            counters = bridge.counters()["table"]
        assert grams == sorted(grams)
        assert len(grams) >= 495
        assert counters["node_dropped"] == 0


def test_every_sensor_of_the_tables_data_has_a_place(micropython: MicroPython) -> None:
    desk = Desk(micropython)
    desk.feed()
    desk.bridge.start()
    try:
        ok = desk.until(desk.is_ok)
        assert ok.note == f"{len(node_sensors())} sensors"
    finally:
        desk.close()
