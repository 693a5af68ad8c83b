"""The archive: past deals searched, seen again at any moment, printed; the tournament's log; tournaments deleted."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from table_service.console import views
from table_service.console.access import CHIEF, ROUND, STAFF, only, signed_in
from table_service.console.alert_pictures import Shot, shots
from table_service.console.archive import deal_sheet
from table_service.console.archive.printed_sheet import scored_deal
from table_service.console.archive.shelf import Shelf
from table_service.console.archive.tables_csv import log_csv, scores_csv
from table_service.console.archive.timeline import HEIGHT, WIDTH, timeline
from table_service.console.event_sentences import tell
from table_service.console.http_answers import CSV, as_file
from table_service.console.numbers import whole
from table_service.console.pages import AskedPages, Pages, Viewer
from table_service.console.routers.common import with_bar
from table_service.console.routers.offered_reports import deal_reports_of
from table_service.console.settings import Language
from table_service.console.table_view import TableView
from table_service.console.times import local
from table_service.console.vocabulary import Words
from table_service.events.topics import level
from table_service.events.untrusted import as_list, as_map, as_name, as_number
from table_service.games.game_pages import GamePages, Moment

NEAR: Final = 14
"""Events shown around a moment."""
NEAR_S: Final = 8.0
"""Seconds; a picture that is farther from the moment shows another one."""
LOG_TYPES: Final = frozenset(
    {"round.started", "round.timeout", "round.ended", "round.ruled", "deal.started", "deal.ended", "score.counted"}
    | {"sheet.confirmed", "sheet.disputed", "sheet.written", "sheet.corrected"}
    | {"irregularity", "warning.given", "sanction.imposed", "sanction.served", "sanction.broken", "referee.called"}
)
"""What the tournament's log holds: what an arbitro may be asked about, not every card."""


router = APIRouter()
"""The routes of the archive."""


@router.get("/archive", dependencies=[Depends(only(STAFF, "archive"))])
async def index(request: Request, pages: AskedPages) -> Response:
    """Past deals, the newest first; ``?table=`` and ``?row=`` narrow them down."""
    asked = request.query_params
    place, row, page = asked.get("table", ""), asked.get("row", "").strip(), min(whole(asked.get("page")) or 0, 10_000)
    await asyncio.to_thread(pages.book.kept.flush)
    shelf = Shelf(pages.book.database)
    deals, more = shelf.deals(place, row, page)
    return with_bar(
        pages, request, "archive.html", deals=deals, more=more, number=page, place=place, row=row,
        places=shelf.places(), tournaments=pages.book.tournaments.all(),
        days=f"{pages.settings.keep_days:g}",
    )  # fmt: skip


@router.get("/archive/{place}/now", dependencies=[Depends(only(STAFF))])
async def newest(request: Request, pages: AskedPages, place: str) -> Response:
    """Serve the deal that a table plays, or played last."""
    await asyncio.to_thread(pages.book.kept.flush)
    found = next(Shelf(pages.book.database).every(place), None) if place else None
    if found is None:
        return pages.page(request, "sorry.html", status=404, word="archive_deal_gone")
    return RedirectResponse(f"/archive/{quote(place)}/{quote(found.boot)}/{found.first}", status_code=303)


@router.get("/archive/{place}/{boot}/moment/{seq}", dependencies=[Depends(only(STAFF))])
async def moment_of(request: Request, pages: AskedPages, place: str, boot: str, seq: int) -> Response:
    """To the moment of an event in its deal; ``?t=``: to that second of the table instead (a fact's)."""
    await asyncio.to_thread(pages.book.kept.flush)
    shelf = Shelf(pages.book.database)
    first = shelf.start_of(place, boot, seq)
    found = [] if first is None else _game(pages, place).moments(shelf.events(place, boot, first))
    if not found:
        return pages.page(request, "sorry.html", status=404, word="archive_deal_gone")
    number = _number_at(found, seq, request.query_params.get("t"))
    return RedirectResponse(f"/archive/{quote(place)}/{quote(boot)}/{first}?n={number}", status_code=303)


