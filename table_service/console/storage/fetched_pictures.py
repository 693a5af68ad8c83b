"""Pictures that the console has fetched, and what tables said of those that there are; each checked by its hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from table_service.console.storage.database import Database

PICTURES_MOST: Final = 600
_PICTURE: Final = """
create table if not exists picture (
  place text not null, ref text not null, sha256 text not null, at real not null, jpeg blob not null,
  primary key (place, ref))"""
_PICTURED: Final = """
create table if not exists pictured (
  place text not null, boot text not null, key text not null, at real not null, body text not null,
  primary key (place, boot, key))"""
_OLD: Final = "delete from picture where rowid in (select rowid from picture order by at desc limit -1 offset ?)"


class PictureBook:
    """The pictures of all tables, in the console's file."""

    def __init__(self, database: Database) -> None:
        self._db = database
        for table in (_PICTURE, _PICTURED):
            database.do(table)

    def keep_listing(self, place: str, key: str, document: Mapping[str, Any], *, now: float) -> None:
        """Keep which pictures of an irregularity there are, as a table says."""
        body = json.dumps(document, ensure_ascii=False)
        self._db.later(
            "insert or replace into pictured values (?, ?, ?, ?, ?)",
            (place, str(document.get("boot") or ""), key, now, body),
        )

    def keep(self, place: str, ref: str, sha256: str, jpeg: bytes, *, now: float) -> None:
        """Keep a picture whose hash is right; the oldest make room."""
        self._db.later("insert or replace into picture values (?, ?, ?, ?, ?)", (place, ref, sha256, now, jpeg))
        self._db.later(_OLD, (PICTURES_MOST,))

    def places(self) -> list[str]:
        """Every table of which something is kept."""
        return [row["place"] for row in self._db.rows("select distinct place from pictured")]

    def latest(self, place: str) -> dict[str, dict[str, Any]]:
        """Return what a table said last of the pictures of each irregularity, by its key."""
        rows = self._db.rows("select key, body from pictured where place = ? order by at", (place,))
        return {row["key"]: json.loads(row["body"]) for row in rows}

    def about(self, place: str, boot: str, key: str) -> dict[str, Any] | None:
        """Return what a table said last of the pictures of an irregularity of that boot."""
        sql = "select body from pictured where place = ? and boot = ? and key = ?"
        row = self._db.one(sql, (place, boot, key))
        return None if row is None else dict(json.loads(row["body"]))

    def refs(self, place: str) -> frozenset[str]:
        """Return the references of all pictures of a table that are kept."""
        return frozenset(row["ref"] for row in self._db.rows("select ref from picture where place = ?", (place,)))

    def picture(self, place: str, ref: str) -> bytes | None:
        """Return a picture; None if absent, or if it is not what was kept."""
        row = self._db.one("select jpeg, sha256 from picture where place = ? and ref = ?", (place, ref))
        if row is None or hashlib.sha256(bytes(row["jpeg"])).hexdigest() != row["sha256"]:
            return None
        return bytes(row["jpeg"])
