"""Scores from photographs in the console: the page of ``table_service.photographs`` for who runs or rules a round.

A deal that is kept for a table goes into the round's sheets, its pictures with it as evidence.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import Response

from table_service.console.access import ARBITRI, ROUND, only, signed_in
from table_service.console.pages import Pages
from table_service.console.retention import PHOTOGRAPHS as FOLDER
from table_service.console.routers.hall import order
from table_service.events.orders import WriteSheet
from table_service.photographs.photograph_page import PhotographDesk, SheetFiling, photograph_routes
from table_service.photographs.serving_photographs import kept_in
from table_service.rulesets import RULE_SETS

PREFIX: Final = "/photographs"


def router(pages: Pages) -> APIRouter:
    """Return the routes of the page under ``/photographs/``; kept deals lie beside the console's own file."""
    data = pages.settings.data
    folder = None if data is None else data.with_name(FOLDER)
    store = None if folder is None else kept_in(folder)

    def keep(request: Request, deal: dict[str, Any], pictures: Mapping[str, bytes]) -> None:
        """Keep a deal under the name of who is signed in, and note it with the hashes of its pictures."""
        session = signed_in(request)
        deal = {**deal, "entered_by": session.person.name}
        if store is not None:
            store(request, deal, pictures)
        totals = " ".join(f"{line} {own['total']}" for line, own in deal["lines"].items())
        where = f"{deal['table']}, {deal['number']}: " if "table" in deal else ""
        detail = f"{where}{deal['rules']} {totals} by {deal['who']}; pictures {' '.join(deal['pictures'])}"
        person = session.person
        pages.book.audit.note(person.name, person.role, "kept photographs", at=time.time(), detail=detail)

    def tables() -> list[str]:
        round_ = pages.book.rounds.current
        return list(order(tuple(pages.store.tables) if round_ is None else round_.places))

    def file(request: Request, deal: dict[str, Any]) -> str:
        return _filed(pages, request, deal)

    names = [one.name for one in RULE_SETS.values() if one.photographs is not None]
    names.sort(key=lambda name: name != pages.default.name)
    desk = PhotographDesk(
        tuple(names), keep=None if store is None else keep, sheets=SheetFiling(tables, file), back="/"
    )  # fmt: skip
    made = photograph_routes(
        desk,
        PREFIX,
        pages.language,
        guards=[Depends(only(ROUND))],
        token=lambda request: signed_in(request).csrf,
    )

    @made.get("/pictures/{name}")
    async def picture(name: str) -> Response:
        """Serve a picture of a kept deal by its SHA-256; nothing if the file is no longer what was kept."""
        path = None if folder is None or not re.fullmatch("[0-9a-f]{64}", name) else folder / f"{name}.jpg"
        found = path.read_bytes() if path is not None and path.is_file() else b""
        if hashlib.sha256(found).hexdigest() != name:
            raise HTTPException(404)
        return Response(found, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    return made


def _filed(pages: Pages, request: Request, deal: dict[str, Any]) -> str:
    """Put a kept deal into its sheet. If a table reported the deal, what was written goes to it as an order."""
    session, now = signed_in(request), pages.office.clock()
    table, number, round_ = deal["table"], deal["number"], pages.book.rounds.current
    begun, deals = (0.0, None) if round_ is None else (round_.begun, round_.deals)
    kept = pages.book.photographed.keep(table, begun, deals, number, deal, session.person.name, now=now)
    pages.office.sheets.photographed(kept)
    held = pages.office.sheets.now(table)
    sheet = None if held is None else held.sheets.get(number)
    if sheet is not None and sheet.by_table and session.person.role in ARBITRI:
        written = {
            line: {item: value for item, value in own.items() if item in sheet.figures}
            for line, own in deal["written"].items()
        }
        written = {line: own for line, own in written.items() if own}
        if written:
            asked = {"deal": number, "score": sheet.score.get("id"), "lines": written, "signed": deal["confirmed"]}
            pages.office.give(table, WriteSheet(by=session.person.name, **asked))
    pages.store.tell()
    return f"/sheets/{quote(table)}#deal-{number}"
