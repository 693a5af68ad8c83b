"""Hands that the camera or beams reported at the stack, the pile and the melds: whose they were, and when they came."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from hw.seats import Rotation, Seat
from table_service.tracking.beneath_arms import IDLE, LIFTED, RESTED, Came
from table_service.tracking.hand_intervals import Reaches

_SETTLES: Final = 0.8
"""Longest time, in seconds, from a hand's report to a frame that shows the place covered."""
TAKES: Final = 0.4
"""Seconds after a hand came to the pile, or before it left, at which it is taken to have moved a card."""
RESTS: Final = 6.0
"""Seconds after which a hand is taken to rest."""


class Visits:
    """Asks the reaches of one table. ``rows``: the zones of melds."""

    def __init__(self, reaches: Reaches, rotation: Rotation, rows: Collection[str]) -> None:
        self._reaches = reaches
        self._rotation = rotation
        self._rows = rows

    def seat_at(self, zone: str, start: float, end: float) -> Seat | None:
        """Return the one player whose hand was reported in ``zone``."""
        seats = {hand.seat for hand in self._reaches.between(zone, start - _SETTLES, end)}
        seat = seats.pop() if len(seats) == 1 else None
        return seat if seat in self._rotation.seats else None

    def after(self, seat: Seat | None) -> Seat | None:
        """Return the player whose turn follows that of ``seat``; None if ``seat`` is not known."""
        return None if seat is None else self._rotation.next(seat)

    def last_of(self, seat: Seat, zone: str, since: float, until: float) -> float | None:
        """Return the time when ``seat`` came to ``zone`` last; None if that was not reported."""
        return next(
            (hand.start for hand in reversed(self._reaches.between(zone, since, until)) if hand.seat is seat), None
        )

    def beneath(self, pile: str, start: float, t: float) -> list[Came]:
        """The hands that came to ``pile`` and to the melds while it was covered."""
        came = []
        for hand in self._reaches.between(pile, start - _SETTLES, t):
            if hand.seat not in self._rotation.seats:
                continue
            end = t if hand.end is None else hand.end
            rests = end - hand.start > RESTS
            came.append(Came(hand.start + TAKES, hand.seat, idle=RESTED if rests else IDLE))
            if rests:
                came.append(Came(end - TAKES, hand.seat, idle=LIFTED))
        return came + [
            Came(hand.start, hand.seat, "melds")
            for zone in self._rows
            for hand in self._reaches.between(zone, start, t)
            if hand.seat in self._rotation.seats and hand.start > start
        ]
