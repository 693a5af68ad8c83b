"""Cards that lie face down on the open table: known since each lay whole, as long as what shows of it looks as it did.

Turned cards overlap in a row, and cards are played upon them: what then shows of a back has no card's shape, and would
pass for an arm that lies there for good.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from hw.layout import CARD_HEIGHT, CARD_WIDTH
from hw.observations import SightedCard
from vision.surface import CHANGED, Blob, Image, Mask, Surface, card_shape, grown, pasted, strongest
from vision.unread_shapes import ONE_PLACE_MM

EDGE_MM: Final = 6.0
"""Border beside a card that passes for it."""
GONE: Final = 0.5
"""Share of what showed of a back that is cloth once it has been taken away."""
SHOWS: Final = 0.5
"""Share of what shows of a back that must look as before for the card to be reported."""
TOO_LITTLE: Final = 12
"""Cells of a view, three quarters of a square centimetre, below which what shows of a back decides nothing."""


@dataclass(frozen=True, eq=False)
class _Back:
    card: SightedCard
    shows: Mask
    """Cells of the view that show it unless an arm lies there: no known card lies upon it."""

    @property
    def middle(self) -> tuple[float, float]:
        return self.card.x, self.card.y


class LyingBacks:
    """The backs on the table of ``surface``. Not shared between threads."""

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._backs: list[_Back] = []
        self._looks = np.zeros((surface.size, surface.size, 3), np.uint8)
        """How each back looked where it shows."""

    def shown(self, view: Image) -> Mask:
        """Return the cells of ``view`` that show a known back."""
        if not self._backs:
            return np.zeros(view.shape[:2], np.bool_)
        lying = np.logical_or.reduce([back.shows for back in self._backs])
        return np.asarray(lying & (strongest(view, self._looks) <= CHANGED), np.bool_)

    def uncovered(self, blobs: Iterable[Blob], view: Image, other: Mask) -> list[Blob]:
        """Return the ``blobs`` but for those that make a known back whole again: what lay upon it was taken away.

        ``other``: where cloth shows, or a card that was read.
        """
        left = []
        for blob in blobs:
            n = next((n for n, back in enumerate(self._backs) if self._makes_whole(blob, back)), None)
            if n is None:
                left.append(blob)
            else:
                self._backs[n] = self._seen(self._backs[n].card, view, other)
        return left

    def _makes_whole(self, blob: Blob, back: _Back) -> bool:
        if blob.from_edge or blob.card is not None:
            return False
        shape = card_shape(blob.mask | (back.shows & self._outline(back.card)))
        return shape is not None and math.dist(self._surface.place(*shape[:2]), back.middle) < ONE_PLACE_MM

    def _seen(self, card: SightedCard, view: Image, other: Mask) -> _Back:
        back = _Back(card, grown(self._outline(card), EDGE_MM) & ~other)
        self._looks = pasted(view, back.shows, self._looks)
        return back

    def follow(self, found: Iterable[SightedCard], view: Image, bare: Mask, read: Mask) -> list[SightedCard]:
        """Return the known backs that ``view`` shows besides those ``found``, which are known from now on.

        ``found``: cards that lie whole and were not read; ``bare``: where cloth shows; ``read``: where cards that were.
        """
        as_before = self.shown(view)
        backs = [replace(back, shows=back.shows & ~read) for back in self._backs]
        new = [self._seen(card, view, bare | read) for card in found if card.face == "down"]
        for one in new:
            over = self._outline(one.card)
            backs = [
                replace(b, shows=b.shows & ~over) for b in backs if math.dist(b.middle, one.middle) >= ONE_PLACE_MM
            ]
        backs = [back for back in backs if back.shows.sum() >= TOO_LITTLE and bare[back.shows].mean() < GONE]
        self._backs = backs + new
        self._looks = pasted(view, as_before, self._looks)  # light changes slowly
        return [back.card for back in backs if as_before[back.shows].mean() >= SHOWS]

    def _outline(self, card: SightedCard) -> Mask:
        turn = math.radians(card.angle)
        up = np.array([-math.sin(turn), math.cos(turn)]) * CARD_HEIGHT / 2
        right = np.array([math.cos(turn), math.sin(turn)]) * CARD_WIDTH / 2
        middle = np.array([card.x, card.y])
        return self._surface.polygons_mask(
            np.stack([middle + up - right, middle + up + right, middle - up + right, middle - up - right])[None]
        )
