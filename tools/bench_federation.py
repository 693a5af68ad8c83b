"""Speed of the federation's archive, each figure beside a bare one of the same rows in the same run.

``python tools/bench_federation.py [--events N] [--rows N] [--json OUT]`` starts PostgreSQL and mosquitto of its own and
measures: bare COPY, the archive's way of writing, verifying signatures, both together, a whole worker behind a broker
and a bare subscriber of the same messages; bytes for each event; and a search among ``--rows`` rows.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from table_service.events.signing import SigningIdentity, introduction  # noqa: E402
from table_service.events.topics import Topics, parse  # noqa: E402
from table_service.federation.archive_status import ArchiveSearch, search  # noqa: E402
from table_service.federation.archive_worker import BATCH, ArchiveWorker  # noqa: E402
from table_service.federation.archive_writer import COLUMNS, ArchiveWriter  # noqa: E402
from table_service.federation.hall_authorities import HallAuthorities  # noqa: E402
from table_service.federation.local_hall import LocalBroker  # noqa: E402
from table_service.federation.local_postgres import LocalPostgres  # noqa: E402
from table_service.federation.migrating import migrate  # noqa: E402
from table_service.federation.recorded_table import recorded_events  # noqa: E402
from table_service.federation.shared_subscription import FederationBroker, SharedSubscription  # noqa: E402
from table_service.federation.verified_events import EventVerifier, VerifiedBatch  # noqa: E402
from table_service.hall.authority import new_authority, now  # noqa: E402
from table_service.install.contents import table_user  # noqa: E402
from table_service.publish.broker import HOST, free_port  # noqa: E402

HALL: Final = "bologna"
TABLES: Final = 20
Message = tuple[str, bytes]


def recorded(count: int, folder: Path) -> tuple[list[Message], list[Message]]:
    """Signed messages of ``TABLES`` tables, and their certificates'; the hall's authority goes to ``folder``."""
    authority = new_authority(HALL, now())
    (folder / HALL).mkdir(parents=True, exist_ok=True)
    (folder / HALL / "authority.crt").write_bytes(authority.pem)
    told = [{k: v for k, v in one.items() if k not in ("secret", "late")} for one in recorded_events(1)]
    voices, known = [], []
    for n in range(TABLES):
        made = authority.issue(table_user(f"T{n}"), "client", now())
        voice = SigningIdentity(made.certificate, made.key)
        voices.append(voice)
        known.append((Topics(HALL, f"T{n}").identity, json.dumps(introduction(f"T{n}", [voice.certificate])).encode()))
    messages = []
    for number in range(count):
        n, seq = number % TABLES, number // TABLES + 1
        one = {
            **told[number % len(told)],
            "table": f"T{n}",
            "boot": "00000a",
            "seq": seq,
            "id": f"T{n}-00000a-{seq:06d}",
        }
        messages.append(
            (
                Topics(HALL, f"T{n}").event(one["type"]),
                json.dumps(
                    {**voices[n].sign("event", one), "late": False}, ensure_ascii=False, separators=(",", ":")
                ).encode(),
            )
        )
    return known, messages


def timed(doing: Callable[[], Any]) -> tuple[float, float, Any]:
    """Seconds by the wall and of this process's processor, and the answer."""
    used, began = time.process_time(), time.perf_counter()
    found = doing()
    return time.perf_counter() - began, time.process_time() - used, found


def verified(halls: Path, known: list[Message], messages: list[Message]) -> list[VerifiedBatch]:
    """Return the messages in batches as a worker makes them."""
    verifier = EventVerifier(HallAuthorities(halls).of)
    for topic, payload in known:
        address = parse(topic)
        assert address is not None and verifier.introduce(address, payload)  # noqa: S101, PT018
    found = []
    for at in range(0, len(messages), BATCH):
        batch = VerifiedBatch()
        for topic, payload in messages[at : at + BATCH]:
            address = parse(topic)
            assert address is not None  # noqa: S101
            verifier.take(address, payload, batch)
        found.append(batch)
    return found


def bare_signatures(messages: list[Message]) -> None:
    """Verify as many signatures of as long messages, and nothing else: what any program in Python pays."""
    key = ec.generate_private_key(ec.SECP256R1())
    public, how = key.public_key(), ec.ECDSA(hashes.SHA256())
    body = messages[0][1]
    made = key.sign(body, how)
    for _ in messages:
        public.verify(made, body, how)


