"""Seats that play at a table of Burraco, by those that its header names."""

from __future__ import annotations

from collections.abc import Collection

from hw.seats import CLOCKWISE, HEADS_UP, Rotation
from hw.table_options import PAIR


def rotation_of(seats: Collection[str]) -> Rotation:
    """Two players where two ``seats`` are named, four otherwise: some of four may be unknown by name.

    Whether a code is played by so many its rule set says (``RuleSet.check``).

    >>> rotation_of(("N", "S")).seats, len(rotation_of(()).seats)
    ((<Seat.NORTH: 'N'>, <Seat.SOUTH: 'S'>), 4)
    """
    return HEADS_UP if len(seats) == PAIR else CLOCKWISE
