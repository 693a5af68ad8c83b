"""A node's clock in terms of the table's, from round trips (Cristian 1989: the shortest round trip says most)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

KEPT: Final = 30
"""Round trips that are remembered: half a minute at one a second, in which a crystal strays by about a millisecond."""


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """A request sent and answered at seconds of the table's clock; in between the node's clock said ``node``."""

    sent: float
    received: float
    node: float

    @property
    def length(self) -> float:
        """How long it took: twice the greatest error of ``offset``."""
        return self.received - self.sent

    @property
    def offset(self) -> float:
        """Table minus node, in the middle of what this round trip allows."""
        return (self.sent + self.received) / 2 - self.node

    def agrees(self, other: RoundTrip) -> bool:
        """Whether one offset can satisfy both."""
        margin = (self.length + other.length) / 2 + 0.002
        return abs(self.offset - other.offset) <= margin


class ClockMap:
    """Seconds of the node's clock → seconds of the table's.

    Where a round trip contradicts those remembered one of the clocks was set, and only the newest counts.
    """

    def __init__(self) -> None:
        self._trips: deque[RoundTrip] = deque(maxlen=KEPT)
        self._best: RoundTrip | None = None

    @property
    def known(self) -> bool:
        """Whether there has been a round trip yet."""
        return self._best is not None

    @property
    def round_trip(self) -> float | None:
        """The shortest round trip remembered, in seconds of the table's clock."""
        return None if self._best is None else self._best.length

    def add(self, trip: RoundTrip) -> None:
        """Remember ``trip``."""
        if self._best is not None and not trip.agrees(self._best):
            self._trips.clear()
        self._trips.append(trip)
        self._best = min(reversed(self._trips), key=lambda known: known.length)

    def to_table(self, micros: int) -> float:
        """The table's clock when the node's said ``micros``. Only where ``known``."""
        if self._best is None:
            raise ValueError("no round trip yet")
        return micros / 1_000_000 + self._best.offset
