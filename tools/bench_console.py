"""What the arbitro's console costs in a large hall, in processor time: what a busy machine does to it changes little.

``python tools/bench_console.py [--only NAME …] [--json FILE]``

``intake``: events told, unsigned, until they are in the console's file, without a network. ``heard``: event and state,
signed, through a connection from a stand-in for the broker, pages aside: events a second of one core, all threads.
``page``: the hall's page of 500 tables, asked for again after every table has told something, and after none has; and
one second's changes of an open one. ``start``: a console on 100 000 and on 1 000 000 kept events.
``archive``: the search for a row that no deal has, at 5 000 and 50 000 deals. All input is seeded.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

import httpx  # noqa: E402
from console_load import spawn, start  # noqa: E402
from load_tables import AUTHORITY, BOOT, HALL, Table, make_keys  # noqa: E402

from table_service.console import ConsoleSettings, ConsoleStore, create_app  # noqa: E402
from table_service.console.archive.shelf import Shelf  # noqa: E402
from table_service.console.dispatch import Office  # noqa: E402
from table_service.console.listener import Listener  # noqa: E402
from table_service.console.mqtt_link import Message  # noqa: E402
from table_service.console.pages import Viewer  # noqa: E402
from table_service.console.routers.hall import hall_parts  # noqa: E402
from table_service.console.storage import Book, Role  # noqa: E402
from table_service.console.streams import Shown, slices  # noqa: E402
from table_service.events.signing import Voices, load_authority  # noqa: E402
from table_service.install.contents import table_user  # noqa: E402
from table_service.publish.broker import free_port  # noqa: E402

TABLES: Final = 500
EVENTS: Final = 20_000
SEED: Final = 39
_EVENT: Final = (
    "insert into event (place, boot, seq, type, deal, t, time, heard, body) values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


@contextmanager
def console(folder: Path, voices: Voices | None = None, port: int = 0) -> Iterator[Any]:
    """Yield a console's application on a file in ``folder`` that hears nothing by itself."""
    settings = ConsoleSettings(hall=HALL, data=folder / "console.sqlite", copies=0, voices=voices, broker_port=port)
    store, book = ConsoleStore(HALL, voices=voices), Book(settings.data)
    try:
        yield create_app(settings, store, book=book, listen=False)
    finally:
        book.close()


def _messages(tables: list[Table], count: int) -> list[Message]:
    made = []
    for n in range(count):
        table = tables[n % len(tables)]
        event = table.event()
        body = json.dumps(event).encode()
        topic = table.topics.event(event["type"])
        made.append(Message(topic, body))
    return made


def intake(folder: Path) -> dict[str, float]:
    """Events a second of one core, the writing thread's work included."""
    chance = random.Random(SEED)  # noqa: S311 - a simulation
    tables = [Table(f"T{n}", chance) for n in range(200)]
    with console(folder) as app:
        office: Office = app.state.office
        listener = Listener(office.settings, office.store, office)
        messages = _messages(tables, EVENTS)
        gc.collect()
        began = time.process_time()
        for message in messages:
            listener.take_in(message)
        office.book.database.flush()
        took = time.process_time() - began
    return {"events_per_core_s": round(EVENTS / took), "us_per_event": round(took / EVENTS * 1e6, 1)}


async def _hear(listener: Listener, office: Office, events: int, go: Callable[[], None]) -> float:
    """Listen until the console's file has so many events; returns the processor seconds of the whole process."""
    hearing = asyncio.create_task(listener.run())
    while not office.store.connected or len(office.store.tables) < TABLES:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.1)
    gc.collect()
    gc.freeze()
    began = time.process_time()
    go()
    while await asyncio.to_thread(_kept, office.book) < events:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.5)
    took = time.process_time() - began
    hearing.cancel()
    return took


def _kept(book: Book) -> int:
    book.database.flush()
    row = book.database.one("select count(*) as n from event")
    return 0 if row is None else int(row["n"])


def heard(folder: Path) -> dict[str, float]:
    """Event and state, signed, by mosquitto and the listener's own connections; no page is open."""
    port, seconds, rate = free_port(), 6.0, 5.0
    make_keys(folder, TABLES)
    voices = Voices(load_authority((folder / AUTHORITY).read_bytes()), table_user, must_sign=True)
    broker = start(port, folder)
    players = spawn(
        "--role", "tables", "--port", port, "--folder", folder, "--tables", TABLES, "--rate", rate,
        "--seconds", seconds,
    )  # fmt: skip
    assert players.stdin is not None  # noqa: S101 - a pipe
    assert players.stdout is not None  # noqa: S101 - a pipe
    try:
        players.stdout.readline()
        with console(folder, voices, port) as app:
            office: Office = app.state.office
            listener, stdin = Listener(office.settings, office.store, office), players.stdin

            def go() -> None:
                stdin.write("go\n")
                stdin.flush()

            events = int(TABLES * rate * seconds)
            took = asyncio.run(_hear(listener, office, events, go))
            counts = office.intakes["rest"].counts
    finally:
        players.stdin.close()
        players.wait(20)
        broker.terminate()
        broker.wait(10)
    return {
        "events_per_core_s": round(events / took), "us_per_event": round(took / events * 1e6, 1),
        "shed": counts.shed, "replaced": counts.replaced,
    }  # fmt: skip


def _cost(work: Callable[[], Any], times: int) -> float:
    """Processor milliseconds of ``work``, the mean of ``times``."""
    began = time.process_time()
    for _ in range(times):
        work()
    return round((time.process_time() - began) / times * 1000, 2)


