"""One case as one file to take away: for an appeal, for the federation."""

from __future__ import annotations

import asyncio
import re
from typing import Any
from urllib.parse import quote

from cryptography.hazmat.primitives.serialization import Encoding
from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console import alert_views, case_record
from table_service.console.access import ARBITRI, ROUND, form_of, only, signed_in
from table_service.console.archive.case_file import CaseFile, CasePicture, case_zip
from table_service.console.http_answers import as_file
from table_service.console.pages import AskedPages, NamedTable, Pages
from table_service.console.remote.federation_link import CaseNotSentError, SentKind, send_case
from table_service.console.routers.alert import life_of
from table_service.console.routers.case_facts import CaseFacts, case_facts
from table_service.console.ruling_forms import FormError
from table_service.console.table_view import TableView
from table_service.events.untrusted import as_list, as_map, as_name

router = APIRouter()
"""The routes of a case's file."""


@router.get("/table/{name}/alert/{key}/case.zip", dependencies=[Depends(only(ROUND, "case file"))])
async def case_file(request: Request, pages: AskedPages, view: NamedTable, key: str) -> Response:
    """Everything of one case: text, events, ruling, pictures, with their hashes; ``?case=`` an older life."""
    body = await _whole(pages, request, view, key)
    if body is None:
        return pages.missing(request, view.name)
    return as_file(body, "application/zip", f"tavolo-{view.name}-{key}.zip", store=False)


@router.post("/table/{name}/alert/{key}/federation", dependencies=[Depends(only(ARBITRI))])
async def send(request: Request, pages: AskedPages, view: NamedTable, key: str) -> Response:
    """Send the case on to the federation: for a second opinion, or as an appeal."""
    form, federation, name = await form_of(request), pages.settings.remote.federation, view.name
    kind: SentKind = "appeal" if form.get("kind") == "appeal" else "opinion"
    body = None if federation is None else await _whole(pages, request, view, key)
    if federation is None or body is None:
        return pages.missing(request, name)
    try:
        number = await asyncio.to_thread(send_case, federation, kind, body, form.get("note", "").strip()[:4000])
    except CaseNotSentError as error:
        return pages.sorry(request, FormError("fed_send_failed", why=str(error)))
    pages.office.deed(signed_in(request), "case sent", place=name, detail=f"{key}: {kind} {number}")
    return pages.go(request, f"/table/{quote(name)}/alert/{quote(key)}?sent={number}")


async def _whole(pages: Pages, request: Request, view: TableView, key: str) -> bytes | None:
    """Return the case's file; None if nothing is known of such an alert."""
    await asyncio.to_thread(pages.book.kept.flush)
    facts = case_facts(pages, view, key, life_of(request))
    if facts is None:
        return None
    words, catalogue = pages.words(pages.language(request), view), pages.catalogue(view)
    record = case_record.record(facts.case, facts.document, facts.told, facts.orders, words, catalogue)
    shown = alert_views.alert(key, facts.document, view, words, facts.case, catalogue, facts.pictured, live=facts.live)
    moves = alert_views.around(facts.moves, facts.document, words, view.boot)
    text = pages.render("case.txt", pages.viewer(request), t=view, a=shown, record=record, moves=moves, live=facts.live)
    pictures = await _pictures(pages, view, facts, signed_in(request).person.name)
    about, signed_by = _about(pages, view, facts), _certificates(pages, view)
    return case_zip(CaseFile(about, _lines(text), facts.told, facts.moves, pictures, signed_by))


def _certificates(pages: Pages, view: TableView) -> dict[str, Any]:
    """Return the table's certificates, with the hall's authority, so that the case can be verified later."""
    voices = pages.settings.voices
    if voices is None or not view.certificates:
        return {}
    authority = voices.authority.public_bytes(Encoding.PEM).decode()
    return {
        "hall": pages.store.hall, "table": view.name, "certificates": list(view.certificates), "authority": authority,
    }  # fmt: skip


def _about(pages: Pages, view: TableView, facts: CaseFacts) -> dict[str, Any]:
    case = facts.case
    hand = {} if case is None else {n: getattr(case, n) for n in case.__dataclass_fields__ if n != "document"}
    orders = [
        {"id": one.id, "by": one.person, "do": one.do, "fields": dict(one.fields), "given": one.given,
         "state": one.state, "reason": one.reason, "answered": one.answered, "answer": one.answer}
        for one in facts.orders
    ]  # fmt: skip
    return {
        "hall": pages.store.hall, "table": view.name, "live": facts.live, "alert": dict(facts.document),
        "desk": hand, "orders": orders,
    }  # fmt: skip


async def _pictures(pages: Pages, view: TableView, facts: CaseFacts, person: str) -> list[CasePicture]:
    """Return the pictures that there are, each asked for at its table if the console has not got it yet."""
    office = pages.office
    send = office.send if office.reachable(view.name) else None
    told = facts.pictured or as_map(facts.document.get("pictures")) or {}
    listed = as_list(told.get("pictures")) or as_list(facts.document.get("evidence"))
    found = []
    for one in (as_map(item) for item in (*listed, told.get("film"))):
        ref, sha256 = as_name(one.get("ref")), as_name(one.get("sha256"))
        if ref is None or sha256 is None:
            continue
        jpeg = await office.fetcher.fetch(view.name, ref, person, send)
        why = "" if jpeg is not None else str(view.why.get(ref, "unknown"))
        found.append(CasePicture(ref, str(one.get("moment") or ""), sha256, jpeg, why))
    return found


def _lines(text: str) -> str:
    """Return a rendered text without the blank lines that a template leaves."""
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"
