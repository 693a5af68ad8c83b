"""The two sides of the screen: North and East on one, South and West on the other (app. 4, 1)."""

from __future__ import annotations

from typing import Final, Literal

from hw.seats import Seat

Side = Literal["NE", "SW"]
SIDES: Final[tuple[Side, Side]] = ("NE", "SW")
Told = Literal["NE", "SW", "both"]
"""Who may be told now: the players on one side of the screen, or all four."""


def side_of(seat: Seat) -> Side:
    """Return the side on which ``seat`` sits."""
    return "NE" if seat in (Seat.NORTH, Seat.EAST) else "SW"


def other_side(side: Side) -> Side:
    """Return the side across the screen."""
    return "SW" if side == "NE" else "NE"


def screen_mate(seat: Seat) -> Seat:
    """Return the opponent on the same side.

    >>> screen_mate(Seat.NORTH), screen_mate(Seat.WEST)
    (<Seat.EAST: 'E'>, <Seat.SOUTH: 'S'>)
    """
    return {Seat.NORTH: Seat.EAST, Seat.EAST: Seat.NORTH, Seat.SOUTH: Seat.WEST, Seat.WEST: Seat.SOUTH}[seat]


def pusher(side: Side) -> Seat:
    """Seat that passes the tray from ``side`` (app. 4, 1): a push by the other one there is that player's own act."""
    return Seat.NORTH if side == "NE" else Seat.SOUTH
