"""The tournament's log and the deals' scores as CSV, for a spreadsheet: UTF-8 with a mark, semicolons as in Italy."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from table_service.console.archive.printed_sheet import DealSheet
from table_service.console.results import Ranked, TableResult
from table_service.games.pages import Document
from table_service.rulesets import rule_set_or_default

BYTE_ORDER_MARK = "\ufeff"


def _written(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    writer.writerow(head)
    for row in rows:
        writer.writerow(["" if value is None else _safe(value) for value in row])
    return BYTE_ORDER_MARK + out.getvalue()


def _safe(value: object) -> object:
    """A text that a spreadsheet would take for a formula is kept a text."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def scores_csv(sheets: Iterable[DealSheet]) -> str:
    """One row a deal and line, each item a column."""
    found, items = [], dict.fromkeys(rule_set_or_default(None).sheet.names)
    for sheet in sheets:
        items |= dict.fromkeys(sheet.items.names)
        for line in sheet.lines:
            values = {item.name: item.counted for item in line.items}
            doubts = " ".join(item.name for item in line.items if item.doubtful)
            about = (sheet.table, sheet.deal, line.line, sheet.manner)
            found.append((about, values, (line.total, line.running, doubts, line.warnings)))
    head = ("table", "deal", "line", "manner", *items, "total", "running", "doubtful", "warnings")
    return _written(head, [(*about, *(values.get(name) for name in items), *ends) for about, values, ends in found])


def standing_csv(tables: Iterable[TableResult], ranking: Iterable[Ranked]) -> str:
    """A round's results, a row a line, and below them the ranking; what is not known stays empty."""
    lines = [
        (one.place, one.line, one.pair, one.points, one.mp, one.vp, one.deduction, table.state)
        for table in tables
        for one in table.lines
    ]
    head = ("table", "line", "pair", "points", "match_points", "victory_points", "warnings", "state")
    rows = [(row.place or None, row.pair, row.vp, row.mp, row.rounds, row.deduction) for row in ranking]
    below = _written(("place", "pair", "victory_points", "match_points", "rounds", "warnings"), rows)
    return _written(head, lines) + "\r\n" + below.removeprefix(BYTE_ORDER_MARK)


def log_csv(events: Iterable[tuple[str, Document, str]]) -> str:
    """One row an event: table, event, and its sentence for people."""
    head = ("time", "table", "deal", "turn", "seat", "line", "type", "row", "state", "said")
    rows = []
    for place, event, said in events:
        data = event.get("data")
        told = data if isinstance(data, dict) else {}
        rows.append(
            (event.get("time"), place, event.get("deal"), event.get("turn"), event.get("seat"), event.get("line"),
             event.get("type"), told.get("row"), told.get("state"), said)
        )  # fmt: skip
    return _written(head, rows)
