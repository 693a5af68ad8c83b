"""Tests that share something costly or stateful run on one worker: the scheduler reads their group in their name."""

from __future__ import annotations

import os

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
        ("tests/a/test_b.py::test_c[one]@browser", "tests/a/test_b.py@browser"),
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
