"""What the console has heard, table by table, in memory; who shows it is told when something changes.

State and events of a table are kept as they came and read when a page shows them: a hall of 200 tables sends a
thousand a second, and the objects of 30 000 read events made Python's collector stop the whole console for 0.2 s.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from bisect import insort
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from types import NoneType
from typing import Any, Final, Protocol

import structlog

from table_service.console.missing_events import TableGaps
from table_service.console.twins import Twins
from table_service.events.resending import read_answer, read_contents
from table_service.events.sequence import Run
from table_service.events.signing import STANDING, Kind, Place, Voices, place_of
from table_service.events.topics import Address, level, parse
from table_service.events.untrusted import as_list

log = structlog.get_logger("tavolo.console")

EVENTS_KEPT: Final = 160
ENDED_KEPT: Final = 20
PICTURED_KEPT: Final = 200
EVIDENCE_BYTES: Final = 48 * 1024 * 1024
UNREAD_KEPT: Final = 4
_UNREAD: Final = b"unread"
_READ_KEPT: Final = 1000
"""So many events that a page has shown stay read."""
PARTS: Final = ("alerts", "head", "board", "feed")
"""The parts of a table’s page that change by themselves, what is urgent first."""
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
}
_URGENT: Final = frozenset({"status", "alert", "command"})
"""What is shown at once; other changes of a hall are gathered for a second."""


class Sink(Protocol):
    """Who is told what the tables say (the office)."""

    def all_heard(self, now: float) -> None:
        """The broker has repeated everything that it retains."""
        ...

    def alert(self, place: str, key: str, document: dict[str, Any] | None, now: float) -> None:
        """An alert stands, or has gone."""
        ...

    def event(self, place: str, event: dict[str, Any], body: str) -> None:
        """A new event; ``body`` is its JSON without anything sealed."""
        ...

    def frame(self, place: str, ref: str, jpeg: bytes | None, now: float) -> None:
        """A picture that was asked for; None where what came is not the one in the table's journal."""
        ...

    def pictured(self, place: str, key: str, document: dict[str, Any], now: float) -> None:
        """Which pictures of an irregularity there are."""
        ...

    def gone(self, place: str, runs: list[Run], now: float) -> None:
        """Events that are lacking, and that the table does not have any more."""
        ...

    def result(self, place: str, name: str, document: dict[str, Any], now: float) -> None:
        """What a table says of an order."""
        ...

    def status(self, place: str, state: str | None) -> None:
        """Whether a table is there."""
        ...


def _state_of(payload: bytes) -> dict[str, Any] | None:
    try:
        document = json.loads(payload) if payload else None
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


