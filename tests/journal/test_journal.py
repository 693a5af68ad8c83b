"""The journal keeps what it was given, through a killed process, a full disk and a second start."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from nacl.signing import SigningKey

from table_service.journal import (
    Entry,
    EvidenceStore,
    Journal,
    JournalError,
    JournalFullError,
    Limits,
    audit,
    journal_file,
)

KEY = SigningKey(bytes(range(32)))


def public(journal: Journal, kind: str = "card.drawn", **data: Any) -> dict[str, Any]:
    seq = journal.next_seq()
    return {"v": 1, "id": f"T1-{journal.boot}-{seq:06d}", "boot": journal.boot, "seq": seq, "type": kind, "data": data}


def opened(path: Path, table: str = "T1") -> Journal:
    return Journal.open(path, table, KEY)


def test_an_event_comes_back_with_its_secret_part(tmp_path: Path) -> None:
    with opened(tmp_path / "j") as journal:
        event = public(journal, card="??")
        journal.append([Entry(event, {"card": "7H#2"})])
        (kept,) = journal.pending()
        assert (kept.public, kept.secret, kept.sent) == (event, {"card": "7H#2"}, False)


def test_a_batch_of_twenty_is_written_without_a_flush(tmp_path: Path) -> None:
    with opened(tmp_path / "j") as journal:
        for _ in range(19):
            journal.add(Entry(public(journal)))
        assert journal.pending(limit=100) == []
        journal.add(Entry(public(journal)))
        assert [k.seq for k in journal.pending(limit=100)] == list(range(1, 21))


@pytest.mark.parametrize(
    ("kind", "data"), [("score.counted", {}), ("sanction.imposed", {}), ("irregularity", {"state": "ruled"})]
)
def test_a_score_or_ruling_is_on_file_at_once_and_signed(tmp_path: Path, kind: str, data: dict[str, Any]) -> None:
    with opened(tmp_path / "j") as journal:
        journal.add(Entry(public(journal)))
        journal.add(Entry(public(journal, kind, **data)))
        assert len(journal.pending()) == 2
        verdict = audit(tmp_path / "j")
        assert verdict.whole
        assert verdict.unsigned == 0


def test_the_outbox_remembers_across_a_restart_what_was_sent_and_what_arrived(tmp_path: Path) -> None:
    with opened(tmp_path / "j") as journal:
        journal.append([Entry(public(journal)) for _ in range(5)])
        places = [k.n for k in journal.pending()]
        journal.mark_sent(places[:3])
        journal.mark_acknowledged(places[:2])
    with opened(tmp_path / "j") as again:
        assert (again.outbox().unsent, again.outbox().sent, again.outbox().acknowledged) == (2, 1, 2)
        assert [(k.seq, k.sent) for k in again.pending()] == [(3, True), (4, False), (5, False)]
        assert again.boot == "000002"
        again.append([Entry(public(again))])
        assert [(k.boot, k.seq) for k in again.pending()][-1] == ("000002", 1)


def test_an_acknowledged_event_never_falls_back_to_sent(tmp_path: Path) -> None:
    with opened(tmp_path / "j") as journal:
        journal.append([Entry(public(journal))])
        n = journal.pending()[0].n
        journal.mark_acknowledged([n])
        journal.mark_sent([n])
        assert journal.pending() == []


def test_a_key_is_noted_once_even_after_a_restart(tmp_path: Path) -> None:
    with opened(tmp_path / "j") as journal:
        assert journal.note("command", {"do": "warn"}, "c-1")
        assert not journal.note("command", {"do": "dismiss"}, "c-1")
    with opened(tmp_path / "j") as again:
        assert not again.note("command", {"do": "dismiss"}, "c-1")
        assert again.noted("command", "c-1") == {"do": "warn"}


WRITER = """
import sys
from pathlib import Path
from nacl.signing import SigningKey
from table_service.journal import Entry, Journal
journal = Journal.open(Path(sys.argv[1]), "T1", SigningKey(bytes(range(32))))
while True:
    seq = journal.next_seq()
    event = {"boot": journal.boot, "seq": seq, "type": "card.drawn", "data": {"n": seq}}
    journal.append([Entry(event, {"card": "7H"})])
    print(seq, flush=True)
