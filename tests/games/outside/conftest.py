"""The game that lies in ``installed/`` as an installed package would, found by its entry point."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from hw.twin.gestures import Gesture
from table_service import rulesets
from table_service.events import Event
from table_service.games.definition import RuleSet
from table_service.rehearsal.gestured import Gestured
from tests.games.outside.table_of_briscola import FOLDER


@pytest.fixture
def briscola(monkeypatch: pytest.MonkeyPatch) -> Iterator[RuleSet]:
    """Its rule set, registered beside those of the project."""
    monkeypatch.syspath_prepend(str(FOLDER))
    (found,) = rulesets.installed()
    monkeypatch.setattr(rulesets, "RULE_SETS", rulesets.named(*rulesets.RULE_SETS.values(), found))
    yield found
    for name in [name for name in sys.modules if name.partition(".")[0] == "briscola"]:
        del sys.modules[name]


@pytest.fixture
def table(briscola: RuleSet) -> Any:
    """Plays gestures at a table of Briscola: the fold, and what it tells."""

    def play(*gestures: Gesture, noise: str = "normal") -> tuple[Any, list[Event]]:
        tried = Gestured(briscola, noise, table="T8")
        events = tried.events(*gestures)
        return tried.fold, [*events, *tried.fold.close()]

    return play
