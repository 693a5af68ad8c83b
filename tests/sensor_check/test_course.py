"""The course of a walk: the list unfolds for a table, results are kept, taken up again, and become a noise file."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hw.board.bench_figures import written
from hw.board.measuring import ASSUMED
from hw.board.procedure import CHAPTERS, PROCEDURE
from hw.observation_log import read_log
from hw.observations import Console, Observation, Reach, Scale, Tags
from hw.seats import Seat
from hw.twin.noise import load_noise
from table_service.cli import app
from table_service.rulesets import load_table
from table_service.sensor_check.counted_trials import FIRST_S, LEAST_PACE, CountedTrial
from table_service.sensor_check.resting import COMPLAINS_S, NodeTrial
from table_service.sensor_check.sensor_faults import SENTENCES, Finding
from table_service.sensor_check.tasks import Task, reaches, tasks
from table_service.sensor_check.trial import Standing
from table_service.sensor_check.walk_course import TaskResult, WalkCourse
from table_service.sensor_check.weighed import Creep
from tests.sensor_check.conftest import a_table

ROOT = Path(__file__).parents[2]
RUN = CliRunner()
TABLE = a_table("/dev/no-gates", "/dev/no-seats", camera=True)
GAMES = a_table("/dev/no-gates", "/dev/no-seats", "/dev/no-places", camera=True)


def test_every_sensor_of_the_example_table_is_asked_for_and_every_item_is_done() -> None:
    example = load_table(ROOT / "examples" / "table.toml")
    by_cards = {one.name for one in PROCEDURE if one.each == "calibration"}
    everything = {one.name for one in PROCEDURE} - by_cards
    screens = {one.name for one in PROCEDURE if one.chapter == "screens"}
    assert {task.item.name for task in tasks(example)} == everything - screens
    marked = example.model_copy(
        update={"camera": example.camera.model_copy(update={"calibration": Path("cards.json")})}
    )
    assert {task.item.name for task in tasks(marked)} == (everything - screens) | by_cards
    table = example.model_copy(update={"nodes": {**example.nodes, "places": GAMES.nodes["places"]}})
    asked = tasks(table)
    names = [task.name for task in asked]
    assert len(set(names)) == len(names)
    assert {task.item.name for task in asked} == everything
    sensors = {task.sensor for task in asked}
    for node in table.nodes.values():
        for kind in ("coil", "scale", "shield", "knock", "button", "screen", "tray"):
            assert {f"{kind} {name}" for name in getattr(node, f"{kind}s")} <= sensors
    for task in asked:
        assert not re.search(r"[{}]", task.it + task.en), task


def test_reaches_break_every_barrier_once() -> None:
    beams = [f"{s}:{p}" for s in "NESW" for p in ("stock", "discard", "pots", "melds-NS", "melds-EW", "table")]
    chosen = [name.split(":") for name in reaches(beams)]
    assert {seat for seat, _ in chosen} == set("NESW")
    assert {place for _, place in chosen} == {"stock", "discard", "pots", "melds-NS", "melds-EW"}
    assert len(chosen) == 5


def test_the_page_is_the_same_list() -> None:
    page = (ROOT / "docs" / "board" / "bench.md").read_text("utf-8")
    assert re.findall(r"\*\*([\w-]+)\*\*", page) == [item.name for item in PROCEDURE]
    for it, en in CHAPTERS.values():
        assert f"## {en} · {it}" in page


@pytest.mark.parametrize("code", SENTENCES)
def test_every_fault_has_a_sentence_in_both_languages(code: str) -> None:
    it, en = SENTENCES[code]
    assert set(re.findall(r"{(\w+)", it)) == set(re.findall(r"{(\w+)", en))


def test_a_quick_walk_asks_for_the_seconds_that_it_waits() -> None:
    for quick in (False, True):
        for task in tasks(GAMES, quick=quick):
            if task.item.way in ("rest", "creep"):
                assert f"{task.seconds:g} secondi" in task.it
                assert f"{task.seconds:g} seconds" in task.en


def test_a_node_with_old_files_is_named_with_what_to_do() -> None:
    task = next(one for one in tasks(GAMES) if one.name == "hello node places")
    trial = NodeTrial(task, Standing(), 0.0)
    trial.report({"state": "ok", "stale": True, "troubles": {}})
    trial.advance(0.1, 0.1)
    trial.advance(0.1 + COMPLAINS_S, 0.1 + COMPLAINS_S)
    assert trial.done
    assert [one.sentence(italian=False) for one in trial.findings] == [
        "node places: carries old files: run 'tavolo node update'"
    ]


def test_a_node_that_has_just_started_is_given_time_to_complain() -> None:
    task = next(one for one in tasks(GAMES) if one.name == "hello node places")
    trial = NodeTrial(task, Standing(), 0.0)
    trial.report({"state": "ok", "troubles": {}})
    trial.advance(0.1, 0.1)
    trial.advance(1.0, 1.0)
    assert not trial.done
    trial.report({"state": "ok", "troubles": {"places/scale:scarto": "the load cell does not answer"}})
    trial.advance(task.seconds, task.seconds)
    assert trial.done
    assert [(one.code, one.sensor) for one in trial.findings] == [("trouble", "scale scarto")]


def test_tones_that_came_late_hurry_nobody_and_every_act_is_waited_for() -> None:
    task = next(one for one in tasks(TABLE, quick=True) if one.item.way == "shield")
    trial = CountedTrial(task, Standing(), 0.0)
    pace, moments = task.item.pace, []
    now = FIRST_S
    while not trial.done:
        trial.advance(now, now)
        for cue in trial.cues:
            assert cue.kind == "tone"
            moments.append(now)
            trial.own.append(now + 0.3)
        trial.cues.clear()
        now += 2.6 * pace if len(moments) == 1 and now == FIRST_S else 0.05  # the program stood still once
    gaps = [after - before for before, after in itertools.pairwise(moments)]
    assert len(moments) == task.times
    assert min(gaps) >= LEAST_PACE * pace - 1e-9
    assert trial.findings == []


def _lies(creep_g_per_min: float, seconds: float, *, quick: bool) -> list[str]:
    """What the walk finds of a scale whose load creeps; readings waver by 0.3 g and come when a node sends them."""
    task = next(one for one in tasks(TABLE, quick=quick) if one.name == "scale-creep scale stock")
    assert task.seconds == seconds
    rng = random.Random(4)
    trial = Creep(task, Standing(rest={"scale stock": 0.0}), 0.0)
    moments = [1.0 + 0.04 * n for n in range(12)] + [2.0 + 4.0 * n for n in range(20)]
    for t in moments:
        if not trial.weights:
            trial.hear(Scale(t, "stock", 200 + creep_g_per_min * t / 60 + rng.gauss(0, 0.3), settled=True))
    for n in range(12):
        trial.hear(Scale(90 + 0.04 * n, "stock", rng.gauss(0, 0.3), settled=True))
    trial.advance(95.0, 95.0)
    assert trial.done
    return [one.code for one in trial.findings]


def test_creep_is_judged_by_the_minute_however_long_the_weight_lay() -> None:
    assert _lies(0.5, 60.0, quick=False) == []
    assert _lies(2.0, 60.0, quick=False) == ["creep"]
    assert _lies(-2.0, 60.0, quick=False) == ["creep"]
    assert _lies(0.5, 30.0, quick=True) == []
    assert _lies(6.0, 30.0, quick=True) == ["creep"]


def _passes(task: Task, misses: Iterable[int], t: float) -> list[Observation]:
    found: list[Observation] = [Console(t, "walk", "bench", task.order())]
    missed = set(misses)
    for n in range(task.times):
        if n not in missed:
            found += [Tags(t + 2 * n + 1, task.subject, ("E004",)), Tags(t + 2 * n + 1.4, task.subject, ())]
    return found


def _coils() -> list[Task]:
    return [task for task in tasks(TABLE) if task.item.way == "passes"][:2]


def test_rates_of_what_passed_become_a_noise_file_and_none_is_never(tmp_path: Path) -> None:
    first, second = _coils()
    course = WalkCourse([first, second])
    course.end(TaskResult(first.name, "passed"), _passes(first, (), 0.0))
    course.end(TaskResult(second.name, "passed"), _passes(second, (), 300.0))
    made = tmp_path / "noise.toml"
    made.write_text(written(ASSUMED.read_text("utf-8"), course.figures()), "utf-8")
    assert load_noise("normal", made).gate_miss == pytest.approx(0.5 / 201, rel=1e-4)
    assert "measured: 0 of 200" in made.read_text("utf-8")


def test_a_broken_sensor_spoils_no_rate() -> None:
    first, second = _coils()
    course = WalkCourse([first, second])
    course.end(TaskResult(first.name, "passed"), _passes(first, (3,), 0.0))
    course.end(TaskResult(second.name, "failed", (Finding("dead", second.sensor),)), _passes(second, range(100), 300.0))
    figure = next(one for one in course.figures() if one.name == "gate.miss")
    assert (figure.count, figure.tries) == (1, 100)


def test_a_walk_is_taken_up_where_it_was_broken_off() -> None:
    first, second = _coils()
    log = [*_passes(first, (5,), 0.0), TaskResult(first.name, "passed", (), {"answers": 99.0}).mark(210.0)]
    log += _passes(second, (), 220.0)[:7]
    again = WalkCourse([first, second])
    assert again.resume(log) == log[-1].t
    assert again.current is not None
    assert again.current.name == second.name
    assert next(one for one in again.figures() if one.name == "gate.miss").count == 1


def test_what_failed_is_due_again_and_so_is_what_was_only_done_quickly() -> None:
    first, second = _coils()
    quick = next(task for task in tasks(TABLE, quick=True) if task.name == second.name)
    log: list[Observation] = [
        *_passes(first, range(50), 0.0),
        TaskResult(first.name, "failed", (Finding("misses", first.sensor, {"missed": 50, "times": 100}),)).mark(210.0),
        *_passes(quick, (), 220.0),
        TaskResult(second.name, "passed").mark(230.0),
    ]
    course = WalkCourse([first, second])
    course.resume(log)
    assert [name for name in (first.name, second.name) if name not in course.results] == [first.name, second.name]


def test_the_report_holds_verdict_faults_and_counts() -> None:
    first, second = _coils()
    course = WalkCourse([first, second])
    course.end(TaskResult(first.name, "failed", (Finding("dead", first.sensor),)), [])
    told = course.report("T1", "2026-11-22T08:00:00Z")
    assert not told["passed"]
    assert told["tasks"][0]["findings"][0]["code"] == "dead"
    assert told["left"] == [second.name]
    assert json.loads(json.dumps(told)) == told


def test_the_command_says_what_is_missing_or_wrong(tmp_path: Path) -> None:
    assert RUN.invoke(app, ["doctor", "--walk"]).exit_code == 2
    assert RUN.invoke(app, ["doctor", "--quick"]).exit_code == 2
    bare = tmp_path / "bare.toml"
    bare.write_text('[table]\nname = "T1"\nrules = "fibur2024"\n', "utf-8")
    done = RUN.invoke(app, ["doctor", "--walk", "--config", str(bare)])
    assert done.exit_code == 1
    assert "nothing to walk to" in done.output
    assert RUN.invoke(app, ["doctor", "--walk", "--only", "x", "--config", str(bare)]).exit_code == 2


def test_a_table_that_is_not_there_ends_with_a_verdict_and_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table_service.sensor_check.tasks.QUICK_S", 0.2)
    path, out, record = tmp_path / "t.toml", tmp_path / "walk.json", tmp_path / "walk.jsonl"
    noise = tmp_path / "noise.toml"
    path.write_text(
        f'[table]\nname = "T1"\nrules = "fibur2024"\n[nodes.gates]\nport = "{tmp_path}/no-port"\ncoils = ["gate-N"]\n',
        "utf-8",
    )
    line = [
        "doctor",
        "--walk",
        "--quick",
        "--only",
        "nodes",
        "--config",
        str(path),
        "--english",
        "--record",
        str(record),
    ]
    done = RUN.invoke(app, [*line, "--report", str(out), "--noise", str(noise)])
    assert done.exit_code == 1
    assert "NOT in order" in done.output
    assert "node gates: does not answer" in done.output
    told = json.loads(out.read_text("utf-8"))
    assert [one["outcome"] for one in told["tasks"]] == ["failed"]
    assert load_noise("normal", noise) == load_noise("normal")
    header, log = read_log(record)
    assert header.table == "T1"
    assert [one.fields["step"] for one in log if isinstance(one, Console)] == ["hello", "end"]
    again = RUN.invoke(app, line)
    assert again.exit_code == 1
    assert len([one for one in read_log(record)[1] if isinstance(one, Console)]) == 4


def test_a_log_of_another_table_is_not_taken_up(tmp_path: Path) -> None:
    path, record = tmp_path / "t.toml", tmp_path / "walk.jsonl"
    path.write_text(
        f'[table]\nname = "T1"\nrules = "fibur2024"\n[nodes.gates]\nport = "{tmp_path}/x"\ncoils = ["gate-N"]\n',
        "utf-8",
    )
    record.write_text('{"kind":"header","version":1,"table":"T9","rules":"fibur2024"}\n', "utf-8")
    done = RUN.invoke(app, ["doctor", "--walk", "--config", str(path), "--record", str(record)])
    assert done.exit_code == 1
    assert "T9" in done.output


def test_a_hand_that_brings_a_card_accuses_no_beam() -> None:
    from table_service.sensor_check.counted_trials import CountedTrial

    task = _coils()[0]
    trial = CountedTrial(task, Standing(), 0.0)
    for n in range(200):
        trial.hear(Reach(float(n), Seat.NORTH, "table", "in"))
        trial.advance(float(n), float(n))
    assert trial.done
    assert [one.code for one in trial.findings] == ["dead"]
