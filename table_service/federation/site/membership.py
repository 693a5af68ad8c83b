"""Members: found by number or name within one's rights; a list of a federation or a club taken in."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import DIRECTION, LONGEST_RECORDS, ROUND, form_of, only
from table_service.console.archive.tables_csv import list_csv
from table_service.console.http_answers import CSV, as_file
from table_service.console.numbers import whole
from table_service.federation.members import MemberList, find_members, read_members, take_members, within
from table_service.federation.site.federation_site import FederationSite

PAGE: Final = 100
SHOWN: Final = 50
"""Sentences about refused lines that are shown; of more, how many."""


def router(site: FederationSite) -> APIRouter:
    """Return the routes of members."""
    made = APIRouter()

    async def shown(request: Request, read: MemberList | None = None, taken: tuple[int, int] | None = None) -> Response:
        reach, text = await site.reach(request), request.query_params.get("q", "")
        number = min(whole(request.query_params.get("page", "")) or 0, 10_000)
        found = await find_members(site.archive, reach, text, skip=number * PAGE, most=PAGE + 1)
        refused = () if read is None else read.refused
        return site.page(
            request, "fed_members.html", members=found[:PAGE], more=len(found) > PAGE, number=number, text=text,
            refused=refused[:SHOWN], unsaid=max(0, len(refused) - SHOWN), taken=taken,
        )  # fmt: skip

    @made.get("/members", dependencies=[Depends(only(ROUND, "members"))])
    async def page(request: Request) -> Response:
        """Members by name."""
        return await shown(request)

    @made.post("/members", dependencies=[Depends(only(DIRECTION, longest=LONGEST_RECORDS))])
    async def take(request: Request) -> Response:
        """Take a list in: its good lines; each other one is said."""
        form, reach = await form_of(request), await site.reach(request)
        read = within(reach, read_members(form.get("list", "")))
        taken = await take_members(site.archive, read.members, reach)
        site.note(request, "members taken", detail=f"{taken[0]} + {taken[1]}, {len(read.refused)}")
        return await shown(request, read, taken)

    @made.get("/members.csv", dependencies=[Depends(only(DIRECTION, "members file"))])
    async def file(request: Request) -> Response:
        """All members within one's rights, as the import takes them."""
        found = await find_members(site.archive, await site.reach(request), most=1_000_000)
        rows = [(row["number"], row["name"], row["club"], row["category"]) for row in found]
        text = list_csv(("tessera", "nome e cognome", "circolo", "categoria"), rows, programs=True)
        return as_file(text, CSV, "tavolo-members.csv", store=False)

    return made
