"""Reliability of sensing: the state of the sensors' nodes, and the zones that cannot be relied on."""

from __future__ import annotations

from hw.observations import Health
from table_service.events import payloads as say
from table_service.table.voice import Voice


class SensorHealth:
    """Keeps which zones are unverified and why, and the state of each node; reports every change."""

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self.unverified: dict[str, str] = {}
        self.nodes: dict[str, str] = {}

    def doubt(self, zone: str, t: float, reason: str) -> None:
        """Report that the contents of ``zone`` cannot be relied on any more."""
        known = zone in self.unverified
        self.unverified[zone] = reason
        if not known:
            self._voice.say("table.health", say.TableHealth(what=zone, state="unverified", note=reason), t)

    def trust(self, zone: str, t: float) -> None:
        """``zone`` is confirmed again."""
        if self.unverified.pop(zone, None) is not None:
            self._voice.say("table.health", say.TableHealth(what=zone, state="verified"), t)

    def hear(self, health: Health) -> None:
        """Record how a node says it is."""
        self.nodes[health.node] = health.state
        self._voice.say(
            "table.health", say.TableHealth(what=health.node, state=health.state, note=health.note), health.t
        )
