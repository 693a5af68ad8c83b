"""What a console holds of a long evening: packed, read again as it was told, and little for each deal."""

from __future__ import annotations

import gc
import json
import tracemalloc
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import pytest

from table_service.console import ConsoleSettings
from table_service.console.dispatch import Office
from table_service.console.live_tables import ConsoleStore
from table_service.console.packed_events import PackedEvent
from table_service.console.storage import Book
from table_service.console.table_view import DIGESTS_KEPT, TableView
from table_service.rehearsal.prove import events_of, table_fold
from table_service.rehearsal.rehearse import prepare

A_DEAL: Final = 3 * 1024
"""So many bytes a console may hold for each deal that counts; read, its count alone takes four times as much."""
MANY: Final = 8


@lru_cache(1)
def deal_told() -> list[dict[str, Any]]:
    """Every event of a round of one deal, as a table tells it."""
    rehearsal = prepare("fibur2024", 1, 1, table="T1")
    told, _, _ = events_of(table_fold(rehearsal.header), rehearsal.observations())
    return [{name: value for name, value in one.items() if name != "secret"} for one in told]


def test_an_event_is_read_as_it_was_told() -> None:
    for event in deal_told():
        packed = PackedEvent.of(event, 7.0)
        assert packed.read() == json.loads(json.dumps(event))
        assert (packed.place, packed.type, packed.heard) == ((event["boot"], event["seq"]), event["type"], 7.0)


def test_a_packed_count_takes_a_tenth_of_a_read_one() -> None:
    count = next(event for event in deal_told() if event["type"] == "score.counted")
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        read = [json.loads(json.dumps(count)) for _ in range(100)]
        between = tracemalloc.get_traced_memory()[0]
        packed = [PackedEvent.of(count, 0.0) for _ in range(100)]
        after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert len(read) == len(packed)
    assert (after - between) * 10 <= between - before


@pytest.mark.slow(seconds=4)
def test_a_console_holds_little_for_each_deal_of_an_evening_however_long(tmp_path: Path) -> None:
    store, book = ConsoleStore("sala"), Book(tmp_path / "console.sqlite")
    office, seq = Office(ConsoleSettings(hall="sala"), store, book), 0

    def play(deals: int) -> int:
        nonlocal seq
        for _ in range(deals):
            for event in deal_told():
                seq += 1
                told = {**event, "seq": seq, "id": f"T1-{seq}"}
                store.apply(f"tavolo/v1/sala/T1/event/{event['type']}", json.dumps(told).encode(), now=0.0)
            book.database.flush()
        office.tick()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        play(3)  # all that is bounded by a number of events is full
        before = play(1)
        grown = play(MANY) - before
    finally:
        tracemalloc.stop()
        book.close()
    assert len(office.sheets.rounds("T1")) == 4 + MANY
    assert grown < MANY * A_DEAL


def test_of_ever_more_pictures_the_newest_can_be_asked_for() -> None:
    view = TableView("T1")
    for n in range(DIGESTS_KEPT):
        view.why[f"r{n}-0"] = "wrong"
        assert view.tell_pictures(f"k{n}", {"pictures": [{"ref": f"r{n}-{k}", "sha256": "0" * 64} for k in range(2)]})
    newest = {f"r{n}-{k}" for n in range(DIGESTS_KEPT // 2, DIGESTS_KEPT) for k in range(2)}
    assert view.digests.keys() == newest
    assert view.why.keys() <= newest
