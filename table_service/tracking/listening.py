"""Sensors that are heard: by the health of their nodes, until it, or a report of the sensor itself, says otherwise."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from hw.coverage import Covered, covered, covers, sensor_of
from hw.observations import Health, Observation

_SILENT: Final = 7.5
"""Seconds without any observation, five and the two that a picture may take, after which nothing was heard."""
_KNOWN: Final = 100
"""Observations after which it is known how long a log may be silent."""
_AFTER: Final = 0.5
"""Seconds after its node was reported lost from which an observation of a sensor proves that it is heard again."""


@dataclass(frozen=True, slots=True)
class SensorChange:
    """``sensors`` are heard no more (``lost``), again (``back``), or had been unheard for a while (``reset``)."""

    state: str
    sensors: Covered


class Listening:
    """Keeps which sensors are not heard. ``nodes``: the sensors of each node by the table map."""

    def __init__(self, nodes: Mapping[str, Collection[str]]) -> None:
        self._nodes = nodes
        self._lost: dict[str, tuple[float, Covered]] = {}
        self._newest = -1.0
        self._gaps = 0
        self._longest = 0.0

    def silence(self, t: float) -> float | None:
        """Return the start of a silence of the log that ends at ``t``, if it is too long to be normal; else None.

        The camera reports what it sees every five seconds at least (contract); a log that is silent for longer again
        and again has another habit.
        """
        gap, since = t - self._newest, self._newest
        if gap <= 0.0:
            return None
        self._newest = t
        if since >= 0.0 and self._gaps >= _KNOWN and gap > max(_SILENT, 2.0 * self._longest):
            return since
        self._gaps += 1
        self._longest = max(self._longest, gap if since >= 0.0 else 0.0)
        return None

    def health(self, health: Health) -> SensorChange | None:
        """Take a node's health; None if it changes nothing."""
        sensors = covered(health.node, self._nodes)
        if not sensors:
            return None
        if health.state == "lost":
            known = health.node in self._lost
            self._lost[health.node] = (health.t, sensors)
            return None if known else SensorChange("lost", sensors)
        was = self._lost.pop(health.node, None)
        if was is not None:
            return SensorChange("back", sensors)
        return SensorChange("reset", sensors) if health.state == "reset" else None

    def heard(self, observation: Observation) -> SensorChange | None:
        """Take a sensor's report: its node, reported as lost, is back if no health said so."""
        if not self._lost:
            return None
        sensor = sensor_of(observation)
        if sensor is None:
            return None
        for name, (since, sensors) in self._lost.items():
            if observation.t > since + _AFTER and covers(sensors, sensor):
                del self._lost[name]
                return SensorChange("back", sensors)
        return None

    def is_lost(self, sensor: str) -> bool:
        """Return True if ``sensor``, or one whose name begins so, is said not to be heard."""
        lost = [one for _, sensors in self._lost.values() for one in sensors]
        return covers(tuple(lost), sensor) or any(one.startswith(sensor) for one in lost)
