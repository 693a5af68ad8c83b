"""One table from above, with what waits there, who has it in hand, and the table's own commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, get_args

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console import alert_views, views
from table_service.console.access import ALL, ARBITRI, LONGEST_RECORDS, STAFF, Form, form_of, only, signed_in
from table_service.console.api_models import Command
from table_service.console.pages import AskedPages, NamedTable, Pages, Viewer
from table_service.console.public_tables import public_events, public_view
from table_service.console.routers.common import bar
from table_service.console.ruling_forms import SEATS, FormError, entered, fields_of, order_of, orders_of
from table_service.console.settings import Language
from table_service.console.streams import PagePart
from table_service.console.table_view import TableView
from table_service.console.views import seats_of
from table_service.events.orders import EnterSaid, GiveBonus, Order, StartDeal
from table_service.games.definition import RuleSet
from table_service.games.reports import WrongFieldError

router = APIRouter()
"""The routes of a table."""
COMMANDS: Final = frozenset(get_args(Command))


@router.get("/table/{name}", dependencies=[Depends(only(ALL, "table"))])
async def table(request: Request, pages: AskedPages, view: NamedTable) -> Response:
    """One table."""
    pages.office.fetcher.retry(view.name)
    played, language = pages.rule_set(view), pages.language(request)
    return pages.live(
        request,
        "table.html",
        lambda viewer: table_parts(pages, view.name, viewer),
        t=view,
        zones=correctable(played, view),
        tricks=() if played is None else played.equipment.lying("trick"),
        declarations=declarations_of(pages, view, language),
        deal_file=deal_file_of(pages, played, language),
        stated=stated_numbers_of(pages, view, language),
        trick_card=None if played is None else played.pages.trick_card,
    )


@router.get("/table/{name}/stream", dependencies=[Depends(only(ALL))])
async def stream(request: Request, pages: AskedPages, view: NamedTable) -> Response:
    """One table's changes as server-sent events."""
    return pages.stream(request, lambda viewer: table_parts(pages, view.name, viewer), at=view.name)


