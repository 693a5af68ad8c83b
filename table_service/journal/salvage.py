"""Salvage of a damaged journal: readable entries go into a new one, the damaged file stays beside it.

SQLite finds an entry by way of pages that may be damaged themselves; so the file is searched for entries, too, each of
which is known by its own bytes (``row_scan``), and counts if the chain says that it is the one.

Entries before the damage keep their places and hashes, so that the table's signatures over them still hold. Readable
entries behind it are chained anew behind a note that names the damaged file and every entry that is lost or changed.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from nacl.signing import SigningKey

from table_service.journal.chain import canonical, checkpoint_text, genesis, link, signed_by
from table_service.journal.pruning import PRUNED
from table_service.journal.row_scan import RowScan

MENDED: Final = "journal-mended"
"""The kind of the note that names a damage."""
_MISSES: Final = 5000
"""Consecutive unreadable places after which there is nothing more."""
_NAMED: Final = 20
_Columns = tuple[bytes | None, ...]
_NOTES: Final = "SELECT kind, boot, seq, key, body FROM entries WHERE kind = ?"
_ENTRY: Final = "SELECT kind, boot, seq, key, body, secret, hash FROM entries WHERE n = ?"


@dataclass(frozen=True, slots=True)
class Saved:
    """A place of the damaged journal: its entry.

    ``whole``: content and hash agree with the entry before; None if there is none before, and it reads as an entry.
    """

    n: int
    columns: _Columns
    hash: bytes
    whole: bool | None
    state: int | None


@dataclass(slots=True)
class Mended:
    """Result of mending a damaged journal."""

    kept: Path
    why: str
    whole: int = 0
    rechained: int = 0
    lost: list[str] | None = None

    def __str__(self) -> str:
        places = ", ".join(self.lost or []) or "none in between"
        return (
            f"the journal was damaged ({self.why}): {self.whole} entries saved as they were, {self.rechained} behind "
            f"the damage chained anew; lost or changed: {places}; the damaged file is kept as {self.kept.name}"
        )


class DamagedJournal:
    """Reads what can be read of the file at ``path``."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
        self._db.text_factory = bytes
        with suppress(sqlite3.Error):
            self._db.execute("PRAGMA writable_schema=ON")  # SQLite then reads a file that is shorter than it says
        self._found: dict[int, list[tuple[Any, ...]]] = {}
        self._signed: dict[int, tuple[bytes, bytes]] = {}
        self._created: bytes | None = None
        with suppress(OSError):
            self._scan(RowScan(path))

    def _scan(self, scan: RowScan) -> None:
        for n, row in scan.entries():
            columns = _columns(n, row)
            if columns is not None and _is_sound(columns):
                self._found.setdefault(n, []).append(row)
        for n, (hash_, signature) in scan.checkpoints():
            if isinstance(hash_, bytes) and isinstance(signature, bytes):
                self._signed[n] = hash_, signature
        self._created = scan.created()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _ask(self, sql: str, *values: object) -> Any:
        try:
            return self._db.execute(sql, values).fetchone()
        except sqlite3.Error:
            return None

    def meta(self) -> dict[str, bytes]:
        """Owner of the journal, as far as it can be read."""
        found = {}
        for name in ("table", "public_key", "created"):
            row = self._ask("SELECT value FROM meta WHERE name = ?", name)
            if row is not None and isinstance(row[0], bytes):
                found[name] = row[0]
        if self._created is not None:
            found.setdefault("created", self._created)
        return found

    def checkpoint(self, n: int) -> tuple[bytes, bytes] | None:
        """Hash and signature at ``n``."""
        row = self._ask("SELECT hash, signature FROM checkpoints WHERE n = ?", n)
        if row is None or not all(isinstance(one, bytes) for one in row):
            return self._signed.get(n)
        return row[0], row[1]

    def pruned(self, table: bytes, public: bytes) -> tuple[int, bytes, bytes] | None:
        """Up to which entry the table itself took out the beginning, its hash, and the signature over both.

        A later entry says so; without it a beginning that is not there is lost.
        """
        found = list[tuple[int, bytes, bytes]]()
        for body in self._notes_of_pruning():
            told = json.loads(body)
            n = told.get("through")
            signed = self.checkpoint(n) if isinstance(n, int) else None
            if signed is None or signed[0].hex() != told.get("hash"):
                continue
            if signed_by(public, checkpoint_text(table, n, signed[0]), signed[1]):
                found.append((n, *signed))
        return max(found, default=None)

    def _notes_of_pruning(self) -> Iterator[bytes]:
        kept = [row for rows in self._found.values() for row in rows]
        with suppress(sqlite3.Error):
            kept += self._db.execute(_NOTES, (PRUNED,)).fetchall()
        for row in kept:
            if row[0] == PRUNED.encode() and isinstance(row[4], bytes) and _is_object(row[4]):
                yield row[4]

    def entries(self, before: bytes, first: int) -> Iterator[Saved]:
        """Every entry that can be read, from ``first`` on; ``before``: the hash of the one before it, if known."""
        n, misses, end = first, 0, self._end()
        sure = bool(before)
        """True if the hash before is the one that was written there."""
        while misses < _MISSES and (end is None or n <= end):
            saved = self._saved(n, before, sure=sure)
            if saved is not None:
                yield saved
                misses, before, sure = 0, saved.hash, saved.whole is True
            else:
                misses, before, sure = misses + 1, b"", False
                later = self._found_after(n) if misses >= _MISSES else None
                n, misses = (n, misses) if later is None else (later - 1, 0)
            n += 1

    def _end(self) -> int | None:
        """Return the number of the last entry that SQLite or the file's own bytes name; None if neither does."""
        last = self._ask("SELECT max(n) FROM entries")
        asked = [last[0]] if last is not None and isinstance(last[0], int) else []
        return max([*asked, *self._found], default=None)

    def _found_after(self, n: int) -> int | None:
        return min((one for one in self._found if one > n), default=None)

    def _saved(self, n: int, before: bytes, *, sure: bool) -> Saved | None:
        """Return the entry ``n`` behind one of the hash ``before``, ``sure`` if that is certain; None if missing."""
        row = self._row(n, before)
        columns = None if row is None else _columns(n, row)
        if columns is None:
            return None
        stored, told = bytes(row[6]), self._ask("SELECT state FROM outbox WHERE n = ?", n)
        state = told[0] if told is not None and isinstance(told[0], int) else None
        whole: bool | None = bool(before) and link(before, columns) == stored
        if not whole and not sure:
            whole = None if _is_sound(columns) else False
        return Saved(n, columns, stored, whole, state)

    def _row(self, n: int, before: bytes) -> Any:
        """Return the entry ``n``: of all found at its place the one that follows on ``before``, else the first."""
        row = self._ask(_ENTRY, n)
        found = [*([] if row is None else [row]), *self._found.get(n, [])]
        for one in found:
            columns = _columns(n, one)
            if before and columns is not None and link(before, columns) == bytes(one[6]):
                return one
        return next((one for one in found if _columns(n, one) is not None), None)


