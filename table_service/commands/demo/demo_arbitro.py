"""The demo's arbitro: gives orders as the console does, signed over MQTT, and waits until the table says done."""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Mapping
from typing import Any, Final

from nacl.signing import SigningKey
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from table_service.events.commands import sign_command
from table_service.events.topics import Topics

NAME: Final = "arbitro-1"
_PATIENCE_S: Final = 5.0


class Arbitro:
    """One arbitro at one table. ``keys`` is what the table must know of him."""

    def __init__(self, hall: str, table: str, host: str, port: int) -> None:
        """Connect at the first order, so that a broker that is not up yet does no harm."""
        self._key = SigningKey.generate()
        self._topics = Topics(hall, table)
        self._table = table
        self._address = (host, port)
        self._client: Client | None = None
        self._answers: dict[str, dict[str, Any]] = {}
        self._changed = threading.Condition()
        self._subscribed = threading.Event()

    @property
    def keys(self) -> dict[str, str]:
        """The arbitro's name and public key in hexadecimal."""
        return {NAME: self._key.verify_key.encode().hex()}

    def order(self, do: str, fields: Mapping[str, Any]) -> bool:
        """Give an order; whether the table took it within five seconds."""
        client = self._connected()
        if client is None:
            return False
        name = uuid.uuid4().hex
        order = sign_command(self._key, id=name, by=NAME, table=self._table, do=do, issued=time.time(), fields=fields)
        client.publish(self._topics.command, json.dumps(order).encode(), qos=1)
        with self._changed:
            self._changed.wait_for(lambda: self._answers.get(name, {}).get("ok") is not None, _PATIENCE_S)
            return bool(self._answers.pop(name, {}).get("ok"))

    def close(self) -> None:
        """Disconnect."""
        if self._client is not None:
            self._client.disconnect()
            self._client.loop_stop()

    def _connected(self) -> Client | None:
        if self._client is None:
            client = Client(CallbackAPIVersion.VERSION2, client_id=f"arbitro-{uuid.uuid4().hex[:8]}")
            client.on_message = self._on_message
            client.on_subscribe = lambda *_: self._subscribed.set()
            try:
                client.connect(*self._address)
            except OSError:
                return None
            client.subscribe(f"{self._topics.command}/+/result", qos=1)
            client.loop_start()
            self._client = client
        return self._client if self._subscribed.wait(_PATIENCE_S) else None

    def _on_message(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        try:
            answer = json.loads(message.payload)
        except ValueError:
            return
        if isinstance(answer, dict) and isinstance(answer.get("id"), str):
            with self._changed:
                self._answers[answer["id"]] = answer
                self._changed.notify_all()