async def bare_copy(postgres: LocalPostgres, batches: list[VerifiedBatch]) -> None:
    """COPY the same rows in the same batches into a table without a key."""
    db = await postgres.address.connect()
    await db.execute("drop table if exists bare")
    await db.execute(
        "create table bare (month date, boot_id bigint, seq int, deal int, t float8, time timestamptz, type text,"
        " body text)"
    )
    month = datetime.now(UTC).date().replace(day=1)
    for batch in batches:
        rows = [(month, 1, e.seq, e.deal, e.t, e.time, e.type, e.body) for e in batch.events]
        await db.copy_records_to_table("bare", records=rows, columns=COLUMNS)
    await db.close()


async def archive(postgres: LocalPostgres, batches: list[VerifiedBatch]) -> int:
    """Write them as a worker does."""
    writer, new = ArchiveWriter(postgres.address), 0
    for batch in batches:
        new += await writer.write(batch)
    await writer.close()
    return new


async def emptied(postgres: LocalPostgres) -> None:
    """Take all events out again."""
    db = await postgres.address.connect()
    await db.execute("truncate event")
    await db.execute("truncate boot cascade")
    await db.close()


async def value(postgres: LocalPostgres, query: str) -> Any:
    """One value of the archive."""
    db = await postgres.address.connect()
    try:
        return await db.fetchval(query, timeout=300)
    finally:
        await db.close()


def queued(broker: FederationBroker, name: str, known: list[Message], messages: list[Message]) -> None:
    """Have the broker hold the messages for a worker of that name that is away."""
    link = SharedSubscription(broker, name, 3600)
    link.open()
    assert link.take(10, 10)  # noqa: S101 - its mark: the subscriptions stand
    link.close()
    from paho.mqtt.client import Client, MQTTv5
    from paho.mqtt.enums import CallbackAPIVersion

    client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
    client.max_inflight_messages_set(1000)
    client.max_queued_messages_set(0)
    client.connect(broker.host, broker.port)
    client.loop_start()
    for topic, payload in known:
        client.publish(topic, payload, qos=1, retain=True).wait_for_publish(30)
    for last in [client.publish(topic, payload, qos=1) for topic, payload in messages][-1:]:
        last.wait_for_publish(300)
    while client.want_write():
        time.sleep(0.05)
    client.disconnect()
    client.loop_stop()


def plain_broker(folder: Path) -> tuple[LocalBroker, FederationBroker]:
    """Mosquitto with the federation's own limits, without TLS: what is measured is the worker."""
    port, place = free_port(), folder / "settings"
    place.mkdir()
    (place / "plain.conf").write_text(
        f"allow_anonymous true\nmax_queued_messages 0\nmax_inflight_messages 2000\nlistener {port} {HOST}\n"
    )
    broker = LocalBroker(folder / "broker", [place], port)
    broker.start()
    return broker, FederationBroker(HOST, port)


def bare_subscriber(broker: FederationBroker, name: str, count: int) -> float:
    """Seconds in which one takes and acknowledges all messages and does nothing else with them."""
    began, taken = time.perf_counter(), 0
    link = SharedSubscription(broker, name, 3600)
    link.open()
    while taken < count:
        messages = link.take(BATCH, 5)
        link.acknowledge(messages)
        taken += sum("/event/" in one.topic for one in messages)
    seconds = time.perf_counter() - began
    link.close()
    return seconds


def whole_worker(
    broker: FederationBroker, postgres: LocalPostgres, halls: Path, name: str, count: int
) -> tuple[float, float]:
    """Seconds by the wall and of the processor in which a worker archives all messages that wait for it."""
    worker, stop = ArchiveWorker(name, broker, postgres.address, HallAuthorities(halls)), threading.Event()
    began, used = time.perf_counter(), time.process_time()
    thread = threading.Thread(target=worker.run, args=(stop,))
    thread.start()
    while worker.counts.archived < count and thread.is_alive():
        time.sleep(0.02)
    seconds, processor = time.perf_counter() - began, time.process_time() - used
    stop.set()
    thread.join()
    return seconds, processor


