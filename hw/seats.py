"""Seats and lines of a table, and rotations: who plays, and which way round."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Rotation:
    """The seats that play, two to four, in the order in which play goes round. Raises ValueError for other seats.

    Seats that face each other are partners; two seats alone are a line each, the first NS and the second EW
    (interfaces, section 6).

    >>> ANTICLOCKWISE.next(Seat.NORTH), HEADS_UP.next(Seat.NORTH)
    (<Seat.WEST: 'W'>, <Seat.SOUTH: 'S'>)
    """

    seats: tuple[Seat, ...]

    def __post_init__(self) -> None:
        if not 2 <= len(set(self.seats)) == len(self.seats) <= 4:
            raise ValueError(f"a rotation has two to four seats, each once, not {', '.join(self.seats) or 'none'}")

    def after(self, seat: Seat, turns: int) -> Seat:
        """Return the seat whose turn is ``turns`` turns after that of ``seat``; before it if ``turns`` is negative.

        Raises ValueError if ``seat`` has no player.
        """
        if seat not in self.seats:
            raise ValueError(f"nobody plays at {seat}: the seats are {', '.join(self.seats)}")
        return self.seats[(self.seats.index(seat) + turns) % len(self.seats)]

    def next(self, seat: Seat) -> Seat:
        """Return who plays after ``seat``."""
        return self.after(seat, 1)

    def previous(self, seat: Seat) -> Seat:
        """Return who plays before ``seat``."""
        return self.after(seat, -1)

    def partner(self, seat: Seat) -> Seat | None:
        """Return the partner who plays for the same line as ``seat``; None if there is none."""
        return next((one for one in self.seats if one is not seat and self.line(one) is self.line(seat)), None)

    def holds(self, seat: Seat | None) -> bool:
        """Return True if ``seat`` has a player."""
        return seat in self.seats

    def line(self, seat: Seat) -> Line:
        """Return the line that ``seat`` plays for. Raises ValueError if the seat has no player."""
        place = self.seats.index(self.after(seat, 0))
        return LINES[place] if len(self.seats) == 2 else seat.line


CLOCKWISE: Final = Rotation(SEATS)
ANTICLOCKWISE: Final = Rotation((Seat.NORTH, Seat.WEST, Seat.SOUTH, Seat.EAST))
HEADS_UP: Final = Rotation((Seat.NORTH, Seat.SOUTH))


def line_or_none(value: object) -> Line | None:
    """Return the line named by ``value``, or None if it names none.

    >>> line_or_none("EW"), line_or_none("E"), line_or_none(3)
    (<Line.EW: 'EW'>, None, None)
    """
    return Line(value) if isinstance(value, str) and value in LINES else None


def seat_or_none(value: object) -> Seat | None:
    """Return the seat named by ``value``, or None if it names none (another hand, or unknown)."""
    return Seat(value) if isinstance(value, str) and value in ("N", "E", "S", "W") else None
