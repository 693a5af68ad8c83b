"""Hands in zones: intervals from the beams, with bounces joined and missing halves made good."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

from hw.observations import Reach
from hw.seats import Seat

ANYWHERE: Final = ""
"""The zone of a reach whose beam does not show into which zone it went."""
BOUNCE: Final = 0.35
"""Seconds within which a hand that is back in the same zone never left."""
TOLD_LATE: Final = 0.3
"""Longest delay, in seconds, of a hand's report by the camera after the first frame in which it covers a place."""
LONGEST: Final = 6.0
"""Seconds after which a hand whose leaving was not seen is taken to have left."""
TYPICAL: Final = 1.0
"""Seconds that a reach lasts whose beginning was not seen."""


@dataclass(slots=True)
class Interval:
    """``seat``'s hand was in ``zone`` from ``start`` to ``end``; ``end`` None while it is there."""

    seat: Seat | None
    zone: str
    start: float
    end: float | None = None
    unseen: bool = False
    """Its coming was not seen: it may have lain there for long."""

    def covers(self, t: float, slack: float = 0.0) -> bool:
        """Return True if the hand was there at ``t``, give or take ``slack`` seconds."""
        end = self.start + LONGEST if self.end is None else self.end
        return self.start - slack <= t <= end + slack


class Reaches:
    """The reaches of the last while, by zone."""

    def __init__(self) -> None:
        self._zones: dict[str, deque[Interval]] = {}

    def feed(self, reach: Reach) -> Interval:
        """Take one crossing of a beam; the interval it opens, continues or ends. No zone named: ``ANYWHERE``."""
        known = self._zones.setdefault(reach.zone or ANYWHERE, deque(maxlen=24))
        mine = next((i for i in reversed(known) if i.seat == reach.seat), None)
        return self._enter(known, mine, reach) if reach.phase == "in" else self._leave(known, mine, reach)

    def _enter(self, known: deque[Interval], mine: Interval | None, reach: Reach) -> Interval:
        if mine is not None and mine.end is None and reach.t - mine.start < LONGEST / 2:
            return mine
        if mine is not None and mine.end is not None and abs(reach.t - mine.end) < BOUNCE:
            mine.end = None  # also where a camera tells both a moment late, and the other way round
            return mine
        if mine is not None and mine.end is None:
            mine.end = min(mine.start + TYPICAL, reach.t)
        entered = Interval(reach.seat, reach.zone or ANYWHERE, reach.t)
        known.append(entered)
        return entered

    def _leave(self, known: deque[Interval], mine: Interval | None, reach: Reach) -> Interval:
        if mine is not None and (mine.end is None or 0 <= reach.t - mine.end < BOUNCE):
            mine.end = max(reach.t, mine.start)
            return mine
        left = Interval(reach.seat, reach.zone or ANYWHERE, reach.t - TYPICAL, reach.t, unseen=True)
        known.append(left)
        return left

    def between(self, zone: str, start: float, end: float) -> list[Interval]:
        """Return the reaches into ``zone`` that touch the span from ``start`` to ``end``, in the order they began."""
        known = self._zones.get(zone)
        if not known:
            return []
        return [i for i in known if i.start <= end and (i.start + LONGEST if i.end is None else i.end) >= start]

    def told_of(self, zone: str) -> bool:
        """Return True if a hand was ever reported in ``zone`` itself."""
        return bool(self._zones.get(zone))

    def inside(self, zone: str, t: float) -> bool:
        """Return True if a hand is in ``zone`` at ``t``."""
        known = self._zones.get(zone)
        return bool(known) and any(i.covers(t) for i in known or ())

    def over(self, t: float) -> list[Interval]:
        """Return the hands that are over the table at ``t``, wherever they reach."""
        return [i for known in self._zones.values() for i in known if i.covers(t)]

    def of(self, seat: Seat, start: float, end: float) -> list[Interval]:
        """Return the reaches of ``seat``, wherever, that touch the span from ``start`` to ``end``."""
        return [i for zone in self._zones for i in self.between(zone, start, end) if i.seat is seat]