@router.get("/archive/{place}/{boot}/{first}", dependencies=[Depends(only(STAFF, "past deal"))])
async def deal(request: Request, pages: AskedPages, place: str, boot: str, first: int) -> Response:
    """One past deal, at its end or at the moment ``?n=``."""
    viewer, events = pages.viewer(request), Shelf(pages.book.database).events(place, boot, first)
    found = _game(pages, place).moments(events)
    if not found:
        return pages.page(request, "sorry.html", status=404, word="archive_deal_gone")
    number = _moment(request.query_params.get("n"), found)
    shown, drawn = _past(pages, viewer, place, found, number), timeline(found, _game(pages, place))
    home = f"/archive/{quote(place)}/{quote(boot)}"
    return with_bar(
        pages, request, "past.html", place=place, last=len(found) - 1, number=number,
        line=drawn, width=WIDTH, height=HEIGHT, past=shown,
        here=f"{home}/{first}", moment=f"{home}/moment/", ts=[f"{one.t:.1f}" for one in found],
        seqs=[int(one.event.get("seq", 0)) for one in found], deal=found[-1].state.get("deal"),
        w=_words(pages, viewer.language, place), reports=deal_reports_of(pages, place, viewer),
    )  # fmt: skip


@router.get("/archive/{place}/{boot}/{first}/at", dependencies=[Depends(only(STAFF))])
async def at(request: Request, pages: AskedPages, place: str, boot: str, first: int) -> Response:
    """Serve the table at the moment ``?n=`` of a past deal."""
    viewer, events = pages.viewer(request), Shelf(pages.book.database).events(place, boot, first)
    found = _game(pages, place).moments(events)
    if not found:
        return Response(status_code=404)
    number = _moment(request.query_params.get("n"), found)
    return HTMLResponse(_past(pages, viewer, place, found, number), headers={"Cache-Control": "no-store"})


@router.get("/archive/{place}/{boot}/{first}/sheet.pdf", dependencies=[Depends(only(STAFF, "deal sheet"))])
async def sheet(request: Request, pages: AskedPages, place: str, boot: str, first: int) -> Response:
    """One deal's sheet to print and sign."""
    events = Shelf(pages.book.database).events(place, boot, first)
    if not events:
        return pages.page(request, "sorry.html", status=404, word="archive_deal_gone")
    from table_service.console.archive.paper import deal_pdf

    words = _words(pages, pages.language(request), place)
    made_of = deal_sheet(place, events, words.game)
    return _pdf(
        deal_pdf(made_of, words, hall=pages.store.hall, printed=printed_now()),
        f"{place}-{made_of.deal}-{boot}-{first}.pdf",
    )


@router.post("/tournaments/{number}/delete", dependencies=[Depends(only(CHIEF))])
async def delete(request: Request, pages: AskedPages, number: str) -> Response:
    """Delete a tournament that is over, with all that the console kept of it."""
    named = whole(number)
    if named is None or not pages.book.tournaments.delete(named):
        return pages.sorry(request, "bad_form")
    pages.office.deed(signed_in(request), "delete tournament", detail=number)
    return pages.go(request, "/archive")


async def _aside(pages: Pages, make: Callable[[Shelf], Response]) -> Response:
    """Return what is made of a whole evening, in a thread: the hall's pages go on meanwhile."""

    def work() -> Response:
        with pages.book.database.aside() as reader:
            return make(Shelf(reader))

    return await asyncio.to_thread(work)


@router.get("/reports/scores.csv", dependencies=[Depends(only(ROUND, "scores"))])
async def scores(request: Request, pages: AskedPages) -> Response:
    """Every deal's score, a row a line."""
    return await _aside(
        pages,
        lambda reading: _csv(
            scores_csv((scored_deal(*one) for one in reading.scored()), Words(pages.language(request))),
            "tavolo-scores.csv",
        ),
    )


@router.get("/reports/log.csv", dependencies=[Depends(only(ROUND, "log"))])
async def log(request: Request, pages: AskedPages) -> Response:
    """Serve the tournament's log for a spreadsheet."""
    language = pages.language(request)

    def write(reading: Shelf) -> Response:
        return _csv(log_csv(_said(pages, language, reading), Words(language)), "tavolo-log.csv")

    return await _aside(pages, write)


@router.get("/reports/log.pdf", dependencies=[Depends(only(ROUND, "log"))])
async def printed_log(request: Request, pages: AskedPages) -> Response:
    """Serve the tournament's log on paper."""
    from table_service.console.archive.paper import log_pdf

    language = pages.language(request)

    def write(reading: Shelf) -> Response:
        told = _said(pages, language, reading)
        rows = ((local(e.get("time"), "%d.%m.%Y %H:%M:%S"), place, text) for place, e, text in told)
        return _pdf(log_pdf(rows, Words(language), hall=pages.store.hall, printed=printed_now()), "tavolo-log.pdf")

    return await _aside(pages, write)


