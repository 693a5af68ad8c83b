"""The round: start, time-out, end, the clock that players never see, late pairs, warnings, sheets, protests."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Final

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from hw.seats import LINES
from table_service.console import audit_views, results, round_page
from table_service.console.access import DIRECTION, ROUND, Form, form_of, only, signed_in
from table_service.console.correction_rules import KINDS
from table_service.console.entry_list import entries_of
from table_service.console.pages import Pages, Viewer
from table_service.console.public_tables import DELAYS
from table_service.console.results import Ranked, TableResult
from table_service.console.round_page import Seating, Warned
from table_service.console.routers.common import bar
from table_service.console.routers.hall import order
from table_service.console.routers.offered_reports import round_reports_of
from table_service.console.ruling_forms import FormError, late_row, number, title_of
from table_service.console.score_sheet import URGENCY
from table_service.console.seating_proposals import FIRST, NEXT, as_seats, propose, seating_of_round
from table_service.console.settings import Language
from table_service.console.storage import Order, Round, Session
from table_service.console.streams import Part
from table_service.tournament import Seating as SeatingOfRound

COUNTS: Final = ("every-second", "each-after-first")
ROOMS: Final = ("open", "closed")
_ORDERS: Final = ("start-round", "time-out", "end-round")
_FAILED: Final = ("refused", "expired")
_DEALS: Final = (1, 2, 3, 4)
"""What may be chosen where no code says how long a round of so many deals lasts."""
_STATES: Final = (*URGENCY[:-1], "missing")
"""In which order tables are shown: what needs a person first."""
_CALM: Final = ("open", "done")
_ASKED: Final = ("movement", "entries", "leaving", "joining", "floor")


def router(pages: Pages) -> APIRouter:
    """The routes of the round."""
    made = APIRouter()

    @made.get("/round", dependencies=[Depends(only(ROUND, "round"))])
    async def page(request: Request) -> Response:
        """The round."""
        viewer = pages.viewer(request)
        token, parts = pages.streams.first(lambda: round_parts(pages, viewer))
        floors = [name for name, _ in pages.settings.floors]
        rounds, tables = pages.book.rounds, order(tuple(pages.store.tables))
        seated = {} if rounds.current is None else rounds.seated(rounds.current.id)
        text, refused = round_page.seating_text(seated, tables), None
        if "movement" in request.query_params:
            text, refused = proposal(pages, request, tables)
        played = played_of(pages, tournament_rounds(pages), tables)
        return pages.page(
            request, "round.html", parts=parts, token=token, floors=floors, kinds=KINDS,
            minutes=minutes_of(pages) or dict.fromkeys(_DEALS, ""), tables=tables,
            running=rounds.running is not None, counts=COUNTS, reports=round_reports_of(pages, rounds.current, viewer),
            pairs=text, refused=refused, movements=NEXT if played else FIRST,
            asked={key: request.query_params.get(key, "") for key in _ASKED}, still=open_before(pages),
        )  # fmt: skip

    @made.get("/round/stream", dependencies=[Depends(only(ROUND))])
    async def stream(request: Request) -> Response:
        """The round's changes as server-sent events."""
        viewer = pages.viewer(request)
        return pages.stream(request, lambda: round_parts(pages, viewer), slow=0.5)

    @made.post("/round/{deed}", dependencies=[Depends(only(ROUND))])
    async def act(request: Request, deed: str) -> Response:
        """One of the round's deeds; what concerns the tables goes to each of them as a signed order."""
        session, form = signed_in(request), await form_of(request)
        try:
            _act(pages, session, deed, form)
        except FormError as error:
            return pages.sorry(request, error)
        pages.office.deed(session, f"round {deed}", detail=audit_views.about_round(form))
        return pages.done(request, "/round")

    return made


def _act(pages: Pages, session: Session, deed: str, form: Form) -> None:
    if deed in _FOR_THE_PUBLIC:
        _for_the_public(pages, session, deed, form)
    elif deed in _DEEDS:
        _DEEDS[deed](pages, session.person.name, form)
    else:
        raise FormError("bad_form")


def _time_out(pages: Pages, person: str, _form: Form) -> None:
    _to_all(pages, person, "time-out", {})
    pages.book.rounds.time_out(now=pages.office.clock())


