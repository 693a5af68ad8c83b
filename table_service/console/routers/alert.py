"""One alert: what happened, what the code says, the pictures, and the ruling as buttons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console import alert_views
from table_service.console.access import ARBITRI, STAFF, Form, form_of, only, signed_in
from table_service.console.pages import Pages, Viewer
from table_service.console.routers.common import bar
from table_service.console.routers.table import desk
from table_service.console.ruling_forms import FormError, cards_field, meld_fields
from table_service.console.storage import Session
from table_service.console.store import TableView
from table_service.console.streams import Part

PUT_OFF_MINUTES = (2, 5)
DEEDS = ("take", "take-over", "let-go", "put-off", "second", "meet-second", "resolve")


def router(pages: Pages) -> APIRouter:
    """The routes of an alert."""
    made = APIRouter()
    store, office = pages.store, pages.office

    @made.get("/table/{name}/alert/{key}", dependencies=[Depends(only(STAFF, "alert"))])
    async def alert(request: Request, name: str, key: str) -> Response:
        """One alert."""
        view = store.tables.get(name)
        if view is None or _document(view, key) is None:
            return pages.missing(request, name) if view is None else pages.go(request, f"/table/{name}")
        viewer = pages.viewer(request)
        office.fetcher.again(name)
        token, parts = pages.streams.first(lambda: alert_parts(pages, view, key, viewer))
        return pages.page(request, "alert.html", t=view, key=key, parts=parts, token=token)

    @made.get("/table/{name}/alert/{key}/stream", dependencies=[Depends(only(STAFF))])
    async def stream(request: Request, name: str, key: str) -> Response:
        """An alert's changes as server-sent events."""
        view = store.tables.get(name)
        if view is None:
            return Response(status_code=404)
        viewer = pages.viewer(request)
        at = name if viewer.rules else None
        return pages.stream(request, lambda: alert_parts(pages, view, key, viewer), at=at)

    @made.post("/table/{name}/alert/{key}/hand/{deed}", dependencies=[Depends(only(ARBITRI))])
    async def hand(request: Request, name: str, key: str, deed: str) -> Response:
        """Take an alert in hand, hand it over, put it off, call a second arbitro, resolve a call."""
        session = signed_in(request)
        if deed not in DEEDS or pages.book.desk.case(name, key) is None:
            return pages.done(request, f"/table/{name}")
        form = await form_of(request)
        _at_desk(pages, session, name, key, deed, form)
        office.deed(session, deed, place=name, detail=key)
        return pages.done(request, f"/table/{name}/alert/{key}")

    @made.post("/table/{name}/alert/{key}/rule/{do}", dependencies=[Depends(only(ARBITRI))])
    async def rule(request: Request, name: str, key: str, do: str) -> Response:
        """A ruling on an alert: ``rule``, ``dismiss`` or ``confirm``, as a signed order to its table."""
        session, view = signed_in(request), store.tables.get(name)
        document = None if view is None else view.alerts.get(key)
        if document is None or do not in ("rule", "dismiss", "confirm"):
            return pages.done(request, f"/table/{name}")
        fields: dict[str, Any] = {"key": document.get("key", key)}
        try:
            if do == "rule":
                fields |= _ruling(document, await form_of(request))
        except FormError as error:
            return pages.sorry(request, error.word)
        person = session.person.name
        pages.book.desk.take(name, key, person, now=office.clock())
        office.give(name, person, do, fields, about=key)
        office.deed(session, do, place=name, detail=f"{key} {fields}")
        return pages.done(request, f"/table/{name}/alert/{key}")

    return made


def _document(table: TableView, key: str) -> dict[str, Any] | None:
    return table.alerts.get(key) or table.ended.get(key)


def _ruling(document: dict[str, Any], form: Form) -> dict[str, Any]:
    """What a ruling says besides the key. Raises FormError."""
    fields: dict[str, Any] = {"remedy": "proposed"}
    option = form.get("option")
    named = [one if isinstance(one, str) else str(one.get("key")) for one in document.get("options") or ()]
    if option:
        if option not in named:
            raise FormError("bad_form")
        fields["option"] = option
    return fields | meld_fields(form) | cards_field(form.get("cards", ""))


def _at_desk(pages: Pages, session: Session, name: str, key: str, deed: str, form: Form) -> None:
    desk_, person, now = pages.book.desk, session.person.name, pages.office.clock()
    match deed:
        case "take":
            desk_.take(name, key, person, now=now)
        case "take-over":
            desk_.hand_over(name, key, person, now=now)
        case "let-go":
            desk_.let_go(name, key)
        case "put-off":
            minutes = int(form["minutes"]) if form.get("minutes", "").isdigit() else PUT_OFF_MINUTES[0]
            desk_.put_off(name, key, person, until=now + 60 * min(30, max(1, minutes)))
        case "second":
            desk_.call_second(name, key, person, now=now)
            pages.office.ring("second", name, key, person)
        case "meet-second":
            desk_.meet_second(name, key, person)
        case "resolve":
            desk_.resolve(name, key, person, now=now)


def alert_parts(pages: Pages, table: TableView, key: str, viewer: Viewer) -> Sequence[Part]:
    """The parts of an alert's page: what happened, and the ruling."""
    words = pages.words(viewer.language, table)

    def view() -> dict[str, Any]:
        document = _document(table, key) or {}
        case = pages.book.desk.case(table.name, key)
        shown = alert_views.alert(key, document, table, words, case, pages.catalogue(table))
        return {"a": shown, "document": document, "live": key in table.alerts}

    def what() -> str:
        values = view()
        moves = alert_views.around(table, values["document"], words)
        return pages.render("part_what.html", viewer, t=table, moves=moves, **values)

    def ruling() -> str:
        return pages.render(
            "part_ruling.html",
            viewer,
            t=table,
            rows=words.game.rows_of(table.state or {}),
            put_off=PUT_OFF_MINUTES,
            **desk(pages, table, viewer),
            **view(),
        )

    version = lambda: table.versions["alerts"]  # noqa: E731
    return [Part("what", version, what), Part("ruling", version, ruling), *bar(pages, viewer)]
