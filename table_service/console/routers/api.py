"""The JSON API: what the pages show and do, for programs; each asks with a token, and sees what its person may see."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final, cast

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response

from hw.seats import LINES
from table_service.console import api_models as models
from table_service.console import views
from table_service.console.access import ALL, ARBITRI, ROUND, STAFF, only, signed_in
from table_service.console.pages import AskedPages, Pages, Viewer
from table_service.console.public_tables import public_events, public_view
from table_service.console.rankings import published
from table_service.console.routers.alert import change_decision, give_ruling, set_hand
from table_service.console.routers.api_errors import ERRORS, ROOT, set_summaries, wrong
from table_service.console.routers.case_facts import CaseFacts, case_facts
from table_service.console.routers.hall import order as in_order
from table_service.console.routers.played_rounds import ranking_of_game
from table_service.console.routers.table import command_of, secret_of
from table_service.console.ruling_forms import cards_of
from table_service.console.storage import Case, StoredOrder
from table_service.console.table_view import TableView
from table_service.console.tournament_book import people_in, ranking_of
from table_service.events.untrusted import as_list, as_map
from table_service.games.definition import RuleSet

MOST_EVENTS: Final = 1000


router = APIRouter(prefix=ROOT, responses=ERRORS, tags=["tables"])
"""The routes of the API."""


@router.get("/hall", dependencies=[Depends(only(ALL, "api"))])
async def hall(request: Request, pages: AskedPages) -> models.Hall:
    """Return the hall: all tables."""
    viewer, store = pages.viewer(request), pages.tables_for(pages.viewer(request))
    rows = [_row(pages, store.tables[name], viewer) for name in in_order(tuple(store.tables))]
    delay = 0 if viewer.staff else int(pages.book.choices.delay)
    return models.Hall(hall=store.hall, connected=store.connected, delay=delay, tables=rows)


@router.get("/tables/{name}", dependencies=[Depends(only(ALL, "api"))])
async def table(request: Request, pages: AskedPages, name: str) -> models.Table:
    """One table with its public state."""
    viewer = pages.viewer(request)
    held = pages.tables_for(viewer).tables.get(name)
    if held is None:
        wrong(404, "no_such_table")
    seen = held if viewer.staff else public_view(held)
    return models.Table(
        name=name, status=_status(held), boot=held.boot, software=held.software, state=seen.state
    )  # fmt: skip


@router.get("/tables/{name}/events", dependencies=[Depends(only(ALL, "api"))])
async def events(
    request: Request,
    pages: AskedPages,
    name: str,
    after: int = Query(0, ge=0, description="the ``next`` of the answer before; 0: from the beginning"),
    limit: int = Query(200, ge=1, le=MOST_EVENTS),
) -> models.Events:
    """Return a table's events as the console heard them; asked again with ``next``, those that have come since."""
    viewer = pages.viewer(request)
    live = pages.store.tables.get(name)
    if live is None:
        wrong(404, "no_such_table")
    await asyncio.to_thread(pages.book.kept.flush)
    until = None if viewer.staff else pages.public.shown_until(pages.office.clock())
    bodies, last = pages.book.kept.after(name, after, limit, until)
    types = None if viewer.staff else views.public_types(pages.words("it", live))
    return models.Events(events=public_events(bodies, types), next=last)


@router.get("/sheets", dependencies=[Depends(only(ROUND, "api"))], tags=["round"])
async def sheets(
    pages: AskedPages, table: str = Query("", description="only this table's")
) -> list[models.RoundSheets]:
    """Return the score sheets of each table's newest round."""
    book = pages.office.sheets
    found = [book.now(name) for name in in_order(tuple(book.places())) if table in ("", name)]
    return [
        models.RoundSheets(
            table=held.place,
            state=held.state,
            final=held.closed,
            sheets=[
                models.SheetRow(
                    deal=number,
                    state=cast("Any", one.state),
                    score=dict(one.data),
                    signed={line: one.how(line).how for line in LINES},
                )
                for number, one in sorted(held.sheets.items())
            ],
        )
        for held in found
        if held is not None
    ]


