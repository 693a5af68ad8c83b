"""One table as its messages tell it: what the console holds of it in memory.

State and events are kept as they came and read when a page shows them: a hall of 200 tables sends a thousand a second,
and the objects of 30 000 read events made Python's collector stop the whole console for 0.2 s.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from types import NoneType
from typing import Any, Final

import msgspec

from table_service.console.missing_events import TableGaps
from table_service.console.twins import Twins
from table_service.events.signing import Place
from table_service.events.topics import level

EVENTS_KEPT: Final = 160
ENDED_KEPT: Final = 20
PICTURED_KEPT: Final = 200
DIGESTS_KEPT: Final = 2000
"""Most pictures that can be requested: of many more irregularities than an evening has."""
UNREAD_KEPT: Final = 4
ADDRESSES_KEPT: Final = 4
TAKEN_OVER_MOST: Final = 2
"""Most takeovers of a table's connection: one may be its own, whose end the broker missed."""
_READ_KEPT: Final = 1000
"""So many events that a page has shown stay read."""
_UNREAD: Final = b"unread"
_TEXT: Final = (str, NoneType)
_WHOLE: Final = (int, NoneType)
PARTS: Final = ("alerts", "head", "board", "feed")
"""The parts of a table’s page that change by themselves, what is urgent first."""


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
    digests: OrderedDict[str, str] = field(default_factory=OrderedDict)
    """The hashes of the pictures that a table announced last."""
    why: dict[str, str] = field(default_factory=dict)
    """Why a picture that there is could not be had."""
    certificates: tuple[str, ...] = ()
    """Certificates, PEM, that it has shown and the hall's authority has issued to it."""
    heard: float | None = None
    versions: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    gaps: TableGaps = field(default_factory=TableGaps)
    """Which events have come, and which are lacking."""
    twins: Twins = field(default_factory=Twins)
    """True if two machines send under this name, by the boots of their events."""
    processes: Twins = field(default_factory=Twins)
    """The same by what their status says of the process: machines with one card have the same boots."""
    addresses: dict[str, str] = field(default_factory=dict)
    """By process the address of its machine, the newest last."""
    unsigned: bool = False
    """Whether messages are taken as the table's though it has shown no certificate."""
    refused: int = 0
    """Messages under this table's name that its key did not sign: they are shown nowhere."""
    excess: int = 0
    """Messages under its name that were longer, or alerts more, than any table's own: refused."""
    early: int = 0
    """Those of them that came before the table had shown any certificate: they may have been its own."""
    round_at: tuple[str, int] = ("", 0)
    """Where the newest round began."""
    scored_at: dict[int, tuple[str, int]] = field(default_factory=dict)
    alert_places: dict[str, Place | None] = field(default_factory=dict)
    """By alert that stands the place of the newest state when it came: only a later one tells that it has ended."""
    emptied: set[str] = field(default_factory=set)
    """Alerts that the broker has no more, and of which the table has not said that they ended."""
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
    def are_two(self) -> bool:
        """True if two machines speak under this name, or the table says that another one takes its connection."""
        link = (self.health or {}).get("mqtt")
        taken = link.get("taken_over") if isinstance(link, dict) else 0
        return self.twins.are_two or self.processes.are_two or (isinstance(taken, int) and taken >= TAKEN_OVER_MOST)

    def heard_from(self, instance: str, address: str) -> bool:
        """Note the process that sends and its address; True if that first shows two machines under one name."""
        self.addresses.pop(instance, None)
        self.addresses[instance] = address
        while len(self.addresses) > ADDRESSES_KEPT:
            del self.addresses[next(iter(self.addresses))]
        return self.processes.heard(instance)

    @property
    def state(self) -> dict[str, Any] | None:
        """The public table; None where it was not said or cannot be read. One that is not its own changes nothing."""
        if self.read_state[0] is not self.raw_state:
            own = _state_of(self.raw_state)
            if not self.vouches(own):
                before = map(_state_of, reversed(self.unread))
                own = next((one for one in before if self.vouches(one)), self.read_state[1])
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

    def beside(self, t: float) -> dict[str, Any] | None:
        """Return the first event from the second ``t`` of the table's newest start on, else the newest event."""
        n = bisect_left(self.told, t, key=lambda kept: _second(_read(kept[-1]), self.boot))
        return self.newest if n == len(self.told) else _read(self.told[n][-1])

    def tell_pictures(self, key: str, document: dict[str, Any]) -> bool:
        """Take in which pictures of an irregularity there are; False where that was known."""
        if self.pictured.get(key) == document:
            return False
        self.pictured[key] = document
        self.pictured.move_to_end(key)
        while len(self.pictured) > PICTURED_KEPT:
            self.pictured.popitem(last=False)
        for one in (*(document.get("pictures") or ()), document.get("film")):
            if isinstance(one, dict) and isinstance(one.get("sha256"), str):
                self.digests[str(one.get("ref"))] = one["sha256"]
                self.digests.move_to_end(str(one.get("ref")))
        while len(self.digests) > DIGESTS_KEPT:
            old, _ = self.digests.popitem(last=False)
            self.why.pop(old, None)
        return True

    def changed(self, *parts: str) -> None:
        """Parts of this table's page are to be shown anew."""
        for part in parts:
            self.versions[part] += 1

    def judge_state_anew(self) -> None:
        """Have the state that was read last judged anew: it may be accepted now."""
        self.read_state = (_UNREAD, self.read_state[1])

    def enter(self, event: dict[str, Any], body: bytes) -> bool:
        """Put an event, whose JSON is ``body``, in its place; False where it was there or is none."""
        boot, seq, kind = event.get("boot"), event.get("seq"), event.get("type")
        if not isinstance(boot, str) or not isinstance(seq, int) or not isinstance(kind, str) or not _sound(event):
            return False
        if not self.gaps.received.first_time(boot, seq):
            return False
        insort(self.told, (boot, seq, body))
        del self.told[:-EVENTS_KEPT]
        data = event.get("data")
        if isinstance(data, dict):
            _score(self, kind, event.get("deal"), data, (boot, seq))
            if kind == "irregularity" and isinstance(data.get("key"), str) and data.get("state") != "open":
                self.end(level(data["key"]), data)
                self.changed("alerts")
        return True

    def end(self, key: str, document: dict[str, Any]) -> None:
        """Record that an alert has ended, with what was said last of it."""
        self.ended[key] = document
        self.ended.move_to_end(key)
        while len(self.ended) > ENDED_KEPT:
            self.ended.popitem(last=False)


