"""State of the disk that holds a journal: reported before it hurts, and again when it is well."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

LOW: Final = 200 * 1024 * 1024
"""With less room than this it is said: an evening of play takes some tens of megabytes."""
Standing = Literal["ok", "low", "full", "read-only", "failing"]
_SENTENCES: Final[dict[Standing, str]] = {
    "ok": "",
    "low": "the disk has {free} MB left: make room before play stops being kept",
    "full": "the disk is full: {waiting} entries wait in memory, and are lost if the table is switched off",
    "read-only": "the disk is read-only: {waiting} entries wait in memory, and are lost if the table is switched off",
    "failing": "the disk takes nothing: {waiting} entries wait in memory, and are lost if the table is switched off",
}


@dataclass(frozen=True, slots=True)
class Disk:
    """``free`` bytes, None if unknown; ``waiting`` entries for it in memory; ``unkept`` found no room there."""

    standing: Standing
    free: int | None
    waiting: int
    unkept: int

    @property
    def problem(self) -> str:
        """One sentence; empty if all is well."""
        free = "?" if self.free is None else self.free // (1024 * 1024)
        said = _SENTENCES[self.standing].format(free=free, waiting=self.waiting)
        lost = f"{self.unkept} events could not be kept" if self.unkept else ""
        return "; ".join(part for part in (said, lost) if part)

    def as_dict(self) -> dict[str, Any]:
        """Return it as the health topic has it; ``retrying`` is what pages show."""
        free = None if self.free is None else self.free // (1024 * 1024)
        document = {"standing": self.standing, "free_mb": free, "waiting": self.waiting, "unkept": self.unkept}
        return {**document, "retrying": self.problem or None}


def inspect(path: Path, *, waiting: int, unkept: int, refused: bool, low: int = LOW) -> Disk:
    """Return the state of the disk of the journal at ``path``; ``refused``: the journal could not write just now."""
    try:
        found = os.statvfs(path.parent)
    except OSError:
        return Disk("failing", None, waiting, unkept)
    free = found.f_bavail * found.f_frsize
    standing: Standing = "ok"
    if found.f_flag & os.ST_RDONLY:
        standing = "read-only"
    elif refused:
        standing = "full" if free < low else "failing"
    elif free < low:
        standing = "low"
    return Disk(standing, free, waiting, unkept)
