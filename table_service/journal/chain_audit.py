"""`tavolo audit`: is a journal still what the table wrote, and if not, where was it changed."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from table_service.journal.chain import JournalError, checkpoint_text, genesis, link, signed_by
from table_service.journal.journal_file import APPLICATION_ID, FORMAT
from table_service.journal.pruning import PRUNED

_WAL_MAGIC: Final = (0x377F0682, 0x377F0683)
_MOST_PROBLEMS: Final = 20


@dataclass(frozen=True, slots=True)
class ChainFault:
    """One place at which the journal differs from what was written: the entry, and a sentence."""

    message: str
    entry: int | None = None
    boot: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Pictures:
    """State of the pictures that a journal notes: there as they were kept, and pruned as the journal says itself."""

    kept: int = 0
    pruned: int = 0


@dataclass(frozen=True, slots=True)
class AuditResult:
    """Result of an audit. ``whole`` when chain and signatures hold from the first entry to the last."""

    path: str
    table: str
    entries: int
    checkpoints: int
    unsigned: int
    public_key: str
    faults: tuple[ChainFault, ...] = field(default=())
    pictures: Pictures | None = None
    """None if no folder of pictures was given."""
    pruned: int = 0
    """Number of entries that the table itself took out of the beginning, for age or space."""

    @property
    def whole(self) -> bool:
        """True if nothing was changed."""
        return not self.faults

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict as JSON has it."""
        return {
            "journal": self.path,
            "table": self.table,
            "whole": self.whole,
            "entries": self.entries,
            "checkpoints": self.checkpoints,
            "unsigned": self.unsigned,
            "pruned": self.pruned,
            "public_key": self.public_key,
            "pictures": None if self.pictures is None else asdict(self.pictures),
            "faults": [{"message": f.message, "entry": f.entry, "boot": f.boot, "seq": f.seq} for f in self.faults],
        }

    def __str__(self) -> str:
        if self.whole:
            tail = f", the last {self.unsigned} not yet signed" if self.unsigned else ""
            seen = self.pictures or Pictures()
            pictures = f"; {seen.kept} pictures as they were kept" if seen.kept or seen.pruned else ""
            pictures += f", {seen.pruned} pruned since" if seen.pruned else ""
            pictures += f"; the first {self.pruned} were taken out by the table for age or space" if self.pruned else ""
            return (
                f"{self.path}: whole; table {self.table}, {self.entries} entries in an unbroken chain, "
                f"{self.checkpoints} signatures by key {self.public_key[:16]}{tail}{pictures}"
            )
        return "\n".join([f"{self.path}: changed", *(f"  {fault.message}" for fault in self.faults)])


def audit(path: Path, *, public_key: str | None = None, evidence: Path | None = None) -> AuditResult:
    """Verify the journal at ``path``: its pages, its chain, its signatures; never changes it.

    ``public_key`` (hexadecimal) is the table's key as known from elsewhere; without it the key in the file is used,
    which proves that nothing was changed by one who lacks the table's key. ``evidence`` is the folder of frames,
    whose hashes are compared. Raises JournalError if ``path`` is no journal that can be read at all.

    >>> audit(Path("nowhere.sqlite"))
    Traceback (most recent call last):
    table_service.journal.chain.JournalError: there is no journal at nowhere.sqlite
    """
    if not path.is_file():
        raise JournalError(f"there is no journal at {path}")
    try:
        with closing(_open(path)) as db:
            return _audit(db, path, public_key, evidence)
    except sqlite3.DatabaseError as error:
        if "not a database" in str(error):
            raise JournalError(f"{path} is no journal: it is not even a database") from error
        fault = ChainFault(f"the file itself is damaged and cannot be read through ({error})")
        return AuditResult(str(path), "?", 0, 0, 0, "", (fault,))


def _open(path: Path) -> sqlite3.Connection:
    """Open a reading connection. A file whose folder cannot be written is opened as it lies, if it has no tail."""
    address = path.resolve().as_uri()
    db = sqlite3.connect(f"{address}?mode=ro", uri=True, isolation_level=None)
    db.text_factory = bytes
    try:
        db.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        db.close()
        if path.with_name(path.name + "-wal").exists():
            raise
        db = sqlite3.connect(f"{address}?mode=ro&immutable=1", uri=True, isolation_level=None)
        db.text_factory = bytes
    return db


