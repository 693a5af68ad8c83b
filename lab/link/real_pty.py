"""The same link over a real pseudo-terminal, in real time: the firmware's end in a thread, the host's as in use."""

from __future__ import annotations

import contextlib
import os
import random
import select
import threading
import time
import tty
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Self

from firmware_bridge.codec import SCHEMA as WIRE
from firmware_bridge.codec import encode
from firmware_bridge.frames import Frame, Hello, Message, SnapshotBegin, SnapshotEnd, TagsRead, Weighed
from firmware_bridge.frames import Sensor as Named
from firmware_bridge.readings import Readings
from firmware_bridge.serial_line import SerialLine
from firmware_bridge.session import Arrived, Joined, LinkSession, LinkTime, Lost
from lab.link.line import SCHEMA, BrokenPromiseError
from lab.link.node_firmware import firmware

ROOM: Final = 256
"""Readings that may wait in the node before the next is sensed: none is dropped here."""
_BYTES_A_SECOND: Final = 375_000
"""Bytes of a line at 3 Mbit/s."""


class PtyNode:
    """A node that senses ``readings`` numbered weights as fast as the line takes them, spoiling bytes both ways."""

    def __init__(
        self,
        readings: int,
        spoil: float,
        seed: int,
        identity: tuple[object, ...] = (1, 0, 0, 0, "test", "node", ""),
        zone: str = "stock",
    ) -> None:
        """It begins once the host has welcomed it; ``identity``: what it says of itself (message ``hello``)."""
        self._zone = zone
        self.readings = readings
        self.sensed: dict[int, float] = {}
        self._spoil = spoil
        self._rng = random.Random(seed)  # noqa: S311 - a simulation
        self._master, self._slave = os.openpty()
        tty.setraw(self._master)
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)
        codec = firmware("codec").load(SCHEMA)
        self._link: Any = firmware("link").Link(
            codec, 7, 1, identity, self._micros, self._tell, self._tell, lambda *_lights: None
        )
        self._count = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        for descriptor in (self._master, self._slave):
            os.close(descriptor)

    @staticmethod
    def _micros() -> int:
        return time.monotonic_ns() // 1000

    def _tell(self) -> None:
        self._link.send("sensor", (0, 2, self._zone), self._micros())
        self._link.send("snapshot_begin", (self._link.dropped,), self._micros())
        self._link.send("scale", (0, self._count, 1), self._micros())
        self._link.send("snapshot_end", (), self._micros())

    def _noisy(self, data: bytes) -> bytes:
        if not self._spoil:
            return data
        return bytes(self._rng.randrange(256) if self._rng.random() < self._spoil else byte for byte in data)

    def _run(self) -> None:
        link = self._link
        while not self._stop.is_set():
            now = time.monotonic_ns() // 1_000_000
            with contextlib.suppress(BlockingIOError, OSError):
                link.receive(self._noisy(os.read(self._master, 4096)), now)
            while link.is_open and self._count < self.readings and len(link.queue) < ROOM:
                self._count += 1
                self.sensed[self._count] = time.monotonic()
                link.send("scale", (0, self._count, 1), self._micros())
            wait = link.tick(now)
            while len(link.out):
                data = bytes(link.out.next(len(link.out)))
                with contextlib.suppress(BlockingIOError, OSError):
                    os.write(self._master, self._noisy(data))
                link.out.sent(len(data))
            select.select([self._master], [], [], min(wait, 20) / 1000)


@dataclass(frozen=True, slots=True)
class OverPty:
    """Arrivals over the pseudo-terminal: readings, and whether each came once and in order; the broken frames."""

    arrived: int
    in_order: bool
    lost: int
    broken: int
    seconds: float


