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
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from paho.mqtt.reasoncodes import ReasonCode

from hw.errors import TavoloError
from table_service.events.resending import BOOTS_TOLD, contents
from table_service.events.sequence import Extent
from table_service.events.signing import Kind, Voice
from table_service.events.topics import Topics, parse
from table_service.publish.connection import BrokerAddress, Connection, ConnectionRefused, Received
from table_service.publish.gate import CommandGate
from table_service.publish.resender import Resender
from table_service.publish.retained import RetainedSet
from table_service.publish.sealing import SEALED, Sealing

log = logging.getLogger(__name__)
IN_FLIGHT: Final = 20
"""Events handed to the broker and not yet acknowledged, at most."""
FIRST_RETRY: Final = 0.25
LONGEST_RETRY: Final = 15.0
CONTENTS_EVERY: Final = 5.0
"""Seconds between two messages that tell what the journal holds."""
PICTURES_SAID_AGAIN: Final = 60
"""Of so many irregularities it is said again on a new connection which pictures there are."""


class KeptEvent(Protocol):
    """An event as the outbox gives it."""

    @property
    def n(self) -> int:
        """Its place in the journal."""
        ...

    @property
    def boot(self) -> str:
        """The boot that made it."""
        ...

    @property
    def public(self) -> dict[str, Any]:
        """Its public envelope."""
        ...

    @property
    def secret(self) -> dict[str, Any] | None:
        """What only the arbitro may know."""
        ...

    @property
    def sent(self) -> bool:
        """Whether it was handed to a broker before."""
        ...


class Outbox(Protocol):
    """Where events wait until a broker has them (the journal)."""

    def pending(self, after: int = 0, limit: int = 20) -> Sequence[KeptEvent]:
        """The oldest events after place ``after`` that are not acknowledged."""
        ...

    def mark_sent(self, places: Sequence[int]) -> None:
        """They were handed to a broker."""
        ...

    def mark_acknowledged(self, places: Sequence[int]) -> None:
        """A broker has them."""
        ...

    def head(self) -> tuple[int, str]:
        """The last place on file and its hash."""
        ...

    def extents(self, boots: int) -> Sequence[Extent]:
        """What there is of the newest boots that a broker has had."""
        ...

    def between(self, boot: str, first: int, last: int, limit: int) -> Sequence[dict[str, Any]]:
        """The public envelopes of one boot's events on file, in order."""
        ...

    def highest(self, boot: str) -> int:
        """The highest number of an event of ``boot`` on file."""
        ...


@dataclass(frozen=True, slots=True)
class LinkReport:
    """How the table stands with its broker; ``retrying`` is one sentence while it does not reach it."""

    connected: bool
    connections: int
    failures: int
    acknowledged: int
    in_flight: int
    refused: int
    retrying: str | None

    def as_dict(self) -> dict[str, Any]:
        """The report as JSON has it."""
        return {
            "connected": self.connected,
            "connections": self.connections,
            "failures": self.failures,
            "acknowledged": self.acknowledged,
            "in_flight": self.in_flight,
            "refused": self.refused,
            "retrying": self.retrying,
        }


