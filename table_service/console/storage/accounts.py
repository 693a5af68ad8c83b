"""People: accounts with a role, passwords (argon2id), links for the day, sessions that expire."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sqlite3
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from table_service.console.plain_names import plain_name
from table_service.console.storage.database import Database

SHORTEST_PASSWORD: Final = 10
SESSION_IDLE_S: Final = 12 * 3600.0
SESSION_LONGEST_S: Final = 24 * 3600.0
LinkKind = Literal["day", "start", "api"]
"""``day``: whoever opens it is signed in until it ends. ``start``: opens once, to choose a password. ``api``: what a
program sends with every question."""


class Role(StrEnum):
    """Role of an account; see ``access.py`` for its rights."""

    CHIEF = "chief"
    ARBITRO = "arbitro"
    ORGANISER = "organiser"
    TECHNICIAN = "technician"
    SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True)
class PersonAccount:
    """A person who may sign in. ``able``: has a password; without one only links open the door."""

    id: int
    name: str
    role: Role
    able: bool
    disabled: bool


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who is signed in. ``id`` is public within the console (presence); ``csrf`` goes into every form."""

    id: str
    person: PersonAccount
    csrf: str
    expires: float


class Accounts:
    """The people of one console. ``secret`` signs the cookies."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._hasher = PasswordHasher()
        self._nobody: str | None = None
        self._secret = database.meta("cookie-secret", secrets.token_bytes(32))

    # -- people ------------------------------------------------------------------------------------------------------

    def everybody(self) -> list[PersonAccount]:
        """All accounts by name."""
        return [_account(row) for row in self._db.rows("select * from account order by disabled, name")]

    def person(self, number: int) -> PersonAccount | None:
        """Return the account with that number."""
        row = self._db.one("select * from account where id = ?", (number,))
        return None if row is None else _account(row)

    def named(self, name: str) -> PersonAccount | None:
        """Return the account of that name."""
        row = self._db.one("select * from account where name = ?", (name.strip(),))
        return None if row is None else _account(row)

    def add(self, name: str, role: Role, *, now: float) -> PersonAccount | None:
        """Add a person without a password; return the account, or None if the name is empty or taken."""
        name = plain_name(name)[:60]
        if not name or self.named(name) is not None:
            return None
        return self.person(self._db.add("account", name=name, role=role, made=now))

    def rename(self, number: int, name: str) -> bool:
        """Call a person otherwise; False where the name is empty or taken by another."""
        name = plain_name(name)[:60]
        held = self.named(name)
        if not name or (held is not None and held.id != number):
            return False
        self._db.do("update account set name = ? where id = ?", (name, number))
        return True

    def set_password(self, number: int, password: str) -> bool:
        """Give a person a password; False where it is too short. All his sessions end."""
        if len(password) < SHORTEST_PASSWORD:
            return False
        self._db.do("update account set password = ? where id = ?", (self._hasher.hash(password[:1024]), number))
        self._db.do("delete from session where account = ?", (number,))
        return True

    def disable(self, number: int, *, disabled: bool) -> None:
        """Shut a person out at once, or let him in again."""
        self._db.do("update account set disabled = ? where id = ?", (int(disabled), number))
        if disabled:
            self._db.do("delete from session where account = ?", (number,))
            self._db.do("delete from link where account = ?", (number,))

    def check(self, name: str, password: str) -> PersonAccount | None:
        """Return the person whose name and password these are. Slow on purpose: call it beside the event loop."""
        row = self._db.one("select * from account where name = ? and disabled = 0", (name.strip(),))
        if self._nobody is None:
            # Checked where there is no such person, so that the answer takes as long.
            self._nobody = self._hasher.hash(secrets.token_urlsafe(16))
        hashed = row["password"] if row is not None and row["password"] else self._nobody
        try:
            self._hasher.verify(hashed, password[:1024])
        except (VerificationError, InvalidHashError):
            return None
        return None if row is None or not row["password"] else _account(row)

    # -- links -------------------------------------------------------------------------------------------------------

    def link(self, number: int, kind: LinkKind, *, expires: float) -> str:
        """Make a link for a person and return its token; older ones of its kind open nothing, programs keep theirs."""
        token = secrets.token_urlsafe(24)
        if kind != "api":
            self._db.do("delete from link where account = ? and kind = ?", (number, kind))
        self._db.do("insert into link values (?, ?, ?, ?, null)", (_hash(token), kind, number, expires))
        return token

    def behind(self, token: str, kind: LinkKind, *, now: float) -> PersonAccount | None:
        """Account of the link; None if the link is unknown, has expired or was used up."""
        row = self._db.one(
            "select account, used from link where hash = ? and kind = ? and expires > ?", (_hash(token), kind, now)
        )
        if row is None or (kind == "start" and row["used"] is not None):
            return None
        person = self.person(int(row["account"]))
        return None if person is None or person.disabled else person

    def use_up(self, token: str, *, now: float) -> bool:
        """Use up a link that opens once; return False if it had been opened before."""
        return self._db.do("update link set used = ? where hash = ? and used is null", (now, _hash(token))) == 1

    def program(self, token: str, *, now: float) -> Session | None:
        """On whose behalf a program asks; None for a token that is not valid."""
        person = self.behind(token, "api", now=now)
        return None if person is None else Session(_hash(token).hex()[:16], person, "", self.link_ends(token))

    def forget_programs(self, number: int) -> None:
        """No token of a person is valid any more."""
        self._db.do("delete from link where account = ? and kind = 'api'", (number,))

    def link_ends(self, token: str) -> float:
        """Return when a link ends."""
        row = self._db.one("select expires from link where hash = ?", (_hash(token),))
        return 0.0 if row is None else float(row["expires"])

    # -- sessions ----------------------------------------------------------------------------------------------------

    def begin(self, person: PersonAccount, *, now: float, expires: float | None = None) -> str:
        """Sign ``person`` in. Returns the cookie's value."""
        token = secrets.token_urlsafe(24)
        end = min(now + SESSION_LONGEST_S, expires or now + SESSION_LONGEST_S)
        self._db.do("delete from session where expires < ? or seen < ?", (now, now - SESSION_IDLE_S))
        self._db.do(
            "insert into session values (?, ?, ?, ?, ?, ?)",
            (_hash(token), person.id, secrets.token_urlsafe(18), now, now, end),
        )
        return f"{token}.{self.sign(token)}"

    def session(self, cookie: str | None, *, now: float) -> Session | None:
        """Return who sent ``cookie``; None for one that was not signed here, has expired or was ended."""
        token, _, signature = (cookie or "").partition(".")
        if not token or not hmac.compare_digest(signature.encode(), self.sign(token).encode()):
            return None
        hashed = _hash(token)
        row = self._db.one(
            "select account.*, session.csrf, session.expires, session.seen"
            " from session join account on account.id = session.account where hash = ?",
            (hashed,),
        )
        if row is None or row["disabled"] or row["expires"] <= now or row["seen"] < now - SESSION_IDLE_S:
            return None
        if row["seen"] < now - 60:
            self._db.do("update session set seen = ? where hash = ?", (now, hashed))
        return Session(hashed.hex()[:16], _account(row), row["csrf"], float(row["expires"]))

    def end(self, cookie: str | None) -> None:
        """Sign out."""
        self._db.do("delete from session where hash = ?", (_hash((cookie or "").partition(".")[0]),))

    def sign(self, text: str) -> str:
        """Return the console's own mark on a text that a browser keeps for it."""
        return hmac.new(self._secret, text.encode(), hashlib.sha256).hexdigest()[:40]


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _account(row: sqlite3.Row) -> PersonAccount:
    return PersonAccount(row["id"], row["name"], Role(row["role"]), bool(row["password"]), bool(row["disabled"]))
