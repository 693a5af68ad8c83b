"""Count the house: lines, modules, dense functions, words in identifiers, docstrings that open with a clause.

``python tools/house.py`` prints a table; ``--json`` the same for programs. The counts are those of the review of
27 November 2026: product is ``hw``, ``vision``, ``firmware_bridge``, ``table_service``; the firmware that runs under
MicroPython (``hw/node``) counts as lines and for nothing else.
"""

from __future__ import annotations

import ast
import gc
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PRODUCT: Final = ("hw", "vision", "firmware_bridge", "table_service")
BESIDE: Final = ("lab", "tools", "tests")
STARTS: Final = (
    *(f"table_service.commands.{one}" for one in ("run", "hall", "mains", "console_process")),
    "table_service.console.app",
    "table_service.console.console_server",
)
"""What a running table, a running hall and its console import; the package of the console loads its parts by name."""
CLAUSE: Final = re.compile(
    r"(What|Whether|How|Who|Whose|Whoever|Where|Which|Of|By|Nothing|Nobody|Those|That|As|So|When)\b"
)
"""First words of a docstring that is a clause; style.md asks for an imperative or a noun phrase."""
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_BRANCHES: Final = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.Assert, ast.match_case)
Function = ast.FunctionDef | ast.AsyncFunctionDef
_Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module


def complexity(function: Function) -> int:
    """Ways through ``function``, each operand of ``and`` and ``or`` counted; functions within count for themselves."""
    count, todo = 1, list(ast.iter_child_nodes(function))
    while todo:
        node = todo.pop()
        if isinstance(node, Function):
            continue
        if isinstance(node, _BRANCHES):
            count += 1
        elif isinstance(node, ast.comprehension):
            count += 1 + len(node.ifs)
        elif isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        todo += ast.iter_child_nodes(node)
    return count


def functions(node: ast.AST, name: str = "") -> Iterator[tuple[str, Function]]:
    """Every function below ``node`` with its qualified name."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.ClassDef):
            own = f"{name}.{child.name}" if name else child.name
            if isinstance(child, Function):
                yield own, child
            yield from functions(child, own)
        else:
            yield from functions(child, name)


def modules(packages: Iterable[str], root: Path = ROOT) -> dict[str, ast.Module]:
    """Map the module path (as ``hw/cards.py``) to the syntax tree, for each module of ``packages`` but firmware."""
    paths = (path for package in packages for path in sorted((root / package).rglob("*.py")))
    named = ((path.relative_to(root).as_posix(), path) for path in paths)
    collects = gc.isenabled()
    gc.disable()  # it would walk through the growing trees again and again: two thirds of the time
    try:
        return {name: ast.parse(path.read_text("utf-8")) for name, path in named if not name.startswith("hw/node/")}
    finally:
        if collects:
            gc.enable()


def clause_openings(trees: dict[str, ast.Module]) -> Iterator[tuple[str, str]]:
    """Yield the module and first line of each docstring that opens with a clause."""
    for name, tree in trees.items():
        for node in ast.walk(tree):
            text = ast.get_docstring(node) if isinstance(node, _Documented) else None
            if text and CLAUSE.match(text):
                yield name, text.splitlines()[0]


def overloaded_classes(trees: dict[str, ast.Module]) -> dict[str, int]:
    """Class name → number of classes of that name, for each name that means two things or more."""
    found = Counter(node.name for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    return {name: count for name, count in found.items() if count > 1}


def words(trees: dict[str, ast.Module]) -> set[str]:
    """Different words in all identifiers, in small letters.

    >>> sorted(words({"a.py": ast.parse("TurnUp.is_legal = hand_of")}))
    ['hand', 'is', 'legal', 'of', 'turn', 'up']
    """
    found: set[str] = set()
    for tree in trees.values():
        for node in ast.walk(tree):
            for given in ("id", "attr", "arg", "name"):
                text = getattr(node, given, None)
                if isinstance(text, str):
                    found.update(word.lower() for word in _WORD.findall(text))
    return found


def needed_by(starts: Iterable[str], trees: dict[str, ast.Module]) -> set[str]:
    """Modules of ``trees`` that ``starts`` import, directly or not, at any level of nesting; not for types alone."""
    by_import = {_dotted(name): name for name in trees}
    imports: dict[str, set[str]] = defaultdict(set)
    for name, tree in trees.items():
        for node in _loaded(tree):
            if isinstance(node, ast.Import):
                imports[name].update(one.name for one in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                imports[name].update((node.module, *(f"{node.module}.{one.name}" for one in node.names)))
    seen: set[str] = set()
    todo = [by_import[one] for one in starts]
    while todo:
        if (name := todo.pop()) in seen:
            continue
        seen.add(name)
        parents = {_dotted(name).rsplit(".", n)[0] for n in range(1, name.count("/") + 1)}
        todo += [by_import[one] for one in imports[name] | parents if one in by_import]
    return seen


def _loaded(node: ast.AST) -> Iterator[ast.AST]:
    """Every node below ``node`` but those under ``if TYPE_CHECKING``."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            continue
        yield child
        yield from _loaded(child)


def _dotted(name: str) -> str:
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@dataclass(frozen=True, slots=True)
class House:
    """What was counted. ``lines``: of all files of Python, by package; ``needed``: of a running table and hall."""

    lines: dict[str, int]
    product_lines: int
    needed: int
    modules: int
    functions: int
    above_10: int
    above_15: int
    identifier_words: int
    classes: int
    overloaded_classes: int
    docstrings: int
    clause_openings: int


def count(root: Path = ROOT) -> House:
    """Count the tree at ``root``."""
    trees = modules(PRODUCT, root)
    lines = {one: sum(map(_lines, (root / one).rglob("*.py"))) for one in (*PRODUCT, *BESIDE) if (root / one).is_dir()}
    ways = [complexity(one) for tree in trees.values() for _, one in functions(tree)]
    nodes = [node for tree in trees.values() for node in ast.walk(tree)]
    return House(
        lines=lines,
        product_lines=sum(lines[one] for one in PRODUCT),
        needed=sum(_lines(root / one) for one in needed_by(STARTS, trees)),
        modules=len(trees),
        functions=len(ways),
        above_10=sum(one > 10 for one in ways),
        above_15=sum(one > 15 for one in ways),
        identifier_words=len(words(trees)),
        classes=len({node.name for node in nodes if isinstance(node, ast.ClassDef)}),
        overloaded_classes=len(overloaded_classes(trees)),
        docstrings=sum(bool(ast.get_docstring(node)) for node in nodes if isinstance(node, _Documented)),
        clause_openings=sum(1 for _ in clause_openings(trees)),
    )


def _lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def main() -> None:
    """Print the counts of this tree, or of the tree at the path given."""
    given = [one for one in sys.argv[1:] if not one.startswith("--")]
    found = asdict(count(Path(given[0]).resolve() if given else ROOT))
    if "--json" in sys.argv:
        print(json.dumps(found, indent=1))
        return
    for name, value in found.items():
        print(f"{name.replace('_', ' '):20} {value if not isinstance(value, dict) else ''}")
        for inner, lines in value.items() if isinstance(value, dict) else ():
            print(f"    {inner:16} {lines}")


if __name__ == "__main__":
    main()