@dataclass(slots=True)
class TableView:
    """One table as its messages tell it. ``None`` where nothing was said yet."""

    name: str
    status: str | None = None
    boot: str | None = None
    software: str | None = None
    alerts: dict[str, dict[str, Any]] = field(default_factory=dict)
    ended: OrderedDict[str, dict[str, Any]] = field(default_factory=OrderedDict)
    told: list[tuple[str, int, bytes]] = field(default_factory=list)
    """Boot, number and JSON, without anything sealed, of the newest events in the table's order."""
    health: dict[str, Any] | None = None
    scores: dict[int, dict[str, Any]] = field(default_factory=dict)
    evidence: OrderedDict[str, bytes] = field(default_factory=OrderedDict)
    kept_frames: frozenset[str] = frozenset()
    """Pictures that the book has from before the start."""
    pictured: OrderedDict[str, dict[str, Any]] = field(default_factory=OrderedDict)
    """Which pictures of each irregularity there are, by its key."""
    digests: dict[str, str] = field(default_factory=dict)
    """The hash of every picture that a table told of."""
    why: dict[str, str] = field(default_factory=dict)
    """Why a picture that there is could not be had."""
    heard: float | None = None
    versions: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    gaps: TableGaps = field(default_factory=TableGaps)
    """Which events have come, and which are lacking."""
    twins: Twins = field(default_factory=Twins)
    """Whether two machines speak under this name."""
    unsigned: bool = False
    """Whether messages are taken as the table's though it has shown no certificate."""
    refused: int = 0
    """Messages under this table's name that its key did not sign: they are shown nowhere."""
    early: int = 0
    """Those of them that came before the table had shown any certificate: they may have been its own."""
    round_at: tuple[str, int] = ("", 0)
    """Where the newest round began."""
    scored_at: dict[int, tuple[str, int]] = field(default_factory=dict)
    standing: set[str] = field(default_factory=set)
    """Alerts that the broker has named since the last connection."""
    raw_state: bytes = b""
    read_state: tuple[bytes, dict[str, Any] | None] = (b"", None)
    unread: deque[bytes] = field(default_factory=lambda: deque(maxlen=UNREAD_KEPT))
    """States that came before the newest one, and that nobody has read: the newest may be none of the table's."""
    places: dict[str, Place] = field(default_factory=dict)
    """The place of the newest state, status and health that bore one."""
    vouches: Callable[[dict[str, Any] | None], bool] = lambda _document: True
    """Whether a state is the table's own word, asked when it is read: a hall tells a thousand a second."""

    @property
    def state(self) -> dict[str, Any] | None:
        """The public table; None where it was not said or cannot be read. One that is not its own changes nothing."""
        if self.read_state[0] is not self.raw_state:
            documents = (_state_of(payload) for payload in (self.raw_state, *reversed(self.unread)))
            own = next((one for one in documents if self.vouches(one)), self.read_state[1])
            self.unread.clear()
            self.read_state = (self.raw_state, own)
        return self.read_state[1]

    @property
    def events(self) -> list[dict[str, Any]]:
        """The newest events in the table's order; not to be changed."""
        return [_read(body) for _, _, body in self.told]

    @property
    def newest(self) -> dict[str, Any] | None:
        """The newest event; not to be changed."""
        return _read(self.told[-1][2]) if self.told else None

    def tell_pictures(self, key: str, document: dict[str, Any]) -> bool:
        """Take in which pictures of an irregularity there are; False where that was known."""
        if self.pictured.get(key) == document:
            return False
        self.pictured[key] = document
        self.pictured.move_to_end(key)
        while len(self.pictured) > PICTURED_KEPT:
            self.pictured.popitem(last=False)
        for one in document.get("pictures") or ():
            if isinstance(one, dict) and isinstance(one.get("sha256"), str):
                self.digests[str(one.get("ref"))] = one["sha256"]
        return True

    def changed(self, *parts: str) -> None:
        """Parts of this table's page are to be shown anew."""
        for part in parts:
            self.versions[part] += 1


class Watch:
    """Who shows something: ``changed`` at every change, ``urgent`` where it cannot wait."""

    __slots__ = ("changed", "hurried", "place", "urgent")

    def __init__(self, place: str | None) -> None:
        self.place = place
        self.hurried = False
        self.changed = asyncio.Event()
        self.urgent = asyncio.Event()

    async def wait(self, quiet: float, gather: float, slow: float) -> bool:
        """Wait for a change, at most ``quiet`` seconds; False where there was none.

        What comes within ``gather`` seconds is shown together; what is not urgent may wait ``slow`` seconds. Afterwards
        ``hurried`` says whether something urgent was among it.
        """
        try:
            await asyncio.wait_for(self.changed.wait(), quiet)
        except TimeoutError:
            return False
        if slow > gather and not self.urgent.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self.urgent.wait(), slow)
        await asyncio.sleep(gather)
        self.hurried = self.urgent.is_set()
        self.changed.clear()
        self.urgent.clear()
        return True


