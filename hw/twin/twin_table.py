"""The table that the twin simulates: its equipment, where each zone lies, who plays round it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hw.equipment import DRAWN_TABLE, Equipment
from hw.layout import DEFAULT_LAYOUT, HEADS_UP_LAYOUT, TABLE_SIDE, Layout, Rect
from hw.seats import CLOCKWISE, HEADS_UP, SEATS, Rotation, Seat
from hw.zones import TABLE, gate, zone_line, zone_seat

BUTTONS: Final = ("referee", "count", "ready")
"""The buttons that a seat can have."""
_MIDDLE: Final = Rect(-150, -150, 150, 150)
"""Place of cards in a zone that the layout does not draw, as on the open table."""


@dataclass(frozen=True, slots=True)
class TableKind:
    """One kind of simulated table.

    ``beside``: the sensors without a zone, by the names of ``hw.coverage`` (``shield:N``, ``knock:W``).
    """

    equipment: Equipment
    layout: Layout
    rotation: Rotation = CLOCKWISE
    beside: tuple[str, ...] = ()

    def has(self, sensor: str) -> bool:
        """Return True if ``sensor`` is listed beside the zones."""
        return sensor in self.beside

    def rect(self, zone: str) -> Rect:
        """Return where ``zone`` lies; the middle of the table for one that the layout does not draw."""
        return self.layout.zones.get(zone, _MIDDLE)

    @property
    def stack(self) -> str | None:
        """The stack that cards are drawn from: the one with a gate at its mouth, else the first; None without one."""
        stacks = self.equipment.lying("stack")
        return next((zone for zone in stacks if self.mouth(zone)), stacks[0] if stacks else None)

    @property
    def pile(self) -> str | None:
        """The first pile that lies face up; None if there is none."""
        return next(iter(self.equipment.lying("pile")), None)

    @property
    def trick(self) -> str | None:
        """Zone in which a trick is played; None if there is none."""
        return next(iter(self.equipment.lying("trick")), None)

    @property
    def tray(self) -> str | None:
        """Zone in which bidding cards are laid; None if there is none."""
        return next(iter(self.equipment.lying("tray")), None)

    def played(self, seat: Seat) -> str | None:
        """Return the row of the cards that ``seat`` itself has played; None if the table has none."""
        return next((zone for zone in self.equipment.lying("rows") if zone_seat(zone) is seat), None)

    def pocket(self, seat: Seat) -> str | None:
        """Return the pocket of ``seat`` in the board; None if there is none."""
        return next((zone for zone in self.equipment.lying("pocket") if zone_seat(zone) is seat), None)

    def mouth(self, zone: str) -> str | None:
        """Return the gate that a card crosses on its way off the stack ``zone``; None if it has none."""
        named = f"gate-{zone}"
        return named if named in self.equipment.crossed else None

    def rows(self, seat: Seat) -> str | None:
        """Return where ``seat`` lays rows: its own zone, or its line's; None if it has neither."""
        return self._owned(self.equipment.lying("rows"), seat)

    def won(self, seat: Seat) -> str | None:
        """Return the stack of tricks that ``seat`` adds to: its own, or its line's; None if it has neither."""
        return self._owned(self.equipment.lying("stack"), seat)

    def _owned(self, zones: tuple[str, ...], seat: Seat) -> str | None:
        own = (zone for zone in zones if zone_seat(zone) is seat)
        lines = (zone for zone in zones if zone_line(zone) is self.rotation.line(seat))
        return next(own, None) or next(lines, None)

    def beam_zone(self, zone: str) -> str:
        """Return the zone that the beams name for a reach to ``zone``; a stack's for its mouth, else the open table."""
        at = next((stack for stack in self.equipment.lying("stack") if self.mouth(stack) == zone), zone)
        return at if at in self.equipment.beamed else TABLE

    def hearing(self, zone: str) -> tuple[str, ...]:
        """Return the coils that may hear a card cross ``zone``'s: those of seats beside it, the pile's at a mouth."""
        seat = next((seat for seat in SEATS if gate(seat) == zone), None)
        if seat is None:
            return tuple(name for name in self.equipment.lying("pile") if name in self.equipment.gated)
        around = (self.rotation.previous(seat), self.rotation.next(seat))
        beside = dict.fromkeys(gate(other) for other in around if other is not seat.partner)
        return tuple(name for name in beside if name in self.equipment.gated)

    @property
    def answering(self) -> tuple[str, ...]:
        """The zones with a coil where a card comes to lie and, if it is alone, keeps answering."""
        return tuple(zone for zone in self.equipment.gated if zone not in self.equipment.crossed)

    @property
    def sensors(self) -> tuple[str, ...]:
        """Every sensor of the table but the camera, named as in ``hw.twin.raw``; beams of other hands as those of -."""
        hands = (*self.rotation.seats, "-")
        return (
            *(f"coil:{zone}" for zone in sorted(self.equipment.gated, key=lambda zone: zone_seat(zone) is None)),
            *(f"scale:{zone}" for zone in self.equipment.weighed),
            *(f"beam:{seat}:{zone}" for seat in hands for zone in self.equipment.beamed),
            *self.beside,
        )

    @property
    def nodes(self) -> dict[str, tuple[str, ...]]:
        """The sensors of each node: one node with everything (``table``), or the same parted in two.

        >>> DRAWN.nodes["gates"][:2], DRAWN.nodes["seats"][:2]
        (('coil:gate-N', 'coil:gate-E'), ('scale:stock', 'scale:discard'))
        """
        gates = tuple(name for name in self.sensors if name.startswith(("coil:", "beam:")))
        return {"table": self.sensors, "gates": gates, "seats": tuple(n for n in self.sensors if n not in gates)}


DRAWN: Final = TableKind(
    DRAWN_TABLE,
    DEFAULT_LAYOUT,
    beside=(
        *(f"shield:{seat}" for seat in SEATS),
        *(f"button:{seat}:{name}" for seat in SEATS for name in BUTTONS),
        *(f"knock:{seat}" for seat in SEATS),
    ),
)
"""The table of the drawings."""


DRAWN_FOR_TWO: Final = TableKind(
    DRAWN_TABLE.of_seats(HEADS_UP.seats),
    HEADS_UP_LAYOUT,
    HEADS_UP,
    beside=tuple(name for name in DRAWN.beside if name.split(":")[1] in HEADS_UP.seats),
)
"""The same table with two players, each with his melds before him."""


def keeper(rect: Rect, side: float = TABLE_SIDE) -> Seat:
    """From whose edge rows in ``rect`` are laid: of the table's edges along its longer sides the nearest."""
    wide, high = rect.x1 - rect.x0, rect.y1 - rect.y0
    edges = {
        Seat.NORTH: (side / 2 - rect.y1, wide >= high),
        Seat.EAST: (side / 2 - rect.x1, high >= wide),
        Seat.SOUTH: (side / 2 + rect.y0, wide >= high),
        Seat.WEST: (side / 2 + rect.x0, high >= wide),
    }
    return min((seat for seat, (_, along) in edges.items() if along), key=lambda seat: edges[seat][0])
