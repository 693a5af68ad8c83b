"""Draw `docs/architecture.svg`: the rooms, floor by floor, as the import contracts hold them, each in its own words.

`python tools/make_architecture.py` writes the drawing, `--check` only says whether it is up to date (exit code 1).
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
DRAWING: Final = ROOT / "docs" / "architecture.svg"
SERVICE: Final = "table_service"
WIDTH: Final = 1080
_MARGIN: Final = 16
_GAP: Final = 10
_LINE: Final = 15
_LETTER: Final = 6.7
"""The mean width of a letter of the small text, in pixels."""
_INK: Final = "#1d2433"
_PAPER: Final = {"service": "#eef3fb", "package": "#eef7ee"}


@dataclass(frozen=True, slots=True)
class Room:
    """One box: ``name`` as it is imported, ``says`` what it holds."""

    name: str
    says: str
    colour: str


def floors() -> list[list[Room]]:
    """Return the rooms from the top floor to the bottom, as the two contracts of layers name them."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layered = [one for one in contracts if one["type"] == "layers"]
    inner = next(one for one in layered if one.get("containers") == [SERVICE])
    outer = next(one for one in layered if "containers" not in one)
    found = [[_room(f"{SERVICE}.{name}", "service") for name in _names(layer)] for layer in inner["layers"]]
    below = [layer for layer in outer["layers"] if layer != SERVICE]
    return found + [[_room(name, "package") for name in _names(layer)] for layer in below]


def _names(layer: str) -> list[str]:
    return [name.strip() for name in layer.split("|")]


def _room(name: str, colour: str) -> Room:
    path = ROOT.joinpath(*name.split("."))
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    doc = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    first = re.split(r"(?<=[a-z)`])\. |\n\n", doc, maxsplit=1)[0]
    return Room(name.removeprefix(f"{SERVICE}."), " ".join(first.split()).rstrip("."), colour)


def drawing() -> str:
    """Return the drawing as SVG."""
    y = _MARGIN
    parts: list[str] = []
    for floor in floors():
        width = (WIDTH - 2 * _MARGIN - _GAP * (len(floor) - 1)) / len(floor)
        texts = [textwrap.wrap(room.says, int((width - 20) / _LETTER)) for room in floor]
        height = 30 + _LINE * max(map(len, texts))
        for n, (room, lines) in enumerate(zip(floor, texts, strict=True)):
            parts += _box(room, lines, _MARGIN + n * (width + _GAP), y, width, height)
        y += height + _GAP
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}" '
        f'font-family="Helvetica, Arial, sans-serif" role="img" aria-label="The rooms, floor by floor">'
    )
    return "\n".join([head, f'<rect width="{WIDTH}" height="{y}" fill="#ffffff"/>', *parts, "</svg>", ""])


def _box(room: Room, lines: list[str], x: float, y: float, width: float, height: float) -> Iterator[str]:
    yield (
        f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{height}" rx="5" fill="{_PAPER[room.colour]}" '
        f'stroke="{_INK}" stroke-width="0.8"/>'
    )
    bold = f'font-size="14" font-weight="bold" fill="{_INK}"'
    yield f'<text x="{x + 10:.1f}" y="{y + 19}" {bold}>{escape(room.name)}</text>'
    for n, line in enumerate(lines):
        yield f'<text x="{x + 10:.1f}" y="{y + 36 + n * _LINE}" font-size="12" fill="{_INK}">{escape(line)}</text>'


def main() -> int:
    """Write the drawing, or check it."""
    made = drawing()
    if "--check" not in sys.argv[1:]:
        DRAWING.write_text(made, encoding="utf-8")
        print(f"{DRAWING.relative_to(ROOT)} written")
        return 0
    if not DRAWING.exists() or DRAWING.read_text(encoding="utf-8") != made:
        print("docs/architecture.svg is not up to date: run make schemas")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
