"""Time of searches in an archive of years, each asked as a page asks it.

``python tools/federation_years.py [--rows N] [--halls N] [--json OUT]`` starts PostgreSQL of its own and fills 24
months: each hall has a boot a month at one of three tables, which says a recorded round and three irregularities. Then
it asks the page's questions, each five times on connections of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from table_service.federation.archive_pool import ArchivePool  # noqa: E402
from table_service.federation.archive_status import ArchiveSearch, found_in  # noqa: E402
from table_service.federation.local_postgres import LocalPostgres  # noqa: E402
from table_service.federation.migrating import migrate  # noqa: E402
from table_service.federation.recorded_table import recorded_events  # noqa: E402

MONTHS: Final = 24
TIMES: Final = 5
ROWS_OF_CATALOGUE: Final = 60
_SIGNATURE: Final = "0123456789abcdef." + "A" * 96
_MONTHS: Final = "generate_series(date '2024-01-01', date '2024-01-01' + interval '23 months', interval '1 month')"
_PARTITIONS: Final = """
do $$ declare m date; begin for m in select d::date from {months} d loop
execute format('create table event_%s partition of event for values from (%L) to (%L)',
  to_char(m, 'YYYY_MM'), m, (m + interval '1 month')::date); end loop; end $$"""
_BOOTS: Final = """
insert into boot (hall, table_name, boot, month, told_last, whole_through)
select 'hall' || h, 'T' || 1 + (h + round + extract(month from d)::int) % 3,
  lpad(to_hex(row_number() over ()), 6, '0'), d::date, 0, 0
from {months} d, generate_series(1, $1::int) h, generate_series(1, $2::int) round"""
_EVENTS: Final = """
insert into event select b.month, b.id, s.seq, s.deal, s.t, at.at, s.type, replace(replace(s.body,
  '@row', 'F-' || lpad((1 + (abs(hashint8(b.id)::bigint) + s.seq) % $1::int)::text, 2, '0')), '@time', at.at::text)
from boot b cross join said s,
  lateral (select b.month + (b.id * 7919 % 2300000 + s.seq * 3) * interval '1 second' as at) at where b.month = $2
order by b.id, s.seq"""
_PLAYED: Final = """
with one as (insert into tournament (hall, name, began, circuit, level, sent_by)
  select 'hall' || h, 'T', d, null, '', 'bench' from generate_series(1, $1::int) h, {months} d returning id, began),
entries as (insert into ranked_entry select id, n, n from one, generate_series(1, 12) n returning tournament, entry),
people as (insert into player select tournament, entry, 1, 'P', (1 + (tournament * 12 + entry) * 31 % 40000)::text
  from entries)
