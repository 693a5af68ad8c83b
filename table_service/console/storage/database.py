"""The console's SQLite file: opened once, one writer at a time, what a person did is on the disk before it is shown."""

from __future__ import annotations

import fcntl
import logging
import os
import queue
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any, Final

from hw.errors import TavoloError
from table_service.console.storage.copies import newest_copy

log = logging.getLogger(__name__)
Params = tuple[Any, ...]
_GREATEST: Final = 2**63 - 1
"""No number in a file is greater: a question may name any, and the answer is the same."""
BATCH_S: Final = 0.5
BATCH_MOST: Final = 2000
BEHIND: Final = 8 * BATCH_MOST
"""With more than this waiting for the disk nothing further is taken in that may wait."""
SCHEMA: Final = 3
"""Version of the tables below (``user_version``). 2: without ``award``. 1 and 0: before they carried one."""
ROW_OF_EVENT: Final = "upper(case when json_valid(body) then json_extract(body, '$.data.row') end)"
"""The catalogue row that an irregularity names, as the index ``event_row`` has it: in capital letters."""
_SCHEMA: Final = """begin immediate; pragma user_version = {version};
create table if not exists meta (name text primary key, value blob not null);
create table if not exists account (
  id integer primary key, name text not null unique collate nocase, role text not null, password text,
  disabled integer not null default 0, made real not null);
create table if not exists link (
  hash blob primary key, kind text not null, account integer not null references account(id), expires real not null,
  used real);
create table if not exists session (
  hash blob primary key, account integer not null references account(id), csrf text not null, begun real not null,
  seen real not null, expires real not null);
create table if not exists audit (
  id integer primary key, at real not null, person text not null, role text not null, deed text not null,
  place text not null, detail text not null);
create index if not exists audit_at on audit(at);
create table if not exists desk (
  id integer primary key, place text not null, key text not null, seen real not null,
  taken_by text, taken real, put_off_by text, put_off_until real, raised real, second_by text, second real,
  second_met_by text, resolved_by text, resolved real, ended real, document text not null);
create index if not exists desk_live on desk(ended, place, key);
create table if not exists orders (
  id text primary key, place text not null, person text not null, deed text not null, fields text not null,
  about text, given real not null, until real not null, state text not null, sent real, answered real, message text,
  reason text, answer text, seen integer not null default 0);
create index if not exists orders_place on orders(place, given);
create table if not exists event (
  id integer primary key, place text not null, boot text not null, seq integer not null, type text not null,
  deal integer, t real, time text, heard real not null, body text not null, unique(place, boot, seq));
create index if not exists event_place on event(place, id);
create index if not exists event_type on event(type, id);
create index if not exists event_row on event({row}) where type = 'irregularity';
create table if not exists sealed (
  place text not null, event text not null, deal integer not null, heard real not null, body text not null,
  primary key (place, event));
create table if not exists given_up (
  place text not null, boot text not null, first integer not null, last integer not null, why text not null,
  at real not null, primary key (place, boot, first, last));
create table if not exists frame (
  place text not null, ref text not null, at real not null, jpeg blob not null, primary key (place, ref));
create table if not exists round (
  id integer primary key, deals integer not null, minutes real not null, begun real not null, begun_by text not null,
  places text not null, paused real, lost real not null default 0, out real, ended real, shown real);
create table if not exists late (
  id integer primary key, round integer not null, place text not null, line text not null, since real not null,
  arrived real, noted_by text not null);
create table if not exists protest (
  id integer primary key, round integer, place text not null, line text, text text not null, at real not null,
  by text not null, until real, settled real, settled_by text, outcome text);
create table if not exists paper (
  place text not null, boot text not null, first integer not null, state text not null, at real not null,
  by text not null, primary key (place, boot, first));
create table if not exists pairing (
  round integer not null, place text not null, line text not null, pair text not null,
  primary key (round, place, line));
create table if not exists award (
  id integer primary key, round integer not null, place text not null, number integer, fields text not null,
  article text not null, reason text not null, by text not null, at real not null, withdrawn real, withdrawn_by text,
  why text);
create index if not exists award_round on award(round);
create table if not exists tournament (
  id integer primary key, name text not null, begun real not null, ended real, ended_by text);
create table if not exists merit_group (
  tournament integer not null, entry text not null, grp integer not null, primary key (tournament, entry));
"""
_COLUMNS: Final = (
    ("round", "kind", "text not null default 'plain'"),
    ("round", "posted", "real"),
    ("round", "posted_by", "text"),
    ("orders", "held", "real"),
)
"""Columns that a later version added to a table: an older file gets them when it is opened."""


