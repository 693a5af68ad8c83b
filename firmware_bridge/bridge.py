"""Serial ports of a table's nodes → observations, in order of arrival. One thread a port; asyncio where wanted."""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Final, Self

from firmware_bridge.frames import Lights, SnapshotEnd
from firmware_bridge.identities import Expected, Roll, differences, identity_of
from firmware_bridge.reading_times import ClockLedger
from firmware_bridge.readings import Readings, SensorPlace
from firmware_bridge.repl import ReplWatch
from firmware_bridge.serial_line import BAUD, LineError, SerialLine
from firmware_bridge.session import Arrived, Event, Joined, LinkSession, LinkTime, Lost, Refused
from hw.observations import Health, Observation
from hw.provision import files_checksum

RETRY_SECONDS: Final = 0.5
"""Wall seconds between attempts to open a port that is missing."""


class Bridge:
    """All nodes of one table.

    ``ports`` names serial devices, or maps each node's name to its device. ``clock`` is the log's clock in seconds;
    it is called from several threads. Use as a context manager (``with`` or ``async with``), then
    ``async for observation in bridge`` or ``bridge.get(timeout)``; the iteration ends after ``close``.
    A missing, busy or unplugged device is reported as Health and tried again for ever.
    """

    def __init__(
        self,
        ports: Sequence[str] | Mapping[str, str],
        clock: Callable[[], float],
        *,
        baud: int = BAUD,
        ledgers: Path | None = None,
        expected: Expected = MappingProxyType({}),
    ) -> None:
        """``ledgers``: a folder in which each node's readings are noted on both clocks (`reading_times`).

        ``expected``: by node the sensors that the table map names for it. A node is then the one whose sensors it
        announces, whichever port it came by.
        """
        named = ports if isinstance(ports, Mapping) else dict.fromkeys(ports, "")
        pairs = named.items() if isinstance(ports, Mapping) else ((name, port) for port, name in named.items())
        self._box = _Mailbox()
        known: dict[SensorPlace, object] = {}
        roll = Roll(expected)
        self._nodes = [
            _Node(port, name, clock, baud, self._box, _ledger(ledgers, name or port), roll, known)
            for name, port in pairs
        ]
        roll.nodes = self._nodes
        self._started = False

    def start(self) -> None:
        """Open the ports and listen; a second call does nothing."""
        if not self._started:
            self._started = True
            for node in self._nodes:
                node.start()

    def close(self) -> None:
        """Stop listening and give the ports back; what has arrived can still be read."""
        for node in self._nodes:
            node.stop()
        self._box.close()

    def get(self, timeout: float | None = None) -> Observation | None:
        """Return the next observation; None after ``timeout`` wall seconds without one, or at the end."""
        return self._box.get(timeout)

    def show(self, lights: Lights) -> None:
        """Set the lights that all nodes show from now on; they go dark by themselves when this program falls silent."""
        for node in self._nodes:
            node.lights = lights

    def request_snapshot(self) -> None:
        """Ask every node for the state of all its sensors; what differs from what is known arrives as observations."""
        for node in self._nodes:
            node.snapshot_wanted.set()

    def complete_until(self) -> float | None:
        """Table time up to which every reading of every node has been put out; None while one of them is unknown.

        Nodes report it with each heartbeat, five a second; it is as exact as the mapping of their clocks.
        """
        times = [node.session.complete_until for node in self._nodes]
        known = [moment for moment in times if moment is not None]
        return min(known) if known and len(known) == len(times) else None

    def counters(self) -> dict[str, dict[str, Any]]:
        """For the health topic, by node: state, what is wrong in one sentence (or empty), counts of the link."""
        return {node.label: node.report() for node in self._nodes}

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.close)

    def __aiter__(self) -> Self:
        self.start()
        return self

    async def __anext__(self) -> Observation:
        return await self._box.next()


class _Mailbox:
    """Observations from several threads to one reader, in order of arrival."""

    def __init__(self) -> None:
        self._items: deque[Observation] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._waiter: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None

    def put(self, observations: Sequence[Observation]) -> None:
        if observations:
            with self._changed:
                self._items.extend(observations)
                self._wake()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._wake()

    def _wake(self) -> None:
        self._changed.notify_all()
        if self._waiter is not None:
            loop, event = self._waiter
            self._waiter = None
            try:
                loop.call_soon_threadsafe(event.set)
            except RuntimeError:  # the reader's loop has ended
                return

    def get(self, timeout: float | None) -> Observation | None:
        with self._changed:
            self._changed.wait_for(lambda: self._items or self._closed, timeout)
            return self._items.popleft() if self._items else None

    async def next(self) -> Observation:
        while True:
            event = asyncio.Event()
            with self._changed:
                if self._items:
                    return self._items.popleft()
                if self._closed:
                    raise StopAsyncIteration
                self._waiter = (asyncio.get_running_loop(), event)
            await event.wait()


