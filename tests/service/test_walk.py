"""The walk round a table: a sensor must answer to its own hand; one that answers for another is named."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hw.observations import Button, Health, Knock, Observation, Reach, Scale, Shield, Tags
from hw.seats import SEATS, Seat
from hw.tablemap import TableMap
from table_service.cli import app
from table_service.commands.sensor_check import PATIENCE_S, Walk, Wish, go, report, wishes
from table_service.rulesets import load_table

ROOT = Path(__file__).parents[2]
RUN = CliRunner()


@pytest.fixture(scope="module")
def table() -> TableMap:
    return load_table(ROOT / "examples" / "table.toml")


def _does(wish: Wish, t: float) -> list[Observation]:
    """What a sound table says when a person does what ``wish`` asks."""
    kind, _, name = wish.sensor.partition(" ")
    owner, _, rest = name.partition(":")
    match kind:
        case "coil":
            return [Reach(t, None, "table", "in"), Tags(t, name, ("E004",)), Tags(t, name, ())]
        case "scale":
            return [
                Scale(t, name, 0.0, settled=True),
                Scale(t, name, 1.1, settled=False),
                Scale(t, name, 1.8, settled=True),
            ]
        case "beam":
            return [Reach(t, Seat(owner), rest, "in"), Reach(t, Seat(owner), rest, "out")]
        case "shield":
            return [Shield(t, Seat(name), "over"), Shield(t, Seat(name), "up")]
        case "knock":
            return [Knock(t, Seat(name))]
        case "button":
            return [Button(t, Seat(owner), rest)]
    return [Health(t, "camera", "lost", "the camera is covered")]


def test_a_sound_table_passes_and_every_sensor_of_the_map_was_asked_for(table: TableMap) -> None:
    walk = Walk(wishes(table))
    while (wish := walk.current) is not None:
        for observation in _does(wish, 1.0):
            walk.hear(observation, 1.0)
    assert walk.passed
    asked = {one.wish.sensor for one in walk.answers}
    for node in table.nodes.values():
        assert {f"coil {zone}" for zone in node.coils} <= asked
        assert {f"scale {zone}" for zone in node.scales} <= asked
        assert {f"button {name}" for name in node.buttons} <= asked
    reached = [sensor.removeprefix("beam ").partition(":") for sensor in asked if sensor.startswith("beam ")]
    assert {owner for owner, _, _ in reached} == set(SEATS)
    assert {place for _, _, place in reached} == {"stock", "discard", "pots", "melds-NS", "melds-EW"}


def test_crossed_wires_are_named(table: TableMap) -> None:
    walk = Walk(wishes(table))
    walk.hear(Tags(1.0, "gate-W", ("E004",)), 1.0)
    answer = walk.tick(PATIENCE_S + 1)
    assert answer is not None
    assert (answer.outcome, answer.by, answer.wish.sensor) == ("another answered", "coil gate-W", "coil gate-N")
    assert not walk.passed


def test_a_hand_that_brings_a_card_to_a_coil_accuses_no_beam(table: TableMap) -> None:
    walk = Walk(wishes(table))
    walk.hear(Reach(1.0, Seat.NORTH, "table", "in"), 1.0)
    answer = walk.tick(PATIENCE_S + 1)
    assert answer is not None
    assert answer.outcome == "silent"


def test_a_scale_that_trembles_has_not_answered() -> None:
    walk = Walk((Wish("scale stock", "", ""),))
    for grams in (10.0, 10.3, 9.7, 10.2):
        assert walk.hear(Scale(1.0, "stock", grams, settled=True), 1.0) is None
    assert walk.hear(Scale(2.0, "stock", 11.8, settled=True), 2.0) is not None


def test_the_person_is_led_in_italian_and_may_leave_one_out(table: TableMap) -> None:
    said: list[str] = []
    walk = Walk(wishes(table)[:2])
    heard: Iterator[Observation] = iter(_does(wishes(table)[0], 1.0))
    go(walk, lambda _s: next(heard, None), lambda: len(walk.answers) == 1, lambda: 1.0, said.append, italian=True)
    assert "bordo Nord" in said[0]
    assert said[1].strip().startswith("bene")
    assert said[-1].strip().startswith("saltato")
    told = report(walk, table, "2026-11-21T12:00:00Z")
    assert [one["outcome"] for one in told["sensors"]] == ["answered", "skipped"]
    assert not told["passed"]


def test_the_command_says_what_is_missing(tmp_path: Path) -> None:
    assert RUN.invoke(app, ["doctor", "--walk"]).exit_code == 2
    bare = tmp_path / "bare.toml"
    bare.write_text('[table]\nname = "T1"\nrules = "fibur2024"\n', "utf-8")
    done = RUN.invoke(app, ["doctor", "--walk", "--config", str(bare)])
    assert done.exit_code == 1
    assert "nothing to walk to" in done.output
    broken = tmp_path / "broken.toml"
    broken.write_text("[table\n", "utf-8")
    assert RUN.invoke(app, ["doctor", "--walk", "--config", str(broken)]).exit_code == 1


def test_a_walk_at_a_table_that_is_not_there_ends_with_a_verdict_and_its_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table_service.commands.sensor_check.PATIENCE_S", 0.05)
    monkeypatch.setattr("table_service.commands.walk_table.JOIN_S", 0.1)
    path, out = tmp_path / "t.toml", tmp_path / "walk.json"
    path.write_text(
        f'[table]\nname = "T1"\nrules = "fibur2024"\n[nodes.gates]\nport = "{tmp_path}/no-port"\ncoils = ["gate-N"]\n',
        "utf-8",
    )
    done = RUN.invoke(app, ["doctor", "--walk", "--config", str(path), "--report", str(out), "--english"])
    assert done.exit_code == 1
    assert "NOT well: coil gate-N" in done.output
    assert json.loads(out.read_text("utf-8"))["sensors"] == [
        {"sensor": "coil gate-N", "outcome": "silent", "seconds": pytest.approx(0.05, abs=2)}
    ]


def test_the_udev_rules_name_the_ports_of_the_example_table(table: TableMap) -> None:
    rules = (ROOT / "systemd" / "99-tavolo.rules").read_text("utf-8")
    named = set(re.findall(r'SYMLINK\+="([^"]+)"', rules))
    assert {node.port.removeprefix("/dev/") for node in table.nodes.values()} <= named
    for line in rules.splitlines():
        if line and not line.startswith("#"):
            assert re.fullmatch(r'(\w+(\{\w+\})?(==|=|\+=)"[^"]*"(, )?)+', line), line
