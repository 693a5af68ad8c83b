"""A node's messages → observations. Only what a node sent becomes an observation; nothing is filled in."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from firmware_bridge.codec import SCHEMA
from firmware_bridge.frames import (
    NODE_ITSELF,
    Knocked,
    Level,
    Message,
    Pressed,
    Sensor,
    SnapshotBegin,
    SnapshotEnd,
    TagsRead,
    Trouble,
    Weighed,
)
from firmware_bridge.session import Joined
from hw.observations import Button, Health, Knock, Observation, Reach, Scale, Screen, Shield, Tags, Tray
from hw.seats import Seat, seat_or_none

_KINDS: Final = SCHEMA.kinds


@dataclass(frozen=True, slots=True)
class SensorPlace:
    """Place of a sensor, from its name: its kind, the seat and the zone (or button) that it belongs to."""

    kind: str
    seat: Seat | None
    zone: str


def place(kind: int, name: str) -> SensorPlace | None:
    """Return the place of sensor ``name`` of the schema's ``kind`` at the table; None if the name says nothing."""
    word = _KINDS.get(kind, "")
    placed = _PLACED.get(word)
    return None if placed is None else placed(word, name)


def _of_a_zone(word: str, name: str) -> SensorPlace | None:
    return SensorPlace(word, None, name)


def _of_a_reach(word: str, name: str) -> SensorPlace | None:
    """Read ``SEAT:ZONE``; the seat ``-`` is no seat in particular."""
    owner, _, zone = name.partition(":")
    seat = seat_or_none(owner)
    return SensorPlace(word, seat, zone) if zone and (seat or owner == "-") else None


def _of_a_seats_part(word: str, name: str) -> SensorPlace | None:
    """``SEAT:NAME``."""
    owner, _, part = name.partition(":")
    seat = seat_or_none(owner)
    return SensorPlace(word, seat, part) if part and seat else None


def _of_a_seat(word: str, name: str) -> SensorPlace | None:
    seat = seat_or_none(name.removesuffix(":"))
    return SensorPlace(word, seat, "") if seat else None


def _of_the_top(word: str, name: str) -> SensorPlace | None:
    """Return the place of a knock: under a seat, or (any other name) somewhere under the table top."""
    owner, _, rest = name.partition(":")
    return None if rest else SensorPlace(word, seat_or_none(owner), "")


def _of_the_screen(word: str, name: str) -> SensorPlace | None:
    """Read ``panel`` or ``aperture``, with ``:SEAT`` if there is one a seat."""
    part, _, owner = name.partition(":")
    return SensorPlace(word, seat_or_none(owner), part) if part in ("panel", "aperture") else None


def _of_the_tray(word: str, name: str) -> SensorPlace | None:
    side = name.removesuffix(":")
    return SensorPlace(word, None, side) if side in ("NE", "SW") else None


_PLACED: Final[dict[str, Callable[[str, str], SensorPlace | None]]] = {
    "coil": _of_a_zone,
    "scale": _of_a_zone,
    "beam": _of_a_reach,
    "button": _of_a_seats_part,
    "shield": _of_a_seat,
    "knock": _of_the_top,
    "screen": _of_the_screen,
    "tray": _of_the_tray,
}
"""Readers of sensor names, by kind of sensor."""


