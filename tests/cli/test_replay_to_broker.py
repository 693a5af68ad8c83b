"""`tavolo replay --to BROKER`: a past evening at a broker, as its table told it; wrong addresses are one sentence."""

from __future__ import annotations

import json
import threading
import time

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from table_service.commands.replay_to_broker import ReplayAddressError, broker_at
from table_service.publish import BrokerError, start_broker


@pytest.fixture(scope="module")
def broker(tmp_path_factory):
    try:
        started = start_broker(tmp_path_factory.mktemp("broker"))
    except BrokerError as error:
        pytest.skip(str(error))
    if started.kind == "embedded":
        started.stop()
        pytest.skip("the embedded broker speaks MQTT 3.1.1 only")
    yield started
    started.stop()


def test_a_log_is_told_to_a_broker_as_its_table_told_it_under_a_hall_of_its_own(
    broker, invoke, rehearsed, tmp_path, events_in
):
    heard, ready = [], threading.Event()
    client = Client(CallbackAPIVersion.VERSION2)
    client.on_message = lambda _c, _d, message: heard.append((message.topic, message.payload))
    client.on_subscribe = lambda *_: ready.set()
    client.connect(broker.host, broker.port)
    client.subscribe("tavolo/v1/#", 1)
    client.loop_start()
    assert ready.wait(10)
    result = invoke("replay", rehearsed, "--to", f"mqtt://{broker.host}:{broker.port}", "--speed", 0)
    assert result.exit_code == 0, result.output
    out = tmp_path / "events.jsonl"
    invoke("replay", rehearsed, "--events", out)
    wanted = [(event["type"], event["t"], event["data"]) for event in events_in(out.read_text(encoding="utf-8"))]

    def told():
        events = [json.loads(payload) for topic, payload in list(heard) if "/event/" in topic]
        return [(e["type"], e["t"], e["data"]) for e in sorted(events, key=lambda e: e["seq"])]

    end = time.monotonic() + 20
    while len(told()) < len(wanted) and time.monotonic() < end:
        time.sleep(0.05)
    client.disconnect()
    client.loop_stop()
    assert told() == wanted
    assert {topic.split("/")[2] for topic, _ in heard} == {"replay"}
    assert f"{len(wanted)} events to" in result.stdout


def test_a_broker_that_is_not_there_is_one_sentence(invoke, rehearsed, monkeypatch):
    monkeypatch.setattr("table_service.commands.replay_to_broker.PATIENCE_S", 0.3)
    result = invoke("replay", rehearsed, "--to", "mqtt://127.0.0.1:9", "--speed", 0)
    assert result.exit_code == 1
    assert "is not reached" in result.output


@pytest.mark.parametrize(
    "wrong", ["http://x", "mqtt://", "mqtt://x:99999", "mqtt://[::1", "mqtt://x/topic", "mqtt://a:secret@x"]
)
def test_an_address_that_names_no_broker_is_refused(invoke, rehearsed, wrong):
    result = invoke("replay", rehearsed, "--to", wrong)
    assert result.exit_code == 2
    assert "secret" not in result.output
    with pytest.raises(ReplayAddressError):
        broker_at(wrong)
