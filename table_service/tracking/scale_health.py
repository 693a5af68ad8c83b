"""Scales that report nothing although other sensors saw a card come or go: jammed, broken or fallen silent.

A plate cannot lose or gain a card without swinging. If a gate has read the card on its way, or frame upon frame
shows it on the pile, and the plate lay still, the scale is faulty, whatever its node reports.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hw.observations import Scale
from table_service.tracking.tags import Crossing

_NEAR: Final = 1.5
"""Seconds around the witnessed moment in which the plate must have swung."""
_COARSE: Final = 3.0
"""The same where readings are coarse, so that more of them are needed."""
_READ: Final = 0.045
"""Seconds, two scans, for which a coil must have answered: a neighbour's ghost lasts one."""
_REST: Final = 1.0
"""A gap between readings that is longer belongs to a plate at rest, which speaks now and then."""
_GAPS: Final = 8
"""Gaps after which it is known how often a scale at rest reports."""
_PATIENCE: Final = 2.5
"""Multiples of its longest gap after which a scale has fallen silent."""
_RARELY: Final = 33.0
"""A scale at rest may speak as rarely as every 30 s (contract); only after this many has it fallen silent."""
_OTHERS: Final = 3
"""Readings of other scales that must have come meanwhile: else the whole node may be slow."""


@dataclass(slots=True)
class _Voice:
    """Reporting habits of one scale."""

    last_t: float = -1e9
    gaps: int = 0
    longest: float = 0.0
    others: int = 0
    silent: bool = False
    fine: bool = True
    settled: bool = False
    """True if it has ever come to rest: a scale that never settles is ignored as evidence of motion."""
    moved_t: float = -1e9
    """When the plate last swung, or weighed otherwise."""


class ScaleHealth:
    """Watches over the scales of a table. ``unwell``: those that another sensor has contradicted."""

    def __init__(self) -> None:
        self.unwell: set[str] = set()
        self._voices: dict[str, _Voice] = {}
        self._seen: list[tuple[str, float, Crossing | None]] = []

    def forget(self) -> None:
        """Forget what was witnessed: the table is cleared; what is broken stays so."""
        self._seen = []

    def heard(self, scale: Scale, *, fine: bool) -> None:
        """Record that a scale has spoken; one that swings is well again, if readings so ``fine`` let swings count."""
        voice = self._voices.setdefault(scale.zone, _Voice())
        gap = scale.t - voice.last_t
        if gap > _REST and voice.last_t > -1e8 and not voice.silent:
            voice.gaps += 1
            voice.longest = max(voice.longest, gap)
        voice.last_t, voice.others, voice.silent = max(voice.last_t, scale.t), 0, False
        for zone, other in self._voices.items():
            other.others += zone != scale.zone
        voice.fine = fine
        voice.settled = voice.settled or scale.settled
        if not scale.settled and fine and voice.settled:
            self.moved(scale.zone, scale.t)

    def moved(self, zone: str, t: float) -> None:
        """Record that the plate of ``zone`` has swung, or its count has changed."""
        self._voices.setdefault(zone, _Voice()).moved_t = t
        self.unwell.discard(zone)
        self._seen = [seen for seen in self._seen if seen[0] != zone or abs(seen[1] - t) > _NEAR]

    def counted(self, zone: str) -> None:
        """Take a new count of ``zone``: it includes what was witnessed there before."""
        self.unwell.discard(zone)
        self._seen = [seen for seen in self._seen if seen[0] != zone]

    def is_silent(self, zone: str) -> bool:
        """Return True if the scale of ``zone`` has fallen silent."""
        return zone in self._voices and self._voices[zone].silent

    def lay_still(self, zone: str, t: float) -> bool:
        """Return True if the scale of ``zone``, which has reported before, reported nothing around ``t``."""
        voice = self._voices.get(zone)
        return voice is not None and abs(voice.moved_t - t) > _NEAR

    def saw(self, zone: str, t: float, crossing: Crossing | None = None) -> None:
        """Another sensor saw a card come to ``zone`` or leave it at ``t``; ``crossing``: the gate's answer."""
        if zone not in self.unwell and self.lay_still(zone, t):
            self._seen = [*self._seen[-7:], (zone, t, crossing)]

    def has_heard(self, zone: str) -> bool:
        """Return True if the scale of ``zone`` has ever spoken."""
        return zone in self._voices

    def is_lost(self, zone: str) -> bool:
        """Return True if the scale of ``zone`` is silent or contradicted."""
        return zone in self.unwell or (zone in self._voices and self._voices[zone].silent)

    def asked(self, zone: str) -> bool:
        """Return True if the scale of ``zone`` has still to say what another sensor saw, or is not well."""
        return zone in self.unwell or any(seen[0] == zone for seen in self._seen)

    @property
    def waiting(self) -> bool:
        """True if time alone may bring something to light."""
        if self._seen:
            return True
        for voice in self._voices.values():  # noqa: SIM110 - asked with every observation: a generator costs more
            if voice.others >= _OTHERS and not voice.silent:
                return True
        return False

    def contradicted(self, now: float) -> Iterator[tuple[str, float]]:
        """Yield the zones whose scales have not reported by ``now`` what was seen, and when it was seen."""
        due = [seen for seen in self._seen if now > seen[1] + self._wait(seen[0])]
        self._seen = [seen for seen in self._seen if seen not in due]
        for zone, seen_t, crossing in due:
            ghost = crossing is not None and crossing.end is not None and crossing.end - crossing.t < _READ
            if not ghost and zone not in self.unwell:
                self.unwell.add(zone)
                yield zone, seen_t

    def _wait(self, zone: str) -> float:
        voice = self._voices.get(zone)
        return _NEAR if voice is None or voice.fine else _COARSE

    def silent(self, now: float) -> Iterator[str]:
        """Yield the zones whose scales have fallen silent by ``now``, each once."""
        for zone, voice in self._voices.items():
            known = voice.gaps >= _GAPS and voice.others >= _OTHERS and not voice.silent
            if known and now - voice.last_t > max(_PATIENCE * voice.longest, _RARELY):
                voice.silent = True
                yield zone

    def speaks(self, zone: str, now: float) -> bool:
        """Return True if ``zone``'s scale has spoken within its usual time, as far as that is known."""
        voice = self._voices.get(zone)
        if voice is None or voice.silent or not voice.settled:
            return False
        return voice.gaps < _GAPS or now - voice.last_t <= 1.2 * voice.longest
