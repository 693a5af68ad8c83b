"""One alert: what happened, what the code says, the pictures, and the ruling as buttons."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console import alert_views, case_record
from table_service.console.access import ARBITRI, STAFF, form_of, only, signed_in
from table_service.console.numbers import whole
from table_service.console.pages import AskedPages, NamedTable, Pages, Viewer
from table_service.console.reversal_preview import foreseen, sentences
from table_service.console.routers.case_facts import CaseFacts, case_facts
from table_service.console.routers.common import alerts_version, bar, waiting
from table_service.console.routers.table import desk
from table_service.console.ruling_forms import FormError, entered, has_melds, order_of
from table_service.console.storage import Session, StoredOrder
from table_service.console.streams import PagePart
from table_service.console.table_view import TableView
from table_service.events.orders import ORDERS, Foresee, Rule
from table_service.events.untrusted import as_name

PUT_OFF_MINUTES = (2, 5)
DEEDS = ("take", "take-over", "let-go", "put-off", "second", "meet-second", "resolve")
CHOSEN: Final = ("option", "freeze", "meld", "cards")
"""Fields of a ruling that the arbitro may choose on an alert."""
_DECISIONS: Final = ("rule", "dismiss", "confirm")


router = APIRouter()
"""The routes of an alert."""


@router.get("/table/{name}/alert/{key}", dependencies=[Depends(only(STAFF, "alert"))])
async def alert(request: Request, pages: AskedPages, view: NamedTable, key: str) -> Response:
    """One alert."""
    number, sent = life_of(request), whole(request.query_params.get("sent", ""))
    await asyncio.to_thread(pages.book.kept.flush)
    if case_facts(pages, view, key, number) is None:
        return pages.go(request, f"/table/{view.name}")
    pages.office.fetcher.retry(view.name)
    stream = f"{quote(request.url.path)}/stream{'' if number is None else f'?case={number}'}"
    return pages.live(
        request, "alert.html", lambda viewer: alert_parts(pages, view, key, viewer, number), stream=stream, t=view,
        key=key, life=number, sent=sent,
    )  # fmt: skip


@router.get("/table/{name}/alert/{key}/stream", dependencies=[Depends(only(STAFF))])
async def stream(request: Request, pages: AskedPages, view: NamedTable, key: str) -> Response:
    """Stream an alert's changes as server-sent events."""
    number = life_of(request)
    return pages.stream(request, lambda viewer: alert_parts(pages, view, key, viewer, number), at=view.name)


@router.post("/table/{name}/alert/{key}/hand/{deed}", dependencies=[Depends(only(ARBITRI))])
async def hand(request: Request, pages: AskedPages, name: str, key: str, deed: str) -> Response:
    """Take an alert in hand, hand it over, put it off, call a second arbitro, resolve a call."""
    session = signed_in(request)
    if deed not in DEEDS or pages.book.desk.case(name, key) is None:
        return pages.done(request, f"/table/{name}")
    set_hand(pages, session, name, key, deed, whole((await form_of(request)).get("minutes")))
    return pages.done(request, f"/table/{name}/alert/{key}")


@router.post("/table/{name}/alert/{key}/rule/{do}", dependencies=[Depends(only(ARBITRI))])
async def rule(request: Request, pages: AskedPages, view: NamedTable, key: str, do: str) -> Response:
    """Rule on an alert (``rule``, ``dismiss`` or ``confirm``), by a signed order to its table.

    One at a time: while a ruling may still be undone, or has not been answered, there is no second one.
    """
    session, name = signed_in(request), view.name
    if key not in view.alerts or do not in _DECISIONS:
        return pages.done(request, f"/table/{name}")
    facts = case_facts(pages, view, key)
    if facts is not None and facts.pending is not None:
        return pages.sorry(request, "ruling_pending")
    chosen = entered(Rule, await form_of(request), pages.language(request), pages.rule_set(view), only=CHOSEN)
    give_ruling(pages, session, name, key, do, chosen)
    return pages.done(request, f"/table/{name}/alert/{key}")


