"""Scales that may have lost their zero with the power: their weight is no count until something else vouches for it.

A scale that weighs a whole number of cards less than before the cut may have lost its zero or its cards; nothing here
tells the two apart. What can be told: a stack that cards only leave does not weigh more, and frames show the pile.
"""

from __future__ import annotations

from math import inf

from table_service.tracking.pile_plate import PilePlate
from table_service.tracking.scale_health import ScaleHealth
from table_service.tracking.scales import ScaleEstimator
from table_service.tracking.zone_roles import ZoneRoles


class LostZeros:
    """The zones of scales whose node began anew, until their zero is known again."""

    def __init__(self, roles: ZoneRoles, pile: PilePlate, health: ScaleHealth) -> None:
        self._roles = roles
        self._pile = pile
        self._health = health
        self._before: dict[str, int] = {}
        """Cards in each zone before its node began anew."""
        self._otherwise: dict[str, int] = {}
        """Of those that have counted again and are still in doubt: how many cards more they count than before."""
        self._tared = False
        """True if a zero was lost for certain since the scales were tared, so that any may have been."""
        self._unknown: set[str] = set()
        """Zones whose node began anew while cards were set out: no weight is known to compare with."""

    def forget(self) -> None:
        """Forget everything: the scales are tared."""
        self._before, self._otherwise, self._unknown, self._tared = {}, {}, set(), False

    def lost_in_setting(self, zone: str) -> None:
        """Record that the node of the scale of ``zone`` has begun anew while cards were set out."""
        self._unknown.add(zone)

    def is_unknown(self, zone: str) -> bool:
        """Return True if cards were set out on the scale of ``zone`` as its node began anew: it may count wrongly."""
        return zone in self._unknown

    def is_doubted(self, zone: str) -> bool:
        """Return True if nothing vouches yet for what the scale of ``zone`` counts."""
        return zone in self._before or zone in self._otherwise

    def is_known(self, zone: str) -> bool:
        """Return True if ``zone``'s scale counts as before its node began anew or as frames, and no zero was lost."""
        return not (zone in self._unknown or zone in self._before or self._otherwise.get(zone) or self._tared)

    def began_anew(self, scale: ScaleEstimator) -> None:
        """Record that the node of ``scale``, whose count was known, has begun anew."""
        self._otherwise.pop(scale.zone, None)
        self._before.setdefault(scale.zone, scale.count)

    def is_counted(self, scale: ScaleEstimator) -> bool:
        """Take a count of ``scale`` after it was not heard; False if cards may have left unnoticed: it was tared."""
        zone, before = scale.zone, self._before.pop(scale.zone, None)
        if before is None:
            return zone != self._roles.drawn or zone not in self._otherwise
        if zone == self._roles.pile:
            self._otherwise[zone] = scale.count - before
        elif zone in (self._roles.drawn, self._roles.heaps) and scale.count > before:
            scale.tare(before)  # a heap that has gone weighs more than zeros are off
            self._tared = True
            if zone == self._roles.drawn:
                self._otherwise[zone] = 0
                return False
        return True

    def shown(self, scale: ScaleEstimator | None, change: int | None, t: float) -> bool:
        """Frames show the pile, ``change`` cards more or fewer than ``scale`` counts; True if that tares it.

        Frames overlook cards: fewer are believed only where the scale counts others than before.
        """
        if scale is None or not scale.fine or scale.zone not in self._otherwise or scale.zone in self._before:
            return False
        if change is None:
            if self._pile.fitting > -inf:
                del self._otherwise[scale.zone]
            return False
        if (change > 0 or self._otherwise[scale.zone]) and self._health.lay_still(scale.zone, t):
            scale.tare(scale.count + change)
            self._tared = True
            return True
        return False
