"""Every error of the project has one root, and whoever uses the command reads a sentence, never a traceback."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import pytest

import firmware_bridge
import hw
import lab.link
import table_service
import vision
from hw.errors import TavoloError
from table_service import cli
from table_service.console.access import SignInWanted
from table_service.sensor_check.leading import WalkEndedError

NO_ERROR = {SignInWanted, WalkEndedError}
"""Exceptions by which nothing has gone wrong."""


def modules() -> Iterator[ModuleType]:
    for package in (hw, firmware_bridge, vision, table_service, lab.link):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.startswith("hw.node") and not found.name.endswith("__main__"):
                yield importlib.import_module(found.name)


def test_every_error_of_the_project_derives_from_one_root() -> None:
    own = {
        kind
        for module in modules()
        for kind in vars(module).values()
        if inspect.isclass(kind) and issubclass(kind, Exception) and kind.__module__ == module.__name__
    }
    assert TavoloError in own
    assert len(own) > 20
    assert {kind for kind in own - NO_ERROR if not issubclass(kind, TavoloError)} == set()


def test_an_error_that_no_command_expected_is_one_sentence_and_exit_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def app(prog_name: str) -> None:
        raise TavoloError("the scale under the stock does not answer: look at its plug")

    monkeypatch.setattr(cli, "app", app)
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 1
    assert capsys.readouterr().err == "tavolo: the scale under the stock does not answer: look at its plug\n"
