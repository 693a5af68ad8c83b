"""Parts common to all pages: the reader's language, look and rights; templates; parts rendered once for all readers."""

from __future__ import annotations

import re
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, cast
from urllib.parse import quote

from fastapi import Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

from hw.errors import TavoloError
from hw.seats import LINES, SEATS
from table_service.console import alert_pictures
from table_service.console.access import ARBITRI, CHIEF, COOKIE, DIRECTION, ROUND, STAFF, Attempts
from table_service.console.bundle import script, stream_worker, style
from table_service.console.card_pictures import picture_name
from table_service.console.case_record import when
from table_service.console.dispatch import Office
from table_service.console.live_tables import ConsoleStore
from table_service.console.plain_names import plain_name, shown
from table_service.console.public_tables import PublicTables
from table_service.console.round_page import pair
from table_service.console.ruling_forms import FormError
from table_service.console.settings import ConsoleSettings, Language
from table_service.console.storage import Role, Session
from table_service.console.streams import PagePart, Streams
from table_service.console.table_view import TableView
from table_service.console.times import clock, day, deadline, local
from table_service.console.views import seats_of
from table_service.console.vocabulary import Words
from table_service.games.definition import RuleSet
from table_service.referee.catalogue import Catalogue

YEAR: Final = 31_536_000
ViewedParts = Callable[["Viewer"], Sequence[PagePart]]
"""Parts of a page, as a reader sees them."""
_PARTS_KEPT: Final = 4000
_RED_SUIT: Final = re.compile("([♥♦])")
STREAMS_MOST: Final = 16
"""Windows of one browser that may be open at once."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Reader of a page and his settings. ``session`` None: not signed in."""

    language: Language
    theme: str
    session: Session | None = None
    public: bool = False
    """A page that everybody in the hall may see, whoever is signed in there."""

    @property
    def name(self) -> str:
        """The person's name; empty for nobody."""
        return "" if self.session is None else self.session.person.name

    @property
    def role(self) -> Role | None:
        """The person's role; a spectator's on a page for everybody."""
        if self.public and self.session is not None:
            return Role.SPECTATOR
        return None if self.session is None else self.session.person.role

    @property
    def rules(self) -> bool:
        """True if this person rules at tables."""
        return self.role in ARBITRI

    @property
    def staff(self) -> bool:
        """True if this person may see what is between the arbitro and the players."""
        return self.role in STAFF

    @property
    def directs(self) -> bool:
        """True if this person runs the tournament and lets people in."""
        return self.role in DIRECTION

    @property
    def chief(self) -> bool:
        """True if this person is the chief arbitro."""
        return self.role in CHIEF

    @property
    def runs_round(self) -> bool:
        """True if this person sees the round's page, and with it the clock."""
        return self.role in ROUND


def environment(rule_sets: Iterable[RuleSet], room: str = "") -> Environment:
    """Return the templates' environment: the console's own, and those of each game under its name.

    ``room``: a package whose templates come first, where the console serves another room than a hall.
    """
    return _environment(frozenset((one.pages.name, one.pages.templates) for one in rule_sets), room)