@router.get("/table/{name}/evidence/{ref}", dependencies=[Depends(only(STAFF, "evidence"))])
async def evidence(request: Request, pages: AskedPages, name: str, ref: str) -> Response:
    """Serve a picture of an irregularity, hand areas masked; who looked is in the audit and at the table."""
    office, person = pages.office, signed_in(request).person.name
    send = office.send if office.reachable(name) else None
    picture = await office.fetcher.fetch(name, ref, person, send)
    if picture is None:
        return Response(status_code=404)
    return Response(picture, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


@router.post("/table/{name}/order/{do}", dependencies=[Depends(only(ARBITRI, longest=LONGEST_RECORDS))])
async def command(request: Request, pages: AskedPages, view: NamedTable, do: str) -> Response:
    """One of the table's own commands, as a signed order."""
    session, played, form = signed_in(request), pages.rule_set(view), await form_of(request)
    form = form if do != "deal" else with_deal_file(pages, played, form)
    typed = typed_command(do, form, played, pages.language(request))
    order = command_of(do, typed, view, played, session.person.name)
    if do == "deal":
        keep_deal_file(pages, played, form)
    given = pages.office.give(view.name, order, secret=secret_of(played))
    pages.office.deed(session, "order", place=view.name, detail={"do": do, **given.open_fields})
    return pages.done(request, f"/table/{view.name}")


@router.post("/order/{order_id}/{deed}", dependencies=[Depends(only(ARBITRI))])
async def settle(request: Request, pages: AskedPages, order_id: str, deed: str) -> Response:
    """Withdraw an order that still waits, or say that one's failure was seen."""
    session, held = signed_in(request), pages.book.orders.order(order_id)
    if held is None or deed not in ("withdraw", "seen"):
        return Response(status_code=404)
    if deed == "withdraw":
        pages.office.cancel(order_id)
    else:
        pages.office.notice(order_id)
    pages.office.deed(session, deed, place=held.place, detail={"do": held.do, "id": held.id})
    return pages.done(request, f"/table/{held.place}")


def typed_command(do: str, form: Form, played: RuleSet | None, language: Language) -> dict[str, Any]:
    """Return the fields of a table's command that were filled in on its form. Raises FormError."""
    if do not in COMMANDS or (do == "deal" and played is not None and played.pages.deal_order is not None):
        return dict(form)  # refused, or the game reads its form itself
    is_count = not _has_trick(played, form.get("zone"))
    fields = entered(orders_of(played)[do], form, language, played, is_count=is_count)
    if form.get("sign") == "-" and "points" in fields:
        fields["points"] = -fields["points"]
    return fields


def command_of(do: str, given: Mapping[str, Any], view: TableView, played: RuleSet | None, person: str) -> Order:
    """Return a command to ``view`` from its fields, in ``person``'s name. Raises FormError, WrongFieldError."""
    if do not in COMMANDS:
        raise FormError("bad_form")
    known, fields = orders_of(played), given
    if do == "deal" and played is not None and played.pages.deal_order is not None:
        fields = played.pages.deal_order.fields_of({name: str(value) for name, value in given.items()})
    elif do == "correct":
        fields = _correction(given, view, played)
    order = order_of(known, do, person, {name: fields[name] for name in fields_of(known[do]) if name in fields})
    match order:
        case StartDeal(dealer=None) | GiveBonus(points=0):
            raise FormError("bad_form")
        case EnterSaid():
            return _declared(order, view, played)
    return order


def _declared(order: EnterSaid, view: TableView, played: RuleSet | None) -> EnterSaid:
    """Return what a player has said, with the cards that were named if it has any. Raises FormError."""
    known = () if played is None else played.pages.declarations
    one = next((one for one in known if one.what == order.what and one.is_heard(view.state or {})), None)
    if one is None:
        raise FormError("bad_form")
    return order if one.cards else EnterSaid(by=order.by, seat=order.seat, what=order.what)


def _correction(given: Mapping[str, Any], view: TableView, played: RuleSet | None) -> dict[str, Any]:
    """Return what a correction states: a number of the deal, a card of a trick, or a zone's cards. Raises FormError."""
    zone, cards, game = given.get("zone"), given.get("cards", []), None if played is None else played.pages
    for one in () if game is None else game.stated_numbers:
        if zone == one.zone and given.get(one.name) in one.numbers:
            return {"zone": zone, one.name: given[one.name]}
    if isinstance(cards, int) and _has_trick(played, zone):
        raise FormError("bad_cards")
    asked = None if game is None else game.trick_card
    if asked is not None and zone in asked.zones.values():
        if given.get(asked.name) not in asked.numbers:
            raise FormError("bad_trick", first=asked.numbers[0], last=asked.numbers[-1])
        if len(cards) != 1:
            raise FormError("one_card")
        return {"zone": zone, asked.name: given[asked.name], "cards": cards}
    if zone not in correctable(played, view):
        raise FormError("bad_form")
    return {"cards": [], **given}


def _has_trick(played: RuleSet | None, zone: str | None) -> bool:
    """Return True if ``zone`` holds cards of a trick, which are named and not counted."""
    card = None if played is None else played.pages.trick_card
    return played is not None and (
        zone in played.equipment.lying("trick") or (card is not None and zone in card.zones.values())
    )


def secret_of(played: RuleSet | None) -> tuple[str, ...]:
    """Return the fields of an order that are neither kept nor shown."""
    return () if played is None or played.pages.deal_order is None else (played.pages.deal_order.secret,)


def with_deal_file(pages: Pages, played: RuleSet | None, form: Form) -> Form:
    """``form`` with the records that were loaded before, where it asks for them."""
    kept, order = pages.office.deal_file, None if played is None else played.pages.deal_order
    if order is None or played is None or form.get("kept") != "1" or form.get(order.secret, "").strip():
        return form
    if kept is None or kept.game != played.game:
        raise FormError("deal_file_gone")
    return {**form, order.secret: kept.text}


def keep_deal_file(pages: Pages, played: RuleSet | None, form: Form) -> None:
    """Keep the records that a form brought for the deals to come: in memory, in no file.

    A deal without a number is of this order alone: it would be given to any other table's board.
    """
    order = None if played is None else played.pages.deal_order
    if order is None or played is None or form.get("kept") == "1" or not form.get(order.secret, "").strip():
        return
    with suppress(WrongFieldError):
        order.check(form[order.secret])
        pages.office.keep_deals(played.game, form[order.secret])


def declarations_of(pages: Pages, table: TableView, language: Language) -> list[tuple[str, str, bool]]:
    """Return the declarations that may be entered for ``table``: name for programs, title, True if it has cards."""
    played, words = pages.rule_set(table), pages.words(language, table)
    known = () if played is None else played.pages.declarations
    return [(one.what, words.choose(one.title), one.cards) for one in known if one.is_heard(table.state or {})]


def stated_numbers_of(pages: Pages, table: TableView, language: Language) -> list[tuple[str, str, str, range]]:
    """Return what the arbitro may state at ``table`` by one touch: zone and field of the order, title, the numbers."""
    played, words = pages.rule_set(table), pages.words(language, table)
    known = () if played is None else played.pages.stated_numbers
    return [(one.zone, one.name, words.choose(one.title), one.numbers) for one in known]


def deal_file_of(pages: Pages, played: RuleSet | None, language: Language) -> tuple[str, float] | None:
    """Contents and time of the records that were loaded last; None if there are none for this game."""
    kept, order = pages.office.deal_file, None if played is None else played.pages.deal_order
    if kept is None or order is None or played is None or kept.game != played.game:
        return None
    return order.known_of(kept.text)[0 if language == "it" else 1], kept.at


def correctable(played: RuleSet | None, table: TableView) -> tuple[str, ...]:
    """Return the zones that an arbitro may correct on the table's page; rows are corrected where they lie."""
    zones = () if played is None else played.equipment.lying("trick", "stack", "pile", "fan")
    empty = set(SEATS) - set(seats_of(table.state or {}))
    return tuple(zone for zone in zones if zone.partition("-")[2] not in empty)


def table_parts(pages: Pages, place: str, viewer: Viewer) -> Sequence[PagePart]:
    """Return the parts of a table's page. Asked anew each time: the organiser may delay what spectators see."""
    held = pages.tables_for(viewer).tables.get(place, TableView(place))
    table, tag = held if viewer.staff else public_view(held), pages.tag(viewer)

    def part(name: str, sees: tuple[Any, ...]) -> PagePart:
        def make() -> str:
            return pages.render(f"part_{name}.html", viewer, t=table, **_values(name, pages, table, viewer))

        key = (name, table.name, viewer.language, tag, *sees)
        version = (tag, table.versions[name], pages.book.rounds.version if name in ("head", "alerts", "board") else 0)
        return PagePart(name, lambda: version, lambda: pages.part(key, version, make))

    parts = [part("head", ()), part("board", ()), part("feed", ())]
    if viewer.staff:
        parts.insert(0, part("alerts", (viewer.name, viewer.rules)))
    return [*parts, *bar(pages, viewer)]


def _values(name: str, pages: Pages, table: TableView, viewer: Viewer) -> dict[str, Any]:
    words = pages.words(viewer.language, table)
    match name:
        case "head":
            return {"head": views.head(table, words, connected=pages.store.connected)}
        case "alerts":
            return desk(pages, table, viewer)
        case "board":
            return {"board": views.board(table, words), "sanctions": views.sanctions(table, words)}
        case _:
            return {"feed": views.feed(events_for(pages, table.name, viewer), words, public=not viewer.staff)}


def events_for(pages: Pages, place: str, viewer: Viewer) -> list[dict[str, Any]]:
    """Return the newest events of a table that this reader may see, oldest first."""
    live = pages.store.tables.get(place)
    until = None if viewer.staff else pages.public.shown_until(pages.office.clock())
    if until is None:
        return [] if live is None else live.events
    types = views.public_types(pages.words(viewer.language, live))
    return public_events(pages.book.kept.heard_by(place, until, 4 * views.FEED_LINES), types)


def desk(pages: Pages, table: TableView, viewer: Viewer) -> dict[str, Any]:
    """Return what waits at a table, what was ordered there, and who is there."""
    words, catalogue = pages.words(viewer.language, table), pages.catalogue(table)
    return {
        "alerts": alert_views.alerts(table, words, pages.book.desk.at(table.name), catalogue),
        "ended": alert_views.ended(table, words, pages.book.desk.past(table.name), catalogue),
        "orders": pages.book.orders.shown(now=pages.office.clock(), place=table.name),
        "present": tuple(one for one in pages.office.present(table.name) if one != viewer.name),
        "reachable": pages.office.reachable(table.name),
        "patience": int(pages.settings.order_life),
    }
