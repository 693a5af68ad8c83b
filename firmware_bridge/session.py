"""The host's end of one link as a state machine: bytes and moments in, bytes and events out. No clock and no port.

The host says nothing before it has heard a whole frame: a node that boots, or is at MicroPython's prompt, would
take bytes 3 and 1 of a frame for Ctrl-C and Ctrl-A. A node calls (HELLO); the host welcomes it into a numbered
session; the node sends its sensors' names and a snapshot of their state, then readings, up to 32 in flight. The host
acknowledges what came in order and asks to go back to what is missing, so that every reading is delivered exactly
once and in order as long as both ends live. A node that is silent for 1.5 s is lost; one with a new boot id was
reset; either joins again with a snapshot.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from firmware_bridge.clock import ClockMap, RoundTrip
from firmware_bridge.codec import SCHEMA, FrameError, Splitter, decode, encode, is_numbered
from firmware_bridge.frames import (
    Ack,
    ClockAnswer,
    ClockRequest,
    Frame,
    Heartbeat,
    Hello,
    HelloRequest,
    Lights,
    Message,
    Nak,
    SnapshotRequest,
    Welcome,
)

_WORD: Final = 0x10000


def _seconds(name: str) -> float:
    return SCHEMA.milliseconds[name] / 1000


RETRY: Final = _seconds("retry")
CALL: Final = _seconds("call")
HEARTBEAT: Final = _seconds("heartbeat")
CLOCK: Final = _seconds("clock")
CLOCK_FIRST: Final = 0.05
"""Seconds between the first clock requests, until FIRST_TRIPS have been answered."""
FIRST_TRIPS: Final = 5
SILENCE: Final = _seconds("silence")
LIGHTS: Final = 0.5
"""Seconds between two repetitions of what the lights show."""


@dataclass(frozen=True, slots=True)
class LinkTime:
    """One moment on both clocks, in seconds: ``wall`` runs the link's timers, ``table`` is the log's clock."""

    wall: float
    table: float


@dataclass(frozen=True, slots=True)
class Joined:
    """A node's session is open: for the ``first`` time, after its ``reset``, or ``back`` after it was lost."""

    hello: Hello
    boot: int
    how: Literal["first", "reset", "back"]


@dataclass(frozen=True, slots=True)
class Arrived:
    """The next numbered message, sensed at ``t`` seconds of the table's clock.

    Both clocks are kept: ``micros`` is the node's own at that moment, ``received`` the table's when it had arrived.
    """

    t: float
    message: Message
    micros: int = 0
    received: float = 0.0


