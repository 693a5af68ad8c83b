"""Reports of a game on a deal and on a round: each as a page, as PDF and as the game's own kind of file."""

from __future__ import annotations

import asyncio
from typing import Any, Final
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from hw.seats import LINES
from table_service.console import results
from table_service.console.access import ARBITRI, ROUND, STAFF, Form, form_of, only, signed_in
from table_service.console.archive.printed_list import FORMATS
from table_service.console.archive.shelf import Shelf
from table_service.console.archive.tables_csv import list_xlsx
from table_service.console.http_answers import as_file
from table_service.console.pages import Pages
from table_service.console.routers.archive import printed_now
from table_service.console.routers.common import with_bar
from table_service.console.routers.offered_reports import game_of
from table_service.console.routers.played_rounds import round_played, rounds_over
from table_service.console.routers.standings import chosen_round
from table_service.console.ruling_forms import FormError
from table_service.console.storage import Round
from table_service.console.times import time_of_day
from table_service.console.tournament_book import awards_of
from table_service.console.unsealing import LONGEST_REASON, is_private_way, key_of, opened, table_key_of
from table_service.events.untrusted import as_map, as_whole
from table_service.games.game_pages import GamePages
from table_service.games.reports import DealPlayed, DealReport, EventReport, Report, RoundPlayed, RoundReport

_SHEET: Final = "xlsx"
LIVE_S: Final = 15
"""So often the page of a report on a round that goes on is made anew."""


def router(pages: Pages) -> APIRouter:
    """Return the routes of reports."""
    made = APIRouter()
    shelf = Shelf(pages.book.database)
    _of_rounds(pages, made)
    _of_events(pages, made)

    @made.get("/archive/{place}/{boot}/{first}/report/{name}", dependencies=[Depends(only(STAFF, "report"))])
    async def deal(request: Request, place: str, boot: str, first: int, name: str) -> Response:
        """Serve a report on one deal; ``NAME.pdf`` to print it. One on sealed data asks for the arbitro's key."""
        plain, _, ending = name.partition(".")
        report, played = _deal_report(pages, place, plain), _deal(pages, shelf, place, boot, first)
        if report is None or not played.events or ending not in ("", "pdf") or (report.sealed and ending):
            return pages.page(request, "sorry.html", status=404, word="archive_deal_gone")
        here = f"/archive/{quote(place)}/{quote(boot)}/{first}"
        if report.sealed:
            if not pages.viewer(request).rules:
                raise HTTPException(403, "This is not for your role.")
            return _door(pages, request, here, report)
        shown = report.make(played, {}, pages.language(request))
        if ending:
            return as_file(_pdf(pages, shown), "application/pdf", f"{place}-{plain}-{boot}-{first}.pdf")
        awards = _awards_of_deal(pages, played)
        return _page(pages, request, shown, back=here, pdf=f"{here}/report/{plain}.pdf", awards=awards)

    @made.post("/archive/{place}/{boot}/{first}/report/{name}", dependencies=[Depends(only(ARBITRI))])
    async def unsealed(request: Request, place: str, boot: str, first: int, name: str) -> Response:
        """Serve a report that needs what was sealed: opened for this answer alone, the reason noted first."""
        report, played = _deal_report(pages, place, name), _deal(pages, shelf, place, boot, first)
        if report is None or not report.sealed or not played.events:
            return pages.page(request, "sorry.html", status=404, word="archive_deal_gone")
        form, here = await form_of(request), f"/archive/{quote(place)}/{quote(boot)}/{first}"
        try:
            secrets = _open(pages, request, played, form, name)
        except FormError as error:
            return _door(pages, request, here, report, error, form)
        shown = report.make(played, secrets, pages.language(request))
        if form.get("as") == "pdf":
            return as_file(_pdf(pages, shown), "application/pdf", f"{place}-{name}-{boot}-{first}.pdf", store=False)
        return _page(pages, request, shown, back=here)

    return made