@router.get("/ranking", dependencies=[Depends(only(ALL, "api"))], tags=["round"])
async def ranking(request: Request, pages: AskedPages) -> models.Ranking:
    """Return the ranking of the tournament."""
    told = pages.book.choices.ranking
    if pages.viewer(request).staff:
        ranked = ranking_of(pages)
        rows = await asyncio.to_thread(ranking_of_game, pages)
        rows = rows or published("", ranked, None, people_in(pages, ranked), members=True)["rows"]
    elif told is None:
        wrong(404, "ranking_unpublished")
    else:
        rows = told.body["rows"]
    return models.Ranking(published=None if told is None else told.at, rows=rows)


@router.get("/alerts", dependencies=[Depends(only(STAFF, "api"))], tags=["alerts"])
async def alerts(pages: AskedPages) -> list[models.AlertRow]:
    """Everything that waits for the arbitro."""
    return [
        _alert(table, key, document, pages.book.desk.case(table.name, key), live=True)
        for table in pages.store.tables.values()
        for key, document in table.alerts.items()
    ]


@router.get("/alerts/{table}/{key}", dependencies=[Depends(only(STAFF, "api"))], tags=["alerts"])
async def alert(
    pages: AskedPages, table: str, key: str, case: int | None = Query(None, description="an older life of the key")
) -> models.AlertWhole:
    """One alert, standing or ended, with all that it rests on."""
    await asyncio.to_thread(pages.book.kept.flush)
    view, facts = _facts(pages, table, key, case)
    row = _alert(view, key, facts.document, facts.case, live=facts.live)
    return models.AlertWhole(
        **row.model_dump(),
        events=list(facts.told),
        orders=[_order(one) for one in facts.orders],
        pictures=[dict(as_map(one)) for one in as_list(as_map(facts.pictured).get("pictures"))],
    )


@router.get("/alerts/{table}/{key}/pictures/{ref}", dependencies=[Depends(only(STAFF, "api"))], tags=["alerts"],
          response_class=Response, responses={200: {"content": {"image/jpeg": {}}}})  # fmt: skip
async def picture(request: Request, pages: AskedPages, table: str, key: str, ref: str) -> Response:
    """Serve a picture, hand areas masked; its table is asked for it in this person's name."""
    _facts(pages, table, key, None)
    send = pages.office.send if pages.office.reachable(table) else None
    jpeg = await pages.office.fetcher.fetch(table, ref, signed_in(request).person.name, send)
    if jpeg is None:
        wrong(404, "no_picture")
    return Response(jpeg, media_type="image/jpeg")


@router.post("/alerts/{table}/{key}/hand", dependencies=[Depends(only(ARBITRI))], tags=["alerts"])
async def hand(request: Request, pages: AskedPages, table: str, key: str, what: models.HandDeed) -> models.AlertRow:
    """Take an alert in hand, let it go, put it off, call a second arbitro, resolve a call."""
    view, facts = _facts(pages, table, key, None)
    if not facts.live or facts.case is None:
        wrong(409, "reverse_late")
    set_hand(pages, signed_in(request), table, key, what.deed, what.minutes)
    return _alert(view, key, facts.document, pages.book.desk.case(table, key), live=True)


@router.post("/alerts/{table}/{key}/ruling", dependencies=[Depends(only(ARBITRI))], tags=["alerts"], status_code=202)
async def ruling(request: Request, pages: AskedPages, table: str, key: str, what: models.Ruling) -> models.OrderRow:
    """Rule on an alert; the order goes out when the time to undo it is over."""
    view, facts = _facts(pages, table, key, None)
    if not facts.live or facts.pending is not None:
        wrong(409, "ruling_pending" if facts.pending is not None else "reverse_late")
    return _order(give_ruling(pages, signed_in(request), table, key, what.do, _said(what, pages.rule_set(view))))