@router.post("/table/{name}/alert/{key}/reverse", dependencies=[Depends(only(ARBITRI))])
async def reverse(request: Request, pages: AskedPages, view: NamedTable, key: str) -> Response:
    """Take back what was decided, or decide after all what was dismissed: an act of its own, with its reason."""
    session, name, facts = signed_in(request), view.name, case_facts(pages, view, key)
    form = await form_of(request)
    chosen = entered(Rule, form, pages.language(request), pages.rule_set(view), only=CHOSEN)
    change_decision(pages, session, name, key, facts, chosen, reason=form.get("reason", ""), score=form.get("score"))
    return pages.done(request, f"/table/{name}/alert/{key}")


@router.post("/table/{name}/alert/{key}/foresee", dependencies=[Depends(only(ARBITRI))])
async def foresee(request: Request, pages: AskedPages, view: NamedTable, key: str) -> Response:
    """Ask the table what reversing a ruling of an earlier deal would change; nothing is changed by it."""
    session, name, facts = signed_in(request), view.name, case_facts(pages, view, key)
    if facts is None or facts.live or not facts.current or facts.document.get("state") != "ruled":
        return pages.sorry(request, "reverse_late")
    asked = Foresee(by=session.person.name, key=str(facts.document.get("key", key)))
    pages.office.give(name, asked, about=key)
    pages.office.deed(session, "foresee", place=name, detail={"key": key})
    return pages.done(request, f"/table/{name}/alert/{key}")


def life_of(request: Request) -> int | None:
    """Return which life of the alert is asked for; None: the newest."""
    return whole(request.query_params.get("case"))


def give_ruling(
    pages: Pages, session: Session, place: str, key: str, do: str, chosen: Mapping[str, Any]
) -> StoredOrder:
    """Rule on an alert that waits, by a signed order to its table. ``chosen``: of a ruling. Raises FormError."""
    document, person = pages.store.tables[place].alerts[key], session.person.name
    fields: dict[str, Any] = {"key": str(document.get("key", key))}
    if do == "rule":
        fields |= _ruling(document, chosen)
    asked = order_of(ORDERS, do, person, fields)
    pages.book.desk.take_in_hand(place, key, person, now=pages.office.clock())
    given = pages.office.give(place, asked, about=key)
    for call in _keys(pages, place, key)[1:]:
        pages.book.desk.resolve(place, call, person, now=pages.office.clock())
    pages.office.deed(session, do, place=place, detail={**fields, "key": key})
    return given


def _keys(pages: Pages, place: str, key: str) -> tuple[str, ...]:
    """Return the keys of all that the row of an alert stands for."""
    table = pages.store.tables[place]
    return alert_views.keys_of(alert_views.alerts(table, pages.words("it", table), pages.book.desk.at(place)), key)


def change_decision(
    pages: Pages,
    session: Session,
    place: str,
    key: str,
    facts: CaseFacts | None,
    chosen: Mapping[str, Any],
    *,
    reason: str,
    score: str | None = None,
) -> StoredOrder:
    """Take back what was decided, or rule after all on what was dismissed, with the reason. Raises FormError."""
    if facts is None or facts.live or facts.pending is not None or not facts.current:
        raise FormError("reverse_late")
    reason = " ".join(reason.split())[:300]
    if not reason:
        raise FormError("reason_missing")
    fields: dict[str, Any] = {"key": str(facts.document.get("key", key)), "note": reason}
    fields |= {"score": score[:200]} if score else {}
    do = "dismiss" if facts.document.get("state") == "ruled" else "rule"
    if do == "rule":
        fields |= _ruling(facts.document, chosen)
    given = pages.office.give(place, order_of(ORDERS, do, session.person.name, fields), about=key)
    pages.office.deed(session, "reverse", place=place, detail={"do": do, **fields, "key": key})
    return given


