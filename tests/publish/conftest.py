"""A broker on a free port, a journal, and one who listens."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from nacl.signing import SigningKey
from paho.mqtt.client import Client, MQTTv5, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion

from table_service.journal import Entry, Journal
from table_service.publish import Broker, BrokerAddress, BrokerError, Publisher, start_broker
from table_service.publish.broker import find_mosquitto


@dataclass
class Bench:
    """What a test of publishing needs, with its clean-up."""

    folder: Path
    closing: list[Any] = field(default_factory=list)

    def broker(self, *, kind: str = "mosquitto", port: int = 0, name: str = "broker") -> Broker:
        if kind == "mosquitto" and find_mosquitto() is None:
            pytest.skip("mosquitto is not installed")
        try:
            broker = start_broker(self.folder / name, kind=kind, port=port)  # type: ignore[arg-type]
        except BrokerError as error:
            pytest.skip(str(error))
        self.closing.append(broker.stop)
        return broker

    def journal(self, name: str = "T1.sqlite") -> Journal:
        journal = Journal.open(self.folder / name, "T1", SigningKey(bytes(range(32))))
        self.closing.append(journal.close)
        return journal

    def started(self, publisher: Publisher) -> Publisher:
        publisher.start()
        self.closing.append(publisher.stop)
        return publisher

    def listener(self, broker: Broker, topic: str = "tavolo/v1/#", **kwargs: Any) -> Listener:
        listener = Listener(broker, topic, **kwargs)
        self.closing.append(listener.close)
        return listener


class Listener:
    """Collects what comes over a topic, and waits for it."""

    def __init__(self, broker: Broker, topic: str, *, name: str = "") -> None:
        self.messages: list[tuple[str, bytes, bool]] = []
        self._changed = threading.Condition()
        embedded = broker.kind == "embedded"
        self.client = Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=MQTTv311 if embedded else MQTTv5)
        self.client.on_message = self._take
        ready = threading.Event()
        self.client.on_connect = lambda *_: self.client.subscribe(topic, 1)
        self.client.on_subscribe = lambda *_: ready.set()
        self.client.reconnect_delay_set(0.1, 0.5)
        self.client.connect(broker.host, broker.port)
        self.client.loop_start()
        assert ready.wait(10)

    def _take(self, _client: Client, _data: Any, message: Any) -> None:
        with self._changed:
            self.messages.append((message.topic, bytes(message.payload), bool(message.retain)))
            self._changed.notify_all()

    def wait(self, wanted: Any, timeout: float = 20.0) -> Any:
        """Wait until ``wanted(messages)`` is true and return it."""
        with self._changed:
            answer = self._changed.wait_for(lambda: wanted(self.messages), timeout)
        assert answer, [m[0] for m in self.messages]
        return answer

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    for close in reversed(made.closing):
        close()


def address(broker: Broker) -> BrokerAddress:
    return BrokerAddress(broker.host, broker.port, embedded=broker.kind == "embedded")


def entry(journal: Journal, secret: dict[str, Any] | None = None, kind: str = "card.drawn") -> Entry:
    seq = journal.next_seq()
    event = {"v": 1, "id": f"T1-{journal.boot}-{seq:06d}", "table": "T1", "boot": journal.boot, "seq": seq, "deal": 1}
    return Entry({**event, "type": kind, "data": {"card": "??"}, "late": False}, secret)


@pytest.fixture
def make_entry() -> Any:
    return entry


@pytest.fixture
def address_of() -> Any:
    return address
