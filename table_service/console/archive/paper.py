"""Sheets as PDF: one deal's sheet, the tournament's log. A4, black on white, the suits in their colours."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any, Final

from reportlab.lib import colors
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import KeepTogether, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from hw.seats import LINES
from table_service.console.archive.printed_list import PrintedList, shown_cell
from table_service.console.archive.printed_sheet import LineSheet, PrintedDeal, PrintedDifference
from table_service.console.archive.printed_text import markup
from table_service.console.vocabulary import Words

_SUITS: Final = {"H": "♥", "D": "♦", "C": "♣", "S": "♠"}
"""The suits in PDF's own Symbol font, which every reader has."""
PLAIN: Final = ParagraphStyle("plain", fontName="Helvetica", fontSize=9.5, leading=13)
SMALL: Final = ParagraphStyle("small", parent=PLAIN, fontSize=8, leading=10.5, textColor=colors.HexColor("#555555"))
_RIGHT: Final = ParagraphStyle("right", parent=PLAIN, alignment=TA_RIGHT)
BOLD: Final = ParagraphStyle("bold", parent=PLAIN, fontName="Helvetica-Bold")
BOLD_RIGHT: Final = ParagraphStyle("bold-right", parent=BOLD, alignment=TA_RIGHT)
TITLE: Final = ParagraphStyle("title", parent=PLAIN, fontName="Helvetica-Bold", fontSize=16, leading=20)
HEAD: Final = ParagraphStyle("head", parent=BOLD, fontSize=11, leading=16, spaceBefore=8)
RULES: Final = colors.HexColor("#bbbbbb")
SHADE: Final = colors.HexColor("#f3f1ea")


def card_markup(card: str) -> str:
    """Return a card for a paragraph: rank and coloured suit; a joker and an unknown card in letters."""
    face = card.partition("#")[0]
    if face == "JK":
        return "<b>JK</b>"
    if len(face) != 2 or face[1] not in _SUITS:
        return "?"
    colour = "#b3122c" if face[1] in "HD" else "#16181d"
    rank = "10" if face[0] == "T" else markup(face[0])
    return f'{rank}<font name="Symbol" color="{colour}">{_SUITS[face[1]]}</font>'


def _number(value: int | None) -> str:
    return "?" if value is None else str(value)


def _grid(rows: list[list[Any]], widths: Sequence[float], *, head: bool = True) -> Table:
    style = [
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, RULES),
        ("TOPPADDING", (0, 0), (-1, -1), 2.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2.5),
    ]
    if head:
        style.append(("BACKGROUND", (0, 0), (-1, 0), SHADE))
    return Table(rows, colWidths=[width * mm for width in widths], style=TableStyle(style), repeatRows=int(head))


def deal_pdf(sheet: PrintedDeal, words: Words, *, hall: str, printed: str) -> bytes:
    """Return the sheet of one deal as PDF, the lines side by side, to be signed. ``printed``: date and time as text."""
    story: list[Any] = [
        Paragraph(markup(f"{words['table']} {sheet.table} · {words['deal']} {_number(sheet.deal)}"), TITLE),
        Paragraph(markup(_facts(sheet, words, hall)), SMALL),
        Spacer(1, 4 * mm),
    ]
    if not sheet.counted:
        story.append(Paragraph(markup(words["sheet_not_counted"]), BOLD))
    story += [_items(sheet, words), Spacer(1, 3 * mm)]
    if sheet.differences:
        story.append(Paragraph(markup(words["sheet_differences"]), HEAD))
        story += [Paragraph(difference_in_words(one, sheet, words), PLAIN) for one in sheet.differences]
    story += [_melds(line, words) for line in sheet.lines]
    if sheet.ruled:
        story += [Paragraph(markup(words["irregularities"]), HEAD), _ruled(sheet, words)]
    story += [Spacer(1, 16 * mm), _signatures(words)]
    return made(story, f"Tavolo {sheet.table}", printed)


def _facts(sheet: PrintedDeal, words: Words, hall: str) -> str:
    parts = [hall, f"{words['dealer']}: {words.who(sheet.dealer)}" if sheet.dealer else ""]
    parts += [f"{sheet.began}-{sheet.ended}" if sheet.ended else sheet.began, f"{words['turn']} {sheet.turns}"]
    parts.append(words.get(f"manner_{sheet.manner}", sheet.manner))
    return " · ".join(part for part in parts if part)