def _state_of(payload: bytes) -> dict[str, Any] | None:
    try:
        document = msgspec.json.decode(payload) if payload else None
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


@lru_cache(_READ_KEPT)
def _read(body: bytes) -> dict[str, Any]:
    """Return an event that was read before it was kept."""
    event: dict[str, Any] = msgspec.json.decode(body)
    return event


def _second(event: dict[str, Any], boot: str | None) -> float:
    """Return its second of the start ``boot``; of another start it is before them all."""
    t = event.get("t")
    return t if event.get("boot") == boot and isinstance(t, (int, float)) else -math.inf


def _sound(event: dict[str, Any]) -> bool:
    """Return True if the fields that every event has are what they should be: no page asks again."""
    get = event.get
    return (
        isinstance(get("id"), _TEXT)
        and isinstance(get("table"), _TEXT)
        and isinstance(get("time"), _TEXT)
        and isinstance(get("seat"), _TEXT)
        and isinstance(get("line"), _TEXT)
        and isinstance(get("deal"), _WHOLE)
        and isinstance(get("turn"), _WHOLE)
        and isinstance(get("t"), (int, float))
        and isinstance(get("data"), dict)
    )


def _score(table: TableView, kind: str, deal: object, data: dict[str, Any], at: tuple[str, int]) -> None:
    """Record the counts of the newest round, each the newest of its deal, in whatever order they come."""
    if kind == "score.counted" and isinstance(deal, int):
        if at > max(table.round_at, table.scored_at.get(deal, ("", 0))):
            table.scores[deal], table.scored_at[deal] = data, at
    elif kind == "round.started" and at > table.round_at:
        table.round_at = at
        for number in [number for number, place in table.scored_at.items() if place < at]:
            del table.scores[number], table.scored_at[number]
