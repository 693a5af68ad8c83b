"""Times of each seat's arm over the table, by its beam, and of cards over its gate: what else may have happened.

A beam that has never reported anything is no evidence: what hangs on an arm is then taken as it is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

from hw.observations import Reach, Tags
from hw.seats import Seat
from hw.zones import gate, zone_seat

NEAR_S: Final = 0.05
"""A knock is told by the frame in which it was heard: so much it may lie beside the arm's coming and going."""


@dataclass(slots=True)
class Span:
    """From ``start`` to ``end`` in seconds of the log; infinity while it lasts."""

    start: float
    end: float = math.inf


@dataclass(slots=True)
class Arms:
    """Spans in which an arm of a seat was over the table, and in which its gate read a card."""

    over: dict[Seat, list[Span]] = field(default_factory=dict)
    crossing: dict[Seat, list[Span]] = field(default_factory=dict)

    def feed(self, seen: object) -> None:
        """Take a beam's or a gate's observation; others tell nothing here."""
        if isinstance(seen, Reach) and seen.seat is not None:
            _turn(self.over.setdefault(seen.seat, []), seen.t, begins=seen.phase == "in")
        elif isinstance(seen, Tags):
            seat = zone_seat(seen.zone)
            if seat is not None and seen.zone == gate(seat):
                _turn(self.crossing.setdefault(seat, []), seen.t, begins=bool(seen.tags))

    def came_between(self, seat: Seat, start: float, end: float) -> bool:
        """Return True if an arm of ``seat`` came over the table after ``start`` and before ``end``."""
        return any(start < one.start < end for one in self.over.get(seat, ()))

    def may_knock_on_card(self, seat: Seat, t: float) -> bool:
        """Return True if the hand of ``seat`` was over the table at ``t``, and its card had left the gate.

        Where its beam has told of no arm at all, nobody knows: it may.
        """
        spans = self.over.get(seat)
        if not spans:
            return True
        held = next((one for one in spans if one.start - NEAR_S <= t <= one.end + NEAR_S), None)
        if held is None:
            return False
        brought = [one for one in self.crossing.get(seat, ()) if held.start - NEAR_S <= one.start <= t]
        return all(one.end <= t for one in brought)


def _turn(spans: list[Span], t: float, *, begins: bool) -> None:
    if begins:
        spans.append(Span(t))
    elif spans:
        spans[-1].end = t