def _columns(n: int, row: Any) -> _Columns | None:
    """Return the columns of an entry as the chain hashes them; None if they are not valid."""
    kind, boot, seq, key, body, secret, stored = row
    texts = all(one is None or isinstance(one, bytes) for one in (key, secret))
    if not (texts and all(isinstance(one, bytes) for one in (kind, boot, body, stored))):
        return None
    if seq is not None and not isinstance(seq, int):
        return None
    return (str(n).encode(), kind, boot, None if seq is None else str(seq).encode(), key, body, secret)


def _is_object(text: bytes) -> bool:
    """Return True if the text is a JSON object."""
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _is_sound(columns: _Columns) -> bool:
    """Return True if the texts are JSON, and an event's own words those of its columns."""
    _, kind, boot, seq, _, body, secret = columns
    try:
        told = json.loads(body or b"")
        json.loads(secret or b"{}")
    except ValueError:
        return False
    if kind != b"event":
        return isinstance(told, dict)
    place = (str(told.get("boot")).encode(), str(told.get("seq")).encode()) if isinstance(told, dict) else None
    return place == (boot, seq)


def is_signed_by(path: Path, table: str, key: SigningKey) -> bool:
    """Return True if the file at ``path``, whatever it says it is, holds what this table's key signed in a journal."""
    public = bytes(key.verify_key)
    try:
        found = RowScan(path).checkpoints()
    except OSError:
        return False
    return any(
        signed_by(public, checkpoint_text(table.encode(), n, hash_), signature)
        for n, (hash_, signature) in found
        if isinstance(hash_, bytes) and isinstance(signature, bytes)
    )


def set_aside(path: Path) -> Path:
    """Move a damaged journal and what belongs to it beside its place; returns where it is now."""
    stamp = datetime.now(UTC).strftime("%Y%m%d%H%M%S")
    kept = path.with_name(f"{path.name}.damaged-{stamp}")
    while kept.exists():
        kept = kept.with_name(kept.name + "x")
    path.rename(kept)
    for end in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + end).rename(kept.with_name(kept.name + end))
    return kept


