"""A list as people send it to each other: plain text for a chat group, and a picture. Pure.

Only what stands in the list: a picture of it shows nothing that its PDF does not.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from hw.seats import LINES
from table_service.console.archive.printed_list import Cell, PrintedList, shown_cell

_SIZE: Final = 26
_ROW: Final = 46
_MARGIN: Final = 36
_GAP: Final = 30
_HEAD: Final = 120
"""Pixels of the letters, a row, the edge, between columns, and down to the columns' heads."""
_LETTER: Final = 0.6
"""Width of a letter in the picture, as a part of its size: generous, so that no name touches the next column."""
_FOUNT: Final = "DejaVu Sans, Bitstream Vera Sans, sans-serif"
MOST_ROWS: Final = 400


def list_text(one: PrintedList) -> str:
    """Return the list as text whose lines need no fixed width: a row each, what is unknown left out.

    >>> from table_service.console.archive.printed_list import Column
    >>> columns = (Column("place", "Pos.", 10), Column("pair", "Coppia", 40), Column("vp", "VP", 10))
    >>> print(list_text(PrintedList("Classifica", "Torneo", columns, ((1, "Rossi–Bianchi", 0), (None, "Neri", None)))))
    *Classifica* · Torneo
    1. Rossi–Bianchi · VP 0
    Neri
    """
    about = f" · {one.about}" if one.about else ""
    return "\n".join([f"*{one.title}*{about}", *(_line(one, row) for row in one.rows[:MOST_ROWS])])


_OF_A_NAME: Final = frozenset({"table", "pair", *LINES, "members", "clubs", "name", "prize", "group"})
"""Columns whose values need no head before them."""


def _line(one: PrintedList, row: tuple[Cell, ...]) -> str:
    said: list[str] = []
    number = ""
    for column, value in zip(one.columns, row, strict=True):
        if value in (None, ""):
            continue
        if column.name == "place":
            number = f"{value}. "
        elif column.name in _OF_A_NAME:
            said.append(str(value))
        else:
            said.append(f"{column.head} {value}")
    if one.columns[0].name == "table" and len(said) > 1:
        return f"{said[0]}: {' / '.join(said[1:])}"
    return number + " · ".join(said)


def list_png(one: PrintedList) -> bytes:
    """Return the list as a picture, dark on white, as wide as its longest row."""
    import reportlab
    import resvg_py

    fonts = Path(reportlab.__file__).parent / "fonts"
    picture = resvg_py.svg_to_bytes(
        svg_string=list_svg(one), font_files=[str(fonts / "Vera.ttf"), str(fonts / "VeraBd.ttf")]
    )
    return bytes(picture)


def list_svg(one: PrintedList) -> str:
    """Return the same as SVG."""
    rows = one.rows[:MOST_ROWS]
    cells = [[shown_cell(value) for value in row] for row in rows]
    widths = [
        max(len(text) for text in (column.head, *(row[n] for row in cells))) * _SIZE * _LETTER
        for n, column in enumerate(one.columns)
    ]
    title = max(len(one.title) * 38, len(one.about) * _SIZE) * _LETTER
    width = max(sum(widths) + _GAP * (len(widths) - 1), title) + 2 * _MARGIN
    height = _HEAD + _ROW * (len(rows) + 1) + _MARGIN
    drawn = [_text(_MARGIN, 54, one.title, 38, bold=True), _text(_MARGIN, 90, one.about, _SIZE, ink="#555")]
    numbers = [all(isinstance(row[n], int | None) for row in rows) and n > 0 for n in range(len(widths))]
    for n, texts in enumerate([[column.head for column in one.columns], *cells]):
        y, x = _HEAD + _ROW * n + 30, float(_MARGIN)
        if n % 2 == 0 and n:
            drawn.append(f'<rect x="0" y="{y - 32}" width="{width:.0f}" height="{_ROW}" fill="#f3f1ea"/>')
        for text, wide, right in zip(texts, widths, numbers, strict=True):
            drawn.append(_text(x + wide if right else x, y, text, _SIZE, bold=not n, end=right))
            x += wide + _GAP
    size = f'width="{width:.0f}" height="{height:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}><rect width="100%" height="100%" fill="#fff"/>'
        f"{''.join(drawn)}</svg>"
    )


def _text(x: float, y: float, text: str, size: int, *, bold: bool = False, end: bool = False, ink: str = "#111") -> str:
    weight, anchor = ' font-weight="bold"' if bold else "", ' text-anchor="end"' if end else ""
    said = f'<text x="{x:.0f}" y="{y:.0f}" font-family="{_FOUNT}" font-size="{size}" fill="{ink}"{weight}{anchor}>'
    return f"{said}{escape(text)}</text>"
