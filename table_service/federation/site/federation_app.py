"""The federation's application: the console's door, people, log and assets, and the pages over the archive."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles

import table_service.console
from table_service.console.access import CHIEF, for_programs
from table_service.console.app import looking_after, set_answers
from table_service.console.console_server import AppMaker
from table_service.console.dispatch import Office
from table_service.console.live_tables import ConsoleStore
from table_service.console.pages import Pages
from table_service.console.routers import assets, audit, entry, links, openid, people, shared
from table_service.console.settings import ConsoleSettings
from table_service.console.storage import Book
from table_service.federation.archive_pool import ArchivePool
from table_service.federation.errors import FederationError
from table_service.federation.result_hooks import sending
from table_service.federation.site import (
    circuit_seasons,
    halls_playing,
    membership,
    past_events,
    rights,
    sent_cases,
)
from table_service.federation.site.federation_site import ROOM, FederationSite

_STATIC: Final = Path(table_service.console.__file__).parent / "static"


def create_site(settings: ConsoleSettings, store: ConsoleStore, book: Book, archive: ArchivePool) -> FastAPI:
    """Return the federation's application. ``store``: a console's of no tables; ``archive`` is closed with it."""
    store.link(connected=True)  # no broker is heard here: what there is comes from the archive
    office = Office(settings, store, book)
    pages = Pages(store, office, settings, ROOM)
    site = FederationSite(pages, archive)

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        work = [asyncio.create_task(sending(archive)), asyncio.create_task(looking_after(book, settings))]
        yield
        store.close()
        for task in work:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await archive.close()

    app = FastAPI(
        title="Tavolo federation", version="1", lifespan=life, docs_url=None, redoc_url=None, openapi_url=None,
    )  # fmt: skip
    app.state.store, app.state.book, app.state.office, app.state.pages = store, book, office, pages
    app.mount("/static", StaticFiles(directory=_STATIC), name="static")
    for built in (assets, audit):
        app.include_router(built.router)
    for family in (entry, links, openid, shared):
        app.include_router(family.router(pages))
    app.include_router(people.router(pages, CHIEF))
    for room in (halls_playing, past_events, membership, circuit_seasons, sent_cases, rights):
        app.include_router(room.router(site))
    set_answers(app, pages)

    @app.exception_handler(FederationError)
    async def _away(request: Request, error: FederationError) -> Response:
        if for_programs(request.url.path):
            return JSONResponse({"detail": str(error)}, status_code=503)
        return pages.page(request, "fed_away.html", status=503, why=str(error))

    return app


def site_maker(archive: ArchivePool) -> AppMaker:
    """Return what makes the application for the console's server."""
    return lambda settings, store, book: create_site(settings, store, book, archive)
