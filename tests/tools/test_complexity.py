"""No function is denser with conditions than a reader can follow."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
MOST: Final = 15
_ONE: Final = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.Assert, ast.match_case)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def complexity(function: _Function) -> int:
    """Ways through ``function``, each operand of ``and`` and ``or`` counted; functions within count for themselves."""
    count, todo = 1, list(ast.iter_child_nodes(function))
    while todo:
        node = todo.pop()
        if isinstance(node, _Function):
            continue
        if isinstance(node, _ONE):
            count += 1
        elif isinstance(node, ast.comprehension):
            count += 1 + len(node.ifs)
        elif isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        todo += ast.iter_child_nodes(node)
    return count


def functions(node: ast.AST, name: str = "") -> Iterator[tuple[str, _Function]]:
    """Every function below ``node`` with its qualified name."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Function | ast.ClassDef):
            own = f"{name}.{child.name}" if name else child.name
            if isinstance(child, _Function):
                yield own, child
            yield from functions(child, own)
        else:
            yield from functions(child, name)


def dense() -> dict[str, int]:
    found = {}
    for package in ("hw", "vision", "firmware_bridge", "table_service", "lab"):
        for path in sorted((ROOT / package).rglob("*.py")):
            where = path.relative_to(ROOT).as_posix()
            if not where.startswith("hw/node/"):  # MicroPython
                tree = ast.parse(path.read_text(encoding="utf-8"))
                found |= {f"{where}:{name}": n for name, one in functions(tree) if (n := complexity(one)) > MOST}
    return found


@pytest.mark.slow(seconds=4)
def test_no_function_is_denser_than_fifteen() -> None:
    assert dense() == {}


def test_conditions_are_counted_with_their_operands() -> None:
    source = "def f(a):\n  if a and a.b or a.c:\n    return [x for x in a if x if x.y]\n  def g():\n    assert a\n"
    (name, outer), (inner_name, inner) = functions(ast.parse(source))
    assert (name, complexity(outer)) == ("f", 7)
    assert (inner_name, complexity(inner)) == ("f.g", 2)
