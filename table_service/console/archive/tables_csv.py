"""The tournament's log and the deals' scores as CSV, for a spreadsheet: UTF-8 with a mark, semicolons as in Italy."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from typing import Any, Final

from table_service.console.archive.printed_sheet import PrintedDeal
from table_service.console.rankings import Ranked
from table_service.console.results import TableResult
from table_service.console.times import local
from table_service.console.vocabulary import Words
from table_service.games.game_pages import Document
from table_service.rulesets import rule_set_or_default

BYTE_ORDER_MARK = "\ufeff"


def list_csv(head: Sequence[str], rows: Iterable[Sequence[object]], *, programs: bool = False) -> str:
    """Return a list as CSV under its columns' heads; what is None stays empty, and no text is a formula.

    ``programs``: for these, with commas and without a mark (RFC 4180).
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter="," if programs else ";", lineterminator="\r\n")
    writer.writerow(head)
    for row in rows:
        writer.writerow(["" if value is None else _safe(value) for value in row])
    return out.getvalue() if programs else BYTE_ORDER_MARK + out.getvalue()


def _safe(value: object) -> object:
    """Return ``value``, marked as text if a spreadsheet would take it for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def list_xlsx(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Return the same as a workbook of one sheet; its texts are never formulas."""
    from openpyxl import Workbook  # half a second on a Pi, and only a workbook needs it

    book = Workbook(write_only=True)
    sheet = book.create_sheet(_SHEET_NAME.sub(" ", title)[:31])
    sheet.append(list(head))
    for row in rows:
        sheet.append([_text_cell(sheet, value) if isinstance(value, str) else value for value in row])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


_SHEET_NAME: Final = re.compile(r"[\[\]:*?/\\]")
_UNWRITTEN: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def _text_cell(sheet: Any, value: str) -> Any:
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(sheet, value=_UNWRITTEN.sub(" ", value))
    cell.data_type = "s"
    return cell


def scores_csv(sheets: Iterable[PrintedDeal], words: Words) -> str:
    """One row a deal and line, each item a column, named in ``words``."""
    found, items = [], dict.fromkeys(rule_set_or_default(None).sheet.names)
    for sheet in sheets:
        items |= dict.fromkeys(sheet.items.names)
        for line in sheet.lines:
            values = {item.name: item.counted for item in line.items}
            doubts = " ".join(item.name for item in line.items if item.doubtful)
            about = (sheet.table, sheet.deal, line.line, sheet.manner)
            found.append((about, values, (line.total, line.running, doubts, line.warnings)))
    printed = rule_set_or_default(None).sheet
    columns = [words.title(printed, name) for name in items]
    ends = ("total", "running", "doubtful", "warnings")
    head = (*_named(("table", "deal", "line", "manner"), words), *columns, *_named(ends, words))
    rows = []
    for (table, deal, name, manner), values, last in found:
        ended = words.get(f"manner_{manner}", manner)
        rows.append((table, deal, name, ended, *(values.get(name) for name in items), *last))
    return list_csv(head, rows)


def _named(columns: Sequence[str], words: Words) -> tuple[str, ...]:
    """Columns in the reader's words."""
    return tuple(words.get(f"csv_{name}", name) for name in columns)


def standing_csv(tables: Sequence[TableResult], ranking: Sequence[Ranked], words: Words, *, extra: str = "") -> str:
    """Return a round's results, a row a line, and below them the ranking; what is not known stays empty.

    ``extra``: the column of what is counted beside matches, where there is such a thing.
    """
    lines = [
        (one.place, one.line, one.pair, one.points, one.mp, one.vp, one.deduction, words[f"sheet_is_{table.state}"])
        for table in tables
        for one in table.lines
    ]
    head = ("table", "line", "pair", "points", "match_points", "victory_points", "warnings", "state")
    columns: tuple[str, ...]
    if any(row.matches for row in ranking):
        columns = _named(("place", "pair", "matches_won", "points", "rounds", "warnings"), words)
        columns += (extra,) if extra else ()
        rows = [_by_matches(row)[: len(columns)] for row in ranking]
    else:
        columns = _named(("place", "pair", "victory_points", "match_points", "rounds", "warnings"), words)
        rows = [(row.place or None, row.pair, row.vp, row.mp, row.rounds, row.deduction) for row in ranking]
    below = list_csv(columns, rows)
    return list_csv(_named(head, words), lines) + "\r\n" + below.removeprefix(BYTE_ORDER_MARK)


def _by_matches(row: Ranked) -> tuple[object, ...]:
    won, points, extra = (None,) * 3 if row.matches is None else astuple(row.matches)
    return (row.place or None, row.pair, won, points, row.rounds, row.deduction, extra)


def log_csv(events: Iterable[tuple[str, Document, str]], words: Words) -> str:
    """One row an event: table, event, and its sentence for people; times of the console's place."""
    head = ("time", "table", "deal", "turn", "seat", "line", "type", "row", "state", "said")
    rows = []
    for place, event, said in events:
        data = event.get("data")
        told = data if isinstance(data, dict) else {}
        time = local(event.get("time"), "%d.%m.%Y %H:%M:%S")
        where = (event.get(name) for name in ("deal", "turn", "seat", "line", "type"))
        rows.append((time, place, *where, told.get("row"), told.get("state"), said))
    return list_csv(_named(head, words), rows)
