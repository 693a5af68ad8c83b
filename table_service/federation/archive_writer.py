"""Writes verified events into PostgreSQL so that each is there once, however often it comes and whoever writes it.

COPY into a temporary table, then INSERT … ON CONFLICT DO NOTHING, in one transaction. All programs insert in the same
order, so that none waits for another in a circle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final

import asyncpg

from table_service.federation.archive_address import GONE, ArchiveAddress
from table_service.federation.errors import ArchiveAwayError, RowRefusedError
from table_service.federation.verified_events import ArchivedEvent, BootKey, VerifiedBatch, month_of

COLUMNS: Final = ("month", "boot_id", "seq", "deal", "t", "time", "type", "body")
REFUSED: Final = (asyncpg.DataError, asyncpg.ProgramLimitExceededError, ValueError, OverflowError)
"""Errors that lie in what is written: another try does not help."""
BOOTS_KNOWN: Final = 100_000
"""Boots whose place in the archive is held in memory."""
_PARTITION_LOCK: Final = 0x7461766F02
_STAGE: Final = (
    "create temporary table if not exists incoming (month date, boot_id bigint, seq int, deal int, t float8,"
    " time timestamptz, type text, body text) on commit delete rows"
)
_INSERT: Final = (
    "insert into event (month, boot_id, seq, deal, t, time, type, body)"
    " select month, boot_id, seq, deal, t, time, type, body from incoming order by month, boot_id, seq"
    " on conflict do nothing"
)
_BOOTS: Final = (
    "insert into boot (hall, table_name, boot, month)"
    " select * from unnest($1::text[], $2::text[], $3::text[], $4::date[]) order by 1, 2, 3 on conflict do nothing"
)
_FIND: Final = (
    "select b.hall, b.table_name, b.boot, b.id, b.month from boot b"
    " join unnest($1::text[], $2::text[], $3::text[]) as asked (hall, table_name, boot)"
    " using (hall, table_name, boot)"
)
_TOLD: Final = (
    "update boot set told_last = asked.last from (select * from unnest($1::bigint[], $2::int[]) as a (id, last)"
    " order by id) asked where boot.id = asked.id and boot.told_last < asked.last"
)
_GONE: Final = "insert into gone (boot_id, first, last) values ($1, $2, $3) on conflict do nothing"
_CERTIFICATE: Final = (
    "insert into certificate (hall, table_name, serial, pem, authority) values ($1, $2, $3, $4, $5)"
    " on conflict do nothing"
)
_HEARD: Final = (
    "insert into heard (hall, table_name, at) select * from unnest($1::text[], $2::text[], $3::timestamptz[])"
    " order by 1, 2 on conflict (hall, table_name) do update set at = greatest(heard.at, excluded.at)"
)
_REFUSED: Final = (
    "insert into refusal (hall, table_name, reason, times, at) values ($1, $2, $3, $4, now())"
    " on conflict (hall, table_name, reason) do update set times = refusal.times + excluded.times, at = now()"
)
_WORKER: Final = (
    "insert into worker (name, at, began, taken, archived, repeated, refused, leads)"
    " values ($1, now(), $2, $3, $4, $5, $6, $7) on conflict (name) do update set at = now(), began = $2,"
    " taken = $3, archived = $4, repeated = $5, refused = $6, leads = $7"
)


@dataclass(slots=True)
class WorkerCounts:
    """Numbers of one worker since it began. ``repeated``: events that the archive had already."""

    began: datetime
    taken: int = 0
    archived: int = 0
    repeated: int = 0
    refused: int = 0
    leads: bool = False


class ArchiveWriter:
    """One connection that writes. A batch is written whole or not at all; a part of it that is there stays as it is."""

    def __init__(self, address: ArchiveAddress) -> None:
        self._address = address
        self._db: Any = None
        self._boots: dict[BootKey, tuple[int, date]] = {}
        self._months: set[date] = set()

    async def write(self, batch: VerifiedBatch) -> int:
        """Write ``batch`` and return how many of its events are new.

        Raises ArchiveAwayError: nothing may have been written; the same batch may be written again at any time.
        RowRefusedError: nothing was written, and the same batch will be refused again.
        """
        try:
            return await self._write(batch)
        except REFUSED as error:
            raise RowRefusedError(f"{self._address.place} refuses a row: {error}") from None
        except (*GONE, asyncpg.PostgresError) as error:
            await self.close()
            raise ArchiveAwayError(f"{self._address.place} went away: {error or type(error).__name__}") from None

    async def _write(self, batch: VerifiedBatch) -> int:
        db = await self._opened()
        await self._place_boots(db, batch)
        rows = [self._row(event) for event in batch.events]
        async with db.transaction():
            new = 0
            if rows:
                await db.copy_records_to_table("incoming", records=rows, columns=COLUMNS)
                new = int(str(await db.execute(_INSERT)).rpartition(" ")[2])
            if batch.told:
                told = sorted((self._boots[key][0], last) for key, (last, _) in batch.told.items())
                await db.execute(_TOLD, [one for one, _ in told], [last for _, last in told])
            if batch.gone:
                gone = ((self._boots[hall, table, run[0]][0], run[1], run[2]) for hall, table, run in batch.gone)
                await db.executemany(_GONE, sorted(gone))
            if batch.certificates:
                shown = ((*key, *pems) for key, pems in sorted(batch.certificates.items()))
                await db.executemany(_CERTIFICATE, list(shown))
            if batch.heard:
                halls, tables = zip(*batch.heard, strict=True)
                await db.execute(_HEARD, halls, tables, list(batch.heard.values()))
            if batch.refused:
                await db.executemany(_REFUSED, sorted((*key, times) for key, times in batch.refused.items()))
        return new

    def _row(self, event: ArchivedEvent) -> tuple[object, ...]:
        number, month = self._boots[event.boot_key]
        return (month, number, event.seq, event.deal, event.t, event.time, event.type, event.body)

    async def _opened(self) -> Any:
        if self._db is None or self._db.is_closed():
            self._db = await self._address.connect()
            await self._db.execute(_STAGE)
        return self._db

    async def _place_boots(self, db: Any, batch: VerifiedBatch) -> None:
        """Learn the number and month of every boot that is named; new ones are made, and their month's partition."""
        named = batch.boots()
        wanted = {key: month_of(moment) for key, moment in named.items() if key not in self._boots}
        if wanted:
            if len(self._boots) > BOOTS_KNOWN:
                self._boots = {key: self._boots[key] for key in named if key in self._boots}
            halls, tables, boots = zip(*wanted, strict=True)
            await db.execute(_BOOTS, halls, tables, boots, list(wanted.values()))
            for row in await db.fetch(_FIND, halls, tables, boots):
                self._boots[row["hall"], row["table_name"], row["boot"]] = (row["id"], row["month"])
        for month in {self._boots[key][1] for key in named} - self._months:
            await self._make_partition(db, month)
            self._months.add(month)

    @staticmethod
    async def _make_partition(db: Any, month: date) -> None:
        after = date(month.year + month.month // 12, month.month % 12 + 1, 1)
        async with db.transaction():
            await db.execute("select pg_advisory_xact_lock($1)", _PARTITION_LOCK)
            await db.execute(
                f"create table if not exists event_{month:%Y_%m} partition of event"
                f" for values from ('{month}') to ('{after}')"
            )

    async def report(self, name: str, counts: WorkerCounts) -> None:
        """Note a worker's numbers. Raises ArchiveAwayError."""
        try:
            db = await self._opened()
            await db.execute(
                _WORKER, name, counts.began, counts.taken, counts.archived, counts.repeated, counts.refused,
                counts.leads,
            )  # fmt: skip
        except (*GONE, asyncpg.PostgresError) as error:
            await self.close()
            raise ArchiveAwayError(f"{self._address.place} went away: {error or type(error).__name__}") from None

    async def revision(self) -> str:
        """Return the revision of the archive's tables; empty where there are none. Raises ArchiveAwayError."""
        try:
            db = await self._opened()
            found: str = await db.fetchval("select coalesce(max(version_num), '') from alembic_version")
        except asyncpg.UndefinedTableError:
            return ""
        except (*GONE, asyncpg.PostgresError) as error:
            await self.close()
            raise ArchiveAwayError(f"{self._address.place} went away: {error or type(error).__name__}") from None
        return found

    async def close(self) -> None:
        """End the connection, whatever its state."""
        if self._db is not None:
            self._db.terminate()
            self._db = None


def halves(batch: VerifiedBatch) -> Sequence[VerifiedBatch]:
    """Return ``batch`` in two parts, for one that PostgreSQL refuses: at last the event that it refuses is alone."""
    middle = len(batch.events) // 2
    return (
        replace(batch, events=batch.events[:middle]),
        VerifiedBatch(batch.events[middle:]),
    )
