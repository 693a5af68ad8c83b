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


def play(folder: Path) -> tuple[str, str, int]:
    """The demo's output, its page as it was half way, and its exit code."""
    try:
        find()
    except NoMicroPython as reason:
        pytest.skip(str(reason))
    command = [sys.executable, "-m", "table_service.cli", "demo", "--headless", "--lang", "en"]
    command += ["--keep", str(folder)]
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
                browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())  # the link signs in
                with browser.open(f"{url}table/T1?lang=en", timeout=20) as answer:
                    page = answer.read().decode()
        code = demo.wait(60)
    return "".join(said), page, code


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_demo_from_gesture_to_page(tmp_path: Path) -> None:
    # One test, because the demo is played once.
    output, page, code = play(tmp_path)
    assert code == 0, output
    assert "Traceback" not in output
    assert re.search(r"F-31a \(art\. 31\) S ", output), output
    assert re.search(r"F-24a \(art\. 24\) N ", output), output
    assert re.search(r"[\d.]+ times real speed", output)
    every_event_was_acknowledged(output)
    assert "The log, replayed, gives the same events: yes" in output
    assert "Table T1" in page
    assert "/cards/" in page
    assert audit(tmp_path / "T1.sqlite").whole
    assert (tmp_path / "T1.jsonl").stat().st_mode & 0o077 == 0
    assert list((tmp_path / "evidence").glob("*.jpg")), "the exposed card's alert has its picture"
    no_drawn_card_is_public(tmp_path / "T1.sqlite")


def every_event_was_acknowledged(output: str) -> None:
    found = re.search(r"Events: (\d+) published, (\d+) acknowledged by the broker, 0 waiting", output)
    assert found, output
    assert found[1] == found[2]
    assert int(found[1]) > 50


def no_drawn_card_is_public(journal: Path) -> None:
    database = sqlite3.connect(journal)
    bodies = [json.loads(row[0]) for row in database.execute("SELECT body FROM entries WHERE kind = 'event'")]
    drawn = [body for body in bodies if body["type"] == "card.drawn"]
    assert drawn
    assert all("card" not in body["data"] and "secret" not in body for body in drawn)
