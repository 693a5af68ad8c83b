"""Instructions are counted beside an older tree: what is served, what is said, what is refused."""

from __future__ import annotations

import doctest
import io
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from table_service.rehearsal.rehearse import rehearse

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def tool(tools: Callable[[str], ModuleType]) -> ModuleType:
    return tools("instructions")


@pytest.mark.slow(4)
def test_the_counted_process_does_the_part_that_it_is_asked_for(tool: ModuleType, tmp_path: Path) -> None:
    log = tmp_path / "clean.jsonl"
    rehearse("fibur2024", 1, log)
    lines = len(log.read_text().splitlines()) - 1
    answers = io.StringIO()
    tool.serve(ROOT, [log], io.StringIO("read\ntrack\n"), answers)
    assert answers.getvalue().split() == ["ready", str(lines), str(lines)]


def test_without_valgrind_it_says_what_is_missing(tool: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(tool.InstructionsError, match="valgrind is not installed"):
        tool.count(ROOT, [])


def test_its_examples_are_true(tool: ModuleType) -> None:
    assert doctest.testmod(tool).failed == 0
