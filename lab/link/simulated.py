"""Claims about the link, proven in simulated time: one function a claim, each with its own seed."""

from __future__ import annotations

import random
from dataclasses import dataclass

from firmware_bridge import codec
from firmware_bridge.frames import Frame, Weighed
from firmware_bridge.readings import Readings
from firmware_bridge.session import Arrived, Event, Joined, LinkSession, LinkTime, Lost
from hw.observations import Health, Scale
from lab.link.line import Faults, Line, account
from lab.link.table_line import TableLine


@dataclass(frozen=True, slots=True)
class Delivered:
    """One run: what was sensed after the join, what arrived, and milliseconds from sensing to arrival."""

    sensed: int
    arrived: int
    lost: int
    late_ms: tuple[float, ...]


def delivered(spoil: float, readings: int, seed: int, per_second: float = 200.0) -> Delivered:
    """Send ``readings`` over a line that spoils that share of all bytes, both ways.

    Raises AssertionError if a reading comes twice, out of order, or is missing unannounced.
    """
    line = Line(Faults(spoil=spoil), seed, per_second)
    line.run(readings / per_second)
    line.run(3.0, sensing=False)
    got = account(line)
    first = got.readings[0][2] if got.readings else 0
    sensed = line.count - first + 1
    missing = sensed - len(got.readings)
    late = tuple((arrived - line.sensed[number]) * 1000 for arrived, _, number in got.readings)
    return Delivered(sensed, len(got.readings), missing + len(line.told(Lost)), late)


@dataclass(frozen=True, slots=True)
class Rejoined:
    """After a reset or a re-plug: seconds until the node was whole again, and the sensors wrong by then."""

    seconds: float
    wrong: tuple[str, ...]


def rejoined(how: str, spoil: float, seed: int) -> Rejoined:
    """``reset`` a node or ``unplug`` its cable for some seconds while sensors change, and wait until it is back."""
    line = TableLine(Faults(spoil=spoil), seed)
    line.run(2.0 + line.rng.random())
    line.change(20)
    line.run(0.05)
    if how == "unplug":
        line.up.cut = line.down.cut = True
        line.up.lose_all()
        line.down.lose_all()
        line.run(0.5)
        line.change(20)
        line.run(1.6 + 2 * line.rng.random())
        line.up.cut = line.down.cut = False
    else:
        line.up.lose_all()
        line.down.lose_all()
        line.change(20)
        line.power_on()
    began = line.now
    while (back := line.joined_since(began)) is None and line.now < began + 10:
        line.run(0.01)
    return Rejoined((back or line.now) - began, tuple(line.wrong()))


@dataclass(frozen=True, slots=True)
class Overflowed:
    """More readings than the line carries: how many were dropped, how many reported, whether the state was doubted."""

    dropped: int
    told: int
    doubted_before_the_gap: bool


def overflowed(seed: int) -> Overflowed:
    """1500 readings a second into a line that carries some 600."""
    line = Line(Faults(bytes_per_second=20_000), seed, 1500.0)
    line.run(10.0)
    line.run(6.0, sensing=False)
    readings = Readings(lambda: line.now)
    told, doubted, honest = 0, True, True
    last: float | None = None
    for _, event in line.events:
        match event:
            case Joined():
                found = readings.joined(event)
                doubted = True
            case Arrived(t=t, message=message):
                found = readings.message(t, message)
            case _:
                continue
        for seen in found:
            if isinstance(seen, Health):
                doubted = seen.state != "ok"
                told += int(seen.note.split()[0]) if "did not fit" in seen.note else 0
            elif isinstance(seen, Scale):
                if last is not None and round(seen.grams * 1000) not in (last, last + 1):
                    honest = honest and doubted
                last = round(seen.grams * 1000)
    return Overflowed(line.link.dropped, told, honest)


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """Broken blocks thrown at both ends: how many, how many were refused, what came of them that should not."""

    frames: int
    refused_by_host: int
    refused_by_node: int
    fabricated: int


def fuzzed(frames: int, seed: int) -> Fuzzed:
    """A live link gets ``frames`` blocks of garbage at each end between its own frames; nothing may come of them.

    Raises whatever the garbage makes crash.
    """
    rng = random.Random(seed)  # noqa: S311 - a simulation
    line = Line(Faults(), seed)
    line.run(1.0)
    alone = LinkSession(rng.randrange(1 << 16))  # a host that has never heard a node
    strays = 0
    told: list[Event] = []
    for number in range(frames):
        if number % 200 == 0:
            line.run(0.02)
            told.clear()
        block = garbage(rng, line)
        wire = block + b"\0"
        before = line.session.counters.frames
        moment = LinkTime(line.now, line.now)
        told += line.session.receive(wire, moment)
        strays += line.session.counters.frames - before
        told += alone.receive(wire, LinkTime(number / 1000, number / 1000))
        line.session.output()
        alone.output()
        held = (line.link.is_open, len(line.link.flight), line.link.base)
        line.link.receive(wire, int(line.now * 1000))
        if (line.link.is_open, len(line.link.flight), line.link.base) != held:
            told.append(Lost("the node took garbage for a frame"))
        if told:
            break
    line.run(3.0, sensing=False)
    got = account(line)
    wrong = len(told) + len(got.gaps) + (got.readings[-1][2] != line.count)
    return Fuzzed(frames, line.session.counters.broken, line.link.broken, wrong)


def garbage(rng: random.Random, line: Line) -> bytes:
    """One block without zeros that is no frame of this link, near or far from being one."""
    kind = rng.randrange(6)
    if kind == 0:
        return bytes(rng.randrange(1, 256) for _ in range(rng.randrange(1, 80)))
    reading = Frame(rng.randrange(1 << 16), line.link.boot, line.link.session, 1, Weighed(0, 999_999, 1))
    good = codec.encode(reading)[:-1]
    if kind == 1:  # bits turned
        spoiled = bytearray(good)
        for _ in range(rng.randrange(1, 4)):
            spoiled[rng.randrange(len(spoiled))] ^= 1 << rng.randrange(8)
        found = bytes(byte or 1 for byte in spoiled)
        return found if found != good else found[:-1]
    if kind == 2:  # cut short
        return good[: rng.randrange(1, len(good))]
    if kind == 3:  # two run into one
        return good + good
    if kind == 4:  # bytes missing in the middle
        at = rng.randrange(len(good) - 1)
        return good[:at] + good[at + rng.randrange(1, len(good) - at) :] or b"\x01"
    return bytes(rng.randrange(1, 256) for _ in range(rng.randrange(250, 600)))  # longer than any frame
