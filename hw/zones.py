"""Names of the places where cards can lie (interfaces, section 1).

A zone is a plain string, because sensors and logs may name one that this version does not know;
these helpers give the meaning of a known one.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from hw.seats import LINES, SEATS, Line, Seat

STOCK: Final = "stock"
DISCARD: Final = "discard"
POTS: Final = "pots"
GATE_STOCK: Final = "gate-stock"
SCARTO: Final = "scarto"
TABLE: Final = "table"
BEAMS: Final = "beams"
"""Name under which the beams, which show whose hand reaches where, are reported as unverified; no zone."""


def melds(line: Line) -> str:
    """Return the zone where ``line`` lays its melds."""
    return f"melds-{line}"


@cache
def hand(seat: Seat) -> str:
    """Return the fan of ``seat``, or its laid-out hand at the count."""
    return f"hand-{seat}"


def gate(seat: Seat) -> str:
    """Return the single-card coil at the table edge of ``seat``."""
    return f"gate-{seat}"


@cache
def side(seat: Seat) -> str:
    """Return the zone of the penalised cards of ``seat``, face up."""
    return f"side-{seat}"


def tricks(line: Line) -> str:
    """Return the zone of the tricks of ``line``, face down."""
    return f"tricks-{line}"


def played(seat: Seat) -> str:
    """Return the row of cards that ``seat`` has played, in bridge."""
    return f"played-{seat}"


def board(seat: Seat) -> str:
    """Return the pocket of ``seat`` in the board while it lies in place."""
    return f"board-{seat}"


ZONES: Final[frozenset[str]] = frozenset(
    [STOCK, DISCARD, POTS, GATE_STOCK, TABLE, "trick", "scarto", "tray"]
    + [f"{kind}-{line}" for kind in ("melds", "tricks") for line in LINES]
    + [f"{kind}-{seat}" for kind in ("hand", "gate", "side", "played", "board") for seat in SEATS]
)
"""Every zone of the contract."""


def is_melds(zone: str | None) -> bool:
    """Return True if ``zone`` is one line's meld area."""
    return zone in ("melds-NS", "melds-EW")


def zone_line(zone: str) -> Line | None:
    """Return the line that ``zone`` belongs to, for ``melds-`` and ``tricks-`` zones; else None."""
    owner = zone.partition("-")[2]
    return Line(owner) if owner in ("NS", "EW") else None


def zone_seat(zone: str) -> Seat | None:
    """Return the seat that ``zone`` belongs to, for ``hand-``, ``gate-``, ``side-`` zones and the like; else None.

    >>> zone_seat(gate(Seat.WEST)), zone_line("tricks-NS"), zone_seat("discard")
    (<Seat.WEST: 'W'>, <Line.NS: 'NS'>, None)
    """
    owner = zone.partition("-")[2]
    return Seat(owner) if owner in ("N", "E", "S", "W") else None
