"""The door for scoring programs that speak the Bridgemate Data Connector's protocol; a token is their licence key."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any, Final

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, PlainTextResponse

from table_service.console.access import ROUND, only
from table_service.console.data_connector import GREETING, DataConnector, refused
from table_service.console.pages import Pages
from table_service.console.routers.api_errors import ROOT
from table_service.console.routers.game_reports import event_file
from table_service.events.untrusted import as_map, as_name, as_whole

_NO_CONNECTION: Final = 10
_INVALID: Final = 5
FILE: Final = "bridgemate.json"
"""The file of a game's results that holds the protocol's objects."""


def router(pages: Pages) -> APIRouter:
    """The two routes of a Data Connector; they stand below the API's, and a browser's cookie opens nothing there."""
    made = APIRouter(prefix=f"{ROOT}/bridgemate")
    connector, one_at_a_time = DataConnector(), asyncio.Lock()

    @made.get("/", dependencies=[Depends(only(None))])
    async def greet() -> PlainTextResponse:
        """Tell a client that it has found what it looks for."""
        return PlainTextResponse(GREETING)

    @made.post("/dc-scoringprogram", dependencies=[Depends(only(None))])
    async def answer(request: Request) -> JSONResponse:
        """Answer a scoring program's request."""
        try:
            asked = as_map(json.loads(await request.body()))
        except ValueError:
            return JSONResponse(refused(0, _INVALID, "The request is no JSON."))
        person = pages.book.accounts.program(as_name(asked.get("LicenceKey")) or "", now=time.time())
        if person is None or person.person.role not in ROUND:
            text = "The licence key is no token of this hall for a person who runs the round."
            return JSONResponse(refused(as_whole(asked.get("Command")) or 0, _NO_CONNECTION, text))
        async with one_at_a_time:
            return JSONResponse(await asyncio.to_thread(connector.answer, asked, lambda: _results(pages)))

    return made


def _results(pages: Pages) -> Mapping[str, Any]:
    """The results of all rounds that are over; empty where the game has none for these programs."""
    found = event_file(pages, FILE)
    return {} if found is None else as_map(json.loads(found))
