"""Arbitri's entries on deals and on lines beside the tables' own orders: kept, withdrawn, never lost."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from table_service.console.storage.database import Database


@dataclass(frozen=True, slots=True)
class AwardRecord:
    """One act of an arbitro. Times are seconds since 1970. ``number``: the deal's; None: of the round.

    ``fields``: as the game's form gave them. ``withdrawn``: when it was taken back, by whom and ``why``.
    """

    id: int
    round: int
    place: str
    number: int | None
    fields: Mapping[str, Any]
    article: str
    reason: str
    by: str
    at: float
    withdrawn: float | None
    withdrawn_by: str | None
    why: str | None

    @property
    def holds(self) -> bool:
        """True if it counts."""
        return self.withdrawn is None

    def may_be_undone(self, now: float, undo: float, person: str) -> bool:
        """Return True if ``person`` entered it at most ``undo`` seconds ago, and may take it back without a reason."""
        return self.holds and self.by == person and now < self.at + undo


class AwardRecords:
    """Entries in the console's file: on the disk before they are shown."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self.version = 0

    def enter(
        self,
        round_: int,
        place: str,
        number: int | None,
        fields: Mapping[str, Any],
        *,
        article: str,
        reason: str,
        person: str,
        now: float,
    ) -> int:
        """Keep an act; it counts from now on. Returns its number."""
        made = self._db.add(
            "award", round=round_, place=place, number=number, fields=json.dumps(dict(fields), ensure_ascii=False),
            article=article, reason=reason, by=person, at=now,
        )  # fmt: skip
        self.version += 1
        return made

    def withdraw(self, number: int, person: str, why: str, *, now: float) -> bool:
        """Take an act back: it counts no more, and stays written. False where it was withdrawn already."""
        sql = "update award set withdrawn = ?, withdrawn_by = ?, why = ? where id = ? and withdrawn is null"
        changed = self._db.do(sql, (now, person, why, number))
        self.version += 1
        return changed > 0

    def get(self, number: int) -> AwardRecord | None:
        """One act; None where there is none of that number."""
        row = self._db.one("select * from award where id = ?", (number,))
        return None if row is None else _record(row)

    def of_round(self, round_: int) -> list[AwardRecord]:
        """All acts of a round, withdrawn ones as well, the oldest first."""
        return [_record(row) for row in self._db.rows("select * from award where round = ? order by id", (round_,))]

    def all(self) -> list[AwardRecord]:
        """All acts that are kept and count, the oldest first."""
        return [_record(row) for row in self._db.rows("select * from award where withdrawn is null order by id")]


def _record(row: sqlite3.Row) -> AwardRecord:
    return AwardRecord(**{**dict(row), "fields": json.loads(row["fields"])})