def _said(pages: Pages, language: Language, shelf: Shelf) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the events of the tournament's log: table, event, and its sentence."""
    for place, event in shelf.of_types(LOG_TYPES):
        yield place, event, tell(event, _words(pages, language, place)).text


def _game(pages: Pages, place: str) -> GamePages:
    """Return what the game that is played at a table gives to pages."""
    return _words(pages, "it", place).game


def _words(pages: Pages, language: Language, place: str) -> Words:
    """Return the words of what is played at a table."""
    return pages.words(language, pages.store.tables.get(place))


def _past(pages: Pages, viewer: Viewer, place: str, found: list[Moment], number: int) -> str:
    """Return the table at one moment, with what was reported around it."""
    moment, view, live = found[number], TableView(place), pages.store.tables.get(place)
    words = pages.words(viewer.language, live)
    rules = None if live is None or live.state is None else live.state.get("rules")
    document = {**moment.state, "table": place, "rules": rules, "irregularities": [], "warnings": {}, "nodes": {}}
    view.raw_state = b"past"
    view.read_state = (view.raw_state, document)
    view.alerts = moment.state["open"]
    first = max(0, number - NEAR)
    lines = [(first + n, tell(dict(one.event), words)) for n, one in enumerate(found[first : number + 1])]
    shot, apart = moment_picture(pages, live, found, moment.t)
    waiting = [f"{one['row']}: {words.text(one['title'])}" for one in moment.state["open"].values()]
    return pages.render(
        "part_past.html", viewer, t=view, board=views.board(view, words), sanctions=views.sanctions(view, words),
        lines=lines[::-1], shot=shot, shot_dt=words.number(f"{apart:+.1f}"), number=number, last=len(found) - 1,
        waiting=waiting, x=timeline(found, words.game).xs[number], width=WIDTH, height=HEIGHT,
    )  # fmt: skip


def _moment(value: str | None, found: list[Moment]) -> int:
    wanted = whole(value)
    return len(found) - 1 if wanted is None else min(wanted, len(found) - 1)


def _number_at(found: list[Moment], seq: int, t: str | None) -> int:
    """Return the number of the moment that holds at second ``t`` of the table, else of the event ``seq``."""
    try:
        wanted = None if t is None else float(t)
    except ValueError:
        wanted = None
    if wanted is not None:
        return max((n for n, one in enumerate(found) if one.t <= wanted), default=0)
    return max((n for n, one in enumerate(found) if int(one.event.get("seq", 0)) <= seq), default=0)


def printed_now() -> str:
    """Date and time as paper has them."""
    return time.strftime("%d.%m.%Y %H:%M")


def _pdf(body: bytes, name: str) -> Response:
    return as_file(body, "application/pdf", name)


def _csv(text: str, name: str) -> Response:
    return as_file(text, CSV, name)


def moment_picture(
    pages: Pages, table: TableView | None, found: Sequence[Moment], t: float
) -> tuple[Shot | None, float]:
    """Return the picture nearest to second ``t`` of the table, and how far from it; None if none is near."""
    best: tuple[Shot | None, float] = (None, 0.0)
    if table is None:
        return best
    keys = {(str(one.event.get("boot")), key) for one in found if (key := _key(one)) is not None}
    for boot, key in sorted(keys):
        about = pages.book.pictures.about(table.name, boot, key)
        for entry in map(as_map, as_list((about or {}).get("pictures"))):
            ref, sha256, at = as_name(entry.get("ref")), as_name(entry.get("sha256")), as_number(entry.get("t"))
            if ref is None or sha256 is None or at is None or ref in table.why or abs(at - t) > NEAR_S:
                continue
            table.digests.setdefault(ref, sha256)
            if best[0] is None or abs(at - t) < abs(best[1]):
                best = (shots("", table, {"pictures": [entry]})[0], at - t)
    return best


def _key(moment: Moment) -> str | None:
    key = as_name(as_map(moment.event.get("data")).get("key")) if moment.event.get("type") == "irregularity" else None
    return None if key is None else level(key)