def over_pty(readings: int, spoil: float, seed: int, patience: float = 120.0) -> OverPty:
    """Send ``readings`` through a real pseudo-terminal with that share of bytes spoiled, each way."""
    began = time.monotonic()
    got: list[int] = []
    lost = 0
    in_snapshot = False
    with PtyNode(readings, spoil, seed) as node:
        line = SerialLine(node.port)
        session = LinkSession(seed % 65536)
        while (not got or got[-1] < readings) and time.monotonic() < began + patience:
            data = line.read()
            now = LinkTime(time.monotonic(), time.monotonic())
            for event in [*session.receive(data, now), *session.tick(now)]:
                lost += isinstance(event, Lost)
                if isinstance(event, Arrived):
                    match event.message:
                        case SnapshotBegin():
                            in_snapshot = True
                        case SnapshotEnd():
                            in_snapshot = False
                        case Weighed(milligrams=number) if not in_snapshot:
                            got.append(number)
            out = session.output()
            if out:
                line.write(out)
        line.close()
    in_order = got == list(range(1, len(got) + 1))
    return OverPty(len(got), in_order, lost, session.counters.broken, time.monotonic() - began)


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of receiving: bytes, frames, processor seconds of the receiving thread, share of a core at 3 Mbit/s."""

    received: int
    frames: int
    cpu_seconds: float

    @property
    def share_at_3_mbit(self) -> float:
        """Share of one core at 3 Mbit/s."""
        return self.cpu_seconds / self.received * _BYTES_A_SECOND


def cost(megabytes: float, uids: int, paced: bool = True) -> Cost:
    """Receive frames as a bridge does (line, session, readings), and answer them; only the receiving thread counts.

    ``uids``: tags in each frame: 0 makes frames of a reading of a scale, 30 bytes; 4 makes some 60 bytes.
    ``paced``: 3 Mbit/s in real time, else as fast as the line takes it, and the link's clock goes by the bytes: a busy
    machine makes no silence then. Raises BrokenPromiseError if it is paced and the link falls silent.
    """
    master, slave = os.openpty()
    tty.setraw(master)
    tty.setraw(slave)
    stop = threading.Event()
    sender = threading.Thread(target=_Stream(master, uids, stop, paced=paced).run, daemon=True)
    line = SerialLine(os.ttyname(slave))
    session = LinkSession(1)
    total, received, before, began = 0, 0, 0, 0.0

    def clock() -> float:
        return time.monotonic() if paced else total / _BYTES_A_SECOND

    readings = Readings(clock)
    sender.start()
    goal = int(megabytes * 1_000_000)
    patience = time.monotonic() + 240 + 10 * megabytes
    while received < goal:
        if paced and time.monotonic() > patience:
            stop.set()
            raise BrokenPromiseError("the machine is too busy to measure what receiving costs")
        data = line.read()
        total += len(data)
        now = LinkTime(clock(), clock())
        for event in [*session.receive(data, now), *session.tick(now)]:
            match event:
                case Arrived(t=t, message=message):
                    readings.message(t, message)
                case Joined():
                    readings.joined(event)
        out = session.output()
        if out:
            line.write(out)
        if not began and session.counters.readings > 3:
            began, before = time.thread_time(), session.counters.readings
        elif began:
            received += len(data)
    spent = time.thread_time() - began
    stop.set()
    sender.join()
    line.close()
    os.close(master)
    os.close(slave)
    return Cost(received, session.counters.readings - before, spent)


class _Stream:
    """A node that says hello, then sends numbered readings without end; what comes back is read and thrown away."""

    def __init__(self, master: int, uids: int, stop: threading.Event, *, paced: bool) -> None:
        os.set_blocking(master, False)
        self._master, self._uids, self._stop, self._paced = master, uids, stop, paced
        self._codec = firmware("codec").load(SCHEMA)

    def run(self) -> None:
        session = self._welcomed()
        if session is not None:
            self._send(session)

    def _put(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest and not self._stop.is_set():
            try:
                rest = rest[os.write(self._master, rest) :]
            except BlockingIOError:
                select.select([], [self._master], [], 0.05)

    def _incoming(self) -> list[Any]:
        try:
            blocks = os.read(self._master, 65536).split(b"\0")
        except BlockingIOError:
            return []
        return [frame for block in blocks if (frame := self._codec.decode(block)) is not None]

    def _welcomed(self) -> int | None:
        """Call until a host has welcomed us: the session's number; None if it is stopped before."""
        hello = encode(Frame(0, 7, 0, 1, Hello(WIRE.hash, 1, 1, 1, 0, 0, 0, "cost", "cost")))
        while not self._stop.is_set():
            self._put(hello)
            time.sleep(0.02)
            for frame in self._incoming():
                if frame[0] == "welcome":
                    return int(frame[3])
        return None

    def _wire(self, session: int) -> list[bytes]:
        """One frame for each sequence number."""
        tags = tuple(bytes((0xE0, 4, 1, 1, 1, 1, 1, n)) for n in range(self._uids))
        return [
            encode(Frame(n, 7, session, 1000 + n, TagsRead(0, tags[n % 2 :]) if tags else Weighed(0, n, 1)))
            for n in range(65536)
        ]

    def _send(self, session: int) -> None:
        first: list[Message] = [Named(0, 1 if self._uids else 2, "stock"), SnapshotBegin(0), SnapshotEnd()]
        self._put(b"".join(encode(Frame(n, 7, session, n, message)) for n, message in enumerate(first)))
        wire = self._wire(session)
        number, sent, began = len(first), 0, time.monotonic()
        while not self._stop.is_set():
            piece = b"".join(wire[(number + n) % 65536] for n in range(32))
            number += 32
            self._put(piece)
            sent += len(piece)
            self._answer_clock(session)
            ahead = sent / _BYTES_A_SECOND - (time.monotonic() - began)
            if self._paced and ahead > 0.002:
                time.sleep(ahead)

    def _answer_clock(self, session: int) -> None:
        for frame in self._incoming():
            if frame[0] == "clock_request":
                self._put(self._codec.encode("clock_answer", 0, 7, session, 5000, frame[5]))
