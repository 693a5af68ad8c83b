"""The round as the arbitri run it: clock, time-outs, late pairs, protests, score sheets that were confirmed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from table_service.console.storage.database import Database

PROTEST_S: Final = 600.0
"""Ten minutes after a ranking is shown it is final, where the code that a table plays says so."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round. Times are seconds since 1970; ``lost``: seconds that the clock stood still; ``out``: time was called.

    ``shown``: when the ranking was put up, from which time for protests runs. ``kind``: plain, last (of a single
    ranking) or groups (of merit groups); ``posted``: when the new seating was put up. Both decide what is corrected.
    """

    id: int
    deals: int
    minutes: float
    begun: float
    begun_by: str
    places: tuple[str, ...]
    paused: float | None
    lost: float
    out: float | None
    ended: float | None
    shown: float | None
    kind: str = "plain"
    posted: float | None = None
    posted_by: str | None = None

    def left(self, now: float) -> float:
        """Seconds left on the clock; negative when they are over."""
        stopped = self.paused if self.paused is not None else min(now, self.ended or now)
        return self.begun + self.lost + self.minutes * 60 - stopped

    @property
    def final_at(self) -> float | None:
        """Time the ranking becomes final; None while it has not been shown."""
        return None if self.shown is None else self.shown + PROTEST_S


@dataclass(frozen=True, slots=True)
class Late:
    """A line that was not there at the start of round ``round``; ``arrived`` None while it still is not."""

    id: int
    round: int
    place: str
    line: str
    since: float
    arrived: float | None
    noted_by: str

    def minutes(self, now: float) -> float:
        """Return how late it is, or was."""
        return ((self.arrived or now) - self.since) / 60


@dataclass(frozen=True, slots=True)
class Protest:
    """A protest; ``until``: the limit that held when it was made, None where none ran yet."""

    id: int
    round: int | None
    place: str
    line: str | None
    text: str
    at: float
    by: str
    until: float | None
    settled: float | None
    settled_by: str | None
    outcome: str | None

    @property
    def in_time(self) -> bool:
        """True if it was made before its limit."""
        return self.until is None or self.at <= self.until


class Rounds:
    """The rounds of one console."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self.version = 0
        self._now: Round | None = self._newest()

    # -- the clock --------------------------------------------------------------------------------------------------

    @property
    def current(self) -> Round | None:
        """The newest round, ended or not; None before the first."""
        return self._now

    @property
    def running(self) -> Round | None:
        """The round that is being played."""
        return self._now if self._now is not None and self._now.ended is None else None

    def begin(
        self, deals: int, minutes: float, places: tuple[str, ...], person: str, *, now: float, kind: str = "plain"
    ) -> Round:
        """Begin a round at ``places``; one that still ran ends."""
        self._db.do("update round set ended = ? where ended is null", (now,))
        self._db.add(
            "round", deals=deals, minutes=minutes, begun=now, begun_by=person, places=json.dumps(places), kind=kind
        )
        self._changed()
        assert self._now is not None  # noqa: S101 - written just now
        return self._now

    def pause(self, *, now: float) -> None:
        """Stop the clock."""
        self._set("paused = ? where id = ? and paused is null and ended is null", now)

    def go_on(self, *, now: float) -> None:
        """Run the clock again; the time that it stood still is given back."""
        self._set("lost = lost + (? - paused), paused = null where id = ? and paused is not null", now)

    def time_out(self, *, now: float) -> None:
        """Time has been called."""
        self._set("out = ? where id = ? and ended is null", now)

    def end(self, *, now: float) -> None:
        """End the round."""
        self._set("ended = ? where id = ? and ended is null", now)

    def show_ranking(self, *, now: float) -> None:
        """Show the ranking: protests are open until ten minutes from now."""
        self._set("shown = ? where id = ?", now)

    def touch(self) -> None:
        """Something that is shown with the rounds has changed elsewhere."""
        self.version += 1

    def post_seating(self, person: str, *, now: float) -> None:
        """Post the new seating: from now on only inverted scores are exchanged."""
        if self._now is not None:
            self._db.do("update round set posted_by = ? where id = ? and posted is null", (person, self._now.id))
        self._set("posted = ? where id = ? and posted is null", now)

    def all(self) -> list[Round]:
        """Every round that is kept, the oldest first."""
        return [_round(row) for row in self._db.rows("select * from round order by id")]

    # -- who sits where ---------------------------------------------------------------------------------------------

    def seat(self, round_: int, pairs: Mapping[tuple[str, str], str]) -> None:
        """In a round these pairs sit at these tables and lines; what was said of it before is no more."""
        with self._db.together():
            self._db.do("delete from pairing where round = ?", (round_,))
            for (place, line), name in pairs.items():
                self._db.do("insert into pairing values (?, ?, ?, ?)", (round_, place, line, name))
        self.version += 1

    def seated(self, round_: int) -> dict[tuple[str, str], str]:
        """Return which pair sits where in a round; only what the club has entered."""
        rows = self._db.rows("select place, line, pair from pairing where round = ?", (round_,))
        return {(row["place"], row["line"]): row["pair"] for row in rows}

    # -- late pairs -------------------------------------------------------------------------------------------------

    def late(self, place: str, line: str, person: str, *, now: float) -> None:
        """Record that a line is not there; its time runs from the start of the round."""
        at = self._now
        if at is None or any(one.place == place and one.line == line for one in self.latecomers()):
            return
        since = at.begun if at.ended is None else now
        self._db.add("late", round=at.id, place=place, line=line, since=since, noted_by=person)
        self.version += 1

    def arrived(self, number: int, *, now: float) -> None:
        """Record that the line is there."""
        self._db.do("update late set arrived = ? where id = ? and arrived is null", (now, number))
        self.version += 1

    def latecomers(self) -> list[Late]:
        """Return the late lines of the newest round, those still missing first."""
        if self._now is None:
            return []
        rows = self._db.rows("select * from late where round = ? order by arrived is not null, since", (self._now.id,))
        return [Late(**dict(row)) for row in rows]

    # -- protests ---------------------------------------------------------------------------------------------------

    def protest(self, place: str, line: str | None, text: str, person: str, *, now: float) -> None:
        """Enter a protest; its limit is that of the newest ranking."""
        number, until = (None, None) if self._now is None else (self._now.id, self._now.final_at)
        self._db.add("protest", round=number, place=place, line=line, text=text[:500], at=now, by=person, until=until)
        self.version += 1

    def settle(self, number: int, person: str, outcome: str, *, now: float) -> None:
        """Record that a protest has been decided."""
        sql = "update protest set settled = ?, settled_by = ?, outcome = ? where id = ? and settled is null"
        self._db.do(sql, (now, person, outcome[:500], number))
        self.version += 1

    def protests(self, count: int = 50) -> list[Protest]:
        """Protests, undecided ones first."""
        rows = self._db.rows("select * from protest order by settled is not null, at desc limit ?", (count,))
        return [Protest(**dict(row)) for row in rows]

    # -- paper -------------------------------------------------------------------------------------------------------

    def paper(self, place: str, boot: str, first: int, state: str, person: str, *, now: float) -> None:
        """Record the state of the paper of a table's round: ``delivered``, ``left``, ``lost`` or ``found``.

        ``boot`` and ``first`` name the round at the table: its first event.
        """
        self._db.do("insert or replace into paper values (?, ?, ?, ?, ?, ?)", (place, boot, first, state, now, person))
        self.version += 1

    def papers(self) -> dict[tuple[str, str, int], tuple[str, str, float]]:
        """Table, boot and first event → state of the paper, who entered it, and when."""
        rows = self._db.rows("select * from paper")
        return {(r["place"], r["boot"], r["first"]): (r["state"], r["by"], r["at"]) for r in rows}

    def _set(self, sql: str, now: float) -> None:
        if self._now is not None:
            self._db.do(f"update round set {sql}", (now, self._now.id))  # noqa: S608 - texts of this module
            self._changed()

    def _changed(self) -> None:
        self._now = self._newest()
        self.version += 1

    def _newest(self) -> Round | None:
        row = self._db.one("select * from round order by id desc limit 1")
        return None if row is None else _round(row)


def _round(row: sqlite3.Row) -> Round:
    return Round(**{**dict(row), "places": tuple(json.loads(row["places"]))})
