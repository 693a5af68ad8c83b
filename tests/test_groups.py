"""Tests that share something costly or stateful run on one worker: the scheduler reads their group in their name."""

from __future__ import annotations

import os

import pytest


@pytest.mark.xdist_group("kept-together")
@pytest.mark.parametrize("name", ["plain", "a [bracket]"])
def test_a_group_is_named_where_the_scheduler_looks_for_it(request: pytest.FixtureRequest, name: str) -> None:
    if request.config.getoption("loadgroup", default=False):
        assert "PYTEST_XDIST_WORKER" in os.environ
        assert request.node.nodeid.endswith("]@kept-together")
    else:
        assert request.node.nodeid.endswith("]")
