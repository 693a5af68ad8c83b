"""Examples in docstrings say what is true, and every room has one at its door."""

import doctest
import importlib
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("hw", "firmware_bridge", "vision", "table_service", "lab")
DOORS: Final = {
    "hw.cards", "hw.seats", "hw.zones", "hw.equipment", "hw.observation_log", "firmware_bridge.codec",
    "vision.see", "vision.calibration",
    "table_service.events.envelope", "table_service.events.topics", "table_service.tracking.tracker",
    "table_service.referee.catalogue", "table_service.rulesets", "table_service.journal.store",
    "table_service.publish.sealing", "table_service.games.burraco.rules.meld",
    "table_service.games.burraco.rules.score", "table_service.games.burraco.rules.vp",
    "table_service.games.tricks.trick", "table_service.games.tarocco.rules.deal",
    "table_service.games.tarocco.rules.score", "table_service.games.bridge.rules.auction",
    "table_service.games.bridge.rules.score", "table_service.games.bridge.rules.match_points",
    "table_service.games.bridge.pbn.check", "table_service.rehearsal.rehearse", "table_service.journal.chain_audit",
    "table_service.tournament.fixed_movements", "table_service.tournament.pairings",
    "table_service.table.score_items", "hw.tablemap", "vision.sightings", "table_service.referee.values",
}  # fmt: skip
"""What a program that uses Tavolo as a library would import first."""


def with_examples() -> list[str]:
    found = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            inside = path.relative_to(ROOT)
            if "hw/node" not in inside.as_posix() and "    >>> " in path.read_text(encoding="utf-8"):
                found.append(".".join(inside.with_suffix("").parts))
    return found


EXAMPLES: Final = with_examples()
REFERENCE: Final = sorted((ROOT / "docs" / "reference").glob("*.md"))


def test_every_door_has_an_example() -> None:
    assert DOORS - set(EXAMPLES) == set()


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_a_module_run(name: str) -> None:
    tried = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried.attempted > 0
    assert tried.failed == 0


def test_the_examples_of_the_reference_pages_run() -> None:
    tried = [doctest.testfile(str(page), module_relative=False) for page in REFERENCE]
    assert sum(page.attempted for page in tried) > 10
    assert [page.failed for page in tried] == [0] * len(REFERENCE)
