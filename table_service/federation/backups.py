"""Backup and restore of the archive by PostgreSQL's own programs, each counted; a restore is rehearsed on request.

A backup is one file of ``pg_dump`` (its custom format) and beside it ``FILE.json`` with the number of rows of every
table in the same snapshot. Accounts of the page are in its own file, which it copies by itself.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from table_service.federation.archive_address import GONE, ArchiveAddress
from table_service.federation.errors import ArchiveAwayError, FederationError, FederationUseError
from table_service.federation.local_postgres import LocalPostgres, find_postgres

_TABLES: Final = (
    "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')"
    " and not relispartition order by 1"
)


@dataclass(frozen=True, slots=True)
class BackupCount:
    """Rows of every table of an archive at one moment."""

    rows: Mapping[str, int]

    @property
    def events(self) -> int:
        """Number of archived events."""
        return self.rows.get("event", 0)

    def differs_from(self, other: BackupCount) -> list[str]:
        """Return a sentence for each table that has other rows in ``other``."""
        names = sorted(self.rows.keys() | other.rows.keys())
        return [
            f"{name}: {self.rows.get(name)} rows, then {other.rows.get(name)}"
            for name in names
            if self.rows.get(name) != other.rows.get(name)
        ]


def back_up(address: ArchiveAddress, file: Path, ca_file: Path | None = None) -> BackupCount:
    """Write a backup to ``file`` while all goes on, and return what is in it. Raises FederationError."""
    part = file.with_name(f"{file.name}.part")
    count = asyncio.run(_dumped(address, part, ca_file))
    _noted(file).write_text(json.dumps({"v": 1, "rows": count.rows}) + "\n", encoding="ascii")
    part.replace(file)
    return count


async def _dumped(address: ArchiveAddress, part: Path, ca_file: Path | None) -> BackupCount:
    """Dump and count in one snapshot: what is written meanwhile is in neither."""
    db = await address.connect()
    try:
        async with db.transaction(isolation="repeatable_read", readonly=True):
            snapshot = await db.fetchval("select pg_export_snapshot()")
            count = await _counted(db)
            if not count.rows:
                raise FederationError("the archive has no tables yet: run 'tavolo federation migrate'")
            arguments = ("-Fc", "--no-owner", "--snapshot", snapshot, "-f", str(part))
            await asyncio.to_thread(_run, "pg_dump", address, ca_file, *arguments)
            return count
    except GONE as error:
        raise ArchiveAwayError(f"{address.place} went away: {error or type(error).__name__}") from None
    finally:
        db.terminate()


def restore(address: ArchiveAddress, file: Path, ca_file: Path | None = None) -> BackupCount:
    """Bring a backup into an empty database and return what it has then.

    Raises FederationUseError if the database is not empty, FederationError if not every row has come.
    """
    if not file.exists():
        raise FederationUseError(f"there is no backup {file}")
    if asyncio.run(_count(address)).rows:
        raise FederationUseError(f"{address.place} has tables already: a backup is restored into an empty database")
    _run(
        "pg_restore", address, ca_file, "--exit-on-error", "--single-transaction", "--no-owner", "-d", address.database,
        str(file),
    )  # fmt: skip
    found = asyncio.run(_count(address))
    noted = _noted(file)
    if noted.exists():
        told = BackupCount(json.loads(noted.read_text("ascii"))["rows"])
        differing = told.differs_from(found)
        if differing:
            raise FederationError(f"the restored archive is not what was backed up: {'; '.join(differing)}")
    return found


def rehearse(file: Path) -> BackupCount:
    """Restore a backup into a PostgreSQL of its own on this machine, which goes afterwards. Raises FederationError."""
    own = LocalPostgres()
    try:
        return restore(own.address, file)
    finally:
        own.stop()


def _noted(file: Path) -> Path:
    return file.with_name(f"{file.name}.json")


async def _count(address: ArchiveAddress) -> BackupCount:
    db = await address.connect()
    try:
        return await _counted(db)
    except GONE as error:
        raise ArchiveAwayError(f"{address.place} went away: {error or type(error).__name__}") from None
    finally:
        db.terminate()


async def _counted(db: Any) -> BackupCount:
    names = [row["relname"] for row in await db.fetch(_TABLES)]
    return BackupCount({name: await db.fetchval(f'select count(*) from "{name}"') for name in names})  # noqa: S608


def _run(program: str, address: ArchiveAddress, ca_file: Path | None, *arguments: str) -> None:
    programs = find_postgres()
    if programs is None:
        raise FederationError("PostgreSQL's programs are not installed on this machine: apt-get install postgresql")
    own = {
        "PGHOST": address.host, "PGPORT": str(address.port), "PGUSER": address.user, "PGDATABASE": address.database,
        "PGPASSWORD": address.password or "", "PGCONNECT_TIMEOUT": "10",
    }  # fmt: skip
    if ca_file is not None:
        own |= {"PGSSLMODE": "verify-full", "PGSSLROOTCERT": str(ca_file)}
    done = subprocess.run(  # noqa: S603
        [programs / program, *arguments], env={**os.environ, **own}, capture_output=True, check=False
    )
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["it says nothing"]
        raise FederationError(f"{program} failed: {lines[0]}")
