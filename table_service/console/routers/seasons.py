"""The season: final rankings of several evenings, added up by points for the place."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import ROUND, only
from table_service.console.archive.printed_list import PrintedList, season_list
from table_service.console.numbers import whole
from table_service.console.pages import AskedPages, Pages
from table_service.console.routers.common import with_bar
from table_service.console.ruling_forms import FormError
from table_service.console.season import evening_of, points_of, season_of
from table_service.console.vocabulary import Words

router = APIRouter()
"""The routes of the season."""


@router.get("/season", dependencies=[Depends(only(ROUND, "standing"))])
async def page(request: Request, pages: AskedPages) -> Response:
    """Serve the form, and the season by what it says."""
    asked = request.query_params
    listed, refused = None, None
    if "points" in asked:
        try:
            listed = season_list_of(pages, request, Words(pages.language(request)))
        except FormError as error:
            refused = error
    evenings = [(number, str(body.get("tournament", ""))) for number, body in pages.book.choices.finals().items()]
    return with_bar(
        pages, request, "season.html", listed=listed, refused=refused, evenings=evenings,
        chosen=_chosen(pages, request), points=asked.get("points", ""), best=asked.get("best", ""),
        query=request.url.query,
    )  # fmt: skip


def _chosen(pages: Pages, request: Request) -> list[int]:
    """Return the evenings that are added up: those that are ticked, or all if none is."""
    ticked = {whole(one) for one in request.query_params.getlist("evening")}
    return [number for number in pages.book.choices.finals() if not ticked or number in ticked]


def season_list_of(pages: Pages, request: Request, words: Words) -> PrintedList:
    """Return the season's ranking by the form: ``points`` by place, ``best`` evenings of each. Raises FormError."""
    asked, finals = request.query_params, pages.book.choices.finals()
    points, best = points_of(asked.get("points", "")), whole(asked.get("best", "").strip())
    if asked.get("best", "").strip() and not best:
        raise FormError("bad_number")
    evenings = [
        evening_of(str(finals[number].get("tournament", number)), finals[number].get("rows", ()))
        for number in _chosen(pages, request)
    ]
    if not evenings:
        raise FormError("season_none")
    about = words.say("season_about", n=len(evenings))
    if best:
        about = f"{about}, {words.say('season_best_of', n=best)}"
    return season_list(season_of(evenings, points, best), [one.name for one in evenings], words, about)