def _end(pages: Pages, person: str, _form: Form) -> None:
    _to_all(pages, person, "end-round", {})
    pages.book.rounds.end(now=pages.office.clock())


def _close_tournament(pages: Pages, person: str, _form: Form) -> None:
    if pages.book.rounds.running is not None:
        raise FormError("bad_form")
    pages.book.tournaments.end(person, now=pages.office.clock())


def _pairs(pages: Pages, _person: str, form: Form) -> None:
    rounds = pages.book.rounds
    if rounds.current is None:
        raise FormError("bad_form")
    rounds.seat(rounds.current.id, round_page.seating_of(form.get("pairs", ""), pages.store.tables))


def _late(pages: Pages, person: str, form: Form) -> None:
    if form.get("line") not in LINES or form.get("place") not in pages.store.tables:
        raise FormError("bad_form")
    pages.book.rounds.late(form["place"], form["line"], person, now=pages.office.clock())


def _protest(pages: Pages, person: str, form: Form) -> None:
    text = form.get("text", "").strip()
    if form.get("place") not in pages.store.tables or not text:
        raise FormError("bad_form")
    line = form.get("line") if form.get("line") in LINES else None
    pages.book.rounds.protest(form["place"], line, text, person, now=pages.office.clock())


def _settle(pages: Pages, person: str, form: Form) -> None:
    pages.book.rounds.settle(_which(form), person, form.get("outcome", "").strip(), now=pages.office.clock())


def _for_the_public(pages: Pages, session: Session, deed: str, form: Form) -> None:
    """What people who are not signed in, or only watch, may see: the organiser's to say."""
    choices, now, person = pages.book.choices, pages.office.clock(), session.person
    if person.role not in DIRECTION:
        raise FormError("not_allowed")
    if deed == "delay":
        seconds = number(form.get("seconds", ""), whole=True)
        if seconds not in DELAYS:
            raise FormError("bad_number")
        choices.delay_spectators(float(seconds), person.name, now=now)
        pages.store.tell()
    elif deed == "publish":
        ranked = ranking_of(pages)
        if not ranked:
            raise FormError("ranking_none")
        tournament = pages.book.tournaments.all()
        rounds = tournament_rounds(pages)
        extra = results.extra_title(results_of(pages, rounds[-1])) if rounds else {}
        body = results.published(tournament[0].name if tournament else "", ranked, extra)
        choices.publish_ranking(body, person.name, now=now)
    else:
        choices.withdraw_ranking()


def _which(form: Form) -> int:
    found = number(form.get("id", ""), whole=True)
    if found is None:
        raise FormError("bad_form")
    return int(found)


# -- the start ---------------------------------------------------------------------------------------------------------


def _start(pages: Pages, person: str, form: Form) -> None:
    """A round begins: each table is told with its order what the pairs that sit there bring from earlier rounds."""
    if pages.book.rounds.running is not None:
        raise FormError("round_running")
    deals, minutes, kind = _length(pages, form)
    chosen = dict(pages.settings.floors).get(form.get("floor", ""), tuple(pages.store.tables))
    places = tuple(name for name in chosen if name in pages.store.tables)
    seated = round_page.seating_of(form.get("pairs", ""), pages.store.tables)
    options = _options(form)
    still = open_before(pages)
    if still and form.get("anyway") != "1":
        raise FormError("sheets_still_open", places=", ".join(still))
    warned, now = warned_of(pages), pages.office.clock()
    pages.book.tournaments.begin(time.strftime("%d.%m.%Y", time.localtime(now)), now=now)
    begun = pages.book.rounds.begin(deals, float(minutes), places, person, now=now, kind=kind)
    if seated:
        pages.book.rounds.seat(begun.id, seated)
    with pages.book.database.together():
        for name in _known(pages, begun):
            carried = round_page.brought(warned, seated, name)
            fields = {"deals": deals, "minutes": minutes, **options} | ({"warnings": carried} if carried else {})
            pages.office.give(name, person, "start-round", fields)


def _length(pages: Pages, form: Form) -> tuple[int, int | float, str]:
    """Deals, minutes and kind of the round that begins, the code's minutes where none are given. Raises FormError."""
    deals, minutes = number(form.get("deals", ""), whole=True), number(form.get("minutes", ""), whole=False)
    kind = form.get("kind") or KINDS[0]
    if deals is None or not 1 <= deals <= 16 or kind not in KINDS:
        raise FormError("bad_form")
    if minutes is None:
        minutes = minutes_of(pages).get(int(deals))
    if minutes is None or not 0 < minutes <= 600:
        raise FormError("bad_number")
    return int(deals), minutes, kind


