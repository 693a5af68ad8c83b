"""Tests go through public doors: they import, read and replace no private name of the program."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).resolve().parents[1]
OURS: Final = ("hw", "vision", "firmware_bridge", "table_service", "lab")
ALLOWED: Final = frozenset({"conftest.py:_id"})
"""What a program that is not ours has no door for."""


def _private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def reach_ins(source: str) -> Iterator[str]:
    """Private names that ``source`` imports of our packages, reads of another object, or replaces by their name."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ImportFrom(module=str(module), names=names) if module.split(".")[0] in OURS:
                yield from (one.name for one in names if _private(one.name))
            case ast.Attribute(value=value, attr=name) if _private(name):
                if not (isinstance(value, ast.Name) and value.id in ("self", "cls")):
                    yield name
            case ast.Call(func=ast.Attribute(attr="setattr" | "delattr"), args=[*given]):
                yield from _named(given[:2])
            case ast.Call(func=ast.Name(id="setattr" | "getattr" | "delattr"), args=[_, *given]):
                yield from _named(given[:1])


def _named(given: list[ast.expr]) -> Iterator[str]:
    for one in given:
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and _private(one.value.rpartition(".")[2]):
            yield one.value


def test_no_test_reaches_behind_a_public_door() -> None:
    found = {
        f"{path.relative_to(TESTS).as_posix()}:{name}"
        for path in TESTS.rglob("*.py")
        if not path.name.startswith("check_")  # MicroPython's, on the chip
        for name in reach_ins(path.read_text(encoding="utf-8"))
    }
    assert found == ALLOWED


def test_each_way_of_reaching_in_is_found_and_a_class_may_use_its_own() -> None:
    source = (
        "from table_service.x import _a, b\nfrom other import _z\nthing.part._c\nself._own = cls._own\n"
        "monkeypatch.setattr(module, '_d', 1)\nmonkeypatch.setattr('hw.x._e', 1)\nsetattr(thing, '_f', 1)\nx.__dict__\n"
    )
    assert sorted(reach_ins(source)) == ["_a", "_c", "_d", "_f", "hw.x._e"]
