"""After deals every byte that left the table, that its disk holds and that the console keeps: no hidden card in it."""

from __future__ import annotations

import json
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from nacl.public import PrivateKey
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from hw.observation_log import read_log
from table_service.console import ConsoleSettings, serving
from table_service.events import Event
from table_service.journal import SealedLog, audit, load_or_make_key
from table_service.publish import BrokerAddress, open_sealed, start_broker
from table_service.publish.broker import find_mosquitto
from table_service.rehearsal.rehearse import prepare
from table_service.service import Places, TableService, first_boot_of

PREFIX = "tavolo/v1/sala/T1/"


def cards_in(value: Any) -> set[str]:
    """Every text in a JSON value that names a card."""
    if isinstance(value, dict):
        return set().union(*(cards_in(one) for one in value.values())) if value else set()
    if isinstance(value, list):
        return set().union(*(cards_in(one) for one in value)) if value else set()
    bare = value.partition("#")[0] if isinstance(value, str) else ""
    return {bare} if bare == "JK" or (len(bare) == 2 and bare[0] in "A23456789TJQK" and bare[1] in "HDCS") else set()


@pytest.mark.parametrize(("rules", "seed"), [("fibur2024", 7), ("fibur2024", 19), ("feburit", 7)])
@pytest.mark.parametrize("with_key", [True, False])
def test_no_byte_names_a_hidden_card(tmp_path: Path, rules: str, seed: int, with_key: bool) -> None:
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed")
    arbitro = PrivateKey.generate()
    broker = start_broker(tmp_path / "broker", kind="mosquitto")
    heard: list[tuple[str, bytes]] = []
    ready = threading.Event()
    ear = Client(CallbackAPIVersion.VERSION2)

    def take(_client: Client, _data: object, message: MQTTMessage) -> None:
        heard.append((message.topic, bytes(message.payload)))

    ear.on_message = take
    ear.on_subscribe = lambda *_: ready.set()
    ear.connect(broker.host, broker.port)
    ear.subscribe("#", qos=1)
    ear.loop_start()
    assert ready.wait(10)
    rehearsal = prepare(rules, seed, 1, table="T1")
    folder = tmp_path / "table"
    folder.mkdir()
    log = folder / "T1.jsonl.gz" if with_key else None  # without a key it names hidden cards in the open
    places = Places(folder / "T1.sqlite", folder / "evidence", folder / "T1.key", log)
    hidden: dict[str, Event] = {}
    settings = ConsoleSettings(broker_port=broker.port, data=tmp_path / "console" / "console.sqlite", copies=0)
    with serving(settings) as running:
        service = TableService(
            rehearsal.header, "sala", places, BrokerAddress(broker.host, broker.port), lambda: 0.0,
            sealed_for=bytes(arbitro.public_key).hex() if with_key else None,
        )  # fmt: skip
        service.start()
        played = list(rehearsal.observations())
        for observation in played:
            for event in service.observe(observation):
                if event.secret is not None:
                    hidden[event.id] = event
        service.close(30)
        running.office.book.kept.flush()
        page = "".join(str(event) for event in running.store.tables["T1"].events)
    ear.disconnect()
    ear.loop_stop()
    broker.stop()
    assert len(hidden) >= 10, "a deal in which nothing is hidden proves nothing"

    # of each event that has something hidden: what is public of it names none of its hidden cards
    told = [json.loads(payload) for topic, payload in heard if "/event/" in topic]
    with sqlite3.connect(settings.data) as db:
        told += [json.loads(body) for (body,) in db.execute("SELECT body FROM event")]
    with sqlite3.connect(places.journal) as db:
        told += [json.loads(body) for (body,) in db.execute("SELECT body FROM entries WHERE kind = 'event'")]
        secrets = [json.loads(one) for (one,) in db.execute("SELECT secret FROM entries WHERE secret IS NOT NULL")]
    about = [event for event in told if event["id"] in hidden]
    assert len(about) >= 3 * len(hidden)
    for event in about:
        own = cards_in(hidden[event["id"]].secret)
        assert not own & cards_in(event["data"]), event
        assert "secret" not in event

    # no secret lies open anywhere: neither in a message nor in any file, nor the tags that would name a card
    needles = [json.dumps(event.secret, ensure_ascii=False, separators=ways) for event in hidden.values()
               for ways in ((",", ":"), (", ", ": "))]  # fmt: skip
    needles += list(rehearsal.header.tags)
    files = [one for one in tmp_path.rglob("*") if one.is_file() and one.suffix != ".key"]
    everything = [(str(one), one.read_bytes()) for one in files] + heard + [("page", page.encode())]
    assert any(name.endswith("T1.sqlite") for name, _ in everything)
    for name, data in everything:
        for needle in needles:
            assert needle.encode() not in data, f"{needle} in {name}"

    # what is sealed opens for the arbitro alone, is signed by the table, and its length tells nothing
    sealed = [payload for topic, payload in heard if topic.startswith(PREFIX + "sealed/")]
    if not with_key:
        assert sealed == []
        assert secrets == []
    else:
        key = load_or_make_key(places.key).verify_key
        opened = [open_sealed(message, arbitro, key) for message in sealed]
        kept = SealedLog(folder / "T1.sealed", arbitro, key)
        assert list(read_log(folder / "T1.sealed", None, kept.opened())[1]) == played
        assert {one["event"] for one in opened} == set(hidden)
        assert all(one["secret"] == hidden[one["event"]].secret for one in opened)
        assert all(list(one) == ["sealed"] for one in secrets)
        assert len({len(json.loads(message)["sealed"]) for message in sealed}) <= 2
    assert audit(places.journal).whole


def test_journals_of_one_name_do_not_take_each_others_places() -> None:
    from datetime import UTC, datetime, timedelta

    now = datetime(2026, 11, 22, 14, tzinfo=UTC)
    ours, later = first_boot_of(now, b"\1"), first_boot_of(now + timedelta(hours=2), b"\0")
    assert ours != first_boot_of(now, b"\2")
    assert ours < later  # a table whose card was changed comes after itself
    assert 1 <= first_boot_of(datetime(1970, 1, 1, tzinfo=UTC), b"\0") < 100
    assert len(f"{first_boot_of(datetime(2056, 1, 1, tzinfo=UTC), bytes([255])):06x}") == 6
