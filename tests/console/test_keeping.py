"""The console's file: pruned by age, finished tournaments kept until deleted, copies, damage told in one sentence."""

from __future__ import annotations

import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

from table_service.console.retention import look_after
from table_service.console.settings import ConsoleSettings
from table_service.console.storage import Book, BookError
from table_service.console.storage.copies import copies
from table_service.console.storage.database import SCHEMA

feed: Any = sys.modules["console_feed"]
DAY = 86_400.0
NOW = 1_800_000_000.0


def events(book: Book) -> list[int]:
    return [row["seq"] for row in book.database.rows("select seq from event order by seq")]


def hear(book: Book, seq: int, at: float) -> None:
    event = feed.event(seq, "card.drawn", "W")
    book.kept.event("T12", event, "{}", now=at)
    book.kept.flush()


def test_what_is_old_and_belongs_to_no_tournament_goes_and_the_rest_stays(tmp_path: Path) -> None:
    book = Book(tmp_path / "console.sqlite")
    hear(book, 1, NOW - 90 * DAY)
    book.tournaments.begin("A", now=NOW - 80 * DAY)
    hear(book, 2, NOW - 80 * DAY + 60)
    book.rounds.begin(4, 42, ("T12",), "Anna", now=NOW - 80 * DAY + 60)
    book.tournaments.end("Anna", now=NOW - 79 * DAY)
    hear(book, 3, NOW - 70 * DAY)
    hear(book, 4, NOW - 1 * DAY)
    look_after(book, ConsoleSettings(keep_days=60), now=NOW)
    assert events(book) == [2, 4]
    assert [one.name for one in book.tournaments.all()] == ["A"]
    assert len(book.rounds.all()) == 1
    book.close()


def test_a_tournament_that_goes_on_loses_nothing_however_long_it_lasts(tmp_path: Path) -> None:
    book = Book(tmp_path / "console.sqlite")
    book.tournaments.begin("lungo", now=NOW - 300 * DAY)
    hear(book, 1, NOW - 299 * DAY)
    look_after(book, ConsoleSettings(keep_days=60), now=NOW)
    assert events(book) == [1]
    book.close()


def test_a_tournament_is_deleted_whole_by_the_chief_and_only_when_it_is_over(tmp_path: Path) -> None:
    book = Book(tmp_path / "console.sqlite")
    made = book.tournaments.begin("A", now=NOW)
    hear(book, 1, NOW + 5)
    book.rounds.begin(2, 25, ("T12",), "Anna", now=NOW + 1)
    book.rounds.seat(1, {("T12", "NS"): "Rossi"})
    book.audit.note("Anna", "chief", "sign-in", at=NOW + 1)
    assert not book.tournaments.delete(made.id)
    book.tournaments.end("Anna", now=NOW + 10)
    hear(book, 2, NOW + 20)
    assert book.tournaments.delete(made.id)
    assert events(book) == [2]
    assert book.rounds.all() == []
    assert book.rounds.seated(1) == {}
    assert [one.deed for one in book.audit.newest()] == ["sign-in"], "who did what stays"
    book.close()


async def test_the_chief_deletes_it_from_the_archive_and_nobody_else(house: Any) -> None:
    house.hear()
    await house.post("/round/start", "chief", deals="2")
    await house.post("/round/end", "chief", anyway="1")
    house.at += 5
    await house.post("/round/close-tournament", "organiser")
    assert house.book.tournaments.current is None
    number = house.book.tournaments.all()[0].id
    for role in ("arbitro", "organiser", "technician"):
        assert (await house.post(f"/tournaments/{number}/delete", role)).status_code == 403
    assert "Elimina" in await house.page("/archive", "chief")
    assert f"really-{number}" not in await house.page("/archive", "organiser")
    await house.post(f"/tournaments/{number}/delete", "chief")
    assert house.book.tournaments.all() == []


