"""Check that the tags readers report are those of the table's pack: a wrong tags file is the table's fault."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import Final

from hw.observations import Health, Observation, Tags
from table_service.table.sensor_health import SensorHealth

PART: Final = "tags"
"""The part of the table that health events name."""
_STRANGE: Final = 12
"""Different tags unknown to the header, without a known one, from which a reader's reports are ignored."""
_FEW: Final = 4
"""Tags of the pack that a reader reports for each strange one, after the first, if these are strange cards."""
_MOST: Final = 256


class TagTrust:
    """Counts, by reader, the tags that the header names and those that it does not.

    One strange tag among many of the pack is evidence of a strange card. A reader that reports strange ones only, or a
    file of which no tag ever answers, is no evidence of anything; it is reported as the table's health.
    """

    def __init__(self, named: Collection[str], health: SensorHealth) -> None:
        self._named = named
        self._health = health
        self._known: defaultdict[str, set[str]] = defaultdict(set)
        self._strange: defaultdict[str, set[str]] = defaultdict(set)
        self._foreign: tuple[str, ...] = ()

    def hear(self, observation: Observation) -> None:
        """Take a reader's tags; other observations change nothing."""
        if not isinstance(observation, Tags) or not self._named:
            return
        for uid in observation.tags[:64]:
            seen = (self._known if uid in self._named else self._strange)[observation.zone]
            if len(seen) < _MOST:
                seen.add(uid)
        foreign = tuple(zone for zone in sorted(self._strange) if self._is_foreign(zone))
        if foreign != self._foreign:
            self._foreign = foreign
            self._health.hear(Health(observation.t, PART, "lost" if foreign else "ok", _note(foreign)))

    def is_credible(self, zone: str) -> bool:
        """Return True if a strange tag at ``zone`` means a strange card: its reader reports many more of the pack."""
        known, strange = len(self._known[zone]), len(self._strange[zone])
        return known > 0 and strange <= max(1, known // _FEW)

    def _is_foreign(self, zone: str) -> bool:
        return len(self._strange[zone]) >= _STRANGE and not self._known[zone]


def _note(readers: tuple[str, ...]) -> str:
    if not readers:
        return ""
    return f"no tag that was read at {', '.join(readers)} is in the tags file: is it that of this pack?"
