"""Received states and events, table by table, in memory; pages that show them are notified of changes."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, Protocol

import msgspec
import structlog

from table_service.console.belief import Belief
from table_service.console.page_watch import Watch
from table_service.console.table_view import PARTS, TableView
from table_service.events.message_sizes import is_too_long
from table_service.events.resending import read_answer, read_contents
from table_service.events.sequence import Run
from table_service.events.signing import Voices
from table_service.events.topics import Address, parse

log = structlog.get_logger("tavolo.console")

EVIDENCE_BYTES: Final = 48 * 1024 * 1024
ALERTS_MOST: Final = 200
"""Most open alerts of one table: no deal has a tenth of them."""
_CHANGES: Final[dict[str, tuple[str, ...]]] = {
    "identity": ("head",),
    "status": ("head", "board"),
    "state": ("head", "board"),
    "event": ("feed", "head"),
    "alert": ("alerts", "head", "board"),
    "evidence": ("alerts",),
    "pictures": ("alerts",),
    "health": ("head",),
    "command": (),
    "journal": (),
    "resent": ("feed", "head"),
    "sealed": (),
}
_URGENT: Final = frozenset({"status", "alert", "command"})
"""What is shown at once; other changes of a hall are gathered for a second."""


class Sink(Protocol):
    """Receiver of the tables' messages (the office)."""

    def all_heard(self, now: float) -> None:
        """Record that the broker has repeated everything that it retains."""
        ...

    def alert(self, place: str, key: str, document: dict[str, Any] | None, now: float) -> None:
        """Record that an alert stands, or has gone."""
        ...

    def event(self, place: str, event: dict[str, Any], body: str) -> None:
        """Take a new event; ``body`` is its JSON without anything sealed."""
        ...

    def frame(self, place: str, ref: str, jpeg: bytes | None, now: float) -> None:
        """Take a picture that was asked for; None if what came is not the one in the table's journal."""
        ...

    def pictured(self, place: str, key: str, document: dict[str, Any], now: float) -> None:
        """Take the list of pictures of an irregularity."""
        ...

    def gone(self, place: str, runs: list[Run], now: float) -> None:
        """Events that are lacking, and that the table does not have any more."""
        ...

    def result(self, place: str, name: str, document: dict[str, Any], now: float) -> None:
        """Take a table's answer to an order."""
        ...

    def status(self, place: str, state: str | None) -> None:
        """Take a table's connection state."""
        ...

    def sealed(self, place: str, document: dict[str, Any], body: str) -> None:
        """Take a sealed message, as it came: only a holder of the arbitro's key can read it."""
        ...


