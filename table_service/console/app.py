"""The console's pages: FastAPI routes, templates, and the streams that keep a page true without a reload."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from table_service.console import views
from table_service.console.cards import card_picture, picture_name
from table_service.console.listener import Listener
from table_service.console.settings import ConsoleSettings, Language
from table_service.console.store import PARTS, ConsoleStore, TableView
from table_service.console.words import Words

_HERE: Final = Path(__file__).parent
_QUIET_SECONDS: Final = 10.0
"""After so long without a change a stream says that it is there."""
_GATHER_SECONDS: Final = 0.03
"""Changes that come together are shown together: a table sends an event, its state and an alert at once."""
_YEAR: Final = 31_536_000
_HTMX: Final = {"htmx.js": "htmx-2.min.js", "sse.js": "ext/hx-sse-2.min.js"}
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


@lru_cache(maxsize=4)
def _htmx(name: str) -> bytes:
    """Give htmx and its extension, as files of an installed package; Django itself is not imported."""
    path = resources.files("django_htmx") / "static" / "django_htmx"
    for part in _HTMX[name].split("/"):
        path = path / part
    return path.read_bytes()


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("table_service.console"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["picture"] = picture_name
    environment.filters["ago"] = _ago
    return environment


def _ago(seconds: float | None) -> str:
    """How long ago, short; empty where nobody knows."""
    if seconds is None:
        return ""
    past = max(0, int(time.time() - seconds))
    return f"{past} s" if past < 90 else f"{past // 60} min" if past < 5400 else f"{past // 3600} h"


class Pages:
    """Renders pages and their parts from the store."""

    def __init__(self, store: ConsoleStore, settings: ConsoleSettings) -> None:
        self._store = store
        self._settings = settings
        self._templates = _environment()
        self._cache: dict[tuple[str, str, Language], tuple[int, str]] = {}

    def language(self, request: Request) -> Language:
        """What the reader chose: ``?lang=``, else a cookie, else the hall's."""
        for wish in (request.query_params.get("lang"), request.cookies.get("lang")):
            if wish == "it":
                return "it"
            if wish == "en":
                return "en"
        return self._settings.language

    def theme(self, request: Request) -> str:
        """``light`` or ``dark`` where the reader chose one, else ``auto``."""
        for wish in (request.query_params.get("theme"), request.cookies.get("theme")):
            if wish in ("light", "dark"):
                return wish
        return "auto"

    def page(self, request: Request, template: str, **values: Any) -> HTMLResponse:
        """A whole page; a choice of language or look is kept in a cookie."""
        language, theme = self.language(request), self.theme(request)
        html = self._templates.get_template(template).render(
            w=Words(language), lang=language, theme=theme, store=self._store, path=request.url.path, **values
        )
        response = HTMLResponse(html)
        for name, wish in (("lang", language), ("theme", theme)):
            if request.query_params.get(name) == wish:
                response.set_cookie(name, wish, max_age=_YEAR, samesite="lax", httponly=True)
        return response

    def part(self, name: str, table: TableView, language: Language) -> str:
        """One part of a table's page, rendered once for all who look."""
        key, version = (name, table.name, language), table.versions[name]
        kept = self._cache.get(key)
        if kept is not None and kept[0] == version:
            return kept[1]
        html = self._templates.get_template(f"part_{name}.html").render(
            w=Words(language), lang=language, t=table, **self._values(name, table, language)
        )
        self._cache[key] = (version, html)
        return html

    def _values(self, name: str, table: TableView, language: Language) -> dict[str, Any]:
        words = Words(language)
        match name:
            case "head":
                return {"head": views.head(table, words, connected=self._store.connected)}
            case "alerts":
                return {
                    "alerts": views.alerts(table, words),
                    "ended": views.ended(table, words),
                    "sanctions": views.sanctions(table, words),
                }
            case "board":
                return {"board": views.board(table, words), "sanctions": views.sanctions(table, words)}
            case _:
                return {"feed": views.feed(table, language)}

    def tiles(self, language: Language) -> str:
        """The hall: every table a tile, those that wait for the arbitro first."""
        words = Words(language)
        heads = [views.head(t, words, connected=self._store.connected) for t in self._store.tables.values()]
        heads.sort(key=lambda h: (h.alerts == 0, h.name))
        return self._templates.get_template("part_tiles.html").render(
            w=words, lang=language, heads=heads, store=self._store
        )


def _message(event: str, html: str) -> str:
    lines = "".join(f"data: {line}\n" for line in html.splitlines() or [""])
    return f"event: {event}\n{lines}\n"


