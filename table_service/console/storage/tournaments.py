"""Tournaments: from the first round's start to the word that it is over; what of the file is old enough to go.

A tournament that has ended stays whole, as an archive, until the chief deletes it. What belongs to none goes with age.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from table_service.console.storage.database import Database

DAY: Final = 86_400.0
_OUTSIDE: Final = "not exists (select 1 from tournament t where {at} >= t.begun and {at} <= coalesce(t.ended, 9e15))"
_AGED: Final = (
    ("event", "heard"), ("sealed", "heard"), ("desk", "seen"), ("orders", "given"), ("protest", "at"), ("paper", "at"),
    ("entrant", "at"),
    ("photographed", "at"),
)  # fmt: skip
"""Tables of what happened, and the column that says when."""
_NOT_WANTED: Final = (
    "insert or ignore into given_up select place, boot, min(seq), max(seq), 'pruned', ? from event where {where}"
    " group by place, boot"
)
"""What is deleted here is not to be asked for again at the tables."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """One tournament. Times are seconds since 1970; ``ended`` None while it goes on."""

    id: int
    name: str
    begun: float
    ended: float | None
    ended_by: str | None


class Tournaments:
    """The tournaments of one console."""

    def __init__(self, database: Database) -> None:
        self._db = database

    @property
    def current(self) -> Tournament | None:
        """The one that goes on; None between two."""
        row = self._db.one("select * from tournament where ended is null order by id desc limit 1")
        return None if row is None else _tournament(row)

    def all(self) -> list[Tournament]:
        """Every tournament that is kept, the newest first."""
        return [_tournament(row) for row in self._db.rows("select * from tournament order by id desc")]

    def begin(self, name: str, *, now: float) -> Tournament:
        """Return the tournament that goes on, begun now if necessary."""
        if self.current is None:
            self._db.do("insert into tournament (name, begun) values (?, ?)", (name[:60], now))
        found = self.current
        assert found is not None  # noqa: S101 - written just now
        return found

    def group(self, number: int, groups: Mapping[str, int]) -> None:
        """Split a tournament into merit groups, each entry with the number of its own; empty: there are none."""
        with self._db.together():
            self._db.do("delete from merit_group where tournament = ?", (number,))
            for entry, group in groups.items():
                self._db.do("insert into merit_group values (?, ?, ?)", (number, entry, group))

    def groups(self, number: int) -> dict[str, int]:
        """Return the merit group of each entry of a tournament; empty if absent."""
        rows = self._db.rows("select entry, grp from merit_group where tournament = ?", (number,))
        return {row["entry"]: row["grp"] for row in rows}

    def end(self, person: str, *, now: float) -> None:
        """End the tournament: what comes next belongs to another one."""
        self._db.do("update tournament set ended = ?, ended_by = ? where ended is null", (now, person))

    def delete(self, number: int) -> bool:
        """Delete a tournament that is over, with all that happened in it; the log of people stays."""
        row = self._db.one("select * from tournament where id = ? and ended is not null", (number,))
        if row is None:
            return False
        self._db.flush()
        span = (row["begun"], row["ended"])
        with self._db.together():
            self._db.do(_NOT_WANTED.format(where="heard between ? and ?"), (row["ended"], *span))
            for table, at in _AGED:
                self._db.do(f"delete from {table} where {at} between ? and ?", span)  # noqa: S608 - names of this module
            self._forget_rounds("begun between ? and ?", span)
            self._db.do("delete from merit_group where tournament = ?", (number,))
            self._db.do("delete from tournament where id = ?", (number,))
        return True

    def prune(self, days: float, *, now: float) -> int:
        """Delete what is older than ``days`` and belongs to no tournament; returns how many rows went."""
        before = now - days * DAY
        gone = 0
        with self._db.together():
            unwanted = f"heard < ? and {_OUTSIDE.format(at='event.heard')}"
            self._db.do(_NOT_WANTED.format(where=unwanted), (now, before))
            for table, at in _AGED:
                outside = _OUTSIDE.format(at=f"{table}.{at}")
                sql = f"delete from {table} where {at} < ? and {outside}"  # noqa: S608 - names of this module
                gone += self._db.do(sql, (before,))
            gone += self._forget_rounds(f"begun < ? and {_OUTSIDE.format(at='round.begun')}", (before,))
            gone += self._db.do("delete from session where expires < ?", (now,))
            gone += self._db.do("delete from link where expires < ?", (before,))
        return gone

    def _forget_rounds(self, where: str, params: tuple[float, ...]) -> int:
        for table in ("late", "pairing", "award", "adjustment"):
            sql = f"delete from {table} where round in (select id from round where {where})"  # noqa: S608 - as above
            self._db.do(sql, params)
        return self._db.do(f"delete from round where {where}", params)  # noqa: S608 - as above


def _tournament(row: sqlite3.Row) -> Tournament:
    return Tournament(**dict(row))