def _json(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


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
        voice: Voice | None = None,
    ) -> None:
        """``gate`` takes orders, ``frames`` gives the JPEG of a picture that one asks for.

        ``identity`` names the certificates with which events are signed; it is told before them. ``voice`` signs state,
        status and health.
        ``sealing`` is left out on an embedded broker: nothing hidden goes through one.
        """
        self._topics = topics
        self._broker = broker
        self._outbox = outbox
        self._boot = boot
        self._version = version
        self._gate = gate
        self._frames = frames
        self._sealing = None if broker.embedded else sealing
        self._identity = None if identity is None else _json(identity)
        self._voice = voice
        self._said = 0
        """States and healths that were signed since the start."""
        self._wake = threading.Event()
        self._up = threading.Event()
        self._idle = threading.Condition()
        self._stopping = False
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._status = "init"
        self._state: bytes | None = None
        self._health: dict[str, Any] = {}
        self._dirty: set[str] = set()
        self._alerts = RetainedSet()
        self._pictures: OrderedDict[str, bytes] = OrderedDict()
        self._pictures_due: set[str] = set()
        self._outage = False
        self._cursor = 0
        self._late_through = 0
        self._flying: dict[int, int] = {}
        self._parts: dict[int, int] = {}
        self._resender = Resender(topics, outbox, boot)
        self._moved = time.monotonic()
        self._unmarked: list[int] = []
        """Acknowledged by a broker, and not yet noted: the disk takes nothing."""
        self._outbox_trouble = ""
        self._contents: tuple[float, bytes] = (0.0, b"")
        self._acknowledged = self._refused = self._connections = self._failures = 0
        self._retrying: str | None = None
        self._drained = False

    # --- what the service says ---------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to connect, and to publish what the outbox holds."""
        self._thread = threading.Thread(target=self._run, name=f"mqtt-{self._topics.table}", daemon=True)
        self._thread.start()

    def notify(self) -> None:
        """New events are in the outbox."""
        self._drained = False
        self._wake.set()

    def status(self, state: str) -> None:
        """``ready`` or ``init``; ``lost`` is the last will, ``stopped`` is said by ``stop``."""
        self._status = state
        self._mark("status")

    def state(self, document: Mapping[str, Any]) -> None:
        """The public table as it is now; only the newest is sent."""
        payload = _json(document)
        with self._lock:
            if payload == self._state:
                return
            self._state = payload
        self._mark("state")

    def alerts(self, open_now: Mapping[str, Mapping[str, Any]]) -> None:
        """All that waits for the arbitro now, by key; what is no longer named is emptied in the broker."""
        alerts = {self._topics.alert(key): _json(document) for key, document in open_now.items()}
        with self._lock:
            self._alerts.want(alerts)
        self._mark("alerts")

    def pictures(self, key: str, document: Mapping[str, Any]) -> None:
        """Which pictures of an irregularity there are now. The newest are said again on every connection."""
        with self._lock:
            self._pictures[key] = _json(document)
            self._pictures.move_to_end(key)
            self._pictures_due.add(key)
            while len(self._pictures) > PICTURES_SAID_AGAIN:
                self._pictures_due.discard(self._pictures.popitem(last=False)[0])
        self._mark("pictures")

    def health(self, document: Mapping[str, Any]) -> None:
        """Counters of the table's parts; how the link to the broker stands is added as ``mqtt``."""
        with self._lock:
            self._health = dict(document)
        self._mark("health")

    def report(self) -> LinkReport:
        """How the table stands with its broker."""
        return LinkReport(
            self._up.is_set(),
            self._connections,
            self._failures,
            self._acknowledged,
            len(set(self._flying.values())),
            self._refused,
            self._retrying,
        )

    def moved(self) -> float:
        """When (``time.monotonic``) the worker last did something, be it to wait for a broker."""
        return self._moved if self._thread is not None and self._thread.is_alive() else 0.0

    def wait_connected(self, timeout: float) -> bool:
        """Wait until the broker has taken the connection; False after ``timeout`` seconds."""
        return self._up.wait(timeout)

    def drain(self, timeout: float) -> bool:
        """Wait until every event in the outbox is acknowledged; False after ``timeout`` seconds."""
        self.notify()
        with self._idle:
            return self._idle.wait_for(lambda: self._drained, timeout)

    def stop(self, timeout: float = 5.0) -> None:
        """Say ``stopped`` and end; what is not acknowledged stays in the outbox."""
        self._stopping = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(timeout)

    def _mark(self, what: str) -> None:
        with self._lock:
            self._dirty.add(what)
        self._wake.set()

    # --- the worker --------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        wait = FIRST_RETRY
        while not self._stopping:
            self._moved = time.monotonic()
            will = self._status_message("lost", self._connections + 1)
            try:
                connection = Connection(self._broker, self._topics, will, self._wake)
                connection.open()
            except (OSError, ConnectionRefused, RuntimeError, MemoryError) as error:
                # without memory no thread begins and no buffer is had: tried again like a broker that is away
                self._failed(str(error) or "no memory", wait)
            else:
                wait = FIRST_RETRY
                self._serve(connection)
                if self._stopping:
                    break
                self._failed(connection.why or "the broker closed the connection", wait)
            self._pause(wait)
            wait = min(LONGEST_RETRY, wait * 2)

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

    def _status_message(self, state: str, connection: int) -> bytes:
        """The table's status on its so manieth connection: the last will is made before all that it ends."""
        return self._signed("status", _json({"state": state, "boot": self._boot, "version": self._version}), connection)

    def _signed(self, kind: Kind, payload: bytes, said: int) -> bytes:
        """A message with its place and signature, where the table has a key."""
        if self._voice is None:
            return payload
        return _json(self._voice.sign(kind, {**json.loads(payload), "boot": self._boot, "said": said}))

    def _next_said(self) -> int:
        self._said += 1
        return self._said

    def _serve(self, connection: Connection) -> None:
        """Work on an open connection until it breaks or the service ends."""
        try:
            self._greet(connection)
            while connection.alive and not self._stopping:
                self._moved = time.monotonic()
                self._wake.clear()
                self._answer(connection)
                self._settle(connection)
                self._send_retained(connection)
                self._send_events(connection)
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
            self._flying.clear()
            self._parts.clear()

    def _greet(self, connection: Connection) -> None:
        """On every connection: subscribe again, and say again what is retained."""
        self._connections += 1
        self._cursor = 0
        self._late_through = self._outbox.head()[0] if self._outage else 0
        self._retrying = None
        with self._lock:
            self._alerts.reconnected()
            self._pictures_due = set(self._pictures)
            self._dirty |= {"identity", "status", "state", "health"}
        self._resender.reconnected()
        self._contents = (0.0, b"")
        connection.subscribe([self._topics.command, self._topics.every("alert"), self._topics.resend])
        self._up.set()

    def _answer(self, connection: Connection) -> None:
        while (message := connection.next_message()) is not None:
            address = parse(message.topic)
            if address is None:
                continue
            if address.kind == "command":
                self._order(connection, message)
            elif address.kind == "resend":
                self._resender.asked(message.payload, left_behind=message.retained)
            elif message.retained and message.payload:
                with self._lock:
                    self._alerts.found(message.topic)

    def _order(self, connection: Connection, message: Received) -> None:
        if self._gate is None or not message.payload:
            return
        result = self._gate.receive(message.payload, retained=message.retained)
        ref = result.get("ref")
        picture = self._frames(str(ref)) if ref is not None and self._frames is not None else None
        if picture is not None:
            connection.publish(self._topics.evidence(str(ref)), picture)
        connection.publish(self._topics.result(str(result["id"] or "unknown")), _json({**result, "boot": self._boot}))

    def _settle(self, connection: Connection) -> None:
        """Take in what the broker has acknowledged. An event with a sealed part needs both."""
        done = []
        while (answer := connection.next_acknowledgement()) is not None:
            mid, reason = answer
            n = self._flying.pop(mid, None)
            if n is None:
                self._resender.acknowledged(mid)
                continue
            if _failed_code(reason):
                self._refused += 1
                self._parts.pop(n, None)
                continue
            left = self._parts.get(n, 0) - 1
            self._parts[n] = left
            if left == 0:
                del self._parts[n]
                done.append(n)
        self._acknowledged += len(done)
        self._unmarked += done
        if self._unmarked and self._noted(self._outbox.mark_acknowledged, self._unmarked):
            self._unmarked = []

    def _noted(self, mark: Callable[[Sequence[int]], None], places: Sequence[int]) -> bool:
        """Have the outbox note something. False where its disk takes nothing: it is tried again, and play goes on."""
        try:
            mark(places)
        except TavoloError as error:
            if self._outbox_trouble != str(error):
                log.warning("the outbox cannot note what was sent: %s", error)
            self._outbox_trouble = str(error)
            return False
        self._outbox_trouble = ""
        return True

    def _send_retained(self, connection: Connection) -> None:
        with self._lock:
            dirty, self._dirty = self._dirty, set()
            state, health = self._state, dict(self._health)
            alerts = self._alerts.due()
            said, self._pictures_due = sorted(self._pictures_due), set()
            pictures = [(self._topics.pictures(key), self._pictures[key]) for key in said]
        if "identity" in dirty and self._identity is not None:
            connection.publish(self._topics.identity, self._identity, retain=True)
        if "status" in dirty:
            connection.publish(self._topics.status, self._status_message(self._status, self._connections), retain=True)
        if "state" in dirty and state is not None:
            connection.publish(self._topics.state, self._signed("state", state, self._next_said()), retain=True)
        for topic, payload in alerts:
            connection.publish(topic, payload, retain=True)
        for topic, payload in pictures:
            connection.publish(topic, payload)
        if "health" in dirty:
            n, head = self._outbox.head()
            document = {**health, "mqtt": self.report().as_dict(), "journal": {"entries": n, "head": head}}
            payload = self._signed("health", _json(document), self._next_said())
            connection.publish(self._topics.health, payload, qos=0, retain=True)

    def _send_events(self, connection: Connection) -> None:
        room = min(IN_FLIGHT, max(1, connection.window - 2)) - len(set(self._flying.values()))
        if room <= 0:
            return
        batch = self._outbox.pending(self._cursor, room)
        if not batch:
            if not self._flying:
                with self._idle:
                    self._drained = not self._outbox.pending(0, 1)
                    self._idle.notify_all()
            return
        known = set(self._unmarked)
        self._cursor = batch[-1].n
        batch = [kept for kept in batch if kept.n not in known]
        self._noted(self._outbox.mark_sent, [kept.n for kept in batch])  # if not, it is sent again after a restart
        for kept in batch:
            self._send_event(connection, kept)

    def _send_again(self, connection: Connection) -> bool:
        """Tell what there is to be had, and send a part of what somebody lacks: only while nothing new waits.

        True where another part could go at once.
        """
        now = time.monotonic()
        if now - self._contents[0] >= CONTENTS_EVERY:
            told = _json(contents(self._boot, self._outbox.extents(BOOTS_TOLD)))
            if told != self._contents[1]:
                connection.publish(self._topics.journal, told, retain=True)
            self._contents = (now, told)
        if len(set(self._flying.values())) >= IN_FLIGHT:
            return False
        return self._resender.send(connection)

    def _send_event(self, connection: Connection, kept: KeptEvent) -> None:
        event = kept.public
        if kept.sent or kept.boot != self._boot or kept.n <= self._late_through:
            event = {**event, "late": True}
        messages: list[tuple[str, bytes, int | None]] = [
            (self._topics.event(str(event.get("type"))), _json(event), None)
        ]
        if self._sealing is not None and kept.secret is not None:
            sealed = self._sealed(self._sealing, event, kept.secret)
            topic = self._topics.sealed(_deal_of(event))
            messages.append((topic, sealed, self._sealing.expires))
        self._parts[kept.n] = len(messages)
        for topic, payload, expires in messages:
            self._flying[connection.publish(topic, payload, expires=expires)] = kept.n

    def _sealed(self, sealing: Sealing, event: Mapping[str, Any], secret: Mapping[str, Any]) -> bytes:
        """The sealed message: as the outbox keeps it, or made now of what an earlier version kept open."""
        if set(secret) == {SEALED}:
            return str(secret[SEALED]).encode()
        return sealing.seal(self._topics, str(event.get("id")), _deal_of(event), secret)

    def _part(self, connection: Connection) -> None:
        """The last word, so that nobody takes the end for a loss."""
        told = contents(self._boot, self._outbox.extents(BOOTS_TOLD))
        connection.publish(self._topics.journal, _json(told), retain=True)
        mid = connection.publish(self._topics.status, self._status_message("stopped", self._connections), retain=True)
        connection.wait_acknowledged(mid, 2.0)


def _failed_code(reason: ReasonCode | None) -> bool:
    return bool(reason is not None and reason.is_failure)


def _deal_of(event: Mapping[str, Any]) -> int | None:
    """The deal that an event as JSON belongs to; None where it names none."""
    deal = event.get("deal")
    return deal if isinstance(deal, int) else None
