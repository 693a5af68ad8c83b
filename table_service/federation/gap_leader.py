"""Looks for events that the archive lacks, and has the tables asked for them; of all workers one does so at a time.

What a table has is what its journal tells (``told_last``); what the archive has is in its rows. The worker that holds
PostgreSQL's advisory lock leads; when it dies the lock is free.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import asyncpg

from table_service.console.missing_events import GapDesk, TableGaps
from table_service.events.sequence import Extent, ReceivedEvents, Run, common, count
from table_service.events.topics import Topics
from table_service.federation.archive_address import GONE, ArchiveAddress
from table_service.federation.errors import ArchiveAwayError

BOOTS_AT_ONCE: Final = 2000
"""Most boots that are looked at in one go; where more lack something they take turns by chance."""
_LOCK: Final = 0x7461766F03
_LACKING: Final = (
    "select id, month, hall, table_name, boot, told_last, whole_through from boot"
    " where told_last > whole_through order by random() limit $1"
)
_RUNS: Final = """
select boot_id, min(seq) as first, max(seq) as last from (
  select e.boot_id, e.seq, e.seq - row_number() over (partition by e.boot_id order by e.seq) as run
  from unnest($1::date[], $2::bigint[], $3::int[]) as asked (month, id, whole)
  join event e on e.month = asked.month and e.boot_id = asked.id and e.seq > asked.whole) numbered
