"""Shared fixtures, and two rules: what lacks something skips, or fails where all is required; groups stay together."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator, Iterator
from typing import Any

import pytest

KEPT_TOGETHER = ("board", "emulated-", "kept-")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Start what takes longest first, so that no worker is left alone with it at the end; name each test's group.

    Tests with a browser come last: playwright's loop stays in the worker's thread, where no other loop could run.
    """
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
    item._id = type(item.id).parse(f"{item.nodeid}@{mark.args[0]}")


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


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no Chromium on this machine")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--headless"])
        yield started
        started.close()