def minutes_of(pages: Pages) -> Mapping[int, int]:
    """The minutes of a round by its deals, where the tables' codes agree on them; else nothing: a person says them."""
    told = [table for table in pages.store.tables.values() if table.state is not None]
    codes = [pages.rule_set(table) for table in told] or [pages.default]
    found = [code.round_minutes for code in codes if code is not None]
    return found[0] if found and all(one == found[0] for one in found) else {}


def open_before(pages: Pages) -> list[str]:
    """The tables whose sheets of the round before are not confirmed: once the next begins, they cannot be corrected."""
    before = pages.book.rounds.current
    if before is None or pages.book.tournaments.current is None:
        return []
    return [table.place for table in results_of(pages, before) if table.held is not None and not table.final]


def _start_late(pages: Pages, person: str, _form: Form) -> None:
    """The running round begins at the tables that have told nothing of it, on the terms of all others."""
    running = pages.book.rounds.running
    if running is None:
        raise FormError("no_round")
    silent = [table.place for table in results_of(pages, running) if table.state == "missing"]
    warned, seated = warned_of(pages), pages.book.rounds.seated(running.id)
    terms = _terms(pages, running)
    open_now = {one.place for one in pages.book.orders.open() if one.do == "start-round"}
    with pages.book.database.together():
        for name in silent:
            if name not in open_now:
                carried = round_page.brought(warned, seated, name)
                pages.office.give(name, person, "start-round", terms | ({"warnings": carried} if carried else {}))


def _seen(pages: Pages, _person: str, _form: Form) -> None:
    """Somebody has seen which tables the round's orders did not reach."""
    for one in pages.book.orders.shown(now=pages.office.clock()):
        if one.do in _ORDERS and one.state in _FAILED:
            pages.office.notice(one.id)


def _terms(pages: Pages, running: Round) -> dict[str, Any]:
    """What the tables of a round were told at its start, but for their pairs' warnings."""
    for place in running.places:
        for one in pages.book.orders.of(place):
            if one.do == "start-round" and one.given >= running.begun:
                return {key: value for key, value in one.fields.items() if key != "warnings"}
    return {"deals": running.deals, "minutes": running.minutes}


def _options(form: Form) -> dict[str, Any]:
    """How warnings are counted, at which lead the arbitro must be called, which room it is: only what was said."""
    fields: dict[str, Any] = {}
    call_at = number(form.get("call_at", ""), whole=True)
    if call_at is not None:
        if not 0 < call_at <= 10_000:
            raise FormError("bad_number")
        fields["call_at"] = int(call_at)
    if form.get("warning_count") in COUNTS:
        fields["warning_count"] = form["warning_count"]
    if form.get("room") in ROOMS:
        fields["room"] = form["room"]
    return fields


def _known(pages: Pages, round_: Round) -> list[str]:
    """The tables of a round that were ever heard; one that is not there gets an order late or never."""
    return [name for name in round_.places if name in pages.store.tables and pages.store.tables[name].status]


def _to_all(pages: Pages, person: str, do: str, fields: dict[str, Any]) -> None:
    """The same order to every table of the round."""
    running = pages.book.rounds.running
    if running is None:
        raise FormError("no_round")
    with pages.book.database.together():
        for name in _known(pages, running):
            pages.office.give(name, person, do, fields)


def _apply_late(pages: Pages, person: str, number_: int) -> None:
    """The code's measure for a line that is late, as a ruling at its table; its figures are the table's to know."""
    late = next((one for one in pages.book.rounds.latecomers() if one.id == number_), None)
    if late is None:
        raise FormError("bad_form")
    catalogue, now = pages.catalogue(pages.store.tables.get(late.place)), pages.office.clock()
    here = {
        one.line: round_page.late_minutes(one, now) for one in pages.book.rounds.latecomers() if one.place == late.place
    }
    row = late_row(catalogue, both=len(here) == len(LINES))
    if row is None:
        raise FormError("bad_form")
    fields: dict[str, Any] = {"row": row.id}
    fields |= {"lines": here} if len(here) == len(LINES) else {"line": late.line, "minutes": here[late.line]}
    pages.office.give(late.place, person, "rule", fields)


