"""Hands that rest at the stock and take nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hw.observations import Reach
from table_service.tracking.hand_intervals import Interval
from table_service.tracking.movements import Touched

RESTS: Final = 1.5
"""Seconds that a hand must have been there: one that lays a card elsewhere passes in less."""
_AFTER: Final = 2.0
"""Seconds after which the scale has reported whether a card went."""
_MOST: Final = 8


@dataclass(slots=True)
class _Visit:
    hand: Interval
    count: int | None


class IdleReaches:
    """Follows the hands at ``stock`` from their coming to the scale's rest after they have gone."""

    def __init__(self, stock: str) -> None:
        self._stock = stock
        self._visits: list[_Visit] = []

    @property
    def waiting(self) -> bool:
        """True if a hand has been there that was not reported yet."""
        return bool(self._visits)

    def forget(self) -> None:
        """Forget everything: the table is cleared."""
        self._visits = []

    def reached(self, hand: Interval, reach: Reach, count: int | None) -> None:
        """Take a crossed beam at the stock; ``count``: the cards there now, None while the scale swings."""
        if hand.zone != self._stock or hand.seat is None:
            return
        if reach.phase == "in" and not any(visit.hand is hand for visit in self._visits):
            self._visits = [*self._visits[-_MOST:], _Visit(hand, count)]

    def settled(self, now: float, count: int | None) -> Iterator[Touched]:
        """Yield the hands that have gone and took nothing; ``count`` as in ``reached``."""
        for visit in tuple(self._visits):
            hand = visit.hand
            if hand.end is None:
                if now - hand.start > 4 * RESTS + _AFTER:
                    self._visits.remove(visit)  # its leaving was not seen: its stay is unknown
                continue
            if now < hand.end + _AFTER or count is None:
                continue
            self._visits.remove(visit)
            long = hand.end - hand.start >= RESTS
            if long and visit.count == count and hand.seat is not None:
                yield Touched(now, hand.start, hand.zone, hand.seat, round(hand.end - hand.start, 3))
