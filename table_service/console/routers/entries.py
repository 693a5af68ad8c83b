"""The list of entries from a club's spreadsheet: shown as it is read, its columns mapped by touch, then taken."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any, Final

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import ROUND, Form, form_of, only, signed_in
from table_service.console.entry_columns import ROLES, signature
from table_service.console.entry_list import EntryList, read_list
from table_service.console.pages import AskedPages, Pages
from table_service.console.routers.common import with_bar
from table_service.console.spreadsheet import (
    MOST_COLUMNS,
    MOST_ROWS,
    SpreadsheetRow,
    UnreadableFileError,
    rows_of_file,
    rows_of_text,
)

LONGEST: Final = 1024 * 1024
"""Bytes of a form that brings a file."""
_SHOWN: Final = 200
"""Rows of a list that are shown before it is taken."""


router = APIRouter()
"""The routes of the list of entries."""


def _shown(pages: Pages, request: Request, *, status: int = 200, **values: Any) -> Response:
    common: dict[str, Any] = {"read": None, "problem": "", "rows": [], "body": "", "more": 0, "heads": ""}
    people = pages.book.entrants.people()
    taken = [(name, people.get(name.casefold(), ())) for name in pages.book.entrants.listed()]
    return with_bar(pages, request, "entries.html", status=status, taken=taken, roles=ROLES, **(common | values))


@router.get("/entries", dependencies=[Depends(only(ROUND, "entries"))])
async def page(request: Request, pages: AskedPages) -> Response:
    """Serve the entries that were taken, and the field for a file."""
    return _shown(pages, request)


@router.post("/entries/{deed}", dependencies=[Depends(only(ROUND, longest=LONGEST))])
async def act(request: Request, pages: AskedPages, deed: str) -> Response:
    """Read a list (``show``), or take it (``take``) where every row can be taken."""
    form = await form_of(request)
    try:
        rows = _rows(form)
        read, chosen = _read(pages, form, rows)
    except UnreadableFileError as error:
        return _shown(pages, request, status=400, problem=error.word)
    if chosen is not None:
        pages.book.entrants.remember(_form_of(read), chosen, now=pages.office.clock())
    if deed == "take" and read.entries and not read.refused:
        pages.book.entrants.take(read.entries, now=pages.office.clock())
        pages.office.deed(signed_in(request), "entries take", detail={"entries": len(read.entries)})
        return pages.done(request, "/entries")
    below = [row for row in rows if read.head is None or row.number > read.head.number]
    more = max(0, len(below) - _SHOWN)
    return _shown(
        pages, request, read=read, rows=below[:_SHOWN], body=_sent_back(rows), more=more, heads=form.get("heads", "")
    )


def _rows(form: Form) -> list[SpreadsheetRow]:
    """Return the rows of the file that came with ``form``, else of its text. Raises UnreadableFileError."""
    try:
        file, rows = (base64.b64decode(form.get(name, ""), altchars=b"-_", validate=True) for name in ("file", "rows"))
    except (binascii.Error, ValueError):
        raise UnreadableFileError("file_unreadable") from None
    if rows:
        return _rows_sent(rows)
    return rows_of_file(file) if file else rows_of_text(form.get("text", ""))


def _read(pages: Pages, form: Form, rows: list[SpreadsheetRow]) -> tuple[EntryList, tuple[str, ...] | None]:
    """Return the list, by the columns that the form chooses, that were chosen for it before, or as recognised."""
    first = {"1": True, "0": False}.get(form.get("heads", ""))
    found = read_list(rows, first=first)
    chosen = [form.get(f"column-{n}") for n in range(min(len(found.roles), MOST_COLUMNS))]
    roles = tuple(one for one in chosen if one in ROLES)
    if roles and len(roles) == len(found.roles):
        return read_list(rows, roles, first=first), roles
    if first is None:
        for guess in (None, True):  # heads that nobody here knows may be those of a list that was mapped before
            same = read_list(rows, first=guess)
            kept = pages.book.entrants.roles(_form_of(same))
            if kept is not None and len(kept) == len(same.roles):
                return read_list(rows, kept, first=guess), None
    return found, None


def _form_of(read: EntryList) -> str:
    return signature(read.head, len(read.roles))


def _sent_back(rows: list[SpreadsheetRow]) -> str:
    """Return the same rows as the page sends them back."""
    return base64.urlsafe_b64encode(json.dumps([[row.number, *row.cells] for row in rows]).encode()).decode()


def _rows_sent(body: bytes) -> list[SpreadsheetRow]:
    """Return the rows that a page sends back. Raises UnreadableFileError if a value is not a row."""
    try:
        told = json.loads(body)
        return [
            SpreadsheetRow(int(number), tuple(map(str, cells[:MOST_COLUMNS]))) for number, *cells in told[:MOST_ROWS]
        ]
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
        raise UnreadableFileError("file_unreadable") from None
