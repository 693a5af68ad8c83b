"""Deals scored from photographs that belong to a table's round: on the disk before they are shown."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from table_service.console.storage.database import Database

_TABLE: Final = """
create table if not exists photographed (
  id integer primary key, place text not null, begun real not null, deals integer, number integer not null,
  by text not null, at real not null, body text not null)"""


@dataclass(frozen=True, slots=True)
class PhotographedDeal:
    """One photographed deal. ``begun``: when the hall's round began, 0 if none was started; ``deals``: how many it has.

    ``number``: the deal's in the round; ``by``: who was signed in; ``at``: when it was kept. Times are seconds since
    1970. ``told``: the score as it was counted, with ``written``, ``confirmed``, ``who``, ``pictures`` by SHA-256.
    """

    id: int
    place: str
    begun: float
    deals: int | None
    number: int
    by: str
    at: float
    told: Mapping[str, Any]


class PhotographedDeals:
    """Photographed deals of one console, in its file; of a deal kept again both are there, and the later one counts."""

    def __init__(self, database: Database) -> None:
        self._db = database
        database.do(_TABLE)

    def keep(
        self, place: str, begun: float, deals: int | None, number: int, told: Mapping[str, Any], by: str, *, now: float
    ) -> PhotographedDeal:
        """Keep a deal, and return it."""
        body = json.dumps(told, ensure_ascii=False)
        made = self._db.add(
            "photographed", place=place, begun=begun, deals=deals, number=number, by=by, at=now, body=body
        )
        return PhotographedDeal(made, place, begun, deals, number, by, now, json.loads(body))

    def since(self, at: float) -> list[PhotographedDeal]:
        """Deals that were kept since ``at``, the oldest first."""
        return [_deal(row) for row in self._db.rows("select * from photographed where at >= ? order by id", (at,))]


def _deal(row: sqlite3.Row) -> PhotographedDeal:
    columns = dict(row)
    told = json.loads(columns.pop("body"))
    return PhotographedDeal(**columns, told=told)