def test_a_copy_is_whole_private_and_the_oldest_make_room(tmp_path: Path) -> None:
    path = tmp_path / "console.sqlite"
    book = Book(path)
    settings = ConsoleSettings(data=path, copies=2)
    for day in range(4):
        hear(book, day, NOW + day * DAY)
        at = NOW + day * DAY
        assert look_after(book, settings, now=at) is None
        for one in copies(path):
            os.utime(one, (0, 0))  # a day old by the next time
    made = copies(path)
    assert len(made) == 2
    assert made[-1].stat().st_mode & 0o077 == 0
    with sqlite3.connect(made[-1]) as kept:
        assert [row[0] for row in kept.execute("select seq from event order by seq")] == [0, 1, 2, 3]
    book.close()


def test_a_fresh_copy_is_not_made_again(tmp_path: Path) -> None:
    path = tmp_path / "console.sqlite"
    book = Book(path)
    settings = ConsoleSettings(data=path, copies=3)
    look_after(book, settings)
    look_after(book, settings)
    assert len(copies(path)) == 1
    book.close()


@pytest.mark.parametrize("damage", ["no database", "a page"])
def test_a_damaged_file_is_one_sentence_that_names_the_newest_copy(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "console.sqlite"
    book = Book(path)
    for seq in range(300):
        book.kept.event("T12", feed.event(seq, "card.drawn", "W"), "x" * 400, now=NOW)
    book.kept.flush()
    look_after(book, ConsoleSettings(data=path))
    book.database.do("pragma wal_checkpoint(truncate)")
    book.close()
    raw = bytearray(path.read_bytes())
    if damage == "no database":
        raw[:16] = b"not a database.."
    else:
        raw[len(raw) // 2 : len(raw) // 2 + 8192] = b"\xff" * 8192
    path.write_bytes(bytes(raw))
    with pytest.raises(BookError) as told:
        Book(path)
    said = str(told.value)
    assert "cannot be used" in said
    assert str(copies(path)[-1]) in said
    assert "\n" not in said
    copies(path)[-1].replace(path)
    again = Book(path)
    assert len(events(again)) == 300
    again.close()


def test_a_file_of_an_earlier_version_grows_the_columns_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "console.sqlite"
    with sqlite3.connect(path) as old:
        old.execute(
            "create table round (id integer primary key, deals integer not null, minutes real not null, begun real not"
            " null, begun_by text not null, places text not null, paused real, lost real not null default 0, out real,"
            " ended real, shown real)"
        )
        old.execute("insert into round (deals, minutes, begun, begun_by, places) values (4, 42, 1, 'Anna', '[]')")
    book = Book(path)
    assert book.rounds.current.kind == "plain"
    assert book.rounds.current.posted is None
    book.close()
    copy = tmp_path / "console.sqlite.schema-0"  # as it was, whole and private
    with sqlite3.connect(copy) as kept:
        assert "kind" not in {row[1] for row in kept.execute("pragma table_info(round)")}
        assert kept.execute("select begun_by from round").fetchall() == [("Anna",)]
    assert copy.stat().st_mode & 0o777 == 0o600
    written = copy.stat().st_mtime_ns
    Book(path).close()
    assert copy.stat().st_mtime_ns == written


def test_a_file_whose_making_is_broken_off_has_nothing_of_it_and_is_made_whole_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "console.sqlite"
    with sqlite3.connect(path) as file:
        file.execute("create view award as select 1 as round")  # a late index cannot be made on it
    with pytest.raises(BookError):
        Book(path)
    with sqlite3.connect(path) as left:
        assert left.execute("select name from sqlite_master").fetchall() == [("award",)]
        left.execute("drop view award")
    book = Book(path)
    assert book.rounds.running is None
    book.close()


def test_a_file_of_a_newer_console_is_refused_in_a_sentence_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "console.sqlite"
    Book(path).close()
    with sqlite3.connect(path) as file:
        file.execute(f"pragma user_version = {SCHEMA + 1}")
    before = path.read_bytes()
    with pytest.raises(BookError, match="newer tavolo"):
        Book(path)
    assert path.read_bytes() == before
