"""The small screen's page: one page that changes by itself, and the few things that a player may touch on it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from hw.observations import Button, Observation, Said
from hw.seats import LINES, Seat
from table_service.console.access import same_origin
from table_service.console.bundle import htmx_file
from table_service.console.settings import Language
from table_service.console.streams import message
from table_service.display.screen_view import Face, face
from table_service.display.screen_words import screen_words
from table_service.events import Event, event_to_json, public

LOOK_S: Final = 0.15
"""Seconds between looks of an open page for changes."""
QUIET: Final = 60
"""Looks without a change after which the stream says that it is there."""
LONGEST_ID: Final = 80
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
LOCAL: Final = frozenset({"127.0.0.1", "localhost", "[::1]", "::1"})


Show = Callable[[Mapping[str, Any], Sequence[Mapping[str, Any]]], None]


class TableSide(Protocol):
    """Interface of the table for its screen: it reports state, alerts and events, and takes answers."""

    screens: list[Show]
    listeners: list[Callable[[Event], None]]

    @property
    def shows_time(self) -> bool:
        """True if the code wants the time of an action seen."""
        ...

    def observe(self, observation: Observation) -> Sequence[Event]:
        """Take an observation; what it completes is returned."""
        ...


class SmallScreen:
    """Data of the screen. ``show`` and ``heard`` are called from the table's threads.

    ``clock``: the time of the table's log. ``timed``: whether the code wants the time of an action seen, until a state
    says so.
    """

    def __init__(self, table: TableSide, clock: Callable[[], float], *, timed: bool = False) -> None:
        self.table = table
        self.clock = clock
        self.ahead = 0.0
        """Seconds by which the state is ahead of ``clock``: those of a deal that was resumed."""
        self.version = 0
        self.closed = False
        self._lock = threading.Lock()
        self._state: Mapping[str, Any] = {"countdown": None} if timed else {}
        self._alerts: tuple[Mapping[str, Any], ...] = ()
        self._scores: dict[int, dict[str, Any]] = {}

    def remember(self, scores: Mapping[int, Mapping[str, Any]]) -> None:
        """Set the counts from before the table's restart, by deal."""
        with self._lock:
            self._scores.update({deal: dict(score) for deal, score in scores.items()})
            self.version += 1

    def show(self, state: Mapping[str, Any], alerts: Sequence[Mapping[str, Any]]) -> None:
        """Take the state of the table, and what waits for the arbitro."""
        with self._lock:
            self._state, self._alerts = dict(state), tuple(alerts)
            self.version += 1

    def heard(self, event: Event) -> None:
        """Take an event of the table."""
        with self._lock:
            if event.type == "round.started":
                self._scores.clear()
            elif event.type == "score.counted" and event.deal is not None:
                self._scores[event.deal] = event_to_json(public(event))
            else:
                return
            self.version += 1

    @property
    def is_timed(self) -> bool:
        """True if the table's code wants the time of an action seen."""
        return "countdown" in self._state

    def face(self) -> Face:
        """Return the screen now."""
        with self._lock:
            return face(self._state, self._alerts, self._scores)


