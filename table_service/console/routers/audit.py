"""The log: who saw and who did what."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import CHIEF, only
from table_service.console.audit_views import line
from table_service.console.pages import AskedPages
from table_service.console.routers.common import with_bar
from table_service.console.vocabulary import Words

router = APIRouter()
"""The routes of the log."""


@router.get("/audit", dependencies=[Depends(only(CHIEF, "audit"))])
async def audit(request: Request, pages: AskedPages) -> Response:
    """Return who saw and who did what."""
    query = request.query_params
    everything = query.get("all") == "1"
    who, place = query.get("who", ""), query.get("table", "")
    entries = await asyncio.to_thread(pages.book.audit.newest, 300, person=who, place=place, seen=everything)
    words, life = Words(pages.language(request)), pages.book.desk.life
    lines = [line(one, words, pages.catalogue(pages.store.tables.get(one.place)), life) for one in entries]
    return with_bar(pages, request, "audit.html", entries=lines, everything=everything)
