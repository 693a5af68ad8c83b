"""Time from a table's event to the federation's page, at a rate of other tables' events.

``python tools/federation_delay.py [--events N] [--rate R] [--workers N] [--json OUT]`` starts a whole federation
(brokers with TLS, bridges, worker processes, PostgreSQL). A table of the first hall says ``--events`` events, one by
one, at moments of chance; the tables of the other halls say ``--rate`` a second together. The page is asked each second
as its own script asks it, in this process and without a network; an event is on it when the page says that its hall
was heard at or after the moment at which the table said it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import re
import sys
import tempfile
import threading
import time
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import httpx

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from table_service.console.live_tables import ConsoleStore  # noqa: E402
from table_service.console.settings import ConsoleSettings  # noqa: E402
from table_service.console.storage import Book, Role  # noqa: E402
from table_service.federation.archive_pool import ArchivePool  # noqa: E402
from table_service.federation.local_federation import LocalFederation  # noqa: E402
from table_service.federation.recorded_table import RecordedTable  # noqa: E402
from table_service.federation.site.federation_app import create_site  # noqa: E402

ASKED: Final = "bologna"
OTHERS: Final = ("milano", "torino")
TABLES: Final = 4
EVERY_S: Final = 1.0
"""How often the page asks: ``hx-trigger`` of fed_halls.html."""
LOST_S: Final = 30.0
_HEARD: Final = re.compile(rf'hall={ASKED}">.*?<time datetime="([^"]+)"', re.DOTALL)


class AskedPage:
    """The page of a chief who has it open."""

    def __init__(self, federation: LocalFederation) -> None:
        self.book, self.archive = Book(), ArchivePool(federation.archive)
        chief = self.book.accounts.add("chief", Role.CHIEF, now=time.time())
        assert chief is not None  # noqa: S101
        app = create_site(ConsoleSettings(hall="federation"), ConsoleStore("federation"), self.book, self.archive)
        cookies = {"tavolo": self.book.accounts.begin(chief, now=time.time())}
        self.client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://federation", cookies=cookies
        )
        self.took: list[float] = []

    async def heard(self) -> float:
        """Return when the page says that the hall was heard last; 0 if never."""
        began = time.perf_counter()
        answer = await self.client.get("/now")
        self.took.append(time.perf_counter() - began)
        answer.raise_for_status()
        found = _HEARD.search(answer.text)
        return 0.0 if found is None else datetime.fromisoformat(found[1]).timestamp()

    async def close(self) -> None:
        """End its connections."""
        await self.client.aclose()
        await self.archive.close()
        self.book.close()


async def say_each(table: RecordedTable, said: list[float], seen: asyncio.Event, moments: list[float]) -> None:
    """Have the table say an event at a moment after each one that is on the page; ``said``: when each was said."""
    for moment in moments:
        await asyncio.sleep(moment)
        seen.clear()
        said.append(time.time())
        await asyncio.to_thread(table.say, 1)
        await asyncio.wait_for(seen.wait(), LOST_S)


async def delays(federation: LocalFederation, moments: list[float]) -> tuple[list[float], list[float]]:
    """Seconds from each event until it is on the page, and those in which the page answered."""
    page, table = AskedPage(federation), federation.halls[ASKED].tables[0]
    while not await page.heard():  # until the workers are there
        table.say(1)
        await asyncio.sleep(EVERY_S)
    page.took.clear()
    said: list[float] = []
    found: list[float] = []
    seen = asyncio.Event()
    telling = asyncio.create_task(say_each(table, said, seen, moments))
    while not telling.done():
        heard = await page.heard()
        if len(said) > len(found) and heard >= said[-1]:
            found.append(time.time() - said[-1])
            seen.set()
        await asyncio.sleep(EVERY_S)
    await telling
    took = page.took
    await page.close()
    return found, took


def rank(values: list[float], part: float) -> float:
    """Return the value that ``part`` of all do not exceed, by nearest rank."""
    return round(sorted(values)[math.ceil(part * len(values)) - 1], 3)


def measure(events: int, rate: float, workers: int, seed: int) -> dict[str, Any]:
    """Run a federation and return the figures."""
    with (
        tempfile.TemporaryDirectory(prefix="tavolo-delay-") as folder,
        LocalFederation(Path(folder), (ASKED, *OTHERS), TABLES) as federation,
    ):
        for number in range(workers):
            federation.begin_worker(str(number + 1))
        others = [table for hall in OTHERS for table in federation.halls[hall].tables]
        stop = threading.Event()
        players = [threading.Thread(target=one.play, args=(rate / len(others), stop)) for one in others]
        began = time.monotonic()
        for player in players:
            player.start()
        chance = random.Random(seed)  # noqa: S311 - moments, no secret
        try:
            found, took = asyncio.run(delays(federation, [chance.uniform(0.2, 1.2) for _ in range(events)]))
        finally:
            stop.set()
            for player in players:
                player.join()
        said = sum(one.said for one in others)
        return {
            "events": events, "seed": seed, "workers": workers, "halls": 1 + len(OTHERS),
            "tables": (1 + len(OTHERS)) * TABLES,
            "events_per_s_beside": round(said / (time.monotonic() - began), 1),
            "table_to_page_s": {"median": rank(found, 0.5), "p99": rank(found, 0.99), "longest": rank(found, 1)},
            "page_answers_s": {"median": rank(took, 0.5), "p99": rank(took, 0.99)},
        }  # fmt: skip


def main() -> None:
    """Measure, and print the figures as JSON."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--events", type=int, default=200)
    asked.add_argument("--rate", type=float, default=100.0)
    asked.add_argument("--workers", type=int, default=2)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--json", type=Path)
    told = asked.parse_args()
    text = json.dumps(measure(told.events, told.rate, told.workers, told.seed), indent=1)
    if told.json is not None:
        told.json.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
