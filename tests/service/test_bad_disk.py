"""A disk that takes nothing: play goes on, it is said, orders are refused, and everything is there afterwards."""

from __future__ import annotations

import json
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from nacl.signing import SigningKey
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from table_service.events.commands import sign_command
from table_service.events.topics import Topics
from table_service.journal import audit
from table_service.publish import Broker, BrokerAddress, start_broker
from table_service.publish.broker import find_mosquitto
from table_service.rehearsal.rehearse import prepare
from table_service.service import TableFiles, TableService

ARBITRO = SigningKey(bytes(range(32)))
TOPICS = Topics("prova", "T1")


class Ear:
    """Everything that leaves the table."""

    def __init__(self, broker: Broker) -> None:
        self.messages: list[tuple[str, bytes]] = []
        ready = threading.Event()
        self.client = Client(CallbackAPIVersion.VERSION2)
        self.client.on_message = self._take
        self.client.on_subscribe = lambda *_: ready.set()
        self.client.connect(broker.host, broker.port)
        self.client.subscribe("tavolo/v1/#", qos=1)
        self.client.loop_start()
        assert ready.wait(10)

    def _take(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        self.messages.append((message.topic, bytes(message.payload)))

    def of(self, topic: str) -> list[dict[str, Any]]:
        return [json.loads(payload) for name, payload in list(self.messages) if name.startswith(topic) and payload]

    def places(self) -> set[tuple[str, int]]:
        return {(event["boot"], event["seq"]) for event in self.of(TOPICS.prefix + "/event/")}


def until(wanted: Callable[[], Any], seconds: float = 30.0) -> Any:
    end = time.monotonic() + seconds
    while not (found := wanted()):
        assert time.monotonic() < end, "it did not come"
        threading.Event().wait(0.02)
    return found


Hall = tuple[Broker, Ear, TableService, list[Any]]


@pytest.fixture
def hall(tmp_path: Path, disks: Any) -> Iterator[Hall]:
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed")
    broker = start_broker(tmp_path / "broker", kind="mosquitto")
    ear = Ear(broker)
    rehearsal = prepare("fibur2024", 5, 1, table="T1")
    observations = list(rehearsal.observations())
    now = [0.0]
    key = bytes(ARBITRO.verify_key).hex()
    service = TableService(
        rehearsal.header, "prova", TableFiles.under(tmp_path / "t", "T1"), BrokerAddress(broker.host, broker.port),
        lambda: now[0], console_keys={"*": key},
    )  # fmt: skip
    service.start()
    yield broker, ear, service, observations
    if service.delivered is None:
        service.close(1)
    ear.client.disconnect()
    ear.client.loop_stop()
    broker.stop()


def order(ear: Ear, name: str) -> dict[str, Any]:
    """Give an order and wait for what the table says of it."""
    message = sign_command(ARBITRO, id=name, by="la capo", table="T1", do="time-out", issued=time.time())
    ear.client.publish(TOPICS.command, json.dumps(message), qos=1)
    return until(lambda: ear.of(TOPICS.result(name)))[0]


@pytest.mark.parametrize("fault", ["full", "read-only"])
def test_play_goes_on_it_is_said_and_nothing_is_lost(hall: Hall, disks: Any, fault: str) -> None:
    broker, ear, service, observations = hall
    half = len(observations) // 2
    for one in observations[:half]:
        service.observe(one)
    assert service.publisher.drain(30)
    disks.fail(service.journal.path, fault)
    for one in observations[half:]:
        service.observe(one)
    service.health({})
    assert service.journal.waiting > 0
    trouble = until(lambda: [h for h in ear.of(TOPICS.health) if h.get("disk", {}).get("waiting")])[-1]["disk"]
    assert "wait in memory" in trouble["retrying"]
    until(lambda: ear.of(TOPICS.state)[-1]["nodes"].get("disk") == "lost")  # the public table is told all the same
    assert order(ear, "o-1")["reason"] == "disk"
    assert broker.process is not None
    broker.process.send_signal(signal.SIGKILL)  # not even a broker that goes away meanwhile costs anything
    broker.process.wait()
    disks.mend(service.journal.path)
    service.health({})
    assert service.journal.waiting == 0
    table_says = {(kept.boot, kept.seq) for kept in service.journal.events()}
    assert table_says == {(service.journal.boot, seq) for seq in range(1, len(table_says) + 1)}
    service.close(1)
    assert audit(service.journal.path).whole


def test_a_table_that_ends_while_its_disk_is_full_says_what_was_not_kept(
    hall: Hall, disks: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    _, _, service, observations = hall
    disks.fail(service.journal.path)
    for one in observations[:400]:
        service.observe(one)
    waiting = service.journal.waiting
    assert waiting > 0
    service.close(0.1)
    assert f"{waiting}" in capsys.readouterr().out


def test_what_was_sent_and_could_not_be_noted_is_sent_once_and_noted_later(hall: Hall, disks: Any) -> None:
    _, ear, service, observations = hall
    for one in observations[:400]:
        service.observe(one)
    assert service.publisher.drain(30)
    for one in observations[400:800]:
        service.observe(one)
    disks.fail(service.journal.path)  # written, and now neither sent nor taken can be noted
    service.publisher.notify()
    until(lambda: ear.places() >= {(kept.boot, kept.seq) for kept in service.journal.events()})
    disks.mend(service.journal.path)
    assert service.publisher.drain(30)
    assert service.publisher.report().connections == 1
    topics = [payload for name, payload in ear.messages if "/event/" in name]
    assert len(topics) == len(set(topics))


def test_a_log_that_cannot_be_written_stops_no_play_and_is_counted(
    hall: Hall, capsys: pytest.CaptureFixture[str]
) -> None:
    _, ear, service, observations = hall
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    with capsys.disabled():
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, limit[1]))  # no file of this process may grow
        try:
            for one in observations[:600]:
                service.observe(one)
            service.health({})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert service.unlogged > 0
    assert service.journal.waiting > 0
    service.health({})
    assert service.journal.waiting == 0
    until(lambda: [h for h in ear.of(TOPICS.health) if h.get("disk", {}).get("unlogged")])
