"""The main job: `tavolo demo` from gesture to page, every part real after the sensors, through a pipe."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from hw.twin.provide_micropython import NoMicroPython, find
from table_service.journal import audit

ROOT = Path(__file__).resolve().parents[2]
SEED = "119"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, Path, int]:
    """The demo's output, its page as it was while the deal went on, the folder it kept, and its exit code."""
    try:
        find()
    except NoMicroPython as reason:
        pytest.skip(str(reason))
    folder = tmp_path_factory.mktemp("demo")
    command = [sys.executable, "-m", "table_service.cli", "demo", "--headless", "--lang", "en"]
    command += ["--seed", SEED, "--keep", str(folder)]
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
            if found := re.search(r"http://\S+", line):
                url = found[0]
            if url and not page and re.match(r"\s+50 %", line):
                with urllib.request.urlopen(f"{url}table/T1?lang=en", timeout=20) as answer:  # noqa: S310
                    page = answer.read().decode()
        code = demo.wait(60)
    return "".join(said), page, folder, code


pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.xdist_group("demo")]


def test_the_demo_ends_well_and_names_both_faults_with_their_article(played: tuple[str, str, Path, int]) -> None:
    output, _, _, code = played
    assert code == 0, output
    assert "Traceback" not in output
    assert re.search(r"F-31a \(art\. 31\) N ", output), output
    assert re.search(r"F-24a \(art\. 24\) S ", output), output
    assert re.search(r"[\d.]+ times real speed", output)


def test_every_event_of_the_demo_was_acknowledged_by_the_broker(played: tuple[str, str, Path, int]) -> None:
    found = re.search(r"Events: (\d+) published, (\d+) acknowledged by the broker, 0 waiting", played[0])
    assert found, played[0]
    assert found[1] == found[2]
    assert int(found[1]) > 50


def test_the_page_showed_the_table_while_it_was_played(played: tuple[str, str, Path, int]) -> None:
    page = played[1]
    assert "Table T1" in page
    assert "/cards/" in page or "<svg" in page


def test_the_journal_is_whole_and_the_log_replays_to_the_same_events(played: tuple[str, str, Path, int]) -> None:
    output, _, folder, _ = played
    assert audit(folder / "T1.sqlite").whole
    assert "The log, replayed, gives the same events: yes" in output
    assert (folder / "T1.jsonl").stat().st_mode & 0o077 == 0


def test_no_drawn_card_is_named_in_what_was_public(played: tuple[str, str, Path, int]) -> None:
    database = sqlite3.connect(played[2] / "T1.sqlite")
    bodies = [json.loads(row[0]) for row in database.execute("SELECT body FROM entries WHERE kind = 'event'")]
    drawn = [body for body in bodies if body["type"] == "card.drawn"]
    assert drawn
    assert all("card" not in body["data"] and "secret" not in body for body in drawn)


def test_the_alert_of_the_exposed_card_has_its_picture(played: tuple[str, str, Path, int]) -> None:
    assert list((played[2] / "evidence").glob("*.jpg"))
