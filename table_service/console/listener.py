"""The console's ear and mouth: subscribes to its hall on every connection, sends orders, and keeps trying."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Final

from table_service.console.dispatch import Office
from table_service.console.intake import Intake
from table_service.console.live_tables import ConsoleStore
from table_service.console.mqtt_link import ConnectOptions, Link, LinkError, Message, opened
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
_SLICE_S: Final = 0.004
"""So long messages are taken in at a stretch: then the other connection and the pages have their turn."""
_WAITING_MOST: Final = 2000
"""Most cards that wait; beyond that nothing is read, and the broker keeps what comes."""
_SENDING_MOST: Final = 2000
"""So many messages are on their way out at most; an order beyond stays open in the book, and goes out later."""
Greet = Callable[[Link], Awaitable[None]]


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
                async with self._opened(name) as link:
                    await greet(link)
                    self._linked(name, there=True)
                    wait = _FIRST_RETRY
                    await self._until_it_ends(link, self._intakes[name])
            except (LinkError, OSError) as error:
                log.info("MQTT broker %s: %s; next try in %g s", where, error, wait)
                self._linked(name, there=False, problem=f"MQTT broker {where}: {error}")
            await asyncio.sleep(wait)
            wait = min(_LONGEST_RETRY, wait * 2)

    async def _greet(self, link: Link) -> None:
        """Ask for what is pressing, and for the mark behind it."""
        self._mark = f"{ROOT}/{level(self._settings.hall)}/~console/mark/{uuid.uuid4().hex}"
        for message in self._intakes[self._pressing].more():  # of the connection before
            self.take_in(message)
        self._store.hearing_anew()
        await link.subscribe([*(hall_filter(self._settings.hall, kind) for kind in PRESSING), self._mark])
        await link.publish(self._mark, b"all")
        self._office.send = lambda topic, payload: self._send(link, topic, payload)
        self._office.keep = lambda topic, payload: self._send(link, topic, payload, retain=True)

    @property
    def names(self) -> tuple[str, ...]:
        """Client names of its two sessions at the broker."""
        return tuple(self._intakes)

    async def _subscribe(self, link: Link) -> None:
        """Ask for the rest."""
        await link.subscribe([hall_filter(self._settings.hall, kind) for kind in KINDS])

    async def _until_it_ends(self, link: Link, intake: Intake) -> None:
        """Hear what comes; raises what ended it."""
        hearing = asyncio.create_task(self._hear(link, intake))
        try:
            done, _ = await asyncio.wait((hearing, link.ended), return_when=asyncio.FIRST_COMPLETED)
            for one in done:
                one.result()
        finally:
            hearing.cancel()

    async def _hear(self, link: Link, intake: Intake) -> None:
        while True:
            message = await intake.get()
            heard_all, end = self.take_in(message), time.perf_counter() + _SLICE_S
            for more in intake.more():
                heard_all |= self.take_in(more)
                if time.perf_counter() > end:
                    break
            if heard_all:
                await link.unsubscribe(self._mark)
            if intake is self._intakes[self._rest]:
                link.is_reading(wanted=intake.qsize() < _WAITING_MOST)
                if self._office.book.database.is_behind:
                    await asyncio.to_thread(self._office.book.database.flush)
            await asyncio.sleep(0)

    def take_in(self, message: Message) -> bool:
        """Take one message in. True where it was the mark behind all that the broker retains."""
        topic = message.topic
        if topic == self._mark:
            self._store.all_heard(now=time.time())
            self._knows_all.set()
            return True
        try:
            self._store.apply(topic, message.payload, now=time.time())
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

    def _send(self, link: Link, topic: str, payload: bytes, *, retain: bool = False) -> None:
        if len(self._sending) >= _SENDING_MOST:
            self._office.unsent += 1
            return
        task = asyncio.get_running_loop().create_task(self._publish(link, topic, payload, retain=retain))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _publish(self, link: Link, topic: str, payload: bytes, *, retain: bool) -> None:
        try:
            await link.publish(topic, payload, retain=retain)
        except (LinkError, OSError) as error:
            # The order stays open in the book, and is sent again until its time is over.
            log.info("an order did not reach the broker: %s", error)

    def _opened(self, name: str) -> AbstractAsyncContextManager[Link]:
        """Return a connection whose session outlives a short outage, so that the broker keeps what comes meanwhile."""
        said = self._settings
        session = None if said.embedded else _SESSION_SECONDS
        # what is longer than PACKET_BYTES the broker does not even send
        hello = ConnectOptions(name, session, PACKET_BYTES, said.username, said.password)
        tls = None if said.embedded else said.broker_tls
        return opened(said.broker_host, said.broker_port, hello, self._intakes[name], tls)
