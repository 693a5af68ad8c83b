"""The hall: every table a tile, what waits for the arbitro first; and the same for a screen on the wall."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console import alert_views, round_page, views
from table_service.console.access import ALL, only
from table_service.console.numbers import is_whole
from table_service.console.pages import AskedPages, Pages, Viewer
from table_service.console.public_tables import public_view
from table_service.console.routers.common import alerts_version, bar, waiting
from table_service.console.streams import SLOW_S, PagePart
from table_service.console.table_view import TableView

_NAMES_KEPT: Final = 2000
"""Most tables whose tiles' names are remembered."""


router = APIRouter()
"""The routes of the hall."""


@router.get("/", dependencies=[Depends(only(ALL, "hall"))])
async def hall(request: Request, pages: AskedPages) -> Response:
    """Serve the hall: all tables."""
    floors = [name for name, _ in pages.settings.floors]
    return pages.live(request, "hall.html", lambda viewer: hall_parts(pages, viewer), floors=floors)


@router.get("/wall", dependencies=[Depends(only(ALL, "wall"))])
async def wall(request: Request, pages: AskedPages) -> Response:
    """Serve the hall for a wall screen: for everybody, no matter who signed in there; no clock, no accusation."""
    viewer = replace(pages.viewer(request), public=True)
    return pages.live(request, "wall.html", lambda viewer: hall_parts(pages, viewer), viewer=viewer)


@router.get("/wall/stream", dependencies=[Depends(only(ALL))])
async def wall_stream(request: Request, pages: AskedPages) -> Response:
    """Stream the wall's changes as server-sent events."""
    viewer = replace(pages.viewer(request), public=True)
    return pages.stream(request, lambda viewer: hall_parts(pages, viewer), slow=SLOW_S, viewer=viewer)


@router.get("/stream", dependencies=[Depends(only(ALL))])
async def stream(request: Request, pages: AskedPages) -> Response:
    """Stream the hall's changes as server-sent events."""
    return pages.stream(request, lambda viewer: hall_parts(pages, viewer), slow=SLOW_S)


@lru_cache(_NAMES_KEPT)
def tile_name(table: str) -> str:
    """Return the name of a table's tile in the stream: the same after a restart, and safe in an attribute."""
    return "tile-" + hashlib.sha256(table.encode()).hexdigest()[:12]


def hall_parts(pages: Pages, viewer: Viewer) -> Sequence[PagePart]:
    """Return the parts of the hall's page."""
    store = pages.tables_for(viewer)
    names = tuple(store.tables)

    def queue() -> str:
        return pages.part(
            ("queue", viewer.language, viewer.name, viewer.rules),
            alerts_version(pages),
            lambda: pages.render("part_queue.html", viewer, queue=waiting(pages, viewer)),
        )

    def grid() -> str:
        tiles = [
            (tile_name(name), _floor(pages, name), tile(pages, store.tables[name], viewer)) for name in order(names)
        ]
        return pages.render("part_grid.html", viewer, tiles=tiles, columns=columns(len(tiles)))

    parts = [*bar(pages, viewer)]
    if viewer.staff:
        parts.append(PagePart("queue", lambda: alerts_version(pages), queue))
    if viewer.runs_round:
        parts.append(_clock(pages, viewer))
    tag = pages.tag(viewer)
    parts.append(PagePart("grid", lambda: (tag, names), grid))
    parts += [_tile_part(pages, table, viewer) for table in store.tables.values()]
    return parts


def _clock(pages: Pages, viewer: Viewer) -> PagePart:
    """Return what is left of the round: there while one runs, and standing still while it is paused."""

    def html() -> str:
        running = pages.book.rounds.running
        ends = None if running is None else round_page.clock_ends(running)
        return pages.render("part_clock.html", viewer, round=running, ends=ends)

    return PagePart("clock", lambda: pages.book.rounds.running, html)


def _tile_part(pages: Pages, table: TableView, viewer: Viewer) -> PagePart:
    return PagePart(
        tile_name(table.name),
        lambda: (pages.tag(viewer), table.versions["head"], table.versions["alerts"], pages.book.rounds.version),
        lambda: tile(pages, table, viewer),
        quick=lambda: (table.status, table.versions["alerts"], pages.store.connected),
    )


def tile(pages: Pages, table: TableView, viewer: Viewer) -> str:
    """Return a table's tile: looked at when the table has said something, remade only if it shows something else."""
    who = (table.name, viewer.language, pages.tag(viewer))

    def look() -> str:
        shown, words = table if viewer.staff else public_view(table), pages.words(viewer.language, table)
        facts, connected = views.tile_facts(shown), pages.store.connected
        waits = (
            alert_views.alerts(table, words, pages.book.desk.at(table.name)) if viewer.staff and table.alerts else ()
        )

        def make() -> str:
            head = views.tile(shown, words, connected=connected)
            return pages.render("part_tile.html", viewer, h=head, waits=waits)

        return pages.part(("face", *who), (facts, words.game.name, words.names, connected, waits), make)

    version = (table.versions["head"], table.versions["alerts"], pages.book.rounds.version)
    return pages.part(("tile", *who), version, look)


def columns(tiles: int) -> int:
    """In how many columns so many tiles fill a wall screen of 16 to 9, each about twice as wide as high."""
    return max(1, min(20, math.ceil(math.sqrt(tiles * 16 / 9 / 1.7))))


def _floor(pages: Pages, table: str) -> str:
    return next((name for name, tables in pages.settings.floors if table in tables), "")


@lru_cache(4)
def order(names: tuple[str, ...]) -> tuple[str, ...]:
    """Tables as people count them: T2 before T10."""
    return tuple(
        sorted(names, key=lambda name: [(1, int(part), "") if is_whole(part) else (0, 0, part) for part in _runs(name)])
    )


def _runs(name: str) -> list[str]:
    runs: list[str] = []
    for letter in name:
        if runs and runs[-1].isdigit() == letter.isdigit():
            runs[-1] += letter
        else:
            runs.append(letter)
    return runs