def mend(kept: Path, made: sqlite3.Connection, table: str, key: SigningKey, why: str) -> Mended:
    """Fill the new, empty journal ``made`` with what can be read of the damaged one at ``kept``."""
    report = Mended(kept, why, lost=[])
    try:
        damaged = DamagedJournal(kept)
    except sqlite3.Error:
        return report
    with closing(damaged):
        _Filling(made, table, key, report).fill(damaged)
    return report


class _Filling:
    """One journal being filled. Used once, in one transaction."""

    def __init__(self, made: sqlite3.Connection, table: str, key: SigningKey, report: Mended) -> None:
        self._db = made
        self._table = table.encode()
        self._key = key
        self._report = report
        self._n = 0
        self._head = b""
        self._boot = b"000000"

    def fill(self, damaged: DamagedJournal) -> None:
        """Take over what can be read."""
        meta = damaged.meta()
        created = meta.get("created", b"")
        if created:
            self._db.execute("UPDATE meta SET value = ? WHERE name = 'created'", (created.decode(errors="replace"),))
        (now,) = self._db.execute("SELECT value FROM meta WHERE name = 'created'").fetchone()
        self._head = genesis(self._table, bytes(self._key.verify_key).hex().encode(), str(now).encode())
        base = damaged.pruned(self._table, bytes(self._key.verify_key))
        if base is not None:
            self._n, self._head = base[:2]
            self._db.execute("INSERT INTO checkpoints (n, hash, signature) VALUES (?, ?, ?)", base)
        first = self._n + 1
        behind: list[Saved] = []
        expected = first
        for one in damaged.entries(self._head if created or base else b"", first):
            if one.n != expected:
                self._lost(f"entries {expected} to {one.n - 1}")
            expected = one.n + 1
            if one.whole is False:
                self._lost(f"entry {one.n}")
            elif one.whole and not behind and self._n == one.n - 1:
                self._as_it_was(one, damaged)
            else:
                behind.append(one)
        self._note()
        for one in behind:
            self._anew(one)
        self._sign()

    def _lost(self, place: str) -> None:
        assert self._report.lost is not None  # noqa: S101 - made with the report
        if len(self._report.lost) < _NAMED:
            self._report.lost.append(place)

    def _as_it_was(self, one: Saved, damaged: DamagedJournal) -> None:
        self._write(one.columns, one.hash, one.state)
        signed = damaged.checkpoint(one.n)
        public = bytes(self._key.verify_key)
        if (
            signed
            and signed[0] == one.hash
            and signed_by(public, checkpoint_text(self._table, one.n, one.hash), signed[1])
        ):
            self._db.execute("INSERT INTO checkpoints (n, hash, signature) VALUES (?, ?, ?)", (one.n, *signed))
        self._report.whole += 1

    def _note(self) -> None:
        report = self._report
        body = canonical(
            {"file": report.kept.name, "why": report.why, "lost": report.lost or [], "whole": report.whole}
        )
        self._chain((b"", MENDED.encode(), self._boot, None, None, body.encode(), None), None)

    def _anew(self, one: Saved) -> None:
        try:
            self._chain(one.columns, one.state)
        except sqlite3.IntegrityError:  # its key was noted before
            return
        self._report.rechained += 1

    def _chain(self, columns: _Columns, state: int | None) -> None:
        renumbered = (str(self._n + 1).encode(), *columns[1:])
        self._write(renumbered, link(self._head, renumbered), state)

    def _write(self, columns: _Columns, hash_: bytes, state: int | None) -> None:
        n, kind, boot, seq, key, body, secret = columns
        texts = [None if one is None else one.decode("utf-8", "replace") for one in (kind, boot, key, body, secret)]
        self._db.execute(
            "INSERT INTO entries (n, kind, boot, seq, key, body, secret, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (int(n or b"0"), texts[0], texts[1], None if seq is None else int(seq), *texts[2:], hash_),
        )
        if kind == b"event":
            self._db.execute(
                "INSERT INTO outbox (n, state) VALUES (?, ?)", (int(n or b"0"), 1 if state is None else state)
            )
        self._n, self._head, self._boot = int(n or b"0"), hash_, boot or self._boot

    def _sign(self) -> None:
        signature = self._key.sign(checkpoint_text(self._table, self._n, self._head)).signature
        self._db.execute(
            "INSERT OR REPLACE INTO checkpoints (n, hash, signature) VALUES (?, ?, ?)", (self._n, self._head, signature)
        )
