"""The console's ear and mouth: subscribes to its hall on every connection, sends orders, and keeps trying."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Awaitable, Callable
from typing import Final, cast

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from table_service.console.dispatch import Office
from table_service.console.intake import Intake
from table_service.console.live_tables import ConsoleStore
from table_service.console.settings import ConsoleSettings
from table_service.events.message_sizes import PACKET_BYTES
from table_service.events.topics import ROOT, hall_filter, level

log = logging.getLogger(__name__)
PRESSING: Final = ("identity", "status", "alert/+", "command/+/result")
"""What the console hears by a connection of its own: no alert waits behind what a thousand cards a second tell."""
KINDS: Final = ("state", "health", "evidence/+", "pictures/+", "event/+", "journal", "resent/+", "sealed/+")
"""What else it listens to. Sealed messages it keeps as they are, for reports that an arbitro opens with his key."""
_FIRST_RETRY: Final = 0.25
_LONGEST_RETRY: Final = 10.0
_SESSION_SECONDS: Final = 300
_PENDING_MOST: Final = 2000
_SLICE_S: Final = 0.004
"""So long messages are taken in at a stretch: then the other connection and the pages have their turn."""
_SENDING_MOST: Final = 2000
"""So many messages are on their way out at most; an order beyond stays open in the book, and goes out later."""
Greet = Callable[[aiomqtt.Client], Awaitable[None]]


class Listener:
    """Feeds a store with what the tables of one hall publish, and sends what the office orders.

    It has two connections, and is connected while both are. After subscribing to what is pressing it sends itself a
    mark: the broker repeats what it retains before it hands the mark over, so that from then on an alert that was not
    repeated is known to have ended.
    """

    def __init__(self, settings: ConsoleSettings, store: ConsoleStore, office: Office) -> None:
        self._settings = settings
        self._store = store
        self._office = office
        self._rest = f"tavolo-console-{office.book.broker_name}"
        self._pressing = f"{self._rest}-alerts"
        self._intakes = {
            self._pressing: Intake(pressing=True, too_long=store.heard_too_long),
            self._rest: Intake(too_long=store.heard_too_long),
        }
        office.intakes = {"pressing": self._intakes[self._pressing], "rest": self._intakes[self._rest]}
        self._sending: set[asyncio.Task[None]] = set()
        self._hearing: set[str] = set()
        self._mark = ""
        self._knows_all = asyncio.Event()
        """Set once the broker has named certificates and alerts: what needs them comes by the other connection."""

    async def run(self) -> None:
        """Listen until cancelled; a broker that is away is said in the store and tried again."""
        async with asyncio.TaskGroup() as both:
            both.create_task(self._listen(self._pressing, self._greet))
            await self._knows_all.wait()
            both.create_task(self._listen(self._rest, self._subscribe))

    async def _listen(self, name: str, greet: Greet) -> None:
        wait = _FIRST_RETRY
        where = f"{self._settings.broker_host}:{self._settings.broker_port}"
        while True:
            try:
                async with self._client(name) as client:
                    await greet(client)
                    self._linked(name, there=True)
                    wait = _FIRST_RETRY
                    await self._hear(client, self._intakes[name])
            except (aiomqtt.MqttError, OSError) as error:
                log.info("MQTT broker %s: %s; next try in %g s", where, error, wait)
                self._linked(name, there=False, problem=f"MQTT broker {where}: {error}")
            await asyncio.sleep(wait)
            wait = min(_LONGEST_RETRY, wait * 2)

    async def _greet(self, client: aiomqtt.Client) -> None:
        """Ask for what is pressing, and for the mark behind it."""
        self._mark = f"{ROOT}/{level(self._settings.hall)}/~console/mark/{uuid.uuid4().hex}"
        for message in self._intakes[self._pressing].more():  # of the connection before
            self.take_in(message)
        self._store.hearing_anew()
        await client.subscribe([*((hall_filter(self._settings.hall, kind), 1) for kind in PRESSING), (self._mark, 1)])
        await client.publish(self._mark, b"all", qos=1)
        self._office.send = lambda topic, payload: self._send(client, topic, payload)
        self._office.keep = lambda topic, payload: self._send(client, topic, payload, retain=True)

    @property
    def names(self) -> tuple[str, ...]:
        """Client names of its two sessions at the broker."""
        return tuple(self._intakes)

    async def _subscribe(self, client: aiomqtt.Client) -> None:
        """Ask for the rest."""
        await client.subscribe([(hall_filter(self._settings.hall, kind), 1) for kind in KINDS])

    async def _hear(self, client: aiomqtt.Client, intake: Intake) -> None:
        async for message in client.messages:
            heard_all, end = self.take_in(message), time.perf_counter() + _SLICE_S
            for more in intake.more():
                heard_all |= self.take_in(more)
                if time.perf_counter() > end:
                    break
            if heard_all:
                await client.unsubscribe(self._mark)
            if intake is self._intakes[self._rest] and self._office.book.database.is_behind:
                await asyncio.to_thread(self._office.book.database.flush)

    def take_in(self, message: aiomqtt.Message) -> bool:
        """Take one message in. True where it was the mark behind all that the broker retains."""
        topic = message.topic.value
        if topic == self._mark:
            self._store.all_heard(now=time.time())
            self._knows_all.set()
            return True
        payload = message.payload if isinstance(message.payload, bytes) else b""
        try:
            self._store.apply(topic, payload, now=time.time())
        except Exception:
            # One message must not make the console deaf to all others.
            log.exception("what came on %s could not be taken in", topic)
        return False

    def _linked(self, name: str, *, there: bool, problem: str | None = None) -> None:
        if there:
            self._hearing.add(name)
        else:
            self._hearing.discard(name)
        if self._pressing not in self._hearing:
            self._office.send = self._office.keep = None
        connected = len(self._hearing) == 2
        if connected != self._store.connected or problem != self._store.problem:
            self._store.link(connected=connected, problem=problem)

    def _send(self, client: aiomqtt.Client, topic: str, payload: bytes, *, retain: bool = False) -> None:
        if len(self._sending) >= _SENDING_MOST:
            self._office.unsent += 1
            return
        task = asyncio.get_running_loop().create_task(self._publish(client, topic, payload, retain=retain))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _publish(self, client: aiomqtt.Client, topic: str, payload: bytes, *, retain: bool) -> None:
        try:
            await client.publish(topic, payload, qos=1, retain=retain)
        except (aiomqtt.MqttError, OSError) as error:
            # The order stays open in the book, and is sent again until its time is over.
            log.info("an order did not reach the broker: %s", error)

    def _client(self, name: str) -> aiomqtt.Client:
        """A client whose session outlives a short outage, so that the broker keeps what comes meanwhile."""
        made = self._made(name)
        # an order to two hundred tables is two hundred messages at once: no matter for a warning
        made.pending_calls_threshold = _PENDING_MOST
        return made

    def _made(self, name: str) -> aiomqtt.Client:
        # the queue of this connection, which outlives it
        queue = cast("type[asyncio.Queue[aiomqtt.Message]]", lambda maxsize: self._intakes[name])  # noqa: ARG005
        if self._settings.embedded:
            return aiomqtt.Client(
                self._settings.broker_host,
                self._settings.broker_port,
                identifier=name,
                protocol=aiomqtt.ProtocolVersion.V311,
                clean_session=True,
                username=self._settings.username,
                password=self._settings.password,
                queue_type=queue,
            )
        session = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        session.SessionExpiryInterval = _SESSION_SECONDS
        session.MaximumPacketSize = PACKET_BYTES  # what is longer the broker does not even send
        return aiomqtt.Client(
            self._settings.broker_host,
            self._settings.broker_port,
            identifier=name,
            protocol=aiomqtt.ProtocolVersion.V5,
            clean_start=False,
            properties=session,
            username=self._settings.username,
            password=self._settings.password,
            tls_context=self._settings.broker_tls,
            queue_type=queue,
        )
