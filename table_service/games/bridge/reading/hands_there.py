"""Hand at a place when something there moved. If there were two, or none, no seat is named."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from hw.observations import Reach
from hw.seats import Seat

JUST_LEFT_S: Final = 1.0
"""A hand that has left a place so recently may have moved what moves there."""


class HandsThere:
    """Follows the hands at the ``zones`` of one place."""

    def __init__(self, zones: Collection[str]) -> None:
        self._zones = frozenset(zones)
        self._in: dict[Seat | None, float] = {}
        self._left: dict[Seat | None, float] = {}

    def hear(self, reach: Reach) -> None:
        """Take a hand's crossing of a beam. One of unknown place may be here: it names who acted if it was alone."""
        if reach.zone is not None and reach.zone not in self._zones:
            return
        if reach.phase == "in":
            self._in[reach.seat] = reach.t
            self._left.pop(reach.seat, None)
        elif self._in.pop(reach.seat, None) is not None:
            self._left[reach.seat] = reach.t

    def only(self, t: float, among: Collection[Seat]) -> Seat | None:
        """Return the seat of ``among`` whose hand was there at ``t``; None if two were, or one of unknown seat."""
        there = {seat for seat, since in self._in.items() if since <= t}
        there |= {seat for seat, left in self._left.items() if 0 <= t - left <= JUST_LEFT_S}
        if None in there:
            return None
        near = {seat for seat in there if seat in among}
        return next(iter(near)) if len(near) == 1 else None
