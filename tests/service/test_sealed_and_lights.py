"""A service over a real broker: hidden cards only sealed; players see whose turn it is and that play stops."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from nacl.public import PrivateKey
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from firmware_bridge import Lights
from hw.observations import Console
from table_service.journal import load_or_make_key
from table_service.publish import BrokerAddress, SealError, open_sealed, start_broker
from table_service.publish.broker import find_mosquitto
from table_service.rehearsal.rehearse import prepare
from table_service.seat_lights import lights_of
from table_service.service import TableFiles, TableService

PLAYING: dict[str, Any] = {"phase": "playing", "round": {"running": True}, "turn": {"seat": "S"}}


def test_the_light_that_stops_play_accuses_nobody() -> None:
    alert = {"key": "r1", "severity": "play-stops", "offender": "W"}
    assert lights_of(PLAYING, ()) == Lights(turn=4, alert=0, sound=0)
    assert lights_of(PLAYING, [alert]) == Lights(turn=4, alert=15, sound=1)


def test_a_call_shines_where_the_arbitro_was_called() -> None:
    assert lights_of(PLAYING, [{"key": "call-E", "call": True, "offender": "E"}]) == Lights(turn=4, alert=2, sound=1)


@pytest.mark.parametrize("severity", ["score", "note"])
def test_what_concerns_only_the_arbitro_shines_nowhere(severity: str) -> None:
    assert lights_of(PLAYING, [{"severity": severity, "offender": "W"}]).alert == 0


@pytest.mark.parametrize(
    "state",
    [
        {"round": {"running": False}, "deal": None},
        {**PLAYING, "phase": "over"},
        {**PLAYING, "round": {"running": False}},
        {**PLAYING, "turn": {"seat": None}},
    ],
)
def test_no_turn_shines_where_nobody_is_known_to_play(state: dict[str, Any]) -> None:
    assert lights_of(state, ()) == Lights(0, 0, 0)


def test_the_start_of_play_is_shown_though_it_is_no_event(tmp_path: Path) -> None:
    """The console tells by the state which tables still wait for it."""
    header = prepare("tarocco", 7, 1).header
    service = TableService(
        header, "prova", TableFiles.under(tmp_path, header.table), BrokerAddress("127.0.0.1", 1), lambda: 0.0
    )
    shown: list[Any] = []
    service.screens.append(lambda state, _alerts: shown.append((state.get("phase"), state["round"]["started"])))
    orders = {"start-round": {"deals": 1}, "deal": {"deal": 1, "dealer": "W"}, "start-play": {}}
    for t, (do, fields) in enumerate(orders.items()):
        service.observe(Console(float(t), "Anna", do, fields))
    service.close(0.0)
    assert shown[-2:] == [("dealt", False), ("dealt", True)]


class Listener:
    """Everything that leaves a table, as any client of the broker sees it."""

    def __init__(self, host: str, port: int) -> None:
        self.messages: list[tuple[str, bytes]] = []
        ready = threading.Event()
        self._client = Client(CallbackAPIVersion.VERSION2, client_id="listener")
        self._client.on_message = self._on_message
        self._client.on_subscribe = lambda *_: ready.set()
        self._client.connect(host, port)
        self._client.subscribe("tavolo/v1/#", qos=1)
        self._client.loop_start()
        assert ready.wait(10)

    def _on_message(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        self.messages.append((message.topic, bytes(message.payload)))

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def test_hidden_cards_of_a_running_table_reach_only_the_arbitros_key(tmp_path: Path) -> None:
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed")
    arbitro = PrivateKey.generate()
    broker = start_broker(tmp_path / "broker", kind="mosquitto")
    listener = Listener(broker.host, broker.port)
    rehearsal = prepare("fibur2024", 7, 1, ("F-31a",))
    rehearsal.cut_short(6)
    now = 0.0
    service = TableService(
        rehearsal.header,
        "sala",
        TableFiles.under(tmp_path / "table", "T1"),
        BrokerAddress(broker.host, broker.port),
        lambda: now,
        sealed_for=bytes(arbitro.public_key).hex(),
    )
    shown: list[Lights] = []
    service.displays.append(shown.append)
    try:
        service.start()
        for observation in rehearsal.observations():
            now = observation.t
            service.observe(observation)
        service.close(30)
    finally:
        listener.close()
        broker.stop()

    # the lights: a turn for each seat, and the draw out of turn stops play for all until it is ruled
    assert {light.turn for light in shown} >= {1, 2, 4, 8}
    stopped = [light.alert for light in shown]
    assert 15 in stopped
    assert stopped[-1] == 0

    # sealed: what was drawn, for the arbitro alone, signed with the key of this table's journal
    key = load_or_make_key(tmp_path / "table" / "T1.key").verify_key
    sealed = [payload for topic, payload in listener.messages if topic == "tavolo/v1/sala/T1/sealed/1"]
    drawn = [json.loads(payload) for topic, payload in listener.messages if topic.endswith("/event/card.drawn")]
    opened = {one["event"]: one["secret"] for one in (open_sealed(message, arbitro, key) for message in sealed)}
    assert drawn
    assert sum(event["id"] in opened for event in drawn) > len(drawn) / 2, "gates name most of the cards drawn"
    assert not any("secret" in event or "card" in event["data"] or "cards" in event["data"] for event in drawn)
    with pytest.raises(SealError):
        open_sealed(sealed[0], PrivateKey.generate(), key)
    for event in drawn:
        for card in opened.get(event["id"], {}).get("cards", ()):
            assert card.encode() not in json.dumps(event).encode()


def test_without_a_key_nothing_hidden_leaves_the_table(tmp_path: Path) -> None:
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed")
    broker = start_broker(tmp_path / "broker", kind="mosquitto")
    listener = Listener(broker.host, broker.port)
    rehearsal = prepare("fibur2024", 7, 1)
    rehearsal.script.cut(40)
    places = TableFiles.under(tmp_path / "table", "T1")
    service = TableService(
        rehearsal.header, "sala", places, BrokerAddress(broker.host, broker.port), lambda: 0.0, sealed_for=None
    )
    try:
        service.start()
        for observation in rehearsal.observations():
            service.observe(observation)
        service.close(30)
    finally:
        listener.close()
        broker.stop()
    assert any(topic.endswith("/event/card.drawn") for topic, _ in listener.messages)
    assert not any("/sealed/" in topic for topic, _ in listener.messages)
