"""Cases that halls sent on: alerts for a second opinion and appeals, each with its whole signed file, and answers."""

from __future__ import annotations

import base64
import binascii
import io
import json
import zipfile
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, Response

from table_service.console.access import ARBITRI, ROUND, form_of, only, signed_in
from table_service.console.event_sentences import tell
from table_service.console.http_answers import as_file
from table_service.federation.errors import FederationUseError
from table_service.federation.filed_cases import (
    CASE_KINDS,
    MOST,
    CaseKind,
    answer_case,
    case_of,
    cases_within,
    file_case,
    whole_case,
)
from table_service.federation.site.circuit_seasons import API
from table_service.federation.site.federation_site import FederationSite
from table_service.federation.site.past_events import words_for


def router(site: FederationSite) -> APIRouter:
    """Return the routes of cases."""
    made = APIRouter()
    _programs(site, made)

    async def listed(request: Request, problem: str = "", done: int = 0) -> Response:
        reach = await site.reach(request)
        places = (await site.standing())[1]
        return site.pages.page(
            request, "fed_cases.html", cases=await cases_within(site.archive, reach), problem=problem, done=done,
            halls=[one.hall for one in places if reach.has_hall(one.hall)], kinds=CASE_KINDS,
            status=400 if problem else 200,
        )  # fmt: skip

    @made.get("/cases", dependencies=[Depends(only(ROUND, "cases"))])
    async def page(request: Request) -> Response:
        """Cases within one's rights: those that wait first."""
        return await listed(request)

    @made.post("/cases", dependencies=[Depends(only(ARBITRI, longest=2 * MOST))])
    async def send(request: Request) -> Response:
        """Send a case on, as the file that the hall's console makes of an alert."""
        form, reach = await form_of(request), await site.reach(request)
        kind, hall = next((one for one in CASE_KINDS if one == form.get("kind")), None), form.get("hall", "")
        if kind is None or not hall or not reach.has_hall(hall):
            return site.refused(
                request, "bad_form" if kind is None else "not_allowed", status=400 if kind is None else 403
            )
        try:
            body = base64.urlsafe_b64decode(form.get("file", "").encode("ascii", "replace"))
        except (binascii.Error, ValueError):
            return site.refused(request, "bad_form")
        try:
            number = await _filed(site, request, (kind, hall), body, form.get("note", "").strip())
        except FederationUseError as error:
            return await listed(request, str(error))
        return await listed(request, done=number)

    _one(site, made)
    return made


def _one(site: FederationSite, made: APIRouter) -> None:
    @made.get("/cases/{number}", dependencies=[Depends(only(ROUND, "case"))])
    async def one(request: Request, number: int) -> Response:
        """One case: what the table said, what the hall asks, the answer."""
        case = await case_of(site.archive, _number(number), await site.reach(request))
        if case is None:
            return site.refused(request, "fed_case_unknown", status=404)
        with zipfile.ZipFile(io.BytesIO(case["zip"])) as archive:
            told = [json.loads(line) for line in archive.read("events.jsonl").splitlines()]
            around = [json.loads(line) for line in archive.read("around.jsonl").splitlines()]
            text = archive.read("case.txt").decode("utf-8", "replace")
        words = words_for(site, site.pages.viewer(request).language, [*told, *around])
        return site.page(
            request, "fed_case.html", case=case, text=text, told=[tell(event, words) for event in told],
            around=[tell(event, words) for event in around], w=words, may_answer=_may_answer(request, case),
        )  # fmt: skip

    @made.get("/cases/{number}/case.zip", dependencies=[Depends(only(ROUND, "case file"))])
    async def file(request: Request, number: int) -> Response:
        """Return the whole signed case, to be verified anywhere."""
        case = await case_of(site.archive, _number(number), await site.reach(request))
        if case is None:
            return site.refused(request, "fed_case_unknown", status=404)
        return as_file(await whole_case(site.archive, case), "application/zip", f"tavolo-case-{number}.zip")

    @made.post("/cases/{number}/answer", dependencies=[Depends(only(ARBITRI))])
    async def answer(request: Request, number: int) -> Response:
        """Answer a case; not one's own."""
        case = await case_of(site.archive, _number(number), await site.reach(request))
        text = (await form_of(request)).get("answer", "").strip()
        if case is None:
            return site.refused(request, "fed_case_unknown", status=404)
        if not _may_answer(request, case):
            return site.refused(request, "fed_case_own", status=403)
        if not text or not await answer_case(site.archive, case["id"], text, signed_in(request).person.name):
            return site.refused(request, "fed_case_answered" if text else "bad_form")
        site.note(request, "case answered", detail=str(number))
        return site.pages.go(request, f"/cases/{number}")


def _programs(site: FederationSite, made: APIRouter) -> None:
    @made.post(f"{API}/cases/{{kind}}/{{hall}}", dependencies=[Depends(only(ARBITRI))])
    async def take(request: Request, kind: str, hall: str) -> Response:
        """Take a case's file from a hall's program; ``?note=``: what the arbitro asks."""
        known = next((one for one in CASE_KINDS if one == kind), None)
        if known is None or not (await site.reach(request)).has_hall(hall):
            return JSONResponse({"detail": f"{kind} of hall {hall} is beyond this token's rights"}, status_code=403)
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > MOST:
                return JSONResponse({"detail": "the case is too long"}, status_code=413)
        try:
            number = await _filed(site, request, (known, hall), body, request.query_params.get("note", ""))
        except FederationUseError as error:
            return JSONResponse({"detail": str(error)}, status_code=422)
        return JSONResponse({"case": number, "page": f"{request.base_url}cases/{number}"}, status_code=201)

    @made.get(f"{API}/cases/{{number}}", dependencies=[Depends(only(ROUND))])
    async def asked(request: Request, number: int) -> Response:
        """State of a case that was sent, with its answer."""
        case = await case_of(site.archive, _number(number), await site.reach(request))
        if case is None:
            return JSONResponse({"detail": "no such case"}, status_code=404)
        moment = case["answered"].isoformat() if case["answered"] else None
        names = ("kind", "hall", "key", "note", "sent_by", "answer", "answered_by")
        return JSONResponse({"case": number, **{name: case[name] for name in names}, "answered": moment})


async def _filed(site: FederationSite, request: Request, where: tuple[CaseKind, str], body: bytes, note: str) -> int:
    person = signed_in(request).person.name
    number, verdict = await file_case(site.archive, *where, body, note=note, sent_by=person)
    site.note(request, "case sent", detail=f"{number}: {where[1]} {verdict.table} {verdict.key}")
    return number


def _number(number: int) -> int:
    return number if 0 <= number < 2**63 else 0


def _may_answer(request: Request, case: Any) -> bool:
    """Return True for an arbitro who has not sent it himself: a second opinion is somebody else's."""
    person = signed_in(request).person
    return person.role in ARBITRI and person.name != case["sent_by"] and case["answered"] is None