group by boot_id, run"""
_GONE: Final = "select boot_id, first, last from gone where boot_id = any($1::bigint[])"
_WHOLE: Final = (
    "update boot set whole_through = asked.whole from (select * from unnest($1::bigint[], $2::int[]) as a (id, whole)"
    " order by id) asked where boot.id = asked.id and boot.whole_through < asked.whole"
)


@dataclass(slots=True)
class LackingBoot:
    """A boot of which the archive has less than its table. ``runs``: what is there or gone for good."""

    id: int
    hall: str
    table: str
    boot: str
    told_last: int
    whole_through: int
    runs: list[tuple[int, int]] = field(default_factory=list)

    @property
    def received(self) -> ReceivedEvents:
        """The numbers that are there or gone."""
        made = ReceivedEvents()
        if self.whole_through:
            made.add(self.boot, 1, self.whole_through)
        for first, last in self.runs:
            made.add(self.boot, first, last)
        return made

    def missing(self) -> list[Run]:
        """Return the numbers that the table has and the archive has not."""
        return self.received.missing(self.boot, self.told_last)


async def lacking_boots(db: Any, most: int = BOOTS_AT_ONCE) -> list[LackingBoot]:
    """Return boots of which events may be lacking, with what there is of each beyond its whole beginning."""
    rows = await db.fetch(_LACKING, most)
    found = {
        row["id"]: LackingBoot(
            row["id"], row["hall"], row["table_name"], row["boot"], row["told_last"], row["whole_through"]
        )
        for row in rows
    }
    if found:
        months, whole = [row["month"] for row in rows], [row["whole_through"] for row in rows]
        for row in await db.fetch(_RUNS, months, list(found), whole):
            found[row["boot_id"]].runs.append((row["first"], row["last"]))
        for row in await db.fetch(_GONE, list(found)):
            found[row["boot_id"]].runs.append((row["first"], row["last"]))
    return list(found.values())


class GapLeader:
    """Asks tables for what the archive lacks, while this worker leads. ``ask`` sends a message on a topic."""

    def __init__(
        self,
        address: ArchiveAddress,
        ask: Callable[[str, bytes], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._address = address
        self._ask = ask
        self._db: Any = None
        self._gaps: dict[str, TableGaps] = {}
        self._asked: dict[str, list[Run]] = {}
        self._lacked: dict[str, int] = {}
        self._comes: dict[str, bool] = {}
        """Tables of which more came since the last look: what waits in a queue needs no question."""
        self._bridges: dict[str, bool] = {}
        self._there: dict[str, bool] = {}
        self._desk = GapDesk(self._in_turn, lambda _table: None, clock)
        self.leads = False

    def heard_state(self, hall: str, *, there: bool) -> None:
        """Record that a hall's broker has come or gone."""
        if there and not self._bridges.get(hall, False):
            self._come_back(place for place in self._gaps if place.startswith(f"{hall}/"))
        self._bridges[hall] = there

    def heard_status(self, hall: str, table: str, payload: bytes) -> None:
        """Record what a table has said, or its broker for it: that it is there, or not."""
        try:
            state = json.loads(payload)["state"]
        except (ValueError, KeyError, TypeError, RecursionError):
            return
        place, there = f"{hall}/{table}", state in ("ready", "init")
        if there and not self._there.get(place, False):
            self._come_back([place])
        self._there[place] = there

    def _come_back(self, places: Iterable[str]) -> None:
        for place in places:
            if place in self._gaps:
                self._gaps[place].is_there()

    def _reachable(self, place: str) -> bool:
        """Return True if the table is there, its hall's broker as far as it says so, and nothing comes by itself."""
        if self._comes.get(place, False) and not self._gaps[place].question:
            return False
        return self._there.get(place, False) and self._bridges.get(place.partition("/")[0], True)

    def _in_turn(self) -> Mapping[str, TableGaps]:
        """Return the tables; those that have not answered come last, so that they delay no others."""
        return dict(sorted(self._gaps.items(), key=lambda one: bool(one[1].question)))

    async def tick(self) -> bool:
        """Take the lead if nobody has it; then look what is lacking and ask for it. Returns whether this one leads.

        Raises ArchiveAwayError.
        """
        try:
            if self._db is None or self._db.is_closed():
                self.leads, self._db = False, await self._address.connect()
            if not self.leads:
                self.leads = await self._db.fetchval("select pg_try_advisory_lock($1)", _LOCK)
            if self.leads:
                await self._look()
        except (*GONE, asyncpg.PostgresError) as error:
            await self.close()
            raise ArchiveAwayError(f"{self._address.place} went away: {error or type(error).__name__}") from None
        return self.leads

    async def _look(self) -> None:
        boots = await lacking_boots(self._db)
        whole = []
        for one in boots:
            missing = one.missing()
            through = missing[0][1] - 1 if missing else max(one.told_last, one.received.highest(one.boot))
            if through > one.whole_through:
                whole.append((one.id, through))
        if whole:
            await self._db.execute(_WHOLE, [number for number, _ in whole], [through for _, through in whole])
        self._note(boots)
        self._desk.tick(self._reachable, self._send)

    def _note(self, boots: list[LackingBoot]) -> None:
        """Put what is lacking before the desk that asks; a question whose events have come is answered."""
        lacking: dict[str, list[LackingBoot]] = {}
        for one in boots:
            lacking.setdefault(f"{one.hall}/{one.table}", []).append(one)
        for place in set(self._gaps) - set(lacking):
            del self._gaps[place]
            self._asked.pop(place, None)
            self._lacked.pop(place, None)
        for place, some in lacking.items():
            gaps = self._gaps.setdefault(place, TableGaps())
            gaps.received = ReceivedEvents()
            gaps.told = {one.boot: Extent(one.boot, 1, one.told_last) for one in some}
            missing: list[Run] = []
            for one in some:
                missing += one.missing()
                if one.whole_through:
                    gaps.received.add(one.boot, 1, one.whole_through)
                for first, last in one.runs:
                    gaps.received.add(one.boot, first, last)
            if gaps.question and not count(common(self._asked.get(place, []), missing)):
                gaps.is_there()
            lacks, before = count(missing), self._lacked.get(place, 0)
            self._lacked[place], self._comes[place] = lacks, lacks < before

    def _send(self, place: str, message: dict[str, object]) -> None:
        hall, _, table = place.partition("/")
        wanted = message["want"]
        self._asked[place] = [(boot, first, last) for boot, first, last in wanted] if isinstance(wanted, list) else []
        self._ask(Topics(hall, table).resend, json.dumps(message).encode())

    async def close(self) -> None:
        """Give the lead up."""
        self.leads = False
        if self._db is not None:
            self._db.terminate()
            self._db = None
