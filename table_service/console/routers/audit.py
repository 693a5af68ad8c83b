"""The log: who saw and who did what."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import CHIEF, only
from table_service.console.audit_views import line
from table_service.console.pages import AskedPages
from table_service.console.routers.common import bar
from table_service.console.vocabulary import Words

router = APIRouter()
"""The routes of the log."""


@router.get("/audit", dependencies=[Depends(only(CHIEF, "audit"))])
async def audit(request: Request, pages: AskedPages) -> Response:
    """Return who saw and who did what."""
    viewer, query = pages.viewer(request), request.query_params
    token, parts = pages.streams.first(lambda: bar(pages, viewer))
    everything = query.get("all") == "1"
    who, place = query.get("who", ""), query.get("table", "")
    entries = await asyncio.to_thread(pages.book.audit.newest, 300, person=who, place=place, seen=everything)
    words, life = Words(viewer.language), pages.book.desk.life
    lines = [line(one, words, pages.catalogue(pages.store.tables.get(one.place)), life) for one in entries]
    return pages.page(request, "audit.html", parts=parts, token=token, entries=lines, everything=everything)
