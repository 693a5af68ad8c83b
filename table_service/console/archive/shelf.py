"""Past deals among the events that the console has kept: found, listed, taken out."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from hw.seats import LINES
from table_service.console.storage.database import ROW_OF_EVENT, Database, DatabaseReader
from table_service.events.untrusted import as_map

PAGE: Final = 60
"""Deals on one page of the archive."""
BROKEN: Final = "broken"
_OF_SCORES: Final = ("round.started", "deal.started", "deal.ended", "score.counted", "warning.given")


@dataclass(frozen=True, slots=True)
class DealRef:
    """One deal on the shelf. ``first``: the number (``seq``) of its first event within the table's boot."""

    place: str
    boot: str
    first: int
    deal: int
    time: str
    manner: str
    """How it ended; empty while it goes on, ``BROKEN`` where another began before it had ended."""
    totals: tuple[int | None, int | None]
    """Points of North-South and East-West; None where no count was told."""
    rows: tuple[str, ...]
    """Catalogue rows of its irregularities that were not dismissed."""


class Shelf:
    """Reads ``database``; changes nothing."""

    def __init__(self, database: Database | DatabaseReader) -> None:
        self._db = database

    def deals(self, place: str = "", row: str = "", page: int = 0) -> tuple[list[DealRef], bool]:
        """Deals, the newest first, of one table or all; ``row``: only those with such an irregularity.

        Also whether there are more on the next page.
        """
        found: list[DealRef] = []
        skip, wanted = page * PAGE, self._with_row(row) if row else None
        for ref in self.every(place, wanted) if wanted is None or wanted else ():
            if row and not any(one.upper().startswith(row.upper()) for one in ref.rows):
                continue
            if skip:
                skip -= 1
            elif len(found) == PAGE:
                return found, True
            else:
                found.append(ref)
        return found, False

    def every(self, place: str = "", wanted: Collection[tuple[str, str, int]] | None = None) -> Iterator[DealRef]:
        """Every deal of one table or of all, the newest first; ``wanted``: of these tables, boots and numbers alone."""
        begun_later: set[str] = set()
        for start in self._starts(place):
            if wanted is None or (start["place"], start["boot"], start["deal"]) in wanted:
                ref = self._ref(start)
                yield replace(ref, manner=BROKEN) if not ref.manner and ref.place in begun_later else ref
            begun_later.add(start["place"])

    def _with_row(self, row: str) -> set[tuple[str, str, int]]:
        """Table, boot and number of every deal with such an irregularity, dismissed ones included."""
        sql = (
            "select distinct place, boot, deal from event indexed by event_row"  # noqa: S608 - our own text
            f" where type = 'irregularity' and {ROW_OF_EVENT} >= ? and {ROW_OF_EVENT} < ?"
        )
        begins = row.upper()
        found = self._db.rows(sql, (begins, begins + "\U0010ffff"))
        return {(one["place"], one["boot"], one["deal"]) for one in found if one["deal"] is not None}

    def events(self, place: str, boot: str, first: int) -> list[dict[str, Any]]:
        """Return the events of the deal from event ``first`` on, in the table's order; empty if absent."""
        head = self._db.one("select deal from event where place = ? and boot = ? and seq = ?", (place, boot, first))
        if head is None or head["deal"] is None:
            return []
        sql = "select body from event where place = ? and boot = ? and seq >= ? and seq < ? and deal = ? order by seq"
        end = self._end(place, boot, first, head["deal"])
        return [json.loads(row["body"]) for row in self._db.rows(sql, (place, boot, first, end, head["deal"]))]

    def begun_between(self, begun: float, until: float) -> list[tuple[str, str, int]]:
        """Table, boot and first event of every deal whose beginning was heard in that time, in the tables' order."""
        sql = (
            "select place, boot, seq from event where type = 'deal.started' and deal is not null"
            " and heard >= ? and heard < ? order by place, boot, seq"
        )
        return [(row["place"], row["boot"], row["seq"]) for row in self._db.rows(sql, (begun, until))]

    def start_of(self, place: str, boot: str, seq: int) -> int | None:
        """Return the number of the first event of the deal that event ``seq`` belongs to, or None."""
        sql = (
            "select max(seq) as first from event"
            " where place = ? and boot = ? and seq <= ? and type = 'deal.started' and deal is not null"
        )
        row = self._db.one(sql, (place, boot, seq))
        return None if row is None or row["first"] is None else int(row["first"])

    def of_types(self, types: Collection[str]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Every event of the hall of these types with its table, in order of arrival."""
        marks = ",".join("?" * len(types))
        sql = f"select place, body from event where type in ({marks}) order by id"  # noqa: S608 - marks
        for row in self._db.rows(sql, tuple(types)):
            yield row["place"], json.loads(row["body"])

    def scored(self) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        """Every deal's table and those of its events that a list of scores needs, in the order of ``every``.

        One question for all of them: a day of two hundred tables has half a million events.
        """
        marks = ",".join("?" * len(_OF_SCORES))
        sql = (
            f"select place, boot, seq, type, deal, body from event where type in ({marks})"  # noqa: S608 - marks
            " order by place, boot, seq"
        )
        found: dict[tuple[str, str, int], list[str]] = {}
        running: dict[int, list[str]] = {}
        here = ("", "")
        for row in self._db.rows(sql, _OF_SCORES):
            deal, kind = row["deal"], row["type"]
            if here != (row["place"], row["boot"]) or kind == "round.started":
                running, here = {}, (row["place"], row["boot"])
            if deal is not None and kind == "deal.started":
                running = {number: own for number, own in running.items() if number < deal}
                running[deal] = found[row["place"], row["boot"], row["seq"]] = []
            if deal in running:
                running[deal].append(row["body"])
        for start in self._starts(""):
            bodies = found.get((start["place"], start["boot"], start["seq"]), [])
            yield start["place"], [json.loads(body) for body in bodies]

    def places(self) -> list[str]:
        """Every table of which there are deals."""
        sql = "select distinct place from event where type = 'deal.started' order by place"
        return [row["place"] for row in self._db.rows(sql)]

    def _starts(self, place: str) -> list[sqlite3.Row]:
        """Return where deals begin, the newest first: of each table in its own order, whenever the console had them."""
        sql = (
            "select place, boot, seq, deal, time, min(id) over"
            " (partition by place order by boot, seq rows between current row and unbounded following) as came"
            " from event where type = 'deal.started' and deal is not null"
        )
        order = "order by came desc, place, boot desc, seq desc"
        if place:
            return self._db.rows(f"{sql} and place = ? {order}", (place,))
        return self._db.rows(f"{sql} {order}")

    def _end(self, place: str, boot: str, first: int, deal: int) -> int:
        """Return the number of the first event after the deal: the next deal or round of this boot.

        A count may come after the next deal began, and is the deal's own by its number.
        """
        sql = (
            "select seq from event where place = ? and boot = ? and seq > ? and "
            "(type = 'round.started' or (type = 'deal.started' and deal <= ?)) order by seq limit 1"
        )
        row = self._db.one(sql, (place, boot, first, deal))
        return 1 << 62 if row is None else int(row["seq"])

    def _ref(self, start: sqlite3.Row) -> DealRef:
        place, boot, first, deal = start["place"], start["boot"], start["seq"], start["deal"]
        sql = (
            "select type, body from event where place = ? and boot = ? and seq >= ? and seq < ? and deal = ? "
            "and type in ('deal.ended', 'score.counted', 'irregularity') order by seq"
        )
        manner, rows = "", {}
        totals: tuple[int | None, int | None] = (None, None)
        for event in self._db.rows(sql, (place, boot, first, self._end(place, boot, first, deal), deal)):
            data = as_map(json.loads(event["body"]).get("data"))
            match event["type"]:
                case "deal.ended":
                    manner = str(data.get("manner") or "")
                case "score.counted":
                    totals = _totals(data)
                case _:
                    rows[str(data.get("key"))] = "" if data.get("state") == "dismissed" else str(data.get("row") or "")
        told = tuple(sorted({row for row in rows.values() if row}))
        return DealRef(place, boot, first, deal, str(start["time"] or ""), manner, totals, told)


def _totals(data: Mapping[str, Any]) -> tuple[int | None, int | None]:
    lines = as_map(data.get("lines"))
    ns, ew = (as_map(lines.get(line)).get("total") for line in LINES)
    return ns if isinstance(ns, int) else None, ew if isinstance(ew, int) else None