_GROWN: Final = """
insert into event (month, boot_id, seq, deal, t, time, type, body)
select e.month, e.boot_id, e.seq + {step} * n, e.deal, e.t, e.time - n * interval '1 hour', e.type, e.body
from event e cross join generate_series(1, {times}) n on conflict do nothing"""


def grown(postgres: LocalPostgres, rows: int) -> dict[str, Any]:
    """Grow the archive to some ``rows`` rows from what is in it, and time searches in it."""
    there, most = (
        asyncio.run(value(postgres, "select count(*) from event")),
        asyncio.run(value(postgres, "select max(seq) from event")),
    )
    times = max(1, rows // there - 1)
    asyncio.run(value(postgres, _GROWN.format(step=most, times=times)))
    asyncio.run(value(postgres, "analyze event"))
    total = asyncio.run(value(postgres, "select count(*) from event"))
    took = {}
    for name, asked in {
        "irregularities of a hall, newest 100": ArchiveSearch("irregularity", hall=HALL),
        "scores of one table in a month": ArchiveSearch("score.counted", hall=HALL, table="T3", limit=1000),
        "one deal of a table": ArchiveSearch(hall=HALL, table="T3", boot="00000a", deal=1, limit=1000),
    }.items():
        asyncio.run(search(postgres.address, asked))
        times_ = sorted(timed(lambda asked=asked: asyncio.run(search(postgres.address, asked)))[0] for _ in range(5))  # type: ignore[misc]
        took[name] = round(times_[-1], 3)
    return {"rows": total, "longest of 5, seconds, connection included": took}


def main() -> None:
    """Measure, and print the figures as JSON."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--events", type=int, default=20_000)
    asked.add_argument("--rows", type=int, default=1_000_000)
    asked.add_argument("--json", type=Path)
    told = asked.parse_args()
    found: dict[str, Any] = {"events": told.events, "batch": BATCH}
    with tempfile.TemporaryDirectory(prefix="tavolo-bench-") as name:
        folder = Path(name)
        known, messages = recorded(told.events, folder / "halls")
        found["message_bytes"] = round(sum(len(payload) for _, payload in messages) / len(messages))
        postgres = LocalPostgres()
        broker: LocalBroker | None = None
        try:
            migrate(postgres.address)
            _, verifying, batches = timed(lambda: verified(folder / "halls", known, messages))
            found["verify_per_cpu_s"] = round(told.events / verifying)
            found["bare_signatures_per_cpu_s"] = round(told.events / timed(lambda: bare_signatures(messages))[1])
            copies, writes = [], []
            for _ in range(3):
                copies.append(timed(lambda: asyncio.run(bare_copy(postgres, batches)))[0])
                asyncio.run(emptied(postgres))
                writes.append(timed(lambda: asyncio.run(archive(postgres, batches)))[0])
            found["bare_copy_rows_s"], found["write_rows_s"] = (
                round(told.events / min(copies)),
                round(told.events / min(writes)),
            )
            found["write_to_bare_copy"] = round(min(copies) / min(writes), 3)
            size = asyncio.run(
                value(
                    postgres,
                    "select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'event'::regclass",
                )
            )
            found["archive_bytes_per_event"] = round(float(size) / told.events)
            broker, address = plain_broker(folder)
            queued(address, "bare", known, messages)
            found["bare_subscriber_messages_s"] = round(told.events / bare_subscriber(address, "bare", told.events))
            asyncio.run(emptied(postgres))
            broker.stop()
            broker.forget()
            broker.start()
            queued(address, "whole", known, messages)
            seconds, processor = whole_worker(address, postgres, folder / "halls", "whole", told.events)
            found["worker_rows_s"], found["worker_cpu_s_per_million"] = (
                round(told.events / seconds),
                round(processor / told.events * 1e6),
            )
            found["worker_to_bare_copy"] = round(told.events / seconds / (told.events / min(copies)), 3)
            found["worker_to_bare_subscriber"] = round(found["worker_rows_s"] / found["bare_subscriber_messages_s"], 3)
            found["search"] = grown(postgres, told.rows)
            found["peak_memory_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        finally:
            if broker is not None:
                broker.stop()
            postgres.stop()
    text = json.dumps(found, indent=1)
    if told.json is not None:
        told.json.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
