"""A serial line in simulated time that loses, spoils, delays and repeats bytes, with the firmware's link at its end."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, Final

from firmware_bridge.frames import SnapshotBegin, SnapshotEnd, Weighed
from firmware_bridge.session import Arrived, Event, Joined, LinkSession, LinkTime, Lost
from hw.errors import TavoloError
from lab.link.node_firmware import NODE, firmware

SCHEMA: Final = str(NODE.parent / "link_schema.json")
STEP: Final = 0.002
SKEW: Final = 1000.0
"""Seconds that the node's clock is ahead of the table's."""


@dataclass(frozen=True)
class Faults:
    """Faults that a line adds to bytes; rates per byte (``spoil``) or per piece written (the others)."""

    spoil: float = 0.0
    lose: float = 0.0
    repeat: float = 0.0
    delay: tuple[float, float] = (0.0003, 0.0005)
    bytewise: bool = False
    bytes_per_second: float = float("inf")


@dataclass
class Wire:
    """One direction of a line. Order is kept, as on a wire; ``cut`` swallows everything."""

    faults: Faults
    rng: random.Random
    cut: bool = False
    _under_way: list[tuple[float, bytes]] = field(default_factory=list)
    _last: float = 0.0

    def write(self, data: bytes, now: float) -> None:
        """Send ``data``, and what the line makes of it."""
        if self.cut or not data:
            return
        times = 2 if self.rng.random() < self.faults.repeat else 1
        for _ in range(times):
            if self.rng.random() < self.faults.lose:
                at = self.rng.randrange(len(data))
                data = data[:at] + data[at + self.rng.randrange(1, 40) :]
            if self.faults.spoil:
                data = bytes(
                    self.rng.randrange(256) if self.rng.random() < self.faults.spoil else byte for byte in data
                )
            arrives = now + self.rng.uniform(*self.faults.delay)
            self._last = max(self._last, arrives) + len(data) / self.faults.bytes_per_second
            self._under_way.append((self._last, data))

    def read(self, now: float) -> list[bytes]:
        """Return what has arrived by ``now``, in the pieces in which it is read."""
        ready = [data for at, data in self._under_way if at <= now]
        self._under_way = self._under_way[len(ready) :]
        joined = b"".join(ready)
        if self.faults.bytewise:
            return [joined[at : at + 1] for at in range(len(joined))]
        return [joined] if joined else []

    def lose_all(self) -> None:
        """Lose everything that is under way."""
        self._under_way.clear()


class Line:
    """A host's session and a node's link, joined by two wires. Its readings count 1, 2, 3 and so on."""

    def __init__(self, faults: Faults, seed: int, per_second: float = 200.0, capacity: int = 512) -> None:
        """``per_second`` readings, of which ``capacity`` can wait at the node."""
        self.capacity = capacity
        self.rng = random.Random(seed)  # noqa: S311 - a simulation
        self.now = 0.0
        self.per_second = per_second
        self.up = Wire(faults, self.rng)
        self.down = Wire(faults, self.rng)
        self.session = LinkSession(self.rng.randrange(0x10000))
        self.events: list[tuple[float, Event]] = []
        self.sensed: dict[int, float] = {}
        self.count = 0
        self.lights: list[tuple[float, tuple[int, int, int]]] = []
        self.codec = firmware("codec").load(SCHEMA)
        self.power_on()

    def power_on(self) -> None:
        """Boot the node: a new boot id; the counter continues, as the world does."""
        boot = self.rng.randrange(2**32)
        identity = (1, 0, 0, 0, "test", "node", "")
        self.link: Any = firmware("link").Link(
            self.codec, boot, 1, identity, self.node_micros, self.introduce, self.snapshot, self.show, self.capacity
        )

    def node_micros(self) -> int:
        """The node's clock."""
        return round((self.now + SKEW) * 1_000_000)

    def introduce(self) -> None:
        """Send the first messages of a node in a session."""
        self.link.send("sensor", (0, 2, "stock"), self.node_micros())
        self.snapshot()

    def snapshot(self) -> None:
        """The state of the one sensor."""
        self.link.send("snapshot_begin", (self.link.dropped,), self.node_micros())
        self.link.send("scale", (0, self.count, 1), self.node_micros())
        self.link.send("snapshot_end", (), self.node_micros())

    def show(self, turn: int, alert: int, sound: int) -> None:
        """Note what the lights show from now on."""
        self.lights.append((self.now, (turn, alert, sound)))

    def run(self, seconds: float, *, sensing: bool = True) -> None:
        """Let simulated time pass."""
        end = self.now + seconds
        while self.now < end:
            self.now = round(self.now + STEP, 6)
            if sensing:
                while self.count < int(self.now * self.per_second):
                    self.count += 1
                    self.sensed[self.count] = self.now
                    self.link.send("scale", (0, self.count, 1), self.node_micros())
            milliseconds = int(self.now * 1000)
            for data in self.down.read(self.now):
                self.link.receive(data, milliseconds)
            self.link.tick(milliseconds)
            while len(self.link.out):
                data = bytes(self.link.out.next(len(self.link.out)))
                self.up.write(data, self.now)
                self.link.out.sent(len(data))
            moment = LinkTime(self.now, self.now)
            for data in self.up.read(self.now):
                self._note(self.session.receive(data, moment))
            self._note(self.session.tick(moment))
            self.down.write(self.session.output(), self.now)

    def _note(self, events: list[Event]) -> None:
        self.events += [(self.now, event) for event in events]

    def told(self, kind: type[Event]) -> list[tuple[float, Any]]:
        """The events of that kind, each with the moment it came at."""
        return [(at, event) for at, event in self.events if isinstance(event, kind)]


