"""Equipment: the zones of a table for a game, how cards lie in each and how each is sensed.

The single source for this: the table's map is checked against it, the twin simulates it, and code that needs "the zones
on a scale" or "the zones with a coil" asks it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from hw.coverage import SEEN_HANDS
from hw.seats import LINES, SEATS
from hw.zones import (
    DISCARD,
    GATE_STOCK,
    POTS,
    SCARTO,
    STOCK,
    TABLE,
    board,
    gate,
    hand,
    melds,
    played,
    side,
    tricks,
    zone_seat,
)

Lies = Literal["stack", "pile", "rows", "fan", "spot", "trick", "tray", "pocket", "gate", "anywhere"]
"""Arrangement of cards in a zone: ``stack`` face down upon each other; ``pile`` face up and fanned, in the order in
which they came; ``rows`` face up in rows or columns; ``fan`` held in the hand, laid out for the count; ``spot`` one or
a few cards put aside; ``trick`` the cards of one trick; ``tray`` bidding cards; ``pocket`` cards of a board; ``gate``
none stay, they cross a coil; ``anywhere`` the rest of the table."""

Goes = Literal["singly", "in-heaps", "anyhow"]
"""Way in which cards leave a stack: ``singly`` one by one from the top, as they are drawn; ``in-heaps`` in the heaps
in which they were set out, and never one alone; ``anyhow`` one or several."""


@dataclass(frozen=True, slots=True)
class EquipmentZone:
    """One zone of a table and how it is sensed.

    ``goes``: how cards leave it. ``mouth``: the zone of the coil that they cross then, empty if there is none.
    ``weighed``: it is on a scale. ``gated``: a coil there reads one card at a time. ``beamed``: the beams distinguish a
    hand there from one elsewhere. ``needed``: without it the game cannot be followed. ``set_out``: cards are laid there
    before a deal is played.
    """

    zone: str
    lies: Lies
    goes: Goes = "anyhow"
    mouth: str = ""
    weighed: bool = False
    gated: bool = False
    beamed: bool = False
    needed: bool = False
    set_out: bool = False


@dataclass(frozen=True, slots=True)
class Equipment:
    """The zones of a table, in a fixed order. ``title``: the game's name, as a sentence about its table says it.

    ``beside``: sensors without a zone that the game's rules ask for, by the names of ``hw.coverage``.
    """

    title: str
    places: tuple[EquipmentZone, ...]
    beside: tuple[str, ...] = ()

    def of_seats(self, seats: Collection[str]) -> Equipment:
        """Return the equipment of a table at which only ``seats`` are taken: without the zones of the others.

        >>> BURRACO_TABLE.of_seats(("N", "S")).lying("fan")
        ('hand-N', 'hand-S')
        """
        there = tuple(place for place in self.places if zone_seat(place.zone) in (None, *seats))
        gone = {str(seat) for seat in SEATS} - set(seats)
        beside = tuple(name for name in self.beside if name.rpartition(":")[2] not in gone)
        return replace(self, places=there, beside=beside)

    def sensed_by(self, sensors: Mapping[str, Collection[str]]) -> Equipment:
        """Return the equipment of a table that has only ``sensors``, by zone; all of it if none are named.

        >>> BURRACO_TABLE.sensed_by({"stock": ["camera", "scale"], "discard": ["camera"]}).weighed
        ('stock',)
        """
        if not sensors:
            return self
        places = (
            replace(
                place,
                weighed=place.weighed and "scale" in sensors.get(place.zone, ()),
                gated=place.gated and "gate" in sensors.get(place.zone, ()),
                beamed=place.beamed and not {"beam", SEEN_HANDS}.isdisjoint(sensors.get(place.zone, ())),
            )
            for place in self.places
        )
        return replace(self, places=tuple(places))

    @property
    def weighed(self) -> tuple[str, ...]:
        """The zones on a scale."""
        return tuple(place.zone for place in self.places if place.weighed)

    @property
    def gated(self) -> tuple[str, ...]:
        """The zones with a coil."""
        return tuple(place.zone for place in self.places if place.gated)

    @property
    def beamed(self) -> tuple[str, ...]:
        """The zones that each seat's beams distinguish."""
        return tuple(place.zone for place in self.places if place.beamed)

    @property
    def needed(self) -> tuple[str, ...]:
        """The zones without which the game cannot be followed."""
        return tuple(place.zone for place in self.places if place.needed)

    @property
    def set_out(self) -> tuple[str, ...]:
        """The zones where cards are laid before a deal is played."""
        return tuple(place.zone for place in self.places if place.set_out)

    @property
    def crossed(self) -> tuple[str, ...]:
        """The gates: zones with a coil through which cards only pass."""
        return self.lying("gate")

    @property
    def covered(self) -> tuple[str, ...]:
        """The zones of cards that lie or cross face down, counted by weight and not by sight."""
        return (*self.lying("stack"), *(zone for zone in self.crossed if zone in self.mouths))

    @property
    def mouths(self) -> dict[str, str]:
        """The coils at the mouths of stacks, each with its stack.

        >>> BURRACO_TABLE.mouths
        {'gate-stock': 'stock'}
        """
        return {place.mouth: place.zone for place in self.places if place.mouth}

    @property
    def printed(self) -> tuple[str, ...]:
        """The zones that are drawn on the cloth: those on a scale, and the mouths of stacks."""
        return (*self.weighed, *(zone for zone in self.crossed if zone_seat(zone) is None))

    def lying(self, *kinds: Lies) -> tuple[str, ...]:
        """Return the zones where cards lie in one of these ways.

        >>> BURRACO_TABLE.lying("stack")
        ('stock', 'pots')
        """
        return tuple(place.zone for place in self.places if place.lies in kinds)

    def leaving(self, goes: Goes) -> tuple[str, ...]:
        """Return the zones that cards leave in this way.

        >>> BURRACO_TABLE.leaving("singly"), TAROCCO_TABLE.leaving("singly")
        (('stock',), ())
        """
        return tuple(place.zone for place in self.places if place.goes == goes)


