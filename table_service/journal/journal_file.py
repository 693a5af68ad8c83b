"""The file of a journal, an SQLite database that one process holds: made, checked, migrated, mended as it is opened."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final

from nacl.signing import SigningKey

from table_service.journal.chain import JournalError
from table_service.journal.salvage import Mended, is_signed_by, mend, set_aside

APPLICATION_ID: Final = 0x5441564F
"""``TAVO``: marks the file as a journal."""
FORMAT: Final = 2
"""2: its beginning may have been pruned, up to an entry that the table signed; places are found by boot and number."""
CHECKED_MOST: Final = 64 * 1024 * 1024
"""The structure of a file up to this size is looked through at the start (some tenths of a second)."""
_SCHEMA: Final = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entries (
    n INTEGER PRIMARY KEY, kind TEXT NOT NULL, boot TEXT NOT NULL, seq INTEGER, key TEXT,
    body TEXT NOT NULL, secret TEXT, hash BLOB NOT NULL);
CREATE UNIQUE INDEX entries_key ON entries (kind, key) WHERE key IS NOT NULL;
CREATE TABLE checkpoints (n INTEGER PRIMARY KEY, hash BLOB NOT NULL, signature BLOB NOT NULL);
CREATE TABLE outbox (n INTEGER PRIMARY KEY, state INTEGER NOT NULL);
CREATE INDEX outbox_open ON outbox (n) WHERE state < 2;
CREATE INDEX entries_boot ON entries (boot, seq);
"""
_TABLES: Final = ("meta", "entries", "checkpoints", "outbox")
_REFUSES: Final = ("readonly", "disk I/O error", "unable to open database file")
"""Errors of SQLite if a disk is read-only, fails, or no file handle is left."""
_BY_BOOT: Final = "CREATE INDEX IF NOT EXISTS entries_boot ON entries (boot, seq)"
_MAGIC: Final = b"SQLite format 3\0"
_LEAST_PAGE: Final = 512
_VERSIONS: Final = (b"\1\1", b"\2\2")
"""The versions of an SQLite file to be written and read; 2 with a write-ahead file."""
_UNREADABLE: Final = (
    "SELECT n FROM entries WHERE NOT json_valid(body) OR NOT json_valid(coalesce(secret, '{}')) LIMIT 1"
)
"""Query for an entry that is not JSON: it would stop every reader, such as an outbox or a start."""
_NOTES: Final = "CREATE INDEX IF NOT EXISTS entries_notes ON entries (kind, n) WHERE kind <> 'event'"
"""Index of entries that are not events: few, and asked for at each start, which must not read a whole journal."""


class JournalFullError(JournalError):
    """The disk takes nothing: full, read-only or failing.

    What was handed over stays in memory and is written by the next ``flush`` that can.
    """


def now_text() -> str:
    """Return the time of the wall clock now, in UTC to a millisecond, as journals write it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def lock(path: Path) -> IO[str]:
    """Hold the journal for this process. Raises JournalError if another one does."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.with_name(path.name + ".lock").open("w", encoding="ascii")
    except OSError as error:
        raise JournalError(f"the journal {path} cannot be written ({error.strerror or error})") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise JournalError(f"the journal {path} is in use by another tavolo on this machine") from error
    return file


class _DamagedError(JournalError):
    """The file's structure is damaged."""


class _ForeignError(JournalError):
    """The file does not say of itself that it is this table's journal; damage may have made it say so."""


def bytes_in_use(db: sqlite3.Connection) -> int:
    """Return how many bytes of a database hold something."""
    names = ("page_count", "freelist_count", "page_size")
    pages, free, page = (int(db.execute(f"PRAGMA {name}").fetchone()[0]) for name in names)
    return (pages - free) * page


def sync_ahead(path: Path) -> None:
    """Wait until the disk has the write-ahead file of the journal at ``path``. Raises OSError."""
    handle = os.open(path.with_name(path.name + "-wal"), os.O_RDONLY)  # it holds none of SQLite's locks
    try:
        os.fdatasync(handle)
    finally:
        os.close(handle)


def open_or_mend(
    path: Path, table: str, key: SigningKey, *, lost_key: bool = False
) -> tuple[sqlite3.Connection, Mended | None]:
    """Open the journal at ``path``, ready for use; if it is damaged, a new one with what could be saved.

    If it is new and making it fails, or is interrupted, no incomplete file is left.
    """
    is_new = not path.exists()
    try:
        return _opened(path, table, key, lost_key=lost_key)
    except BaseException:
        if is_new and _is_empty(path):
            for end in ("", "-wal", "-shm"):
                path.with_name(path.name + end).unlink(missing_ok=True)
        raise


