"""`make quick` has a test of every room of the source: tests lie as the source lies, and some of each are not slow."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
ELSEWHERE: Final = {
    "hw/twin": "twin",
    "hw/board": "board",
    "hw/node": "firmware",
    "hw/pack": "pack",
}
"""Rooms whose tests lie in a folder of another name."""


def rooms() -> Iterator[str]:
    """Every package of the source, those in the room of a game and of a console left out: they have tests of files."""
    yield from ("hw", "vision", "firmware_bridge")
    for package in ("hw", "vision", "firmware_bridge", "table_service", "table_service/games"):
        for init in sorted((ROOT / package).glob("*/*.py")):
            room = init.parent.relative_to(ROOT).as_posix()
            if room not in ("table_service/games", "hw/node") and init.name == "__init__.py":
                yield room
    yield "hw/node"


def place(room: str) -> Path:
    return ROOT / "tests" / ELSEWHERE.get(room, room.removeprefix("table_service/"))


def is_slow(node: ast.AST) -> bool:
    """Whether a decorator, or a file's ``pytestmark``, says slow or sweep."""
    return any(isinstance(one, ast.Attribute) and one.attr in ("slow", "sweep") for one in ast.walk(node))


def quick_tests(path: Path) -> list[str]:
    """Tests of a file that are not marked as slow."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    marks = [one for one in body if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "pytestmark"]
    if any(is_slow(one) for one in marks):
        return []
    tests = [one for one in body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [
        one.name
        for one in tests
        if one.name.startswith("test_") and not any(is_slow(mark) for mark in one.decorator_list if _whole(mark))
    ]


def _whole(mark: ast.expr) -> bool:
    """Whether a decorator concerns the whole test: one of its parameters may be slow alone."""
    return not (isinstance(mark, ast.Call) and ast.unparse(mark.func).endswith("parametrize"))


@pytest.mark.parametrize("room", sorted(set(rooms())))
def test_each_room_has_tests_that_make_quick_runs(room: str) -> None:
    folder = place(room)
    assert folder.is_dir(), f"tests of {room} lie in {folder.relative_to(ROOT)}"
    assert [name for path in folder.rglob("test_*.py") for name in quick_tests(path)], f"all of {room} are slow"


def test_of_each_file_as_many_as_were_asked_for_and_none_that_is_slow(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"))
    many = "import pytest\n@pytest.mark.parametrize('n', range(9))\ndef test_many(n): pass\n"
    (tmp_path / "test_many.py").write_text(many)
    (tmp_path / "test_slow.py").write_text("import pytest\npytestmark = pytest.mark.slow\ndef test_it(): pass\n")
    (tmp_path / "test_one.py").write_text(
        "import pytest\ndef test_one(): pass\n@pytest.mark.slow\ndef test_long(): pass\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "--at-most", "3", "-p", "no:cacheprovider"]
    said = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=200, env={**os.environ}
    ).stdout
    chosen = [line for line in said.splitlines() if "::" in line]
    assert sorted(chosen) == [
        "test_many.py::test_many[0]",
        "test_many.py::test_many[4]",
        "test_many.py::test_many[8]",
        "test_one.py::test_one",
    ]
