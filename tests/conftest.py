"""Shared fixtures, and two rules: what lacks something skips, or fails where all is required; groups stay together."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("loaded", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("loaded")
"""How long an example takes says something of the machine's load and nothing of the program."""

CHROMIUM = ["--no-sandbox", "--headless", "--disable-gpu"]
"""Options of the browser: a graphics card that is emulated costs a tenth of the processor time and shows the same."""
KEPT_TOGETHER = ("board", "emulated-", "kept-")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--at-most N``: no slow test, and of each file N tests, spread over it. It is what `make quick` runs."""
    parser.addoption("--at-most", type=int, metavar="N", help="of each file N tests that are not slow")


def spread(count: int, most: int) -> list[int]:
    """Places of ``most`` of ``count`` things, the first and the last among them; all where there are no more."""
    if count <= most or most < 2:
        return list(range(min(count, most)))
    return [place * (count - 1) // (most - 1) for place in range(most)]


def _leave_out(config: pytest.Config, items: list[pytest.Item], most: int) -> None:
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        if not any(item.iter_markers("slow")) and not any(item.iter_markers("sweep")):
            files.setdefault(item.path, []).append(item)
    kept = {tests[place] for tests in files.values() for place in spread(len(tests), most)}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Start what takes longest first, so that no worker is left alone with it at the end; name each test's group.

    Tests with a browser come last: playwright's loop stays in the worker's thread, where no other loop could run.
    """
    if (most := config.getoption("at_most")) is not None:
        _leave_out(config, items, most)
    items.sort(key=lambda item: ("browser" in getattr(item, "fixturenames", ()), -_seconds(item)))
    if config.getoption("loadgroup", default=False):
        for item in items:
            _name_group(item)


def _name_group(item: pytest.Item) -> None:
    """Put ``@group`` behind the test's name, where xdist's scheduler looks for it.

    xdist 3.8 means to do that itself, by an attribute that pytest 9.2 no longer reads: all groups are torn apart. Here
    only those that share a chip or a cache are mended: how the browsers' tests fare on one worker nobody has tried.
    """
    mark = item.get_closest_marker("xdist_group")
    if mark is None or not mark.args[0].startswith(KEPT_TOGETHER) or not hasattr(item, "_id"):
        return
    if item.nodeid.endswith(f"@{mark.args[0]}"):
        return
    item._id = type(item.id).parse(f"{item.nodeid}@{mark.args[0]}")  # noqa: SLF001 - pytest has no door for it


def _seconds(item: pytest.Item) -> float:
    """About how long ``item`` takes, as its mark says; else its own time limit, where it has one; else nothing."""
    slow, limit = item.get_closest_marker("slow"), item.get_closest_marker("timeout")
    if slow is not None and "seconds" in slow.kwargs:
        return float(slow.kwargs["seconds"])
    return float(limit.args[0]) / 10 if slow is not None and limit is not None and limit.args else 0.0


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """With TAVOLO_REQUIRE=all a skipped test is a failure."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("TAVOLO_REQUIRE") == "all" and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"TAVOLO_REQUIRE=all: {item.nodeid} was skipped: {report.longrepr}"


class Disks:
    """The disk under each SQLite file that is opened from now on: it fills up, takes nothing, and does again."""

    def __init__(self, connect: Any) -> None:
        self._connect = connect
        self._opened: dict[str, list[sqlite3.Connection]] = {}

    def connect(self, database: Any, *args: Any, **kwargs: Any) -> sqlite3.Connection:
        """``sqlite3.connect``, noted by file."""
        made: sqlite3.Connection = self._connect(database, *args, **kwargs)
        self._opened.setdefault(str(database), []).append(made)
        return made

    def fail(self, path: Path, fault: str = "read-only") -> None:
        """Whoever has ``path`` open can write nothing more (``read-only``), or only what has room (``full``)."""
        if fault == "full":
            with closing(self._connect(path)) as other:
                pages = other.execute("PRAGMA page_count").fetchone()[0]
            self._tell(path, f"PRAGMA max_page_count={pages}")
        else:
            self._tell(path, "PRAGMA query_only=ON")

    def mend(self, path: Path) -> None:
        """It takes everything again."""
        self._tell(path, "PRAGMA max_page_count=1000000")
        self._tell(path, "PRAGMA query_only=OFF")

    def _tell(self, path: Path, pragma: str) -> None:
        for one in self._opened[str(path)]:
            with suppress(sqlite3.ProgrammingError):  # closed meanwhile
                one.execute(pragma).fetchall()


@pytest.fixture
def disks(monkeypatch: pytest.MonkeyPatch) -> Disks:
    """Disks that a test can let fail."""
    made = Disks(sqlite3.connect)
    monkeypatch.setattr(sqlite3, "connect", made.connect)
    return made


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no Chromium on this machine")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        yield started
        started.close()
