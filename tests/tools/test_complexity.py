"""No function is denser with conditions than a reader can follow; those that still are stand in a list that shrinks."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
MOST: Final = 15
DENSE: Final[dict[str, int]] = {
    "table_service/games/burraco/rehearsal/faults_feburit.py:_closes": 17,
    "table_service/games/burraco/rehearsal/faults_feburit.py:_second_set": 18,
    "table_service/games/burraco/rehearsal/wishes.py:_whole_melds": 21,
    "table_service/games/burraco/rehearsal/wishes.py:a_last_card_to_add_wrongly": 17,
    "table_service/games/burraco/rehearsal/wishes.py:a_meld_and_a_wild": 18,
    "table_service/games/burraco/rehearsal/wishes.py:plays_and_a_discard": 17,
}
"""Functions above ``MOST``, with how far. Take out what became simpler; nothing may be added, no figure may grow."""

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
    for package in ("hw", "vision", "firmware_bridge", "table_service"):
        for path in sorted((ROOT / package).rglob("*.py")):
            where = path.relative_to(ROOT).as_posix()
            if not where.startswith("hw/node/"):  # MicroPython
                tree = ast.parse(path.read_text(encoding="utf-8"))
                found |= {f"{where}:{name}": n for name, one in functions(tree) if (n := complexity(one)) > MOST}
    return found


def test_no_function_is_denser_than_fifteen_but_those_named_and_their_list_only_shrinks() -> None:
    assert dense() == DENSE


def test_conditions_are_counted_with_their_operands() -> None:
    source = "def f(a):\n  if a and a.b or a.c:\n    return [x for x in a if x if x.y]\n  def g():\n    assert a\n"
    (name, outer), (inner_name, inner) = functions(ast.parse(source))
    assert (name, complexity(outer)) == ("f", 7)
    assert (inner_name, complexity(inner)) == ("f.g", 2)