class ConsoleStore:
    """Everything that the tables have said. Used from one event loop; nothing in it blocks."""

    def __init__(
        self, hall: str, tables: tuple[str, ...] = (), sink: Sink | None = None, voices: Voices | None = None
    ) -> None:
        """``voices``: whose signatures are believed; None: nothing is checked."""
        self.hall = hall
        self.voices = voices
        self.tables: dict[str, TableView] = {name: TableView(name) for name in tables}
        self.connected = False
        self.problem: str | None = None
        self.unreadable = 0
        self.hall_version = 0
        self.closed = False
        self.sink = sink
        self.tap: Callable[[str, str, str, bytes, float], None] | None = None
        """Who else hears each message once it is taken in: table, kind, topic, payload, and when."""
        self._watchers: set[Watch] = set()

    @contextmanager
    def watch(self, place: str | None = None) -> Iterator[Watch]:
        """Be told of every change, or of those that concern the table ``place``."""
        watcher = Watch(place)
        self._watchers.add(watcher)
        try:
            yield watcher
        finally:
            self._watchers.discard(watcher)

    def tell(self, place: str | None = None, *, urgent: bool = True) -> None:
        """Something has changed: at one table, or for all pages."""
        self.hall_version += 1
        for watcher in self._watchers:
            if place is None or watcher.place is None or watcher.place == place:
                watcher.changed.set()
                if urgent:
                    watcher.urgent.set()

    @property
    def watched(self) -> int:
        """How many show something."""
        return len(self._watchers)

    def close(self) -> None:
        """End all open streams of pages."""
        self.closed = True
        self.tell()

    def link(self, *, connected: bool, problem: str | None = None) -> None:
        """Whether the broker is reached; ``problem`` is one sentence while it is not."""
        self.connected, self.problem = connected, problem
        for table in self.tables.values():
            table.changed("head")
        self.tell()

    def hearing_anew(self) -> None:
        """From now on the broker names every alert that stands, until ``all_heard``."""
        for table in self.tables.values():
            table.standing.clear()

    def all_heard(self, *, now: float) -> None:
        """The broker has repeated all it retains: an alert that it did not name ended while nobody listened."""
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
        if address.kind != "evidence":
            payload = _whole_pairs(payload)
        match address.kind:
            case "evidence":
                self._frame(table, address.rest, payload, now)
            case "state":
                if self.voices is not None and table.read_state[0] is not table.raw_state:
                    table.unread.append(table.raw_state)
                table.raw_state = payload
                if self.voices is not None:
                    table.vouches = partial(self._stands, "state", table)
                    if self.voices.may_begin_to_sign(table.name, "state"):
                        _ = table.state  # judged at once: from the first signed one on all must be
            case _:
                read = self._document(table, address, payload)
                if read is None:
                    return
                document, payload = read
                if not self._take(table, address, document, payload, now):
                    return
        table.heard = now
        if self.tap is not None:
            self.tap(table.name, address.kind, topic, payload, now)
        table.changed(*_CHANGES[address.kind])
        self.tell(table.name, urgent=address.kind in _URGENT)

    def _document(
        self, table: TableView, address: Address, payload: bytes
    ) -> tuple[dict[str, Any] | None, bytes] | None:
        """A message that can be read and is the table's own word, as far as it is; None for any other."""
        try:
            document = json.loads(payload) if payload else None
        except (ValueError, RecursionError):
            document = ...
        if document is not None and not isinstance(document, dict):
            self.unreadable += 1
            return None
        if self.voices is not None and (kind := STANDING.get(address.kind)):
            return (document, payload) if self._stands(kind, table, document) else None
        if self.voices is None or document is None:
            return document, payload
        return self._vouched(table, address, document, payload)

    def _vouched(
        self, table: TableView, address: Address, document: dict[str, Any], payload: bytes
    ) -> tuple[dict[str, Any], bytes] | None:
        """A message as far as it is the table's own word; None where nothing of it is."""
        match address.kind:
            case "event":
                own = self._own("event", table, document)
            case "alert":
                own = self._own("alert", table, document) and (
                    level(str(document.get("key") or "")) == address.rest or self._speaks_unsigned(table)
                )
            case "resent":
                events = [one for one in as_list(document.get("events")) if isinstance(one, dict)]
                document = {**document, "events": [one for one in events if self._own("event", table, one)]}
                return document, json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")
            case _:
                own = True
        return (document, payload) if own else None

    def _stands(self, kind: Kind, table: TableView, document: dict[str, Any] | None) -> bool:
        """Whether a state, status or health is the table's own word, and not one of before that is shown again.

        An empty one, with which a broker forgets what it retained, is no word of a table that signs.
        """
        if document is None:
            return self.voices is None or not (self.voices.must_sign or self.voices.knows(table.name))
        if not self._own(kind, table, document):
            return False
        place = place_of(document)
        if place is None or "signature" not in document:
            return True
        if place < table.places.get(kind, place):
            self._refuse(table, f"an old {kind} of table {table.name} was said again: refused")
            return False
        table.places[kind] = place
        return True

    def _own(self, kind: Kind, table: TableView, document: dict[str, Any]) -> bool:
        """Whether the table has said this, as far as that can be known."""
        if self.voices is None:
            return True
        verdict = self.voices.judge(kind, table.name, document)
        if verdict == "unsigned" and not table.unsigned:
            table.unsigned = True
            table.changed("head")
        if verdict == "refused":
            table.early += not self.voices.knows(table.name)
            self._refuse(table, f"what came as table {table.name}'s word is not signed by it: refused")
        return verdict != "refused"

    def _refuse(self, table: TableView, why: str) -> None:
        """Count a message that is not believed; the first one is said."""
        if not table.refused:
            log.error("table", problem=why)
        table.refused += 1
        table.changed("head")
        self.tell(table.name)

    def _speaks_unsigned(self, table: TableView) -> bool:
        return self.voices is None or not self.voices.knows(table.name)

    def _introduced(self, table: TableView, document: dict[str, Any] | None) -> None:
        """Take in the certificates that a table shows: from now on it can be believed.

        They come by another connection than events and states, so that one of these may have come before: it was
        refused, counts no more, and is asked for again or judged anew.
        """
        if self.voices is None or document is None:
            return
        wrong = self.voices.introduce(table.name, document)
        known = self.voices.knows(table.name)
        table.unsigned = table.unsigned and not known
        if known and table.early:
            table.refused, table.early = table.refused - table.early, 0
            table.read_state = (_UNREAD, table.read_state[1])
        if wrong:
            log.warning("table", problem=f"table {table.name} showed {wrong} certificates that are not its own")

    def _frame(self, table: TableView, ref: str, payload: bytes, now: float) -> None:
        """A picture is held where its hash is the one that the table told of; one that nobody told of is left out."""
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
                if self.sink is not None:
                    self.sink.status(table.name, table.status)
            case "identity":
                self._introduced(table, document)
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
            case "journal":
                table.gaps.tell(read_contents(document or {}))
            case "resent":
                return document is not None and self._resent(table, document, now)
        return True

    def apply_alert(self, table: TableView, key: str, document: dict[str, Any] | None, *, now: float) -> None:
        """An alert stands, or has gone (None)."""
        if document is not None:
            self._pictured(table, key, _pictures_of(document), now)
            table.alerts[key] = document
            table.standing.add(key)
            table.ended.pop(key, None)
        else:
            gone = table.alerts.pop(key, None)
            if gone is None:
                return
            _end(table, key, {**gone, **table.ended.get(key, {})})
        if self.sink is not None:
            self.sink.alert(table.name, key, document, now)

    def remember(self, place: str, bodies: list[str]) -> None:
        """Take in events of before the console's start as their JSON, oldest first."""
        table = self.tables.setdefault(place, TableView(place))
        for body in bodies:
            _enter(table, json.loads(body), body.encode())
        table.changed(*PARTS)

    def _event(self, table: TableView, event: dict[str, Any], payload: bytes) -> bool:
        if "secret" in event:
            del event["secret"]
            payload = json.dumps(event, ensure_ascii=False).encode()
        if not _enter(table, event, payload):
            return False
        if not event.get("late") and table.twins.heard(event["boot"]):
            log.error("table", problem=f"two machines speak as table {table.name}: switch one off, or give it a name")
            table.changed("head")
        if self.sink is not None:
            self.sink.event(table.name, event, payload.decode(errors="replace"))
        return True

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

    def _result(self, table: TableView, rest: str, document: dict[str, Any] | None, now: float) -> bool:
        name, _, last = rest.partition("/")
        if last != "result" or document is None or self.sink is None:
            return False
        self.sink.result(table.name, str(document.get("id") or name), document, now)
        return True