@router.post("/alerts/{table}/{key}/reversal", dependencies=[Depends(only(ARBITRI))], tags=["alerts"], status_code=202)
async def reversal(
    request: Request, pages: AskedPages, table: str, key: str, what: models.DecisionChange
) -> models.OrderRow:
    """Change a decision after it was made."""
    view, facts = _facts(pages, table, key, None)
    chosen = _said(what, pages.rule_set(view))
    return _order(change_decision(pages, signed_in(request), table, key, facts, chosen, reason=what.reason))


@router.post("/tables/{name}/orders", dependencies=[Depends(only(ARBITRI))], tags=["orders"], status_code=202)
async def give(request: Request, pages: AskedPages, name: str, what: models.TableOrder) -> models.OrderRow:
    """Give a table one of its own commands."""
    view, session = pages.store.tables.get(name), signed_in(request)
    if view is None:
        wrong(404, "no_such_table")
    played = pages.rule_set(view)
    order = command_of(what.do, _said(what, played), view, played, session.person.name)
    given = pages.office.give(name, order, secret=secret_of(played))
    pages.office.deed(session, "order", place=name, detail={"do": what.do, **given.open_fields})
    return _order(given)


@router.get("/orders/{order_id}", dependencies=[Depends(only(STAFF))], tags=["orders"])
async def order(pages: AskedPages, order_id: str) -> models.OrderRow:
    """Return what became of an order."""
    return _order(_held(pages, order_id))


@router.post("/orders/{order_id}/withdraw", dependencies=[Depends(only(ARBITRI))], tags=["orders"])
async def withdraw(request: Request, pages: AskedPages, order_id: str) -> models.OrderRow:
    """Undo an order that has not gone out."""
    held = _held(pages, order_id)
    if pages.office.cancel(order_id) is None:
        wrong(409, "reverse_late")
    pages.office.deed(signed_in(request), "withdraw", place=held.place, detail={"do": held.do, "id": held.id})
    return _order(_held(pages, order_id))


def _held(pages: Pages, order_id: str) -> StoredOrder:
    held = pages.book.orders.order(order_id)
    if held is None:
        wrong(404, "no_page")
    return held


def _facts(pages: Pages, place: str, key: str, number: int | None) -> tuple[TableView, CaseFacts]:
    view = pages.store.tables.get(place)
    facts = None if view is None else case_facts(pages, view, key, number)
    if view is None or facts is None:
        wrong(404, "no_such_table" if view is None else "no_page")
    return view, facts


def _said(what: models.StrictModel, played: RuleSet | None) -> dict[str, Any]:
    """Return the fields of an order that was sent, its cards as the pack writes them. Raises FormError."""
    said = what.model_dump(mode="json", exclude_none=True, exclude={"do", "reason"})
    cards = said.get("cards")
    return said | ({"cards": cards_of(" ".join(cards), "en", played)} if isinstance(cards, list) else {})


def _row(pages: Pages, table: TableView, viewer: Viewer) -> models.TableRow:
    seen = table if viewer.staff else public_view(table)
    head = views.head(seen, pages.words("it", table), connected=True)
    score = {cast("models.Line", one.line): one.running for one in head.scores}
    waiting = len(table.alerts) if viewer.staff else None
    status = _status(table)
    pairs = {cast("models.Line", one.line): one.pair for one in head.scores if one.pair}
    return models.TableRow(
        name=table.name, status=status, deal=head.deal, deals=head.deals, score=score, waiting=waiting, pairs=pairs
    )


def _status(table: TableView) -> Any:
    return table.status if table.status in ("ready", "init", "lost", "stopped") else "unknown"


def _alert(
    table: TableView, key: str, document: Mapping[str, Any], case: Case | None, *, live: bool
) -> models.AlertRow:
    hand = None
    if case is not None:
        hand = models.Hand(**{name: getattr(case, name) for name in models.Hand.model_fields})
    return models.AlertRow(table=table.name, key=key, live=live, document=dict(document), hand=hand)


def _order(order: StoredOrder) -> models.OrderRow:
    return models.OrderRow(
        id=order.id, table=order.place, by=order.person, do=order.do, fields=order.fields, about=order.about,
        state=order.state, reason=order.reason, answer=order.answer, given=order.given, undo_until=order.held,
    )  # fmt: skip


set_summaries(router)
