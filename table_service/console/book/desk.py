"""The arbitri's desk: which alert waits since when, who has taken it, put it off or resolved it, what was raised.

A key lives again after a table's restart and for every call of a seat, so each life of an alert is a case of its own.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from table_service.console.book.database import Database

_LIVE: Final = "select * from desk where ended is null"

_REVIVED_S: Final = 600.0


@dataclass(frozen=True, slots=True)
class Case:
    """One alert's life at the desk. Times are seconds since 1970; names are those of accounts."""

    id: int
    place: str
    key: str
    seen: float
    taken_by: str | None
    taken: float | None
    put_off_by: str | None
    put_off_until: float | None
    raised: float | None
    second_by: str | None
    second: float | None
    second_met_by: str | None
    resolved_by: str | None
    resolved: float | None
    ended: float | None
    document: dict[str, Any]

    def waits(self, now: float) -> bool:
        """Whether nobody has it in hand: not taken, and not put off for a while."""
        return self.ended is None and self.taken_by is None and (self.put_off_until or 0) <= now

    @property
    def wants_second(self) -> bool:
        """A second arbitro was called for and has not come yet."""
        return self.ended is None and self.second_by is not None and self.second_met_by is None


class Desk:
    """The cases of one console."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._live: dict[tuple[str, str], Case] = {
            (case.place, case.key): case for case in map(_case, database.rows(_LIVE))
        }
        self.version = 0

    # -- what the tables say ------------------------------------------------------------------------------------------

    def came(self, place: str, key: str, document: Mapping[str, Any], *, now: float) -> Case:
        """An alert stands; the same one keeps its case and what was done with it."""
        mark, text = _mark(document), json.dumps(document, ensure_ascii=False)
        held = self._live.get((place, key))
        if held is not None and _mark(held.document) != mark:
            self.ended(place, key, now=now)
            held = None
        if held is None and not self._revived(place, key, mark, now):
            self._db.do(
                "insert into desk (place, key, mark, seen, document) values (?, ?, ?, ?, ?)",
                (place, key, mark, now, text),
            )
        elif held is not None:
            if held.document == document:
                return held
            self._db.do("update desk set document = ? where id = ?", (text, held.id))
        return self._again(place, key)

    def _revived(self, place: str, key: str, mark: str, now: float) -> bool:
        """The very same alert had gone for a while only because the broker forgot it: its case goes on."""
        sql = "select id from desk where place = ? and key = ? and mark = ? and ended > ? order by id desc limit 1"
        row = self._db.one(sql, (place, key, mark, now - _REVIVED_S))
        if row is not None:
            self._db.do("update desk set ended = null where id = ?", (row["id"],))
        return row is not None

    def ended(self, place: str, key: str, *, now: float) -> None:
        """An alert has gone."""
        case = self._live.pop((place, key), None)
        if case is not None:
            self._db.do("update desk set ended = ? where id = ?", (now, case.id))
            self.version += 1

    # -- what people do -----------------------------------------------------------------------------------------------

    def take(self, place: str, key: str, person: str, *, now: float) -> str | None:
        """``person`` takes it in hand. Returns the name of who has it now; None where there is no such alert."""
        sql = "taken_by = ?, taken = ?, put_off_until = null, put_off_by = null where id = ? and taken_by is null"
        case = self._change(place, key, sql, (person, now))
        return None if case is None else case.taken_by

    def hand_over(self, place: str, key: str, person: str, *, now: float) -> Case | None:
        """``person`` takes it from who has it."""
        return self._change(place, key, "taken_by = ?, taken = ? where id = ?", (person, now))

    def let_go(self, place: str, key: str) -> Case | None:
        """Nobody has it in hand any more."""
        return self._change(place, key, "taken_by = null, taken = null, raised = null where id = ?", ())

    def put_off(self, place: str, key: str, person: str, *, until: float) -> Case | None:
        """It may wait until then; it rings again if nobody has taken it by that time."""
        sql = "put_off_by = ?, put_off_until = ?, taken_by = null, taken = null, raised = null where id = ?"
        return self._change(place, key, sql, (person, until))

    def put_off_ended(self, place: str, key: str) -> Case | None:
        """The time for which it was put off is over: it waits again, from now on."""
        return self._change(
            place, key, "seen = put_off_until, put_off_until = null, put_off_by = null where id = ?", ()
        )

    def raise_it(self, place: str, key: str, *, now: float) -> Case | None:
        """Nobody has taken it in time: the chief is told."""
        return self._change(place, key, "raised = ? where id = ?", (now,))

    def call_second(self, place: str, key: str, person: str, *, now: float) -> Case | None:
        """A second arbitro is wanted; his judgement is final (procedure)."""
        return self._change(place, key, "second_by = ?, second = ?, second_met_by = null where id = ?", (person, now))

    def meet_second(self, place: str, key: str, person: str) -> Case | None:
        """``person`` comes as the second arbitro; who called cannot be his own second."""
        sql = "second_met_by = ? where id = ? and second_by is not null and second_met_by is null and second_by <> ?"
        return self._change(place, key, sql, (person,), (person,))

    def resolve(self, place: str, key: str, person: str, *, now: float) -> Case | None:
        """``person`` has dealt with it; it leaves the page when the table says so."""
        return self._change(place, key, "resolved_by = ?, resolved = ? where id = ?", (person, now))

    # -- views ---------------------------------------------------------------------------------------------------------

    def case(self, place: str, key: str) -> Case | None:
        """The living case of an alert."""
        return self._live.get((place, key))

    def live(self) -> list[Case]:
        """All that stands, oldest first."""
        return sorted(self._live.values(), key=lambda case: case.seen)

    def at(self, place: str) -> list[Case]:
        """What stands at one table, oldest first."""
        return [case for case in self.live() if case.place == place]

    def past(self, place: str, count: int = 30) -> list[Case]:
        """What has ended at one table, newest first."""
        sql = "select * from desk where place = ? and ended is not null order by ended desc limit ?"
        return [_case(row) for row in self._db.rows(sql, (place, count))]

    def _change(
        self, place: str, key: str, sql: str, before: tuple[Any, ...], after: tuple[Any, ...] = ()
    ) -> Case | None:
        held = self._live.get((place, key))
        if held is None:
            return None
        self._db.do(f"update desk set {sql}", (*before, held.id, *after))  # noqa: S608 - texts of this module
        return self._again(place, key)

    def _again(self, place: str, key: str) -> Case:
        row = self._db.one(f"{_LIVE} and place = ? and key = ? order by id desc", (place, key))
        assert row is not None  # noqa: S101 - it was written or found just now
        self._live[place, key] = case = _case(row)
        self.version += 1
        return case


def _mark(document: Mapping[str, Any]) -> str:
    """What tells two lives of one key apart: when it was done. The row may change while it lives."""
    return json.dumps([document.get("committed_t"), document.get("t") if "row" not in document else None])


def _case(row: sqlite3.Row) -> Case:
    named = {name: row[name] for name in Case.__dataclass_fields__ if name != "document"}
    return Case(**named, document=json.loads(row["document"]))
