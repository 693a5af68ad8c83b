"""The standing of a round, table by table, and of the tournament, pair by pair."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import ROUND, only
from table_service.console.archive.printed_list import clubs_of, members_of
from table_service.console.archive.tables_csv import standing_csv
from table_service.console.http_answers import CSV, as_file
from table_service.console.numbers import whole
from table_service.console.pages import AskedPages, Pages, Viewer
from table_service.console.results import extra_title
from table_service.console.routers.common import bar
from table_service.console.routers.given_points import to_give
from table_service.console.routers.offered_reports import award_form_of, event_reports_of, round_reports_of
from table_service.console.storage import Round
from table_service.console.streams import PagePart
from table_service.console.tournament_book import people_in, ranking_of, results_of, team_results, tournament_rounds
from table_service.console.vocabulary import Words

router = APIRouter()
"""The routes of the standing."""


@router.get("/standing", dependencies=[Depends(only(ROUND, "standing"))])
async def page(request: Request, pages: AskedPages) -> Response:
    """Serve the newest round's results, or those of ``?round=``, and the ranking."""
    viewer, wanted = pages.viewer(request), request.query_params.get("round", "")
    chosen = chosen_round(pages, wanted)
    reports = round_reports_of(pages, chosen, viewer)
    awards = viewer.rules and chosen is not None and award_form_of(pages, chosen) is not None
    return pages.live(
        request, "standing.html", lambda viewer: standing_parts(pages, viewer, wanted),
        stream=f"/standing/stream?{urlencode({'round': wanted})}", wanted=wanted, reports=reports, awards=awards,
        event_reports=event_reports_of(pages, chosen),
    )  # fmt: skip


@router.get("/ranking", dependencies=[Depends(only(None))])
async def published(request: Request, pages: AskedPages) -> Response:
    """Serve the ranking that the organiser has published, for everybody; as it was when he did."""
    viewer = replace(pages.viewer(request), public=True)
    shown = pages.book.choices.ranking
    return pages.page(request, "ranking.html", viewer=viewer, published=shown, status=200 if shown else 404)


@router.get("/standing/stream", dependencies=[Depends(only(ROUND))])
async def stream(request: Request, pages: AskedPages) -> Response:
    """Its changes as server-sent events."""
    wanted = request.query_params.get("round", "")
    return pages.stream(request, lambda viewer: standing_parts(pages, viewer, wanted), slow=0.5)


@router.get("/reports/standing.csv", dependencies=[Depends(only(ROUND, "standing"))])
async def report(request: Request, pages: AskedPages) -> Response:
    """Serve the results of the round and the ranking, for a spreadsheet; what is not known stays empty."""
    tables = results_of(pages, chosen_round(pages, request.query_params.get("round", "")))
    language = pages.language(request)
    extra = extra_title(tables).get(language, "")
    body = standing_csv(tables, ranking_of(pages), Words(language), extra=extra)
    return as_file(body, CSV, "tavolo-results.csv")


def chosen_round(pages: Pages, wanted: str) -> Round | None:
    """Return the round of the tournament that a page names by its number, else the newest, or None."""
    rounds = tournament_rounds(pages)
    named = whole(wanted) or 0
    return rounds[named - 1] if 0 < named <= len(rounds) else (rounds[-1] if rounds else pages.book.rounds.current)


def standing_parts(pages: Pages, viewer: Viewer, wanted: str) -> Sequence[PagePart]:
    """Return the parts of the standing's page."""
    book = pages.book

    def version() -> Hashable:
        return (book.rounds.version, pages.office.sheets.version)

    def html() -> str:
        rounds, chosen, ranked = tournament_rounds(pages), chosen_round(pages, wanted), ranking_of(pages)
        tables = results_of(pages, chosen)
        numbered = next((n for n, one in enumerate(rounds, start=1) if chosen is not None and one.id == chosen.id), 0)
        return pages.render(
            "part_standing.html", viewer, round=chosen, number=numbered, rounds=len(rounds), tables=tables,
            open=sum(not t.final for t in tables), ranking=ranked, people=people_in(pages, ranked), clubs_of=clubs_of,
            members_of=members_of,
            matches_of_teams=team_results(pages, chosen),
            to_give=to_give(pages, chosen), by_matches=any(one.match for t in tables for one in t.lines),
            extra=extra_title(tables),
        )  # fmt: skip

    return [PagePart("standing", version, html), *bar(pages, viewer)]
