"""Accounts at an OpenID provider: those linked to a person of the console, and those waiting to be linked.

Kept are issuer, subject and the name that the provider told; no token and no address of mail.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

from table_service.console.storage.database import Database

WAITING_S: Final = 30 * 24 * 3600.0
"""Seconds after which somebody who waits is forgotten."""
WAITING_MOST: Final = 200
_TABLES: Final = (
    """create table if not exists vouched (
  id integer primary key, issuer text not null, subject text not null, account integer references account(id),
  shown text not null, made real not null, by text not null, unique (issuer, subject))""",
    "create unique index if not exists vouched_account on vouched(issuer, account)",
)


@dataclass(frozen=True, slots=True)
class WaitingSubject:
    """An account at the provider that is not linked yet. ``made``: its first sign-in, seconds since 1970."""

    id: int
    subject: str
    shown: str
    made: float


class VouchedAccounts:
    """The accounts of one console's people at providers."""

    def __init__(self, database: Database) -> None:
        self._db = database
        for table in _TABLES:
            database.do(table)

    def account(self, issuer: str, subject: str) -> int | None:
        """Return the number of the person linked to this account at the provider; None if it is not linked."""
        row = self._db.one("select account from vouched where issuer = ? and subject = ?", (issuer, subject))
        return None if row is None or row["account"] is None else int(row["account"])

    def subjects(self, issuer: str) -> dict[int, str]:
        """Return the subject of each person who is linked at ``issuer``, by the person's number."""
        rows = self._db.rows("select account, subject from vouched where issuer = ? and account > 0", (issuer,))
        return {int(row["account"]): str(row["subject"]) for row in rows}

    def link(self, issuer: str, subject: str, number: int, *, by: str, now: float) -> bool:
        """Link an account at the provider to a person; False where either is linked otherwise."""
        try:
            self._db.do(
                "insert into vouched (issuer, subject, account, shown, made, by) values (?, ?, ?, '', ?, ?)"
                " on conflict (issuer, subject) do update set account = excluded.account, made = excluded.made,"
                " by = excluded.by, shown = '' where account is null",
                (issuer, subject, number, now, by),
            )
        except sqlite3.IntegrityError:
            return False  # the person has another account there
        return self.account(issuer, subject) == number

    def unlink(self, number: int) -> bool:
        """Take a person's accounts at providers from him; False if he had none. His sessions end."""
        gone = self._db.do("delete from vouched where account = ?", (number,))
        if gone:
            self._db.do("delete from session where account = ?", (number,))
        return gone > 0

    def ask(self, issuer: str, subject: str, shown: str, *, now: float) -> None:
        """Record a sign-in by an account that is not linked; of more than ``WAITING_MOST`` the oldest are deleted."""
        self._db.do(
            "insert or ignore into vouched (issuer, subject, shown, made, by) values (?, ?, ?, ?, '')",
            (issuer, subject, shown, now),
        )
        self._db.do(
            "delete from vouched where account is null and (made < ? or id not in"
            " (select id from vouched where account is null order by id desc limit ?))",
            (now - WAITING_S, WAITING_MOST),
        )

    def waiting(self, issuer: str, *, now: float) -> list[WaitingSubject]:
        """Return the accounts that are not linked, the newest first."""
        rows = self._db.rows(
            "select * from vouched where issuer = ? and account is null and made >= ? order by id desc",
            (issuer, now - WAITING_S),
        )
        return [WaitingSubject(int(r["id"]), str(r["subject"]), str(r["shown"]), float(r["made"])) for r in rows]

    def refuse(self, number: int) -> None:
        """Forget somebody who waits, by the number of his entry."""
        self._db.do("delete from vouched where id = ? and account is null", (number,))
