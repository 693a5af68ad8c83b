"""What the console knows, and it knows only what came over MQTT: one view per table, fed message by message."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from table_service.events.sequence import Received
from table_service.events.topics import Address, level, parse

EVENTS_KEPT: Final = 400
ENDED_KEPT: Final = 20
EVIDENCE_BYTES: Final = 48 * 1024 * 1024
PARTS: Final = ("alerts", "head", "board", "feed")
"""The parts of a table’s page that change by themselves, what is urgent first."""
_CHANGES: Final[dict[str, tuple[str, ...]]] = {
    "status": ("head", "board"),
    "state": ("head", "board"),
    "event": ("feed", "head"),
    "alert": ("alerts", "head", "board"),
    "evidence": ("alerts",),
    "health": ("head",),
}


@dataclass(slots=True)
class TableView:
    """One table as its messages tell it. ``None`` where nothing was said yet."""

    name: str
    status: str | None = None
    boot: str | None = None
    software: str | None = None
    state: dict[str, Any] | None = None
    alerts: dict[str, dict[str, Any]] = field(default_factory=dict)
    ended: OrderedDict[str, dict[str, Any]] = field(default_factory=OrderedDict)
    events: list[dict[str, Any]] = field(default_factory=list)
    health: dict[str, Any] | None = None
    scores: dict[int, dict[str, Any]] = field(default_factory=dict)
    evidence: OrderedDict[str, bytes] = field(default_factory=OrderedDict)
    heard: float | None = None
    versions: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    received: Received = field(default_factory=Received)


class ConsoleStore:
    """Everything the pages show. Used from one event loop; nothing in it blocks."""

    def __init__(self, hall: str, tables: tuple[str, ...] = ()) -> None:
        self.hall = hall
        self.tables: dict[str, TableView] = {name: TableView(name) for name in tables}
        self.connected = False
        self.problem: str | None = None
        self.unreadable = 0
        self.hall_version = 0
        self.closed = False
        self._watchers: set[asyncio.Event] = set()

    @contextmanager
    def watch(self) -> Iterator[asyncio.Event]:
        """An event that is set at every change; whoever watches clears it."""
        changed = asyncio.Event()
        self._watchers.add(changed)
        try:
            yield changed
        finally:
            self._watchers.discard(changed)

    def _tell(self) -> None:
        self.hall_version += 1
        for watcher in self._watchers:
            watcher.set()

    def close(self) -> None:
        """End all open streams of pages."""
        self.closed = True
        self._tell()

    def link(self, *, connected: bool, problem: str | None = None) -> None:
        """Whether the broker is reached; ``problem`` is one sentence while it is not."""
        self.connected, self.problem = connected, problem
        for table in self.tables.values():
            table.versions["head"] += 1
        self._tell()

    def apply(self, topic: str, payload: bytes, *, now: float) -> None:
        """Take in one message; ``now`` is the wall clock in seconds. What cannot be read is counted and left out."""
        address = parse(topic)
        if address is None or address.kind not in _CHANGES:
            return
        table = self.tables.setdefault(address.table, TableView(address.table))
        if address.kind == "evidence":
            self._frame(table, address.rest, payload)
        else:
            try:
                document = json.loads(payload) if payload else None
            except (ValueError, RecursionError):
                document = ...
            if document is not None and not isinstance(document, dict):
                self.unreadable += 1
                return
            if not _take(table, address, document):
                return
        table.heard = now
        for part in _CHANGES[address.kind]:
            table.versions[part] += 1
        self._tell()

    @staticmethod
    def _frame(table: TableView, ref: str, payload: bytes) -> None:
        """A frame that is emptied in the broker stays here for a while: the alert it shows may just have ended."""
        if not payload:
            return
        table.evidence[ref] = payload
        table.evidence.move_to_end(ref)
        while sum(map(len, table.evidence.values())) > EVIDENCE_BYTES and len(table.evidence) > 1:
            table.evidence.popitem(last=False)


def _take(table: TableView, address: Address, document: dict[str, Any] | None) -> bool:
    """Put a message where it belongs; False where it says nothing new."""
    match address.kind:
        case "status":
            table.status = _text(document, "state")
            table.boot = _text(document, "boot")
            table.software = _text(document, "version")
        case "state":
            table.state = document
        case "health":
            table.health = document
        case "alert":
            _alert(table, address.rest, document)
        case "event":
            return document is not None and _event(table, document)
    return True


def _text(document: dict[str, Any] | None, key: str) -> str | None:
    value = (document or {}).get(key)
    return value if isinstance(value, str) else None


def _alert(table: TableView, key: str, document: dict[str, Any] | None) -> None:
    if document is not None:
        table.alerts[key] = document
        table.ended.pop(key, None)
        return
    gone = table.alerts.pop(key, None)
    if gone is not None:
        _end(table, key, {**gone, **table.ended.get(key, {})})


def _end(table: TableView, key: str, document: dict[str, Any]) -> None:
    table.ended[key] = document
    table.ended.move_to_end(key)
    while len(table.ended) > ENDED_KEPT:
        table.ended.popitem(last=False)


def _event(table: TableView, event: dict[str, Any]) -> bool:
    boot, seq, kind = event.get("boot"), event.get("seq"), event.get("type")
    if not isinstance(boot, str) or not isinstance(seq, int) or not isinstance(kind, str):
        return False
    if not table.received.first_time(boot, seq):
        return False
    event.pop("secret", None)
    table.events.append(event)
    table.events.sort(key=lambda e: (e["boot"], e["seq"]))
    del table.events[:-EVENTS_KEPT]
    data = event.get("data")
    if isinstance(data, dict):
        if kind == "score.counted" and isinstance(event.get("deal"), int):
            table.scores[event["deal"]] = data
        if kind == "irregularity" and isinstance(data.get("key"), str) and data.get("state") != "open":
            _end(table, level(data["key"]), data)
            table.versions["alerts"] += 1
    return True
