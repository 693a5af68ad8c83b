"""Frames kept as evidence: files whose hash stands in the journal, pruned by space and by age.

Frames come here with hand areas already masked; nothing else is kept of what the camera sees.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from table_service.journal.store import Journal, JournalError

_REF: Final = re.compile(r"^[A-Za-z0-9_.-]{1,80}$")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much evidence is kept: bytes in all, and seconds since a frame was kept."""

    space: int = 512 * 1024 * 1024
    age: float = 14 * 86400.0


class EvidenceStore:
    """The frames of one table in one folder (mode 0700)."""

    def __init__(self, folder: Path, journal: Journal, limits: Limits | None = None) -> None:
        """Frames lie in ``folder``, which is made; their hashes go into ``journal``."""
        self.folder = folder
        self._journal = journal
        self._limits = limits or Limits()
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise JournalError(f"the evidence folder {folder} cannot be made ({error.strerror or error})") from error

    def keep(self, jpeg: bytes, *, ref: str, at: float) -> str:
        """Keep a frame under ``ref`` (letters, digits, ``_ . -``); ``at`` is the wall clock in seconds.

        Returns the ref. A ref kept before is not overwritten. Raises JournalError where the disk refuses.
        """
        if not _REF.match(ref) or ref.startswith("."):
            raise ValueError(f"'{ref}' is no reference of a frame")
        if self._journal.noted("evidence", ref) is not None:
            return ref
        file = self.folder / f"{ref}.jpg"
        try:
            part = file.with_suffix(".part")
            part.write_bytes(jpeg)
            part.replace(file)
        except OSError as error:
            raise JournalError(f"the frame {file} cannot be kept ({error.strerror or error})") from error
        note = {
            "ref": ref,
            "file": file.name,
            "sha256": hashlib.sha256(jpeg).hexdigest(),
            "bytes": len(jpeg),
            "kept": round(at, 3),
        }
        self._journal.note("evidence", note, ref, durable=False)
        self.prune(at)
        return ref

    def read(self, ref: str) -> bytes | None:
        """The frame kept under ``ref``; None where it is unknown, pruned, or not what was kept."""
        note = self._journal.noted("evidence", ref)
        if note is None:
            return None
        try:
            data = (self.folder / str(note["file"])).read_bytes()
        except OSError:
            return None
        return data if hashlib.sha256(data).hexdigest() == note["sha256"] else None

    def prune(self, now: float) -> list[str]:
        """Remove what is too old, then the oldest until the rest fits. Returns the refs removed, which are noted."""
        gone = {str(note["ref"]) for note in self._journal.notes("evidence-pruned")}
        kept = [note for note in self._journal.notes("evidence") if str(note["ref"]) not in gone]
        total = sum(int(note["bytes"]) for note in kept)
        removed: list[str] = []
        for note in kept:
            if total <= self._limits.space and now - float(note["kept"]) <= self._limits.age:
                continue
            (self.folder / str(note["file"])).unlink(missing_ok=True)
            ref = str(note["ref"])
            self._journal.note("evidence-pruned", {"ref": ref, "at": round(now, 3)}, ref, durable=False)
            total -= int(note["bytes"])
            removed.append(ref)
        return removed