def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("table_service.display"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def create_display(screen: SmallScreen, language: Language = "it") -> FastAPI:
    """Build the page of one table's own screen; it answers this machine only."""
    app = FastAPI(title="Tavolo display", docs_url=None, redoc_url=None, openapi_url=None)
    app.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"), name="static")
    app.middleware("http")(_protect)
    page = _Page(screen, language)
    app.get("/")(page.whole)
    app.get("/stream")(page.stream)
    app.get("/htmx/{name}")(page.htmx)
    app.post("/sheet/{word}/{line}/{event}")(page.sheet)
    app.post("/call/{seat}")(page.call)
    app.post("/ready/{seat}")(page.ready)
    app.post("/board/{number}")(page.board)
    return app


async def _protect(request: Request, call_next: Any) -> Response:
    """Only this machine, by its own name: another site's name may point here, too."""
    if request.url.hostname not in LOCAL:
        return Response("This screen answers its own table only.", status_code=403)
    response: Response = await call_next(request)
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    return response


class _Page:
    """The answers of the page."""

    def __init__(self, screen: SmallScreen, language: Language) -> None:
        self._screen = screen
        self._language = language
        self._templates = _templates()

    def _spoken(self, request: Request) -> Language:
        wish = request.query_params.get("lang") or request.cookies.get("lang")
        return "en" if wish == "en" else "it" if wish == "it" else self._language

    def _render(self, template: str, lang: Language) -> str:
        shown = self._screen.face()
        known = {
            "w": screen_words(lang, shown.seats),
            "lang": lang,
            "f": shown,
            "left": shown.left(self._screen.clock() + self._screen.ahead),
            "lines": LINES,
        }
        return self._templates.get_template(template).render(known)

    async def whole(self, request: Request) -> Response:
        """Serve the screen."""
        lang = self._spoken(request)
        response = HTMLResponse(self._render("screen.html", lang), headers={"Cache-Control": "no-store"})
        if request.query_params.get("lang") == lang:
            response.set_cookie("lang", lang, samesite="strict", httponly=True)
        return response

    async def stream(self, request: Request) -> Response:
        """Stream the screen's changes as server-sent events."""
        messages = self._messages(self._spoken(request))
        return StreamingResponse(messages, media_type="text/event-stream", headers={"Cache-Control": "no-store"})

    async def _messages(self, lang: Language) -> AsyncIterator[str]:
        screen, seen, shown, quiet, second = self._screen, -1, "", 0, ""
        yield "retry: 1000\n\n"
        while not screen.closed:
            if screen.version != seen:
                seen, html = screen.version, self._render("part_face.html", lang)
                if html != shown:
                    shown, quiet = html, 0
                    yield message("face", html)
            left = self._render("part_left.html", lang) if screen.is_timed else ""
            if left != second:
                second, quiet = left, 0
                yield message("left", left)
            quiet += 1
            if quiet >= QUIET:
                quiet = 0
                yield ": here\n\n"
            await asyncio.sleep(LOOK_S)

    def sheet(self, request: Request, word: str, line: str, event: str) -> Response:
        """Record that a line confirms (``ok``) or disputes (``no``) the count that the screen showed."""
        same_origin(request)
        if word not in ("ok", "no") or line not in LINES or len(event) > LONGEST_ID:
            raise HTTPException(404)
        return self._said(request, Said(self._screen.clock(), None, f"sheet-{word}:{line}:{event}"))

    def call(self, request: Request, seat: str) -> Response:
        """Call the arbitro for a player, as with the button at his seat."""
        same_origin(request)
        if seat not in self._screen.face().seats:
            raise HTTPException(404)
        return self._said(request, Button(self._screen.clock(), Seat(seat), "referee"))

    def ready(self, request: Request, seat: str) -> Response:
        """Record that a player agrees with the result that was stated, as with the button at his seat."""
        same_origin(request)
        if seat not in self._screen.face().seats:
            raise HTTPException(404)
        return self._said(request, Button(self._screen.clock(), Seat(seat), "ready"))

    def board(self, request: Request, number: int) -> Response:
        """Take a player's choice of the board at the table."""
        same_origin(request)
        if number not in self._screen.face().boards:
            raise HTTPException(404)
        return self._said(request, Said(self._screen.clock(), None, f"board:{number}"))

    def _said(self, request: Request, observation: Observation) -> Response:
        words = screen_words(self._spoken(request))
        try:
            told = self._screen.table.observe(observation)
        except RuntimeError:  # the table has been stopped
            return HTMLResponse(f"<p>{words['not_taken']}</p>")
        ignored = any(event.type == "table.health" and getattr(event.data, "state", "") == "ignored" for event in told)
        if not request.headers.get("HX-Request"):
            return RedirectResponse("/", status_code=303)
        return HTMLResponse(f"<p>{words['score_changed']}</p>" if ignored else "")

    async def htmx(self, name: str) -> Response:
        """Htmx and its extension for server-sent events."""
        body = htmx_file(name)
        if body is None:
            return Response(status_code=404)
        return Response(body, media_type="text/javascript; charset=utf-8", headers={"Cache-Control": "max-age=86400"})
