"""The interpreters that the firmware is tried under."""

from __future__ import annotations

import pytest

from hw.twin.provide_micropython import Kind, MicroPython, NoMicroPython, find


def _provided(kind: Kind) -> MicroPython:
    try:
        return find(kinds=(kind,))
    except NoMicroPython as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session", params=["unix", "npm"])
def interpreter(request: pytest.FixtureRequest) -> MicroPython:
    """A real MicroPython: the unix port (on PATH, else Debian's package), and the npm build under node."""
    if request.param == "npm":
        return _provided("npm")
    try:
        return find(kinds=("path", "debian"))
    except NoMicroPython as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def micropython() -> MicroPython:
    """The real MicroPython that a demo on this machine would use."""
    try:
        return find()
    except NoMicroPython as reason:
        pytest.skip(str(reason))
