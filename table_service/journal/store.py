"""One table's journal: every event with its secret part, chained and signed, and the outbox that feeds MQTT.

A SQLite file in WAL mode. Entries are appended in batches (about 20) and never changed; the outbox state beside them
(unsent, sent, acknowledged) is the only thing that is. Scores and rulings are synced at once
(``synchronous=FULL``), everything else before it is announced (``sync``), so that a power cut leaves nothing announced
that the journal lacks. Of the outbox state a cut may lose the newest marks: those events are sent again.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Final, Self

from nacl.signing import SigningKey

from table_service.events.sequence import Extent
from table_service.journal import queries
from table_service.journal.chain import canonical, checkpoint_text, genesis, link
from table_service.journal.entries import (
    ACKNOWLEDGED,
    SENT,
    UNSENT,
    Entry,
    EntryRow,
    Keeping,
    OutboxCounts,
    StoredEvent,
    row_columns,
)
from table_service.journal.journal_file import (
    JournalFullError,
    bytes_in_use,
    lock,
    now_text,
    open_or_mend,
    plain_errors,
    sync_ahead,
    transaction,
)
from table_service.journal.pruning import PRUNED, Cut, next_cut
from table_service.journal.salvage import Mended

BATCH: Final = 20
"""Entries a transaction: 23 times fewer bytes than one by one (hardware facts)."""
WAITING_MOST: Final = 50_000
"""Most events that wait in memory while the disk takes none; later ones are not kept, and that is reported."""
CHECKPOINT_EVERY: Final = 100
"""Entries after which the head is signed even if nothing durable asks for it."""


class Journal:
    """An open journal. Safe to use from several threads; one process at a time.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> journal = Journal.open(Path(folder.name) / "T12.sqlite", "T12", SigningKey.generate())
    >>> journal.append([Entry({"boot": journal.boot, "seq": journal.next_seq(), "type": "turn.started"})])
    >>> [kept.public["type"] for kept in journal.events()], journal.outbox()
    (['turn.started'], OutboxCounts(unsent=1, sent=0, acknowledged=0))
    >>> journal.close()
    >>> folder.cleanup()
    """

    def __init__(
        self, path: Path, db: sqlite3.Connection, lock_file: IO[str], table: str, key: SigningKey, first_boot: int = 1
    ) -> None:
        """Use ``Journal.open``."""
        self.path = path
        self.table = table
        self._db = db
        self._lock_file = lock_file
        self._key = key
        self._lock = threading.RLock()
        self._waiting: list[EntryRow] = []
        self._synced = False
        """True if every entry on file is known to be synced to the disk."""
        self.mended: Mended | None = None
        """Fault of the file when it was opened, and what was saved; None if it was whole."""
        self.unkept = 0
        """Events that found no room in memory while the disk took none."""
        self._begun: dict[str, str] = {}
        self._before: list[Extent] | None = None
        """Extents of earlier boots; None if they are to be looked up."""
        self._closed = False
        self._n, self._head = self._read_head()
        self._signed = int(self._db.execute("SELECT coalesce(max(n), 0) FROM checkpoints").fetchone()[0])
        self.boot = self._begin_boot(first_boot)
        self._seq = 0

    @classmethod
    def open(
        cls,
        path: Path,
        table: str,
        key: SigningKey,
        *,
        version: str = "",
        first_boot: int = 1,
        lost_key: bool = False,
    ) -> Journal:
        """Open the journal of ``table`` at ``path``, made if missing, and begin a new boot in it.

        ``version`` is noted with the boot; ``first_boot`` numbers the first boot of a new journal. A damaged one is set
        aside, and what can be read of it saved: ``mended`` says so; so is one of another key if this table's was lost
        (``lost_key``). Raises JournalError: no journal, another table's, a newer format, in use, not writable.
        """
        lock_file = lock(path)
        db: sqlite3.Connection | None = None
        try:
            db, mended = open_or_mend(path, table, key, lost_key=lost_key)
            with plain_errors(path):
                journal = cls(path, db, lock_file, table, key, first_boot)
                journal.mended = mended
                journal._note_boot(version or "unknown")
        except BaseException:
            if db is not None:
                db.close()
            lock_file.close()
            raise
        return journal

    # --- what the file says ------------------------------------------------------------------------------------------

    def _read_head(self) -> tuple[int, bytes]:
        row = self._db.execute("SELECT n, hash FROM entries ORDER BY n DESC LIMIT 1").fetchone()
        if row is not None:
            return int(row[0]), bytes(row[1])
        meta = dict(self._db.execute("SELECT name, value FROM meta"))
        return 0, genesis(meta["table"].encode(), meta["public_key"].encode(), meta["created"].encode())

    def _begin_boot(self, first: int) -> str:
        last = self._db.execute(queries.LAST_BOOT).fetchone()[0]
        return f"{int(last, 16) + 1 if last else first:06x}"

    def _note_boot(self, version: str) -> None:
        body = canonical({"boot": self.boot, "opened": now_text(), "version": version})
        self._waiting.append(EntryRow("boot", self.boot, None, None, body, None, outbox=False, durable=True))
        with suppress(JournalFullError):  # the table plays all the same; it is written when the disk takes it
            self.flush()

    # --- writing -----------------------------------------------------------------------------------------------------

    def next_seq(self) -> int:
        """Return the next event's number in this boot, counting from 1."""
        with self._lock:
            self._seq += 1
            return self._seq

    def add(self, entry: Entry) -> None:
        """Keep an event. It is on file when 20 wait, when ``flush`` is called, or at once if it is durable."""
        row = EntryRow.of(entry)
        with self._lock:
            if len(self._waiting) >= WAITING_MOST:
                self.unkept += 1
            else:
                self._waiting.append(row)
            if row.durable or len(self._waiting) >= BATCH:
                self.flush()

    def append(self, entries: Iterable[Entry]) -> None:
        """Keep events and write them."""
        for entry in entries:
            self.add(entry)
        self.flush()

    def flush(self) -> None:
        """Write what waits. Raises JournalFullError if the disk takes nothing; nothing is lost then."""
        with self._lock:
            while self._waiting:
                batch = self._waiting[:BATCH]
                self._put(batch)
                del self._waiting[: len(batch)]

    def note(self, kind: str, body: Mapping[str, Any], key: str | None = None, *, durable: bool = True) -> bool:
        """Keep something that is not published (a command, a frame's hash).

        Returns False, and keeps nothing, where ``key`` was already noted for this ``kind``.
        """
        with self._lock:
            self.flush()
            if key is not None and self.noted(kind, key) is not None:
                return False
            self._put([EntryRow(kind, self.boot, None, key, canonical(body), None, outbox=False, durable=durable)])
            return True

    def _put(self, rows: Sequence[EntryRow]) -> None:
        durable = any(row.durable for row in rows)
        with self._lock, plain_errors(self.path):
            self._db.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
            n, head = self._n, self._head
            with transaction(self._db):
                for row in rows:
                    n += 1
                    head = self._insert(n, head, row)
                if durable or n - self._signed >= CHECKPOINT_EVERY:
                    self._sign(n, head)
                    signed = n
                else:
                    signed = self._signed
            self._n, self._head, self._signed, self._synced = n, head, signed, durable

    def sync(self) -> None:
        """Wait until the disk has all that was written; call it before anything is announced.

        Commits of a moment share one sync. Raises JournalError if the disk fails.
        """
        with self._lock, plain_errors(self.path):
            if self._synced:
                return
            sync_ahead(self.path)
            self._synced = True

    def _insert(self, n: int, previous: bytes, row: EntryRow) -> bytes:
        texts = (row.body.encode(), None if row.secret is None else row.secret.encode())
        head = link(previous, (*row_columns(n, row.kind, row.boot, row.seq, row.key), *texts))
        self._db.execute(
            "INSERT INTO entries (n, kind, boot, seq, key, body, secret, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (n, row.kind, row.boot, row.seq, row.key, row.body, row.secret, head),
        )
        if row.outbox:
            self._db.execute("INSERT INTO outbox (n, state) VALUES (?, ?)", (n, UNSENT))
        return head

    def _sign(self, n: int, head: bytes) -> None:
        signature = self._key.sign(checkpoint_text(self.table.encode(), n, head)).signature
        self._db.execute("INSERT INTO checkpoints (n, hash, signature) VALUES (?, ?, ?)", (n, head, signature))

    # --- reading -----------------------------------------------------------------------------------------------------

    def head(self) -> tuple[int, str]:
        """Return how many entries are on file, and the last one's hash: who notes it elsewhere can prove a cut."""
        with self._lock:
            return self._n, self._head.hex()

    def noted(self, kind: str, key: str) -> dict[str, Any] | None:
        """Return what was noted under ``key``, or None."""
        with self._lock, plain_errors(self.path):
            row = self._db.execute("SELECT body FROM entries WHERE kind = ? AND key = ?", (kind, key)).fetchone()
        return None if row is None else dict(json.loads(row[0]))

    def notes(self, kind: str, after: int = 0) -> list[dict[str, Any]]:
        """Everything noted of ``kind`` after place ``after``, oldest first."""
        with self._lock, plain_errors(self.path):
            rows = self._db.execute(queries.NOTED, (kind, after)).fetchall()
        return [dict(json.loads(row[0])) for row in rows]

    def events(self, after: int = 0) -> Iterator[StoredEvent]:
        """Every event on file from the one after place ``after``, oldest first."""
        while batch := self._select(queries.EVERY, after, 500):
            yield from batch
            after = batch[-1].n

    def newest(self, type_: str, among: int) -> int | None:
        """Return the place of the newest event of a type among the newest entries; None if there is none."""
        with self._lock, plain_errors(self.path):
            row = self._db.execute(queries.NEWEST, (self._n - among, f'%"type":"{type_}"%')).fetchone()
        return None if row is None else int(row[0])

    def pending(self, after: int = 0, limit: int = BATCH) -> list[StoredEvent]:
        """Return the oldest ``limit`` events after place ``after`` that no broker has acknowledged; all are on disk."""
        self.sync()
        return self._select(queries.OPEN, after, limit)

    def extents(self, boots: int) -> list[Extent]:
        """Return what there is of the newest ``boots``, the oldest first: the events that a broker has had."""
        with self._lock, plain_errors(self.path):
            if self._before is None:
                rows = self._db.execute(queries.EXTENTS, (self.boot, boots, self.boot)).fetchall()
                self._before = [Extent(str(boot), int(one), int(end), self._began(boot)) for boot, one, end in rows]
            first, last = self._db.execute(queries.ENDS, (self.boot, self.boot)).fetchone()
            now = [] if first is None else [Extent(self.boot, first, last, self._began(self.boot))]
            waits = self._db.execute(queries.OPEN, (0, 1)).fetchone()
        found = [*self._before, *now][-boots:]
        if waits is None:
            return found
        boot, seq = str(waits[1]), int(waits[2])
        whole = [one for one in found if one.boot < boot]
        return whole + [replace(one, last=seq - 1) for one in found if one.boot == boot and one.first < seq]

    def _began(self, boot: str) -> str:
        """Return the wall time at which a boot began; empty if it was not noted."""
        if boot not in self._begun:
            row = self._db.execute(queries.BEGAN, (boot,)).fetchone()
            self._begun[boot] = "" if row is None else str(json.loads(row[0]).get("opened", ""))
        return self._begun[boot]

    def between(self, boot: str, first: int, last: int, limit: int) -> list[dict[str, Any]]:
        """Return the public envelopes of one boot's events on file from ``first`` to ``last``, in order."""
        with self._lock, plain_errors(self.path):
            rows = self._db.execute(queries.BETWEEN, (boot, first, last, limit)).fetchall()
        return [dict(json.loads(row[0])) for row in rows]

    def highest(self, boot: str) -> int:
        """Return the highest number of an event of ``boot`` on file; 0 if there is none."""
        with self._lock, plain_errors(self.path):
            return int(self._db.execute(queries.HIGHEST, (boot,)).fetchone()[0])

    def _select(self, query: str, after: int, limit: int) -> list[StoredEvent]:
        with self._lock, plain_errors(self.path):
            rows = self._db.execute(query, (after, limit)).fetchall()
        return [StoredEvent.of(*row) for row in rows]

    # --- what is kept ------------------------------------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        """Number of entries that wait in memory for the disk."""
        return len(self._waiting)

    def size(self) -> int:
        """Bytes of the file that are in use."""
        with self._lock, plain_errors(self.path):
            return bytes_in_use(self._db)

    def prune(self, now: float, keeping: Keeping) -> int:
        """Take a part of the oldest boot out if it is too old, or the file too big; return how many entries went.

        The part ends at an entry that the table signed, where the chain continues; a note says that it went. Events
        that no broker has acknowledged stay, and so do the newest boots and entries. ``now``: seconds since 1970.
        """
        with self._lock, plain_errors(self.path):
            cut = next_cut(self._db, self.boot, self._n, keeping, now, self._began, self.size())
            if cut is None:
                return 0
            self._cut(cut, now)
            return cut.last - cut.first + 1

    def _cut(self, cut: Cut, now: float) -> None:
        """Take out what goes, and note it, in one transaction."""
        n = cut.last
        said = {"from": cut.first, "through": n, "hash": cut.head.hex(), "why": cut.why, "at": round(now, 3)}
        body = canonical(said)
        row = EntryRow(PRUNED, self.boot, None, None, body, None, outbox=False, durable=True)
        with transaction(self._db):
            self._db.execute("DELETE FROM outbox WHERE n <= ?", (n,))
            self._db.execute("DELETE FROM entries WHERE n <= ?", (n,))
            self._db.execute("DELETE FROM checkpoints WHERE n < ?", (n,))
            head = self._insert(self._n + 1, self._head, row)
            self._sign(self._n + 1, head)
        self._n, self._head, self._signed, self._before = self._n + 1, head, self._n + 1, None

    # --- the outbox --------------------------------------------------------------------------------------------------

    def mark_sent(self, places: Sequence[int]) -> None:
        """Mark these events as handed to a broker, which has not yet answered."""
        self._mark(places, SENT)

    def mark_acknowledged(self, places: Sequence[int]) -> None:
        """Mark these events as taken by a broker."""
        self._mark(places, ACKNOWLEDGED)

    def _mark(self, places: Sequence[int], state: int) -> None:
        if not places:
            return
        with self._lock, plain_errors(self.path):
            self._db.execute("PRAGMA synchronous=NORMAL")
            with transaction(self._db):
                self._db.executemany(
                    "UPDATE outbox SET state = ? WHERE n = ? AND state < ?", [(state, n, state) for n in places]
                )

    def outbox(self) -> OutboxCounts:
        """Return how many events wait, are under way, and have arrived."""
        with self._lock, plain_errors(self.path):
            counts: dict[int, int] = dict(self._db.execute("SELECT state, count(*) FROM outbox GROUP BY state"))
        unsent = counts.get(UNSENT, 0) + len(self._waiting)
        return OutboxCounts(unsent, counts.get(SENT, 0), counts.get(ACKNOWLEDGED, 0))

    def close(self) -> None:
        """Write what waits, sign the head, fold the write-ahead file in. Further use raises JournalError."""
        with self._lock:
            if self._closed:
                return
            try:
                self.flush()
                with plain_errors(self.path):
                    if self._n > self._signed:
                        with transaction(self._db):
                            self._sign(self._n, self._head)
                        self._signed = self._n
                    self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                self._closed = True
                self._db.close()
                self._lock_file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