def _items(sheet: PrintedDeal, words: Words) -> Table:
    left, right = sheet.lines
    heads = [words["sheet_item"]]
    for line in (left, right):
        heads += [words[line.line], words["part_camera"], words["col_ledger"]]
    rows: list[list[Any]] = [
        [
            Paragraph(markup(head), BOLD if n == 0 else BOLD_RIGHT if n in (1, 4) else _small_right())
            for n, head in enumerate(heads)
        ]
    ]
    for one, other in zip(left.items, right.items, strict=False):
        row: list[Any] = [Paragraph(markup(words.title(sheet.items, one.name)), PLAIN)]
        for item in (one, other):
            mark = " <b>?</b>" if item.doubtful else ""
            row.append(Paragraph(_number(item.counted) + mark, _RIGHT))
            row += [Paragraph(_number(item.camera), _small_right()), Paragraph(_number(item.ledger), _small_right())]
        rows.append(row)
    totals: list[Any] = [Paragraph(markup(words["sum_total"]), BOLD)]
    for line in (left, right):
        totals += [Paragraph(f"<b>{_number(line.total)}</b>", _RIGHT), "", ""]
    running: list[Any] = [Paragraph(markup(words["sheet_running"]), PLAIN)]
    for line in (left, right):
        running += [Paragraph(_number(line.running), _RIGHT), "", ""]
    rows += [totals, running]
    for name, values in (("match_points", dict(sheet.match_points)), ("victory_points", dict(sheet.victory_points))):
        if values:
            told: list[Any] = [Paragraph(markup(words[f"sheet_{name}"]), BOLD)]
            for line in (left, right):
                told += [Paragraph(f"<b>{_number(values.get(line.line))}</b>", _RIGHT), "", ""]
            rows.append(told)
    return _grid(rows, (42, 28, 20, 20, 28, 20, 20))


def difference_in_words(one: PrintedDifference, sheet: PrintedDeal, words: Words) -> str:
    """Return an item that the camera counts otherwise than the ledger, as markup for the printed sheet."""
    where = f"{words.get(one.line, one.line)}, {words.title(sheet.items, one.item)}"
    cards = f" ({' '.join(map(card_markup, one.cards))})" if one.cards else ""
    return f"{markup(where)}: {_number(one.camera)} / {_number(one.ledger)}{cards}"


def _small_right() -> ParagraphStyle:
    return ParagraphStyle("small-right", parent=SMALL, alignment=TA_RIGHT)


def _melds(line: LineSheet, words: Words) -> KeepTogether:
    cards = [Paragraph(" ".join(map(card_markup, meld)) or "-", PLAIN) for meld in line.melds]
    warned = f" · {words['warnings']}: {line.warnings}" if line.warnings else ""
    return KeepTogether([Paragraph(markup(f"{words['melds_of']} {words[line.line]}{warned}"), HEAD), *cards])


def _ruled(sheet: PrintedDeal, words: Words) -> Table:
    column = 0 if words.language == "it" else 1
    rows: list[list[Any]] = []
    for one in sheet.ruled:
        said = f"{one.title[column] or one.row} ({words['article']} {one.article})"
        cells = (one.time, one.row, words.who(one.offender), said, words.get(f"state_{one.state}", one.state))
        rows.append([Paragraph(markup(cell), PLAIN if n == 3 else SMALL) for n, cell in enumerate(cells)])
    return _grid(rows, (18, 16, 22, 96, 26), head=False)


def _signatures(words: Words) -> Table:
    rows = [["", "", ""], [*(words[line] for line in LINES), words["sheet_arbitro"]]]
    style = TableStyle([("LINEABOVE", (0, 1), (-1, 1), 0.6, colors.black), ("FONTSIZE", (0, 0), (-1, -1), 8)])
    return Table(rows, colWidths=[55 * mm] * 3, style=style, spaceBefore=6, hAlign="LEFT")


def log_pdf(events: Iterable[tuple[str, str, str]], words: Words, *, hall: str, printed: str) -> bytes:
    """Return the tournament's log as PDF: time, table and sentence of each event."""
    rows: list[list[Any]] = [[Paragraph(markup(words[name]), BOLD) for name in ("when", "table", "what")]]
    rows += [[Paragraph(markup(cell), SMALL if n < 2 else PLAIN) for n, cell in enumerate(row)] for row in events]
    story = [Paragraph(markup(f"{words['log_title']} · {hall}"), TITLE), Spacer(1, 4 * mm), _grid(rows, (34, 22, 122))]
    return made(story, f"Tavolo {hall}", printed)


def list_pdf(one: PrintedList, *, hall: str, printed: str) -> bytes:
    """Return a list as PDF, to be posted or signed; its columns' heads stand on every page."""
    rows: list[list[Any]] = [[Paragraph(markup(column.head), BOLD) for column in one.columns]]
    rows += [[Paragraph(markup(shown_cell(cell)), PLAIN) for cell in row] for row in one.rows]
    about = " · ".join(part for part in (hall, one.about) if part)
    story = [Paragraph(markup(one.title), TITLE), Paragraph(markup(about), SMALL), Spacer(1, 4 * mm)]
    story.append(_grid(rows, [column.width for column in one.columns]))
    return made(story, f"Tavolo {hall}", printed)


def made(story: list[Any], title: str, printed: str) -> bytes:
    """Return the PDF of ``story``, its pages numbered."""
    out = io.BytesIO()

    def foot(canvas: Any, document: Any) -> None:
        canvas.setFont("Helvetica", 7.5)
        canvas.setFillGray(0.4)
        canvas.drawString(16 * mm, 10 * mm, f"Tavolo · {printed}")
        canvas.drawRightString(194 * mm, 10 * mm, str(document.page))

    document = SimpleDocTemplate(
        out, pagesize=A4, leftMargin=16 * mm, rightMargin=16 * mm, topMargin=16 * mm, bottomMargin=18 * mm,
        title=title, author="Tavolo", invariant=1,
    )  # fmt: skip
    document.build(story, onFirstPage=foot, onLaterPages=foot)
    return out.getvalue()