def _of_rounds(pages: Pages, made: APIRouter) -> None:
    @made.get("/reports/round/{name}", dependencies=[Depends(only(ROUND, "report"))])
    async def round_report(request: Request, name: str) -> Response:
        """Serve a report on the newest round, or on ``?round=``; ``NAME.pdf`` to print it, ``NAME.KIND`` as a file."""
        return await _round(request, name, part=False)

    @made.get("/reports/round/{name}/now", dependencies=[Depends(only(ROUND))])
    async def part(request: Request, name: str) -> Response:
        """Serve the same as it is now, for a page that is open."""
        return await _round(request, name, part=True)

    running: dict[int, RoundPlayed] = {}
    """The round that goes on, as it was gathered last: many pages that are open cost no more than one."""

    async def gathered(game: GamePages, chosen: Round) -> RoundPlayed:
        held = running.get(chosen.id) if chosen.ended is None else None
        if held is not None and 0 <= pages.office.clock() - held.now < LIVE_S / 2:
            return held
        played = await asyncio.to_thread(round_played, pages, game, chosen)
        running.clear()
        if chosen.ended is None:
            running[chosen.id] = played
        return played

    async def _round(request: Request, name: str, *, part: bool) -> Response:
        plain, _, ending = name.partition(".")
        chosen = chosen_round(pages, request.query_params.get("round", ""))
        found = None if chosen is None else _round_report(pages, chosen, plain)
        if chosen is None or found is None:
            return pages.page(request, "sorry.html", status=404, word="report_none")
        game, report = found
        if report.arbitri_only and not pages.viewer(request).rules:
            raise HTTPException(403, "This is not for your role.")
        if report.once_over and chosen.ended is None:
            return pages.page(request, "sorry.html", status=409, word="report_not_yet")
        played = await gathered(game, chosen)
        if ending and report.text is not None and ending == report.text[0]:
            text = report.text[1](played).encode("utf-8", "replace")
            return as_file(text, "text/plain; charset=utf-8", f"tavolo-{plain}-{played.number}.{ending}")
        shown = report.make(played, pages.language(request))
        if ending == "pdf":
            return as_file(_pdf(pages, shown), "application/pdf", f"tavolo-{plain}-{played.number}.pdf")
        if ending:
            return pages.page(request, "sorry.html", status=404, word="report_none")
        if part:
            html = pages.render("part_report.html", pages.viewer(request), report=shown)
            return HTMLResponse(html, headers={"Cache-Control": "no-store"})
        live = not report.once_over and chosen.ended is None
        return _page(
            pages,
            request,
            shown,
            back="/standing",
            **_links(report, plain, played.number, live=live, has_awards=game.award_form is not None),
        )


def _of_events(pages: Pages, made: APIRouter) -> None:
    @made.get("/reports/event/{name}", dependencies=[Depends(only(ROUND, "report"))])
    async def event_report(request: Request, name: str) -> Response:
        """Serve a report on the tournament's finished rounds; ``NAME.pdf`` to print it, ``NAME.KIND`` as a file."""
        plain, _, ending = name.partition(".")
        found = _event_report(pages, plain)
        if found is None or ending not in ("", "pdf", *_endings(found[1])):
            return pages.page(request, "sorry.html", status=404, word="report_none")
        game, report = found
        played = await asyncio.to_thread(rounds_over, pages, game)
        if ending not in ("", "pdf"):
            data, media = await asyncio.to_thread(_event_file, report, ending, played)
            return as_file(data, media, f"tavolo-event-{plain}.{ending}")
        shown = report.make(played, pages.language(request))
        if ending:
            return as_file(_pdf(pages, shown), "application/pdf", f"tavolo-event-{plain}.pdf")
        return _page(pages, request, shown, back="/standing", **_event_links(report))


def event_file(pages: Pages, ending: str) -> bytes | None:
    """Return the ``ending`` file of a report on the tournament's rounds that are over; None if its game has none."""
    chosen = chosen_round(pages, "")
    game = None if chosen is None else game_of(pages, chosen)
    report = None if game is None else next((one for one in game.event_reports if ending in _endings(one)), None)
    return None if game is None or report is None else _event_file(report, ending, rounds_over(pages, game))[0]


def _endings(report: EventReport) -> list[str]:
    """Return the endings of the files that a report on the tournament has."""
    return [*(one.ending for one in report.files), *([_SHEET] if report.ranked is not None else [])]


def _event_file(report: EventReport, ending: str, played: list[RoundPlayed]) -> tuple[bytes, str]:
    """One of a report's files and its media type."""
    if ending == _SHEET and report.ranked is not None:
        return _ranked_sheet(report.title[1], report.ranked(played)), FORMATS[_SHEET]
    file = next(one for one in report.files if one.ending == ending)
    made = file.make(played)
    return made.encode("utf-8", "replace") if isinstance(made, str) else made, file.media


def _ranked_sheet(title: str, rows: list[dict[str, Any]]) -> bytes:
    """Return a ranking as a workbook; what is not known stays empty."""
    head = list(dict.fromkeys(name for row in rows for name in row))
    return list_xlsx(title, head, [[row.get(name) for name in head] for row in rows])


def _event_report(pages: Pages, name: str) -> tuple[GamePages, EventReport] | None:
    """Return the report ``name`` on the tournament, and its game, or None."""
    chosen = chosen_round(pages, "")
    game = None if chosen is None else game_of(pages, chosen)
    if game is None:
        return None
    return next(((game, one) for one in game.event_reports if one.name == name), None)


def _event_links(report: EventReport) -> dict[str, Any]:
    """Links to a report on the tournament, to print and as files."""
    here = f"/reports/event/{report.name}"
    return {"pdf": f"{here}.pdf", "files": [(one, f"{here}.{one}") for one in _endings(report)]}


