"""Of all workers one looks for gaps; it asks tables that are there, for what they have and the archive has not."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from table_service.federation.archive_writer import ArchiveWriter
from table_service.federation.gap_leader import GapLeader, lacking_boots
from table_service.federation.local_postgres import LocalPostgres
from table_service.federation.verified_events import ArchivedEvent, VerifiedBatch

READY = b'{"state":"ready"}'
BOOT = "00000a"


class Bench:
    """An archive, a leader with a clock of its own, and what it asked."""

    def __init__(self, postgres: LocalPostgres, hall: str) -> None:
        self.asked: list[tuple[str, list[list[Any]]]] = []
        self.hall, self.now = hall, 100.0
        self.writer = ArchiveWriter(postgres.address)
        self.leader = GapLeader(postgres.address, self._ask, lambda: self.now)

    def _ask(self, topic: str, question: bytes) -> None:
        self.asked.append((topic, json.loads(question)["want"]))

    async def write(self, *seqs: int, told: int = 0, gone: tuple[int, int] | None = None, table: str = "T1") -> None:
        moment = datetime(2026, 5, 1, tzinfo=UTC)
        rows = [ArchivedEvent(self.hall, table, BOOT, n, "card.drawn", 1, 1.0, moment, "{}") for n in seqs]
        lost = [(self.hall, table, (BOOT, *gone))] if gone else []
        await self.writer.write(VerifiedBatch(rows, {(self.hall, table, BOOT): (told, "")} if told else {}, lost))

    async def look(self, times: int = 1) -> list[tuple[str, list[list[Any]]]]:
        """Look ``times`` times, 2.5 s apart, and return what was asked."""
        self.asked.clear()
        for _ in range(times):
            self.now += 2.5
            assert await self.leader.tick()
        return list(self.asked)

    async def close(self) -> None:
        await self.leader.close()
        await self.writer.close()


async def test_a_gap_that_stays_is_asked_for_and_once_it_is_filled_no_more(postgres: LocalPostgres) -> None:
    bench = Bench(postgres, "asks")
    await bench.write(1, 2, 5, told=8)
    bench.leader.heard_status("asks", "T1", READY)
    assert await bench.look() == [], "it may still be under way"
    assert await bench.look(2) == [("tavolo/v1/asks/T1/resend", [[BOOT, 3, 4], [BOOT, 6, 8]])]
    await bench.write(3, 4, 6)
    await bench.write(gone=(7, 8))
    assert await bench.look(3) == []
    db = await postgres.address.connect()
    assert await db.fetchval("select whole_through from boot where hall = 'asks'") == 8
    assert not [one for one in await lacking_boots(db) if one.hall == "asks"]
    await db.close()
    await bench.close()


async def test_a_table_that_is_away_or_whose_line_is_cut_is_asked_when_it_is_back(postgres: LocalPostgres) -> None:
    bench = Bench(postgres, "away")
    await bench.write(1, told=4)
    assert await bench.look(4) == [], "nobody said that it is there"
    bench.leader.heard_status("away", "T1", READY)
    bench.leader.heard_state("away", there=False)
    assert await bench.look(2) == []
    bench.leader.heard_state("away", there=True)
    assert len(await bench.look(2)) == 1
    bench.leader.heard_status("away", "T1", b'{"state":"lost"}')
    assert await bench.look(20) == []
    bench.leader.heard_status("away", "T1", b"no JSON")
    bench.leader.heard_status("away", "T1", READY)
    assert len(await bench.look(2)) == 1
    await bench.close()


async def test_tables_that_do_not_answer_keep_no_other_waiting(postgres: LocalPostgres) -> None:
    bench = Bench(postgres, "silent")
    for number in range(9):
        await bench.write(1, told=3, table=f"T{number}")
        bench.leader.heard_status("silent", f"T{number}", READY)
    asked = [topic for topic, _ in await bench.look(20)]
    assert len(set(asked)) == 9
    await bench.close()


async def test_what_comes_by_itself_is_not_asked_for(postgres: LocalPostgres) -> None:
    bench = Bench(postgres, "comes")
    bench.leader.heard_status("comes", "T1", READY)
    await bench.write(1, told=60)
    await bench.look()
    for first in range(2, 50, 8):
        await bench.write(*range(first, first + 8))
        assert await bench.look() == []
    assert len(await bench.look(3)) == 1
    await bench.close()


async def test_one_leads_and_another_takes_the_lead_when_it_ends(postgres: LocalPostgres) -> None:
    first, second = Bench(postgres, "leads"), Bench(postgres, "leads")
    assert await first.leader.tick()
    assert not await second.leader.tick()
    await first.leader.close()
    for _ in range(100):  # PostgreSQL frees the lock once it has noticed
        if await second.leader.tick():
            break
    assert second.leader.leads
    await first.close()
    await second.close()