@dataclass(frozen=True, slots=True)
class Lost:
    """The node cannot be heard any more; ``reason`` is one sentence."""

    reason: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A node calls that this program cannot talk to; ``reason`` is one sentence."""

    hello: Hello
    reason: str


Event = Joined | Arrived | Lost | Refused


@dataclass(slots=True)
class Counters:
    """Counts of one link since it was made; the node's own counts are its last heartbeat's."""

    frames: int = 0
    readings: int = 0
    broken: int = 0
    duplicates: int = 0
    stray: int = 0
    naks: int = 0
    lost: int = 0
    resets: int = 0
    node_queued: int = 0
    node_dropped: int = 0
    node_repeated: int = 0
    node_broken: int = 0


@dataclass(slots=True)
class _Peer:
    """One session with one boot of a node. ``opened`` once something has been heard within it."""

    hello: Hello
    boot: int
    session: int
    how: Literal["first", "reset", "back"]
    since: float
    opened: bool = False
    expected: int = 0
    heard: float = 0.0
    said: float = 0.0
    clock: ClockMap = field(default_factory=ClockMap)
    clock_at: float = 0.0
    trips: int = 0
    asked: dict[int, float] = field(default_factory=dict)
    waiting: list[tuple[int, Message]] = field(default_factory=list)
    lights_at: float = 0.0
    ack_due: bool = False
    nak_due: bool = False
    nak_for: int | None = None
    nak_at: float = 0.0
    last_t: float = float("-inf")
    complete: float | None = None


class LinkSession:
    """One link. ``receive`` what the line brought, ``tick`` at least every 50 ms, write ``output`` to the line."""

    def __init__(self, first_session: int) -> None:
        """``first_session``: any number, best a random one, so that frames meant for another host are not ours."""
        self.counters = Counters()
        self._next_session = first_session % _WORD
        self._token = 0
        self._splitter = Splitter()
        self._out = bytearray()
        self._peer: _Peer | None = None
        self._last_boot: int | None = None
        self._refused: tuple[int, int] | None = None
        self._call_at = float("-inf")
        self._lights: Lights | None = None

    @property
    def round_trip(self) -> float | None:
        """The shortest recent round trip, in seconds of the table's clock; None before the first."""
        return None if self._peer is None else self._peer.clock.round_trip

    @property
    def is_open(self) -> bool:
        """True if a node is heard."""
        return self._peer is not None and self._peer.opened

    @property
    def complete_until(self) -> float | None:
        """Every reading that the node sensed up to this table time has been delivered; None if not known."""
        return None if self._peer is None else self._peer.complete

    def output(self) -> bytes:
        """Return what is to be written to the line; handed out once."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def show(self, lights: Lights) -> None:
        """Set the node's lights from now on; repeated, so that a lost frame or a reset does not matter."""
        if lights != self._lights:
            self._lights = lights
            if self._peer is not None:
                self._peer.lights_at = 0.0

    def request_snapshot(self) -> None:
        """Ask the node for the state of every sensor."""
        if self._peer is not None:
            self._token = (self._token + 1) % _WORD
            self._send(self._peer, 0, SnapshotRequest(self._token))

    def receive(self, data: bytes, now: LinkTime) -> list[Event]:
        """Take bytes that the line brought at ``now``; what follows of them."""
        events: list[Event] = []
        for block in self._splitter.feed(data):
            try:
                frame = decode(block)
            except FrameError:
                self.counters.broken += 1
                if self._peer is not None and self._peer.opened:
                    self._peer.nak_due = True
                continue
            self.counters.frames += 1
            if isinstance(frame.message, Hello):
                events += self._on_hello(frame, frame.message, now)
            else:
                events += self._on_frame(frame, now)
        self._answer(now)
        return events

    def tick(self, now: LinkTime) -> list[Event]:
        """Do what time brings: ask for the clock, notice silence. Silent itself while no node has been heard."""
        peer = self._peer
        if peer is None:
            return []
        if not peer.opened:
            return self._tick_welcomed(peer, now)
        if now.wall - peer.heard > SILENCE:
            return self._lose(f"Node {peer.hello.node} has been silent for {SILENCE:.1f} s.")
        if now.wall >= peer.clock_at:
            self._ask_clock(peer, now)
        if self._lights is not None and now.wall >= peer.lights_at:
            peer.lights_at = now.wall + LIGHTS
            self._send(peer, 0, self._lights)
        if now.wall >= peer.said + HEARTBEAT:
            peer.ack_due = True
            self._answer(now)
        return []

    def unplugged(self, reason: str) -> list[Event]:
        """Forget the node: the line itself is gone, or the node's program has ended. Nothing more is said to it."""
        self._splitter = Splitter()
        self._out.clear()
        return self._lose(reason)

    # a node comes and goes

    def _on_hello(self, frame: Frame, hello: Hello, now: LinkTime) -> list[Event]:
        if hello.schema != SCHEMA.hash:
            if self._refused == (frame.boot, hello.schema):
                return []
            self._refused = (frame.boot, hello.schema)
            return [Refused(hello, f"Node {hello.node} ({hello.firmware}) speaks another version of the link: "
                                   "put this program's firmware on it with 'tavolo node update'.")]  # fmt: skip
        peer = self._peer
        if peer is not None and (peer.boot, peer.hello.opening) == (frame.boot, hello.opening):
            if not peer.opened:
                self._welcome(peer, now)
            return []
        events: list[Event] = []
        how: Literal["first", "reset", "back"] = "first"
        if self._last_boot is not None:
            how = "back" if frame.boot == self._last_boot else "reset"
        if how != "reset" and peer is not None and peer.opened:
            events = self._lose(f"Node {hello.node} did not hear us and calls again.")
        self._peer = _Peer(hello, frame.boot, self._next_session, how, since=now.wall)
        self._next_session = (self._next_session + 1) % _WORD
        self._welcome(self._peer, now)
        return events

    def _welcome(self, peer: _Peer, now: LinkTime) -> None:
        self._send(peer, 0, Welcome(SCHEMA.hash, peer.hello.opening))
        self._ask_clock(peer, now)

    def _tick_welcomed(self, peer: _Peer, now: LinkTime) -> list[Event]:
        if now.wall - peer.since > SILENCE:
            return self._lose(f"Node {peer.hello.node} called and then fell silent.")
        return []

    def _lose(self, reason: str) -> list[Event]:
        peer, self._peer = self._peer, None
        if peer is None or not (peer.opened or peer.how == "reset"):
            return []
        self.counters.lost += 1
        return [Lost(reason)]

    # within a session

    def _on_frame(self, frame: Frame, now: LinkTime) -> list[Event]:
        peer = self._peer
        if peer is None or frame.boot != peer.boot or frame.session != peer.session:
            self.counters.stray += 1
            if (peer is None or not peer.opened) and now.wall >= self._call_at + CALL:
                # a node whose program runs, in a session that an earlier host left open: it shall say who it is
                self._call_at = now.wall
                self._put(Frame(0, 0, self._next_session, 0, HelloRequest()))
            return []
        events: list[Event] = []
        peer.heard = now.wall
        if not peer.opened:
            peer.opened = True
            self._last_boot = peer.boot
            self.counters.resets += peer.how == "reset"
            events.append(Joined(peer.hello, peer.boot, peer.how))
        message = frame.message
        if isinstance(message, Heartbeat):
            self._on_heartbeat(peer, frame, message)
        elif isinstance(message, ClockAnswer):
            events += self._on_clock(peer, frame, message, now)
        elif is_numbered(message):
            events += self._on_numbered(peer, frame, now)
        return events

    def _on_heartbeat(self, peer: _Peer, frame: Frame, message: Heartbeat) -> None:
        self.counters.node_queued = message.queued
        self.counters.node_dropped = message.dropped
        self.counters.node_repeated = message.repeated
        self.counters.node_broken = message.broken
        ahead = (frame.seq - peer.expected) % _WORD
        if 0 < ahead < _WORD // 2:
            peer.nak_due = True
        elif message.queued == 0 and ahead == 0 and peer.clock.known:
            peer.complete = peer.clock.to_table(frame.micros)

    def _on_clock(self, peer: _Peer, frame: Frame, message: ClockAnswer, now: LinkTime) -> list[Event]:
        sent = peer.asked.pop(message.token, None)
        if sent is None or now.table < sent:
            return []
        peer.clock.add(RoundTrip(sent, now.table, frame.micros / 1_000_000))
        peer.trips += 1
        waiting, peer.waiting = peer.waiting, []
        return [self._arrived(peer, micros, held, now) for micros, held in waiting]

    def _on_numbered(self, peer: _Peer, frame: Frame, now: LinkTime) -> list[Event]:
        ahead = (frame.seq - peer.expected) % _WORD
        if ahead:
            if ahead < _WORD // 2:
                peer.nak_due = True
            else:
                self.counters.duplicates += 1
                peer.ack_due = True
            return []
        peer.expected = (peer.expected + 1) % _WORD
        peer.ack_due = True
        self.counters.readings += 1
        if not peer.clock.known:
            peer.waiting.append((frame.micros, frame.message))
            return []
        return [self._arrived(peer, frame.micros, frame.message, now)]

    def _arrived(self, peer: _Peer, micros: int, message: Message, now: LinkTime) -> Arrived:
        # nothing was sensed after it arrived, and a node's readings come in the order in which it sensed them
        t = max(min(peer.clock.to_table(micros), now.table), peer.last_t)
        peer.last_t = t
        return Arrived(round(t, 6), message, micros, round(now.table, 6))

    def _ask_clock(self, peer: _Peer, now: LinkTime) -> None:
        self._token = (self._token + 1) % _WORD
        peer.asked[self._token] = now.table
        while len(peer.asked) > 16:
            del peer.asked[next(iter(peer.asked))]
        peer.clock_at = now.wall + (CLOCK if peer.trips >= FIRST_TRIPS else CLOCK_FIRST)
        self._send(peer, 0, ClockRequest(self._token))

    def _answer(self, now: LinkTime) -> None:
        """Acknowledge, or ask to go back: once for each missing frame, again only after the node's own retry time."""
        peer = self._peer
        if peer is None or not peer.opened:
            return
        if peer.nak_due and (peer.nak_for != peer.expected or now.wall >= peer.nak_at + RETRY):
            peer.nak_for, peer.nak_at = peer.expected, now.wall
            self.counters.naks += 1
            self._send(peer, peer.expected, Nak())
            peer.said = now.wall
        elif peer.ack_due:
            self._send(peer, peer.expected, Ack())
            peer.said = now.wall
        peer.ack_due = peer.nak_due = False

    def _send(self, peer: _Peer, seq: int, message: Message) -> None:
        self._put(Frame(seq, peer.boot, peer.session, 0, message))

    def _put(self, frame: Frame) -> None:
        if not self._out:
            self._out += b"\0"  # ends whatever noise the line has brought since the last frame
        self._out += encode(frame)