def _is_empty(path: Path) -> bool:
    """Return True if the file at ``path`` is a database without anything in it, or not there."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, isolation_level=None)) as db:
        return int(db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]) == 0
    return False


def _opened(path: Path, table: str, key: SigningKey, *, lost_key: bool) -> tuple[sqlite3.Connection, Mended | None]:
    if (left := _left_of_it(path)) is not None:
        return _mended(path, table, key, f"only {left} bytes are left of the journal {path}")
    header = _header(path)
    db = _connect(path)
    try:
        with plain_errors(path):
            form = _prepare(db, path, table, key)
            _check(db, path, header)
            _bring_up(db, path, form)
    except _DamagedError as error:
        db.close()
        return _mended(path, table, key, str(error))
    except _ForeignError as error:
        db.close()
        if not lost_key and not is_signed_by(path, table, key):
            raise
        return _mended(path, table, key, str(error))
    except BaseException:
        db.close()
        raise
    return db, None


def _left_of_it(path: Path) -> int | None:
    """Return the bytes left of a database of which not even one page is; None if there is more, or no file.

    SQLite takes such a file for a new one and writes over it. Raises JournalError if it was no database.
    """
    ahead = path.with_name(path.name + "-wal")
    if not path.exists() or (size := path.stat().st_size) >= _LEAST_PAGE or (ahead.exists() and ahead.stat().st_size):
        return None
    if path.read_bytes()[: len(_MAGIC)] != _MAGIC[:size]:
        raise JournalError(f"{path} is no journal: it is not even a database")
    return size


def _columns(db: sqlite3.Connection) -> dict[str, list[tuple[str, str, int, int]]]:
    """Name, type, whether it must have a value, and place in the key of each column of a journal's tables."""
    of_table = "SELECT name, type, [notnull], pk FROM pragma_table_info(?)"
    return {table: db.execute(of_table, (table,)).fetchall() for table in _TABLES}


def _header(path: Path) -> bytes:
    """Return the first bytes of the file; empty if there is none yet.

    Read before SQLite has it open: closing a file takes away every POSIX lock that the process holds on it, SQLite's
    too, and the next program that looks into the journal would take itself for the only one and delete the write-ahead
    file under the running table (https://sqlite.org/howtocorrupt.html, 2.2).
    """
    try:
        with path.open("rb") as file:
            return file.read(20)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise JournalError(f"the journal {path} cannot be read ({error.strerror or error})") from error


def _check(db: sqlite3.Connection, path: Path, header: bytes) -> None:
    """Raise where the structure is damaged; a big file is looked at by `tavolo audit` only.

    ``header``: the file's first 20 bytes as it was found, empty for one that was made just now.
    """
    if header and header[18:] not in _VERSIONS:  # SQLite would take the file for one that must not be written
        raise _DamagedError("the file's header names a version that there is not")
    if _columns(db) != _OWN_COLUMNS:
        raise _DamagedError("its tables are not as a journal's are")
    if path.stat().st_size <= CHECKED_MOST:
        found = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise _DamagedError(str(found).splitlines()[-1])
        unread = db.execute(_UNREADABLE).fetchone()
        if unread is not None:
            raise _DamagedError(f"entry {unread[0]} is not readable")


def _own_columns() -> dict[str, list[tuple[str, str, int, int]]]:
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(_SCHEMA)
        return _columns(db)


_OWN_COLUMNS: Final = _own_columns()


def _mended(path: Path, table: str, key: SigningKey, why: str) -> tuple[sqlite3.Connection, Mended]:
    kept = set_aside(path)
    db = _connect(path)
    try:
        with plain_errors(path):
            _bring_up(db, path, _prepare(db, path, table, key))
            with transaction(db):
                return db, mend(kept, db, table, key, why)
    except BaseException:
        db.close()
        raise


def _connect(path: Path) -> sqlite3.Connection:
    new = not path.exists()
    with plain_errors(path):
        db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=5)
    db.text_factory = _text
    if new:
        with suppress(OSError):
            path.chmod(0o600)  # it names hidden cards
    return db


def _text(kept: bytes) -> str:
    """Return a text as it is in the file; a damaged byte of it is reported by the audit, and stops nothing."""
    return kept.decode("utf-8", "replace")


