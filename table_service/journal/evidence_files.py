"""Frames kept as evidence: files whose hash is in the journal, pruned by space and by age.

Pictures come here with hand areas already masked; nothing else is kept of what the camera sees.
"""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from hw.whole_files import write_whole
from table_service.journal.chain import JournalError
from table_service.journal.store import Journal

_REF: Final = re.compile(r"^[A-Za-z0-9_.-]{1,80}$")
CLOCK_IS_SET: Final = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
"""A wall clock that says less has not been set yet: a Pi has none that runs without power."""
Standing = Literal["kept", "pruned", "gone", "changed", "unknown"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of kept evidence: bytes in all, and seconds since a picture was kept."""

    space: int = 512 * 1024 * 1024
    age: float = 14 * 86400.0


class EvidenceStore:
    """The pictures of one table in one folder (mode 0700). Safe to use from several threads."""

    def __init__(
        self,
        folder: Path,
        journal: Journal,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Pictures lie in ``folder``, their hashes in ``journal``; ``clock``: seconds, monotonic, by which they age.

        A folder that cannot be made or written is no error here: ``keep`` says so, and tries again each time.
        """
        self.folder = folder
        self._journal = journal
        self._limits = limits or Limits()
        self._clock = clock
        self._began: tuple[float, float] | None = None
        """The wall clock and the monotonic one when a wall clock that is set was first reported."""
        self._since: dict[str, float] = {}
        """When the pictures of this start were kept, by the monotonic clock."""
        self._lock = threading.RLock()
        self._gone = {str(note["ref"]) for note in journal.notes("evidence-pruned")}
        self._kept = {
            str(note["ref"]): note for note in journal.notes("evidence") if str(note["ref"]) not in self._gone
        }
        self._total = sum(int(note["bytes"]) for note in self._kept.values())
        self._sweep()

    def keep(self, jpeg: bytes, *, ref: str, at: float, about: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Keep a picture under ``ref`` (letters, digits, ``_ . -``); ``at`` is the wall clock in seconds.

        ``about``: what else is noted of it. It is on the disk before its hash is in the journal: after a power cut
        nothing is named that is not there. Returns the journal's note, with ``sha256`` and ``bytes``. A ref kept before
        is not overwritten. Raises JournalError if the disk refuses.
        """
        if not _REF.match(ref) or ref.startswith("."):
            raise ValueError(f"'{ref}' is no reference of a frame")
        with self._lock:
            if ref in self._kept:
                return self._kept[ref]
            file = self.folder / f"{ref}.jpg"
            self._write(file, jpeg)
            note = {
                **(about or {}),
                "ref": ref,
                "file": file.name,
                "sha256": hashlib.sha256(jpeg).hexdigest(),
                "bytes": len(jpeg),
                "kept": round(at, 3),
            }
            if not self._journal.note("evidence", note, ref, durable=False):
                raise JournalError(f"the picture {ref} was noted before and is gone")
            self._kept[ref] = note
            self._since[ref] = self._clock()
            self._total += len(jpeg)
            self.prune(at)
            return note

    def _write(self, file: Path, jpeg: bytes) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_whole(file, jpeg)
        except OSError as error:
            raise JournalError(f"the picture {file} cannot be kept ({error.strerror or error})") from error

    def read(self, ref: str) -> bytes | None:
        """Return the picture kept under ``ref``; None if it is not there as it was kept (``standing`` says why)."""
        return self._look(ref)[1]

    def standing(self, ref: str) -> Standing:
        """Return the state of the picture ``ref``: kept; pruned by age or space; gone or changed by others; unknown."""
        return self._look(ref)[0]

    def _look(self, ref: str) -> tuple[Standing, bytes | None]:
        with self._lock:
            note = self._kept.get(ref)
            if note is None:
                return ("pruned" if ref in self._gone else "unknown"), None
            try:
                data = (self.folder / str(note["file"])).read_bytes()
            except OSError:
                return "gone", None
            return ("kept", data) if hashlib.sha256(data).hexdigest() == note["sha256"] else ("changed", None)

    def prune(self, now: float) -> list[str]:
        """Remove what is too old, then the oldest until the rest fits. Returns the refs removed, which are noted.

        The journal says that a picture is pruned before it is: a power cut between both looks like no tampering.
        Raises JournalError if the journal cannot take it.
        """
        removed: list[str] = []
        with self._lock:
            while self._kept:
                ref, note = next(iter(self._kept.items()))
                if self._total <= self._limits.space and self._age(ref, note, now) <= self._limits.age:
                    break
                self._journal.note("evidence-pruned", {"ref": ref, "at": round(now, 3)}, ref, durable=False)
                del self._kept[ref]
                self._since.pop(ref, None)
                self._gone.add(ref)
                self._total -= int(note["bytes"])
                removed.append(ref)
                with suppress(OSError):  # what cannot be removed now is swept at the next start
                    (self.folder / str(note["file"])).unlink(missing_ok=True)
        return removed

    def _age(self, ref: str, note: Mapping[str, Any], now: float) -> float:
        """Return the certain seconds since a picture was kept: a clock that is set later makes none older.

        ``now``: the wall clock, which counts once only, for pictures of earlier starts. One that was kept before the
        clock of its start was set, or after the present one's time, is as old as this start.
        """
        if ref in self._since:
            return self._clock() - self._since[ref]
        if self._began is None:
            if now < CLOCK_IS_SET:
                return 0.0
            self._began = now, self._clock()
        wall, began = self._began
        kept = float(note["kept"])
        before = wall - kept if CLOCK_IS_SET <= kept <= wall else 0.0
        return before + self._clock() - began

    def _sweep(self) -> None:
        """Remove files that a power cut left without a note, and pruned ones that could not be removed."""
        named = {str(note["file"]) for note in self._kept.values()}
        with suppress(OSError):
            for file in self.folder.iterdir():
                # of a picture that was being written; earlier versions called it .part
                is_part = file.suffix == ".part" or (file.name.startswith(".") and ".jpg-" in file.name)
                if is_part or (file.suffix == ".jpg" and _REF.match(file.stem) and file.name not in named):
                    with suppress(OSError):
                        file.unlink()

    def report(self) -> dict[str, int]:
        """Counters for the health topic."""
        with self._lock:
            return {"kept": len(self._kept), "kept_bytes": self._total, "pruned": len(self._gone)}
