"""Present state of a table in messages: certificates, status, state, alerts, pictures, health.

Only the newest counts. Set by the service from any thread, sent by the publisher's worker, and sent again on every
connection.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Final

from table_service.events.signing import Kind, SigningIdentity
from table_service.events.topics import Topics
from table_service.publish.connection import Connection
from table_service.publish.event_flight import compact
from table_service.publish.retained import RetainedSet

PICTURES_SAID_AGAIN: Final = 60
"""Irregularities whose pictures are listed again on a new connection."""


class StandingWords:
    """The newest of each kind, and which of them the broker has not been sent."""

    def __init__(
        self, topics: Topics, boot: str, version: str, identity: Mapping[str, Any] | None, voice: SigningIdentity | None
    ) -> None:
        """``identity`` names the certificates; ``voice`` signs status, state and health."""
        self._topics = topics
        self._boot = boot
        self._version = version
        self._identity = None if identity is None else compact(identity)
        self._voice = voice
        self.instance = secrets.token_hex(4)
        """Name of the process that speaks: two machines with one card have one journal, one key and the same boots."""
        self._said = 0
        """States and healths that were signed since the start."""
        self._lock = threading.Lock()
        self._status = "init"
        self._state: bytes | None = None
        self._health: dict[str, Any] = {}
        self._dirty: set[str] = set()
        self._alerts = RetainedSet()
        self._open: list[str] = []
        self._pictures: OrderedDict[str, bytes] = OrderedDict()
        self._pictures_due: set[str] = set()

    # --- from any thread ---------------------------------------------------------------------------------------------

    def set_status(self, state: str) -> None:
        """``ready`` or ``init``."""
        with self._lock:
            self._status = state
            self._dirty.add("status")

    def set_state(self, document: Mapping[str, Any]) -> bool:
        """Set the present public state of the table. False if it has not changed."""
        payload = compact(document)
        with self._lock:
            if payload == self._state:
                return False
            self._state = payload
            self._dirty.add("state")
        return True

    def set_alerts(self, open_now: Mapping[str, Mapping[str, Any]]) -> None:
        """All that waits for the arbitro now, by key."""
        alerts = {self._topics.alert(key): compact(document) for key, document in open_now.items()}
        with self._lock:
            self._alerts.want(alerts)
            self._open = sorted(open_now)

    def set_pictures(self, key: str, document: Mapping[str, Any]) -> None:
        """Set the pictures of an irregularity."""
        with self._lock:
            self._pictures[key] = self.signed("pictures", document)
            self._pictures.move_to_end(key)
            self._pictures_due.add(key)
            while len(self._pictures) > PICTURES_SAID_AGAIN:
                self._pictures_due.discard(self._pictures.popitem(last=False)[0])

    def set_health(self, document: Mapping[str, Any]) -> None:
        """Counters of the table's parts."""
        with self._lock:
            self._health = dict(document)
            self._dirty.add("health")

    # --- by the worker -----------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin a connection: all is said again."""
        with self._lock:
            self._alerts.reconnected()
            self._pictures_due = set(self._pictures)
            self._dirty |= {"identity", "status", "state", "health"}

    def alert_found(self, topic: str) -> None:
        """Note that the broker holds an alert there."""
        with self._lock:
            self._alerts.found(topic)

    def status_message(self, state: str, connection: int, address: str = "") -> bytes:
        """Return the table's status on the connection of this number: the last will is made before all that it ends.

        ``address``: this machine's own; empty if it is not known yet.
        """
        document = {"state": state, "boot": self._boot, "version": self._version, "instance": self.instance}
        document |= {"address": address} if address else {}
        return self._signed("status", compact(document), connection)

    def send(self, connection: Connection, number: int, more_health: Callable[[], Mapping[str, Any]]) -> None:
        """Send what has changed on the ``number``-th connection; ``more_health`` is asked for as health is sent."""
        with self._lock:
            dirty, self._dirty = self._dirty, set()
            status, state, health = self._status, self._state, dict(self._health)
            alerts, standing = self._alerts.due(), list(self._open)
            said, self._pictures_due = sorted(self._pictures_due), set()
            pictures = [(self._topics.pictures(key), self._pictures[key]) for key in said]
        if "identity" in dirty and self._identity is not None:
            connection.publish(self._topics.identity, self._identity, retain=True)
        if "status" in dirty:
            connection.publish(
                self._topics.status, self.status_message(status, number, connection.address), retain=True
            )
        for topic, payload in alerts:
            connection.publish(topic, payload, retain=True)
        if state is not None and ("state" in dirty or (alerts and self._voice is not None)):
            # behind its alerts, and said anew with them: an alert has ended where a later state does not name it
            payload = self._signed("state", state, self._next_said(), alerts=standing)
            connection.publish(self._topics.state, payload, retain=True)
        for topic, payload in pictures:
            connection.publish(topic, payload)
        if "health" in dirty:
            payload = self._signed("health", compact({**health, **more_health()}), self._next_said())
            connection.publish(self._topics.health, payload, qos=0, retain=True)

    def signed(self, kind: Kind, document: Mapping[str, Any]) -> bytes:
        """Return a message with its signature, if the table has a key."""
        return compact(document if self._voice is None else self._voice.sign(kind, document))

    def _signed(self, kind: Kind, payload: bytes, said: int, **more: Any) -> bytes:
        """Return a message with its place and signature, if the table has a key; ``more`` goes into a signed one."""
        if self._voice is None:
            return payload
        return self.signed(kind, {**json.loads(payload), **more, "boot": self._boot, "said": said})

    def _next_said(self) -> int:
        self._said += 1
        return self._said
