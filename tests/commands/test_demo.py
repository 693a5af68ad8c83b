"""The main job: `tavolo demo` from gesture to page, every part real after the sensors, through a pipe."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any, Final

import pytest

from hw.cards import face
from hw.twin.provide_micropython import NoMicroPython, find
from table_service.commands.demo.demo_settings import DEALS, FAULTS, DemoSettings
from table_service.journal import audit
from table_service.rehearsal.game_rehearsal import rehearsal_of
from table_service.rehearsal.rehearse import script_for
from table_service.rehearsal.script import Script

ROOT = Path(__file__).resolve().parents[2]


def play(folder: Path, *options: str) -> tuple[str, str, int]:
    """The demo's output, its page as it was half way, and its exit code."""
    try:
        find()
    except NoMicroPython as reason:
        pytest.skip(str(reason))
    command = [sys.executable, "-m", "table_service.cli", "demo", "--headless", "--lang", "en"]
    command += ["--keep", str(folder), *options]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    page = ""
    said = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT, env=environment
    ) as demo:
        assert demo.stdout is not None
        url = ""
        for line in demo.stdout:
            said.append(line)
            if not url and (found := re.search(r"http://\S+", line)):
                url = found[0]
            if url and not page and re.match(r"\s+50 %", line):
                browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())  # the link signs in
                with browser.open(f"{url}table/T1?lang=en", timeout=20) as answer:
                    page = answer.read().decode()
        code = demo.wait(60)
    return "".join(said), page, code


SHORT: Final = 1136
"""Seed of a deal that is over after half as many turns as the first of the round that is shown."""


@pytest.mark.slow(seconds=60)
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("seed", "deals"), [(SHORT, 1), pytest.param(DemoSettings().round_seed, DEALS, marks=pytest.mark.sweep)]
)
def test_the_demo_from_gesture_to_page(tmp_path: Path, seed: int, deals: int) -> None:
    # One test, because the demo is played once. What must be found follows from the script that it plays.
    output, page, code = play(tmp_path, "--seed", str(seed), "--deals", str(deals))
    assert code == 0, output
    assert "Traceback" not in output
    script = script_for(seed, deals, FAULTS)
    told = events(tmp_path / "T1.sqlite")
    every_staged_fault_was_alerted_and_nobody_else_accused(script, told)
    assert {end.deal for end in script.ends} == set(range(1, deals + 1))
    every_score_is_the_truth(script, told)
    for fault in script.injected:
        assert re.search(rf"{fault.row} \(art\. \d+\) {fault.seat} ", output), output
    assert output.count("– the same") == deals, output
    assert re.search(r"[\d.]+ times real speed", output)
    every_event_was_acknowledged(output)
    assert "The log, replayed, gives the same events: yes" in output
    assert "Table T1" in page
    assert "/cards/" in page
    assert audit(tmp_path / "T1.sqlite").whole
    assert (tmp_path / "T1.jsonl").stat().st_mode & 0o077 == 0
    assert list((tmp_path / "evidence").glob("*.jpg")), "the exposed card's alert has its picture"
    no_drawn_card_is_public(told)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.timeout(600)
