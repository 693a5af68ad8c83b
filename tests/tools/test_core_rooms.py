"""The rooms that all games share name no game, no article, no row, no zone of one game and neither line.

What still stands there is listed with how often; a list may only shrink.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

import hw.zones
from hw.seats import LINES
from table_service.rulesets import BOOKS, RULE_SETS

ROOT: Final = Path(__file__).resolve().parents[2]
CORE: Final = (
    "hw/twin",
    *(
        f"table_service/{room}"
        for room in ("tracking", "table", "referee", "rehearsal", "events", "console", "display")
    ),
)
READ: Final = (".py", ".html", ".js", ".css")
Found = Counter[str]
"""How often something stands in each file."""

_PLAYED: Final = {**RULE_SETS, **BOOKS}
_GAME: Final = re.compile("|".join({one.game for one in _PLAYED.values()} | {"fibur", "feburit"}), re.IGNORECASE)
_ARTICLE: Final = re.compile(r"\barts?\. ?\d|\bcommas? \d", re.IGNORECASE)
_ROW: Final = re.compile(r"\b[FBO]-[A-Z]?\d+[a-z]?\b")
_ZONES: Final = [{place.zone for place in one.equipment.places} for one in RULE_SETS.values()]
_OF_ONE: Final = frozenset(set().union(*_ZONES).difference(set.intersection(*_ZONES)))
"""The zones that not every game's table has."""

ZONES: Final[Found] = Counter(
    {
        "table_service/events/payloads.py": 1,  # how a deal ends: "stock"
        "table_service/referee/catalogue.py": 5,  # what a duty or a moment is: "discard", and what is drawn
        "table_service/console/alert_views.py": 1,  # a move that a limited turn may make
        "table_service/tracking/context.py": 2,  # the way in which cards lie: "trick"
        "table_service/console/routers/table.py": 3,  # the same
        "hw/twin/twin_table.py": 2,  # two ways: "trick", "tray"
        "hw/twin/observe.py": 1,  # the contacts of a tray
        "hw/twin/arrivals.py": 1,  # the same, when they come due
    }
)
"""Words that are no zone where they stand, though a zone has the same."""
NAMED_LINES: Final[Found] = Counter(
    {"table_service/console/api_models.py": 2, "table_service/console/vocabulary.py": 2}
)
"""The schema of the hall's interface, and what people read for each line."""


def files() -> list[Path]:
    return sorted(path for room in CORE for path in (ROOT / room).rglob("*") if path.suffix in READ)


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a file, without the examples of docstrings."""
    example = False
    for line in path.read_text(encoding="utf-8").splitlines():
        text = line.strip()
        example = text.startswith((">>>", "...")) or (example and text not in ("", '"""'))
        if not example:
            yield line


@cache
def strings_in(path: Path) -> tuple[str, ...]:
    return tuple(strings_of(path))


def strings_of(path: Path) -> Iterator[str]:
    """The strings of a module that are no docstrings; the names that it takes from ``hw.zones`` as those zones."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value
        elif isinstance(node, ast.ImportFrom) and node.module == "hw.zones":
            named = (getattr(hw.zones, one.name) for one in node.names)
            yield from (zone for zone in named if isinstance(zone, str))
        elif isinstance(node, ast.Attribute) and node.attr in LINES:
            yield node.attr


def counted(where: Iterator[tuple[Path, int]]) -> Found:
    return Counter({path.relative_to(ROOT).as_posix(): count for path, count in where if count})


def in_text(pattern: re.Pattern[str]) -> Found:
    return counted((path, sum(bool(pattern.search(line)) for line in lines_of(path))) for path in files())


def in_strings(names: frozenset[str]) -> Found:
    modules = [path for path in files() if path.suffix == ".py"]
    return counted((path, sum(text in names for text in strings_in(path))) for path in modules)


def test_core_rooms_name_no_game() -> None:
    assert in_text(_GAME) == Counter()


def test_core_rooms_name_no_article() -> None:
    assert in_text(_ARTICLE) == Counter()


def test_core_rooms_name_no_row() -> None:
    modules = [path for path in files() if path.suffix == ".py"]
    assert counted((path, sum(bool(_ROW.search(text)) for text in strings_in(path))) for path in modules) == Counter()


def test_core_rooms_name_no_zone_that_not_every_table_has() -> None:
    assert in_strings(_OF_ONE) == ZONES


def test_core_rooms_name_neither_line() -> None:
    assert in_strings(frozenset(LINES)) == NAMED_LINES
    pages = [path for path in files() if path.suffix == ".html"]
    either = re.compile(r"""["'](?:NS|EW)["']|\bw\.(?:NS|EW)\b""")
    assert [path.name for path in pages if either.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("zone", ["stock", "discard", "pots", "gate-stock", "melds-NS", "trick", "scarto"])
def test_a_zone_of_one_game_would_be_found(zone: str) -> None:
    assert zone in _OF_ONE


@pytest.mark.parametrize("zone", ["table", "hand-N", "gate-W", "side-E"])
def test_a_zone_that_every_table_has_may_be_named(zone: str) -> None:
    assert zone not in _OF_ONE


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from hw.zones import POTS, TABLE", ["pots", "table"]),
        ("def f():\n    'In the stock.'\n    return Line.NS, 'EW'", ["NS", "EW"]),
    ],
)
def test_names_are_found_in_code_and_not_in_docstrings(source: str, found: list[str], tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(source, encoding="utf-8")
    assert sorted(strings_of(module)) == sorted(found)