def _links(report: RoundReport, name: str, number: int, *, live: bool, has_awards: bool) -> dict[str, Any]:
    """Addresses of the report ``name`` on round ``number``: to print, as files, and as of now while ``live``.

    ``has_awards``: its game has scores and deductions that an arbitro enters.
    """
    here, asked = f"/reports/round/{name}", f"?round={number}"
    files = [] if report.text is None else [(report.text[0], f"{here}.{report.text[0]}{asked}")]
    awards = f"/awards{asked}" if has_awards else ""
    return {"pdf": f"{here}.pdf{asked}", "files": files, "live": f"{here}/now{asked}" if live else "", "awards": awards}


def _page(pages: Pages, request: Request, report: Report, **values: Any) -> Response:
    held: dict[str, Any] = {"pdf": "", "files": (), "live": "", "live_s": LIVE_S, "awards": ""} | values
    if not pages.viewer(request).rules:
        held["awards"] = ""
    return with_bar(pages, request, "report.html", report=report, **held)


def _pdf(pages: Pages, report: Report) -> bytes:
    from table_service.console.archive.printed_report import report_pdf

    return report_pdf(report, hall=pages.store.hall, printed=printed_now())


# -- one deal ----------------------------------------------------------------------------------------------------------


def _deal_report(pages: Pages, place: str, name: str) -> DealReport | None:
    game = pages.words("it", pages.store.tables.get(place)).game
    return next((one for one in game.deal_reports if one.name == name), None)


def _deal(pages: Pages, shelf: Shelf, place: str, boot: str, first: int) -> DealPlayed:
    pages.book.kept.flush()
    events = tuple(shelf.events(place, boot, first))
    begun = _round_then(pages, place, shelf, boot, first)
    if begun is None:
        return DealPlayed(place, events, {}, time_of_day)
    seated = pages.book.rounds.seated(begun.id)
    pairs: dict[str, str] = {line: seated[place, line] for line in LINES if (place, line) in seated}
    return DealPlayed(place, events, pairs, time_of_day, awards_of(pages, begun))


def _awards_of_deal(pages: Pages, played: DealPlayed) -> str:
    """Address of the form for a score of this deal; empty if its game has no such form."""
    form = pages.words("it", pages.store.tables.get(played.place)).game.award_form
    if form is None:
        return ""
    kind, name = form.named_by
    told = [as_whole(as_map(one.get("data")).get(name)) for one in played.events if one.get("type") == kind]
    return f"/awards?{urlencode({'table': played.place, 'number': told[-1] if told and told[-1] else ''})}"


def _round_then(pages: Pages, place: str, shelf: Shelf, boot: str, first: int) -> Round | None:
    """Return the round of the club in which a deal began."""
    rounds = pages.book.rounds.all()
    told = (one for one in rounds if (place, boot, first) in shelf.begun_between(*results.span(rounds, one)))
    return next(told, None)


def _door(
    pages: Pages,
    request: Request,
    here: str,
    report: DealReport,
    wrong: FormError | None = None,
    form: Form | None = None,
) -> Response:
    """Serve the page that asks for the arbitro's key and the reason; it never shows a key again."""
    place, title = str(request.path_params["place"]), report.title[pages.language(request) != "it"]
    said = form or {}
    return with_bar(
        pages, request, "unseal.html", status=200 if wrong is None else 400, back=here, title=title,
        action=f"{here}/report/{report.name}", wrong=wrong, reason=said.get("reason", ""),
        private=is_private_way(request), about=place,
        table_key=said.get("table_key") or pages.office.table_keys.get(place, ""),
    )  # fmt: skip


def _open(pages: Pages, request: Request, played: DealPlayed, form: Form, name: str) -> dict[str, dict[str, Any]]:
    """Open the sealed data of a deal. The reason is in the log before anything is opened. Raises FormError."""
    if not is_private_way(request):
        raise FormError("unseal_open_way")
    reason = " ".join(form.get("reason", "").split())[:LONGEST_REASON]
    if not reason:
        raise FormError("unseal_no_reason")
    table_key = table_key_of(form.get("table_key", ""))
    key = key_of(form.get("key", ""))
    session = signed_in(request)
    game = pages.words("it", pages.store.tables.get(played.place)).game
    wanted = [str(one.get("id")) for one in played.events if one.get("type") in game.sealed_types]
    deal = next((one.get("deal") for one in played.events), None)
    detail = {"text": reason, "name": f"{name}, {deal}"}
    pages.office.deed(session, "unsealed", place=played.place, detail=detail)
    pages.book.database.flush()
    found = opened(pages.book.sealed.of(played.place, wanted), key, table_key)
    pages.office.table_keys[played.place] = form["table_key"].strip()
    return found


# -- a round -----------------------------------------------------------------------------------------------------------


def _round_report(pages: Pages, round_: Round, name: str) -> tuple[GamePages, RoundReport] | None:
    game = game_of(pages, round_)
    if game is None:
        return None
    return next(((game, one) for one in game.round_reports if one.name == name), None)
