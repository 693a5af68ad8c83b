"""Sealed messages of tables as they came: encrypted for the arbitro's key, which the console does not have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from table_service.console.storage.database import Database

MOST_BYTES: Final = 64 * 1024
"""A longer message is none of a table's."""


class SealedBook:
    """The sealed messages of one console; nobody here can read them."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def keep(self, place: str, event: str, deal: int, body: str, *, now: float) -> None:
        """Keep the sealed part of ``event``."""
        sql = "insert or ignore into sealed (place, event, deal, heard, body) values (?, ?, ?, ?, ?)"
        self._db.later(sql, (place, event, deal, now, body))

    def of(self, place: str, events: Iterable[str]) -> dict[str, str]:
        """Return the sealed messages of these events of a table, by event."""
        self._db.flush()
        found = {}
        for event in events:
            row = self._db.one("select body from sealed where place = ? and event = ?", (place, event))
            if row is not None:
                found[event] = str(row["body"])
        return found
