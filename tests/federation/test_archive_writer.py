"""The archive has each event once, however often it comes, in whatever order, from however many writers."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from table_service.federation.archive_status import ArchiveSearch, search, standing
from table_service.federation.archive_writer import ArchiveWriter
from table_service.federation.errors import ArchiveAwayError, FederationUseError, RowRefusedError
from table_service.federation.local_postgres import LocalPostgres
from table_service.federation.migrating import migrate, newest_revision
from table_service.federation.verified_events import ArchivedEvent, VerifiedBatch

MAY = datetime(2026, 5, 17, 20, 0, tzinfo=UTC)


def event(seq: int, *, hall: str = "bologna", table: str = "T1", boot: str = "00000a", **more: Any) -> ArchivedEvent:
    made = ArchivedEvent(hall, table, boot, seq, "card.drawn", 1, seq * 1.5, MAY, f'{{"seq":{seq}}}')
    return replace(made, **more)


async def keys(postgres: LocalPostgres, hall: str) -> list[tuple[str, str, int]]:
    """All rows of a hall, doubled ones twice."""
    db = await postgres.address.connect()
    rows = await db.fetch(
        "select table_name, boot, seq from event join boot on boot.id = boot_id where hall = $1 order by 1, 2, 3", hall
    )
    await db.close()
    return [tuple(row) for row in rows]


async def test_an_event_that_comes_again_is_no_second_row_even_in_another_month(postgres: LocalPostgres) -> None:
    writer = ArchiveWriter(postgres.address)
    first = VerifiedBatch([event(1, hall="once"), event(2, hall="once"), event(1, hall="once")])
    assert await writer.write(first) == 2
    other_month = event(1, hall="once", time=datetime(2026, 8, 1, tzinfo=UTC))
    assert await ArchiveWriter(postgres.address).write(VerifiedBatch([other_month, event(3, hall="once")])) == 1
    assert await keys(postgres, "once") == [("T1", "00000a", 1), ("T1", "00000a", 2), ("T1", "00000a", 3)]
    await writer.close()


async def test_writers_of_the_same_events_at_the_same_time_neither_double_nor_block_each_other(
    postgres: LocalPostgres,
) -> None:
    chance = random.Random(7)
    events = [event(seq, hall="many", table=f"T{n}", boot=f"00000{n}") for n in range(4) for seq in range(1, 101)]

    async def write() -> int:
        writer, new = ArchiveWriter(postgres.address), 0
        mixed = chance.sample(events, len(events))
        for at in range(0, len(mixed), 50):
            new += await writer.write(VerifiedBatch(mixed[at : at + 50]))
        await writer.close()
        return new

    assert sum(await asyncio.gather(*(write() for _ in range(4)))) == len(events)
    assert len(await keys(postgres, "many")) == len(events)


async def test_a_boot_is_kept_whole_in_the_month_of_its_first_event(postgres: LocalPostgres) -> None:
    writer = ArchiveWriter(postgres.address)
    late = datetime(2026, 6, 1, 0, 5, tzinfo=UTC)
    await writer.write(VerifiedBatch([event(1, hall="month", time=datetime(2026, 5, 31, 23, tzinfo=UTC))]))
    await writer.write(VerifiedBatch([event(2, hall="month", time=late)]))
    db = await postgres.address.connect()
    rows = await db.fetch(
        "select e.tableoid::regclass::text from event e join boot on boot.id = boot_id where hall = 'month'"
    )
    assert [row[0] for row in rows] == ["event_2026_05"] * 2
    await db.close()
    await writer.close()


async def test_the_standing_names_what_journals_have_and_the_archive_has_not(postgres: LocalPostgres) -> None:
    writer = ArchiveWriter(postgres.address)
    rows = [event(seq, hall="lacks") for seq in (1, 2, 5)]
    told = {("lacks", "T1", "00000a"): (8, MAY.isoformat()), ("lacks", "T2", "00000b"): (3, "")}
    await writer.write(VerifiedBatch(rows, told, [("lacks", "T1", ("00000a", 7, 7))]))
    found = await standing(postgres.address, counted=True)
    (hall,) = [one for one in found.halls if one.hall == "lacks"]
    assert (hall.missing, hall.missing_tables, hall.events) == (len((3, 4, 6, 8)) + 3, ("T1", "T2"), 3)
    assert (await standing(postgres.address)).halls[0].events is None
    await writer.close()


async def test_a_row_that_postgresql_never_takes_is_told_apart_from_an_archive_that_is_away(
    postgres: LocalPostgres,
) -> None:
    writer = ArchiveWriter(postgres.address)
    with pytest.raises(RowRefusedError):
        await writer.write(VerifiedBatch([event(1, hall="bad", body="a\0b")]))
    assert await writer.write(VerifiedBatch([event(1, hall="bad")])) == 1
    away = ArchiveWriter(replace(postgres.address, port=1))
    with pytest.raises(ArchiveAwayError, match="is not reached"):
        await away.write(VerifiedBatch([event(1)]))
    await writer.close()


async def test_what_is_looked_for_is_found_with_its_hall_the_newest_first(postgres: LocalPostgres) -> None:
    writer = ArchiveWriter(postgres.address)
    ruled = [
        event(seq, hall="found", type="irregularity", time=datetime(2026, month, 3, tzinfo=UTC), deal=seq)
        for seq, month in ((1, 3), (2, 5), (3, 9))
    ]
    await writer.write(VerifiedBatch([*ruled, event(4, hall="found", deal=2)]))

    async def numbers(**asked: Any) -> list[int]:
        return [one["event"]["seq"] for one in await search(postgres.address, ArchiveSearch(hall="found", **asked))]

    assert await numbers(type="irregularity") == [3, 2, 1]
    assert await numbers(type="irregularity", since=datetime(2026, 5, 1, tzinfo=UTC), limit=1) == [3]
    assert await numbers(type="irregularity", until=datetime(2026, 5, 1, tzinfo=UTC)) == [1]
    assert await numbers(table="T1", boot="00000a", deal=2) == [2, 4]
    assert await numbers(table="T1", boot="00000b") == []
    await writer.close()


def test_the_tables_go_back_and_forward_again() -> None:
    from table_service.federation.local_postgres import find_postgres

    if find_postgres() is None:
        pytest.skip("PostgreSQL is not installed")
    own = LocalPostgres()
    try:
        assert migrate(own.address) == newest_revision() != ""
        assert migrate(own.address) == newest_revision()
        with pytest.raises(FederationUseError, match="no revision 'nowhere'"):
            migrate(own.address, "nowhere")
        assert migrate(own.address, "base") == ""
        assert migrate(own.address, "head") == newest_revision()
        assert asyncio.run(ArchiveWriter(own.address).revision()) == newest_revision()
    finally:
        own.stop()
