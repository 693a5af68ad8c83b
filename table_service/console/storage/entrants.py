"""The people of a tournament's entries: clubs and member numbers, the list that was taken last, forms of lists.

They belong to the tournament that they last played in, and go with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

from table_service.console.entrant import Entrant, EntrantPerson
from table_service.console.storage.database import Database

_TABLES: Final = (
    """
create table if not exists entrant (
  entry text not null collate nocase, nth integer not null, name text not null, club text not null,
  member text not null, category text not null, email text not null, at real not null, primary key (entry, nth))""",
    "create table if not exists entry_list (nth integer primary key, entry text not null)",
    "create table if not exists list_form (heads text primary key, roles text not null, at real not null)",
)


class Entrants:
    """Entries of one console, in its file."""

    def __init__(self, database: Database) -> None:
        self._db = database
        for table in _TABLES:
            database.do(table)

    def take(self, entries: Sequence[Entrant], *, now: float) -> None:
        """Keep these as the entries now; of people whose entries are not among them everything stays."""
        with self._db.together():
            self._db.do("delete from entry_list")
            for nth, one in enumerate(entries):
                self._db.do("insert into entry_list values (?, ?)", (nth, one.name))
                self._db.do("delete from entrant where entry = ?", (one.name,))
                for n, who in enumerate(one.people):
                    row = (one.name, n, who.name, who.club, who.member, who.category, who.email, now)
                    self._db.do("insert into entrant values (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def listed(self) -> list[str]:
        """Return the names of the entries that were taken last, in the order of their list."""
        return [row["entry"] for row in self._db.rows("select entry from entry_list order by nth")]

    def people(self) -> dict[str, tuple[EntrantPerson, ...]]:
        """Return the people of each entry of which they are known, by its name in small letters."""
        found: dict[str, list[EntrantPerson]] = {}
        for row in self._db.rows("select * from entrant order by entry, nth"):
            who = EntrantPerson(row["name"], row["club"], row["member"], row["category"], row["email"])
            found.setdefault(row["entry"].casefold(), []).append(who)
        return {entry: tuple(people) for entry, people in found.items()}

    def play(self, entries: Iterable[str], *, now: float) -> None:
        """Record that these are seated: their people belong to the tournament that goes on."""
        with self._db.together():
            for one in entries:
                self._db.do("update entrant set at = ? where entry = ?", (now, one))

    def remember(self, heads: str, roles: Sequence[str], *, now: float) -> None:
        """Remember that a list of this form has these columns."""
        self._db.do("insert or replace into list_form values (?, ?, ?)", (heads, json.dumps(list(roles)), now))

    def roles(self, heads: str) -> tuple[str, ...] | None:
        """Return the columns chosen for a list of this form; None if none were."""
        row = self._db.one("select roles from list_form where heads = ?", (heads,))
        return None if row is None else tuple(map(str, json.loads(row["roles"])))
