"""Seating, ranking and warnings to post, print or take away: as CSV, JSON and PDF."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Final

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import ROUND, only
from table_service.console.archive.printed_list import (
    FORMATS,
    PrintedList,
    entries_list,
    prizes_list,
    public_list,
    ranking_list,
    seating_list,
    warnings_list,
)
from table_service.console.archive.published_site import calendar, packed, site
from table_service.console.archive.results_file import results_file
from table_service.console.archive.shared_list import list_png, list_text
from table_service.console.archive.tables_csv import list_csv, list_xlsx
from table_service.console.entrant import people_of
from table_service.console.http_answers import as_file
from table_service.console.pages import AskedPages, Pages
from table_service.console.prizes import prizes_of, shared_out
from table_service.console.results import extra_title
from table_service.console.routers.hall import order
from table_service.console.routers.played_rounds import ranking_for_all
from table_service.console.routers.seasons import season_list_of
from table_service.console.routers.standings import chosen_round
from table_service.console.season import evening_of
from table_service.console.seating_lines import groups_of_text, seating_of
from table_service.console.tournament_book import (
    about_warning,
    groups_of,
    people_in,
    ranking_of,
    results_of,
    seated_rounds,
    tournament_rounds,
    warned_of,
)
from table_service.console.vocabulary import Words
from table_service.tournament import partners

router = APIRouter()
"""The routes of the lists."""


@router.get("/reports/lists/{name}", dependencies=[Depends(only(ROUND, "standing"))])
async def give(request: Request, pages: AskedPages, name: str) -> Response:
    """``seating``, ``ranking``, ``warnings``, ``prizes``, ``entries`` or ``season`` with the ending of a format.

    As text and as a picture, which go to chat groups, the ranking has no warnings and no member numbers.

    ``?round=``: the seating of that round; ``?pairs=``: of one to come, as the form that begins it has it.
    ``?prizes=``: the prizes by place, a line each.
    """
    kind, _, ending = name.partition(".")
    if kind not in ("seating", "ranking", "warnings", "prizes", "entries", "season") or ending not in FORMATS:
        return pages.sorry(request, "list_unknown", status=404)
    words = Words(pages.language(request))
    if kind == "ranking" and ending in _FOR_A_CHAT:
        made_of = await asyncio.to_thread(_for_all, pages, words)
    else:
        made_of = season_list_of(pages, request, words) if kind == "season" else _list(pages, request, kind, words)
    return as_file(_written(made_of, ending, pages.store.hall), FORMATS[ending], f"tavolo-{kind}.{ending}")


@router.get("/reports/federation.json", dependencies=[Depends(only(ROUND, "standing"))])
async def for_federation(request: Request, pages: AskedPages) -> Response:
    """Return the tournament's results for a federation: places, people with their numbers, who sat where."""
    ranked = await asyncio.to_thread(ranking_for_all, pages)
    places = evening_of("", ranked["rows"]).places
    if not places:
        return pages.sorry(request, "fed_results_none", status=404)
    known = pages.book.entrants.people()
    people = {entry: people_of(entry, known, partners(entry)) for entry in places}
    told = results_file(ranked["tournament"], places, people, seated_rounds(pages), pages.office.clock())
    body = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return as_file(body, "application/json", "tavolo-federation.json", store=False)


@router.get("/reports/rounds.ics", dependencies=[Depends(only(ROUND, "standing"))])
async def dates(request: Request, pages: AskedPages) -> Response:
    """Serve the rounds of the tournament as a calendar."""
    body = _calendar(pages, Words(pages.language(request)))
    return as_file(body, "text/calendar; charset=utf-8", "tavolo-rounds.ics")


@router.get("/reports/site.zip", dependencies=[Depends(only(ROUND, "standing"))])
async def folder(request: Request, pages: AskedPages) -> Response:
    """Serve the tournament as a folder of pages to publish, by the ranking that the organiser has published."""
    shown, words = pages.book.choices.ranking, Words(pages.language(request))
    if shown is None:
        return pages.sorry(request, "site_unpublished")
    about = str(shown.body.get("tournament", ""))
    seatings = [
        seating_list(seated, one.places, words, f"{words['round']} {n}")
        for n, (one, seated) in enumerate(seated_rounds(pages), start=1)
    ]
    as_of = words.say("ranking_as_of", when=time.strftime("%d.%m.%Y %H:%M", time.localtime(shown.at)))
    title = f"{words['tournament']} {about}".strip()
    ranking = public_list(shown.body, words, about)
    files = site(ranking, seatings, _calendar(pages, words), words, title=title, as_of=as_of)
    return as_file(packed(files), "application/zip", "tavolo-site.zip")


_FOR_A_CHAT: Final = ("txt", "png")


def _for_all(pages: Pages, words: Words) -> PrintedList:
    body = ranking_for_all(pages)
    return public_list(body, words, f"{words['tournament']} {body['tournament']}" if body["tournament"] else "")


def _calendar(pages: Pages, words: Words) -> str:
    tournament = pages.book.tournaments.all()
    name = tournament[0].name if tournament else ""
    return calendar(tournament_rounds(pages), words, f"{words['tournament']} {name}".strip(), pages.store.hall)


def _list(pages: Pages, request: Request, kind: str, words: Words) -> PrintedList:
    rounds = tournament_rounds(pages)
    if kind == "seating":
        return _seating(pages, request, words)
    tournament = pages.book.tournaments.all()
    about = f"{words['tournament']} {tournament[0].name}" if tournament else ""
    if kind == "warnings":
        return warnings_list(warned_of(pages), lambda one: about_warning(pages, one, words.language), words, about)
    if kind == "prizes":
        prizes = prizes_of(request.query_params.get("prizes", ""))
        return prizes_list(shared_out(ranking_of(pages), prizes), words, about)
    if kind == "entries":
        known = pages.book.entrants.people()
        listed = [(name, known.get(name.casefold(), ())) for name in pages.book.entrants.listed()]
        return entries_list(listed, words)
    extra = extra_title(results_of(pages, rounds[-1])) if rounds else {}
    ranked = ranking_of(pages)
    return ranking_list(ranked, words, about, extra.get(words.language, ""), people_in(pages, ranked))


def _seating(pages: Pages, request: Request, words: Words) -> PrintedList:
    rounds, tables = tournament_rounds(pages), order(tuple(pages.store.tables))
    if "pairs" in request.query_params:
        seated = seating_of(request.query_params["pairs"], pages.store.tables)
        groups = groups_of_text(request.query_params["pairs"], pages.store.tables) or groups_of(pages)
        return seating_list(seated, tables, words, f"{words['round']} {len(rounds) + 1}", groups)
    chosen = chosen_round(pages, request.query_params.get("round", ""))
    number = next((n for n, one in enumerate(rounds, start=1) if chosen is not None and one.id == chosen.id), 0)
    held = {} if chosen is None else pages.book.rounds.seated(chosen.id)
    places = tables if chosen is None else (*tables, *(one for one in chosen.places if one not in tables))
    return seating_list(held, places, words, f"{words['round']} {number}" if number else "", groups_of(pages))


def _written(one: PrintedList, ending: str, hall: str) -> bytes:
    if ending == "json":
        return one.as_json
    if ending == "csv":
        return list_csv([column.head for column in one.columns], one.rows).encode()
    if ending == "txt":
        return list_text(one).encode()
    if ending == "png":
        return list_png(one)
    if ending == "xlsx":
        return list_xlsx(one.title, [column.head for column in one.columns], one.rows)
    from table_service.console.archive.paper import list_pdf

    return list_pdf(one, hall=hall, printed=time.strftime("%d.%m.%Y %H:%M"))