# -- what is shown ----------------------------------------------------------------------------------------------------


_FOR_THE_PUBLIC: Final = ("delay", "publish", "unpublish")
_DEEDS: Final[Mapping[str, Callable[[Pages, str, Form], None]]] = {
    "start": _start,
    "start-late": _start_late,
    "seen": _seen,
    "pause": lambda pages, _person, _form: pages.book.rounds.pause(now=pages.office.clock()),
    "go-on": lambda pages, _person, _form: pages.book.rounds.go_on(now=pages.office.clock()),
    "time-out": _time_out,
    "end": _end,
    "ranking": lambda pages, _person, _form: pages.book.rounds.show_ranking(now=pages.office.clock()),
    "post": lambda pages, person, _form: pages.book.rounds.post_seating(person, now=pages.office.clock()),
    "close-tournament": _close_tournament,
    "pairs": _pairs,
    "late": _late,
    "arrived": lambda pages, _person, form: pages.book.rounds.arrived(_which(form), now=pages.office.clock()),
    "apply-late": lambda pages, person, form: _apply_late(pages, person, _which(form)),
    "protest": _protest,
    "settle": _settle,
}
"""What the direction does with a round, by the name in the address."""


def seating(pages: Pages) -> Seating:
    """Who sat where, round by round."""
    rounds = pages.book.rounds.all()
    return Seating(rounds, {one.id: pages.book.rounds.seated(one.id) for one in rounds}, pages.store.tables)


def warned_of(pages: Pages) -> list[Warned]:
    """The tournament's warnings."""
    return round_page.warnings(pages.office.noted["warning.given"], seating(pages))


def about_warning(pages: Pages, warned: Warned, language: Language) -> dict[str, str]:
    """A warning's article and reason by the catalogue, and who gave it, as far as an order from here says so."""
    catalogue = pages.catalogue(pages.store.tables.get(warned.place))
    row = None if catalogue is None else catalogue.rows.get(warned.row)
    given = [
        one
        for one in pages.book.orders.of(warned.place)
        if one.do in ("rule", "warn") and one.state == "done" and -30.0 <= warned.heard - one.given <= 300.0
    ]
    nearest = min(given, key=lambda one: abs(warned.heard - (one.answered or one.given)), default=None)
    return {
        "article": "" if row is None else row.article,
        "reason": title_of(catalogue, warned.row, language) if warned.row else "",
        "by": "" if nearest is None else nearest.person,
    }


def results_of(pages: Pages, round_: Round | None) -> list[TableResult]:
    """What the tables of a round have told; of a round that nobody started here, what each told last."""
    sheets = pages.office.sheets
    if round_ is None:
        return results.results(sheets, order(tuple(sheets.places())), {})
    rounds = pages.book.rounds
    begun, until = results.span(rounds.all(), round_)
    seated = rounds.seated(round_.id)
    names: dict[tuple[str, str], str] = {
        (place, line): seated.get((place, line)) or round_page.pair(pages.store.tables.get(place), line)
        for place in round_.places
        for line in LINES
    }
    return results.results(sheets, order(_known(pages, round_)), names, begun, until)


def tournament_rounds(pages: Pages) -> list[Round]:
    """The rounds of the tournament that goes on, or of the last one; the oldest first."""
    every = pages.book.tournaments.all()
    rounds = pages.book.rounds.all()
    if not every:
        return rounds
    newest = every[0]
    return [one for one in rounds if newest.begun <= one.begun <= (newest.ended or float("inf"))]


def ranking_of(pages: Pages) -> list[Ranked]:
    """The pairs of the tournament, where the club has entered who sits where."""
    rounds, rests = [], []
    for one in tournament_rounds(pages):
        seated = pages.book.rounds.seated(one.id)
        if seated:
            begun, until = results.span(pages.book.rounds.all(), one)
            rounds.append(results.results(pages.office.sheets, one.places, seated, begun, until))
            bye = _bye(pages, one.deals, seated)
            rests += [results.resting(name, bye) for (at, _), name in seated.items() if at == round_page.RESTS]
    return results.ranking(rounds, rests)


