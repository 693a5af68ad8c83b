"""Seats and lines of a table for four, in the order in which play goes round."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Seat(StrEnum):
    """A place at the table; clockwise seen from above: N, E, S, W."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"

    @property
    def next(self) -> Seat:
        """The next seat clockwise."""
        return SEATS[(SEATS.index(self) + 1) % 4]

    @property
    def partner(self) -> Seat:
        """The seat opposite."""
        return SEATS[(SEATS.index(self) + 2) % 4]

    @property
    def previous(self) -> Seat:
        """The next seat anticlockwise: the one at the right hand."""
        return SEATS[(SEATS.index(self) + 3) % 4]

    @property
    def line(self) -> Line:
        """The line this seat plays for."""
        return Line.NS if self in (Seat.NORTH, Seat.SOUTH) else Line.EW


class Line(StrEnum):
    """A pair of partners (linea)."""

    NS = "NS"
    EW = "EW"

    @property
    def other(self) -> Line:
        """The opponents."""
        return Line.EW if self is Line.NS else Line.NS

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """Both seats of the line."""
        return (Seat.NORTH, Seat.SOUTH) if self is Line.NS else (Seat.EAST, Seat.WEST)


SEATS: Final = (Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST)
LINES: Final = (Line.NS, Line.EW)


def seat_or_none(value: object) -> Seat | None:
    """The seat named by ``value``, or None where it names none (another hand, or unknown)."""
    return Seat(value) if isinstance(value, str) and value in ("N", "E", "S", "W") else None
