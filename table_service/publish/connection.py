"""One connection to one broker, from CONNECT to its end: paho's callbacks turned into queues for one worker."""

from __future__ import annotations

import logging
import ssl
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from paho.mqtt.client import Client, MQTTMessage, MQTTv5, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from hw.errors import TavoloError
from table_service.events.topics import Topics, level

log = logging.getLogger(__name__)
_CONNECT_SECONDS: Final = 10.0
_TAKEN_OVER: Final = 142
"""Reason of a DISCONNECT: another client has connected with this identifier (MQTT 5, 3.14.2.1). Debian's mosquitto
(2.0.11) ends the line without a word."""
_KEEP_ALIVE: Final = 15
_SESSION_SECONDS: Final = 3600
"""Seconds for which a broker keeps orders for an absent table; they are refused as stale then, not lost silently."""


class ConnectionRefused(TavoloError):  # noqa: N818
    """The broker answered, and said no; the message is a part of a sentence."""


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """A broker and how to sign in. ``embedded``: a bare MQTT 3.1.1 broker that gets public topics only.

    ``tls``: whom to believe and the certificate to show; None: nothing is encrypted.
    """

    host: str
    port: int
    username: str | None = None
    password: str | None = None
    embedded: bool = False
    tls: ssl.SSLContext | None = None


@dataclass(frozen=True, slots=True)
class Received:
    """A message that came in; ``retained`` means that it lay in the broker before we subscribed."""

    topic: str
    payload: bytes
    retained: bool


class Connection:
    """A connection that is used once. Everything but paho's own thread runs in the worker that opened it."""

    def __init__(self, broker: BrokerAddress, topics: Topics, will: bytes, wake: threading.Event) -> None:
        self._broker = broker
        self._wake = wake
        self._answered = threading.Event()
        self._refusal: str | None = None
        self._down = False
        self._messages: deque[Received] = deque()
        self._acknowledged: deque[tuple[int, ReasonCode | None]] = deque()
        self.window = 20
        self.why: str | None = None
        self.taken_over = False
        """True if the broker ended it because another machine has connected under this table's name."""
        self._client = self._make_client(f"tavolo-{level(topics.hall)}-{level(topics.table)}")
        self._client.will_set(topics.status, will, qos=1, retain=True)

    def _make_client(self, name: str) -> Client:
        if self._broker.embedded:
            client = Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=MQTTv311, clean_session=True)
        else:
            client = Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=MQTTv5)
        if self._broker.username is not None:
            client.username_pw_set(self._broker.username, self._broker.password)
        if self._broker.tls is not None:
            client.tls_set_context(self._broker.tls)
        client.max_inflight_messages_set(self.window)
        client.max_queued_messages_set(0)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        client.on_publish = self._on_publish
        return client

    # --- paho's thread -----------------------------------------------------------------------------------------------

    def _on_connect(
        self, _client: Client, _data: Any, _flags: Any, reason: ReasonCode, properties: Properties | None
    ) -> None:
        if reason.is_failure:
            self._refusal = f"it refuses the table ({reason})"
        elif properties is not None:
            self.window = int(getattr(properties, "ReceiveMaximum", self.window))
        self._answered.set()

    def _on_disconnect(
        self, _client: Client, _data: Any, _flags: Any, reason: ReasonCode, _properties: Properties | None
    ) -> None:
        self._down = True
        self.taken_over = reason.value == _TAKEN_OVER
        self.why = f"the connection ended ({reason})"
        self._answered.set()
        self._wake.set()

    def _on_message(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        self._messages.append(Received(message.topic, bytes(message.payload), bool(message.retain)))
        self._wake.set()

    def _on_publish(
        self, _client: Client, _data: Any, mid: int, reason: ReasonCode, _properties: Properties | None
    ) -> None:
        self._acknowledged.append((mid, reason))
        self._wake.set()

    # --- the worker --------------------------------------------------------------------------------------------------

    @property
    def alive(self) -> bool:
        """True if the broker is still there, as far as is known."""
        return not self._down

    @property
    def address(self) -> str:
        """This machine's own address on the way to the broker; empty while there is none."""
        line: Any = self._client.socket()
        try:
            return "" if line is None else str(line.getsockname()[0])
        except OSError:
            return ""

    def open(self) -> None:
        """Connect and wait for the broker's yes. Raises OSError or ConnectionRefused."""
        address = {"host": self._broker.host, "port": self._broker.port, "keepalive": _KEEP_ALIVE}
        try:
            if self._broker.embedded:
                self._client.connect(**address)  # type: ignore[arg-type]
            else:
                session = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
                session.SessionExpiryInterval = _SESSION_SECONDS
                self._client.connect(**address, clean_start=False, properties=session)  # type: ignore[arg-type]
        except OSError as error:
            raise ConnectionRefused(f"no answer ({error.strerror or error})") from error
        self._client.loop_start()
        if not self._answered.wait(_CONNECT_SECONDS) or self._refusal or self._down:
            self.close()
            why = self._refusal or self.why or "it takes the connection and says nothing"
            if self._broker.tls is not None and not self._refusal:
                why += "; is this table's certificate revoked or at its end?"
            raise ConnectionRefused(why)

    def subscribe(self, topics: Sequence[str]) -> None:
        """Subscribe with QoS 1."""
        self._client.subscribe([(topic, 1) for topic in topics])

    def publish(
        self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False, expires: int | None = None
    ) -> int:
        """Hand a message over; returns the number under which it is acknowledged. ``expires`` in seconds (MQTT 5)."""
        properties = None
        if expires is not None and not self._broker.embedded:
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
            properties.MessageExpiryInterval = expires
        return self._client.publish(topic, payload, qos=qos, retain=retain, properties=properties).mid

    def next_message(self) -> Received | None:
        """Return the oldest message not looked at yet."""
        return self._messages.popleft() if self._messages else None

    def next_acknowledgement(self) -> tuple[int, ReasonCode | None] | None:
        """Return the oldest acknowledgement not looked at yet: the message's number and the broker's word."""
        return self._acknowledged.popleft() if self._acknowledged else None

    def wait_acknowledged(self, mid: int, timeout: float) -> bool:
        """Wait for one acknowledgement; others that come meanwhile are dropped (used at the very end only)."""
        deadline = time.monotonic() + timeout
        while self.alive and (left := deadline - time.monotonic()) > 0:
            while (answer := self.next_acknowledgement()) is not None:
                if answer[0] == mid:
                    return True
            self._wake.clear()
            self._wake.wait(min(left, 0.1))
        return False

    def close(self) -> None:
        """End the connection; the broker does not speak the last will after an orderly end."""
        self._client.disconnect()
        self._client.loop_stop()
