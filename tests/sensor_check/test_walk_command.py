"""The command itself on live nodes, in real time; and trials that hear anything at all, in any order."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from hw.layout import DEFAULT_LAYOUT
from hw.observations import Button, Health, Knock, Observation, Reach, Scale, Screen, Shield, Tags, Tray
from hw.seats import SEATS
from hw.twin.node_host import NodeHost
from hw.twin.provide_micropython import NoMicroPython
from hw.twin.raw import RawFrame
from table_service.cli import app
from table_service.sensor_check.leading import Leader
from table_service.sensor_check.tasks import Task, tasks
from table_service.sensor_check.walk_course import WalkCourse
from tests.sensor_check.conftest import Image, a_table

PLATES = ("stock", "discard", "pots")
"""The plates of the drawn table: one that is never fed is a load cell that does not answer."""


@pytest.mark.slow
def test_the_command_greets_live_nodes_and_gives_its_verdict(tmp_path: Path) -> None:
    try:
        hosts = [NodeHost(name) for name in ("gates", "seats")]
    except NoMicroPython as error:
        pytest.skip(str(error))
    path, record = tmp_path / "t.toml", tmp_path / "walk.jsonl"
    path.write_text(
        '[table]\nname = "T1"\nrules = "fibur2024"\n'
        f'[nodes.gates]\nport = "{hosts[0].port}"\ncoils = ["gate-N"]\n'
        f'[nodes.table]\nport = "{hosts[1].port}"\nscales = ["stock"]\n',
        "utf-8",
    )
    try:
        for host in hosts:
            host.feed(RawFrame(0.0, {"coil:gate-N": []} | {f"scale:{zone}": 0 for zone in PLATES}, 1.0))
        line = ["doctor", "--walk", "--only", "nodes", "--english", "--config", str(path), "--record", str(record)]
        done = CliRunner().invoke(app, line)
    finally:
        for host in hosts:
            host.close()
    assert done.exit_code == 0, done.output
    assert "VERDICT: the table is in order." in done.output
    # nothing is left to do: the nodes, which are gone now, are not even asked
    assert CliRunner().invoke(app, line).exit_code == 0


class Babel:
    """A table whose sensors say anything; its clock leaps with every question."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.t = 0.0

    def hear(self, _seconds: float) -> Observation | None:
        rng, t = self.rng, self.t + self.rng.uniform(-2, 2)
        seat, zone = rng.choice(SEATS), rng.choice(("stock", "discard", "pots", "gate-N", "gate-W", "nowhere"))
        return rng.choice(
            (
                None,
                Tags(t, zone, rng.choice(((), ("E004",), ("E004", "E005")))),
                Scale(t, zone, rng.choice((0.0, -3.0, 1.8, 200.0, 1e6)), settled=rng.random() < 0.7),
                Reach(t, rng.choice((seat, None)), rng.choice((zone, None)), rng.choice(("in", "out"))),
                Shield(t, seat, rng.choice(("up", "over"))),
                Knock(t, rng.choice((seat, None))),
                Button(t, seat, "referee"),
                Screen(t, rng.choice(("panel", "aperture")), rng.choice(("up", "down", "closed")), None),
                Tray(t, rng.choice(("NE", "SW", "moving")), None),
                Health(t, rng.choice(("gates", "gates/coil:gate-N", "x")), rng.choice(("ok", "lost", "reset"))),
            )
        )

    def heard_until(self) -> float:
        return self.t - self.rng.uniform(0, 1)

    def now(self) -> float:
        self.t += self.rng.expovariate(2.0)
        return self.t

    def counters(self) -> dict[str, dict[str, object]]:
        return {"gates": {"state": self.rng.choice(("ok", "lost")), "troubles": {}, "stale": self.rng.random() < 0.5}}

    def frame(self) -> tuple[Image, float] | None:
        if self.rng.random() < 0.97:
            return None
        return np.full((480, 640, 3), self.rng.randrange(256), np.uint8), self.t

    def camera_problem(self) -> str:
        return ""

    def camera_notes(self) -> tuple[str, ...]:
        return ()

    def calibrate(self, picture: Image) -> None:
        pass

    def look(self, picture: Image, t: float) -> None:  # noqa: ARG002
        return None

    def say(self, text: str) -> None:
        pass

    def tone(self) -> None:
        pass

    def line(self) -> str | None:
        return self.rng.choice((None, None, "", "x", "12,5", "r" if self.rng.random() < 0.05 else ""))

    def begins(self, task: Task) -> None:
        pass


@pytest.mark.parametrize("seed", range(8))
def test_nothing_that_sensors_or_people_do_breaks_a_walk(seed: int) -> None:
    babel = Babel(seed)
    course = WalkCourse(tasks(a_table("/dev/no-gates", "/dev/no-seats", "/dev/no-places", camera=True), quick=True))
    kept: list[Observation] = []
    Leader(course, babel, babel, DEFAULT_LAYOUT, kept.append, italian=bool(seed % 2)).lead()
    assert set(course.results) == {task.name for task in course.tasks}
    again = WalkCourse(course.tasks)
    again.resume(kept)
    passed = {name for name, result in course.results.items() if result.outcome != "failed"}
    assert set(again.results) == passed
    for finding in course.findings:
        assert finding.sentence(italian=True)
