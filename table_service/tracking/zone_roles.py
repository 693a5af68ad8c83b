"""Roles of a table's zones in following cards, by its equipment: no zone has a name of its own here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hw.equipment import Equipment

NO_ZONE: Final = "(none)"
"""The name of a role that no zone of the table has: neither a sensor nor a movement ever names it."""


@dataclass(frozen=True, slots=True)
class PlateHabit:
    """Manner in which cards come to a scale and leave it.

    ``usual``: the change that it mostly reports, None if it is not one card; ``empties``: all cards there may go at
    once.
    """

    usual: int | None = None
    empties: bool = True


@dataclass(frozen=True, slots=True)
class ZoneRoles:
    """The zones in which cards move in a way of their own; ``NO_ZONE`` where the table has no such one.

    ``drawn``: the stack that cards leave one by one; ``mouths``: the coils that they cross then. ``pile``: where cards
    lie face up in the order in which they came. ``heaps``: the stack that cards leave a whole heap at a time, and on
    which a score sheet may lie.
    """

    drawn: str = NO_ZONE
    mouths: tuple[str, ...] = ()
    pile: str = NO_ZONE
    heaps: str = NO_ZONE

    @property
    def heaped(self) -> tuple[str, ...]:
        """The zones where cards lie upon each other, whatever senses them."""
        return self.drawn, self.pile, self.heaps

    def habit(self, zone: str) -> PlateHabit:
        """Return how cards come to the scale of ``zone`` and leave it.

        >>> ZoneRoles(drawn="stock", pile="discard").habit("discard")
        PlateHabit(usual=1, empties=True)
        """
        if zone == self.drawn:
            return PlateHabit(-1, empties=False)
        return PlateHabit(1) if zone == self.pile else PlateHabit()


def roles_of(equipment: Equipment) -> ZoneRoles:
    """Return the roles of the zones of a table. Raises ValueError if two zones would have the same one.

    >>> from hw.equipment import BURRACO_TABLE, TAROCCO_TABLE
    >>> roles_of(BURRACO_TABLE)
    ZoneRoles(drawn='stock', mouths=('gate-stock',), pile='discard', heaps='pots')
    >>> roles_of(TAROCCO_TABLE)
    ZoneRoles(drawn='(none)', mouths=(), pile='(none)', heaps='(none)')
    """
    drawn = _only(equipment.leaving("singly"), "that cards are drawn from")
    return ZoneRoles(
        drawn,
        tuple(mouth for mouth, zone in equipment.mouths.items() if zone == drawn),
        _only(equipment.lying("pile"), "where cards lie as an ordered pile"),
        _only(equipment.leaving("in-heaps"), "that cards leave in heaps"),
    )


def _only(zones: tuple[str, ...], what: str) -> str:
    if len(zones) > 1:
        raise ValueError(f"a table has one zone {what}, not {', '.join(zones)}")
    return zones[0] if zones else NO_ZONE
