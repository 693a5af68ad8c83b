"""Rulings from the code's list: what no sensor sees, entered by the arbitro in two clicks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, Response

from table_service.console.access import ARBITRI, form_of, only, signed_in
from table_service.console.pages import AskedPages, NamedTable, Pages, Viewer
from table_service.console.routers.common import bar
from table_service.console.routers.table import desk
from table_service.console.ruling_forms import offers, order_of, ruling_of
from table_service.console.streams import PagePart
from table_service.console.table_view import TableView
from table_service.events.orders import ORDERS

router = APIRouter()
"""The routes of the list of rulings."""


@router.get("/table/{name}/decide", dependencies=[Depends(only(ARBITRI, "rulings"))])
async def decide(request: Request, pages: AskedPages, view: NamedTable) -> Response:
    """Serve the code's rows that no sensor reports, to enter as rulings; with ``part`` only the list."""
    viewer, query = pages.viewer(request), request.query_params
    wanted, everything = query.get("q", "")[:80], query.get("all") == "1"
    found = offers(pages.catalogue(view), viewer.language, wanted, everything=everything)
    played = pages.words(viewer.language, view).game
    values: dict[str, Any] = {
        "t": view,
        "offers": found,
        "wanted": wanted,
        "everything": everything,
        "rows": played.rows_of(view.state or {}),
    }
    if query.get("part"):
        return HTMLResponse(pages.render("part_offers.html", viewer, **values))
    return pages.live(request, "decide.html", lambda viewer: decide_parts(pages, view, viewer), **values)


@router.get("/table/{name}/decide/stream", dependencies=[Depends(only(ARBITRI))])
async def decide_stream(request: Request, pages: AskedPages, view: NamedTable) -> Response:
    """Return what was ordered, as server-sent events."""
    return pages.stream(request, lambda viewer: decide_parts(pages, view, viewer), at=view.name)


@router.post("/table/{name}/decide/{row}", dependencies=[Depends(only(ARBITRI))])
async def enter(request: Request, pages: AskedPages, view: NamedTable, row: str) -> Response:
    """Enter a row as a ruling, as a signed order to the table."""
    session, catalogue = signed_in(request), pages.catalogue(view)
    if catalogue is None or row not in catalogue.rows:
        return pages.missing(request, view.name)
    form, language = await form_of(request), pages.language(request)
    fields = ruling_of(catalogue.rows[row], form, language, pages.rule_set(view))
    given = pages.office.give(view.name, order_of(ORDERS, "rule", session.person.name, fields))
    pages.office.deed(session, "rule", place=view.name, detail={"do": "rule", **given.fields})
    return pages.go(request, f"/table/{view.name}")


def decide_parts(pages: Pages, table: TableView, viewer: Viewer) -> Sequence[PagePart]:
    """Return the parts of the list of rulings: what was ordered at this table."""

    def html() -> str:
        return pages.render("part_orders.html", viewer, t=table, **desk(pages, table, viewer))

    return [PagePart("orders", lambda: table.versions["alerts"], html), *bar(pages, viewer)]
