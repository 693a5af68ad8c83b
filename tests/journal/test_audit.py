"""The audit finds a changed byte and says where it is."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
from nacl.signing import SigningKey

from table_service.journal import Entry, Journal, JournalError, audit
from table_service.journal.chain import checkpoint_text, genesis, link
from table_service.journal.entries import row_columns

KEY = SigningKey(bytes(range(32)))


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A closed journal: 1 boot entry and 60 events, in entries 1 to 61."""
    path = tmp_path / "T1.sqlite"
    with Journal.open(path, "T1", KEY) as journal:
        for i in range(60):
            seq = journal.next_seq()
            journal.add(
                Entry(
                    {"boot": journal.boot, "seq": seq, "type": "card.drawn", "data": {"marked": f"event-{i:03d}-body"}},
                    {"card": f"secret-{i:03d}-part"},
                )
            )
    return path


def flip(path: Path, needle: bytes, *, bit: int = 1) -> None:
    data = bytearray(path.read_bytes())
    at = data.index(needle)
    data[at + len(needle) - 1] ^= bit
    path.write_bytes(data)


def test_an_untouched_journal_is_whole(whole: Path) -> None:
    verdict = audit(whole, public_key=bytes(KEY.verify_key).hex())
    assert verdict.whole
    assert (verdict.entries, verdict.unsigned) == (61, 0)
    assert verdict.checkpoints >= 2


@pytest.mark.parametrize("number", [0, 17, 59])
@pytest.mark.parametrize("needle", ["event-{:03d}-bod", "secret-{:03d}-par"])
def test_one_flipped_bit_is_placed_at_its_entry(whole: Path, number: int, needle: str) -> None:
    flip(whole, needle.format(number).encode())
    verdict = audit(whole)
    assert [(f.entry, f.boot, f.seq) for f in verdict.faults] == [(number + 2, "000001", number + 1)]
    assert f"entry {number + 2} " in str(verdict)


def test_a_byte_that_is_no_longer_utf8_is_placed_too(whole: Path) -> None:
    flip(whole, b"event-030-bod", bit=0x80)
    assert [f.entry for f in audit(whole).faults] == [32]


def test_a_flipped_bit_in_a_hash_is_placed_at_that_hash(whole: Path) -> None:
    with sqlite3.connect(whole) as db:
        stored = db.execute("SELECT hash FROM entries WHERE n = 40").fetchone()[0]
    flip(whole, stored)
    (fault,) = audit(whole).faults
    assert fault.entry == 40
    assert "hash of entry 40 was changed" in fault.message


def test_every_single_byte_of_every_entry_counts(whole: Path, tmp_path: Path) -> None:
    """Sampled through the whole file: a byte that belongs to an entry is found; none makes the audit fail."""
    data = whole.read_bytes()
    found = 0
    copy = tmp_path / "copy.sqlite"
    for at in range(100, len(data), 331):
        changed = bytearray(data)
        changed[at] ^= 0x20
        copy.write_bytes(changed)
        try:
            found += not audit(copy).whole
        except JournalError:
            found += 1
    lived = sum(1 for at in range(100, len(data), 331) if data[at] != 0)
    assert found >= 0.9 * lived


def test_a_removed_and_a_cut_entry_are_found(whole: Path, tmp_path: Path) -> None:
    middle = tmp_path / "middle.sqlite"
    shutil.copy(whole, middle)
    with sqlite3.connect(middle) as db:
        db.execute("DELETE FROM entries WHERE n = 20")
        db.execute("DELETE FROM outbox WHERE n = 20")
    assert any("entries 20 to 20 are missing" in f.message for f in audit(middle).faults)
    with sqlite3.connect(whole) as db:
        db.execute("DELETE FROM entries WHERE n > 50")
        db.execute("DELETE FROM outbox WHERE n > 50")
    assert any("was cut" in f.message for f in audit(whole).faults)


def test_a_chain_written_anew_without_the_tables_key_is_found(whole: Path) -> None:
    with sqlite3.connect(whole) as db:
        meta = dict(db.execute("SELECT name, value FROM meta"))
        head = genesis(b"T1", meta["public_key"].encode(), meta["created"].encode())
        rows = db.execute("SELECT n, kind, boot, seq, key, body, secret FROM entries ORDER BY n").fetchall()
        for n, kind, boot, seq, key, body, secret in rows:
            forged = body.replace("event-030", "event-999")
            texts = (forged.encode(), None if secret is None else secret.encode())
            head = link(head, (*row_columns(n, kind, boot, seq, key), *texts))
            db.execute("UPDATE entries SET body = ?, hash = ? WHERE n = ?", (forged, head, n))
            db.execute("UPDATE checkpoints SET hash = ? WHERE n = ?", (head, n))
    assert any("signature at entry" in f.message for f in audit(whole).faults)
    thief = SigningKey.generate()
    with sqlite3.connect(whole) as db:
        for n, head in db.execute("SELECT n, hash FROM checkpoints").fetchall():
            signature = thief.sign(checkpoint_text(b"T1", n, head)).signature
            db.execute("UPDATE checkpoints SET signature = ? WHERE n = ?", (signature, n))
    assert not audit(whole).whole


def test_another_key_than_the_one_known_is_said(whole: Path) -> None:
    assert any("another signing key" in f.message for f in audit(whole, public_key="00" * 32).faults)


def test_a_damaged_write_ahead_file_is_not_taken_for_an_ended_one(tmp_path: Path) -> None:
    path = tmp_path / "live.sqlite"
    journal = Journal.open(path, "T1", KEY)
    for _ in range(3):
        seq = journal.next_seq()
        journal.append([Entry({"boot": journal.boot, "seq": seq, "type": "card.drawn", "data": {}})])
    for suffix in ("", "-wal"):
        shutil.copy(str(path) + suffix, str(tmp_path / "copy.sqlite") + suffix)
    journal.close()
    assert audit(tmp_path / "copy.sqlite").whole
    for suffix in ("-shm",):
        (tmp_path / ("copy.sqlite" + suffix)).unlink(missing_ok=True)
    wal = tmp_path / "copy.sqlite-wal"
    data = bytearray(wal.read_bytes())
    data[len(data) // 2] ^= 1
    wal.write_bytes(data)
    assert any("write-ahead file is damaged" in f.message for f in audit(tmp_path / "copy.sqlite").faults)


def test_a_missing_journal_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no journal at"):
        audit(tmp_path / "none.sqlite")
