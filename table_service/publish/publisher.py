"""The table's voice on MQTT: events from the outbox, retained state, alerts and health, orders back in.

One worker thread owns the connection; every connection is a new client, so that nothing waits in a library's queue:
what the broker has not acknowledged is read from the outbox again and sent marked late. Receivers drop repetitions
and restore order by ``(boot, seq)``.
"""

from __future__ import annotations

import json
import logging
import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from table_service.events.resending import BOOTS_TOLD, contents
from table_service.events.signing import SigningIdentity
from table_service.events.topics import Topics, parse
from table_service.publish.connection import BrokerAddress, Connection, ConnectionRefused, Received
from table_service.publish.event_flight import IN_FLIGHT, EventFlight, compact
from table_service.publish.gate import CommandGate
from table_service.publish.outbox import Outbox
from table_service.publish.resender import Resender
from table_service.publish.sealing import Sealing
from table_service.publish.standing_words import StandingWords

log = logging.getLogger(__name__)
FIRST_RETRY: Final = 0.25
LONGEST_RETRY: Final = 15.0
TWIN_RETRY: Final = 5.0
"""The first wait after another machine has taken this table's name at the broker; each further one is twice as long."""
LONGEST_TWIN_RETRY: Final = 120.0
TWIN_GONE_S: Final = 600.0
"""Duration of a connection that proves that the other machine is gone."""
CONTENTS_EVERY: Final = 5.0
"""Seconds between two messages about the contents of the journal."""


