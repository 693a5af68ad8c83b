"""State of the archive as its rows say it: by hall what is there, what is missing, who is behind; a search in it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from table_service.events.sequence import count
from table_service.federation.archive_address import ArchiveAddress
from table_service.federation.archive_pool import ArchivePool
from table_service.federation.gap_leader import lacking_boots

SEARCHED: Final = (
    "irregularity", "score.counted", "deal.ended", "round.ended", "referee.called", "sanction.imposed", "warning.given",
)  # fmt: skip
"""Types of events that may be looked for by date; of the others a deal is asked for by its table and boot."""
_HALLS: Final = """
select b.hall, count(distinct b.table_name)::int as tables, count(*)::int as boots,
  (select max(at) from heard h where h.hall = b.hall) as heard,
  (select count(*) from heard h where h.hall = b.hall and h.at > now() - interval '2 minutes')::int as playing
from boot b group by b.hall order by b.hall"""
_WORKERS: Final = """
select name, at, began, taken, archived, repeated, refused, leads and at > now() - make_interval(secs => 10) as leads
from worker where at > now() - interval '1 day' order by name"""
_REFUSALS: Final = "select hall, table_name, reason, times, at from refusal order by at desc limit 100"
_COUNTS: Final = """
select b.hall, count(*)::bigint as n from event e join boot b on b.id = e.boot_id and b.month = e.month group by 1"""
_SIZE: Final = """
select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint from pg_inherits
where inhparent = 'event'::regclass"""
_DEAL: Final = """
select b.hall, b.table_name, e.body from event e join boot b on b.id = e.boot_id and b.month = e.month
where b.hall = $1 and b.table_name = $2 and b.boot = $3 and ($4::int is null or e.deal = $4) order by e.seq limit $5"""
ROW: Final = """substring(e.body from '"row":"([^"]{1,12})"')"""
"""The catalogue row that an irregularity names, as the index ``event_of_row`` has it."""
_OF_ROW: Final = "e.type = 'irregularity' and " + ROW.replace("{1,12}", "{{1,12}}") + " = {}"
_SAT: Final = """ join (
select t.hall, s.table_name, s.began, s.ended from player p join seated s using (tournament, entry)
join tournament t on t.id = p.tournament where p.member = {member}) sat
on sat.hall = b.hall and sat.table_name = b.table_name and e.time >= sat.began and e.time < sat.ended"""


@dataclass(frozen=True, slots=True)
class HallStanding:
    """One hall in the archive. ``missing``: events that its tables have and the archive has not; ``gone``: for good."""

    hall: str
    tables: int
    boots: int
    heard: datetime | None
    missing: int
    missing_tables: tuple[str, ...]
    events: int | None = None
    playing: int = 0
    """Tables of which something was archived in the last two minutes."""


@dataclass(frozen=True, slots=True)
class ArchiveStanding:
    """State of the whole archive."""

    halls: tuple[HallStanding, ...]
    workers: tuple[dict[str, Any], ...]
    refusals: tuple[dict[str, Any], ...]
    bytes: int

    @property
    def missing(self) -> int:
        """Number of events that are missing in all halls."""
        return sum(one.missing for one in self.halls)

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        told: dict[str, Any] = json.loads(json.dumps(asdict(self), default=str))
        return {"missing": self.missing, **told}


@dataclass(frozen=True, slots=True)
class ArchiveSearch:
    """A question to the archive: a type, or a deal of a table; ``since`` and ``until`` bound the event's own time.

    ``halls``: only of these, None for all; ``row``: irregularities of that catalogue row; ``member``: only of tables
    while that member sat there, as the results of tournaments say.
    """

    type: str = ""
    hall: str | None = None
    table: str | None = None
    boot: str | None = None
    deal: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    limit: int = 100
    halls: tuple[str, ...] | None = None
    row: str | None = None
    member: str | None = None

    def query(self) -> tuple[str, list[object]]:
        """Return the statement and its values; one of a table's boot goes by the key, else by type and time."""
        if self.hall is not None and self.table is not None and self.boot is not None:
            return _DEAL, [self.hall, self.table, self.boot, self.deal, self.limit]
        values: list[object] = []
        # Spelled out, not a value: so PostgreSQL sees that the partial indexes hold it, and knows how many there are.
        conditions = [f"e.type = '{self.type}'" if self.type in SEARCHED else "false"]
        joined, own = "", "b.id = e.boot_id"
        if self.hall is not None or self.halls is not None:
            own += " and b.month = e.month"  # few boots: only their months' partitions are read
        if self.member is not None:
            values.append(self.member)
            joined = _SAT.format(member=f"${len(values)}")
        for condition, value in (
            ("b.hall = {}", self.hall), ("b.hall = any({}::text[])", None if self.halls is None else list(self.halls)),
            ("b.table_name = {}", self.table), ("e.time >= {}", self.since), ("e.time < {}", self.until),
            ("e.deal = {}", self.deal), (_OF_ROW, self.row),
        ):  # fmt: skip
            if value is not None:
                values.append(value)
                conditions.append(condition.format(f"${len(values)}"))
        values.append(self.limit)
        return (
            f"select b.hall, b.table_name, e.body from event e join boot b on {own}{joined}"  # noqa: S608 - ours
            f" where {' and '.join(conditions)} order by e.time desc limit ${len(values)}"
        ), values


async def standing(address: ArchiveAddress, *, counted: bool = False) -> ArchiveStanding:
    """Return the state of the archive; ``counted``: with the number of events, which reads them all.

    Raises ArchiveAwayError, FederationError where there are no tables.
    """
    async with ArchivePool(address) as pool:
        return await standing_of(pool, counted=counted)


async def standing_of(pool: ArchivePool, *, counted: bool = False) -> ArchiveStanding:
    """Return the same by connections that are open. Raises ArchiveAwayError, FederationError."""
    async with pool.connection() as db:
        missing: dict[str, dict[str, int]] = {}
        for one in await lacking_boots(db, 1_000_000):
            lacks = count(one.missing())
            if lacks:
                tables = missing.setdefault(one.hall, {})
                tables[one.table] = tables.get(one.table, 0) + lacks
        events = {row["hall"]: row["n"] for row in await db.fetch(_COUNTS)} if counted else {}
        halls = tuple(
            HallStanding(
                row["hall"], row["tables"], row["boots"], row["heard"], sum(missing.get(row["hall"], {}).values()),
                tuple(sorted(missing.get(row["hall"], {}))), events.get(row["hall"], 0) if counted else None,
                row["playing"],
            )
            for row in await db.fetch(_HALLS)
        )  # fmt: skip
        workers = tuple(map(dict, await db.fetch(_WORKERS)))
        refusals = tuple(map(dict, await db.fetch(_REFUSALS)))
        return ArchiveStanding(halls, workers, refusals, await db.fetchval(_SIZE))


async def search(address: ArchiveAddress, asked: ArchiveSearch) -> list[dict[str, Any]]:
    """Return the events that are looked for, the newest first (of a deal: in its order), each with its hall.

    Raises ArchiveAwayError, FederationError.
    """
    async with ArchivePool(address) as pool:
        return await found_in(pool, asked)


async def found_in(pool: ArchivePool, asked: ArchiveSearch) -> list[dict[str, Any]]:
    """Return the same by connections that are open. Raises ArchiveAwayError, FederationError."""
    query, values = asked.query()
    return [{"hall": row["hall"], "event": json.loads(row["body"])} for row in await pool.rows(query, *values)]
