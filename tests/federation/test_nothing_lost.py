"""With real parts, killed in mid-stream: every event of every journal is in the archive once, and nothing else is.

What arrived is counted by readers that share nothing with the workers: the journals' files by SQLite, the archive by
``psql``.
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from table_service.federation.local_federation import ArchiveCount, LocalFederation
from tests.hall.conftest import Person
from tests.sweeps import rest_in_proof

PATIENCE_S = 200.0
SEALED = "tavolo/v1/bologna/T1/sealed/1"


@contextmanager
def playing(federation: LocalFederation, rate: float) -> Iterator[None]:
    """All tables say ``rate`` events a second until the end, and their halls' brokers have taken them."""
    stop = threading.Event()
    tables = [table for hall in federation.halls.values() for table in hall.tables]
    players = [threading.Thread(target=table.play, args=(rate, stop), daemon=True) for table in tables]
    for player in players:
        player.start()
    try:
        yield
    finally:
        stop.set()
        for player in players:
            player.join()
    assert all(table.drain(60) for table in tables)


def wait(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def whole(federation: LocalFederation) -> ArchiveCount:
    found = federation.wait_whole(PATIENCE_S)
    assert found.is_whole, (found, federation.worker_log("1"))
    assert found.said == found.archived > 0
    return found


class Chance:
    """Kills one part after the other, each in mid-stream, and begins it again after a moment."""

    def __init__(self, federation: LocalFederation, seed: int) -> None:
        self._federation = federation
        self._chance = random.Random(seed)

    def worker(self) -> None:
        name = self._chance.choice("12")
        self._federation.kill_worker(name)
        self._federation.begin_worker(name)

    def postgres(self) -> None:
        self._federation.postgres.kill()
        self._federation.postgres.start()

    def broker(self) -> None:
        self._federation.broker.kill()
        self._federation.broker.start()

    def empty_broker(self) -> None:
        self._federation.broker.kill()
        self._federation.broker.forget()
        self._federation.broker.start()

    def line(self) -> None:
        line = self._federation.lines[self._chance.choice(sorted(self._federation.lines))]
        line.cut()
        time.sleep(self._chance.uniform(0.1, 1.0))
        line.restore()

    def halls_broker(self) -> None:
        hall = self._federation.halls[self._chance.choice(sorted(self._federation.halls))]
        hall.broker.kill()
        hall.broker.start()

    def kill(self, count: int) -> None:
        """Kill ``count`` times, every kind as often as any other."""
        kinds = [self.worker, self.postgres, self.broker, self.line, self.empty_broker, self.halls_broker]
        for number in range(count):
            if number % len(kinds) == 0:
                self._chance.shuffle(kinds)
            time.sleep(self._chance.uniform(0.2, 1.5))
            kinds[number % len(kinds)]()


@pytest.mark.slow(seconds=60)
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("kills", "seed"), rest_in_proof([(6, 1), (100, 2)], ids=["6", "100"]))
def test_parts_are_killed_in_mid_stream_and_nothing_is_lost_or_doubled(
    federation: LocalFederation, kills: int, seed: int
) -> None:
    for name in "12":
        federation.begin_worker(name)
    with playing(federation, 5.0):
        Chance(federation, seed).kill(kills)
    whole(federation)


@pytest.mark.slow(seconds=40)
@pytest.mark.timeout(900)
def test_a_line_cut_for_long_and_a_broker_that_forgot_its_queue_are_filled_from_the_journals(
    federation: LocalFederation,
) -> None:
    federation.begin_worker("1")
    tables = [table for hall in federation.halls.values() for table in hall.tables]
    for table in tables:
        table.say(30)
    whole(federation)
    federation.lines["bologna"].cut()
    for table in tables:
        table.say(150)
        assert table.drain()
    broker = federation.halls["bologna"].broker
    broker.kill()
    broker.forget()
    broker.start()
    for table in tables:
        table.say(20)
        assert table.drain()
    milano = [key for key in federation.said() if key[0] == "milano"]
    wait(lambda: {key for key, _ in federation.archived()} >= set(milano))
    found = federation.count()
    assert found.lost == 2 * 170
    assert found.is_whole is False
    federation.lines["bologna"].restore()
    whole(federation)


@pytest.mark.slow(seconds=25)
@pytest.mark.timeout(900)
def test_only_public_events_leave_a_hall_and_the_federations_broker_takes_nothing_else(
    federation: LocalFederation, tmp_path: Path
) -> None:
    folder, ports = tmp_path / "federation", json.loads((tmp_path / "federation" / "federation.json").read_text())
    authority = folder / "authority" / "authority.crt"
    workers = Person(ports["workers_port"], folder / "archive" / "archive.crt", authority)
    workers.subscribe("tavolo/v1/#")
    payloads: list[bytes] = []
    workers.client.on_message = lambda _c, _d, message: (
        payloads.append(message.payload),
        workers.heard.append(message.topic),
    )  # type: ignore[assignment]
    hall = federation.halls["bologna"]
    inside = Person(
        hall.console_port, hall.folder / "console" / "console.crt", hall.folder / "authority" / "authority.crt"
    )
    inside.subscribe("tavolo/v1/sala/+/sealed/+")
    for table in hall.tables:
        table.say(250)
        assert table.drain()
    events = {key for key in federation.said() if key[0] == "bologna"}
    wait(lambda: sum("/event/" in topic for topic in workers.heard) >= len(events))
    wait(lambda: len(inside.heard) > 10)
    kinds = {topic.split("/")[4] for topic in workers.heard if topic.startswith("tavolo/v1/bologna/")}
    assert kinds <= {"event", "identity", "journal", "status", "resent", "state"}
    assert {topic for topic in workers.heard if topic.endswith("/state")} <= {
        "tavolo/v1/bologna/~bridge/state",
        "tavolo/v1/milano/~bridge/state",
    }
    assert not [payload for payload in payloads if b"sealed" in payload or b'"secret"' in payload]
    # a hall whose settings were changed, too
    federation.lines["bologna"].cut()
    bridge = folder / "bridges" / "bologna"
    refused = (
        SEALED,
        "tavolo/v1/bologna/T1/command",
        "tavolo/v1/bologna/T1/evidence/x",
        "tavolo/v1/milano/T1/event/x",
    )
    for topic in refused:
        person = Person(ports["halls_port"], bridge / "bologna.crt", bridge / "federation.crt")
        # mosquitto 2.0.11 says no, or hangs up
        assert person.publish(topic) in (135, None), topic
        person.close()
    person = Person(ports["halls_port"], bridge / "bologna.crt", bridge / "federation.crt")
    assert person.publish("tavolo/v1/bologna/T1/event/last") == 0
    wait(lambda: "tavolo/v1/bologna/T1/event/last" in workers.heard)
    assert not set(refused) & set(workers.heard)
    for one in (workers, inside, person):
        one.close()
