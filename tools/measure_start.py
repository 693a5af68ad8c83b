"""Measures the way from `git clone` to the first ruling as a newcomer goes it, and prints the seconds of each step.

``python tools/measure_start.py`` clones this checkout into an empty folder, twice: with no package cache at all (cold),
then with the cache that the first run left (warm). Each time `make demo` runs there with an empty home, and a scripted
browser opens the printed address and rules the first alert. Ends with 1 where a run takes longer than its bound. Needs
Chromium, and this checkout's own .venv for the browser (`make test` makes it).
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from queue import Queue
from typing import Final

from playwright.sync_api import sync_playwright

ROOT: Final = Path(__file__).resolve().parents[1]
BOUNDS_S: Final = {"cold": 300.0, "warm": 180.0}
"""From `git clone` to the first ruling, by the package cache."""
PATIENCE_S: Final = 900.0
PASSED_ON: Final = re.compile(r"(PIP_(?!CACHE)\w+|\w*_proxy|\w*_PROXY|SSL_CERT_\w+|PYENV_ROOT|PATH|LANG)")
"""What of this environment a newcomer's machine has too: how packages are reached, never what is cached."""
PROPOSED: Final = "#apply, .option.primary"


class Watch:
    """Seconds since the start, by step."""

    def __init__(self) -> None:
        self._began = self._last = time.monotonic()
        self.steps: list[tuple[str, float, float]] = []

    def done(self, step: str) -> None:
        """Mark the step as over: print what it took, and what it is from the start."""
        now = time.monotonic()
        self.steps.append((step, now - self._last, now - self._began))
        self._last = now
        print(f"  {self.steps[-1][1]:7.1f} s {self.steps[-1][2]:7.1f} s  {step}", flush=True)

    @property
    def whole(self) -> float:
        """Seconds from the start to the end of the last step."""
        return self.steps[-1][2] if self.steps else 0.0


def run_once(cache: str, home: Path, place: Path) -> float:
    """Go the way once. Returns its seconds."""
    watch = Watch()
    subprocess.run(["git", "clone", "-q", str(ROOT), str(place)], check=True)  # noqa: S603, S607 - our own checkout
    watch.done("git clone")
    environment = {name: value for name, value in os.environ.items() if PASSED_ON.fullmatch(name)}
    environment |= {"HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache"), "PYTHONUNBUFFERED": "1"}
    environment["PYTHON"] = str(Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}")
    demo = subprocess.Popen(
        ["make", "demo"], cwd=place, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,  # noqa: S607
        stdin=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        lines: Queue[str] = Queue()
        threading.Thread(target=_read, args=(demo, lines), daemon=True).start()
        _until(lines, "setting the table|apparecchio il tavolo", watch, "packages, MicroPython, broker")
        address = _until(lines, r"http://\S+/table/T1", watch, "the table is set, the address is printed")
        _rule(address, watch)
    finally:
        os.killpg(demo.pid, signal.SIGINT)
        try:
            demo.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(demo.pid, signal.SIGKILL)
    print(f"{cache}: {watch.whole:.0f} s from git clone to the first ruling, {BOUNDS_S[cache]:.0f} s allowed")
    return watch.whole


def _read(demo: subprocess.Popen[str], lines: Queue[str]) -> None:
    assert demo.stdout is not None  # noqa: S101 - it is a pipe
    for line in demo.stdout:
        print(f"            | {line.rstrip()}", flush=True)
        lines.put(line)


def _until(lines: Queue[str], wanted: str, watch: Watch, step: str) -> str:
    """Wait for a line that has ``wanted``; what of it fits."""
    while True:
        found = re.search(wanted, lines.get(timeout=PATIENCE_S))
        if found is not None:
            watch.done(step)
            return found[0]


def _rule(address: str, watch: Watch) -> None:
    """Open the page, wait for the first alert, rule what the table proposes."""
    browser_at = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser_at is None:
        sys.exit("measure_start: no Chromium is installed; apt-get install chromium brings one")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_at, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_context(locale="en-GB").new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.goto(address)
        watch.done("the page is open")
        page.wait_for_selector("#guide")
        watch.done("the first alert")
        page.click("#guide")
        page.wait_for_selector(PROPOSED)
        page.wait_for_timeout(600)  # nothing moves under the finger
        page.click(PROPOSED)
        page.wait_for_selector("#undo")
        watch.done("the first ruling")
        browser.close()


def main() -> int:
    """Measure, cold and then warm."""
    parser = argparse.ArgumentParser(description="From `git clone` to the first ruling: the seconds of each step.")
    parser.add_argument("--cache", choices=("both", "cold", "warm"), default="both", help="warm: this user's own cache")
    asked = parser.parse_args().cache
    within = True
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(prefix="tavolo-start-") as made:
        home = Path(made) / "home"
        home.mkdir()
        for cache in ("cold", "warm") if asked == "both" else (asked,):
            if asked == "warm":
                (home / ".cache").symlink_to(Path.home() / ".cache")
            within &= run_once(cache, home, Path(made) / cache) <= BOUNDS_S[cache]
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