class _Writer:
    """A thread that writes what may come to the disk a moment later, in order and in batches.

    A slow disk then never holds up a page; a power cut costs the last half second at most.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._waiting: queue.SimpleQueue[tuple[str, Params] | threading.Event | None] = queue.SimpleQueue()
        self._hurry = threading.Event()
        self._thread = threading.Thread(target=self._run, name="console-writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """Number of writes still to be done."""
        return self._waiting.qsize()

    def put(self, sql: str, params: Params) -> None:
        """Write this in its turn."""
        self._waiting.put((sql, params))

    def flush(self) -> None:
        """Wait until everything so far is written."""
        done = threading.Event()
        self._waiting.put(done)
        self._hurry.set()
        done.wait(20)

    def close(self) -> None:
        """Write the rest and end."""
        self._waiting.put(None)
        self._hurry.set()
        self._thread.join(20)

    def _run(self) -> None:
        connection = connect(self._path, durable=False)
        ending = False
        while not ending:
            items = [self._waiting.get()]
            if isinstance(items[0], tuple):
                self._hurry.wait(BATCH_S)
            self._hurry.clear()
            while len(items) < BATCH_MOST and not self._waiting.empty():
                items.append(self._waiting.get())
            self._commit(connection, [item for item in items if isinstance(item, tuple)])
            ending = None in items
            for item in items:
                if isinstance(item, threading.Event):
                    item.set()
        connection.close()

    @staticmethod
    def _commit(connection: sqlite3.Connection, batch: list[tuple[str, Params]]) -> None:
        try:
            with connection:
                for sql, params in batch:
                    connection.execute(sql, params)
        except (sqlite3.Error, UnicodeError, OverflowError):
            # One thing that no file takes (half a surrogate pair, a number beyond 64 bits) must not cost the others.
            if len(batch) == 1:
                log.exception("the console's file did not take what was to be kept")
                return
            for one in batch:
                _Writer._commit(connection, [one])


class BookError(TavoloError):
    """The console's file cannot be used; the message is one sentence."""