@cache
def _environment(games: frozenset[tuple[str, str]], room: str) -> Environment:
    """Make it once for all consoles of a process with these ``games`` (name, package): to compile templates is slow."""
    loaders = {name: PackageLoader(package) for name, package in games}
    own = [PackageLoader(room)] if room else []
    made = Environment(
        loader=ChoiceLoader([*own, PackageLoader("table_service.console"), PrefixLoader(loaders)]),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
    made.globals["picture"] = picture_name
    made.globals["LINES"] = LINES
    made.globals["seats_of"] = seats_of
    made.globals["named"] = alert_pictures.named
    made.globals["style"], made.globals["script"] = style().name, script().name
    made.globals["stream_worker"] = stream_worker().name
    made.filters["clock"] = clock
    made.filters["when"] = when
    made.filters["deadline"] = deadline
    made.filters["day"] = day
    made.filters["local"] = local
    made.filters["suited"] = suited
    return made


def suited(text: str) -> Markup:
    """``text`` with the red suits in their colour."""
    return Markup(_RED_SUIT.sub(r'<span class="red-suit">\1</span>', str(escape(text))))  # noqa: S704 - escaped


class Pages:
    """Renders pages and their parts."""

    def __init__(self, store: ConsoleStore, office: Office, settings: ConsoleSettings, room: str = "") -> None:
        """``room``: as ``environment`` takes it."""
        self.store = store
        self.office = office
        self.book = office.book
        self.settings = settings
        self.attempts = Attempts()
        """Failed sign-ins, of every way in."""
        self.streams = Streams(store)
        self._streams_held: Counter[str] = Counter()
        """Open streams by who reads: a browser's session, else an address."""
        self.public = PublicTables(store, lambda: self.book.choices.delay)
        self._templates = environment(settings.rule_sets.values(), room)
        self._cache: OrderedDict[Hashable, tuple[Hashable, str]] = OrderedDict()
        self._seated: tuple[int, dict[tuple[str, str], str]] = (-1, {})
        self._words: dict[tuple[str, Language], tuple[object, Words]] = {}
        """By table and language: what the words depend on, and the words."""
        """Who sits where in the newest round, with the version of the rounds that it is of."""

    def viewer(self, request: Request) -> Viewer:
        """Return who asks, in which language and look."""
        session: Session | None = getattr(request.state, "session", None)
        return Viewer(self.language(request), self.theme(request), session)

    def language(self, request: Request) -> Language:
        """Reader's choice (``?lang=``, a cookie), else his browser's language if settings allow it, else the hall's."""
        for wish in (request.query_params.get("lang"), request.cookies.get("lang")):
            if wish == "it":
                return "it"
            if wish == "en":
                return "en"
        if self.settings.by_browser:
            wanted = request.headers.get("Accept-Language", "").lower()
            order = [part.split(";")[0].strip()[:2] for part in wanted.split(",")]
            known = next((one for one in order if one in ("it", "en")), "en" if wanted else "")
            if known:
                return "it" if known == "it" else "en"
        return self.settings.language

    def theme(self, request: Request) -> str:
        """``light`` or ``dark`` where the reader chose one, else ``auto``."""
        for wish in (request.query_params.get("theme"), request.cookies.get("theme")):
            if wish in ("light", "dark"):
                return wish
        return "auto"

    def tables_for(self, viewer: Viewer) -> ConsoleStore:
        """Return the tables as this reader may see them: spectators later, by what the organiser has set."""
        return self.store if viewer.staff else self.public.store

    def tag(self, viewer: Viewer) -> str:
        """Tells apart what is rendered for staff, for spectators live, and for spectators later."""
        return "staff" if viewer.staff else self.public.tag

    def rule_set(self, table: TableView | None) -> RuleSet | None:
        """Return what is played at a table: the hall's first where it has not said, None where nobody here knows it."""
        rules = None if table is None or table.state is None else table.state.get("rules")
        held = self.settings.rule_sets.get(str(rules))
        return held or (self.default if rules is None else None)

    @property
    def default(self) -> RuleSet:
        """Rule set of a table that has reported none."""
        return next(iter(self.settings.rule_sets.values()))

    def catalogue(self, table: TableView | None) -> Catalogue | None:
        """Return the irregularities of the code that is played at a table; None if it is unknown here."""
        played = self.rule_set(table)
        return None if played is None else played.catalogue

    def words(self, language: Language, table: TableView | None) -> Words:
        """Return the words of a page about ``table``: the console's, and those of the game that is played there."""
        if table is None:
            return Words(language, self.default.pages)
        state = table.state or {}
        about = (self.book.rounds.version, state.get("rules"), state.get("seats"))
        kept = self._words.get((table.name, language))
        if kept is None or kept[0] != about:
            played = self.rule_set(table)
            names = self.names_at(table)
            made = Words(language, None if played is None else played.pages, seats_of(state), names)
            kept = self._words[table.name, language] = (about, made)
        return kept[1]

    def names_at(self, table: TableView) -> dict[str, str]:
        """Names at a table: pairs by line, as the club has entered them or else the table; players by seat."""
        rounds = self.book.rounds
        if self._seated[0] != rounds.version:
            current = rounds.current
            self._seated = (rounds.version, {} if current is None else rounds.seated(current.id))
        told = (table.state or {}).get("seats")
        players = told if isinstance(told, dict) else {}
        found = {seat: plain_name(name) for seat, name in players.items() if seat in SEATS and isinstance(name, str)}
        pairs = {line: self._seated[1].get((table.name, line)) or pair(table, line) for line in LINES}
        return {place: name for place, name in (found | pairs).items() if name}

    def render(self, template: str, viewer: Viewer, **values: Any) -> str:
        """Render a template with what all of them know; ``t``, if given, is the table that the page is about."""
        about = values.get("t")
        words = self.words(viewer.language, about if isinstance(about, TableView) else None)

        def at(place: str) -> Words:
            """Return the words of another table, if a page lists several."""
            return self.words(viewer.language, self.store.tables.get(place))

        common = {
            "w": words, "at": at, "lang": viewer.language, "me": viewer, "now": self.office.clock(),
            "federation": self.settings.remote.federation is not None,
            "openid": "" if self.settings.openid is None else self.settings.openid.label,
            "openid_address": "" if self.settings.openid is None else self.settings.openid.address,
        }  # fmt: skip
        return self._templates.get_template(template).render(common | values)

    def part(self, key: Hashable, version: Hashable, make: Callable[[], str]) -> str:
        """Return a part of a page, made once for all who see the same of it."""
        kept = self._cache.get(key)
        if kept is not None and kept[0] == version:
            self._cache.move_to_end(key)
            return kept[1]
        html = make()
        self._cache[key] = (version, html)
        while len(self._cache) > _PARTS_KEPT:
            self._cache.popitem(last=False)
        return html

    def page(
        self, request: Request, template: str, *, status: int = 200, viewer: Viewer | None = None, **values: Any
    ) -> HTMLResponse:
        """Return a whole page; a choice of language or look is kept in a cookie.

        ``viewer``: whom it is for, where that is not who asks.
        """
        viewer = viewer or self.viewer(request)
        html = self.render(
            template,
            viewer,
            theme=viewer.theme,
            hall=self.store.hall,
            many_halls=bool(self.settings.remote.halls),
            path=request.url.path,
            csrf=viewer.session.csrf if viewer.session else "",
            **values,
        )
        response = HTMLResponse(html, status_code=status, headers={"Cache-Control": "no-store"})
        for name, wish in (("lang", viewer.language), ("theme", viewer.theme)):
            if request.query_params.get(name) == wish:
                response.set_cookie(name, wish, max_age=YEAR, samesite="lax", httponly=True)
        return response

    def missing(self, request: Request, name: str) -> Response:
        """Return the page for a table of which nothing was heard."""
        return self.page(request, "missing.html", status=404, name=name)

    def sorry(self, request: Request, word: str | FormError, *, status: int = 400) -> Response:
        """One sentence about what did not work: a strip for htmx, a page for a plain form."""
        terms = word.terms if isinstance(word, FormError) else {}
        word = word.word if isinstance(word, FormError) else word
        if request.headers.get("HX-Request"):
            viewer = self.viewer(request)
            html = self.render("part_sorry.html", viewer, word=word, terms=terms)
            # 200, because htmx shows no answer that is an error; the strip says what went wrong.
            return HTMLResponse(html, headers={"HX-Retarget": "#sorry", "HX-Reswap": "innerHTML"})
        return self.page(request, "sorry.html", status=status, word=word, terms=terms)

    def live(
        self, request: Request, template: str, parts: ViewedParts, *, stream: str = "", viewer: Viewer | None = None,
        **values: Any,
    ) -> HTMLResponse:  # fmt: skip
        """Return a page whose ``parts`` change with its stream, at its own address and ``/stream`` if not given."""
        viewer = viewer or self.viewer(request)
        token, given = self.streams.first(lambda: parts(viewer))
        at = stream or f"{quote(request.url.path).rstrip('/')}/stream"
        follow = f"{at}{'&' if '?' in at else '?'}from={token}"
        return self.page(request, template, viewer=viewer, parts=given, follow=follow, **values)

    def stream(
        self, request: Request, parts: ViewedParts, *, slow: float = 0.0, at: str | None = None,
        viewer: Viewer | None = None,
    ) -> Response:  # fmt: skip
        """Stream a page's changes as server-sent events, for as long as the reader is signed in.

        ``at``: the table whose page this is, so that others see which arbitro looks.
        """
        reader = viewer or self.viewer(request)
        cookie = request.cookies.get(COOKIE)
        holder = cookie or (request.client.host if request.client else "")
        if self._streams_held[holder] >= STREAMS_MOST:
            return Response("Too many windows of this browser are open: close some.\n", status_code=429)

        def valid() -> bool:
            return self.book.accounts.session(cookie, now=time.time()) is not None

        async def messages() -> AsyncIterator[str]:
            self._streams_held[holder] += 1
            try:
                with self.office.looking(at, reader.name) if at is not None and reader.rules else nullcontext():
                    token = request.query_params.get("from", "")
                    async for text in self.streams.run(lambda: parts(reader), token, slow, valid):
                        yield text
            finally:
                self._streams_held[holder] -= 1
                if not self._streams_held[holder]:
                    del self._streams_held[holder]

        return self.streams.response(messages())

    @staticmethod
    def done(request: Request, back: str) -> Response:
        """After a deed: the page changes by its stream; a plain form goes back to ``back``."""
        if request.headers.get("HX-Request"):
            return Response(status_code=204)
        return RedirectResponse(back, status_code=303)

    @staticmethod
    def go(request: Request, where: str) -> Response:
        """After a deed: on to another page."""
        if request.headers.get("HX-Request"):
            return Response(status_code=204, headers={"HX-Redirect": where})
        return RedirectResponse(where, status_code=303)


async def _of_application(request: Request) -> Pages:
    return cast("Pages", request.app.state.pages)


AskedPages = Annotated[Pages, Depends(_of_application)]
"""The pages of the application that is asked: routes that need nothing else are built once, whichever is asked."""


class UnheardTableError(HTTPException, TavoloError):
    """The address names a table of which nothing was heard."""

    def __init__(self, name: str) -> None:
        super().__init__(404, "Nothing has been heard of this table.")
        self.name = name


async def _named_table(pages: AskedPages, name: str) -> TableView:
    if name not in pages.store.tables:
        raise UnheardTableError(name)
    return pages.store.tables[name]


NamedTable = Annotated[TableView, Depends(_named_table)]
"""The table that the address names; of another the answer is 404, before the route."""
