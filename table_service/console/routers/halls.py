"""Several halls in one view: what waits in this one and in the others, how old that is, and a link into each."""

from __future__ import annotations

from collections.abc import Hashable

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import STAFF, only
from table_service.console.pages import Pages, Viewer
from table_service.console.remote.other_halls import OtherHalls
from table_service.console.routers.common import alerts_version, bar, waiting
from table_service.console.streams import SLOW_S, PagePart


def router(pages: Pages, others: OtherHalls) -> APIRouter:
    """Return the routes of the halls' page."""
    made = APIRouter()

    def parts(viewer: Viewer) -> list[PagePart]:
        def version() -> Hashable:
            return (others.version, alerts_version(pages), pages.store.connected)

        def html() -> str:
            now = pages.office.clock()
            far = [(one, one.state(now)) for one in others.views()]
            return pages.render(
                "part_halls.html", viewer, mine=waiting(pages, viewer), far=far, name=pages.store.hall,
                tables=len(pages.store.tables), connected=pages.store.connected,
                lost=sum(one.status in ("lost", "stopped") for one in pages.store.tables.values()),
            )  # fmt: skip

        return [PagePart("halls", version, html), *bar(pages, viewer)]

    @made.get("/halls", dependencies=[Depends(only(STAFF, "halls"))])
    async def page(request: Request) -> Response:
        """Return what waits in all halls."""
        return pages.live(request, "halls.html", parts)

    @made.get("/halls/stream", dependencies=[Depends(only(STAFF))])
    async def stream(request: Request) -> Response:
        """Its changes as server-sent events."""
        return pages.stream(request, parts, slow=SLOW_S)

    return made