class ConsoleStore:
    """Everything that the tables have said. Used from one event loop; nothing in it blocks."""

    def __init__(
        self, hall: str, tables: tuple[str, ...] = (), sink: Sink | None = None, voices: Voices | None = None
    ) -> None:
        """``voices``: whose signatures are believed; None: nothing is checked."""
        self.hall = hall
        self.voices = voices
        self.belief = Belief(voices, self.tell)
        self.tables: dict[str, TableView] = {name: TableView(name) for name in tables}
        self.connected = False
        self.problem: str | None = None
        self.unreadable = 0
        self.closed = False
        self.sink = sink
        self.tap: Callable[[str, str, str, bytes, float], None] | None = None
        """Who else hears each message once it is taken in: table, kind, topic, payload, and when."""
        self._watchers: set[Watch] = set()

    @contextmanager
    def watch(self) -> Iterator[Watch]:
        """Be told of every change."""
        watcher = Watch()
        self._watchers.add(watcher)
        try:
            yield watcher
        finally:
            self._watchers.discard(watcher)

    def tell(self, *, urgent: bool = True) -> None:
        """Tell all pages that something has changed."""
        for watcher in self._watchers:
            watcher.changed.set()
            if urgent:
                watcher.urgent.set()

    @property
    def watched(self) -> int:
        """Number of watchers."""
        return len(self._watchers)

    def close(self) -> None:
        """End all open streams of pages."""
        self.closed = True
        self.tell()

    def link(self, *, connected: bool, problem: str | None = None) -> None:
        """Set the broker's connection state; ``problem`` is one sentence while it is not reached."""
        self.connected, self.problem = connected, problem
        for table in self.tables.values():
            table.changed("head")
        self.tell()

    def hearing_anew(self) -> None:
        """From now on the broker names every alert that stands, until ``all_heard``."""
        for table in self.tables.values():
            table.standing.clear()

    def all_heard(self, *, now: float) -> None:
        """End alerts that the broker, which has repeated all it retains, did not name: they ended unheard."""
        for table in self.tables.values():
            for key in [key for key in table.alerts if key not in table.standing]:
                self.apply_alert(table, key, None, now=now)
                table.changed("alerts", "head", "board")
        if self.sink is not None:
            self.sink.all_heard(now)
        self.tell()

    def apply(self, topic: str, payload: bytes, *, now: float) -> None:
        """Take in one message; ``now`` is the wall clock in seconds. What cannot be read is counted and left out."""
        address = parse(topic)
        if address is None or address.kind not in _CHANGES:
            return
        table = self.tables.setdefault(address.table, TableView(address.table))
        if is_too_long(address.kind, len(payload)):
            self.refuse_excess(table, f"a message of {len(payload)} bytes on {address.kind}")
            return
        if address.kind != "evidence":
            payload = _whole_pairs(payload)
        match address.kind:
            case "evidence":
                self._frame(table, address.rest, payload, now)
            case "state":
                self._state(table, payload, now)
            case _:
                read = self._read(table, address, payload)
                if read is None:
                    return
                document, payload = read
                if not self._take(table, address, document, payload, now):
                    return
        table.heard = now
        if self.tap is not None:
            self.tap(table.name, address.kind, topic, payload, now)
        table.changed(*_CHANGES[address.kind])
        self.tell(urgent=address.kind in _URGENT)

    def _state(self, table: TableView, payload: bytes, now: float) -> None:
        """Keep a state until somebody asks for it; where tables sign, the one before is read first."""
        if self.voices is not None and table.read_state[0] is not table.raw_state:
            table.unread.append(table.raw_state)
        table.raw_state = payload
        if self.voices is not None:
            table.vouches = partial(self.belief.stands, "state", table)
            if self.voices.may_begin_to_sign(table.name, "state"):
                _ = table.state  # judged at once: from the first signed one on all must be
        for key in sorted(table.emptied):
            self.emptied(table, key, now=now)

    def _read(self, table: TableView, address: Address, payload: bytes) -> tuple[dict[str, Any] | None, bytes] | None:
        """Return a message that can be read, as far as it is the table's own word; None for any other."""
        try:
            document = msgspec.json.decode(payload) if payload else None
        except (ValueError, RecursionError):
            document = ...
        if document is not None and not isinstance(document, dict):
            self.unreadable += 1
            return None
        return self.belief.own_word(table, address, document, payload)

    def heard_too_long(self, topic: str, length: int) -> None:
        """Refuse a message so long that it was not even kept until its turn came."""
        address = parse(topic)
        if address is not None and address.kind in _CHANGES:
            table = self.tables.setdefault(address.table, TableView(address.table))
            self.refuse_excess(table, f"a message of {length} bytes on {address.kind}")

    def refuse_excess(self, table: TableView, what: str) -> None:
        """Count what is longer or more than a table's own; the first one is said."""
        if not table.excess:
            log.error("table", problem=f"table {table.name}: {what} is more than any table tells: refused")
        table.excess += 1
        table.changed("head")
        self.tell(urgent=False)

    def _frame(self, table: TableView, ref: str, payload: bytes, now: float) -> None:
        """Hold a picture if its hash is the one that the table reported; leave out one that no table reported."""
        wanted = table.digests.get(ref)
        if not payload or wanted is None:
            return
        right = hashlib.sha256(payload).hexdigest() == wanted
        if right:
            table.why.pop(ref, None)
            table.evidence[ref] = payload
            table.evidence.move_to_end(ref)
            while sum(map(len, table.evidence.values())) > EVIDENCE_BYTES and len(table.evidence) > 1:
                table.evidence.popitem(last=False)
        else:
            table.why[ref] = "wrong"
        if self.sink is not None:
            self.sink.frame(table.name, ref, payload if right else None, now)

    def _pictured(self, table: TableView, key: str, document: dict[str, Any] | None, now: float) -> bool:
        if not document or not isinstance(document.get("pictures"), list) or not table.tell_pictures(key, document):
            return False
        if self.sink is not None:
            self.sink.pictured(table.name, key, document, now)
        return True

    def _take(
        self, table: TableView, address: Address, document: dict[str, Any] | None, payload: bytes, now: float
    ) -> bool:
        """Put a message where it belongs; False where it says nothing new."""
        match address.kind:
            case "status":
                table.status = _text(document, "state")
                table.boot = _text(document, "boot")
                table.software = _text(document, "version")
                self._speaker(table, document)
                if self.sink is not None:
                    self.sink.status(table.name, table.status)
            case "identity":
                self.belief.introduced(table, document)
            case "health":
                table.health = document
            case "alert":
                self.apply_alert(table, address.rest, document, now=now)
            case "event":
                return document is not None and self._event(table, document, payload)
            case "pictures":
                return self._pictured(table, address.rest, document, now)
            case "command":
                return self._result(table, address.rest, document, now)
            case "sealed":
                return self._sealed(table, document, payload)
            case "journal":
                table.gaps.tell(read_contents(document or {}))
            case "resent":
                return document is not None and self._resent(table, document, now)
        return True

    def apply_alert(self, table: TableView, key: str, document: dict[str, Any] | None, *, now: float) -> None:
        """Record that an alert stands, or has gone (None)."""
        if document is not None and key not in table.alerts and len(table.alerts) >= ALERTS_MOST:
            self.refuse_excess(table, f"an alert beyond {ALERTS_MOST} that stand")
        elif document is not None:
            self._pictured(table, key, _pictures_of(document), now)
            table.alerts[key] = document
            table.standing.add(key)
            table.emptied.discard(key)
            table.ended.pop(key, None)
            if self.voices is not None:
                _ = table.state  # read, so that its place is known
                table.alert_places[key] = table.places.get("state")
            if self.sink is not None:
                self.sink.alert(table.name, key, document, now)
        elif key in table.alerts:
            self.emptied(table, key, now=now)

    def emptied(self, table: TableView, key: str, *, now: float) -> None:
        """Drop an alert that the broker has no more: it has ended, or waits (``emptied``) for the table's word."""
        if not self.belief.has_ended(table, key):
            table.emptied.add(key)
            return
        table.emptied.discard(key)
        table.alert_places.pop(key, None)
        gone = table.alerts.pop(key, None)
        if gone is not None:
            table.end(key, {**gone, **table.ended.get(key, {})})
            table.changed("alerts", "head", "board")
        if self.sink is not None:
            self.sink.alert(table.name, key, None, now)

    def remember(self, place: str, bodies: list[str]) -> None:
        """Take in events of before the console's start as their JSON, oldest first."""
        table = self.tables.setdefault(place, TableView(place))
        for body in bodies:
            table.enter(msgspec.json.decode(body), body.encode())
        table.changed(*PARTS)

    def _event(self, table: TableView, event: dict[str, Any], payload: bytes) -> bool:
        if "secret" in event:
            del event["secret"]
            payload = json.dumps(event, ensure_ascii=False).encode()
        if not table.enter(event, payload):
            return False
        if not event.get("late") and table.twins.heard(event["boot"]):
            self._two(table)
        if self.sink is not None:
            self.sink.event(table.name, event, payload.decode(errors="replace"))
        return True

    def _speaker(self, table: TableView, document: dict[str, Any] | None) -> None:
        """Note which machine says that the table is there; a last will is said by the broker."""
        instance, address = (_text(document, name) or "" for name in ("instance", "address"))
        if instance and table.status in ("ready", "init") and table.heard_from(instance[:32], address[:64]):
            self._two(table)

    def _two(self, table: TableView) -> None:
        """Two machines speak as one table: said in the log, once, and at the table's head."""
        where = ", ".join(filter(None, table.addresses.values()))
        said = f"two machines speak as table {table.name} ({where}): switch one off, or give it a name"
        log.error("table", problem=said)
        table.changed("head")

    def _resent(self, table: TableView, document: dict[str, Any], now: float) -> bool:
        """Events that were lacking, and which of them nobody has any more."""
        part = read_answer(document)
        if part is None:
            return False
        for event in part.events:
            self._event(table, event, json.dumps(event, ensure_ascii=False).encode("utf-8", "replace"))
        lost = table.gaps.give_up(part.gone)
        if lost and self.sink is not None:
            self.sink.gone(table.name, lost, now)
        table.gaps.answered(part, time.monotonic())
        return True

    def _sealed(self, table: TableView, document: dict[str, Any] | None, payload: bytes) -> bool:
        if document is not None and self.sink is not None:
            self.sink.sealed(table.name, document, payload.decode(errors="replace"))
        return False

    def _result(self, table: TableView, rest: str, document: dict[str, Any] | None, now: float) -> bool:
        name, _, last = rest.partition("/")
        if last != "result" or document is None or self.sink is None:
            return False
        self.sink.result(table.name, str(document.get("id") or name), document, now)
        return True


def _pictures_of(alert: dict[str, Any]) -> dict[str, Any] | None:
    """Return what an alert says of its pictures, as the table says it on its own topic too."""
    about, evidence = alert.get("pictures"), alert.get("evidence")
    if not isinstance(about, dict) or not isinstance(evidence, list):
        return None
    frames = [one for one in evidence if isinstance(one, dict) and one.get("kind") == "frame"]
    return {"key": alert.get("key"), **about, "pictures": frames}


def _text(document: dict[str, Any] | None, key: str) -> str | None:
    value = (document or {}).get(key)
    return value if isinstance(value, str) else None


def _whole_pairs(payload: bytes) -> bytes:
    """``payload`` without halves of surrogate pairs, which JSON can say and neither a page nor a file can take."""
    if b"\\ud" not in payload and b"\\uD" not in payload:
        return payload
    try:
        return json.dumps(json.loads(payload), ensure_ascii=False).encode("utf-8", "replace")
    except (ValueError, RecursionError):
        return payload
