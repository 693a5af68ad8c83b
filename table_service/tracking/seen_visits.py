"""Hands that the camera or beams reported at the stack, the pile and the melds: whose they were, and when they came."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from hw.seats import Rotation, Seat
from table_service.tracking.beneath_arms import ELSEWHERE, IDLE, LIFTED, RESTED, STAYED, Came
from table_service.tracking.hand_intervals import ANYWHERE, TOLD_LATE, Reaches

_SETTLES: Final = 0.8
"""Longest time, in seconds, from a hand's report to a frame that shows the place covered."""
TAKES: Final = 0.4
"""Seconds after a hand came to the pile, or before it left, at which it is taken to have moved a card."""
RESTS: Final = 6.0
"""Seconds after which a hand is taken to rest."""

LINGERS: Final = 2.5
"""Seconds after which one may have moved a card when it came or before it left: other hands came between."""
_OVERLOOKED: Final = 2.0
"""Seconds for which frames may overlook a card that was laid, or still show one that has gone."""


@dataclass(slots=True)
class StackArm:
    """An arm, or anything else, over the stack from ``start`` on; ``end``: when it was seen to have gone."""

    start: float
    end: float = inf


def differs_since(differs: float | None, covered: float | None, t: float, *, otherwise: bool) -> float:
    """Return since when frames show a zone unlike its count, as the one at ``t`` does; ``differs``: so far.

    ``otherwise``: it shows other cards than the frame before did. If the zone was covered in between, at ``covered``,
    what frames had shown before that was misread, or has changed again.
    """
    if differs is None or (otherwise and covered is not None and covered > differs):
        return t
    return differs


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

    def drawer(self, stack: str, arm: StackArm) -> Seat | None:
        """Return the one player whose hand was reported at the ``stack`` while ``arm`` was over it."""
        return self.seat_at(stack, arm.start, arm.end)

    def drawn_by(self, stack: str, arms: Sequence[StackArm], since: float, by: Seat | None) -> list[StackArm]:
        """Return the arm over the ``stack`` that drew before a card came to the pile, which frames show ``since`` then.

        ``by``: whose it was, if another player than he who laid the card had drawn before.
        """
        return [arm for arm in arms if arm.start < since and (by is None or self.drawer(stack, arm) is by)][:1]

    def begun(self, zone: str, covered: float | None, since: float, earliest: float) -> float:
        """Return when the hand came that made a change which frames have shown from ``since`` on.

        ``covered``: when the zone was covered. If it was in full view, frames may have overlooked the change before:
        the hand that had come last, to the zone or to one that was not told, has made it, though not before
        ``earliest``; one that had rested there, as it left. One that was not reported had gone by then.
        """
        if covered is not None and covered <= since:
            return covered
        came = [one for at in (zone, ANYWHERE) for one in self._reaches.between(at, since - _OVERLOOKED, since)]
        moved = (hand.start if hand.end is None or hand.end < hand.start + RESTS else hand.end - TAKES for hand in came)
        last = max((at for at in moved if at < since), default=since)
        return min(max(last, earliest), since - TOLD_LATE)

    def after(self, seat: Seat | None) -> Seat | None:
        """Return the player whose turn follows that of ``seat``; None if ``seat`` is not known."""
        return None if seat is None else self._rotation.next(seat)

    def last_of(self, seat: Seat, zone: str, since: float, until: float) -> float | None:
        """Return the time when ``seat`` came to ``zone`` last; None if that was not reported."""
        return next(
            (hand.start for hand in reversed(self._reaches.between(zone, since, until)) if hand.seat is seat), None
        )

    def just_before(self, seat: Seat, zone: str, since: float, first: float) -> float | None:
        """Return the time when ``seat`` came to ``zone``, at ``since`` or later, and was gone before ``first``.

        None if that was not reported, or was so long before that frames would have shown what was laid.
        """
        came = [hand for hand in self._reaches.between(zone, first - _OVERLOOKED, first) if hand.seat is seat]
        gone = (hand.start for hand in reversed(came) if hand.end is not None and hand.end < first)
        start = next(gone, None)
        return start if start is not None and start >= since else None

    def only_elsewhere(self, seat: Seat, zone: str, first: float, since: float) -> bool:
        """Return True if no hand was reported in ``zone`` then, and none of unknown zone is that of ``seat``."""
        anywhere = [hand.seat for hand in self._reaches.between(ANYWHERE, first - _SETTLES, since)]
        return bool(anywhere) and seat not in anywhere and not self._reaches.between(zone, first - _SETTLES, since)

    def beneath(self, pile: str, start: float, t: float) -> list[Came]:
        """Return the hands that came to ``pile`` and to the melds while it was covered.

        One that came to a zone which was not told may have come to the pile, and may as well not have.
        """
        came = []
        for hand in (one for at in (pile, ANYWHERE) for one in self._reaches.between(at, start - _SETTLES, t)):
            if hand.seat not in self._rotation.seats:
                continue
            end = t if hand.end is None else hand.end
            stayed = end - hand.start
            if stayed > RESTS:
                came.append(Came(hand.start + TAKES, hand.seat, idle=RESTED))
                came.append(Came(end - TAKES, hand.seat, idle=LIFTED))
            elif stayed > LINGERS:
                came.append(Came(hand.start + TAKES, hand.seat, idle=STAYED))
                came.append(Came(end - TAKES, hand.seat, idle=0.0, since=hand.start))
            else:
                came.append(Came(hand.start + TAKES, hand.seat, idle=ELSEWHERE if hand.zone == ANYWHERE else IDLE))
        return came + [
            Came(hand.start, hand.seat, "melds")
            for zone in self._rows
            for hand in self._reaches.between(zone, start, t)
            if hand.seat in self._rotation.seats and hand.start > start
        ]