def _bye(pages: Pages, deals: int, seated: round_page.Seats) -> tuple[int, int] | None:
    """The victory and match points of who rests, where the codes of the tables at which others sit agree on them."""
    places = {place for place, _ in seated if place != round_page.RESTS}
    codes = [pages.rule_set(pages.store.tables.get(place)) for place in places] or [pages.default]
    found = {code.byes.get(deals) for code in codes if code is not None}
    return found.pop() if len(found) == 1 else None


def proposal(pages: Pages, request: Request, tables: Sequence[str]) -> tuple[str, FormError | None]:
    """Who might sit where by the movement that the address names, as text; or the sentence why nobody can."""
    asked, rounds = request.query_params, tournament_rounds(pages)
    rests = "riposa" if pages.language(request) == "it" else "rests"
    chosen = dict(pages.settings.floors).get(asked.get("floor", ""), tuple(tables))
    played = played_of(pages, rounds, tables)
    before = {place for one in rounds[:1] if played for place, _ in pages.book.rounds.seated(one.id)}
    places = sorted((name for name in tables if name in chosen or name in before), key=lambda name: name not in before)
    try:
        seating = propose(
            asked.get("movement", ""), entries_of(asked.get("entries", "")), played,
            ranking_of(pages), secrets.SystemRandom().shuffle,
            leaving=entries_of(asked.get("leaving", "")), joining=entries_of(asked.get("joining", "")),
        )  # fmt: skip
        return round_page.seating_text(as_seats(seating, places), tables, rests), None
    except FormError as error:
        return asked.get("pairs", ""), error


def played_of(pages: Pages, rounds: Sequence[Round], tables: Sequence[str]) -> list[SeatingOfRound]:
    """The rounds of the tournament that goes on of which the club has entered who sat where."""
    if pages.book.tournaments.current is None:
        return []
    found = [pages.book.rounds.seated(one.id) for one in rounds]
    return [seating_of_round(seated, tables) for seated in found if seated]


def _alike(orders: Sequence[Order]) -> list[list[Order]]:
    """Orders that failed in the same way together, by table: two hundred of them are one sentence."""
    groups: dict[tuple[object, ...], dict[str, Order]] = {}
    for one in orders:
        groups.setdefault((one.do, one.state, one.reason, *one.answer.values()), {}).setdefault(one.place, one)
    return [[group[name] for name in order(tuple(group))] for group in groups.values()]


def round_parts(pages: Pages, viewer: Viewer) -> Sequence[Part]:
    """The parts of the round's page. It changes rarely: everything of it is one part, the clock runs in the page."""
    book = pages.book

    def version() -> Hashable:
        feeds = sum(table.versions["feed"] for table in pages.store.tables.values())
        alerts = sum(table.versions["alerts"] for table in pages.store.tables.values())
        over = book.rounds.running is not None and book.rounds.running.left(pages.office.clock()) <= 0
        return (
            book.choices.version,
            book.rounds.version,
            book.orders.version,
            pages.office.sheets.version,
            feeds,
            alerts,
            over,
        )

    def html() -> str:
        current, now = book.rounds.current, pages.office.clock()
        tables = results_of(pages, current)
        who = seating(pages)
        orders = [one for one in book.orders.shown(now=now) if one.do in _ORDERS]
        return pages.render(
            "part_round.html",
            viewer,
            round=current,
            step=round_page.next_step(current, tables, now),
            ends=None if current is None else round_page.clock_ends(current),
            left=None if current is None else current.left(now),
            late=[(one, who.pair(one.place, one.line, now)) for one in book.rounds.latecomers()],
            late_row=late_row(pages.catalogue(None)),
            warnings=warned_of(pages),
            waiting=sorted((t for t in tables if t.state not in _CALM), key=lambda t: _STATES.index(t.state)),
            playing=sum(t.state == "open" for t in tables),
            closed=sum(t.final for t in tables),
            protests=book.rounds.protests(),
            tournament=book.tournaments.current,
            about=lambda one: about_warning(pages, one, viewer.language),
            delay=int(book.choices.delay),
            delays=DELAYS,
            published=book.choices.ranking,
            orders=orders,
            failed=_alike([one for one in orders if one.state in _FAILED]),
        )

    return [Part("round", version, html), *bar(pages, viewer)]