def page(folder: Path) -> dict[str, float]:
    """Measure the hall's page of 500 tables as the server makes it, and one second's changes of an open one."""
    chance = random.Random(SEED)  # noqa: S311 - a simulation
    tables = [Table(f"T{n}", chance) for n in range(TABLES)]
    with console(folder) as app:
        store: ConsoleStore = app.state.store
        accounts, now = app.state.book.accounts, time.time()
        person = accounts.add("la chief", Role("chief"), now=now)
        cookie = accounts.begin(person, now=now)

        def told() -> None:
            for table in tables:
                event = table.event()
                store.apply(table.topics.event(event["type"]), json.dumps(event).encode(), now=time.time())
                store.apply(table.topics.state, json.dumps(table.state()).encode(), now=time.time())

        async def ask() -> int:
            browser = httpx.AsyncClient(
                transport=httpx.ASGITransport(app), base_url="http://console", cookies={"tavolo": cookie}
            )
            async with browser:
                answer = await browser.get("/", headers={"Accept-Encoding": "identity"})
                assert answer.status_code == 200, answer.status_code  # noqa: S101 - a page or nothing
                return len(answer.content)

        for table in tables:
            store.apply(table.topics.status, b'{"state":"ready","boot":"000001","version":"x"}', now=time.time())
        with asyncio.Runner() as runner:
            told()
            size = runner.run(ask())
            after_all = []
            for _ in range(10):
                told()
                began = time.process_time()
                runner.run(ask())
                after_all.append(round((time.process_time() - began) * 1000, 1))
            again = _cost(lambda: runner.run(ask()), 10)
        pages = app.state.pages
        viewer = Viewer("it", "auto", accounts.session(cookie, now=now))
        shown: Shown = {}
        parts = lambda: hall_parts(pages, viewer)  # noqa: E731 - as the page's own
        list(slices(parts(), shown))
        seconds, sent = [], 0
        for _ in range(10):
            told()
            began = time.process_time()
            sent = len("".join(slices(parts(), shown)))
            seconds.append(round((time.process_time() - began) * 1000, 1))
    middle = len(seconds) // 2
    return {
        "kilobytes": round(size / 1000, 1), "ms_after_all_told": sorted(after_all)[middle], "ms_again": again,
        "ms_a_second_of_changes": sorted(seconds)[middle], "bytes_of_changes": sent,
    }  # fmt: skip


def fill(folder: Path, events: int, *, deals: int = 0) -> None:
    """Fill a console's file: with cards of 200 tables in few boots, or with deals of four events each."""
    chance = random.Random(SEED)  # noqa: S311 - a simulation
    book = Book(folder / "console.sqlite")
    tables = [Table(f"T{n}", chance) for n in range(200)]
    now, bodies = time.time() - 3600, [json.dumps(table.event()) for table in tables]
    seqs = [0] * len(tables)

    def put(at: int, kind: str, deal: int, body: str) -> tuple[Any, ...]:
        seqs[at] += 1
        return (f"T{at}", BOOT, seqs[at], kind, deal, float(seqs[at]), "2026-11-20T21:10:00.000Z", now, body)

    def rows() -> Iterator[tuple[Any, ...]]:
        for n in range(events):
            yield put(n % 200, "card.drawn", 1, bodies[n % 200])
        for n in range(deals):
            at, deal = n % 200, 1 + n // 200
            row = {"key": f"r1d{deal}-1", "row": "F-31a", "state": "ruled"}
            for kind, data in (
                ("deal.started", {}), ("irregularity", row), ("score.counted", {}), ("deal.ended", {"manner": "out"}),
            ):  # fmt: skip
                told = {"v": 1, "table": f"T{at}", "boot": BOOT, "seq": seqs[at] + 1, "type": kind, "t": 1.0}
                yield put(at, kind, deal, json.dumps({**told, "deal": deal, "data": data}))

    with book.database.together():
        for one in rows():
            book.database.do(_EVENT, one)
    book.close()


def begin(folder: Path, events: int) -> dict[str, float]:
    """Processor seconds from the file until the console knows it."""
    fill(folder, events)
    gc.collect()
    began = time.process_time()
    with console(folder) as app:
        took = time.process_time() - began
        assert len(app.state.store.tables) == 200, "tables"  # noqa: S101 - what is measured must have happened
    return {f"s_at_{events}": round(took, 2)}


def archive(folder: Path, deals: int) -> dict[str, float]:
    """Processor seconds of a search that finds nothing, and of the first page."""
    fill(folder, 0, deals=deals)
    book = Book(folder / "console.sqlite")
    try:
        shelf = Shelf(book.database)
        none = _cost(lambda: shelf.deals(row="F-99"), 1)
        first = _cost(shelf.deals, 1)
    finally:
        book.close()
    return {f"ms_no_hit_at_{deals}": none, f"ms_first_page_at_{deals}": first}


PARTS: Final[dict[str, tuple[Callable[[Path], dict[str, float]], ...]]] = {
    "intake": (intake,),
    "heard": (heard,),
    "page": (page,),
    "start": (lambda folder: begin(folder, 100_000), lambda folder: begin(folder, 1_000_000)),
    "archive": (lambda folder: archive(folder, 5_000), lambda folder: archive(folder, 50_000)),
}


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=tuple(PARTS), default=list(PARTS))
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    found: dict[str, dict[str, float]] = {}
    for name in asked.only:
        found[name] = {}
        for one in PARTS[name]:
            with tempfile.TemporaryDirectory(prefix="tavolo-bench-") as folder:
                found[name] |= one(Path(folder))
        print(name, json.dumps(found[name]), flush=True)
    if asked.json is not None:
        asked.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
