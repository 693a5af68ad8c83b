"""The first page: clubs and halls, which are playing now, which are behind and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, Response

from table_service.console.access import ALL, CHIEF, STAFF, form_of, only
from table_service.console.plain_names import plain_name
from table_service.federation.archive_status import ArchiveStanding, HallStanding
from table_service.federation.reach import AccountReach, HallPlace, set_place
from table_service.federation.site.federation_site import FederationSite

NAME_MOST = 60


@dataclass(frozen=True, slots=True)
class HallLine:
    """One hall as the page shows it. ``ago``: seconds since something of it was archived, None where never."""

    place: HallPlace
    standing: HallStanding | None
    ago: float | None

    @property
    def is_playing(self) -> bool:
        """True if a table of it was heard lately."""
        return self.standing is not None and self.standing.playing > 0


def hall_lines(
    standing: ArchiveStanding, places: Sequence[HallPlace], reach: AccountReach, now: datetime
) -> list[HallLine]:
    """Return the halls within ``reach``: those that are behind first, then those that play, by region and club."""
    by_hall = {one.hall: one for one in standing.halls}
    found = []
    for place in places:
        if reach.has_hall(place.hall):
            own = by_hall.get(place.hall)
            heard = own.heard if own is not None else None
            found.append(HallLine(place, own, None if heard is None else (now - heard).total_seconds()))
    return sorted(
        found,
        key=lambda one: (
            not (one.standing and one.standing.missing), not one.is_playing, one.place.region, one.place.club,
            one.place.hall,
        ),
    )  # fmt: skip


def router(site: FederationSite) -> APIRouter:
    """Return the routes of the first page."""
    made = APIRouter()

    async def part(request: Request) -> str:
        standing, places = await site.standing()
        reach = await site.reach(request)
        lines = hall_lines(standing, places, reach, datetime.now(UTC))
        region = request.query_params.get("region", "")
        regions = sorted({one.place.region for one in lines if one.place.region})
        lines = [one for one in lines if not region or one.place.region == region]
        return site.pages.render(
            "part_fed_halls.html", site.pages.viewer(request), lines=lines, reach=reach, regions=regions,
            region=region, tables=sum(one.standing.playing for one in lines if one.standing),
            playing=sum(one.is_playing for one in lines),
            behind=sum(bool(one.standing and one.standing.missing) for one in lines),
        )  # fmt: skip

    @made.get("/", dependencies=[Depends(only(ALL))])
    async def page(request: Request) -> Response:
        """Halls now; the page asks again every second. A spectator sees the season's ranking."""
        if not site.pages.viewer(request).staff:
            return site.pages.go(request, "/season")
        return site.page(request, "fed_halls.html", halls=await part(request), query=request.url.query)

    @made.get("/now", dependencies=[Depends(only(STAFF))])
    async def now(request: Request) -> Response:
        """Serve the same without its frame."""
        return HTMLResponse(await part(request), headers={"Cache-Control": "no-store"})

    @made.post("/places", dependencies=[Depends(only(CHIEF))])
    async def place(request: Request) -> Response:
        """Write down the club and the region of a hall."""
        form, reach = await form_of(request), await site.reach(request)
        hall, club, region = (plain_name(form.get(name, ""))[:NAME_MOST] for name in ("hall", "club", "region"))
        if not hall or not reach.is_whole:
            return site.refused(request, "not_allowed" if hall else "bad_form", status=403 if hall else 400)
        await set_place(site.archive, HallPlace(hall, club, region))
        site.note(request, "hall placed", detail=f"{hall}: {club}, {region}")
        return site.pages.go(request, "/rights")

    return made
