"""Part of a journal that goes for age or space: always from its beginning, up to an entry that the table signed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from table_service.journal import queries
from table_service.journal.entries import Keeping

PRUNED: Final = "journal-pruned"
"""The kind of the note that says which entries were taken out."""
PRUNED_AT_ONCE: Final = 2000


@dataclass(frozen=True, slots=True)
class Cut:
    """Entries ``first`` to ``last`` go; the chain continues from ``head``, the last one's hash. ``why``: age, space."""

    first: int
    last: int
    head: bytes
    why: str


def next_cut(
    db: sqlite3.Connection, boot: str, newest: int, keeping: Keeping, now: float, began: Callable[[str], str], size: int
) -> Cut | None:
    """Return what goes next; None for nothing. What no broker has acknowledged stays, and the newest boots and entries.

    ``boot`` runs, ``newest`` is the last entry's place, ``began`` says when a boot began; ``size``: bytes in use.
    """
    row = db.execute("SELECT n, boot FROM entries ORDER BY n LIMIT 1").fetchone()
    if row is None or int(boot, 16) - int(row[1], 16) < keeping.boots:
        return None
    first, oldest = int(row[0]), str(row[1])
    why = "age" if now - _ended(db, oldest, began) > keeping.age else "space" if size > keeping.space else ""
    if not why:
        return None
    last = int(db.execute("SELECT max(n) FROM entries WHERE boot = ?", (oldest,)).fetchone()[0])
    waits = db.execute(queries.OPEN, (0, 1)).fetchone()
    last = min(last, first + PRUNED_AT_ONCE, newest - keeping.entries, last if waits is None else waits[0] - 1)
    cut = db.execute(queries.CUT, (first, last)).fetchone()
    return None if cut is None else Cut(first, int(cut[0]), bytes(cut[1]), why)


def _ended(db: sqlite3.Connection, boot: str, began: Callable[[str], str]) -> float:
    """Return the wall time of a boot's last event; the far future if unknown."""
    sql = "SELECT body FROM entries WHERE boot = ? AND seq IS NOT NULL ORDER BY seq DESC LIMIT 1"
    row = db.execute(sql, (boot,)).fetchone()
    told = began(boot) if row is None else str(json.loads(row[0]).get("time", ""))
    try:
        return datetime.fromisoformat(told).timestamp()
    except ValueError:
        return float("inf")
