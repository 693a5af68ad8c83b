"""Tournaments, circuits and the season's ranking; results for other programs, from them and to them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, Response

from table_service.console.access import ALL, CHIEF, DIRECTION, LONGEST_RECORDS, form_of, only, signed_in
from table_service.console.archive.tables_csv import list_csv
from table_service.console.http_answers import CSV, as_file
from table_service.console.numbers import whole
from table_service.federation.errors import FederationUseError
from table_service.federation.season_rules import MemberSeason, Seasons, circuits, set_circuit
from table_service.federation.site.federation_site import FederationSite
from table_service.federation.tournament_results import read_results, results_after, results_csv, take_results

PAGE: Final = 100
API: Final = "/api/federation/v1"
_LISTED: Final = """
select t.id, t.hall, t.name, t.began, coalesce(t.circuit, '') as circuit, t.level, t.sent_by,
(select count(*) from ranked_entry p where p.tournament = t.id) as entries from tournament t
where ($1::text[] is null or t.hall = any($1)) order by t.began desc, t.id desc limit 200"""


def router(site: FederationSite) -> APIRouter:
    """Return the routes of tournaments and seasons."""
    made = APIRouter()
    seasons = Seasons(site.archive)
    _tournaments(site, made)
    _programs(site, made)

    async def named(rows: Sequence[MemberSeason]) -> list[tuple[MemberSeason, Any]]:
        found = await site.archive.rows(
            "select number, name, club from member where number = any($1::text[])", [one.member for one in rows]
        )
        by_number = {row["number"]: row for row in found}
        return [(one, by_number.get(one.member)) for one in rows]

    @made.get("/season", dependencies=[Depends(only(ALL))])
    async def season(request: Request) -> Response:
        """Return the ranking of a circuit, 100 a page; ``?member=``: the page on which a member is."""
        known = await circuits(site.archive)
        chosen = request.query_params.get("circuit") or (known[0]["name"] if known else "")
        ranked = await seasons.ranking(chosen) if chosen else None
        if ranked is None and chosen:
            return site.refused(request, "fed_circuit_unknown", status=404)
        rules, rows = ranked or (None, [])
        number, member = (
            whole(request.query_params.get("page", "")) or 0,
            request.query_params.get("member", "").strip(),
        )
        at = next((n for n, one in enumerate(rows) if one.member == member), None) if member else None
        number = at // PAGE if at is not None else min(number, 100_000)
        part = rows[number * PAGE : (number + 1) * PAGE]
        return site.page(
            request, "fed_season.html", circuits=known, chosen=chosen, rules=rules, rows=await named(part),
            number=number, more=len(rows) > (number + 1) * PAGE, members=len(rows), member=member,
            absent=bool(member) and at is None,
        )  # fmt: skip

    @made.get("/season.{ending}", dependencies=[Depends(only(ALL))])
    async def file(request: Request, ending: str) -> Response:
        """Return the whole ranking of a circuit as a file."""
        chosen = request.query_params.get("circuit", "")
        ranked = await seasons.ranking(chosen)
        if ranked is None or ending not in ("csv", "json"):
            return site.refused(request, "fed_circuit_unknown", status=404)
        told = [
            {"place": one.place, "member": one.member, "name": row["name"] if row else "",
             "club": row["club"] if row else "",
             "points": one.total, "played": one.played, "counted": one.counted}
            for one, row in await named(ranked[1])
        ]  # fmt: skip
        if ending == "json":
            body = json.dumps({"circuit": chosen, "rows": told}, ensure_ascii=False, separators=(",", ":"))
            return as_file(body, "application/json", "tavolo-season.json", store=False)
        head = ("place", "member", "name", "club", "points", "played", "counted")
        text = list_csv(head, [tuple(one.values()) for one in told], programs=True)
        return as_file(text, CSV, "tavolo-season.csv", store=False)

    return made


def _tournaments(site: FederationSite, made: APIRouter) -> None:
    async def shown(request: Request, problem: str = "", done: str = "") -> Response:
        reach = await site.reach(request)
        found = await site.archive.rows(_LISTED, reach.sql_halls)
        places = (await site.standing())[1]
        return site.pages.page(
            request, "fed_tournaments.html", tournaments=found, circuits=await circuits(site.archive), problem=problem,
            done=done, halls=[one.hall for one in places if reach.has_hall(one.hall)], reach=reach,
            status=400 if problem else 200,
        )  # fmt: skip

    @made.get("/tournaments", dependencies=[Depends(only(DIRECTION, "tournaments"))])
    async def page(request: Request) -> Response:
        """Tournaments within one's rights, and circuits."""
        return await shown(request)

    @made.post("/tournaments", dependencies=[Depends(only(DIRECTION, longest=LONGEST_RECORDS))])
    async def take(request: Request) -> Response:
        """Take the results of a tournament from the file that the hall's console has made."""
        form, reach = await form_of(request), await site.reach(request)
        hall = form.get("hall", "")
        if not reach.has_hall(hall) or not hall:
            return site.refused(request, "not_allowed", status=403)
        try:
            told = read_results(form.get("results", ""))
            await take_results(site.archive, hall, told, signed_in(request).person.name)
        except FederationUseError as error:
            return await shown(request, str(error))
        site.note(request, "results taken", detail=f"{hall}: {told.tournament}")
        return await shown(request, done=told.tournament)

    @made.post("/circuits", dependencies=[Depends(only(CHIEF))])
    async def circuit(request: Request) -> Response:
        """Keep a circuit's rules of points."""
        if not (await site.reach(request)).is_whole:
            return site.refused(request, "not_allowed", status=403)
        try:
            rules = await set_circuit(site.archive, (await form_of(request)).get("rules", ""))
        except FederationUseError as error:
            return await shown(request, str(error))
        site.note(request, "circuit kept", detail=rules.name)
        return await shown(request, done=rules.name)


def _programs(site: FederationSite, made: APIRouter) -> None:
    @made.get(f"{API}/results.{{ending}}", dependencies=[Depends(only(ALL, "results"))])
    async def results(request: Request, ending: str) -> Response:
        """Results within a token's rights, a page at a time: ``?after=`` the number of the last one that is known."""
        if ending not in ("json", "csv"):
            return JSONResponse({"detail": "no such format: json or csv"}, status_code=404)
        after = min(whole(request.query_params.get("after", "")) or 0, 2**62)
        found = await results_after(site.archive, await site.reach(request), after)
        if ending == "csv":
            return Response(results_csv(found), media_type=CSV)
        body = {"results": found, "next": found[-1]["tournament"] if found else after}
        return JSONResponse(body)

    @made.post(f"{API}/results/{{hall}}", dependencies=[Depends(only(DIRECTION))])
    async def send(request: Request, hall: str) -> Response:
        """Take the results of a tournament of a hall within the token's rights."""
        if not (await site.reach(request)).has_hall(hall):
            return JSONResponse({"detail": f"hall {hall} is beyond this token's rights"}, status_code=403)
        try:
            told = read_results(await request.body())
            number = await take_results(site.archive, hall, told, signed_in(request).person.name)
        except FederationUseError as error:
            return JSONResponse({"detail": str(error)}, status_code=422)
        site.note(request, "results taken", detail=f"{hall}: {told.tournament}")
        return JSONResponse({"tournament": number}, status_code=201)
