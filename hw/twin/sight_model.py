"""Camera readings of the simulated table by the assumed error model, without pixels."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Final

from hw.bidding import BIDDING_BOX
from hw.cards import UNKNOWN, face
from hw.layout import Layout
from hw.observations import Sight, SightedCard
from hw.twin.card_places import CardPlace
from hw.twin.noise import Noise
from hw.twin.stage import Stage
from hw.zones import TABLE

_ANGLE_SIGMA_DEG: Final = 1.5
_BIDDING: Final = sorted(BIDDING_BOX.copies)


class SightModel:
    """Reads a stage as a camera might. ``rng`` is drawn from at each sight; ``cards``: the pack."""

    def __init__(self, noise: Noise, rng: random.Random, layout: Layout, cards: Iterable[str]) -> None:
        self._noise = noise
        self._rng = rng
        self._layout = layout
        self._faces = sorted({face(card) for card in cards})
        self._frames = 0

    def sight(self, stage: Stage, t: float, *, unmasked: bool) -> Sight:
        """Read the picture of ``stage`` taken at ``t``. ``unmasked``: cards in the hands' areas are read too."""
        hidden = self._hidden(stage, t)
        seen = [
            self._sighted(place)
            for place in stage.places()
            if (place.face_up or place.back_counts)
            and not place.covered
            and place.zone not in hidden
            and (unmasked or place.zone not in self._layout.masked)
            and t >= stage.all_covered_until
            and self._rng.random() >= self._noise.sight_miss
        ]
        self._rng.shuffle(seen)
        self._frames += 1
        return Sight(round(t, 6), tuple(seen), hidden, self._frames)

    def _hidden(self, stage: Stage, t: float) -> tuple[str, ...]:
        if t < stage.all_covered_until:
            return tuple(self._layout.zones)
        zones = {zone for _, zone in stage.arms} | {zone for zone, until in stage.covered.items() if t < until}
        tray = stage.table.tray
        if tray is not None and stage.world.tray is None:
            zones.add(tray)
        return tuple(zone for zone in (*self._layout.zones, TABLE) if zone in zones)

    def _sighted(self, place: CardPlace) -> SightedCard:
        rng, spread = self._rng, self._noise.sight_position_mm
        printed = face(place.card) if place.face_up else UNKNOWN
        confidence = rng.uniform(0.985, 0.999)
        if rng.random() < self._noise.sight_misread and place.face_up:
            printed = self._mistaken(printed, _BIDDING if place.seat else self._faces)
            confidence = rng.uniform(0.6, 0.99)
        return SightedCard(
            card=printed,
            zone=place.zone,
            x=round(place.x + (rng.gauss(0.0, spread) if spread else 0.0), 1),
            y=round(place.y + (rng.gauss(0.0, spread) if spread else 0.0), 1),
            angle=round((place.angle + rng.gauss(0.0, _ANGLE_SIGMA_DEG)) % 180, 1) % 180,
            face="up" if place.face_up else "down",
            confidence=round(confidence, 3),
            row=place.row,
            order=place.order,
            seat=place.seat,
        )

    def _mistaken(self, printed: str, faces: list[str]) -> str:
        """Return a face that a reader takes ``printed`` for: one that shares its rank or its suit, else any other."""
        alike = [other for other in faces if other != printed and (other[0] == printed[0] or other[1:] == printed[1:])]
        others = alike or [other for other in faces if other != printed]
        return self._rng.choice(others) if others else printed
