"""A node's messages → observations. Only what a node sent becomes an observation; nothing is filled in."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from firmware_bridge.codec import SCHEMA
from firmware_bridge.frames import (
    Knocked,
    Level,
    Message,
    Pressed,
    Sensor,
    SnapshotBegin,
    SnapshotEnd,
    TagsRead,
    Weighed,
)
from firmware_bridge.session import Joined
from hw.observations import Button, Health, Knock, Observation, Reach, Scale, Shield, Tags
from hw.seats import Seat, seat_or_none

_KINDS: Final = SCHEMA.kinds


@dataclass(frozen=True, slots=True)
class Place:
    """What a sensor's name says: its kind, the seat and the zone (or button) that it belongs to."""

    kind: str
    seat: Seat | None
    zone: str


def place(kind: int, name: str) -> Place | None:
    """The place that sensor ``name`` of the schema's ``kind`` has at the table; None where the name says nothing."""
    word = _KINDS.get(kind)
    if word in ("coil", "scale"):
        return Place(word, None, name)
    owner, _, rest = name.partition(":")
    seat = seat_or_none(owner)
    if word == "beam" and rest and (seat or owner == "-"):
        return Place(word, seat, rest)
    if word == "button" and rest and seat:
        return Place(word, seat, rest)
    if word == "shield" and seat and not rest:
        return Place(word, seat, "")
    if word == "knock" and not rest:
        return Place(word, seat, "")
    return None


class Readings:
    """What one node is known to say. Tells changes only: a snapshot after a gap yields what differs from before.

    ``now`` gives the table's clock for the health of the node itself, which no node senses.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self.node = ""
        self._now = now
        self._map: list[tuple[int, str]] = []
        self._map_hash = 0
        self._places: dict[int, Place] = {}
        self._known: dict[Place, object] = {}
        self._dropped = 0
        self._unverified = False
        self._in_snapshot = False

    def joined(self, event: Joined) -> list[Observation]:
        """A session has opened; its sensors and their state come next."""
        self.node = event.hello.node
        self._map = []
        self._map_hash = event.hello.map
        self._places = {}
        self._unverified = True
        self._in_snapshot = False
        if event.how != "back":
            self._dropped = 0
        if event.how == "reset":
            return [self._health("reset", "The node has started anew; what it sensed meanwhile is not known.")]
        return []

    def lost(self, reason: str) -> list[Observation]:
        """The node is not heard any more."""
        self._unverified = True
        return [self._health("lost", reason)]

    def message(self, t: float, message: Message) -> list[Observation]:
        """The observations that one message means, in order."""
        match message:
            case Sensor(sensor=number, kind=kind, name=name):
                self._map.append((kind, name))
                found = place(kind, name)
                if found is not None:
                    self._places[number] = found
                return []
            case SnapshotBegin(dropped=dropped):
                return self._begin(dropped)
            case SnapshotEnd():
                return self._end()
        found = self._places.get(getattr(message, "sensor", -1))
        return [] if found is None else self._reading(t, found, message)

    def _begin(self, dropped: int) -> list[Observation]:
        self._in_snapshot = True
        missing, self._dropped = dropped - self._dropped, dropped
        if missing <= 0:
            return []
        self._unverified = True
        return [self._health("lost", f"{missing} readings did not fit the node's memory; its state follows anew.")]

    def _end(self) -> list[Observation]:
        self._in_snapshot = False
        lines = (f"{number} {kind} {name}" for number, (kind, name) in enumerate(self._map))
        if zlib.crc32("\n".join(lines).encode()) != self._map_hash:
            return [self._health("lost", "The node's sensors are not those that it announced.")]
        if not self._unverified:
            return []
        self._unverified = False
        return [self._health("ok", f"{len(self._places)} sensors")]

    def _reading(self, t: float, at: Place, message: Message) -> list[Observation]:
        match at.kind, message:
            case "coil", TagsRead(uids=uids):
                tags = tuple(uid.hex().upper() for uid in uids)
                return self._changed(at, tags, Tags(t, at.zone, tags), unless=())
            case "scale", Weighed(milligrams=milligrams, settled=settled):
                return [Scale(t, at.zone, milligrams / 1000, bool(settled))]
            case "beam", Level(level=level):
                phase: Literal["in", "out"] = "in" if level else "out"
                return self._changed(at, phase, Reach(t, at.seat, at.zone, phase), unless="out")
            case "shield", Level(level=level) if at.seat is not None:
                pose: Literal["up", "over"] = "up" if level else "over"
                return self._changed(at, pose, Shield(t, at.seat, pose), unless=None)
            case "button", Pressed() if at.seat is not None:
                return [Button(t, at.seat, at.zone)]
            case "knock", Knocked():
                return [Knock(t, at.seat)]
        return []

    def _changed(self, at: Place, value: object, observation: Observation, unless: object) -> list[Observation]:
        """``observation`` where ``value`` is news; before the first one a sensor is taken to be at ``unless``."""
        if self._known.get(at, unless) == value:
            return []
        self._known[at] = value
        return [observation]

    def _health(self, state: Literal["ok", "lost", "reset"], note: str) -> Health:
        return Health(round(self._now(), 6), self.node, state, note)