"""


LOOK = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); print(db.execute('{}').fetchone()[0]); db.close()"
"""A program that looks into a database as a technician's tool does: it may write, and closes what it opened."""


def seen_from_outside(path: Path, sql: str = "SELECT count(*) FROM entries") -> int:
    """What another process finds in the database at ``path``."""
    done = subprocess.run([sys.executable, "-c", LOOK.format(sql), path], check=True, capture_output=True, text=True)
    return int(done.stdout)


@pytest.mark.parametrize("before", ["new", "kept", "copied back without its tail"])
def test_another_program_that_looks_into_an_open_journal_takes_nothing_from_it(tmp_path: Path, before: str) -> None:
    # SQLite's own locks are the process's: a file of it closed by the table would let the other delete the tail
    path = tmp_path / "j"
    if before != "new":
        with opened(path) as journal:
            journal.append([Entry(public(journal))])
    if before == "copied back without its tail":
        path.write_bytes(path.read_bytes())
    with opened(path) as journal:
        for _ in range(3):
            journal.append([Entry(public(journal)) for _ in range(3)])
            assert seen_from_outside(path) == journal.head()[0]
        assert path.with_name("j-wal").exists()


def test_kill_nine_loses_nothing_that_was_written(tmp_path: Path) -> None:
    path = tmp_path / "j"
    for round_ in (1, 2):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        for line in writer.stdout:
            if int(line) >= 50:
                break
        writer.send_signal(signal.SIGKILL)
        last = max([50, *(int(rest) for rest in writer.stdout.read().split("\n")[:-1])])
        writer.wait()
        assert audit(path).whole
        with opened(path) as journal:
            own = [k.seq for k in journal.events() if k.boot == f"{2 * round_ - 1:06x}"]
            assert own == list(range(1, len(own) + 1))
            assert len(own) >= last
            assert journal.boot == f"{2 * round_:06x}"
    assert audit(path).whole


def test_a_full_disk_is_said_and_what_waited_is_written_later(tmp_path: Path, disks: Any) -> None:
    with opened(tmp_path / "j") as journal:
        disks.fail(journal.path, "full")
        entries = [Entry(public(journal, text="x" * 2000)) for _ in range(40)]
        with pytest.raises(JournalFullError, match="disk is full"):
            journal.append(entries)
        kept = len(journal.pending(limit=100)) + journal.waiting
        assert journal.outbox().unsent == kept
        disks.mend(journal.path)
        journal.flush()
        assert len(journal.pending(limit=100)) == kept
    assert audit(tmp_path / "j").whole


def test_a_file_that_is_no_journal_is_refused_in_one_sentence(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no database at all\n" * 100)
    with pytest.raises(JournalError, match="not even a database"):
        opened(text)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE a (b)")
    with pytest.raises(JournalError, match="no journal of a table"):
        opened(other)
    with pytest.raises(JournalError, match="no journal of a table"):
        audit(other)


def test_an_interrupt_while_a_journal_is_made_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> str:
        raise KeyboardInterrupt

    path = tmp_path / "T1.sqlite"
    monkeypatch.setattr(journal_file, "now_text", interrupted)
    with pytest.raises(KeyboardInterrupt):
        opened(path)
    assert [one.name for one in tmp_path.iterdir() if not one.name.endswith(".lock")] == []
    monkeypatch.undo()
    opened(path).close()
    assert audit(path).whole


def test_a_newer_format_another_table_or_another_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "j"
    opened(path).close()
    with pytest.raises(JournalError, match="journal of table T1, not of T2"):
        opened(path, "T2")
    with pytest.raises(JournalError, match="another signing key"):
        Journal.open(path, "T1", SigningKey.generate())
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version=99")
    with pytest.raises(JournalError, match="newer tavolo"):
        opened(path)


def test_two_processes_do_not_share_a_journal(tmp_path: Path) -> None:
    with opened(tmp_path / "j"), pytest.raises(JournalError, match="in use"):
        opened(tmp_path / "j")


def test_a_journal_where_nothing_can_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="cannot be written"):
        opened(tmp_path / "file" / "j")