async def _table_stream(pages: Pages, store: ConsoleStore, table: TableView, language: Language) -> AsyncIterator[str]:
    """A table's parts, each when it has changed; all of them at first, since a page may be older than its stream."""
    shown = dict.fromkeys(PARTS, -1)
    with store.watch() as changed:
        yield "retry: 1000\n\n"
        while not store.closed:
            for part in PARTS:
                if shown[part] != table.versions[part]:
                    shown[part] = table.versions[part]
                    yield _message(part, pages.part(part, table, language))
            async for beat in _until(changed):
                yield beat


async def _hall_stream(pages: Pages, store: ConsoleStore, language: Language) -> AsyncIterator[str]:
    shown = ""
    with store.watch() as changed:
        yield "retry: 1000\n\n"
        while not store.closed:
            html = pages.tiles(language)
            if html != shown:
                shown = html
                yield _message("tiles", html)
            async for beat in _until(changed):
                yield beat


async def _until(changed: asyncio.Event) -> AsyncIterator[str]:
    """Wait for a change, with a sign of life now and then."""
    while True:
        try:
            await asyncio.wait_for(changed.wait(), _QUIET_SECONDS)
        except TimeoutError:
            yield ": here\n\n"
            continue
        await asyncio.sleep(_GATHER_SECONDS)
        changed.clear()
        return


def create_app(settings: ConsoleSettings, store: ConsoleStore | None = None, *, listen: bool = True) -> FastAPI:
    """The console's application. ``listen`` False: nothing is heard (a test feeds ``store`` itself)."""
    known = store or ConsoleStore(settings.hall, settings.tables)

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        listening = asyncio.create_task(Listener(settings, known).run()) if listen else None
        yield
        known.close()
        if listening is not None:
            listening.cancel()
            with suppress(asyncio.CancelledError):
                await listening

    app = FastAPI(title="Tavolo console", lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.store = known
    app.mount("/static", StaticFiles(directory=_HERE / "static"), name="static")
    _routes(app, known, Pages(known, settings))

    @app.middleware("http")
    async def _protect(request: Request, call_next: Any) -> Response:
        response: Response = await call_next(request)
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return app


def _routes(app: FastAPI, store: ConsoleStore, pages: Pages) -> None:
    @app.get("/", response_class=HTMLResponse)
    async def hall(request: Request) -> Response:
        """The hall: all tables."""
        return pages.page(request, "hall.html", tiles=pages.tiles(pages.language(request)))

    @app.get("/stream")
    async def hall_stream(request: Request) -> Response:
        """The hall's changes as server-sent events."""
        return _streaming(_hall_stream(pages, store, pages.language(request)))

    @app.get("/table/{name}", response_class=HTMLResponse)
    async def table(request: Request, name: str) -> Response:
        """One table."""
        view = store.tables.get(name)
        if view is None:
            missing = pages.page(request, "missing.html", name=name)
            missing.status_code = 404
            return missing
        language = pages.language(request)
        parts = {part: pages.part(part, view, language) for part in PARTS}
        return pages.page(request, "table.html", t=view, parts=parts)

    @app.get("/table/{name}/stream")
    async def table_stream(request: Request, name: str) -> Response:
        """One table's changes as server-sent events."""
        view = store.tables.get(name)
        if view is None:
            return Response(status_code=404)
        return _streaming(_table_stream(pages, store, view, pages.language(request)))

    @app.get("/table/{name}/evidence/{ref}")
    async def evidence(name: str, ref: str) -> Response:
        """A frame that shows an irregularity, hand areas masked."""
        view = store.tables.get(name)
        picture = view.evidence.get(ref) if view is not None else None
        if picture is None:
            return Response(status_code=404)
        return Response(picture, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})

    @app.get("/cards/{name}.svg")
    async def card(name: str) -> Response:
        """A card of our pack."""
        svg = card_picture(name)
        if svg is None:
            return Response(status_code=404)
        return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": f"public, max-age={_YEAR}"})

    @app.get("/htmx/{name}")
    async def htmx(name: str) -> Response:
        """Htmx and its extension for server-sent events."""
        if name not in _HTMX:
            return Response(status_code=404)
        headers = {"Cache-Control": "public, max-age=86400"}
        return Response(_htmx(name), media_type="text/javascript; charset=utf-8", headers=headers)

    @app.get("/health")
    async def health() -> dict[str, Any]:
        """Whether the console hears its broker, for programs."""
        return {
            "broker": "connected" if store.connected else "retrying",
            "problem": store.problem,
            "tables": {name: view.status for name, view in store.tables.items()},
            "unreadable": store.unreadable,
        }


def _streaming(messages: AsyncIterator[str]) -> StreamingResponse:
    return StreamingResponse(
        messages, media_type="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    )
