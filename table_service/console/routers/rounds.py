"""The round: start, time-out, end, the clock that players never see, late pairs, warnings, sheets, protests."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console import rounding
from table_service.console.access import ROUND, Form, form_of, only, signed_in
from table_service.console.book import Session
from table_service.console.pages import Pages, Viewer
from table_service.console.routers.common import bar
from table_service.console.routers.hall import order
from table_service.console.rulings import LINES, FormError, late_row, number
from table_service.console.streams import Part


def router(pages: Pages) -> APIRouter:
    """The routes of the round."""
    made = APIRouter()

    @made.get("/round", dependencies=[Depends(only(ROUND, "round"))])
    async def page(request: Request) -> Response:
        """The round."""
        viewer = pages.viewer(request)
        token, parts = pages.streams.first(lambda: round_parts(pages, viewer))
        floors = [name for name, _ in pages.settings.floors]
        return pages.page(
            request, "round.html", parts=parts, token=token, floors=floors, minutes=rounding.MINUTES,
            tables=order(tuple(pages.store.tables)),
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
            return pages.sorry(request, error.word)
        pages.office.deed(session, f"round {deed}", detail=str({k: v for k, v in form.items() if k != "csrf"}))
        return pages.done(request, "/round")

    return made


def _act(pages: Pages, session: Session, deed: str, form: Form) -> None:
    rounds, now, person = pages.book.rounds, pages.office.clock(), session.person.name
    match deed:
        case "start":
            _start(pages, person, form)
        case "pause":
            rounds.pause(now=now)
        case "go-on":
            rounds.go_on(now=now)
        case "time-out" | "end":
            _to_all(pages, person, "time-out" if deed == "time-out" else "end-round", {})
            rounds.time_out(now=now) if deed == "time-out" else rounds.end(now=now)
        case "ranking":
            rounds.show_ranking(now=now)
        case "late" if form.get("line") in LINES and form.get("place") in pages.store.tables:
            rounds.late(form["place"], form["line"], person, now=now)
        case "arrived":
            rounds.arrived(_which(form), now=now)
        case "apply-late":
            _apply_late(pages, person, _which(form))
        case "protest" if form.get("place") in pages.store.tables and form.get("text", "").strip():
            line = form.get("line") if form.get("line") in LINES else None
            rounds.protest(form["place"], line, form["text"].strip(), person, now=now)
        case "settle":
            rounds.settle(_which(form), person, form.get("outcome", "").strip(), now=now)
        case _:
            raise FormError("bad_form")


def _which(form: Form) -> int:
    found = number(form.get("id", ""), whole=True)
    if found is None:
        raise FormError("bad_form")
    return int(found)


def _start(pages: Pages, person: str, form: Form) -> None:
    deals, minutes = number(form.get("deals", ""), whole=True), number(form.get("minutes", ""), whole=False)
    if deals is None or not 1 <= deals <= 16:
        raise FormError("bad_form")
    if minutes is None:
        minutes = rounding.MINUTES.get(int(deals))
    if minutes is None or not 0 < minutes <= 600:
        raise FormError("bad_number")
    floor = form.get("floor", "")
    chosen = dict(pages.settings.floors).get(floor, tuple(pages.store.tables))
    places = tuple(name for name in chosen if name in pages.store.tables)
    pages.book.rounds.begin(int(deals), float(minutes), places, person, now=pages.office.clock())
    _to_all(pages, person, "start-round", {"deals": int(deals), "minutes": minutes})


def _to_all(pages: Pages, person: str, do: str, fields: dict[str, Any]) -> None:
    """The same order to every table of the round that was ever heard; one that is not there gets it late or never."""
    running = pages.book.rounds.running
    if running is None:
        raise FormError("no_round")
    known = [name for name in running.places if name in pages.store.tables and pages.store.tables[name].status]
    with pages.book.database.together():
        for name in known:
            pages.office.give(name, person, do, fields)


def _apply_late(pages: Pages, person: str, number_: int) -> None:
    """The code's measure for a line that is late, as a ruling at its table; its figures are the table's to know."""
    late = next((one for one in pages.book.rounds.latecomers() if one.id == number_), None)
    if late is None:
        raise FormError("bad_form")
    catalogue, now = pages.catalogue(pages.store.tables.get(late.place)), pages.office.clock()
    here = {
        one.line: rounding.late_minutes(one, now) for one in pages.book.rounds.latecomers() if one.place == late.place
    }
    row = late_row(catalogue, both=len(here) == len(LINES))
    if row is None:
        raise FormError("bad_form")
    fields: dict[str, Any] = {"row": row.id}
    fields |= {"lines": here} if len(here) == len(LINES) else {"line": late.line, "minutes": here[late.line]}
    pages.office.give(late.place, person, "rule", fields)


def round_parts(pages: Pages, viewer: Viewer) -> Sequence[Part]:
    """The parts of the round's page. It changes rarely: everything of it is one part, the clock runs in the page."""
    book = pages.book

    def version() -> Hashable:
        feeds = sum(table.versions["feed"] for table in pages.store.tables.values())
        alerts = sum(table.versions["alerts"] for table in pages.store.tables.values())
        return (book.rounds.version, book.orders.version, feeds, alerts)

    def html() -> str:
        current, now = book.rounds.current, pages.office.clock()
        return pages.render(
            "part_round.html",
            viewer,
            round=current,
            ends=None if current is None else rounding.clock_ends(current),
            left=None if current is None else current.left(now),
            late=[
                (one, rounding.pair(pages.store.tables.get(one.place), one.line)) for one in book.rounds.latecomers()
            ],
            late_row=late_row(pages.catalogue(None)),
            warnings=rounding.warnings(pages.office.noted["warning.given"], pages.store.tables),
            sheets=rounding.sheets(pages.office.noted["score.counted"], book.rounds.confirmed()),
            protests=book.rounds.protests(),
            orders=[one for one in book.orders.shown(now=now) if one.do in ("start-round", "time-out", "end-round")],
        )

    return [Part("round", version, html), *bar(pages, viewer)]
