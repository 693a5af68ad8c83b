"""Functions stay as thin and sentences as plain as they are: the counts of tools/house.py only go down."""

from __future__ import annotations

import ast
import doctest
from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Final

import pytest

MOST_WAYS: Final = 15
MOST_OVERLOADED: Final = 16
"""Class names that mean two things or more: a part that every game has, or an event beside the fact it reports."""


@pytest.fixture(scope="module")
def house(tools: Callable[[str], ModuleType]) -> ModuleType:
    return tools("house")


@pytest.fixture(scope="module")
def trees(house: ModuleType) -> dict[str, ast.Module]:
    found: dict[str, ast.Module] = house.modules((*house.PRODUCT, "lab"))
    return found


@pytest.mark.slow(seconds=4)
def test_no_function_is_denser_than_fifteen(house: ModuleType, trees: dict[str, ast.Module]) -> None:
    ways = {f"{name}:{at}": house.complexity(one) for name, tree in trees.items() for at, one in house.functions(tree)}
    assert {at: count for at, count in ways.items() if count > MOST_WAYS} == {}


@pytest.mark.slow
def test_no_docstring_opens_with_a_clause(house: ModuleType, trees: dict[str, ast.Module]) -> None:
    assert [f"{name}: {line}" for name, line in house.clause_openings(trees)] == []


@pytest.mark.slow
def test_no_class_name_comes_to_mean_one_thing_more(house: ModuleType, trees: dict[str, ast.Module]) -> None:
    product = {name: tree for name, tree in trees.items() if not name.startswith("lab/")}
    assert len(house.overloaded_classes(product)) <= MOST_OVERLOADED


def test_the_examples_of_the_counts_are_true(house: ModuleType) -> None:
    assert doctest.testmod(house).failed == 0
    assert Counter(house.words({"x.py": ast.parse("isSet = HTTPServer")})) == Counter(["is", "set", "http", "server"])