insert into seated select tournament, entry, 'T' || 1 + entry % 3, 'NS', one.began, one.began + interval '28 days'
from entries join one on one.id = tournament"""


def said() -> list[tuple[int, int | None, float | None, str, str]]:
    """Return a recorded round and three irregularities as rows: number, deal, t, type, body."""
    told = [{k: v for k, v in one.items() if k not in ("secret", "late")} for one in recorded_events(1, 2)]
    fault = {**told[-1], "type": "irregularity", "data": {"key": "k", "row": "@row", "state": "open"}}
    rows = []
    for seq, one in enumerate([*told, fault, fault, fault], start=1):
        whole = {**one, "seq": seq, "time": "@time", "signature": _SIGNATURE}
        body = json.dumps(whole, separators=(",", ":"), ensure_ascii=False)
        rows.append((seq, one.get("deal"), one.get("t"), str(one["type"]), body))
    return rows


async def fill(pool: ArchivePool, rows: int, halls: int) -> None:
    """Fill the archive with some ``rows`` events."""
    events = said()
    rounds = max(1, round(rows / (len(events) * halls * MONTHS)))
    async with pool.connection() as db:
        await db.execute("create table said (seq int, deal int, t float8, type text, body text)")
        await db.copy_records_to_table("said", records=events)
        await db.execute(_PARTITIONS.format(months=_MONTHS))
        await db.execute(_BOOTS.format(months=_MONTHS), halls, rounds, timeout=300)
        for month in await db.fetch("select distinct month from boot order by 1"):
            await db.execute(_EVENTS, ROWS_OF_CATALOGUE, month["month"], timeout=300)
        await db.execute(_PLAYED.format(months=_MONTHS), halls, timeout=300)
        await db.execute("analyze", timeout=300)


def questions(member: str) -> dict[str, ArchiveSearch]:
    """Return what a page is asked."""
    page: dict[str, Any] = {"limit": 51}
    then, after = datetime(2024, 5, 1, tzinfo=UTC), datetime(2024, 6, 1, tzinfo=UTC)
    irregular = "irregularity"
    return {
        "irregularities of all halls, newest": ArchiveSearch(irregular, **page),
        "irregularities of one hall": ArchiveSearch(irregular, hall="hall17", **page),
        "irregularities of three halls": ArchiveSearch(irregular, halls=("hall5", "hall7", "hall9"), **page),
        "irregularities of one row": ArchiveSearch(irregular, row="F-07", **page),
        "one row in one hall": ArchiveSearch(irregular, row="F-07", hall="hall17", **page),
        "a row that never was": ArchiveSearch(irregular, row="F-99", **page),
        "scores of one table": ArchiveSearch("score.counted", hall="hall17", table="T2", **page),
        "scores of one month, years ago": ArchiveSearch("score.counted", since=then, until=after, **page),
        "a type that a hall never said": ArchiveSearch("sanction.imposed", hall="hall17", **page),
        "a hall that is none": ArchiveSearch(irregular, hall="nowhere", **page),
        "irregularities while a member sat there": ArchiveSearch(irregular, member=member, **page),
        "scores of a table in a member's tournaments": ArchiveSearch("score.counted", member=member, **page),
        "scores of all, as a file of 20 000": ArchiveSearch("score.counted", limit=20_000),
    }


async def measure(postgres: LocalPostgres, rows: int, halls: int) -> dict[str, Any]:
    """Fill, and time each question."""
    async with ArchivePool(postgres.address) as pool:
        began = time.perf_counter()
        await fill(pool, rows, halls)
        found: dict[str, Any] = {
            "rows": await pool.value("select count(*) from event"),
            "boots": await pool.value("select count(*) from boot"),
            "halls": halls,
            "months": MONTHS,
            "filled_s": round(time.perf_counter() - began),
        }
        member = await pool.value("select member from player group by 1 order by count(*) desc limit 1")
        boot = await pool.one("select hall, table_name, boot from boot where hall = 'hall17' and month = '2024-05-01'")
        asked = questions(member)
        asked["one deal"] = ArchiveSearch(
            hall="hall17", table=boot["table_name"], boot=boot["boot"], deal=1, limit=1000
        )
    longest: dict[str, tuple[int, float, float]] = {}
    for name, one in asked.items():
        took = []
        async with ArchivePool(postgres.address) as pool:
            for _ in range(TIMES):
                before = time.perf_counter()
                lines = await found_in(pool, one)
                took.append(time.perf_counter() - before)
        longest[name] = (len(lines), round(took[0], 3), round(sorted(took)[TIMES // 2], 3))
    found["lines, seconds of the first with its connection, median of 5"] = longest
    return found


def main() -> None:
    """Measure, and print the figures as JSON."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--rows", type=int, default=2_000_000)
    asked.add_argument("--halls", type=int, default=300)
    asked.add_argument("--json", type=Path)
    told = asked.parse_args()
    postgres = LocalPostgres()
    try:
        migrate(postgres.address)
        found = asyncio.run(measure(postgres, told.rows, told.halls))
    finally:
        postgres.stop()
    text = json.dumps(found, indent=1)
    if told.json is not None:
        told.json.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
