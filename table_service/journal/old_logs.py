"""Observation logs of earlier starts: how long they are kept, and which go first.

A start sets the log of the one before aside as ``T12.before-BOOT.jsonl`` or ``.sealed``. Without a bound they fill the
table's disk in a year or two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from table_service.journal.evidence_files import CLOCK_IS_SET

_ASIDE: Final = re.compile(r"\.before-([0-9a-f]+)(x*)\.(?:jsonl|sealed)")


@dataclass(frozen=True, slots=True)
class LogLimits:
    """Limits of the logs kept of earlier starts.

    ``space``: bytes in all; ``age``: seconds since a log was written last; ``starts``: number of the newest logs that
    stay in any case, whatever clock and space say, for a protest on the evening's deals; ``protest``: logs written
    within this many seconds stay in any case, too, if the clock can be trusted.
    """

    space: int = 2 * 1024**3
    age: float = 90 * 86400.0
    starts: int = 20
    protest: float = 7 * 86400.0


def prune_logs(log: Path, now: float, limits: LogLimits | None = None) -> list[Path]:
    """Remove the oldest logs beside ``log`` that are too old, or more than there is room for; returns which.

    ``now``: seconds since 1970. A clock that is not set makes none old, and a file from the future is as good as new.
    Only names that this program gives are looked at, and links never. Raises OSError if the folder cannot be read; a
    file that cannot be removed stays.
    """
    limits = limits or LogLimits()
    found = sorted(_set_aside(log))
    total = sum(size for *_, size in found)
    gone = []
    for _, path, written, size in found[: max(0, len(found) - limits.starts)]:
        age = now - written if min(now, written) > CLOCK_IS_SET else None
        if age is not None and age < limits.protest:
            continue
        if total > limits.space or (age is not None and age > limits.age):
            try:
                path.unlink()
            except OSError:
                continue
            total -= size
            gone.append(path)
    return gone


def newest_aside(log: Path) -> list[Path]:
    """Return the log beside ``log`` that the newest start has set aside; empty if there is none."""
    try:
        found = max(_set_aside(log), default=None)
    except OSError:
        return []
    return [] if found is None else [found[1]]


def _set_aside(log: Path) -> Iterable[tuple[tuple[int, int], Path, float, int]]:
    """Yield logs of earlier starts: the start that set each aside and its place there, path, when written, bytes."""
    stem = log.name.partition(".")[0]
    for path in log.parent.iterdir():
        name = _ASIDE.fullmatch(path.name.removeprefix(stem)) if path.name.startswith(stem) else None
        if name is None or path.is_symlink() or not path.is_file():
            continue
        told = path.stat()
        yield (int(name[1], 16), len(name[2])), path, told.st_mtime, told.st_size