def test_a_frame_comes_back_and_a_changed_one_does_not(tmp_path: Path) -> None:
    with opened(tmp_path / "j") as journal:
        store = EvidenceStore(tmp_path / "frames", journal)
        store.keep(b"jpeg bytes", ref="f-31", at=1000.0)
        assert store.read("f-31") == b"jpeg bytes"
        assert audit(tmp_path / "j", evidence=tmp_path / "frames").whole
        (tmp_path / "frames" / "f-31.jpg").write_bytes(b"other bytes")
        assert store.read("f-31") is None
        assert not audit(tmp_path / "j", evidence=tmp_path / "frames").whole
        assert store.read("f-99") is None
        with pytest.raises(ValueError, match="no reference"):
            store.keep(b"", ref="../outside", at=0.0)


TODAY = 1_795_000_000.0
"""A moment of November 2026, in seconds since 1970."""
DAY = 86400.0


@pytest.mark.parametrize("jump", [-400 * DAY, 400 * DAY, -TODAY])
def test_a_wall_clock_that_jumps_costs_no_picture_and_keeps_none_too_long(tmp_path: Path, jump: float) -> None:
    now = [0.0]
    with opened(tmp_path / "j") as journal:
        store = EvidenceStore(tmp_path / "frames", journal, clock=lambda: now[0])
        store.keep(b"one", ref="f1", at=TODAY)
        now[0] += 60.0
        assert store.prune(TODAY + 60 + jump) == []
        store.keep(b"two", ref="f2", at=TODAY + 60 + jump)
        now[0] += 13.9 * DAY
        assert store.prune(TODAY + jump) == []
        now[0] += 0.1 * DAY
        assert store.prune(TODAY + jump) == ["f1"], "fourteen days have passed, whatever the wall clock says"


@pytest.mark.parametrize("at_start", [0.0, TODAY - 30 * DAY, TODAY])
def test_pictures_of_before_a_clock_was_set_are_not_taken_for_old(tmp_path: Path, at_start: float) -> None:
    now = [0.0]
    with opened(tmp_path / "j") as journal:
        EvidenceStore(tmp_path / "frames", journal).keep(b"one", ref="f1", at=at_start)
        again = EvidenceStore(tmp_path / "frames", journal, clock=lambda: now[0])
        assert again.prune(1000.0) == [], "the clock is not set yet"
        gone = again.prune(TODAY + 60)
        assert gone == (["f1"] if at_start == TODAY - 30 * DAY else []), "only what is surely old goes"
        now[0] += 14 * DAY + 1
        assert again.prune(TODAY + 60) == ([] if gone else ["f1"])


def test_frames_are_pruned_by_space_then_by_age_oldest_first(tmp_path: Path) -> None:
    with opened(tmp_path / "j") as journal:
        now = [50.0]
        store = EvidenceStore(tmp_path / "frames", journal, Limits(space=250, age=100.0), lambda: now[0])
        for i in range(4):
            now[0] += 1.0
            store.keep(bytes([i]) * 100, ref=f"f{i}", at=1000.0 + i)
        assert [store.read(f"f{i}") is not None for i in range(4)] == [False, False, True, True]
        now[0] += 99.5
        assert store.prune(1102.5) == ["f2"]
        assert store.read("f3") is not None
        assert audit(tmp_path / "j", evidence=tmp_path / "frames").whole
