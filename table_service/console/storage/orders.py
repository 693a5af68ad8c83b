"""Orders that people have given to tables: waiting, sent, done, refused, expired. None is ever lost silently."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from table_service.console.storage.database import Database

State = Literal["waiting", "sent", "done", "refused", "expired", "cancelled"]
OPEN: Final = ("waiting", "sent")
SECRET: Final = "(secret)"  # noqa: S105 - a mark, no secret
"""Stands among an order's fields where the value itself is only in the console's memory."""
SHOWN_S: Final = 20.0
"""How long an order that went well stays on the page."""

_ACCEPTED: Final = "update orders set answer = ? where id = ? and state = 'sent' and coalesce(answer, '') <> ?"


@dataclass(frozen=True, slots=True)
class StoredOrder:
    """One order. ``about``: the key of the alert it concerns. ``until``: seconds since 1970 at which it is given up.

    ``held``: until then it may be undone, and does not go out; None where it goes at once.
    ``message`` is what was signed, sent again unchanged until the table answers: it takes each id once.
    ``answer``: the table's sentence in both languages, or the console's where it was given up; of one that was sent,
    that the table has it and has not decided it yet.
    """

    id: str
    place: str
    person: str
    do: str
    fields: dict[str, Any]
    about: str | None
    given: float
    until: float
    state: State
    sent: float | None = None
    answered: float | None = None
    message: str | None = None
    reason: str | None = None
    answer: dict[str, str] = field(default_factory=dict)
    seen: bool = False
    held: float | None = None

    @property
    def open_fields(self) -> dict[str, Any]:
        """Its fields but for those that are secret."""
        return {name: value for name, value in self.fields.items() if value != SECRET}

    def may_be_undone(self, now: float) -> bool:
        """Return True if it still waits for its giver's second thought."""
        return self.state == "waiting" and self.held is not None and now < self.held

    def shown(self, now: float) -> bool:
        """Return True if a page still shows it: open ones, fresh good ones, bad ones until somebody has seen them."""
        if self.state in OPEN:
            return True
        if self.state in ("done", "cancelled"):
            return (self.answered or self.given) > now - SHOWN_S
        return not self.seen


class OrderBook:
    """The orders of one console, newest ones in memory."""

    def __init__(self, database: Database) -> None:
        self._db = database
        rows = database.rows("select * from orders where state in ('waiting', 'sent') or seen = 0 order by given")
        self._live: dict[str, StoredOrder] = {row["id"]: _order(row) for row in rows}
        self.version = 0

    def give(
        self,
        name: str,
        place: str,
        person: str,
        do: str,
        fields: Mapping[str, Any],
        about: str | None,
        *,
        now: float,
        until: float,
        held: float | None = None,
    ) -> StoredOrder:
        """Somebody gives an order; it waits until it is sent, and until ``held`` it may be undone."""
        self._db.add(
            "orders", id=name, place=place, person=person, deed=do, fields=json.dumps(dict(fields), ensure_ascii=False),
            about=about, given=now, until=until, state="waiting", held=held,
        )  # fmt: skip
        return self._again(name)

    def sent(self, name: str, message: str | None, *, now: float) -> StoredOrder:
        """Record that an order is on its way, signed. ``message`` None: one that no file may hold."""
        self._db.do("update orders set state = 'sent', sent = ?, message = ? where id = ?", (now, message, name))
        return self._again(name)

    def accepted(self, name: str, answer: Mapping[str, str]) -> StoredOrder | None:
        """Record that the table has an order and has not decided it yet; None if it is no longer on its way."""
        text = json.dumps(dict(answer), ensure_ascii=False)
        return self._again(name) if self._db.do(_ACCEPTED, (text, name, text)) else None

    def settled(
        self, name: str, state: State, *, now: float, reason: str | None, answer: Mapping[str, str]
    ) -> StoredOrder | None:
        """Settle an order; only one that was open changes, or one whose answer comes after all."""
        text, seen = json.dumps(dict(answer), ensure_ascii=False), int(state in ("done", "cancelled"))
        changed = self._db.do(
            "update orders set state = ?, answered = ?, reason = ?, answer = ?, seen = ?"
            " where id = ? and (state in ('waiting', 'sent') or reason = 'no-answer')",
            (state, now, reason, text, seen, name),
        )
        return self._again(name) if changed else None

    def noticed(self, name: str) -> None:
        """Somebody has seen that it went wrong."""
        self._db.do("update orders set seen = 1 where id = ?", (name,))
        self._again(name)

    def order(self, name: str) -> StoredOrder | None:
        """Return the order called ``name``."""
        if name in self._live:
            return self._live[name]
        row = self._db.one("select * from orders where id = ?", (name,))
        return None if row is None else _order(row)

    def open(self) -> list[StoredOrder]:
        """All that wait or are on their way, oldest first."""
        return [order for order in self._live.values() if order.state in OPEN]

    def shown(self, *, now: float, place: str | None = None) -> list[StoredOrder]:
        """Return what a page shows, newest first; all tables where ``place`` is None."""
        for name in [name for name, order in self._live.items() if not order.shown(now)]:
            del self._live[name]
        return [order for order in reversed(self._live.values()) if place is None or order.place == place]

    def of(self, place: str, count: int = 100) -> list[StoredOrder]:
        """Return the newest orders to one table."""
        sql = "select * from orders where place = ? order by given desc limit ?"
        return [_order(row) for row in self._db.rows(sql, (place, count))]

    def about(self, place: str, key: str, since: float) -> list[StoredOrder]:
        """Every order that concerns the alert ``key`` of a table and was given since then, oldest first."""
        sql = "select * from orders where place = ? and about = ? and given >= ? order by given"
        return [_order(row) for row in self._db.rows(sql, (place, key, since))]

    def _again(self, name: str) -> StoredOrder:
        row = self._db.one("select * from orders where id = ?", (name,))
        assert row is not None  # noqa: S101 - it was written or found just now
        self._live[name] = order = _order(row)
        self.version += 1
        return order


def _order(row: sqlite3.Row) -> StoredOrder:
    columns = dict(row)
    read = {name: json.loads(columns[name] or "{}") for name in ("fields", "answer")}
    return StoredOrder(do=columns.pop("deed"), **columns | read | {"seen": bool(row["seen"])})
