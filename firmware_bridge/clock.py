"""A node's clock in terms of the table's, from round trips.

A request sent at table time s and answered at r, while the node's clock said n, proves that table minus node lies
between s - n and r - n (Cristian 1989). The least r - n remembered belongs to the answer that travelled fastest; half
the shortest round trip is taken off for its way.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

KEPT: Final = 30
"""Round trips that are remembered: half a minute at one a second, in which a crystal strays by about a millisecond."""
SET: Final = 0.25
"""Seconds: round trips that contradict each other by more show that one of the clocks was set."""


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """A request sent and answered at seconds of the table's clock; in between the node's clock said ``node``."""

    sent: float
    received: float
    node: float

    @property
    def length(self) -> float:
        """Duration of the round trip: twice the greatest error of an offset in its middle."""
        return self.received - self.sent

    def contradicts(self, other: RoundTrip) -> bool:
        """Return True if no offset, give or take SET, satisfies both."""
        low, high = self.sent - self.node, self.received - self.node
        return low > other.received - other.node + SET or high < other.sent - other.node - SET


class ClockMap:
    """Seconds of the node's clock → seconds of the table's. After a clock was set only the newest round trip counts."""

    def __init__(self) -> None:
        self._trips: deque[RoundTrip] = deque(maxlen=KEPT)
        self._offset = 0.0

    @property
    def known(self) -> bool:
        """True if there has been a round trip yet."""
        return bool(self._trips)

    @property
    def round_trip(self) -> float | None:
        """The shortest round trip remembered, in seconds of the table's clock."""
        return min((trip.length for trip in self._trips), default=None)

    @property
    def offset(self) -> float:
        """Table minus node, in seconds."""
        return self._offset

    def add(self, trip: RoundTrip) -> None:
        """Remember ``trip``."""
        if self._trips and trip.contradicts(self._trips[-1]):
            self._trips.clear()
        self._trips.append(trip)
        shortest = min(known.length for known in self._trips)
        self._offset = min(known.received - known.node for known in self._trips) - shortest / 2

    def to_table(self, micros: int) -> float:
        """Return the table's clock when the node's was ``micros``. Raises ValueError before the first round trip."""
        if not self._trips:
            raise ValueError("no round trip yet")
        return micros / 1_000_000 + self._offset
