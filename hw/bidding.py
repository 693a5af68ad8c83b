"""Bidding cards of a bridge table, and the tray's four compartments where they are laid.

The tray slides under the screen from the side of North and East to that of South and West (FIGB norms 2010). Its
compartments are arranged like the sails of a windmill: each player lays calls from left to right as seen from the seat.
"""

from __future__ import annotations

from typing import Final, Literal

from hw.cards import Pack
from hw.layout import CARD_HEIGHT, Rect
from hw.seats import Seat

TraySide = Literal["NE", "SW"]
"""A side of the screen."""
TRAY_SIDES: Final[tuple[TraySide, TraySide]] = ("NE", "SW")
STRAINS: Final = "CDHSN"
"""Clubs, diamonds, hearts, spades, no trumps: from the lowest."""
BIDS: Final = tuple(f"{level}{strain}" for level in range(1, 8) for strain in STRAINS)
PASS, DOUBLE, REDOUBLE, STOP, ALERT = "P", "X", "XX", "stop", "alert"
CALLS: Final = (*BIDS, PASS, DOUBLE, REDOUBLE)
BIDDING_BOX: Final = Pack(
    "bidding",
    {**dict.fromkeys(BIDS, 1), PASS: 10, DOUBLE: 4, REDOUBLE: 2, STOP: 1, ALERT: 1},
    "a bid (1C to 7N), P, X, XX, stop or alert",
)
"""The cards of one player's box."""
TRAY_HALF_MM: Final = 115.0
"""From the tray's middle to its edge."""
TRAY_OFF_MM: Final = 35.0
"""Distance East and North of the table's middle of the tray on the side NE; on SW as far the other way."""
_INNER_MM: Final = TRAY_HALF_MM - CARD_HEIGHT


def side_of(seat: Seat) -> TraySide:
    """On which side of the screen ``seat`` sits.

    >>> [side_of(seat) for seat in Seat]
    ['NE', 'NE', 'SW', 'SW']
    """
    return "NE" if seat in (Seat.NORTH, Seat.EAST) else "SW"


def other_side(side: TraySide) -> TraySide:
    """Return the side beyond the screen."""
    return "SW" if side == "NE" else "NE"


def tray_centre(side: TraySide | None) -> tuple[float, float]:
    """Return the tray's middle in table millimetres; the table's own while it moves (None)."""
    off = {"NE": TRAY_OFF_MM, "SW": -TRAY_OFF_MM}.get(side or "", 0.0)
    return off, off


def compartment(seat: Seat, side: TraySide | None) -> Rect:
    """Return the compartment of ``seat`` in table millimetres, the tray standing on ``side``.

    >>> compartment(Seat.SOUTH, "SW")
    Rect(x0=-62.0, y0=-150.0, x1=80.0, y1=-62.0)
    """
    x, y = tray_centre(side)
    far, near = TRAY_HALF_MM, _INNER_MM
    match seat:
        case Seat.NORTH:
            return Rect(x - far, y + near, x + near, y + far)
        case Seat.EAST:
            return Rect(x + near, y - near, x + far, y + far)
        case Seat.SOUTH:
            return Rect(x - near, y - far, x + far, y - near)
        case Seat.WEST:
            return Rect(x - far, y - far, x - near, y + near)


def compartment_at(x: float, y: float, side: TraySide | None) -> Seat | None:
    """Return the seat whose compartment holds the point, the tray on ``side``; None if it is in none."""
    return next((seat for seat in Seat if compartment(seat, side).holds(x, y)), None)


def on_table(seat: Seat, side: TraySide | None, right: float, down: float) -> tuple[float, float]:
    """Table millimetres of a point of the compartment of ``seat``, ``right`` and ``down`` from its corner.

    That is the upper left corner as its owner sees it.

    >>> on_table(Seat.SOUTH, "SW", 10.0, 5.0)
    (-52.0, -67.0)
    """
    rect = compartment(seat, side)
    match seat:
        case Seat.NORTH:
            return rect.x1 - right, rect.y0 + down
        case Seat.EAST:
            return rect.x0 + down, rect.y0 + right
        case Seat.SOUTH:
            return rect.x0 + right, rect.y1 - down
        case Seat.WEST:
            return rect.x1 - down, rect.y1 - right


COMPARTMENT_MM: Final = (TRAY_HALF_MM + _INNER_MM, CARD_HEIGHT)
"""Length and depth of a compartment as its owner sees it."""
