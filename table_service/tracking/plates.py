"""The scales of a table: how each one reads its weight, and which of them swing just now."""

from __future__ import annotations

from math import inf
from typing import Final

from hw.equipment import Equipment
from table_service.tracking.plate_zero import PlateNoise
from table_service.tracking.scale_steps import ScaleStep
from table_service.tracking.scales import ScaleEstimator
from table_service.tracking.zone_roles import ZoneRoles

TOGETHER: Final = 0.7
"""Seconds within which a card that leaves one scale and one that comes onto another are the same card."""


class Plates:
    """The estimators by zone. ``equipment``: of the table; ``card_grams``: what one card weighs."""

    def __init__(self, equipment: Equipment, roles: ZoneRoles, card_grams: float) -> None:
        self._roles = roles
        self._weighed = equipment.weighed
        self._set_out = equipment.set_out
        self._grams = card_grams
        self._noise = PlateNoise()
        self.scales: dict[str, ScaleEstimator] = {}
        self._silent: dict[str, ScaleEstimator] = {}
        """The scales that are not heard while frames report their zones."""
        self._awaited: set[str] = set()
        """Zones that hold a heap but have no count yet: their scale had not reported it."""
        self.setting = False
        """Between ``deal`` and ``start-play``: what comes onto a scale is being set out and is counted, not moved."""

    def start_play(self) -> list[str]:
        """Start play, the cards being dealt: what comes onto a plate now is moved, but for heaps still awaited.

        The zones that have been counted before and weigh otherwise by now, by how much is not decided, and those that
        hold no card of their heap: it comes yet, or nothing told of it.
        """
        self.setting = False
        heaps = {zone: self.scales[zone] for zone in self._set_out if zone in self.scales}
        self._awaited = {zone for zone, scale in heaps.items() if not scale.count}
        told = {zone: scale for zone, scale in heaps.items() if scale.counted}
        return [zone for zone, scale in told.items() if zone in self._awaited or scale.weighs_otherwise]

    def is_awaited(self, zone: str) -> bool:
        """Return True if the heap of ``zone`` has not come."""
        return zone in self._awaited

    def reset(self) -> None:
        """Start anew: the table is cleared and the scales are tared."""
        self._awaited = set()
        known = {**dict.fromkeys(self._weighed), **self.scales}
        self._silent = {zone: self._new(zone, tared=True) for zone in self._silent}
        self.scales = {zone: self._new(zone, tared=True) for zone in known if zone not in self._silent}
        self.setting = True

    def fall_silent(self, zone: str) -> None:
        """Treat ``zone``, whose scale is not heard, as if none stood there."""
        if zone in self.scales:
            self._silent[zone] = self.scales.pop(zone)

    def speak_again(self, zone: str) -> None:
        """Take up the scale of ``zone``, which is heard again."""
        if zone in self._silent:
            self.scales[zone] = self._silent.pop(zone)

    def _new(self, zone: str, *, tared: bool) -> ScaleEstimator:
        return ScaleEstimator(zone, self._grams, self._noise, self._roles.habit(zone), tared=tared)

    def at(self, zone: str) -> ScaleEstimator | None:
        """Return the scale of ``zone``; None if it has not reported."""
        return self.scales.get(zone)

    def named(self, zone: str) -> ScaleEstimator:
        """Return the scale of ``zone``, made now if it was not known: its earlier load is unknown."""
        known = self.scales.get(zone)
        if known is None:
            known = self.scales[zone] = self._new(zone, tared=False)
        return known

    def pending_since(self, now: float) -> float:
        """Time since which a scale shows something undecided; infinite if none does."""
        since = [s for scale in self.scales.values() if (s := scale.pending_since(now)) is not None]
        return min(since, default=inf)

    def is_setting(self, step: ScaleStep) -> bool:
        """Return True if ``step`` is a first count, or cards being set out: no movement of the deal."""
        estimator = self.scales[step.zone]
        if not estimator.tared:
            return step.first
        if self.setting or (step.first and step.zone in self._set_out and step.change > 1):
            return True
        late = step.zone in self._awaited and step.count == step.change > 1
        self._awaited.discard(step.zone)
        return late

    def has_partner(self, step: ScaleStep, now: float) -> bool:
        """Return True if another scale than that of ``step`` has begun to swing together with it and is not decided."""
        for zone, estimator in self.scales.items():
            since = estimator.pending_since(now)
            if zone != step.zone and since is not None and abs(since - step.first_t) < TOGETHER:
                return True
        return False
