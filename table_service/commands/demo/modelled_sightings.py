"""Sights of the demo's table when no reader follows its pack from frame to frame: by the twin's error model."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from hw.layout import Layout
from hw.observations import Sight


class ModelledSightings:
    """Returns for each frame what ``taken`` holds for its moment. Hands stay masked until a deal is over."""

    def __init__(self, layout: Layout) -> None:
        self._hands = self._masked = frozenset(layout.masked)
        self._taken: dict[float, Sight] = {}
        self._deal_over = False

    def taken(self, sight: Sight) -> None:
        """Take a picture in which the error model reads ``sight``. May come from another thread than ``look``."""
        self._taken[sight.t] = sight

    def look(self, frame: Any, t: float) -> Sight | None:  # noqa: ARG002 - that is the point: no pixel is read
        """Return what was written down for ``t``; None if nothing was."""
        sight = self._taken.pop(round(t, 6), None)
        if sight is None or self._deal_over:
            return sight
        return replace(sight, cards=tuple(card for card in sight.cards if card.zone not in self._masked))

    def new_deal(self) -> None:
        """Begin a deal: hands are masked."""
        self._deal_over, self._masked = False, self._hands

    def open_hands(self, zones: Collection[str]) -> None:
        """Open the hand areas ``zones`` for all."""
        self._masked = self._hands.difference(zones)

    def deal_over(self) -> None:
        """Hands are laid out for the count."""
        self._deal_over = True

    def deal_goes_on(self) -> None:
        """Continue the deal, which has not ended: hands are masked again."""
        self._deal_over = False
