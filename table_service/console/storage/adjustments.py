"""What the direction adds to the results of a round, with the reason: points without play, per cent taken off.

``late``: a pair that came after the start and the one that waited for it, with the points that the code gives both
(feburit, art. 25). ``percent``: per cent of a top off a pair on one board (bridge, norm 87.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from table_service.console.storage.database import Database

Kind = Literal["late", "percent"]
_TABLE: Final = """
create table if not exists adjustment (
  id integer primary key, round integer not null, entry text not null, kind text not null, vp integer, mp integer,
  percent integer, board integer, reason text not null, by text not null, at real not null)"""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """One of them. ``at``: seconds since 1970; ``vp``, ``mp``: the round's points, None where the code says none."""

    id: int
    round: int
    entry: str
    kind: Kind
    vp: int | None
    mp: int | None
    percent: int | None
    board: int | None
    reason: str
    by: str
    at: float


class Adjustments:
    """Those of one console, in its file."""

    def __init__(self, database: Database) -> None:
        self._db = database
        database.do(_TABLE)

    def late(
        self, round_: int, entry: str, points: tuple[int, int | None], reason: str, by: str, *, now: float
    ) -> None:
        """In that round ``entry`` has these victory and match points, whatever its table tells."""
        sql = "insert into adjustment (round, entry, kind, vp, mp, reason, by, at) values (?, ?, 'late', ?, ?, ?, ?, ?)"
        self._db.do(sql, (round_, entry, *points, reason[:200], by, now))

    def percent(self, round_: int, entry: str, board: int, percent: int, reason: str, by: str, *, now: float) -> None:
        """On that board ``entry`` has so many per cent of a top less."""
        columns = "round, entry, kind, board, percent, reason, by, at"
        self._db.do(
            f"insert into adjustment ({columns}) values (?, ?, 'percent', ?, ?, ?, ?, ?)",  # noqa: S608 - names of here
            (round_, entry, board, percent, reason[:200], by, now),
        )

    def take_back(self, number: int) -> None:
        """One of them is no more."""
        self._db.do("delete from adjustment where id = ?", (number,))

    def of(self, round_: int) -> list[Adjustment]:
        """Those of one round, the oldest first."""
        rows = self._db.rows("select * from adjustment where round = ? order by id", (round_,))
        return [Adjustment(**dict(row)) for row in rows]
