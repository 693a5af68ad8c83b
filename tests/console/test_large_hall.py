"""What a large hall and a long archive cost does not grow where it need not: counted in work, never in time."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import console_feed as feed
import pytest

from table_service.console import views
from table_service.console.archive.shelf import Shelf
from table_service.console.pages import Viewer
from table_service.console.plain_names import shown
from table_service.console.routers.hall import hall_parts, tile, tile_name
from table_service.console.storage import Book
from table_service.console.storage.database import DatabaseReader
from table_service.console.streams import Shown, slices

HALL = "tavolo/v1/sala/"


def with_deals(file: Path, deals: int) -> Path:
    """A console's file with so many deals, each with an irregularity."""
    book = Book(file)
    for deal in range(1, deals + 1):
        for n, (kind, data) in enumerate(
            (("deal.started", {}), ("irregularity", {"key": f"r1d{deal}-1", "row": "F-31a"}), ("deal.ended", {}))
        ):
            told = {"boot": "000a3f", "seq": deal * 3 + n, "type": kind, "t": 1.0, "deal": deal, "data": data}
            book.kept.event("T12", told, json.dumps(told), now=1.0)
    book.kept.flush()
    book.close()
    return file


def steps_of_a_search(file: Path, row: str) -> int:
    """How many steps SQLite's machine takes to search for ``row``."""
    steps = Counter[str]()

    def step() -> int:
        steps["taken"] += 1
        return 0

    connection = sqlite3.connect(file)
    connection.row_factory = sqlite3.Row
    connection.set_progress_handler(step, 1)
    found, _ = Shelf(DatabaseReader(connection)).deals(row=row)
    connection.close()
    assert bool(found) == (row == "f-31"), "what is counted must have searched"
    return steps["taken"]


def test_a_search_without_a_hit_takes_the_same_steps_at_ten_times_the_deals(tmp_path: Path) -> None:
    few, many = (with_deals(tmp_path / f"{deals}.sqlite", deals) for deals in (30, 300))
    assert steps_of_a_search(few, "f-31") > 100
    assert steps_of_a_search(many, "F-99") == steps_of_a_search(few, "F-99")


def test_what_is_kept_is_counted_by_boot_and_event_by_event_only_where_some_are_lacking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = Book(tmp_path / "console.sqlite")
    for boot, seqs in (("000001", range(1, 50)), ("000002", (*range(1, 20), *range(30, 40), 50))):
        for seq in seqs:
            book.kept.event("T1", {"boot": boot, "seq": seq, "type": "card.drawn"}, "{}", now=1.0)
    book.kept.flush()
    asked, rows = list[tuple[Any, ...]](), book.database.rows
    monkeypatch.setattr(book.database, "rows", lambda sql, params=(): (asked.append(params), rows(sql, params))[1])
    assert book.kept.runs("T1") == [("000001", 1, 49), ("000002", 1, 19), ("000002", 30, 39), ("000002", 50, 50)]
    assert asked == [("T1",), ("T1", "000002")]
    book.close()


def a_hall(house: Any, tables: int) -> Any:
    for n in range(tables):
        house.store.apply(f"{HALL}T{n}/status", b'{"state":"ready","boot":"000a3f","version":"x"}', now=house.at)
    return house


def say_something(house: Any, name: str, seq: int) -> None:
    event = {**feed.event(seq, "card.drawn", "N", **{"from": "stock"}), "table": name}
    house.store.apply(f"{HALL}{name}/event/card.drawn", json.dumps(event).encode(), now=house.at)


