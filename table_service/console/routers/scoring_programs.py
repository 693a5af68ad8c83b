"""Doors for clubs' scoring programs, each in the protocol that the program speaks; a token is its licence key."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import JSONResponse, PlainTextResponse

from table_service.console.access import ROUND, only
from table_service.console.pages import Pages
from table_service.console.routers.api_errors import ROOT
from table_service.console.routers.game_reports import event_file
from table_service.events.untrusted import as_map, as_name
from table_service.games.reports import ScoringProtocol, ScoringTalk


def router(pages: Pages) -> APIRouter:
    """Return scoring programs' routes: below the API's, so a browser's cookie opens nothing, but no part of the API."""
    made = APIRouter(prefix=f"{ROOT}/scoring")
    known = {one.name: one for code in pages.settings.rule_sets.values() for one in code.pages.scoring_protocols}
    talks: dict[str, ScoringTalk] = {name: protocol.talk() for name, protocol in known.items()}
    one_at_a_time = asyncio.Lock()

    def spoken(name: str) -> ScoringProtocol:
        if name not in known:
            raise HTTPException(404)
        return known[name]

    @made.get("/{protocol}/", dependencies=[Depends(only(None))])
    async def greet(protocol: str) -> PlainTextResponse:
        """Tell a scoring program that it has found what it looks for."""
        return PlainTextResponse(spoken(protocol).greeting)

    @made.post("/{protocol}/{door}", dependencies=[Depends(only(None))])
    async def answer(request: Request, protocol: str, door: str) -> JSONResponse:
        """Answer a scoring program's request in its protocol; the request's own licence key is looked at."""
        asked, talk = spoken(protocol), talks[protocol]
        if door != asked.door:
            raise HTTPException(404)
        try:
            told = as_map(json.loads(await request.body()))
        except (ValueError, RecursionError):
            return JSONResponse(talk.refuse({}, "The request is no JSON.", known=True))
        session = pages.book.accounts.program(as_name(told.get(asked.key)) or "", now=time.time())
        if session is None or session.person.role not in ROUND:
            text = "The licence key is no token of this hall for a person who runs the round."
            return JSONResponse(talk.refuse(told, text, known=False))
        async with one_at_a_time:
            return JSONResponse(await asyncio.to_thread(talk.answer, told, lambda: _results(pages, asked.file)))

    return made


def _results(pages: Pages, file: str) -> Mapping[str, Any]:
    """Return the results of all rounds that are over; empty if the game has none for these programs."""
    found = event_file(pages, file)
    return {} if found is None else as_map(json.loads(found))