class _Node:
    """One port and the thread that listens to it."""

    def __init__(
        self,
        port: str,
        name: str,
        clock: Callable[[], float],
        baud: int,
        box: _Mailbox,
        ledger: ClockLedger | None,
        roll: Roll,
        known: dict[SensorPlace, object],
    ) -> None:
        self.port = port
        self.configured = name
        """The node of the table map that has this port."""
        self.identity = ""
        """The node of the table map that is at it; empty while none has said its sensors."""
        self._roll = roll
        self._notes: tuple[str, ...] = ()
        self.lights: Lights | None = None
        self._ledger = ledger
        self._boot = 0
        self._stale = False
        self.session = LinkSession(secrets.randbelow(0x10000))
        self.snapshot_wanted = threading.Event()
        self._clock = clock
        self._baud = baud
        self._box = box
        self._readings = Readings(clock, known)
        self._repl = ReplWatch()
        self._problem = "Not opened yet."
        self._told_as = ""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"tavolo-link-{port}", daemon=True)

    @property
    def label(self) -> str:
        """The node's name in the table map, else as it calls itself, else the port's."""
        named = self.identity or (self.configured and self._roll.name_for(self, self.configured))
        return named or self._readings.node or self.port

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()
        if self._ledger is not None:
            self._ledger.close()
            self._ledger = None

    def report(self) -> dict[str, Any]:
        trip = self.session.round_trip
        return {
            "port": self.port,
            "state": "ok" if self.session.is_open and not self._problem else "lost",
            "problem": self._problem,
            "troubles": self._readings.troubles,
            "stale": self._stale,
            "notes": list(self._notes),
            "restarts": self._repl.restarts,
            "round_trip_ms": None if trip is None else round(trip * 1000, 3),
            **asdict(self.session.counters),
        }

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                line = SerialLine(self.port, self._baud)
            except LineError as error:
                self._trouble(f"{error} Trying again.")
                self._stop.wait(RETRY_SECONDS)
                continue
            try:
                self._listen(line)
            except LineError as error:
                self._take(self.session.unplugged(str(error)))
                self._trouble(f"{error} Trying again.")
                self._stop.wait(RETRY_SECONDS)
            finally:
                line.close()

    def _listen(self, line: SerialLine) -> None:
        opened = time.monotonic()
        self._repl.opened(opened)
        while not self._stop.is_set():
            data = line.read()
            now = LinkTime(time.monotonic(), self._clock())
            frames = self.session.counters.frames
            events = self.session.receive(data, now)
            events += self.session.tick(now)
            self._take(events)
            if self.session.counters.frames > frames:
                self._repl.spoke(now.wall)
            self._watch_for_a_prompt(line, data, now.wall)
            if self.snapshot_wanted.is_set() and self.session.is_open:
                self.snapshot_wanted.clear()
                self.session.request_snapshot()
            if self.lights is not None:
                self.session.show(self.lights)
            out = self.session.output()
            if out:
                line.write(out)
            if not self.session.is_open and now.wall - opened > 3.0:
                self._trouble(f"The serial device {self.port} is open, but no node speaks. Listening.")

    def _watch_for_a_prompt(self, line: SerialLine, data: bytes, now: float) -> None:
        """Bring a node back whose program was stopped, and say so; nothing is said to it but what that takes."""
        if self._repl.heard(data.rpartition(b"\0")[2], now):
            self._take(self.session.unplugged("The node's program has ended: MicroPython's prompt answers instead."))
        advice = self._repl.tick(now)
        if advice.sentence:
            self._trouble(advice.sentence)
        if advice.out:
            line.write(advice.out)

    def _trouble(self, sentence: str) -> None:
        """Report a fault once, unless the node's loss has been reported already."""
        if self._problem == sentence:
            return
        first = not self._told_as
        self._problem = sentence
        if first:
            self._tell(Health(round(self._clock(), 6), self.label, "lost", sentence))

    def _tell(self, health: Health) -> None:
        note = health.note
        if health.state == "ok" and self._stale:
            note += "; its files are not those of this program: run 'tavolo node update'"
        told = Health(health.t, self.label, health.state, note)
        if health.state == "ok":
            self._problem = ""
            if self._told_as not in ("", self.label) and self._told_as not in self._roll.expected:
                self._box.put([Health(health.t, self._told_as, "ok", f"It is node {self.label}.")])
            self._told_as = ""
        elif health.state == "lost":
            self._problem = health.note
            self._told_as = self.label
        self._box.put([told])

    def _identify(self) -> None:
        """Find which node of the table map has just announced its sensors, and how it differs from the map."""
        expected, sensors = self._roll.expected, self._readings.sensors
        identity = identity_of(self._readings.node, sensors, expected)
        if not identity:
            return
        self._roll.enter(self, identity)
        moved = (
            f"Node {identity} is at {self.port}, where the table map has {self.configured}: the ports are exchanged, "
            "and what it senses is taken as its own."
        )
        notes = differences(identity, sensors, expected)
        self._notes = notes if identity == self.configured else (moved, *notes)

    def _note(self, event: Arrived) -> None:
        if self._ledger is None:
            return
        try:
            self._ledger.note(self.label, self._boot, event)
        except OSError as error:
            self._ledger = None  # a full disk must not stop the table
            note = f"The clocks of its readings are no longer noted ({error.strerror or error})."
            self._box.put([Health(round(self._clock(), 6), f"{self.label}/ledger", "lost", note)])

    def _take(self, events: Sequence[Event]) -> None:
        for event in events:
            match event:
                case Joined():
                    self._boot = event.boot
                    self._stale = event.hello.files not in ("", _files())
                    found = self._readings.joined(event)
                case Arrived(t=t, message=message):
                    found = self._readings.message(t, message)
                    self._note(event)
                    if isinstance(message, SnapshotEnd):
                        self._identify()
                case Lost(reason=reason):
                    found = self._readings.lost(reason)
                case Refused(reason=reason):
                    self._trouble(reason)
                    continue
            for observation in found:
                if isinstance(observation, Health):
                    _, slash, sensor = observation.node.partition("/")
                    if slash:  # one sensor of the node's, not the node
                        named = f"{self.label}/{sensor}"
                        self._box.put([Health(observation.t, named, observation.state, observation.note)])
                    else:
                        self._tell(observation)
                else:
                    self._box.put([observation])


@cache
def _files() -> str:
    """Return the checksum of the files that a node of this program carries."""
    return files_checksum()


def _ledger(folder: Path | None, name: str) -> ClockLedger | None:
    if folder is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    return ClockLedger(folder / f"{name.replace('/', '_').strip('_')}.clocks.jsonl")