@dataclass(frozen=True, slots=True)
class LinkReport:
    """State of the table's link to its broker; ``retrying`` is one sentence while it does not reach it."""

    connected: bool
    connections: int
    failures: int
    acknowledged: int
    in_flight: int
    refused: int
    retrying: str | None
    taken_over: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON has it."""
        return {
            "connected": self.connected,
            "connections": self.connections,
            "failures": self.failures,
            "acknowledged": self.acknowledged,
            "in_flight": self.in_flight,
            "refused": self.refused,
            "retrying": self.retrying,
            "taken_over": self.taken_over,
        }


class Publisher:
    """Publishes one table. All methods may be called from any thread and return at once, except those that wait."""

    def __init__(
        self,
        topics: Topics,
        broker: BrokerAddress,
        outbox: Outbox,
        *,
        boot: str,
        version: str = "",
        gate: CommandGate | None = None,
        frames: Callable[[str], bytes | None] | None = None,
        sealing: Sealing | None = None,
        identity: Mapping[str, Any] | None = None,
        voice: SigningIdentity | None = None,
    ) -> None:
        """Make a publisher. ``gate`` takes orders, ``frames`` gives the JPEG of a requested picture.

        ``identity`` names the certificates with which events are signed; it is sent before them. ``voice`` signs state,
        status and health, answers to orders, the extent of the journal and what is sent again.
        ``sealing`` is left out on an embedded broker: nothing hidden goes through one.
        """
        self._topics = topics
        self._broker = broker
        self._outbox = outbox
        self._boot = boot
        self._gate = gate
        self._frames = frames
        self._words = StandingWords(topics, boot, version, identity, voice)
        self._events = EventFlight(topics, outbox, boot, None if broker.embedded else sealing)
        self._resender = Resender(topics, outbox, boot, self._words.signed)
        self._wake = threading.Event()
        self._up = threading.Event()
        self._stopping = False
        self._thread: threading.Thread | None = None
        self._outage = False
        self._moved = time.monotonic()
        self._contents: tuple[float, bytes] = (0.0, b"")
        self._connections = self._failures = 0
        self._taken_over = 0
        """Number of recent times that another machine connected under this table's name."""
        self._other: str | None = None
        """Address of that machine, as far as it said; None if none has connected since the connection before."""
        self._address = ""
        self._retrying: str | None = None

    # --- what the service says ---------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to connect, and to publish what the outbox holds."""
        self._thread = threading.Thread(target=self._run, name=f"mqtt-{self._topics.table}", daemon=True)
        self._thread.start()

    def notify(self) -> None:
        """Send what is new: events have come to the outbox."""
        self._events.added()
        self._wake.set()

    def wake(self) -> None:
        """There is something to be sent that was not given here: answers of the gate."""
        self._wake.set()

    def status(self, state: str) -> None:
        """``ready`` or ``init``; ``lost`` is the last will, ``stopped`` is said by ``stop``."""
        self._words.set_status(state)
        self._wake.set()

    def state(self, document: Mapping[str, Any]) -> None:
        """Send the public table as it is now; only the newest is sent."""
        if self._words.set_state(document):
            self._wake.set()

    def alerts(self, open_now: Mapping[str, Mapping[str, Any]]) -> None:
        """All that waits for the arbitro now, by key; what is no longer named is emptied in the broker."""
        self._words.set_alerts(open_now)
        self._wake.set()

    def pictures(self, key: str, document: Mapping[str, Any]) -> None:
        """Set the pictures of an irregularity. The newest are sent again on every connection."""
        self._words.set_pictures(key, document)
        self._wake.set()

    def health(self, document: Mapping[str, Any]) -> None:
        """Set the counters of the table's parts; the state of the link to the broker is added as ``mqtt``."""
        self._words.set_health(document)
        self._wake.set()

    def report(self) -> LinkReport:
        """Return the state of the table's link to its broker."""
        return LinkReport(
            self._up.is_set(),
            self._connections,
            self._failures,
            self._events.acknowledged,
            self._events.count,
            self._events.refused,
            self._retrying,
            self._taken_over,
        )

    def moved(self) -> float:
        """Return when (``time.monotonic``) the worker last did something, be it to wait for a broker."""
        return self._moved if self._thread is not None and self._thread.is_alive() else 0.0

    def wait_connected(self, timeout: float) -> bool:
        """Wait until the broker has taken the connection; False after ``timeout`` seconds."""
        return self._up.wait(timeout)

    def drain(self, timeout: float) -> bool:
        """Wait until every event in the outbox is acknowledged; False after ``timeout`` seconds."""
        self.notify()
        return self._events.wait_drained(timeout)

    def stop(self, timeout: float = 5.0) -> None:
        """Say ``stopped`` and end; what is not acknowledged stays in the outbox."""
        self._stopping = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(timeout)

    # --- the worker --------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        wait = FIRST_RETRY
        while not self._stopping:
            self._moved = time.monotonic()
            will = self._words.status_message("lost", self._connections + 1, self._address)
            try:
                connection = Connection(self._broker, self._topics, will, self._wake)
                connection.open()
            except (OSError, ConnectionRefused, RuntimeError, MemoryError) as error:
                # without memory no thread begins and no buffer is had: tried again like a broker that is away
                self._failed(str(error) or "no memory", wait)
            else:
                began = time.monotonic()
                self._serve(connection)
                if self._stopping:
                    break
                wait = self._wait_after(connection, time.monotonic() - began)
            self._pause(wait)
            wait = min(LONGEST_RETRY, wait * 2)

    def _wait_after(self, connection: Connection, lasted: float) -> float:
        """Say why a connection has ended; return how long to wait before the next.

        Two machines with one name end each other's connections for ever: the waits grow, so that each is heard.
        """
        if lasted >= TWIN_GONE_S:
            self._taken_over = 0
        if not connection.taken_over and self._other is None:
            self._failed(connection.why or "the broker closed the connection", FIRST_RETRY)
            return FIRST_RETRY
        self._taken_over += 1
        wait = min(LONGEST_TWIN_RETRY, TWIN_RETRY * 2.0 ** min(self._taken_over - 1, 8))
        where = f" at {self._other}" if self._other else ""
        name = self._topics.table
        self._failed(f"another machine{where} connects as table {name}, a copied card perhaps: give one its own", wait)
        return wait

    def _failed(self, why: str, wait: float) -> None:
        self._outage = True
        self._failures += 1
        self._retrying = f"MQTT broker {self._broker.host}:{self._broker.port}: {why}; next try in {wait:g} s"
        log.info(self._retrying)

    def _pause(self, wait: float) -> None:
        """Wait before the next try, a little unevenly, so that a hall's tables do not all knock at once."""
        until = time.monotonic() + wait * random.uniform(0.8, 1.2)  # noqa: S311
        while time.monotonic() < until and not self._stopping:
            self._moved = time.monotonic()
            time.sleep(0.05)

    def _serve(self, connection: Connection) -> None:
        """Work on an open connection until it breaks or the service ends."""
        try:
            self._greet(connection)
            while connection.alive and not self._stopping:
                self._moved = time.monotonic()
                self._wake.clear()
                self._answer(connection)
                self._settle(connection)
                self._outbox.sync()
                self._words.send(connection, self._connections, self._standing)
                self._events.send(connection)
                if not self._send_again(connection):
                    self._wake.wait(1.0)
            if self._stopping:
                self._settle(connection)
                self._part(connection)
        except Exception as error:
            # The journal may be full or broken; the table plays on, and this is tried again.
            connection.why = f"{error}"
            log.exception("publishing stopped")
        finally:
            self._up.clear()
            connection.close()
            self._events.end()

    def _greet(self, connection: Connection) -> None:
        """On every connection: subscribe again, and say again what is retained."""
        self._connections += 1
        self._events.begin(after_outage=self._outage)
        self._retrying = None
        self._words.begin()
        self._resender.reconnected()
        self._contents = (0.0, b"")
        self._other, self._address = None, connection.address
        topics = [self._topics.command, self._topics.every("alert"), self._topics.resend]
        connection.subscribe([self._topics.status, *topics] if self._connections > 1 else topics)
        self._up.set()

    def _answer(self, connection: Connection) -> None:
        while (message := connection.next_message()) is not None:
            address = parse(message.topic)
            if address is None:
                continue
            if address.kind == "command":
                self._order(connection, message)
            elif address.kind == "status":
                self._heard_another(message)
            elif address.kind == "resend":
                self._resender.asked(message.payload, left_behind=message.retained)
            elif message.retained and message.payload:
                self._words.alert_found(message.topic)
        for result in () if self._gate is None else self._gate.late_answers():
            self._tell_result(connection, result)

    def _heard_another(self, message: Received) -> None:
        """Note who has spoken as this table since this process did: the broker keeps the last word alone."""
        try:
            said = json.loads(message.payload)
            instance, where = said.get("instance"), said.get("address", "")
        except (ValueError, AttributeError, RecursionError):
            return
        if isinstance(instance, str) and instance != self._words.instance:
            self._other = where if isinstance(where, str) else ""

    def _order(self, connection: Connection, message: Received) -> None:
        if self._gate is None or not message.payload:
            return
        result = self._gate.receive(message.payload, retained=message.retained)
        ref = result.get("ref")
        picture = self._frames(str(ref)) if ref is not None and self._frames is not None else None
        if picture is not None:
            connection.publish(self._topics.evidence(str(ref)), picture)
        self._tell_result(connection, result)

    def _tell_result(self, connection: Connection, result: Mapping[str, Any]) -> None:
        answer = self._words.signed("answer", {**result, "boot": self._boot})
        connection.publish(self._topics.result(str(result["id"] or "unknown")), answer)

    def _settle(self, connection: Connection) -> None:
        """Take in what the broker has acknowledged."""
        answers = list(iter(connection.next_acknowledgement, None))
        for mid in self._events.answered(answers):
            self._resender.acknowledged(mid)

    def _standing(self) -> dict[str, Any]:
        """Return the state of link and journal, as health reports it."""
        n, head = self._outbox.head()
        return {"mqtt": self.report().as_dict(), "journal": {"entries": n, "head": head}}

    def _send_again(self, connection: Connection) -> bool:
        """Announce the available events, and send a part of what a listener lacks: only while nothing new waits.

        True if another part could go at once.
        """
        now = time.monotonic()
        if now - self._contents[0] >= CONTENTS_EVERY:
            told = compact(contents(self._boot, self._outbox.extents(BOOTS_TOLD)))
            if told != self._contents[1]:
                self._tell_contents(connection, told)
            self._contents = (now, told)
        if self._events.count >= IN_FLIGHT:
            return False
        return self._resender.send(connection)

    def _tell_contents(self, connection: Connection, told: bytes) -> None:
        connection.publish(self._topics.journal, self._words.signed("journal", json.loads(told)), retain=True)

    def _part(self, connection: Connection) -> None:
        """Send the last messages, so that the end is not taken for a loss."""
        self._tell_contents(connection, compact(contents(self._boot, self._outbox.extents(BOOTS_TOLD))))
        mid = connection.publish(
            self._topics.status,
            self._words.status_message("stopped", self._connections, connection.address),
            retain=True,
        )
        connection.wait_acknowledged(mid, 2.0)
