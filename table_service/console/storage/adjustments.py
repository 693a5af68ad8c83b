"""Points that the direction adds to the results of a round without play, with the reason.

``late``: a pair that came after the start and the one that waited for it, with the points that the code gives both,
where it lets it come. ``given``: points that the code leaves to the arbitro, or that a round did not bring.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from table_service.console.storage.database import Database

Kind = Literal["late", "given"]
_TABLE: Final = """
create table if not exists adjustment (
  id integer primary key, round integer not null, entry text not null, kind text not null, vp integer, mp integer,
  reason text not null, by text not null, at real not null)"""


@dataclass(frozen=True, slots=True)
class RoundAdjustment:
    """One of them. ``at``: seconds since 1970; ``vp``, ``mp``: the round's points, None where the code says none."""

    id: int
    round: int
    entry: str
    kind: Kind
    vp: int | None
    mp: int | None
    reason: str
    by: str
    at: float


class Adjustments:
    """Adjustments of one console, in its file."""

    def __init__(self, database: Database) -> None:
        self._db = database
        database.do(_TABLE)

    def late(
        self, round_: int, entry: str, points: tuple[int, int | None], reason: str, by: str, *, now: float
    ) -> None:
        """In that round ``entry`` has these victory and match points, whatever its table tells."""
        self._add(round_, entry, "late", points, reason, by, now)

    def give(
        self, round_: int, entry: str, points: tuple[int, int | None], reason: str, by: str, *, now: float
    ) -> None:
        """Give ``entry`` these victory and match points in that round; the newest apply."""
        self._add(round_, entry, "given", points, reason, by, now)

    def _add(
        self, round_: int, entry: str, kind: Kind, points: tuple[int, int | None], reason: str, by: str, now: float
    ) -> None:
        vp, mp = points
        self._db.add(
            "adjustment", round=round_, entry=entry, kind=kind, vp=vp, mp=mp, reason=reason[:200], by=by, at=now
        )

    def of(self, round_: int) -> list[RoundAdjustment]:
        """Return adjustments of one round, the oldest first."""
        rows = self._db.rows("select * from adjustment where round = ? order by id", (round_,))
        return [RoundAdjustment(**dict(row)) for row in rows]
