"""The organiser's choices for the hall while it runs, and the ranking that he has published."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from table_service.console.storage.database import Database
from table_service.console.storage.round_records import Round

_TABLE: Final = """
create table if not exists choice (name text primary key, value text not null, at real not null, by text)"""
_FINAL: Final = "final-"


@dataclass(frozen=True, slots=True)
class Published:
    """A ranking as it stood when somebody published it (seconds since 1970)."""

    at: float
    by: str
    body: dict[str, Any]


class Choices:
    """Choices by name, in the console's file; each also in memory, since pages ask for them all the time."""

    def __init__(self, database: Database) -> None:
        self._db = database
        database.do(_TABLE)
        self._held = {row["name"]: row for row in database.rows("select * from choice")}
        self.version = 0

    @property
    def delay(self) -> float:
        """Seconds by which spectators see play later."""
        held = self._held.get("delay")
        return float(held["value"]) if held is not None else 0.0

    def delay_spectators(self, seconds: float, person: str, *, now: float) -> None:
        """Spectators see play later by so much from now on."""
        self._put("delay", str(float(seconds)), person, now)

    @property
    def ranking(self) -> Published | None:
        """The ranking that is published; None where none is."""
        held = self._held.get("ranking")
        return None if held is None else Published(held["at"], held["by"], json.loads(held["value"]))

    def publish_ranking(self, body: dict[str, Any], person: str, *, now: float) -> None:
        """Everybody may see this ranking from now on."""
        self._put("ranking", json.dumps(body, ensure_ascii=False), person, now)

    def withdraw_ranking(self) -> None:
        """Hide rankings from visitors without a session."""
        self._drop("ranking")

    @property
    def plan(self) -> dict[str, Any] | None:
        """The movement that was chosen for the session, as it was given; None where none is."""
        held = self._held.get("plan")
        return None if held is None else json.loads(held["value"])

    def choose_plan(self, body: dict[str, Any], person: str, *, now: float) -> None:
        """Choose the movement by which the session is played."""
        self._put("plan", json.dumps(body, ensure_ascii=False), person, now)

    def drop_plan(self) -> None:
        """Drop the movement that was chosen for the session before."""
        self._drop("plan")

    def _drop(self, name: str) -> None:
        self._db.do("delete from choice where name = ?", (name,))
        self._held.pop(name, None)
        self.version += 1

    def keep_final(self, tournament: int, body: dict[str, Any], person: str, *, now: float) -> None:
        """Keep the ranking with which a tournament ended."""
        self._put(f"{_FINAL}{tournament}", json.dumps(body, ensure_ascii=False), person, now)

    def finals(self) -> dict[int, dict[str, Any]]:
        """Return the rankings with which tournaments ended, by their numbers."""
        held = {int(name.removeprefix(_FINAL)): row for name, row in self._held.items() if name.startswith(_FINAL)}
        return {number: json.loads(held[number]["value"]) for number in sorted(held)}

    def post_seating(self, after: int, text: str, person: str, *, now: float) -> None:
        """Keep who sits where after the round of that number, as it was posted."""
        self._put("seating", json.dumps([after, text], ensure_ascii=False), person, now)

    def seating_after(self, round_: Round | None) -> str:
        """Return the seating that was posted after ``round_``; empty if none was."""
        held = self._held.get("seating")
        after, text = (None, "") if held is None else json.loads(held["value"])
        return str(text) if round_ is not None and after == round_.id else ""

    def _put(self, name: str, value: str, person: str, now: float) -> None:
        self._db.do("insert or replace into choice values (?, ?, ?, ?)", (name, value, now, person))
        row = self._db.one("select * from choice where name = ?", (name,))
        assert row is not None  # noqa: S101 - written just now
        self._held[name] = row
        self.version += 1