def _pictures_of(alert: dict[str, Any]) -> dict[str, Any] | None:
    """What an alert says of its pictures, as the table says it on its own topic too."""
    about, evidence = alert.get("pictures"), alert.get("evidence")
    if not isinstance(about, dict) or not isinstance(evidence, list):
        return None
    frames = [one for one in evidence if isinstance(one, dict) and one.get("kind") == "frame"]
    return {"key": alert.get("key"), **about, "pictures": frames}


def _text(document: dict[str, Any] | None, key: str) -> str | None:
    value = (document or {}).get(key)
    return value if isinstance(value, str) else None


def _end(table: TableView, key: str, document: dict[str, Any]) -> None:
    table.ended[key] = document
    table.ended.move_to_end(key)
    while len(table.ended) > ENDED_KEPT:
        table.ended.popitem(last=False)


def _whole_pairs(payload: bytes) -> bytes:
    """``payload`` without halves of surrogate pairs, which JSON can say and neither a page nor a file can take."""
    if b"\\ud" not in payload and b"\\uD" not in payload:
        return payload
    try:
        return json.dumps(json.loads(payload), ensure_ascii=False).encode("utf-8", "replace")
    except (ValueError, RecursionError):
        return payload


@lru_cache(_READ_KEPT)
def _read(body: bytes) -> dict[str, Any]:
    """An event that was read before it was kept."""
    event: dict[str, Any] = json.loads(body)
    return event