def _audit(db: sqlite3.Connection, path: Path, public_key: str | None, evidence: Path | None) -> AuditResult:
    if int(db.execute("PRAGMA application_id").fetchone()[0]) != APPLICATION_ID:
        raise JournalError(f"{path} is a database, but no journal of a table")
    form = int(db.execute("PRAGMA user_version").fetchone()[0])
    if form > FORMAT:
        raise JournalError(f"the journal {path} was written by a newer tavolo (format {form}, this one knows {FORMAT})")
    faults = [*_pages(db), *_write_ahead(path)]
    meta = {bytes(k).decode(errors="replace"): bytes(v) for k, v in db.execute("SELECT name, value FROM meta")}
    table, key, created = (meta.get(name, b"") for name in ("table", "public_key", "created"))
    if public_key is not None and key.decode(errors="replace") != public_key:
        faults.append(ChainFault("the journal names another signing key than the one given"))
    base, start, base_faults = _base(db, genesis(table, key, created), table, _key_bytes(key))
    faults.extend(base_faults)
    last, hashes, chain_faults = _chain(db, base, start)
    faults.extend(chain_faults)
    signed, last_signed, signature_faults = _signatures(db, table, _key_bytes(key), hashes)
    faults.extend(signature_faults)
    faults.extend(_outbox(db, hashes))
    pictures = None
    if evidence is not None:
        pictures, picture_faults = _evidence(db, evidence)
        faults.extend(picture_faults)
    return AuditResult(
        str(path),
        table.decode(errors="replace"),
        last - base,
        signed,
        max(0, last - last_signed),
        key.decode(errors="replace"),
        tuple(faults[:_MOST_PROBLEMS]),
        pictures,
        base,
    )


def _base(db: sqlite3.Connection, start: bytes, table: bytes, key: bytes) -> tuple[int, bytes, list[ChainFault]]:
    """Return the beginning of the chain: the very first entry, or behind what the table itself took out.

    The table signed the last entry that went, and a later entry of the chain says that it did.
    """
    row = db.execute("SELECT n FROM entries ORDER BY n LIMIT 1").fetchone()
    first = 1 if row is None else int(row[0])
    if first == 1:
        return 0, start, []
    signed = db.execute("SELECT hash, signature FROM checkpoints WHERE n = ?", (first - 1,)).fetchone()
    noted = db.execute("SELECT body FROM entries WHERE kind = ?", (PRUNED,)).fetchall()
    through = {(_note(body).get("through"), _note(body).get("hash")) for (body,) in noted}
    head = _text(signed[0]) or b"" if signed is not None else b""
    whole = signed is not None and signed_by(key, checkpoint_text(table, first - 1, head), _text(signed[1]) or b"")
    if whole and (first - 1, head.hex()) in through:
        return first - 1, head, []
    return 0, start, []


def _note(body: object) -> dict[str, Any]:
    try:
        told = json.loads(_text(body) or b"")
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _key_bytes(text: bytes) -> bytes:
    try:
        return bytes.fromhex(text.decode("ascii"))
    except ValueError:
        return b""


def _pages(db: sqlite3.Connection) -> Iterator[ChainFault]:
    for (row,) in db.execute("PRAGMA integrity_check"):
        text = bytes(row).decode(errors="replace") if isinstance(row, bytes) else str(row)
        if text != "ok":
            yield ChainFault(f"the file's structure is damaged: {text}")


def _text(value: object) -> bytes | None:
    if value is None:
        return None
    return value if isinstance(value, bytes) else str(value).encode()


def _chain(db: sqlite3.Connection, base: int, start: bytes) -> tuple[int, dict[int, bytes], list[ChainFault]]:
    """Walk the chain. An entry is judged by the stored hash before it, so that one change makes one place.

    If an entry and its hash disagree, the next one shows which of both was changed: it was chained to the true hash.
    """
    faults: list[ChainFault] = []
    hashes: dict[int, bytes] = {base: start}
    before, repaired, expected = start, None, base + 1
    for n, kind, boot, seq, key, body, secret, kept in db.execute(
        "SELECT n, kind, boot, seq, key, body, secret, hash FROM entries ORDER BY n"
    ):
        columns = tuple(map(_text, (n, kind, boot, seq, key, body, secret)))
        stored = _text(kept) or b""
        if n != expected:
            faults.append(_fault(f"entries {expected} to {n - 1} are missing before", n, boot, seq))
        computed = link(before, columns)
        if computed == stored:
            repaired = None
        elif repaired is not None and link(repaired, columns) == stored:
            last = faults.pop()
            faults.append(ChainFault(f"the hash of entry {last.entry} was changed", last.entry, last.boot, last.seq))
            repaired = None
        else:
            faults.append(_fault("content and hash do not agree in", n, boot, seq))
            repaired = computed
        before, expected = stored, n + 1
        hashes[n] = stored
    return expected - 1, hashes, faults


def _fault(message: str, n: int, boot: object, seq: object) -> ChainFault:
    named = bytes(boot).decode(errors="replace") if isinstance(boot, bytes) else None
    number = seq if isinstance(seq, int) else None
    tail = f"boot {named}, event {number}" if number is not None else f"boot {named}"
    return ChainFault(f"{message} entry {n} ({tail})", n, named, number)