class DatabaseReader:
    """Asks the file by a connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lock = threading.RLock()

    def rows(self, sql: str, params: Params = ()) -> list[sqlite3.Row]:
        """Return what a question answers."""
        with self._lock:
            return self._connection.execute(sql, _within(params)).fetchall()

    def one(self, sql: str, params: Params = ()) -> sqlite3.Row | None:
        """Return the first row of an answer."""
        with self._lock:
            row: sqlite3.Row | None = self._connection.execute(sql, _within(params)).fetchone()
            return row


class Database(DatabaseReader):
    """The file at ``path``; None: one that is gone when the console ends. Raises BookError.

    Used from any thread; every call is its own transaction, on the disk when it returns, but for ``later``.
    """

    def __init__(self, path: Path | None) -> None:
        self._together = False
        self._folder = tempfile.TemporaryDirectory(prefix="tavolo-console-") if path is None else None
        self.path = Path(self._folder.name) / "console.sqlite" if path is None and self._folder else Path(str(path))
        self._held = self._hold()
        try:
            version = self._ours()
            if version is not None and version < SCHEMA:
                self._keep_copy(version)
            super().__init__(connect(self.path, durable=path is not None))
            self._connection.execute("pragma wal_autocheckpoint = 0")  # the writer's work, beside the pages
            with self._connection:  # one transaction: the disk is waited for once, not at every table
                self._connection.executescript(_SCHEMA.format(row=ROW_OF_EVENT, version=SCHEMA))
                self._grow()
            self._sound()
            self._writer = _Writer(self.path)
        except sqlite3.Error as error:
            self._held.close()
            raise BookError(self._damaged(error)) from error

    def _damaged(self, error: sqlite3.Error) -> str:
        """One sentence: what is wrong with the file, and what may be put in its place."""
        kept = newest_copy(self.path)
        way = f"put {kept} in its place" if kept is not None else "move it away to begin with an empty one"
        return f"the console's file {self.path} cannot be used ({error}): {way}"

    def _keep_copy(self, version: int) -> None:
        """Keep the file as it was beside it, once, before it is changed. Raises where there is no room for it."""
        kept = self.path.with_name(f"{self.path.name}.schema-{version}")
        if not kept.exists():
            self._back_up(kept)

    def _ours(self) -> int | None:
        """Return the version of the file's tables; None for a new one.

        Raises where the file is another program's, such as a table's journal, or a newer console's: nothing is written
        into it.
        """
        if not self.path.is_file() or not self.path.stat().st_size:
            return None
        connection = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            tables = {row[0] for row in connection.execute("select name from sqlite_master where type = 'table'")}
            version = int(connection.execute("pragma user_version").fetchone()[0])
        finally:
            connection.close()
        if tables and not tables & {"account", "round"}:
            raise sqlite3.DatabaseError("a database, but no console's")
        if version > SCHEMA:
            self._held.close()
            raise BookError(
                f"the console's file {self.path} was written by a newer tavolo (schema {version}, this one knows"
                f" {SCHEMA}): bring this machine up to date, or name another file in [console] data"
            )
        return version if tables else None

    def _grow(self) -> None:
        for table, column, kind in _COLUMNS:
            if column not in {row["name"] for row in self._connection.execute(f"pragma table_info({table})")}:
                self._connection.execute(f"alter table {table} add column {column} {kind}")

    def _sound(self) -> None:
        """Raise where a page of the file is damaged: what is shown must be what was written."""
        found = self._connection.execute("pragma quick_check(1)").fetchone()[0]
        if found != "ok":
            raise sqlite3.DatabaseError(str(found).splitlines()[0])

    def _hold(self) -> IO[str]:
        """Keep a second console off the same file: two would answer for each other's orders."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(self.path.with_name(self.path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise BookError(
                f"the console's file {self.path} cannot be made: {error.strerror}; name another in [console] data"
            ) from None
        held = os.fdopen(descriptor, "r+")
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            held.close()
            raise BookError(f"the console's file {self.path} is in use by another console") from None
        return held

    def do(self, sql: str, params: Params = ()) -> int:
        """Run one changing statement. Returns the number of the row it made, else how many rows it changed."""
        with self._lock:
            with nullcontext() if self._together else self._connection:
                cursor = self._connection.execute(sql, params)
            made = sql.lstrip()[:6].lower() == "insert"
            return int(cursor.lastrowid or 0) if made else cursor.rowcount

    def add(self, table: str, **values: Any) -> int:
        """Add a row to ``table``, which is a name of the program's own, and return its number."""
        return self.do(insertion(table, *values), tuple(values.values()))

    @contextmanager
    def together(self) -> Iterator[None]:
        """Run the block as one transaction: two hundred orders go to the disk at once, or not at all."""
        with self._lock, self._connection:
            self._connection.execute("begin immediate")  # sqlite3 itself begins none for a table that is made
            self._together = True
            try:
                yield
            finally:
                self._together = False

    def later(self, sql: str, params: Params = ()) -> None:
        """Run one changing statement within half a second, after those before it."""
        self._writer.put(sql, params)

    @property
    def unwritten(self) -> int:
        """Number of writes given to ``later`` and still to be done."""
        return self._writer.waiting

    @property
    def is_behind(self) -> bool:
        """True if the disk takes less than comes."""
        return self._writer.waiting > BEHIND

    def flush(self) -> None:
        """Wait until everything given to ``later`` is written."""
        self._writer.flush()

    @contextmanager
    def aside(self) -> Iterator[DatabaseReader]:
        """Long questions, beside all others: in a thread of its own they hold up nobody. All so far is written."""
        self.flush()
        connection = connect(self.path, durable=False)
        try:
            yield DatabaseReader(connection)
        finally:
            connection.close()

    def meta(self, name: str, make: bytes) -> bytes:
        """Return what is kept under ``name``; ``make`` is kept there the first time."""
        with self._lock, nullcontext() if self._together else self._connection:
            self._connection.execute("insert or ignore into meta values (?, ?)", (name, make))
            row = self._connection.execute("select value from meta where name = ?", (name,)).fetchone()
            return bytes(row[0])

    def close(self) -> None:
        """Write what waits, and close the file."""
        self._writer.close()
        with self._lock:
            self._connection.close()
            self._held.close()
        if self._folder is not None:
            self._folder.cleanup()

    def copy(self, target: Path) -> None:
        """Write a whole copy of the file to ``target``, private, all at once or not at all. Raises OSError."""
        self._writer.flush()
        try:
            self._back_up(target)
        except sqlite3.Error as error:
            raise OSError(f"the copy {target} cannot be written: {error}") from error

    def _back_up(self, target: Path) -> None:
        part = target.with_name(target.name + ".part")
        part.unlink(missing_ok=True)
        source, made = connect(self.path, durable=False), connect(part, durable=True)
        try:
            source.backup(made, pages=2000, sleep=0.001)
            made.execute("pragma journal_mode = delete")
        finally:
            source.close()
            made.close()
        part.replace(target)


def connect(path: Path, *, durable: bool) -> sqlite3.Connection:
    """Open a connection to the console's file; ``durable``: a change survives a power cut once it is committed."""
    old = os.umask(0o077)
    try:
        connection = sqlite3.connect(path, check_same_thread=False, timeout=10)
    finally:
        os.umask(old)
    connection.row_factory = sqlite3.Row
    connection.execute("pragma journal_mode = wal")
    connection.execute(f"pragma synchronous = {'full' if durable else 'normal'}")
    connection.execute("pragma foreign_keys = on")
    return connection


def insertion(table: str, *columns: str) -> str:
    """Return the statement that adds a row with these columns.

    >>> insertion("late", "place", "line")
    'insert into late (place, line) values (?, ?)'
    """
    marks = ", ".join("?" * len(columns))
    return f"insert into {table} ({', '.join(columns)}) values ({marks})"  # noqa: S608 - names of the program's own


def _within(params: Params) -> Params:
    """``params`` of a question, numbers that the file cannot even name brought to the greatest it can."""
    return tuple(max(-_GREATEST, min(_GREATEST, one)) if isinstance(one, int) else one for one in params)
