"""The console's application: the rooms behind it put together, and what holds for every answer."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.routing import APIRoute
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from table_service.console.access import OtherAddressError, SignInWanted, for_programs, to_the_door
from table_service.console.body_limits import BodyLimits
from table_service.console.dispatch import Office
from table_service.console.http_answers import Answers
from table_service.console.listener import Listener
from table_service.console.live_tables import ConsoleStore
from table_service.console.pages import Pages, UnheardTableError
from table_service.console.remote.abroad import Abroad
from table_service.console.remote.home_assistant import HomeAssistant
from table_service.console.remote.other_halls import OtherHalls
from table_service.console.retention import EVERY_S, look_after
from table_service.console.routers import (
    alert,
    api,
    api_awards,
    archive,
    assets,
    audit,
    awards,
    away,
    case_export,
    decide,
    entries,
    entry,
    game_reports,
    hall,
    halls,
    links,
    openid,
    people,
    photographs,
    programs,
    round_lists,
    rounds,
    scoring_programs,
    seasons,
    session_movement,
    shared,
    sheets,
    standings,
    table,
)
from table_service.console.routers.api_errors import refusal, wrong_fields
from table_service.console.ruling_forms import FormError
from table_service.console.settings import ConsoleSettings
from table_service.console.storage import Book
from table_service.games.reports import WrongFieldError

log = logging.getLogger(__name__)
_HERE: Final = Path(__file__).parent
_TICK_S: Final = 0.5


def create_app(
    settings: ConsoleSettings, store: ConsoleStore | None = None, *, book: Book | None = None, listen: bool = True
) -> FastAPI:
    """Build the console's application.

    ``listen`` False: nothing is heard (a test feeds ``store`` itself). ``book`` None: opened as ``settings`` say, and
    closed with the application. Raises BookError where it cannot be opened.
    """
    known = store or ConsoleStore(settings.hall, settings.tables, voices=settings.voices)
    kept = book or Book(settings.data)
    office = Office(settings, known, kept)
    pages = Pages(known, office, settings)
    abroad = Abroad(office, lambda place: pages.catalogue(known.tables.get(place)))
    others = OtherHalls(settings.remote.halls, lambda: office.clock())  # noqa: PLW0108 - a later clock counts

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        work = [asyncio.create_task(_ticking(office, pages, others, HomeAssistant(office)))]
        work.append(asyncio.create_task(looking_after(kept, settings)))
        if listen:
            work.append(asyncio.create_task(Listener(settings, known, office).run()))
        abroad.start(_from_any_thread(lambda: known.tell(urgent=False)))
        others.start()
        yield
        abroad.close()
        others.close()
        known.close()
        for task in work:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        if book is None:
            await asyncio.to_thread(kept.close)

    app = FastAPI(
        title="Tavolo console", version="1", description=programs.ABOUT, lifespan=life,
        docs_url=None, redoc_url=None, openapi_url=None,
    )  # fmt: skip
    app.state.store, app.state.book, app.state.office, app.state.pages = known, kept, office, pages
    app.state.abroad, app.state.others = abroad, others
    app.mount("/static", StaticFiles(directory=_HERE / "static"), name="static")
    for built in (
        hall, table, alert, case_export, decide, rounds, session_movement, sheets, standings, round_lists, seasons,
        awards, entries, archive, audit, assets,
    ):  # fmt: skip
        app.include_router(built.router, include_in_schema=False)
    for family in (game_reports, people, photographs, entry, links, openid, shared):
        app.include_router(family.router(pages), include_in_schema=False)
    app.include_router(away.router(pages, abroad), include_in_schema=False)
    app.include_router(halls.router(pages, others), include_in_schema=False)
    app.include_router(api.router)
    app.include_router(api_awards.router)
    app.include_router(scoring_programs.router(pages), include_in_schema=False)
    app.include_router(programs.router(pages, app.openapi))
    set_answers(app, pages)
    return app


def set_answers(app: FastAPI, pages: Pages) -> None:
    """Set up what every answer has: headers, compression, the way to the door, one sentence for what is not allowed."""
    app.add_middleware(Answers)
    app.add_middleware(BodyLimits)

    @app.exception_handler(SignInWanted)
    async def _door(_request: Request, wanted: SignInWanted) -> Response:
        return to_the_door(wanted.wanted)

    @app.exception_handler(FormError)
    async def _refused(request: Request, error: FormError) -> Response:
        return programs.problem(refusal(error)) if for_programs(request.url.path) else pages.sorry(request, error)

    @app.exception_handler(WrongFieldError)
    async def _wrong_field(request: Request, error: WrongFieldError) -> Response:
        return await _refused(request, FormError("as_game_says", it=error.text[0], en=error.text[1]))

    @app.exception_handler(UnheardTableError)
    async def _unheard(request: Request, error: UnheardTableError) -> Response:
        return pages.missing(request, error.name)

    @app.exception_handler(RequestValidationError)
    async def _no_such_page(request: Request, error: RequestValidationError) -> Response:
        if for_programs(request.url.path):
            return JSONResponse(wrong_fields(error), status_code=422)
        return await _sorry(request, HTTPException(404))  # a number in the address that is none

    @app.exception_handler(HTTPException)
    async def _sorry(request: Request, error: HTTPException) -> Response:
        if error.status_code == 405:
            error.headers = {**(error.headers or {}), "Allow": ", ".join(sorted(_methods(app, request.url.path)))}
        if for_programs(request.url.path):
            return programs.problem(error)
        if request.headers.get("HX-Request") and error.status_code == 401:
            return Response(status_code=204, headers={"HX-Redirect": "/enter"})
        if request.headers.get("HX-Request"):
            return pages.sorry(request, _refusal(error))
        if "text/html" in request.headers.get("Accept", "") and error.status_code == 403:
            return pages.sorry(request, _refusal(error), status=403)
        if "text/html" in request.headers.get("Accept", "") and error.status_code == 404:
            return pages.page(request, "sorry.html", status=404, word="no_page")
        return JSONResponse({"detail": error.detail}, status_code=error.status_code, headers=error.headers)


def _refusal(error: HTTPException) -> str | FormError:
    """Return which sentence says why a request was refused."""
    if isinstance(error, OtherAddressError):
        return FormError("other_address", origin=error.origin, host=error.host)
    return "not_allowed" if "role" in str(error.detail) else "page_old"


def _methods(holder: Any, path: str) -> set[str]:
    """Return all methods of ``path``: of several routes with one path the router itself names the first one's alone."""
    found: set[str] = set()
    for route in holder.routes:
        if hasattr(route, "original_router"):
            found |= _methods(route.original_router, path)
        elif isinstance(route, APIRoute) and route.path_regex.match(path):
            found |= route.methods or set()
    return found


def _from_any_thread(tell: Callable[[], None]) -> Callable[[], None]:
    """Let ``tell`` be called in the running loop by whoever is in another thread; once that has ended, not at all."""
    loop = asyncio.get_running_loop()

    def call() -> None:
        with suppress(RuntimeError):  # the loop is closed: no page is left
            loop.call_soon_threadsafe(tell)

    return call


async def looking_after(book: Book, settings: ConsoleSettings) -> None:
    """Old things go and copies are made, beside the pages; a disk that refuses is said in the log."""
    while True:
        try:
            trouble = await asyncio.to_thread(look_after, book, settings)
        except sqlite3.Error as error:
            trouble = f"the console's file could not be looked after: {error}"
        if trouble:
            log.warning(trouble)
        await asyncio.sleep(EVERY_S)


async def _ticking(office: Office, pages: Pages, others: OtherHalls, home: HomeAssistant) -> None:
    """Run the office's clock; what goes wrong in one tick must not stop it."""
    while True:
        await asyncio.sleep(_TICK_S)
        try:
            office.tick()
            pages.public.tick(office.clock())
            home.tick()
            if others.tick(office.clock()):
                pages.store.tell(urgent=False)
        except Exception:
            log.exception("the console's clock stumbled")
