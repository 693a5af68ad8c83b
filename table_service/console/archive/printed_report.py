"""A game's report as PDF: its sentences, tables, lines to write on and signatures. A4, black on white."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from reportlab.lib import colors
from reportlab.lib.units import mm
from reportlab.platypus import KeepTogether, Paragraph, Spacer, Table, TableStyle

from table_service.console.archive.paper import BOLD, HEAD, PLAIN, RULES, SHADE, SMALL, TITLE, made
from table_service.console.archive.printed_text import markup
from table_service.games.reports import Grid, Report, Section

_WIDTH_MM: Final = 178.0
_RED: Final = "#b3122c"
_BLACK: Final = "#16181d"
_SUIT: Final = re.compile("[♠♥♦♣]")
_BLANK_LINES: Final = 3


def report_pdf(report: Report, *, hall: str, printed: str) -> bytes:
    """``report`` as PDF; ``printed``: date and time as text."""
    where = " · ".join(part for part in (hall, report.about) if part)
    story: list[Any] = [Paragraph(_marked(report.title), TITLE), Paragraph(_marked(where), SMALL), Spacer(1, 3 * mm)]
    for section in report.sections:
        story += _section(section)
    return made(story, f"Tavolo {report.title}", printed)


def _section(section: Section) -> list[Any]:
    head = [Paragraph(_marked(section.title), HEAD)] if section.title else []
    lines = [Paragraph(_marked(line), PLAIN) for line in section.lines]
    grids: list[Any] = []
    for grid in section.grids:
        grids += [Paragraph(_marked(grid.title), BOLD)] if grid.title else []
        grids += [Spacer(1, 1.5 * mm), _grid(grid)]
    blanks = [one for label in section.blanks for one in _blank(label)]
    signatures = [Spacer(1, 14 * mm), _signatures(section.signatures)] if section.signatures else []
    together = [*head, *lines, *grids[:3]] if len(section.grids) == 1 and len(section.grids[0].rows) <= 4 else head
    rest = [one for one in (*lines, *grids, *blanks, *signatures) if not any(one is kept for kept in together)]
    return [KeepTogether(together), *rest] if together else rest


def _marked(text: str) -> str:
    """``text`` for a paragraph: suits in PDF's own Symbol font, which every reader has, and in their colours."""

    def suit(found: re.Match[str]) -> str:
        sign = found.group()
        return f'<font name="Symbol" color="{_RED if sign in "♥♦" else _BLACK}">{sign}</font>'

    return _SUIT.sub(suit, markup(text)).replace("\n", "<br/>")


def _grid(grid: Grid) -> Table:
    rows = [[Paragraph(_marked(head), BOLD) for head in grid.heads]] if grid.heads else []
    rows += [[Paragraph(_marked(cell), PLAIN) for cell in row] for row in grid.rows]
    if not rows:
        rows = [[Paragraph("–", PLAIN)]]
    shares = grid.widths or (1.0,) * len(rows[0])
    widths = [_WIDTH_MM * mm * share / sum(shares) for share in shares]
    style: list[Any] = [("VALIGN", (0, 0), (-1, -1), "TOP"), ("LEFTPADDING", (0, 0), (-1, -1), 3)]
    if grid.heads:
        style += [("LINEBELOW", (0, 0), (-1, -1), 0.4, RULES), ("BACKGROUND", (0, 0), (-1, 0), SHADE)]
    style += [("LINEBEFORE", (0, n + bool(grid.heads)), (0, n + bool(grid.heads)), 2, colors.black) for n in grid.marks]
    return Table(rows, colWidths=widths, style=TableStyle(style), repeatRows=int(bool(grid.heads)), hAlign="LEFT")


def _blank(label: str) -> list[Any]:
    """Return a label and room to write."""
    lines = Table([[""]] * _BLANK_LINES, colWidths=[_WIDTH_MM * mm], rowHeights=[8 * mm] * _BLANK_LINES, hAlign="LEFT")
    lines.setStyle(TableStyle([("LINEBELOW", (0, 0), (-1, -1), 0.4, RULES)]))
    return [KeepTogether([Spacer(1, 2 * mm), Paragraph(_marked(label), BOLD), lines])]


def _signatures(names: Sequence[str]) -> Table:
    width = _WIDTH_MM / len(names)
    style = TableStyle([("LINEABOVE", (0, 0), (-1, 0), 0.6, colors.black), ("FONTSIZE", (0, 0), (-1, -1), 8)])
    return Table([list(names)], colWidths=[width * mm] * len(names), style=style, hAlign="LEFT")