async def test_of_a_halls_page_only_tiles_that_show_something_else_are_made_anew(
    house: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, pages = Counter[str](), a_hall(house, 40).app.state.pages
    render = pages.render
    monkeypatch.setattr(
        pages, "render", lambda template, *args, **kw: (made.update([template]), render(template, *args, **kw))[1]
    )
    await house.page("/")
    assert made["part_tile.html"] == 40
    await house.page("/")
    for n in range(40):
        say_something(house, f"T{n}", 1)  # a card: nothing that a tile shows
    await house.page("/")
    assert made["part_tile.html"] == 40
    house.store.apply(f"{HALL}T7/status", b'{"state":"lost","boot":"000a3f"}', now=house.at)
    await house.page("/")
    assert made["part_tile.html"] == 41


def test_an_open_halls_page_is_sent_only_the_tiles_that_show_something_else(house: Any) -> None:
    pages = a_hall(house, 40).app.state.pages
    shown_now: Shown = {}
    viewer = Viewer("it", "auto")
    first = "".join(slices(hall_parts(pages, viewer), shown_now))
    for n in range(40):
        say_something(house, f"T{n}", 1)
    assert "".join(slices(hall_parts(pages, viewer), shown_now)) == ""
    house.store.apply(f"{HALL}T7/status", b'{"state":"lost","boot":"000a3f"}', now=house.at)
    news = "".join(slices(hall_parts(pages, viewer), shown_now))
    assert news.count("event: tile-") == 1
    assert f"event: {tile_name('T7')}\n" in news
    assert len(news) < len(first) / 20


def test_a_text_without_turns_is_shown_as_it_is_and_one_with_any_without_them() -> None:
    long = "tavolo è " * 1000
    assert shown(long) is long
    assert shown("Anna\u202e issoR è\u2069") == "Anna issoR è"


async def test_who_sits_at_a_table_is_worked_out_anew_only_where_somebody_else_sits_there(
    house: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_out, pages = list[str](), a_hall(house, 12).app.state.pages
    names_at = pages.names_at
    monkeypatch.setattr(pages, "names_at", lambda table: (worked_out.append(table.name), names_at(table))[1])

    def seat(name: str, seq: int, north: str) -> None:
        state = {"table": name, "rules": "fibur2024", "seq": seq, "seats": {"N": north}}
        house.store.apply(f"{HALL}{name}/state", json.dumps(state).encode(), now=house.at)

    for n in range(12):
        seat(f"T{n}", 1, "Anna")
    assert "Anna" in await house.page("/")
    assert sorted(worked_out) == sorted(f"T{n}" for n in range(12))
    for n in range(12):
        seat(f"T{n}", 2, "Zoe" if n == 7 else "Anna")
        say_something(house, f"T{n}", 1)
    page = await house.page("/")
    assert worked_out[12:] == ["T7"]
    assert page.count("Zoe") == page.count("Anna") / 11


SAID = {
    "rules": "fibur2024", "seats": {"N": "Anna"}, "deal": 2, "round": {"deals": 4}, "phase": "over",
    "score": {"running": {"NS": 505}, "deals": {"1": {"NS": 505}}}, "unverified": {"pile": "x"},
    "nodes": {"north": "lost"},
}  # fmt: skip


def test_whatever_a_tile_shows_makes_it_anew_and_a_card_played_does_not(
    house: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages, store, worked_out, seq = a_hall(house, 1).app.state.pages, house.store, list[str](), 0
    viewer, head = Viewer("it", "auto", house.book.accounts.session(house.cookie()[0], now=time.time())), views.head
    monkeypatch.setattr(
        views, "head", lambda table, *a, **kw: (worked_out.append(table.name), head(table, *a, **kw))[1]
    )

    def made(**state: object) -> int:
        nonlocal seq
        seq, before = seq + 1, len(worked_out)
        state = {"table": "T0", "seq": seq, "turn": {"n": seq, "seat": "N"}, "pile": ["7H"] * seq, **state}
        store.apply(f"{HALL}T0/state", json.dumps(state).encode(), now=house.at)
        tile(pages, store.tables["T0"], viewer)
        return len(worked_out) - before

    assert made() == 1
    assert made() == 0
    shown_so_far: dict[str, object] = {}
    for name, value in SAID.items():
        shown_so_far[name] = value
        assert made(**shown_so_far) == 1, name
        assert made(**shown_so_far) == 0, name
    store.apply(f"{HALL}T0/health", b'{"camera":{"retrying":"no picture"}}', now=house.at)
    assert made(**shown_so_far) == 1
    table = store.tables["T0"]
    table.gaps.open = 3
    assert made(**shown_so_far) == 1
    store.refuse_excess(table, "a message")
    assert made(**shown_so_far) == 1


def test_a_console_that_is_sent_no_photograph_loads_nothing_that_reads_pictures() -> None:
    loaded = "print(sorted({'cv2', 'numpy', 'onnxruntime'} & {*sys.modules}))"
    code = f"import sys, table_service.console.console_server; {loaded}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