def set_hand(pages: Pages, session: Session, place: str, key: str, deed: str, minutes: int | None) -> None:
    """Take an alert in hand, hand it over, put it off for ``minutes``, call a second arbitro, resolve a call."""
    for one in _keys(pages, place, key) if place in pages.store.tables else (key,):
        _at_desk(pages, session, place, one, deed, PUT_OFF_MINUTES[0] if minutes is None else minutes)
    pages.office.deed(session, deed, place=place, detail={"key": key})


def _ruling(document: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a ruling says besides the key. Raises FormError."""
    named = [one if isinstance(one, str) else str(one.get("key")) for one in document.get("options") or ()]
    if chosen.get("option") not in (None, *named):
        raise FormError("bad_form")
    return {"remedy": "proposed", **chosen}


def _at_desk(pages: Pages, session: Session, name: str, key: str, deed: str, minutes: int) -> None:
    desk_, person, now = pages.book.desk, session.person.name, pages.office.clock()
    match deed:
        case "take":
            desk_.take_in_hand(name, key, person, now=now)
        case "take-over":
            desk_.hand_over(name, key, person, now=now)
        case "let-go":
            desk_.let_go(name, key)
        case "put-off":
            desk_.put_off(name, key, person, until=now + 60 * min(30, max(1, minutes)))
        case "second":
            desk_.call_second(name, key, person, now=now)
            pages.office.ring("second", name, key, person)
            pages.office.abroad("second", name, key, pages.store.tables[name].alerts.get(key, {}))
        case "meet-second":
            desk_.meet_second(name, key, person)
        case "resolve":
            desk_.resolve(name, key, person, now=now)


def alert_parts(
    pages: Pages, table: TableView, key: str, viewer: Viewer, number: int | None = None
) -> Sequence[PagePart]:
    """Return an alert's page parts: what happened, the ruling, what comes next. ``number``: which life of the alert."""
    words, catalogue = pages.words(viewer.language, table), pages.catalogue(table)

    def view() -> dict[str, Any]:
        facts = case_facts(pages, table, key, number)
        if facts is None:
            facts = CaseFacts({}, None, (), (), (), None, "", live=False, current=False)
        document = facts.document
        shown = alert_views.alert(key, document, table, words, facts.case, catalogue, facts.pictured, live=facts.live)
        told = None
        if not facts.live:
            told = case_record.record(facts.case, document, facts.told, facts.orders, words, catalogue)
        return {"a": shown, "facts": facts, "live": facts.live, "record": told}

    def what() -> str:
        values = view()
        facts = values["facts"]
        moves = alert_views.around(facts.moves, facts.document, words, table.boot)
        return pages.render("part_what.html", viewer, t=table, moves=moves, **values)

    def ruling() -> str:
        return pages.render(
            "part_ruling.html",
            viewer,
            t=table,
            rows=words.game.rows_of(table.state or {}),
            melds=has_melds(pages.rule_set(table)),
            put_off=PUT_OFF_MINUTES,
            **desk(pages, table, viewer),
            **preview(values := view()),
            **values,
        )

    def preview(values: dict[str, Any]) -> dict[str, Any]:
        facts, played = values["facts"], pages.rule_set(table)
        told = foreseen(facts.orders, facts.document.get("key", key))
        is_reversal = values["record"] is not None and values["record"].may == "reverse"
        shown = None if told is None else sentences(told, words, None if played is None else played.sheet)
        return {
            "earlier": is_reversal and facts.is_earlier(table),
            "changes": shown if is_reversal else None,
            "foreseeing": is_reversal and facts.is_foreseen,
            "sheet_seen": None if told is None else as_name(told.get("score")),
        }

    def following() -> str:
        open_now = table.alerts.get(key) is not None and not (
            (case := pages.book.desk.case(table.name, key)) and case.resolved
        )
        following = alert_views.next_of(waiting(pages, viewer), viewer.name, (table.name, key))
        return pages.render("part_next.html", viewer, next=following, open=open_now)

    version = lambda: (table.versions["alerts"], pages.book.rounds.version)  # noqa: E731
    shown = [PagePart("what", version, what), PagePart("ruling", version, ruling)]
    return [*shown, PagePart("next", lambda: alerts_version(pages), following), *bar(pages, viewer)]