def _prepare(db: sqlite3.Connection, path: Path, table: str, key: SigningKey) -> int:
    """Make a new file a journal, or refuse one that is not, another table's, or of a newer version.

    Returns its format. A journal is not written to: it may be damaged.
    """
    mark = int(db.execute("PRAGMA application_id").fetchone()[0])
    form = int(db.execute("PRAGMA user_version").fetchone()[0])
    empty = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if mark != APPLICATION_ID and not (empty and mark == 0):
        raise _ForeignError(f"{path} is a database, but no journal of a table")
    if form > FORMAT:
        raise JournalError(f"the journal {path} was written by a newer tavolo (format {form}, this one knows {FORMAT})")
    if empty and mark == APPLICATION_ID:
        raise _DamagedError("it has no tables")
    if empty:
        db.execute("PRAGMA journal_mode=WAL")
        _create(db, table, key)
        form = FORMAT
    meta: dict[str, str] = dict(db.execute("SELECT name, value FROM meta"))
    if meta.get("table") != table:
        raise _ForeignError(f"{path} is the journal of table {meta.get('table')}, not of {table}")
    if meta.get("public_key") != bytes(key.verify_key).hex():
        raise _ForeignError(f"{path} was begun with another signing key; give that key or begin a new journal")
    return form


def _bring_up(db: sqlite3.Connection, path: Path, form: int) -> None:
    """Bring a sound journal of format ``form`` to what this version writes."""
    if form < FORMAT:
        _migrate(db, path, form)
    with suppress(sqlite3.OperationalError):  # a disk that takes nothing: all is found without it, too
        db.execute(_NOTES)


def _migrate(db: sqlite3.Connection, path: Path, form: int) -> None:
    """Bring a journal of an earlier format to this one; a whole copy of it as it was stays beside it.

    Raises JournalError if there is no room for the copy: the journal is left as it was.
    """
    kept = path.with_name(f"{path.name}.format-{form}")
    if not kept.exists():
        part = kept.with_name(kept.name + ".part")
        part.unlink(missing_ok=True)
        copy = sqlite3.connect(part)
        try:
            db.backup(copy)
        except sqlite3.Error as error:
            copy.close()
            part.unlink(missing_ok=True)
            raise JournalError(
                f"the journal {path} is of format {form} and has to be brought to {FORMAT}, but no copy of it as it is"
                f" can be kept ({error}): make room on the disk"
            ) from error
        copy.close()
        part.chmod(0o600)
        part.replace(kept)
    with transaction(db):
        db.execute(_BY_BOOT)
        db.execute(f"PRAGMA user_version={FORMAT}")


def _create(db: sqlite3.Connection, table: str, key: SigningKey) -> None:
    db.execute("PRAGMA synchronous=FULL")
    with transaction(db):
        for statement in filter(str.strip, _SCHEMA.split(";")):
            db.execute(statement)
        rows = {"table": table, "public_key": bytes(key.verify_key).hex(), "created": now_text()}
        db.executemany("INSERT INTO meta (name, value) VALUES (?, ?)", sorted(rows.items()))
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        db.execute(f"PRAGMA user_version={FORMAT}")


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Commit what the block writes; take it all back if it raises."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise


_SCHEMA_HIT: Final = ("no such column", "no such table")
"""Errors of SQLite about a journal in which the names of its own tables were overwritten."""


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Return what SQLite raises, said in one sentence."""
    try:
        yield
    except UnicodeDecodeError as error:  # a name in the schema that is no text any more
        raise _DamagedError(f"the journal {path} is damaged ({error}); tavolo audit says where") from error
    except sqlite3.Error as error:
        text = str(error)
        if "disk is full" in text:
            raise JournalFullError(f"the disk is full: the journal {path} cannot take another entry") from error
        if any(word in text for word in _REFUSES):
            raise JournalFullError(f"the disk takes nothing ({text}): the journal {path} waits in memory") from error
        if "not a database" in text:
            raise _ForeignError(f"{path} is no journal: it is not even a database") from error
        if "unsupported file format" in text:
            raise _ForeignError(f"{path} is a database of a kind that is not known here") from error
        if "malformed" in text or text.startswith(_SCHEMA_HIT):
            raise _DamagedError(f"the journal {path} is damaged ({text}); tavolo audit says where") from error
        raise JournalError(f"the journal {path} cannot be used ({text})") from error
