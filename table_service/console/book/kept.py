"""What came over MQTT and is not retained there: events of the evening, frames of alerts; written in batches.

A thread of its own writes, so that a slow disk never holds up a page. What a table published is in its journal too:
a power cut costs this copy the last half second at most.
"""

from __future__ import annotations

import json
import logging
import queue
import sqlite3
import threading
from collections.abc import Iterator
from typing import Any, Final

from table_service.console.book.database import Database, connect

log = logging.getLogger(__name__)
BATCH_S: Final = 0.5
FRAMES_MOST: Final = 400
_EVENT: Final = (
    "insert or ignore into event (place, boot, seq, type, deal, t, time, heard, body)"
    " values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_FRAME: Final = "insert or replace into frame values (?, ?, ?, ?)"
Row = tuple[Any, ...]


class Kept:
    """The evening's events and frames, by table."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._waiting: queue.SimpleQueue[tuple[str, Row] | threading.Event | None] = queue.SimpleQueue()
        self._hurry = threading.Event()
        self._thread = threading.Thread(target=self._write, name="console-kept", daemon=True)
        self._thread.start()

    # -- writing ----------------------------------------------------------------------------------------------------

    def event(self, place: str, event: dict[str, Any], body: str, *, now: float) -> None:
        """Keep an event; ``body`` is its JSON without anything sealed."""
        told = (event["type"], event.get("deal"), event.get("t"), event.get("time"))
        self._waiting.put((_EVENT, (place, event["boot"], event["seq"], *map(_plain, told), now, body)))

    def frame(self, place: str, ref: str, jpeg: bytes, *, now: float) -> None:
        """Keep a frame that an alert names; the oldest make room."""
        self._waiting.put((_FRAME, (place, ref, now, jpeg)))

    def flush(self) -> None:
        """Wait until everything so far is written."""
        done = threading.Event()
        self._waiting.put(done)
        self._hurry.set()
        done.wait(10)

    def close(self) -> None:
        """Write the rest and end."""
        self._waiting.put(None)
        self._hurry.set()
        self._thread.join(10)

    def _write(self) -> None:
        connection = connect(self._db.path, durable=False)
        ending = False
        while not ending:
            items = [self._waiting.get()]
            if isinstance(items[0], tuple):
                self._hurry.wait(BATCH_S)
            self._hurry.clear()
            while not self._waiting.empty():
                items.append(self._waiting.get())
            self._commit(connection, [item for item in items if isinstance(item, tuple)])
            ending = None in items
            for item in items:
                if isinstance(item, threading.Event):
                    item.set()
        connection.close()

    @staticmethod
    def _commit(connection: sqlite3.Connection, batch: list[tuple[str, Row]]) -> None:
        if not batch:
            return
        try:
            with connection:
                for sql in (_EVENT, _FRAME):
                    rows = [row for wanted, row in batch if wanted is sql]
                    if rows:
                        connection.executemany(sql, rows)
                if any(wanted is _FRAME for wanted, _ in batch):
                    connection.execute(
                        "delete from frame where rowid in (select rowid from frame order by at desc limit -1 offset ?)",
                        (FRAMES_MOST,),
                    )
        except sqlite3.Error:
            log.exception("the console's file took no events")

    # -- reading ----------------------------------------------------------------------------------------------------

    def newest(self, place: str, count: int) -> list[dict[str, Any]]:
        """The newest events of a table, oldest first."""
        rows = self._db.rows("select body from event where place = ? order by id desc limit ?", (place, count))
        return [json.loads(row["body"]) for row in reversed(rows)]

    def places(self) -> list[str]:
        """Every table of which there are events."""
        return [row["place"] for row in self._db.rows("select distinct place from event order by place")]

    def deals(self, place: str) -> list[tuple[str, int]]:
        """Boot and number of every deal of a table, oldest first."""
        sql = "select boot, deal, min(id) as first from event where place = ? and deal is not null group by boot, deal"
        return [(row["boot"], row["deal"]) for row in self._db.rows(f"{sql} order by first", (place,))]

    def deal(self, place: str, boot: str, deal: int) -> list[dict[str, Any]]:
        """All events of one deal in the table's order."""
        sql = "select body from event where place = ? and boot = ? and deal = ? order by seq"
        return [json.loads(row["body"]) for row in self._db.rows(sql, (place, boot, deal))]

    def of_types(self, *types: str, since: float = 0.0) -> Iterator[tuple[str, dict[str, Any]]]:
        """Table and event of every event of these types that was heard since then, oldest first."""
        marks = ",".join("?" * len(types))
        sql = f"select place, body from event where type in ({marks}) and heard >= ? order by id"  # noqa: S608 - marks
        for row in self._db.rows(sql, (*types, since)):
            yield row["place"], json.loads(row["body"])

    def pictures(self, place: str) -> frozenset[str]:
        """The references of all frames of a table."""
        return frozenset(row["ref"] for row in self._db.rows("select ref from frame where place = ?", (place,)))

    def picture(self, place: str, ref: str) -> bytes | None:
        """A frame."""
        row = self._db.one("select jpeg from frame where place = ? and ref = ?", (place, ref))
        return None if row is None else bytes(row["jpeg"])


def _plain(value: object) -> object:
    """``value`` where a column takes it; what a table sent in its place is kept in the body only."""
    return value if isinstance(value, (str, int, float)) or value is None else None
