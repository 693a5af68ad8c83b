"""Shared fixtures, and one rule: a test that lacks something skips, or fails where all is required."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator, Iterator
from typing import Any

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep slow tests last, so that a quick fault shows early."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is not None)


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
