"""Parts of every page's stream: the bar with what waits, and the bell."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final

from fastapi import Request
from fastapi.responses import HTMLResponse

from table_service.console import alert_views
from table_service.console.access import ARBITRI
from table_service.console.alert_views import Alert
from table_service.console.dispatch import Bell
from table_service.console.pages import Pages, Viewer
from table_service.console.streams import PagePart

BAR: Final = "/bar/stream"
"""Address of the stream of pages on which nothing changes but the bar."""


def with_bar(pages: Pages, request: Request, template: str, **values: Any) -> HTMLResponse:
    """Return a page on which nothing changes but the bar."""
    return pages.live(request, template, lambda viewer: bar(pages, viewer), stream=BAR, **values)


def waiting(pages: Pages, viewer: Viewer) -> tuple[Alert, ...]:
    """Every alert of the hall, what comes first first."""
    found: list[Alert] = []
    for table in pages.store.tables.values():
        if table.alerts:
            cases, words = pages.book.desk.at(table.name), pages.words(viewer.language, table)
            found += alert_views.alerts(table, words, cases, pages.catalogue(table))
    return tuple(sorted(found, key=alert_views.urgency))


def alerts_version(pages: Pages) -> Hashable:
    """Return a value that changes with every alert of the hall and what is done with it."""
    told = sum(table.versions["alerts"] for table in pages.store.tables.values()) + len(pages.store.tables) * 1_000_003
    return told, pages.book.rounds.version


def bar(pages: Pages, viewer: Viewer) -> list[PagePart]:
    """Return the parts that every page of somebody signed in has."""
    store = pages.store

    def html() -> str:
        open_now = waiting(pages, viewer) if viewer.staff else ()
        guide = pages.settings.guide and viewer.rules
        return pages.render("part_bar.html", viewer, waiting=open_now, connected=store.connected, guide=guide)

    def version() -> Hashable:
        return (store.connected, alerts_version(pages))

    def shared() -> str:
        return pages.part(("bar", viewer.language, viewer.staff, viewer.rules), version(), html)

    if not viewer.staff:
        return [PagePart("bar", lambda: store.connected, html)]
    return [
        PagePart("bar", version, shared),
        PagePart("bell", lambda: pages.office.bell, lambda: _bell(pages, viewer), silent=True),
    ]


def _bell(pages: Pages, viewer: Viewer) -> str:
    """Return what rang last for this reader, as a sentence; the page makes a sound of it."""
    rung = next((bell for bell in reversed(pages.office.bells) if _for(bell, viewer)), None)
    if rung is None:
        return ""
    table = pages.store.tables.get(rung.place)
    words = pages.words(viewer.language, table)
    document = {} if table is None else table.alerts.get(rung.key, {})
    title = words.text(document.get("title")) or words["alerts"]
    said = words.say(f"bell_{rung.kind}", place=rung.place, title=title, person=rung.person)
    return pages.render("part_bell.html", viewer, said=said, rung=rung)


def _for(bell: Bell, viewer: Viewer) -> bool:
    """Return True if a bell is for this reader: raised ones the chief, a second arbitro others, an order its giver."""
    match bell.kind:
        case "raised":
            return viewer.chief
        case "second":
            return viewer.role in ARBITRI and viewer.name != bell.person
        case "order":
            return viewer.name == bell.person
        case _:
            return viewer.rules
