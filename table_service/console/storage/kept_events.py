"""Events of the evening that came over MQTT and are not retained there.

Events that a table published are in its journal too: a power cut costs this copy the last half second at most.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from table_service.console.storage.database import Database
from table_service.events.sequence import Run

_EVENT: Final = (
    "insert or ignore into event (place, boot, seq, type, deal, t, time, heard, body)"
    " values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_EXTENTS: Final = """
select boot, min(seq) as first, max(seq) as last, count(*) as n from event where place = ?
group by boot order by boot"""
_RUNS: Final = """
select min(seq) as first, max(seq) as last from
  (select seq, seq - row_number() over (order by seq) as run from event where place = ? and boot = ?)
group by run order by first"""


class KeptEvents:
    """The evening's events and frames, by table."""

    def __init__(self, database: Database) -> None:
        self._db = database

    # -- writing ----------------------------------------------------------------------------------------------------

    def event(self, place: str, event: dict[str, Any], body: str, *, now: float) -> None:
        """Keep an event; ``body`` is its JSON without anything sealed."""
        told = (event["type"], event.get("deal"), event.get("t"), event.get("time"))
        self._db.later(_EVENT, (place, event["boot"], event["seq"], *map(_plain, told), now, body))

    def gone(self, place: str, runs: Iterable[Run], why: str, *, now: float) -> None:
        """Events that will not come any more: ``why`` gone (the table does not have them) or pruned (the console)."""
        for run in runs:
            self._db.later("insert or ignore into given_up values (?, ?, ?, ?, ?, ?)", (place, *run, why, now))

    def flush(self) -> None:
        """Wait until everything so far is written."""
        self._db.flush()

    # -- reading ----------------------------------------------------------------------------------------------------

    def newest(self, place: str, count: int) -> list[str]:
        """Return the newest events of a table as their JSON, oldest first."""
        sql = "select body from event where place = ? order by boot desc, seq desc limit ?"
        rows = self._db.rows(sql, (place, count))
        return [row["body"] for row in reversed(rows)]

    def heard_by(self, place: str, until: float, count: int) -> list[str]:
        """Return a table's newest events that were heard by ``until`` (seconds since 1970) as JSON, oldest first."""
        sql = "select body from event where place = ? and heard <= ? order by boot desc, seq desc limit ?"
        return [row["body"] for row in reversed(self._db.rows(sql, (place, until, count)))]

    def after(self, place: str, number: int, count: int, until: float | None) -> tuple[list[str], int]:
        """Return a table's next events as JSON, in the order in which they were heard, and the number of the last one.

        ``number``: that of the last one before; ``until``: only what was heard by then (seconds since 1970).
        """
        sql = "select id, body from event where place = ? and id > ? and (? is null or heard <= ?) order by id limit ?"
        rows = self._db.rows(sql, (place, number, until, until, count))
        return [row["body"] for row in rows], int(rows[-1]["id"]) if rows else number

    def runs(self, place: str) -> list[Run]:
        """Return the events that are kept of a table, as runs; only a boot with gaps is looked at event by event."""
        found: list[Run] = []
        for boot in self._db.rows(_EXTENTS, (place,)):
            whole = boot["n"] == boot["last"] - boot["first"] + 1
            rows = [boot] if whole else self._db.rows(_RUNS, (place, boot["boot"]))
            found += [(boot["boot"], row["first"], row["last"]) for row in rows]
        return found

    def given_up(self, place: str) -> list[tuple[Run, str]]:
        """Return the runs that will not come any more, and why."""
        rows = self._db.rows("select * from given_up where place = ?", (place,))
        return [((row["boot"], row["first"], row["last"]), row["why"]) for row in rows]

    def places(self, *, given_up: bool = False) -> list[str]:
        """Every table of which there are events; ``given_up``: or of which some will not come any more."""
        sql = "select distinct place from event union select place from given_up where ? order by place"
        return [row["place"] for row in self._db.rows(sql, (given_up,))]

    def deals(self, place: str) -> list[tuple[str, int]]:
        """Boot and number of every deal of a table, oldest first."""
        sql = "select boot, deal, min(seq) as first from event where place = ? and deal is not null group by boot, deal"
        return [(row["boot"], row["deal"]) for row in self._db.rows(f"{sql} order by boot, first", (place,))]

    def deal(self, place: str, boot: str, deal: int) -> list[dict[str, Any]]:
        """All events of one deal in the table's order."""
        sql = "select body from event where place = ? and boot = ? and deal = ? order by seq"
        return [json.loads(row["body"]) for row in self._db.rows(sql, (place, boot, deal))]

    def between(self, place: str, boot: str, first: float, last: float) -> list[dict[str, Any]]:
        """Return the events of a table's boot from its second ``first`` to second ``last``, in the table's order."""
        sql = "select body from event where place = ? and boot = ? and t between ? and ? order by seq"
        return [json.loads(row["body"]) for row in self._db.rows(sql, (place, boot, first, last))]

    def irregularity(self, place: str, key: str, begun: float, until: float) -> list[dict[str, Any]]:
        """Return what a table told of the irregularity ``key`` in that time (seconds since 1970), oldest first."""
        sql = (
            "select body from event where place = ? and type = 'irregularity' and heard >= ? and heard <= ?"
            " and instr(body, ?) order by boot, seq"
        )
        rows = self._db.rows(sql, (place, begun, until, json.dumps(key)))
        told = [json.loads(row["body"]) for row in rows]
        return [event for event in told if isinstance(event["data"], dict) and event["data"].get("key") == key]

    def of_types(self, *types: str, since: float = 0.0) -> Iterator[tuple[str, dict[str, Any], float]]:
        """Table, event and when it was heard, of every event of these types that was heard since then, oldest first."""
        marks = ",".join("?" * len(types))
        sql = f"select place, body, heard from event where type in ({marks}) and heard >= ? order by id"  # noqa: S608 - marks
        for row in self._db.rows(sql, (*types, since)):
            yield row["place"], json.loads(row["body"]), row["heard"]


def _plain(value: object) -> object:
    """``value`` where a column takes it; what a table sent in its place is kept in the body only."""
    return value if isinstance(value, (str, int, float)) or value is None else None