def _sound(event: dict[str, Any]) -> bool:
    """Whether the fields that every event has are what they should be: no page asks again."""
    words = all(isinstance(event.get(name), (str, NoneType)) for name in ("id", "table", "time", "seat", "line"))
    numbers = all(isinstance(event.get(name), (int, NoneType)) for name in ("deal", "turn"))
    return words and numbers and isinstance(event.get("t"), (int, float)) and isinstance(event.get("data"), dict)


def _enter(table: TableView, event: dict[str, Any], body: bytes) -> bool:
    """Put an event, whose JSON is ``body``, in its place; False where it was there or is none."""
    boot, seq, kind = event.get("boot"), event.get("seq"), event.get("type")
    if not isinstance(boot, str) or not isinstance(seq, int) or not isinstance(kind, str) or not _sound(event):
        return False
    if not table.gaps.received.first_time(boot, seq):
        return False
    insort(table.told, (boot, seq, body))
    del table.told[:-EVENTS_KEPT]
    data = event.get("data")
    if isinstance(data, dict):
        _score(table, kind, event.get("deal"), data, (boot, seq))
        if kind == "irregularity" and isinstance(data.get("key"), str) and data.get("state") != "open":
            _end(table, level(data["key"]), data)
            table.changed("alerts")
    return True


def _score(table: TableView, kind: str, deal: object, data: dict[str, Any], at: tuple[str, int]) -> None:
    """The counts of the newest round, each the newest of its deal, in whatever order they come."""
    if kind == "score.counted" and isinstance(deal, int):
        if at > max(table.round_at, table.scored_at.get(deal, ("", 0))):
            table.scores[deal], table.scored_at[deal] = data, at
    elif kind == "round.started" and at > table.round_at:
        table.round_at = at
        for number in [number for number, place in table.scored_at.items() if place < at]:
            del table.scores[number], table.scored_at[number]
