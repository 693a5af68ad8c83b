"""Single cards that cross a gate: which card answered where and when, and which answers are accepted."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from hw.observations import Tags
from hw.seats import Seat
from hw.zones import zone_seat

_HELD: Final = 0.05
"""Seconds (two scans) for which a coil must have held a card for another coil's answer to be its ghost."""


@dataclass(slots=True)
class Crossing:
    """The card (or, where the header does not name it, the bare UID) answered at ``zone`` from ``t`` on."""

    t: float
    zone: str
    card: str | None
    uid: str
    end: float | None = None

    @property
    def seat(self) -> Seat | None:
        """The seat whose gate it is."""
        return zone_seat(self.zone) if self.zone.startswith("gate-") else None


class Crossings:
    """Recent readings of the coils, and what answers now."""

    def __init__(self, cards_of_tags: dict[str, str]) -> None:
        self._cards = cards_of_tags
        self._recent: deque[Crossing] = deque(maxlen=48)
        self._answering: dict[str, dict[str, Crossing]] = {}
        self._changed: dict[str, deque[float]] = {}

    def feed(self, tags: Tags) -> list[Crossing]:
        """Take one inventory; the answers that are new at that coil."""
        before = self._answering.get(tags.zone, {})
        now: dict[str, Crossing] = {}
        new = []
        for uid in tags.tags[:64]:
            crossing = before.get(uid)
            if crossing is None:
                crossing = Crossing(tags.t, tags.zone, self._cards.get(uid), uid)
                self._recent.append(crossing)
                new.append(crossing)
            now[uid] = crossing
        for uid, crossing in before.items():
            if uid not in now:
                crossing.end = tags.t
        self._answering[tags.zone] = now
        self._changed.setdefault(tags.zone, deque(maxlen=8)).append(tags.t)
        return new

    def forget(self) -> None:
        """All cards have been gathered: what answered before is none of the next deal's business."""
        self._recent.clear()

    def near(self, zones: Iterable[str], start: float, end: float) -> list[Crossing]:
        """Return the answers that began at one of ``zones`` from ``start`` to ``end``, in order of time."""
        wanted = tuple(zones)
        return sorted((c for c in self._recent if c.zone in wanted and start <= c.t <= end), key=lambda c: c.t)

    def lying(self, card: str, t: float, except_at: str) -> bool:
        """Return True if ``card`` answers steadily at another coil than ``except_at``: elsewhere is its ghost."""
        for zone, answering in self._answering.items():
            if zone == except_at:
                continue
            for crossing in answering.values():
                if crossing.card == card and crossing.t < t - _HELD:
                    return True
        return False

    def first_change(self, zone: str, start: float, end: float) -> float | None:
        """Return when the answers of ``zone`` first changed from ``start`` to ``end``."""
        return next((t for t in self._changed.get(zone, ()) if start <= t <= end), None)
