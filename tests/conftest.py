"""Shared fixtures, and two rules: what lacks something skips, or fails where all is required; a file stays together.

With several workers (``--dist loadgroup``) the tests of a file run on one of them, so that what a file builds once (a
rendered table, a console, recorded deals) is built once. A slow test that shares nothing with its file goes alone.
What takes longest starts first, so that no worker is left alone with it at the end.
"""

from __future__ import annotations

import gc
import os
import shutil
import sqlite3
import sys
from asyncio import _get_running_loop, _set_running_loop  # public: for those who drive a loop themselves
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # as the Makefile does: else each start compiles a thousand modules
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as on a table: two workers' threads would spin for two cores

import pytest
from hypothesis import HealthCheck, settings

sys.dont_write_bytecode = False
settings.register_profile("loaded", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("loaded")
"""How long an example takes says something of the machine's load and nothing of the program."""

CHROMIUM = ["--no-sandbox", "--headless", "--disable-gpu"]
"""Options of the browser: a graphics card that is emulated costs a tenth of the processor time and shows the same."""
KEPT_TOGETHER = ("board", "emulated-", "kept-")
ALONE = "alone"
"""Group of a test that may run on any worker."""
USUAL_S, SLOW_S, BROWSER_S = 0.1, 3.0, 4.0
"""About how long a test takes, one that is marked slow, and one with a browser, where its mark says no number."""

FILES_SHOWN = 100
"""Files of which ``--durations`` tells how long they took."""


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
    """Start what takes longest first, scope by scope; name each test's group. A file's tests with a browser come last.

    A page that a file's tests share is thus closed while playwright's loop is there: see ``pytest_runtest_protocol``.
    """
    if (most := config.getoption("at_most")) is not None:
        _leave_out(config, items, most)
    scopes = {item: scope_of(_named(item)) for item in items}
    seconds: Counter[str] = Counter()
    for item in items:
        seconds[scopes[item]] += _seconds(item)
    items.sort(key=lambda item: (-seconds[scopes[item]], scopes[item], uses_browser(item)))
    if config.getoption("loadgroup", default=False):
        for item in items:
            _name_group(item)


@pytest.hookimpl(hookwrapper=True)
def pytest_collection() -> Generator[None, Any, None]:
    """Keep the garbage collector from walking through ten thousand collected tests again and again."""
    gc.disable()
    yield
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Return the scheduler of ``--dist loadgroup``: by group if the test's name has one, else by file."""
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class ByGroupOrFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return scope_of(nodeid)

    config.option.loadscopereorder = False  # ours is the order: what takes longest first
    return ByGroupOrFile(config, log)


def scope_of(nodeid: str) -> str:
    """Return what the test of that name shares a worker with: its group, none (it is alone), or its file."""
    name, _, group = nodeid.rpartition("@")
    if not name or "]" in group:  # no group: an ``@`` of a parameter
        return nodeid.partition("::")[0]
    return nodeid if group == ALONE else group


def uses_browser(item: pytest.Item) -> bool:
    """Return True if the test asks for the browser, itself or through a fixture."""
    return "browser" in getattr(item, "fixturenames", ())


def _group_of(item: pytest.Item) -> str | None:
    """Return the group that ``item``'s mark gives it, else ``ALONE`` (slow and shares nothing) or None (its file)."""
    mark = item.get_closest_marker("xdist_group")
    if mark is not None and mark.args[0].startswith(KEPT_TOGETHER):
        return str(mark.args[0])
    return ALONE if any(item.iter_markers("slow")) and not _shares(item) else None


def _shares(item: pytest.Item) -> bool:
    """Return True if ``item`` uses a fixture of its own file, which may be built once for all its tests."""
    own = vars(getattr(item, "module", None) or object)
    return any(name in own for name in getattr(item, "fixturenames", ()))


def _named(item: pytest.Item) -> str:
    """Return the test's name with its group behind it."""
    group = _group_of(item)
    return item.nodeid if group is None or item.nodeid.endswith(f"@{group}") else f"{item.nodeid}@{group}"


def _name_group(item: pytest.Item) -> None:
    """Put ``@group`` behind the test's name: a scheduler knows no more of a test than its name."""
    if hasattr(item, "_id") and (name := _named(item)) != item.nodeid:
        item._id = type(item.id).parse(name)  # noqa: SLF001 - pytest has no door for it


def _seconds(item: pytest.Item) -> float:
    """About how long ``item`` takes, as its mark says; else as its own time limit says, or tests of its kind take."""
    slow, limit = item.get_closest_marker("slow"), item.get_closest_marker("timeout")
    if slow is not None and "seconds" in slow.kwargs:
        return float(slow.kwargs["seconds"])
    if slow is not None and limit is not None and limit.args:
        return float(limit.args[0]) / 10
    if uses_browser(item):
        return BROWSER_S
    return USUAL_S if slow is None else SLOW_S


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, None]:
    """Let no test but those with a browser see playwright's loop, which waits in the thread: another may run in it."""
    loop = _get_running_loop() if not uses_browser(item) else None
    if loop is not None:
        _set_running_loop(None)
    yield
    if loop is not None:
        _set_running_loop(loop)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """With TAVOLO_REQUIRE=all a skipped test is a failure."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("TAVOLO_REQUIRE") == "all" and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"TAVOLO_REQUIRE=all: {item.nodeid} was skipped: {report.longrepr}"


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Write the end of a failure at once: a long run need not be over before its first fault is looked at."""
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        said = "\n".join(report.longreprtext.splitlines()[-12:])
        print(f"\nfailed just now: {report.nodeid}\n{said}", file=sys.__stderr__, flush=True)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Add to ``--durations`` the files that took longest, with setup and teardown: where a whole run's time goes."""
    if config.option.durations is None:
        return
    seconds: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if hasattr(report, "duration"):
                seconds[report.nodeid.partition("::")[0]] += report.duration
    terminalreporter.section(f"longest of {len(seconds)} files, {sum(seconds.values()):.0f} s of all workers")
    for name, spent in seconds.most_common(FILES_SHOWN):
        terminalreporter.write_line(f"{spent:.1f}s {name}")


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
        loop = _get_running_loop()
        yield started
        _set_running_loop(loop)  # the last test of all may be one without a browser
        started.close()
