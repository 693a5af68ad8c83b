"""Rights of each account: the federation, regions, clubs and halls; and where each hall is."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import CHIEF, form_of, only
from table_service.console.plain_names import plain_name
from table_service.federation.reach import KINDS, give, given_to, halls_of, take_away
from table_service.federation.site.federation_site import FederationSite, reader_of


def router(site: FederationSite) -> APIRouter:
    """Return the routes of rights. Only a chief whose own reach is the whole federation changes them."""
    made = APIRouter()
    book = site.pages.book

    @made.get("/rights", dependencies=[Depends(only(CHIEF, "rights"))])
    async def page(request: Request) -> Response:
        """Every account with what it reaches."""
        reach = await site.reach(request)
        people = [
            (one, await given_to(site.archive, reader_of(book, one)))
            for one in book.accounts.everybody()
            if not one.disabled
        ]
        places = await halls_of(site.archive)
        names = {
            "region": sorted({one.region for one in places if one.region}),
            "club": sorted({one.club for one in places if one.club}),
            "hall": [one.hall for one in places],
        }
        return site.page(
            request, "fed_rights.html", people=people, kinds=KINDS, names=names, places=places, reach=reach
        )

    @made.post("/rights/{number}/{deed}", dependencies=[Depends(only(CHIEF))])
    async def change(request: Request, number: int, deed: str) -> Response:
        """Give somebody a right, or take it away."""
        form = await form_of(request)
        person, own = book.accounts.person(number if number < 2**63 else 0), await site.reach(request)
        kind = next((one for one in KINDS if one == form.get("kind")), None)
        name = plain_name(form.get("name", ""))[:60]
        if not own.is_whole:
            return site.refused(request, "not_allowed", status=403)
        if person is None or kind is None or deed not in ("give", "take") or (kind != "federation" and not name):
            return site.refused(request, "bad_form")
        change_it = give if deed == "give" else take_away
        await change_it(site.archive, reader_of(book, person), kind, name)
        site.note(request, f"right {deed}", detail=f"{person.name}: {kind} {name}".strip())
        return site.pages.go(request, "/rights")

    return made
