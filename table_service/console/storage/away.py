"""People who want notices outside the hall, of what and how; each browser's push address; outcome of each message."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from table_service.console.storage.database import Database

_TABLES: Final = (
    """create table if not exists away (
  account integer primary key, ways text not null, severities text not null, quiet_from integer, quiet_to integer,
  mail text not null, language text not null, address text not null, until real not null)""",
    """create table if not exists push_address (
  endpoint text primary key, account integer not null, p256dh text not null, auth text not null, made real not null,
  device text not null)""",
    """create table if not exists away_sent (
  id integer primary key, account integer not null, way text not null, at real not null, number integer not null,
  ok integer not null, detail text not null)""",
    "create index if not exists away_sent_of on away_sent(account, id)",
)
DEVICES_MOST: Final = 10
SHOWN: Final = 12
_KEPT: Final = 200


@dataclass(frozen=True, slots=True)
class Wishes:
    """One person's choice of notices outside the hall.

    ``quiet``: minutes of the day between which none is sent. ``mail``: his address. ``address``: the console's own as
    his browser has it. ``until``: end of these wishes (seconds since 1970).
    """

    account: int
    ways: frozenset[str] = frozenset()
    severities: frozenset[str] = frozenset({"call", "play-stops", "score"})
    quiet: tuple[int, int] | None = None
    mail: str = ""
    language: str = "it"
    address: str = ""
    until: float = 0.0

    def is_quiet(self, minute: int) -> bool:
        """Return True if the minute of the day lies in the quiet hours, which may pass midnight."""
        if self.quiet is None:
            return False
        begin, end = self.quiet
        return begin <= minute < end if begin <= end else minute >= begin or minute < end


@dataclass(frozen=True, slots=True)
class Device:
    """A browser that takes pushes."""

    endpoint: str
    p256dh: str
    auth: str
    made: float
    name: str


@dataclass(frozen=True, slots=True)
class Sent:
    """Outcome of one message: ``number`` alerts in it; ``detail`` one sentence if it failed."""

    way: str
    at: float
    number: int
    ok: bool
    detail: str


class Away:
    """The wishes of one console's people. Safe to be used from several threads."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._lock = threading.Lock()
        for table in _TABLES:
            database.do(table)
        self._held: Mapping[int, Wishes] = {w.account: w for w in map(_wishes, database.rows("select * from away"))}
        self._sent: dict[int, deque[Sent]] = {}
        for r in database.rows("select * from away_sent order by id"):
            self._remember(r["account"], Sent(r["way"], r["at"], r["number"], bool(r["ok"]), r["detail"]))
        self.version = 0

    def wishes(self, account: int) -> Wishes:
        """Return a person's wishes; empty if he has none."""
        return self._held.get(account) or Wishes(account)

    def all(self) -> list[Wishes]:
        """Everybody's wishes."""
        return list(self._held.values())

    def wish(self, wishes: Wishes) -> None:
        """Keep a person's wishes instead of those of before."""
        quiet = wishes.quiet or (None, None)
        self._db.do(
            "insert or replace into away values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (wishes.account, json.dumps(sorted(wishes.ways)), json.dumps(sorted(wishes.severities)), *quiet,
             wishes.mail, wishes.language, wishes.address, wishes.until),
        )  # fmt: skip
        self._held = {**self._held, wishes.account: wishes}
        self._changed()

    def devices(self, account: int) -> list[Device]:
        """Return a person's browsers that take pushes, the oldest first."""
        rows = self._db.rows("select * from push_address where account = ? order by made", (account,))
        return [Device(r["endpoint"], r["p256dh"], r["auth"], r["made"], r["device"]) for r in rows]

    def add_device(self, account: int, device: Device) -> None:
        """Add a browser that takes pushes; of more than ten the oldest is forgotten."""
        sql = "insert or replace into push_address values (?, ?, ?, ?, ?, ?)"
        self._db.do(sql, (device.endpoint, account, device.p256dh, device.auth, device.made, device.name[:60]))
        for old in self.devices(account)[:-DEVICES_MOST]:
            self.drop_device(old.endpoint, account)
        self._changed()

    def drop_device(self, endpoint: str, account: int) -> None:
        """Drop a browser, which takes no pushes any more."""
        self._db.do("delete from push_address where endpoint = ? and account = ?", (endpoint, account))
        self._changed()

    def note(self, account: int, sent: Sent) -> None:
        """Keep what became of a message; of each person's only the newest. Waits for no disk: couriers call it."""
        self._remember(account, sent)
        self._db.later(
            "insert into away_sent (account, way, at, number, ok, detail) values (?, ?, ?, ?, ?, ?)",
            (account, sent.way, sent.at, sent.number, int(sent.ok), sent.detail[:300]),
        )
        self._db.later(
            "delete from away_sent where account = ? and id not in"
            " (select id from away_sent where account = ? order by id desc limit ?)",
            (account, account, _KEPT),
        )
        self._changed()

    def _changed(self) -> None:
        """Pages are to be made anew. Called from any thread: of two changes at once neither may be lost."""
        with self._lock:
            self.version += 1

    def _remember(self, account: int, sent: Sent) -> None:
        self._sent.setdefault(account, deque(maxlen=SHOWN)).appendleft(sent)

    def sent(self, account: int) -> list[Sent]:
        """Return what became of a person's newest messages, the newest first."""
        return list(self._sent.get(account, ()))


def _wishes(row: sqlite3.Row) -> Wishes:
    quiet = None if row["quiet_from"] is None else (int(row["quiet_from"]), int(row["quiet_to"]))
    return Wishes(
        row["account"], frozenset(json.loads(row["ways"])), frozenset(json.loads(row["severities"])), quiet,
        row["mail"], row["language"], row["address"], row["until"],
    )  # fmt: skip
