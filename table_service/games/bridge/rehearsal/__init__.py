"""The simulated table of bridge; players who play at it are not there yet."""

from __future__ import annotations

from typing import Final

from hw.equipment import BRIDGE_TABLE
from hw.layout import BRIDGE_LAYOUT
from hw.seats import SEATS
from hw.twin.twin_table import BUTTONS, Table

SCREENED: Final = Table(
    BRIDGE_TABLE,
    BRIDGE_LAYOUT,
    beside=(
        *BRIDGE_TABLE.beside,
        *(f"button:{seat}:{name}" for seat in SEATS for name in BUTTONS),
        *(f"knock:{seat}" for seat in SEATS),
    ),
)
"""A table with screens."""