def _signatures(
    db: sqlite3.Connection, table: bytes, key: bytes, hashes: dict[int, bytes]
) -> tuple[int, int, list[ChainFault]]:
    faults: list[ChainFault] = []
    good = last = 0
    for n, stored, signature in db.execute("SELECT n, hash, signature FROM checkpoints ORDER BY n"):
        head = _text(stored) or b""
        if not signed_by(key, checkpoint_text(table, n, head), _text(signature) or b""):
            faults.append(ChainFault(f"the signature at entry {n} is not the table's", n))
        elif n not in hashes:
            faults.append(ChainFault(f"the journal was cut: entry {n} was signed and is no longer there", n))
        elif hashes[n] != head:
            faults.append(
                ChainFault(f"entries {last + 1} to {n} were written anew: the table signed another entry {n}", n)
            )
        else:
            good += 1
        last = n
    return good, min(last, max(hashes)), faults


def _outbox(db: sqlite3.Connection, hashes: dict[int, bytes]) -> Iterator[ChainFault]:
    for n, state in db.execute("SELECT n, state FROM outbox WHERE state NOT IN (0, 1, 2) OR typeof(n) != 'integer'"):
        yield ChainFault(f"the sending state of entry {n} is {state!r}, which is none", n)
    events = {n for (n,) in db.execute("SELECT n FROM entries WHERE kind = 'event'")}
    for (n,) in db.execute("SELECT n FROM outbox ORDER BY n"):
        if n not in hashes:
            yield ChainFault(f"the outbox names entry {n}, which is not there", n)
        events.discard(n)
    for n in sorted(events):
        yield ChainFault(f"entry {n} is missing in the outbox", n)


def _evidence(db: sqlite3.Connection, folder: Path) -> tuple[Pictures, list[ChainFault]]:
    """Compare every picture with its hash. A pruned one was not stolen: the journal says that it went."""
    pruned = {
        json.loads(body).get("ref")
        for (body,) in db.execute("SELECT body FROM entries WHERE kind = 'evidence-pruned' ORDER BY n")
    }
    kept = gone = 0
    faults = []
    for n, body in db.execute("SELECT n, body FROM entries WHERE kind = 'evidence' ORDER BY n"):
        try:
            note = json.loads(body)
            ref, file, sha256 = note["ref"], folder / str(note["file"]), note["sha256"]
        except (ValueError, KeyError, TypeError):
            faults.append(ChainFault(f"the picture noted in entry {n} is not named", n))
            continue
        if ref in pruned:
            gone += 1
            continue
        try:
            same = hashlib.sha256(file.read_bytes()).hexdigest() == sha256
        except OSError:
            faults.append(ChainFault(f"the picture {ref}, noted in entry {n} and never pruned, is missing", n))
            continue
        if same:
            kept += 1
        else:
            faults.append(ChainFault(f"the picture {ref}, noted in entry {n}, is not the one that was kept", n))
    return Pictures(kept, gone), faults


def _write_ahead(path: Path) -> Iterator[ChainFault]:
    """SQLite ignores a write-ahead file from the first broken frame on, silently: say it.

    A frame counts as written when it is whole and bears the file's salts; its checksum then has to be right.
    """
    wal = path.with_name(path.name + "-wal")
    data = wal.read_bytes() if wal.is_file() else b""
    if len(data) < 32:
        return
    magic, _, page, _, salt1, salt2, c1, c2 = struct.unpack(">8I", data[:32])
    if magic not in _WAL_MAGIC:
        yield ChainFault("the write-ahead file is damaged at byte 0: entries written last may be missing")
        return
    order = ">" if magic & 1 else "<"
    sums = _wal_sum(data[:24], (0, 0), order)
    if sums != (c1, c2):
        yield ChainFault("the write-ahead file's head is damaged: entries written last may be missing")
        return
    size = 24 + page
    for start in range(32, len(data) - size + 1, size):
        frame = data[start : start + size]
        _, _, s1, s2, f1, f2 = struct.unpack(">6I", frame[:24])
        sums = _wal_sum(frame[:8], sums, order)
        sums = _wal_sum(frame[24:], sums, order)
        if sums == (f1, f2) and (s1, s2) == (salt1, salt2):
            continue
        if (s1, s2) == (salt1, salt2) or start == 32:
            yield ChainFault(
                f"the write-ahead file is damaged at byte {start} or in the page after it: what follows is lost"
            )
        return


def _wal_sum(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    s0, s1 = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for i in range(0, len(words), 2):
        s0 = (s0 + words[i] + s1) & 0xFFFFFFFF
        s1 = (s1 + words[i + 1] + s0) & 0xFFFFFFFF
    return s0, s1