class BrokenPromiseError(TavoloError, AssertionError):
    """The link has broken its promise; the text says how."""


@dataclass
class Account:
    """Arrivals: readings in order, and the gaps that were announced."""

    readings: list[tuple[float, float, int]]
    """(arrived at, its time of sensing as reported, number)."""
    gaps: list[tuple[int, int]]
    """(last before, first known after)."""


def account(line: Line) -> Account:
    """Go through what arrived; BrokenPromiseError where a reading is repeated, out of order or missing unannounced."""
    book = _Book()
    for at, event in line.events:
        if isinstance(event, Joined | Lost):
            book.interrupted(event)
        elif isinstance(event, Arrived):
            book.arrived(at, event)
    return Account(book.readings, book.gaps)


class _Book:
    """Record from which an account is made. ``_excused``: readings may be missing before the next, as announced."""

    def __init__(self) -> None:
        self.readings: list[tuple[float, float, int]] = []
        self.gaps: list[tuple[int, int]] = []
        self._known: int | None = None
        self._in_snapshot, self._excused, self._dropped = False, True, 0

    def interrupted(self, event: Joined | Lost) -> None:
        """Note that a session has opened or ended; only a node that comes back continues its count of drops."""
        self._excused, self._in_snapshot = True, False
        if isinstance(event, Joined) and event.how != "back":
            self._dropped = 0

    def arrived(self, at: float, event: Arrived) -> None:
        match event.message:
            case SnapshotBegin(dropped=dropped):
                self._in_snapshot = True
                self._excused = self._excused or dropped > self._dropped
                self._dropped = dropped
            case SnapshotEnd():
                self._in_snapshot = False
            case Weighed(milligrams=number) if self._in_snapshot:
                self._state(number)
            case Weighed(milligrams=number):
                self._reading(at, event.t, number)

    def _state(self, number: int) -> None:
        if self._known is not None and number != self._known:
            if not self._excused or number < self._known:
                raise BrokenPromiseError(f"{number} follows {self._known}, and nobody said that something is missing")
            self.gaps.append((self._known, number))
        self._known, self._excused = number, False

    def _reading(self, at: float, t: float, number: int) -> None:
        if self._known is None or number != self._known + 1:
            raise BrokenPromiseError(f"{number} follows {self._known}")
        self._known = number
        self.readings.append((at, t, number))