def test_tarocco_is_shown_with_an_accuso_and_a_revoke(tmp_path: Path) -> None:
    settings = DemoSettings(rules="tarocco", deals=1)
    output, page, code = play(tmp_path, "--rules", "tarocco", "--deals", "1")
    assert code == 0, output
    assert "Traceback" not in output
    script = script_for(settings.round_seed, 1, rehearsal_of("tarocco").shown, rules="tarocco")
    told = events(tmp_path / "T1.sqlite")
    every_staged_fault_was_alerted_and_nobody_else_accused(script, told, ("T14",))
    every_score_is_the_truth(script, told)
    shown = [action for cue in script.cues for action in cue.actions if action.type == "accuso"]
    accusi = [one for one in told if one["type"] == "accuso.shown"]
    assert [(one["seat"], sorted(one["data"]["cards"])) for one in accusi] == [
        (str(action.seat), sorted(map(face, action.cards))) for action in shown
    ]
    assert output.count("– the same") == 1, output
    every_event_was_acknowledged(output)
    assert "The log, replayed, gives the same events: yes" in output
    assert "read by the simulated table's error model" in output, "who looks on is told what is not read from frames"
    assert re.search(r"T14 \(comma 14\) \w ", output), output
    assert "North takes the trick: " in output
    assert "/cards/tarocco/" in page
    assert audit(tmp_path / "T1.sqlite").whole
    assert list((tmp_path / "evidence").glob("*.jpg")), "the revoke's alert has its picture"
    scarto = next(set(action.cards) for cue in script.cues for action in cue.actions if action.type == "scarto")
    over = next(one["t"] for one in told if one["type"] == "deal.ended")
    public = json.dumps([one for one in told if one["t"] < over])
    assert not any(f'"{face(card)}"' in public for card in scarto), "the scarto stays hidden"


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.timeout(600)
def test_tarocco_with_its_frames_read_tells_nothing_wrong_and_every_accuso_or_a_question(tmp_path: Path) -> None:
    settings = DemoSettings(rules="tarocco", deals=1)
    output, _, code = play(tmp_path, "--rules", "tarocco", "--deals", "1", "--read-frames")
    assert code == 0, output
    assert "error model" not in output
    script = script_for(settings.round_seed, 1, rehearsal_of("tarocco").shown, rules="tarocco")
    told = events(tmp_path / "T1.sqlite")
    counted = next(one["data"] for one in reversed(told) if one["type"] == "score.counted")
    for line, items in script.ends[0].items.items():
        given = counted["lines"][line]["items"]
        assert all(given[name] in (None, points) for name, points in items.items()), (line, given, items)
    seen = {one["data"]["card"] for one in told if one["type"] == "trick.played"} - {"??"}
    assert len(seen) >= 40, "most cards of the tricks are named from pixels"
    assert {
        one["data"]["offender"] for one in told if one["type"] == "irregularity" and one["data"]["row"] == "T14"
    } <= {str(fault.seat) for fault in script.injected}


def every_staged_fault_was_alerted_and_nobody_else_accused(
    script: Script, told: list[dict[str, Any]], rows: tuple[str, ...] = FAULTS
) -> None:
    assert {fault.row for fault in script.injected} == set(rows)
    staged = {(fault.deal, fault.row, str(fault.seat)) for fault in script.injected}
    alerts = [one for one in told if one["type"] == "irregularity"]
    assert {(one["deal"], one["data"]["row"], one["data"]["offender"]) for one in alerts} == staged


def every_score_is_the_truth(script: Script, told: list[dict[str, Any]]) -> None:
    last = {one["deal"]: one["data"] for one in told if one["type"] == "score.counted"}
    assert set(last) == {end.deal for end in script.ends}
    for end in script.ends:
        counted = last[end.deal]
        assert {line: counted["lines"][line]["items"] for line in end.items} == end.items
        assert counted["doubtful"] == []


def every_event_was_acknowledged(output: str) -> None:
    found = re.search(r"Events: (\d+) published, (\d+) acknowledged by the broker, 0 waiting", output)
    assert found, output
    assert found[1] == found[2]
    assert int(found[1]) > 50


def no_drawn_card_is_public(told: list[dict[str, Any]]) -> None:
    drawn = [one for one in told if one["type"] == "card.drawn"]
    assert drawn
    assert all("card" not in one["data"] and "secret" not in one for one in drawn)


def events(journal: Path) -> list[dict[str, Any]]:
    """What the table told, as it stands in its journal."""
    with contextlib.closing(sqlite3.connect(journal)) as database:
        return [json.loads(row[0]) for row in database.execute("SELECT body FROM entries WHERE kind = 'event'")]


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.timeout(600)
def test_bridge_is_shown_with_an_insufficient_bid_and_the_boards_result(tmp_path: Path) -> None:
    settings = DemoSettings(rules="bridge", deals=1)
    shown = rehearsal_of("bridge").shown
    output, page, code = play(tmp_path, "--rules", "bridge", "--deals", "1")
    assert code == 0, output
    assert "Traceback" not in output
    script = script_for(settings.round_seed, 1, shown, rules="bridge")
    told = events(tmp_path / "T1.sqlite")
    every_staged_fault_was_alerted_and_nobody_else_accused(script, told, shown)
    every_score_is_the_truth(script, told)
    assert output.count("– the same") == 1, output
    assert re.search(r"Contract: \d", output), output
    every_event_was_acknowledged(output)
    assert "The log, replayed, gives the same events: yes" in output
    assert "Table T1" in page
    assert audit(tmp_path / "T1.sqlite").whole
