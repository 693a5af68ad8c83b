"""The demo's visitor is the arbitro: play begins when he looks, stops at an alert, and goes on with what he ruled."""

from __future__ import annotations

import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw.twin.provide_micropython import NoMicroPython, find
from table_service.commands.demo.demo_settings import DemoSettings

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 240.0
PROPOSED = "#apply, .option.primary"
"""What the table proposes: one remedy to apply, or the proposed of several."""


class Demo:
    """`tavolo demo` in a pipe, as a person without a terminal starts it."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-m", "table_service.cli", "demo", "--lang", "en", *options]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT,
            env=environment, start_new_session=True,
        )  # fmt: skip
        self.said: list[str] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def until(self, wanted: str) -> str:
        """What it says until a line fits ``wanted``; that line."""
        while True:
            line = self._lines.get(timeout=PATIENCE_S)
            assert line is not None, "".join(self.said)
            self.said.append(line)
            if re.search(wanted, line):
                return line

    def end(self) -> int:
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(60)


@pytest.fixture
def demo() -> Iterator[Demo]:
    try:
        find()
    except NoMicroPython as reason:
        pytest.skip(str(reason))
    made = Demo("--speed", "30")
    yield made
    if made.process.poll() is None:
        made.end()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_play_waits_for_the_visitor_stops_at_the_alert_and_goes_on_with_his_ruling(demo: Demo) -> None:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium on this machine")
    line = demo.until(r"http://\S+table/T1")
    url = re.search(r"http://\S+", line)
    assert url is not None
    demo.until("waiting for you to open the page")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--headless"])
        page = browser.new_context(locale="it-IT").new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.goto(url[0])
        assert page.locator("html").get_attribute("lang") == "it", "the page is in the browser's language"
        demo.until("play stops: you decide")
        page.wait_for_selector("#guide >> text=Ora decidi tu")
        page.click("#guide")
        page.wait_for_selector(PROPOSED)
        page.wait_for_timeout(600)
        page.click(PROPOSED)
        page.wait_for_selector("#undo")
        demo.until("play goes on with your ruling")
        page.wait_for_selector(".decided >> text=decisa")
        browser.close()
    assert demo.end() in (0, 1)
    assert "Traceback" not in "".join(demo.said)


def test_only_a_visited_demo_waits_for_anybody() -> None:
    assert DemoSettings().visited
    assert not DemoSettings(auto=True).visited
    assert not DemoSettings(headless=True).visited
