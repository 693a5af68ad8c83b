"""Gaps in sensing: the log of a table some of whose sensors are not heard, and their return.

A gap takes out of a log what the sensors would have reported. If it is ``declared`` the node reports it by a health
observation when it begins and when it ends. A node that is ``snapped`` back reports, as the firmware does, all that has
changed meanwhile; otherwise a sensor reports nothing before its own next change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from hw.coverage import Covered, covers, sensor_of
from hw.observations import Button, Health, Knock, Observation, Reach, Scale, Screen, Shield, Sight, Tags, Tray

_AT_REST: Final[dict[type[Observation], object]] = {Tags: (), Reach: "out"}
"""Value of a sensor before its first report."""


@dataclass(frozen=True, slots=True)
class SensingGap:
    """``sensors`` (``hw.coverage``) are not heard from ``start`` to ``end``, in seconds of the log.

    ``names``: the nodes or sensors whose health reports it; empty if it is not declared.
    """

    start: float
    end: float
    sensors: Covered
    names: tuple[str, ...] = ()
    snapped: bool = True

    def hides(self, observation: Observation) -> bool:
        """Return True if ``observation`` is lost in the gap."""
        sensor = sensor_of(observation)
        return sensor is not None and self.start <= observation.t < self.end and covers(self.sensors, sensor)


def through(gap: SensingGap, observations: Iterable[Observation]) -> Iterator[Observation]:
    """``observations``, in order of arrival, as a log holds them that has ``gap``."""
    said: dict[str, Observation] = {}
    missed: dict[str, Observation] = {}
    begun = ended = False
    for one in observations:
        if not begun and _came(one) >= gap.start:
            begun = True
            for name in gap.names:
                yield Health(gap.start, name, "lost", "It is not heard.")
        if not ended and _came(one) >= gap.end:
            ended = True
            yield from _back(gap, said, missed)
        sensor = sensor_of(one)
        if gap.hides(one):
            missed[sensor or ""] = one
            continue
        if sensor is not None:
            said[sensor] = one
        yield one


def _came(observation: Observation) -> float:
    """Return the time that the log had reached with ``observation``; a picture comes late and does not count."""
    return -1.0 if isinstance(observation, Sight) else observation.t


def _back(gap: SensingGap, said: dict[str, Observation], missed: dict[str, Observation]) -> Iterator[Observation]:
    for name in gap.names:
        yield Health(gap.end, name, "ok", "It is heard again.")
    if not gap.snapped:
        return
    for sensor, last in missed.items():
        if isinstance(last, Button | Knock | Sight):
            continue  # a moment that has passed; the camera's next picture comes of itself
        now = replace(last, t=gap.end)
        if isinstance(now, Scale) or _state(now) != (
            _state(said[sensor]) if sensor in said else _AT_REST.get(type(now))
        ):
            yield now


def _state(observation: Observation) -> object:
    match observation:
        case Tags(tags=tags):
            return tags
        case Reach(phase=phase):
            return phase
        case Shield(pose=pose) | Screen(pose=pose):
            return pose
        case Tray(side=side):
            return side
    return None
