"""``docs/bridge-rows.md``: what the table does about each law, against catalogue, rehearsal and tests."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from table_service.games.bridge.codes.figb2010 import CATALOGUE
from table_service.games.bridge.rehearsal.faults import KINDS

HERE = Path(__file__).parent
PAGE = HERE.parents[2] / "docs" / "bridge-rows.md"
HOWS = {"judged", "followed", "sealed", "ruled", "formula", "person", "partly"}
LAWS = (
    "app. 4, 1", "app. 4, 2a", "app. 4, 3c", "app. 4, 4a", "app. 4, 4b", "app. 4, 4c", "app. 4, 4e", "5.2", "8", "12",
    "13",
    "14", "15", "16", "18.1", "18.2", "18.3", "20", "22", "23", "24", "25A", "25B", "26", "27", "28", "29", "30",
    "31", "32", "33", "34", "36", "37", "38", "39", "40", "41A", "42", "43", "44", "45", "46", "47E1", "48", "49",
    "50", "51", "52", "53", "54", "55", "56", "57", "58", "59", "60", "61", "62", "63", "64", "65", "66", "67",
    "68", "69", "70", "71", "73", "74", "76", "78", "79", "87", "92",
)  # fmt: skip
"""Every law and norm that the facts about detectable irregularities name."""
STAGED = {kind.row for kind in KINDS.values()}


class Line(NamedTuple):
    """A law of the page: ``how`` the table meets it, by which ``rows`` of the catalogue, and what shows it."""

    law: str
    how: str
    rows: tuple[str, ...]
    shown: str


@cache
def lines() -> tuple[Line, ...]:
    cells = re.findall(
        r"^\| ([^|]+) \| (\w+) \| ([^|]*) ?\| ([^|]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    own = [one for one in cells if one[0] != "law"]
    return tuple(Line(law, how, tuple(re.findall(r"[\w.-]+", rows)), shown.strip()) for law, how, rows, shown in own)


@cache
def names_of_tests() -> frozenset[str]:
    """The names of all tests of bridge."""
    return frozenset(
        node.name
        for path in HERE.rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def test_every_law_that_a_sensed_table_can_meet_stands_there_once() -> None:
    assert sorted(line.law for line in lines()) == sorted(LAWS)


def test_every_row_of_the_catalogue_stands_there_and_no_other() -> None:
    assert {row for line in lines() for row in line.rows} == set(CATALOGUE.rows)


@pytest.mark.parametrize("law", LAWS)
def test_what_is_said_of_a_law_is_so(law: str) -> None:
    (line,) = [one for one in lines() if one.law == law]
    assert line.how in HOWS
    assert bool(line.rows) is (line.how in ("judged", "ruled", "sealed", "partly"))
    if line.shown == "staged":
        assert set(line.rows) & STAGED
        assert line.how == "judged"
    elif line.how in ("person", "partly"):
        assert not line.shown.startswith("test_")
    else:
        assert line.shown in names_of_tests()
