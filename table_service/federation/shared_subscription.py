"""One connection of a worker to the federation's broker: shared subscriptions, acknowledged when the archive has it.

MQTT 5, QoS 1. A message counts as taken once ``acknowledge`` was called; what is not acknowledged when the connection
ends comes again, here or to another worker.
"""

from __future__ import annotations

import ssl
import threading
import uuid
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from table_service.events.message_sizes import PACKET_BYTES
from table_service.events.topics import ROOT
from table_service.federation.errors import FederationError

GROUP: Final = "archive"
SHARED: Final = (f"$share/{GROUP}/{ROOT}/+/+/event/+", f"$share/{GROUP}/{ROOT}/+/+/resent/+")
"""Subscriptions of which every message goes to one of the workers."""
IDENTITIES: Final = f"{ROOT}/+/+/identity"
"""Every worker needs the certificates of all tables: it cannot choose which events it is given."""
BRIDGE: Final = "~bridge"
"""The table's place in the topic on which a hall's broker says that it is there."""
LED: Final = (f"{ROOT}/+/+/journal", f"{ROOT}/+/+/status", f"{ROOT}/+/{BRIDGE}/state")
"""Subscriptions of the worker that looks for gaps."""
AT_ONCE: Final = 2000
"""Most messages that are not acknowledged: two batches, so that one comes while the other is written."""
SESSION_S: Final = 60
"""Seconds for which the broker keeps a worker's share while it is away; what is lost then comes from the journals."""
_PATIENCE_S: Final = 10.0
_KEEP_ALIVE: Final = 15
_QUESTION_S: Final = 60
"""Seconds after which a question that no hall has fetched is forgotten."""


class BrokerAwayError(FederationError):
    """The federation's broker refuses, or is not reached."""


class SharedMessage(NamedTuple):
    """A message and the number under which it is acknowledged."""

    topic: str
    payload: bytes
    number: int
    qos: int


@dataclass(frozen=True, slots=True)
class FederationBroker:
    """The federation's broker, the authority to believe and the certificate to show; ``tls`` None: in the clear."""

    host: str
    port: int
    tls: ssl.SSLContext | None = None

    @property
    def place(self) -> str:
        """The broker as a sentence names it."""
        return f"the federation's broker {self.host}:{self.port}"


class MessageInbox:
    """Messages that have come, between the thread that hears and the one that works. ``place``: where they are from."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._messages: deque[SharedMessage] = deque()
        self._changed = threading.Condition()
        self._wanted = 1
        self._ended = ""

    def put(self, message: SharedMessage) -> None:
        """Add a message; who waits is woken by the first and by the last that he wants."""
        with self._changed:
            self._messages.append(message)
            if len(self._messages) in (1, self._wanted):
                self._changed.notify_all()

    def end(self, why: str) -> None:
        """Say that nothing more comes."""
        with self._changed:
            self._ended = why
            self._changed.notify_all()

    def take(self, most: int, patience: float, gather: float = 0.0) -> list[SharedMessage]:
        """Return up to ``most`` messages that have come; waits ``patience`` seconds for the first.

        ``gather``: seconds for which it then waits for more, unless there are ``most``: one transaction for many.
        Raises BrokerAwayError once nothing more comes: what was not acknowledged comes again.
        """
        with self._changed:
            self._wanted = most
            if self._changed.wait_for(lambda: self._messages or self._ended, patience) and gather:
                self._changed.wait_for(lambda: len(self._messages) >= most or self._ended, gather)
            if self._ended:
                raise BrokerAwayError(f"{self._place} went away: {self._ended}")
            return [self._messages.popleft() for _ in range(min(most, len(self._messages)))]


class SharedSubscription:
    """A connection that is used once. ``mark``: a topic of its own; its message comes behind all that is retained."""

    def __init__(self, broker: FederationBroker, name: str, session_s: int = SESSION_S) -> None:
        """``name``: the worker's own, under which the broker knows its share again."""
        self._broker = broker
        self._session_s = session_s
        self._inbox = MessageInbox(broker.place)
        self.take = self._inbox.take
        self._changed = threading.Condition()
        self._answer: str | None = None
        self._down = ""
        self.mark = f"{ROOT}/~archive/mark/{uuid.uuid4().hex}"
        client = Client(
            CallbackAPIVersion.VERSION2, client_id=f"tavolo-archive-{name}", protocol=MQTTv5, manual_ack=True,
            reconnect_on_failure=False,
        )  # fmt: skip
        if broker.tls is not None:
            client.tls_set_context(broker.tls)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        self._client = client

    # --- paho's thread -----------------------------------------------------------------------------------------------

    def _on_connect(self, _client: Client, _data: Any, _flags: Any, code: Any, _properties: Any) -> None:
        with self._changed:
            self._answer = str(code) if code.is_failure else ""
            self._changed.notify_all()

    def _on_disconnect(self, _client: Client, _data: Any, _flags: Any, code: Any, _properties: Any) -> None:
        with self._changed:
            self._down = str(code) or "the connection ended"
            self._changed.notify_all()
        self._inbox.end(self._down)

    def _on_message(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        self._inbox.put(SharedMessage(message.topic, bytes(message.payload), message.mid, message.qos))

    # --- the worker --------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Connect, ask for certificates, then for a share of the events. Raises BrokerAwayError."""
        session = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        session.SessionExpiryInterval = self._session_s
        session.ReceiveMaximum = AT_ONCE
        session.MaximumPacketSize = PACKET_BYTES
        try:
            self._client.connect(
                self._broker.host, self._broker.port, keepalive=_KEEP_ALIVE, clean_start=False, properties=session
            )
        except (OSError, ValueError) as error:
            raise BrokerAwayError(f"{self._broker.place} is not reached: {error}") from None
        self._client.loop_start()
        with self._changed:
            self._changed.wait_for(lambda: self._answer is not None or self._down, _PATIENCE_S)
        if self._answer != "" or self._down:
            self.close()
            raise BrokerAwayError(f"{self._broker.place} refuses: {self._answer or self._down or 'it says nothing'}")
        self.ask_identities()
        self._client.subscribe([(self.mark, 1)])
        self._client.publish(self.mark, b"all", qos=1)
        self._client.subscribe([(topic, 1) for topic in SHARED])

    def ask_identities(self) -> None:
        """Have every table's certificates sent once more."""
        self._client.subscribe([(IDENTITIES, 1)])

    def lead(self, *, wanted: bool) -> None:
        """Hear what halls and journals say of themselves, from now on or no longer."""
        if wanted:
            self._client.subscribe([(topic, 1) for topic in LED])
        else:
            self._client.unsubscribe(list(LED))

    def ask(self, topic: str, question: bytes) -> None:
        """Put a question to a table; one that its hall does not fetch is forgotten."""
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        properties.MessageExpiryInterval = _QUESTION_S
        self._client.publish(topic, question, qos=1, properties=properties)

    def acknowledge(self, messages: Iterable[SharedMessage]) -> None:
        """Tell the broker that these are taken."""
        for one in messages:
            if one.qos:
                self._client.ack(one.number, one.qos)

    def close(self) -> None:
        """End the connection in order."""
        self._client.disconnect()
        self._client.loop_stop()
