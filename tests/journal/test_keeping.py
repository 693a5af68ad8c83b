"""A journal stays bounded, survives a bad disk, and a damaged one is named and saved."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from nacl.signing import SigningKey

from table_service.journal import Entry, Journal, JournalError, JournalFullError, Keeping, audit, inspect, queries
from table_service.journal import store as store_room
from table_service.journal.journal_file import FORMAT
from table_service.journal.pruning import PRUNED
from table_service.journal.salvage import MENDED

KEY = SigningKey(bytes(range(32)))
DAY = 86_400.0
OLD = Keeping(space=10**12, age=30 * DAY, boots=3, entries=10)


def opened(path: Path) -> Journal:
    return Journal.open(path, "T1", KEY)


def fill(journal: Journal, count: int, day: int = 1) -> None:
    for _ in range(count):
        seq = journal.next_seq()
        time = f"2026-01-{day:02d}T20:00:00.000Z"
        event = {"boot": journal.boot, "seq": seq, "type": "card.drawn", "time": time, "data": {"x": "y" * 200}}
        journal.add(Entry(event, {"card": "7H"}))
    journal.flush()
    journal.mark_acknowledged([kept.n for kept in journal.pending(limit=count)])


@pytest.fixture
def evenings(tmp_path: Path) -> Path:
    """Eight boots of 50 events, one a day."""
    path = tmp_path / "T1.sqlite"
    for day in range(1, 9):
        with opened(path) as journal:
            fill(journal, 50, day)
    return path


def at(day: float) -> float:
    from datetime import UTC, datetime

    return datetime(2026, 1, 1, 20, tzinfo=UTC).timestamp() + (day - 1) * DAY


def pragma(path: Path, name: str) -> int:
    """What SQLite says of a file, asked beside the journal that has it open."""
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute(f"PRAGMA {name}").fetchone()[0])


def boots(path: Path) -> list[str]:
    with sqlite3.connect(path) as db:
        return [row[0] for row in db.execute("SELECT DISTINCT boot FROM entries WHERE seq IS NOT NULL ORDER BY boot")]


# --- pruning ---------------------------------------------------------------------------------------------------------


def test_old_boots_go_whole_and_the_rest_is_still_a_chain_that_the_table_signed(evenings: Path) -> None:
    with opened(evenings) as journal:
        fill(journal, 20, 9)
        gone = sum(iter(lambda: journal.prune(at(34.5), OLD), 0))
        assert gone > 150
        assert next(one.boot for one in journal.extents(32)) == "000005"  # the fourth evening is 30 days old by then
        assert journal.notes(PRUNED)[-1]["why"] == "age"
    verdict = audit(evenings)
    assert verdict.whole, str(verdict)
    assert verdict.pruned == gone
    assert "taken out by the table" in str(verdict)
    with opened(evenings) as again:  # and it goes on
        fill(again, 5, 10)
    assert audit(evenings).whole


def test_space_takes_the_oldest_and_a_file_stops_growing(evenings: Path) -> None:
    with opened(evenings) as journal:
        most = Keeping(space=journal.size() // 2, age=10**12, boots=2, entries=10)
        sum(iter(lambda: journal.prune(at(9), most), 0))
        assert journal.size() <= most.space
        pages = pragma(evenings, "page_count")
        fill(journal, 50, 9)
        assert pragma(evenings, "page_count") <= pages + 1  # what went is used again
    assert audit(evenings).whole


def test_a_clock_that_jumps_ten_years_takes_nothing_that_a_protest_may_need(evenings: Path) -> None:
    with opened(evenings) as journal:
        assert journal.prune(at(3650), Keeping()) == 0  # the newest 20 boots stay whatever the clock says
        sum(iter(lambda: journal.prune(at(3650), Keeping(age=DAY, boots=3, entries=100)), 0))
        assert len(list(journal.events())) >= 100


def test_what_no_broker_has_had_is_never_pruned(evenings: Path) -> None:
    with sqlite3.connect(evenings) as db:
        db.execute("UPDATE outbox SET state = 0 WHERE n = (SELECT n FROM entries WHERE boot = '000001' AND seq = 7)")
    with opened(evenings) as journal:
        sum(iter(lambda: journal.prune(at(3650), OLD), 0))
        assert [kept.seq for kept in journal.pending()] == [7]
    assert audit(evenings).whole


def test_a_beginning_that_somebody_else_took_out_is_found(evenings: Path, tmp_path: Path) -> None:
    with opened(evenings) as journal:
        sum(iter(lambda: journal.prune(at(34.5), OLD), 0))
    with sqlite3.connect(evenings) as db:  # up to another entry that the table signed
        first = db.execute("SELECT min(n) FROM entries").fetchone()[0]
        (cut,) = db.execute("SELECT n FROM checkpoints WHERE n > ? ORDER BY n LIMIT 1", (first + 5,)).fetchone()
        for table in ("entries", "outbox"):
            db.execute(f"DELETE FROM {table} WHERE n <= ?", (cut,))  # noqa: S608 - one of two words
    verdict = audit(evenings)
    assert not verdict.whole
    assert f"entries 1 to {cut} are missing" in str(verdict)


# --- a disk that takes nothing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["full", "read-only"])
def test_a_disk_that_takes_nothing_loses_nothing_and_is_said(tmp_path: Path, disks: Any, fault: str) -> None:
    path = tmp_path / "T1.sqlite"
    with opened(path) as journal:
        fill(journal, 20)
        disks.fail(path, fault)
        with pytest.raises(JournalFullError):
            fill(journal, 200)
        assert journal.waiting > 0
        disk = inspect(path, waiting=journal.waiting, unkept=journal.unkept, refused=True, low=1 << 62)
        assert "wait in memory" in disk.problem
        assert disk.as_dict()["retrying"] == disk.problem
        disks.mend(path)
        journal.flush()
        events = list(journal.events())
        assert [kept.seq for kept in events] == list(range(1, len(events) + 1))
    assert audit(path).whole


def test_room_that_runs_out_is_said_before(tmp_path: Path) -> None:
    free = inspect(tmp_path / "T1.sqlite", waiting=0, unkept=0, refused=False, low=0)
    assert (free.standing, free.problem) == ("ok", "")
    low = inspect(tmp_path / "T1.sqlite", waiting=0, unkept=0, refused=False, low=1 << 62)
    assert low.standing == "low"
    assert "MB left" in low.problem


def test_memory_is_bounded_and_what_found_no_room_is_counted(tmp_path: Path, disks: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(store_room, "WAITING_MOST", 30)
    with opened(tmp_path / "T1.sqlite") as journal:
        disks.fail(journal.path)
        for _ in range(50):
            seq = journal.next_seq()
            with suppress(JournalFullError):
                journal.add(Entry({"boot": journal.boot, "seq": seq, "type": "card.drawn", "data": {}}))
        assert (journal.waiting, journal.unkept) == (30, 20)
        disk = inspect(journal.path, waiting=30, unkept=20, refused=True)
        assert "20 events could not be kept" in disk.problem
        disks.mend(journal.path)
        journal.flush()


# --- formats ---------------------------------------------------------------------------------------------------------


def test_a_journal_of_the_format_before_is_brought_up_and_kept_as_a_copy(evenings: Path) -> None:
    with sqlite3.connect(evenings) as db:
        db.execute("DROP INDEX entries_boot")
        db.execute("PRAGMA user_version=1")
    with opened(evenings) as journal:
        assert pragma(evenings, "user_version") == FORMAT
        assert len(list(journal.events())) == 400
        assert journal.boot == "000009"
    assert audit(evenings).whole
    copy = evenings.with_name("T1.sqlite.format-1")
    assert audit(copy).entries == 408
    assert copy.stat().st_mode & 0o777 == 0o600


def test_a_newer_journal_is_refused_in_a_sentence_and_left_as_it_is(evenings: Path) -> None:
    with sqlite3.connect(evenings) as db:
        db.execute(f"PRAGMA user_version={FORMAT + 1}")
    before = evenings.read_bytes()
    with pytest.raises(JournalError, match="newer tavolo"):
        opened(evenings)
    assert evenings.read_bytes() == before


def test_what_each_start_asks_for_is_found_without_reading_the_whole_journal(evenings: Path) -> None:
    with sqlite3.connect(evenings) as db:
        db.execute("DROP INDEX entries_notes")  # as a journal of before has none
    with opened(evenings) as journal:
        assert [one["version"] for one in journal.notes("boot")][-1:] == ["unknown"]
        assert journal.newest("card.drawn", among=1000) is not None
        assert journal.newest("card.drawn", among=1) is None  # the boot's own note
    with sqlite3.connect(evenings) as db:
        notes, newest = (
            db.execute(f"EXPLAIN QUERY PLAN {sql}", asked).fetchone()[3]
            for sql, asked in ((queries.NOTED, ("boot", 0)), (queries.NEWEST, (5, "%")))
        )
    assert "entries_notes" in notes
    assert "rowid>?" in newest


# --- damage ----------------------------------------------------------------------------------------------------------


def damaged_copies(folder: Path) -> list[Path]:
    return [one for one in folder.glob("T1.sqlite.damaged-*") if not one.name.endswith(("-wal", "-shm"))]


@pytest.mark.parametrize("share", [0.35, 0.6, 0.9])
def test_a_truncated_journal_is_named_and_its_good_part_saved(evenings: Path, share: float) -> None:
    size = evenings.stat().st_size
    with evenings.open("r+b") as file:
        file.truncate(int(size * share))
    with opened(evenings) as journal:
        mended = journal.mended
        assert mended is not None
        saved = [(kept.boot, kept.seq) for kept in journal.events()]
        assert saved == sorted(set(saved))
        assert mended.whole + mended.rechained > 0
        assert journal.notes(MENDED)[0]["file"] == mended.kept.name
        fill(journal, 5, 20)
    assert len(damaged_copies(evenings.parent)) == 1
    assert damaged_copies(evenings.parent)[0].stat().st_size == int(size * share)
    verdict = audit(evenings)
    assert verdict.whole, str(verdict)
    with opened(evenings) as again:
        assert again.mended is None


def test_pages_overwritten_in_the_middle_cost_their_entries_only_and_are_named(evenings: Path) -> None:
    with sqlite3.connect(evenings) as db:
        page = db.execute("PRAGMA page_size").fetchone()[0]
        pages = db.execute("PRAGMA page_count").fetchone()[0]
    data = bytearray(evenings.read_bytes())
    middle = pages // 2
    data[middle * page : (middle + 1) * page] = b"\xa5" * page
    evenings.write_bytes(data)
    with opened(evenings) as journal:
        assert journal.mended is not None
        assert "lost or changed" in str(journal.mended)
        saved = {(kept.boot, kept.seq) for kept in journal.events()}
        assert len(saved) >= 400 - 2 * (page // 200)
        assert ("000008", 50) in saved
        assert int(journal.boot, 16) >= 9
    assert audit(evenings).whole


def test_a_flipped_bit_is_placed_by_the_audit_and_does_not_stop_the_table(evenings: Path) -> None:
    data = bytearray(evenings.read_bytes())
    where = data.index(b'yyyy"},"seq":23,')
    data[where] ^= 1
    evenings.write_bytes(data)
    faults = audit(evenings).faults
    assert faults[0].seq == 23
    with opened(evenings) as journal:
        assert len(list(journal.events())) == 400


def test_a_half_written_tail_is_cut_where_it_is_whole(tmp_path: Path) -> None:
    path, other = tmp_path / "T1.sqlite", tmp_path / "copy" / "T1.sqlite"
    other.parent.mkdir()
    with opened(path) as journal:
        fill(journal, 60)
        for name in ("T1.sqlite", "T1.sqlite-wal"):
            shutil.copy(tmp_path / name, other.parent / name)
    wal = other.with_name("T1.sqlite-wal")
    with wal.open("r+b") as file:
        file.truncate(wal.stat().st_size - 1000)
    with opened(other) as again:
        saved = [kept.seq for kept in again.events()]
        assert saved == list(range(1, len(saved) + 1))
        assert len(saved) >= 20
    assert audit(other).whole


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "T1.sqlite"
    path.write_bytes(b"not a journal at all" * 500)
    with pytest.raises(JournalError, match="not even a database"):
        opened(path)
    assert damaged_copies(tmp_path) == []


def test_an_event_takes_the_same_bytes_and_steps_however_many_lie_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps, connect = Counter[str](), sqlite3.connect

    def counted(path: Any, **how: Any) -> sqlite3.Connection:
        made: sqlite3.Connection = connect(path, **how)
        made.set_progress_handler(lambda: steps.update(["taken"]) or 0, 1)
        return made

    monkeypatch.setattr(sqlite3, "connect", counted)
    costs = []
    with opened(tmp_path / "T1.sqlite") as journal:
        monkeypatch.undo()
        for earlier in (0, 3000):
            fill(journal, earlier)
            steps.clear()
            before = pragma(journal.path, "page_count")
            for _ in range(10):
                fill(journal, 50)
            size = (pragma(journal.path, "page_count") - before) * pragma(journal.path, "page_size")
            costs.append((size / 500, steps["taken"] / 500))
    (few, first), (many, later) = costs
    assert many <= few * 1.05 < 550
    assert 0 < later <= first * 1.05 < 150
