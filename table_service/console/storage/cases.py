"""The arbitri's desk: which alert waits since when, who has taken it, put it off or resolved it, what was raised.

A key lives again after a table's restart and for every call of a seat, so each life of an alert is a case of its own.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from table_service.console.storage.database import Database, insertion

_LIVE: Final = "select * from desk where ended is null"

_REVIVED_S: Final = 600.0
_GONE_MOST: Final = 500


@dataclass(frozen=True, slots=True)
class Case:
    """One alert's life at the desk. Times are seconds since 1970; names are those of accounts."""

    id: int
    place: str
    key: str
    seen: float
    taken_by: str | None = None
    taken: float | None = None
    put_off_by: str | None = None
    put_off_until: float | None = None
    raised: float | None = None
    second_by: str | None = None
    second: float | None = None
    second_met_by: str | None = None
    resolved_by: str | None = None
    resolved: float | None = None
    ended: float | None = None
    document: dict[str, Any] = field(default_factory=dict)

    def waits(self, now: float) -> bool:
        """Return True if no arbitro has it in hand: not taken, and not put off for a while."""
        return self.ended is None and self.taken_by is None and (self.put_off_until or 0) <= now

    @property
    def wants_second(self) -> bool:
        """A second arbitro was called for and has not come yet."""
        return self.ended is None and self.second_by is not None and self.second_met_by is None


_COLUMNS: Final = tuple(Case.__dataclass_fields__)
_WRITE: Final = insertion("desk", *_COLUMNS).replace("insert into", "insert or replace into", 1)


