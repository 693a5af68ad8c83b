"""Tests that share something costly or stateful run on one worker: the scheduler reads their group in their name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import scope_of


@pytest.mark.xdist_group("kept-together")
@pytest.mark.parametrize("name", ["plain", "a [bracket]"])
def test_a_group_is_named_where_the_scheduler_looks_for_it(request: pytest.FixtureRequest, name: str) -> None:
    if request.config.getoption("loadgroup", default=False):
        assert "PYTEST_XDIST_WORKER" in os.environ
        assert request.node.nodeid.endswith("]@kept-together")
    else:
        assert request.node.nodeid.endswith("]")


@pytest.mark.parametrize(
    ("nodeid", "scope"),
    [
        ("tests/a/test_b.py::test_c", "tests/a/test_b.py"),
        ("tests/a/test_b.py::test_c[one@home]", "tests/a/test_b.py"),
        ("tests/a/test_b.py::test_c[one]@kept-deals", "kept-deals"),
        ("tests/a/test_b.py::test_c@alone", "tests/a/test_b.py::test_c@alone"),
    ],
)
def test_a_file_runs_on_one_worker_but_for_groups_and_for_slow_tests_that_share_nothing(
    nodeid: str, scope: str
) -> None:
    assert scope_of(nodeid) == scope


@pytest.mark.slow
def test_a_slow_test_that_shares_nothing_may_run_anywhere(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("loadgroup", default=False):
        assert request.node.nodeid.endswith("@alone")


@pytest.mark.slow
def test_a_test_with_a_loop_of_its_own_runs_after_one_with_a_browser(tmp_path: Path, browser: object) -> None:
    del browser  # skipped where there is none
    (tmp_path / "conftest.py").write_text(Path(__file__).with_name("conftest.py").read_text(encoding="utf-8"))
    seen = "def test_page(browser):\n    page = browser.new_page()\n    page.set_content('<p>a</p>')\n"
    seen += "    assert page.inner_text('p') == 'a'\n"
    (tmp_path / "test_page.py").write_text(seen)
    loop = "import asyncio\nasync def test_loop(): await asyncio.sleep(0)\n"
    (tmp_path / "test_loop.py").write_text(loop + "def test_own(): asyncio.run(asyncio.sleep(0))\n")
    (tmp_path / "test_page_again.py").write_text("import pytest\npytestmark = pytest.mark.slow(seconds=0)\n" + seen)
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-o", "asyncio_mode=auto", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=200)
    order = [line.split("::")[1].split()[0] for line in done.stdout.splitlines() if "::" in line]
    assert order == ["test_page", "test_loop", "test_own", "test_page"], done.stdout
    assert done.returncode == 0, done.stdout