BURRACO_TABLE: Final = Equipment(
    "Burraco",
    (
        EquipmentZone(GATE_STOCK, "gate", gated=True),
        EquipmentZone(STOCK, "stack", "singly", GATE_STOCK, weighed=True, beamed=True, needed=True, set_out=True),
        EquipmentZone(DISCARD, "pile", weighed=True, gated=True, beamed=True, needed=True),
        EquipmentZone(POTS, "stack", "in-heaps", weighed=True, beamed=True, needed=True, set_out=True),
        *(EquipmentZone(melds(line), "rows", beamed=True, needed=True) for line in LINES),
        *(EquipmentZone(gate(seat), "gate", gated=True) for seat in SEATS),
        *(EquipmentZone(hand(seat), "fan", needed=True) for seat in SEATS),
        *(EquipmentZone(side(seat), "spot") for seat in SEATS),
        EquipmentZone(TABLE, "anywhere", beamed=True),
    ),
)
"""Stock, pots and pile on scales; a coil at the stock's mouth, at the pile and at every seat's edge; the melds of each
line before the partner who keeps them."""
TAROCCO_TABLE: Final = Equipment(
    "Tarocco",
    (
        EquipmentZone("trick", "trick", needed=True),
        *(EquipmentZone(tricks(line), "stack", weighed=True, needed=True) for line in LINES),
        EquipmentZone(SCARTO, "stack", weighed=True),
        *(EquipmentZone(gate(seat), "gate", gated=True) for seat in SEATS),
        *(EquipmentZone(hand(seat), "fan", needed=True) for seat in SEATS),
        *(EquipmentZone(side(seat), "spot") for seat in SEATS),
        EquipmentZone(TABLE, "anywhere", beamed=True),
    ),
    tuple(f"knock:{seat}" for seat in SEATS),
)
"""The trick in the middle under the camera, each line's tricks and the scarto on scales, coils at the seats' edges; a
knock is a signal. What is shown for a declaration lies at the side."""
BRIDGE_TABLE: Final = Equipment(
    "Bridge",
    (
        *(EquipmentZone(board(seat), "pocket", weighed=True, set_out=True) for seat in SEATS),
        EquipmentZone("tray", "tray"),
        *(EquipmentZone(played(seat), "rows", needed=True) for seat in SEATS),
        *(EquipmentZone(gate(seat), "gate", gated=True) for seat in SEATS),
        *(EquipmentZone(hand(seat), "fan", needed=True) for seat in SEATS),
        *(EquipmentZone(side(seat), "spot") for seat in SEATS),
        EquipmentZone(TABLE, "anywhere", beamed=True),
    ),
    ("screen:panel", "screen:aperture", "tray:NE", "tray:SW"),
)
"""A plate under each pocket of the board while it lies in place, the tray's bidding cards and each player's row of
played cards under the camera, coils at the seats' edges; screen, aperture and both ends of the tray's way have
contacts. Penalty cards lie at the side."""
DRAWN_TABLE: Final = BURRACO_TABLE
"""The table of the drawings, of the twin and of the default layout."""
