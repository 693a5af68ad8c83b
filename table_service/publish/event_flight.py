"""Events on their way to a broker: a few at a time, from the outbox, until each is acknowledged.

Nothing waits in a library's queue: what the broker of a connection has not acknowledged is read from the outbox again
on the next one, and sent marked late.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from paho.mqtt.reasoncodes import ReasonCode

from hw.errors import TavoloError
from table_service.events.topics import Topics
from table_service.publish.connection import Connection
from table_service.publish.outbox import KeptEvent, Outbox
from table_service.publish.sealing import SEALED, Sealing

log = logging.getLogger(__name__)
IN_FLIGHT: Final = 20
"""Events handed to the broker and not yet acknowledged, at most."""


class EventFlight:
    """Messages under way of one table's outbox. Used by the publisher's worker, except where it says otherwise."""

    def __init__(self, topics: Topics, outbox: Outbox, boot: str, sealing: Sealing | None) -> None:
        """``sealing`` None: nothing hidden is sent."""
        self._topics = topics
        self._outbox = outbox
        self._boot = boot
        self._sealing = sealing
        self._cursor = 0
        self._late_through = 0
        self._flying: dict[int, int] = {}
        """Place in the journal of each message that is not acknowledged."""
        self._parts: dict[int, int] = {}
        """Number of messages of an event that are not acknowledged."""
        self._unmarked: list[int] = []
        """Acknowledged by a broker, and not yet noted: the disk takes nothing."""
        self._trouble = ""
        self._idle = threading.Condition()
        self._drained = False
        self.acknowledged = self.refused = 0

    @property
    def count(self) -> int:
        """Number of events under way. From any thread."""
        return len(set(self._flying.values()))

    def added(self) -> None:
        """There are new events. From any thread."""
        self._drained = False

    def wait_drained(self, timeout: float) -> bool:
        """Wait until every event is acknowledged; False after ``timeout`` seconds. From any thread."""
        with self._idle:
            return self._idle.wait_for(lambda: self._drained, timeout)

    def begin(self, *, after_outage: bool) -> None:
        """Begin a connection: from the oldest on, and after an outage what was emitted before it is late."""
        self._cursor = 0
        self._late_through = self._outbox.head()[0] if after_outage else 0

    def end(self) -> None:
        """Forget the answers to what was under way: the connection is gone."""
        self._flying.clear()
        self._parts.clear()

    def answered(self, answers: Sequence[tuple[int, ReasonCode | None]]) -> list[int]:
        """Take in what the broker has answered. An event with a sealed part needs both. Returns what is no event's."""
        done, others = [], []
        for mid, reason in answers:
            n = self._flying.pop(mid, None)
            if n is None:
                others.append(mid)
                continue
            if reason is not None and reason.is_failure:
                self.refused += 1
                self._parts.pop(n, None)
                continue
            left = self._parts.get(n, 0) - 1
            self._parts[n] = left
            if left == 0:
                del self._parts[n]
                done.append(n)
        self.acknowledged += len(done)
        self._unmarked += done
        if self._unmarked and self._noted(self._outbox.mark_acknowledged, self._unmarked):
            self._unmarked = []
        return others

    def send(self, connection: Connection) -> None:
        """Send the next events, as far as there is room for them."""
        room = min(IN_FLIGHT, max(1, connection.window - 2)) - self.count
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
            self._send_one(connection, kept)

    def _noted(self, mark: Callable[[Sequence[int]], None], places: Sequence[int]) -> bool:
        """Have the outbox note something. False if its disk takes nothing: it is tried again, and play goes on."""
        try:
            mark(places)
        except TavoloError as error:
            if self._trouble != str(error):
                log.warning("the outbox cannot note what was sent: %s", error)
            self._trouble = str(error)
            return False
        self._trouble = ""
        return True

    def _send_one(self, connection: Connection, kept: KeptEvent) -> None:
        event = kept.public
        if kept.sent or kept.boot != self._boot or kept.n <= self._late_through:
            event = {**event, "late": True}
        messages: list[tuple[str, bytes, int | None]] = [
            (self._topics.event(str(event.get("type"))), compact(event), None)
        ]
        if self._sealing is not None and kept.secret is not None:
            sealed = self._sealed(self._sealing, event, kept.secret)
            messages.append((self._topics.sealed(_deal_of(event)), sealed, self._sealing.expires))
        self._parts[kept.n] = len(messages)
        for topic, payload, expires in messages:
            self._flying[connection.publish(topic, payload, expires=expires)] = kept.n

    def _sealed(self, sealing: Sealing, event: Mapping[str, Any], secret: Mapping[str, Any]) -> bytes:
        """Return the sealed message: as the outbox keeps it, or made now of what an earlier version kept open."""
        if set(secret) == {SEALED}:
            return str(secret[SEALED]).encode()
        return sealing.seal(self._topics, str(event.get("id")), _deal_of(event), secret)


def compact(document: Mapping[str, Any]) -> bytes:
    """Return a document as it goes out."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def _deal_of(event: Mapping[str, Any]) -> int | None:
    """Return the deal that an event as JSON belongs to; None if it names none."""
    deal = event.get("deal")
    return deal if isinstance(deal, int) else None
