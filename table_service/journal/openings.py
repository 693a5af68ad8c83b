"""Record of who opened sealed data, when and why: a chained ledger beside the arbitro's key, written before opening."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from table_service.journal.chain import JournalError, canonical

_GENESIS: Final = hashlib.sha256(b"tavolo-openings-1").hexdigest()


def ledger_of(key: Path) -> Path:
    """Return the file that notes the openings with the key at ``key``."""
    return key.with_name(f"{key.name}.openings.jsonl")


def note_opening(ledger: Path, at: str, by: str, what: str, reason: str) -> None:
    """Note an opening, on the disk when this returns. Raises JournalError: then nothing is to be opened.

    ``at``: the moment, ISO 8601; ``by``: who is signed in at this machine.
    """
    if not reason.strip():
        raise JournalError("what is sealed is opened for a reason: say it with --reason")
    try:
        handle = os.open(ledger, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            text = file.read()
            lines = text.splitlines()
            before = _hash_in(lines[-1]) if lines else _GENESIS
            entry = {"at": at, "by": by, "what": what, "reason": reason.strip()}
            whole = {**entry, "hash": _hash_of(before, entry)}
            torn = b"\n" if text and not text.endswith(b"\n") else b""
            file.write(torn + canonical(whole).encode("utf-8", "backslashreplace") + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except (OSError, UnicodeError) as error:
        raise JournalError(f"the opening cannot be noted in {ledger}, so nothing is opened: {error}") from error


def _hash_of(before: str, entry: Mapping[str, Any]) -> str:
    return hashlib.sha256(f"{before}\n{canonical(entry)}".encode("utf-8", "backslashreplace")).hexdigest()


def _hash_in(line: bytes) -> str:
    """Return the hash in a line, or that of the bytes of a line without one: the chain continues after it."""
    try:
        return str(json.loads(line)["hash"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return hashlib.sha256(line).hexdigest()


@dataclass(frozen=True, slots=True)
class OpeningNote:
    """One line of the ledger; ``whole`` where its hash follows from what it says and from the line before."""

    at: str
    by: str
    what: str
    reason: str
    whole: bool


def openings(ledger: Path) -> list[OpeningNote]:
    """Return the openings, oldest first; none if nothing was noted. Raises JournalError."""
    try:
        lines = ledger.read_bytes().splitlines() if ledger.exists() else []
    except OSError as error:
        raise JournalError(f"{ledger} cannot be read: {error.strerror or error}") from error
    told, before = [], _GENESIS
    for line in lines:
        try:
            one = json.loads(line)
            entry = {name: str(one[name]) for name in ("at", "by", "what", "reason")}
            whole = one["hash"] == _hash_of(before, entry)
        except (ValueError, KeyError, TypeError, RecursionError):
            entry, whole = dict.fromkeys(("at", "by", "what", "reason"), "?"), False
        told.append(OpeningNote(**entry, whole=whole))
        before = _hash_in(line)
    return told