class CaseDesk:
    """The cases of one console: in memory while they live, in the book within half a second."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._live = {(case.place, case.key): case for case in map(_case, database.rows(_LIVE))}
        gone = database.rows("select * from desk where ended is not null order by ended desc limit ?", (_GONE_MOST,))
        self._gone = {(case.place, case.key): case for case in map(_case, reversed(gone))}
        newest = database.one("select max(id) as id from desk")
        self._number = int(newest["id"] or 0) if newest is not None else 0
        self.version = 0

    # -- what the tables say ------------------------------------------------------------------------------------------

    def came(self, place: str, key: str, document: Mapping[str, Any], *, now: float) -> Case:
        """Open a case for an alert that stands; the same alert keeps its case and what was done with it."""
        held = self._live.get((place, key))
        if held is not None and _mark(held.document) != _mark(document):
            self.ended(place, key, now=now)
            held = None
        if held is not None:
            return held if held.document == document else self._put(replace(held, document=dict(document)))
        gone = self._gone.get((place, key))
        if gone is not None and _mark(gone.document) == _mark(document) and (gone.ended or 0) > now - _REVIVED_S:
            # It had gone for a while only because the broker forgot it.
            return self._put(replace(gone, ended=None, document=dict(document)))
        self._number += 1
        return self._put(Case(self._number, place, key, now, document=dict(document)))

    def ended(self, place: str, key: str, *, now: float) -> None:
        """End the case of an alert that has gone."""
        case = self._live.pop((place, key), None)
        if case is not None:
            self._gone[place, key] = self._put(replace(case, ended=now))
            while len(self._gone) > _GONE_MOST:
                del self._gone[next(iter(self._gone))]

    def decided(self, place: str, key: str, data: Mapping[str, Any]) -> None:
        """Keep in its case how the table says that an alert ended, or that it ended otherwise after all."""
        case = self._live.get((place, key)) or self._gone.get((place, key))
        if case is not None and _mark(case.document) == _mark({**case.document, **data}):
            fresh = replace(case, document={**case.document, **_kept(data)})
            if fresh.ended is not None:
                self._gone[place, key] = fresh
            self._put(fresh)

    # -- what people do -----------------------------------------------------------------------------------------------

    def take_in_hand(self, place: str, key: str, person: str, *, now: float) -> str | None:
        """``person`` takes it in hand. Returns the name of who has it now; None where there is no such alert."""
        case = self.case(place, key)
        if case is not None and case.taken_by is None:
            case = self._put(replace(case, taken_by=person, taken=now, put_off_until=None, put_off_by=None))
        return None if case is None else case.taken_by

    def hand_over(self, place: str, key: str, person: str, *, now: float) -> Case | None:
        """``person`` takes it from who has it."""
        return self._change(place, key, taken_by=person, taken=now)

    def let_go(self, place: str, key: str) -> Case | None:
        """Release the case: no one handles it any more."""
        return self._change(place, key, taken_by=None, taken=None, raised=None)

    def put_off(self, place: str, key: str, person: str, *, until: float) -> Case | None:
        """Put an alert off until then; it rings again if no arbitro has taken it by that time."""
        return self._change(place, key, put_off_by=person, put_off_until=until, taken_by=None, taken=None, raised=None)

    def put_off_ended(self, place: str, key: str) -> Case | None:
        """End the time for which an alert was put off: it waits again, from now on."""
        case = self.case(place, key)
        if case is None or case.put_off_until is None:
            return case
        return self._put(replace(case, seen=case.put_off_until, put_off_until=None, put_off_by=None))

    def raise_it(self, place: str, key: str, *, now: float) -> Case | None:
        """Escalate a case that was not taken in time to the chief."""
        return self._change(place, key, raised=now)

    def call_second(self, place: str, key: str, person: str, *, now: float) -> Case | None:
        """Call for a second arbitro, whose judgement is final (procedure)."""
        return self._change(place, key, second_by=person, second=now, second_met_by=None)

    def meet_second(self, place: str, key: str, person: str) -> Case | None:
        """``person`` comes as the second arbitro; who called cannot be his own second."""
        case = self.case(place, key)
        if case is None or not case.wants_second or case.second_by == person:
            return case
        return self._put(replace(case, second_met_by=person))

    def resolve(self, place: str, key: str, person: str, *, now: float) -> Case | None:
        """``person`` has dealt with it; it leaves the page when the table says so."""
        return self._change(place, key, resolved_by=person, resolved=now)

    # -- views ---------------------------------------------------------------------------------------------------------

    def case(self, place: str, key: str) -> Case | None:
        """Return the living case of an alert."""
        return self._live.get((place, key))

    def life(self, place: str, key: str, number: int | None = None) -> Case | None:
        """Return the case of an alert: the one with that number, else the living one, else the newest ended one."""
        living = self._live.get((place, key))
        if number is None and living is not None:
            return living
        gone = self._gone.get((place, key))
        if gone is not None and number in (None, gone.id):
            return gone
        if living is not None and living.id == number:
            return living
        sql = "select * from desk where place = ? and key = ? and (? is null or id = ?) order by id desc limit 1"
        row = self._db.one(sql, (place, key, number, number))
        return None if row is None else _case(row)

    def live(self) -> list[Case]:
        """All that stands, oldest first."""
        return sorted(self._live.values(), key=lambda case: case.seen)

    def at(self, place: str) -> list[Case]:
        """Return what stands at one table, oldest first."""
        return [case for case in self.live() if case.place == place]

    def past(self, place: str, count: int = 30) -> list[Case]:
        """Return what has ended at one table, newest first."""
        sql = "select * from desk where place = ? and ended is not null order by ended desc limit ?"
        found = {case.id: case for case in map(_case, self._db.rows(sql, (place, count)))}
        # The newest are not in the book yet; to wait for a slow disk would hold up every page.
        found |= {case.id: case for case in self._gone.values() if case.place == place}
        for living in self.at(place):
            found.pop(living.id, None)
        return sorted(found.values(), key=lambda case: case.ended or 0.0, reverse=True)[:count]

    def _change(self, place: str, key: str, **changes: Any) -> Case | None:
        case = self.case(place, key)
        return None if case is None else self._put(replace(case, **changes))

    def _put(self, case: Case) -> Case:
        if case.ended is None:
            self._live[case.place, case.key] = case
        values = [getattr(case, name) for name in _COLUMNS[:-1]]
        self._db.later(_WRITE, (*values, json.dumps(case.document, ensure_ascii=False)))
        self.version += 1
        return case


def _kept(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an event adds to what its alert said; pictures stay the alert's, which names them."""
    return {name: value for name, value in data.items() if name not in ("evidence", "pictures")}


def _mark(document: Mapping[str, Any]) -> str:
    """Return what tells two lives of one key apart: when it was done. The row may change while it lives."""
    return json.dumps([document.get("committed_t"), document.get("t") if "row" not in document else None])


def _case(row: sqlite3.Row) -> Case:
    named = {name: row[name] for name in Case.__dataclass_fields__ if name != "document"}
    return Case(**named, document=json.loads(row["document"]))
