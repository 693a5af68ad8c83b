"""Audit of views and actions, in the order they happened; no row is ever taken out while the file lives."""

from __future__ import annotations

from dataclasses import dataclass

from table_service.console.storage.database import Database


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One line: ``deed`` a word for programs, ``place`` the table where it concerns one, ``detail`` plain text."""

    at: float
    person: str
    role: str
    deed: str
    place: str
    detail: str


class Audit:
    """The console's own log of people."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def note(self, person: str, role: str, deed: str, *, at: float, place: str = "", detail: str = "") -> None:
        """Somebody saw or did something."""
        self._db.later(
            "insert into audit (at, person, role, deed, place, detail) values (?, ?, ?, ?, ?, ?)",
            (at, person, role, deed, place, detail[:4000]),
        )

    def newest(self, count: int = 200, *, person: str = "", place: str = "", seen: bool = True) -> list[AuditEntry]:
        """Return the newest entries first; ``seen`` False leaves out what was only looked at."""
        self._db.flush()
        rows = self._db.rows(
            "select * from audit where (? = '' or person = ?) and (? = '' or place = ?) and (? or deed <> 'saw')"
            " order by id desc limit ?",
            (person, person, place, place, seen, count),
        )
        return [AuditEntry(r["at"], r["person"], r["role"], r["deed"], r["place"], r["detail"]) for r in rows]