class Readings:
    """State of one node's sensors. Reports changes only: a snapshot after a gap yields what differs from before.

    ``now`` gives the table's clock for the health of the node itself, which no node senses. ``known``: last value of
    each sensor, shared by the nodes of one table, as a board may come back at another's port.
    """

    def __init__(self, now: Callable[[], float], known: dict[SensorPlace, object] | None = None) -> None:
        self.node = ""
        self._now = now
        self._map: list[tuple[int, str]] = []
        self._map_hash = 0
        self._places: dict[int, SensorPlace] = {}
        self._known: dict[SensorPlace, object] = {} if known is None else known
        self._dropped = 0
        self._unverified = False
        self._in_snapshot = False
        self._tray: dict[str, int] = {}
        self._troubles: dict[str, str] = {}
        self._still: set[str] = set()

    @property
    def troubles(self) -> dict[str, str]:
        """Present faults, by ``NODE/KIND:NAME``, as the node has reported them."""
        return dict(self._troubles)

    @property
    def sensors(self) -> tuple[str, ...]:
        """The sensors that the node has announced in its session, as ``KIND:NAME``."""
        return tuple(f"{_KINDS.get(kind, kind)}:{name}".removesuffix(":") for kind, name in self._map)

    def joined(self, event: Joined) -> list[Observation]:
        """Begin a new session of the node; its sensors and their state come next."""
        self.node = event.hello.node
        self._map = []
        self._map_hash = event.hello.map
        self._places = {}
        self._unverified = True
        self._in_snapshot = False
        if event.how != "back":
            self._dropped = 0
        if event.how == "reset":
            return [self._health("reset", _why(event))]
        return []

    def lost(self, reason: str) -> list[Observation]:
        """Report that the node is not heard any more."""
        self._unverified = True
        return [self._health("lost", reason)]

    def message(self, t: float, message: Message) -> list[Observation]:
        """Return the observations that one message means, in order."""
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
            case Trouble():
                return self._trouble(message)
        found = self._places.get(getattr(message, "sensor", -1))
        return [] if found is None else self._reading(t, found, message)

    def _begin(self, dropped: int) -> list[Observation]:
        self._in_snapshot = True
        self._still = set()
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
        mended = [name for name in self._troubles if name not in self._still]
        told = [self._mended(name) for name in mended]
        if not self._unverified:
            return told
        self._unverified = False
        return [*told, self._health("ok", f"{len(self._places)} sensors")]

    def _trouble(self, message: Trouble) -> list[Observation]:
        """Report that a sensor fails or answers again, as a health named NODE/KIND:NAME: others stay trusted."""
        if message.sensor == NODE_ITSELF:
            name = f"{self.node}/node"
        elif message.sensor < len(self._map):
            kind, sensor = self._map[message.sensor]
            name = f"{self.node}/{_KINDS.get(kind, kind)}:{sensor}"
        else:
            return []
        if not message.failing:
            return [self._mended(name)] if name in self._troubles else []
        self._still.add(name)
        if self._troubles.get(name) == message.what:
            return []
        self._troubles[name] = message.what
        return [Health(round(self._now(), 6), name, "lost", f"{message.what[:1].upper()}{message.what[1:]}.")]

    def _mended(self, name: str) -> Observation:
        del self._troubles[name]
        return Health(round(self._now(), 6), name, "ok", "It answers again.")

    def _reading(self, t: float, at: SensorPlace, message: Message) -> list[Observation]:
        match at.kind, message:
            case _, Level(level=level):
                return self._level(t, at, level)
            case "coil", TagsRead(uids=uids):
                tags = tuple(uid.hex().upper() for uid in uids)
                return self._changed(at, tags, Tags(t, at.zone, tags), unless=())
            case "scale", Weighed(milligrams=milligrams, settled=settled):
                return [Scale(t, at.zone, milligrams / 1000, bool(settled))]
            case "button", Pressed() if at.seat is not None:
                return [Button(t, at.seat, at.zone)]
            case "knock", Knocked():
                return [Knock(t, at.seat)]
        return []

    def _level(self, t: float, at: SensorPlace, level: int) -> list[Observation]:
        """Return the observations of a contact or a barrier that has come to ``level``."""
        match at.kind:
            case "beam":
                phase: Literal["in", "out"] = "in" if level else "out"
                return self._changed(at, phase, Reach(t, at.seat, at.zone, phase), unless="out")
            case "shield" if at.seat is not None:
                pose: Literal["up", "over"] = "up" if level else "over"
                return self._changed(at, pose, Shield(t, at.seat, pose), unless=None)
            case "screen":
                return self._screen_moved(t, at, level)
            case "tray":
                return self._tray_moved(t, at.zone, level)
        return []

    def _screen_moved(self, t: float, at: SensorPlace, level: int) -> list[Observation]:
        raised: Literal["up", "down", "open", "closed"]
        if at.zone == "panel":
            raised = "up" if level else "down"
            return self._changed(at, raised, Screen(t, "panel", raised, at.seat), unless=None)
        raised = "open" if level else "closed"
        return self._changed(at, raised, Screen(t, "aperture", raised, at.seat), unless=None)

    def _tray_moved(self, t: float, side: str, level: int) -> list[Observation]:
        """Take a change of one of two contacts: the tray is at the only closed one, and moving if none is closed."""
        self._tray[side] = level
        here = {name for name, closed in self._tray.items() if closed}
        if len(here) > 1 or (self._in_snapshot and len(self._tray) < 2):
            return []  # both at once is a fault of the contacts; half a snapshot says nothing yet
        stands: Literal["NE", "SW", "moving"] = "moving"
        if here:
            stands = "NE" if "NE" in here else "SW"
        return self._changed(SensorPlace("tray", None, ""), stands, Tray(t, stands, None), unless=None)

    def _changed(self, at: SensorPlace, value: object, observation: Observation, unless: object) -> list[Observation]:
        """``observation`` where ``value`` is news; before the first one a sensor is taken to be at ``unless``."""
        if self._known.get(at, unless) == value:
            return []
        self._known[at] = value
        return [observation]

    def _health(self, state: Literal["ok", "lost", "reset"], note: str) -> Health:
        return Health(round(self._now(), 6), self.node, state, note)


_CAUSES: Final = {1: "power came", 2: "its watchdog bit", 3: "its supply sagged", 4: "it was reset"}


def _why(event: Joined) -> str:
    """One sentence on a node's start: why, if it knows, and how often it has been reset and browned out."""
    hello = event.hello
    cause = _CAUSES.get(hello.cause)
    why = f" ({cause})" if cause else ""
    count = f", {hello.resets} resets and {hello.brownouts} brown-outs so far" if hello.resets + hello.brownouts else ""
    return f"The node has started anew{why}{count}; what it sensed meanwhile is not known."
