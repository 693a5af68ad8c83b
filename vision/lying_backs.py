"""Cards that lie face down on the open table: known since each lay whole, as long as what shows of it looks as it did.

Turned cards overlap in a row, and cards are played upon them: what then shows of a back has no card's shape, and would
pass for an arm that lies there for good. A card that was read and lies turned where it lay is known by the look of the
backs before it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cards import UNKNOWN
from hw.layout import CARD_HEIGHT, CARD_WIDTH
from hw.observations import SightedCard
from vision.surface import CHANGED, VIEW_MM, Blob, Image, Mask, Surface, card_shape, grown, pasted, strongest
from vision.unread_shapes import ONE_PLACE_MM, SURELY_DOWN

EDGE_MM: Final = 6.0
"""Border beside a card that passes for it."""
GONE: Final = 0.5
"""Share of what showed of a card that is cloth once it has been taken away."""
SHOWS: Final = 0.5
"""Share of what shows of a back that must look as before for the card to be reported."""
TOO_LITTLE: Final = 12
"""Cells of a view, three quarters of a square centimetre, below which what shows of a card decides nothing."""
SIZE: Final = (round(CARD_WIDTH / VIEW_MM), round(CARD_HEIGHT / VIEW_MM))
"""Width and height of a card in cells of a view."""
ALIKE: Final = 40
"""Grey levels by which a cell of a back may differ from that of another: they lie and are lit a little otherwise."""
AS_BACKS: Final = 0.9
"""Share of the cells that show of a turned card which must be like those of a back. Set on the deal of bridge that is
drawn for seed 45002: see docs/measured/camera-only.md."""
NEARLY: Final = 0.7
"""Share from which the place is looked for more closely: a card beside a hand is read a little askew."""
NEAR: Final = ((-2.5, 0.0, 2.5), (-5.0, 0.0, 5.0))
"""Millimetres and degrees by which it may lie otherwise."""
KINDS: Final = 3
"""Backs whose looks are kept besides the last one."""
Ring = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Back:
    card: SightedCard
    ring: Ring
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
        self._open: list[Ring] = []
        """Where cards lay face up when they were last read."""
        self.waits = False
        """True if a card that was read is not seen now, nor cloth in its place: a back may come to light there."""
        self._kinds: list[NDArray[np.float32]] = []
        """How whole backs look, one for each that was seen, a few at most."""

    def look(self, view: Image, bare: Mask, rings: Ring) -> None:
        """Take a ``view``, of which ``rings`` (n, 4, 2) mm, from an upper left corner, are read and ``bare`` is cloth.

        What is read covers backs; a card that was read before and looks as a back now has been turned, where it lay or
        across.
        """
        read = self._surface.polygons_mask(rings)
        self._backs = [replace(back, shows=back.shows & ~read) for back in self._backs]
        left = []
        for ring in self._not_read(rings):
            seen = self._surface.polygons_mask(ring[None]) & ~read
            if seen.sum() < TOO_LITTLE or bare[seen].mean() >= GONE:
                continue
            turned = self._turned(view, ring, read)
            if turned is None:
                left.append(ring)
            else:
                self._add(self._card(turned), turned, view, bare | read)
        self._open = left + list(rings)
        as_before = self.shown(view)
        otherwise = [back for back in self._backs if as_before[back.shows].mean() < AS_BACKS]
        lit = [
            back for back in otherwise if self._is_back(view, back.ring, ~back.shows)
        ]  # a shadow, a hand has left it
        for back in lit:
            as_before |= back.shows
        self.waits = bool(self._kinds) and len(left) + len(otherwise) > len(lit)
        self._backs = [b for b in self._backs if b.shows.sum() >= TOO_LITTLE and bare[b.shows].mean() < GONE]
        self._looks = pasted(view, as_before, self._looks)  # light changes slowly

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
            back = next((back for back in self._backs if self._makes_whole(blob, back)), None)
            if back is None:
                left.append(blob)
            else:
                self._add(back.card, back.ring, view, other)
        return left

    def told(self, found: Iterable[SightedCard], view: Image, other: Mask) -> list[SightedCard]:
        """Return the cards ``found`` and the known backs that ``view`` shows; their order is that in which they came.

        ``found``: cards that lie whole and were not read, of which those face down are known from now on; ``other``:
        where cloth shows, or a card that was read.
        """
        found = list(found)
        as_before = self.shown(view)
        told = [back.card for back in self._backs if as_before[back.shows].mean() >= SHOWS]
        for card in found:
            if card.face == "down":
                ring = _ring(card)
                self._add(card, ring, view, other)
                self._kinds = [*self._kinds[-KINDS:], self._patch(view, ring).astype(np.float32)]
                told.append(card)
        by_zone: dict[str, list[SightedCard]] = {}
        for back in self._backs:
            by_zone.setdefault(back.card.zone, []).append(back.card)
        placed = [
            replace(card, order=order)
            for cards in by_zone.values()
            for order, card in enumerate(cards)
            if any(card is one for one in told)
        ]
        return [card for card in found if card.face == "up"] + placed

    def _add(self, card: SightedCard, ring: Ring, view: Image, other: Mask) -> None:
        """Let ``card`` lie at ``ring``, upon all others."""
        outline = self._surface.polygons_mask(ring[None])
        back = _Back(card, ring, grown(outline, EDGE_MM) & ~other)
        self._looks = pasted(view, back.shows, self._looks)
        same = [n for n, one in enumerate(self._backs) if math.dist(one.middle, back.middle) < ONE_PLACE_MM]
        backs = [replace(one, shows=one.shows & ~outline) for n, one in enumerate(self._backs) if n not in same]
        backs.insert(min(same, default=len(backs)), back)
        self._backs = backs

    def _makes_whole(self, blob: Blob, back: _Back) -> bool:
        if blob.from_edge or blob.card is not None:
            return False
        shape = card_shape(blob.mask | (back.shows & self._surface.polygons_mask(back.ring[None])))
        return shape is not None and math.dist(self._surface.place(*shape[:2]), back.middle) < ONE_PLACE_MM

    def _not_read(self, rings: Ring) -> list[Ring]:
        """Return the places of cards that were read and are not among ``rings``."""
        if not self._open or not len(rings):
            return self._open
        before, now = np.stack(self._open).mean(axis=1), rings.mean(axis=1)
        away = np.hypot(*(before[:, None] - now[None]).transpose(2, 0, 1)).min(axis=1)
        return [ring for ring, far in zip(self._open, away.tolist(), strict=True) if far >= ONE_PLACE_MM]

    def _turned(self, view: Image, ring: Ring, read: Mask) -> Ring | None:
        """Return where about ``ring``, or across it, a back lies; None if none does. ``read``: other cards."""
        for lies in (ring, _across(ring)):
            if self._likeness(view, lies, read) >= NEARLY:
                near = max(_about(lies), key=lambda one: self._likeness(view, one, read))
                if self._is_back(view, near, read):
                    return near
        return None

    def _is_back(self, view: Image, ring: Ring, hidden: Mask) -> bool:
        """Return True if what shows within ``ring`` and is not ``hidden`` looks as a back does."""
        return self._likeness(view, ring, hidden) >= AS_BACKS

    def _likeness(self, view: Image, ring: Ring, hidden: Mask) -> float:
        """Share of the cells that show within ``ring`` and are like those of a back, whichever way up."""
        here = self._patch(view, ring).astype(np.float32)
        shows = self._patch(hidden.astype(np.uint8), ring) == 0
        if shows.sum() < TOO_LITTLE:
            return 0.0
        alike = (
            (np.abs(here - kind[::way, ::way]).max(axis=2) <= ALIKE)[shows].mean()
            for kind in self._kinds
            for way in (1, -1)
        )
        return float(max(alike, default=0.0))

    def _patch(self, view: NDArray[np.uint8], ring: Ring) -> NDArray[np.uint8]:
        """Return what ``view`` shows at ``ring``, upright, SIZE cells."""
        half = self._surface.layout.side / 2
        cells = ((ring * [1.0, -1.0] + half) / VIEW_MM - 0.5).astype(np.float32)
        wide, high = SIZE
        card = np.array([[0, 0], [wide, 0], [wide, high]], np.float32) - np.float32(0.5)
        return np.asarray(cv2.warpAffine(view, cv2.getAffineTransform(cells[:3], card), SIZE), np.uint8)

    def _card(self, ring: Ring) -> SightedCard:
        """Return the card face down whose corners are ``ring``."""
        x, y = (round(float(v), 1) for v in ring.mean(axis=0))
        up = ring[0] - ring[3]
        turn = round((math.degrees(math.atan2(up[1], up[0])) - 90.0) % 180.0, 1) % 180.0
        return SightedCard(UNKNOWN, self._surface.layout.zone_at(x, y), x, y, turn, "down", SURELY_DOWN)


def _across(ring: Ring) -> Ring:
    """Return ``ring`` turned by a quarter: at bridge a trick that was lost is turned across those that were won."""
    middle = ring.mean(axis=0)
    return np.asarray(middle + (ring - middle)[:, ::-1] * [1.0, -1.0], np.float64)


def _about(ring: Ring) -> list[Ring]:
    """Return the places of cards that lie nearly as at ``ring``, that one first."""
    middle, (steps, turns) = ring.mean(axis=0), NEAR
    found = [ring]
    for degrees in turns:
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        turned = (ring - middle) @ np.array([[cos, sin], [-sin, cos]])
        found += [middle + turned + [x, y] for x in steps for y in steps]
    return found


def _ring(card: SightedCard) -> Ring:
    """Return the corners (4, 2) mm of a card, clockwise from an upper left one."""
    turn = math.radians(card.angle)
    up = np.array([-math.sin(turn), math.cos(turn)]) * CARD_HEIGHT / 2
    right = np.array([math.cos(turn), math.sin(turn)]) * CARD_WIDTH / 2
    middle = np.array([card.x, card.y])
    return np.stack([middle + up - right, middle + up + right, middle - up + right, middle - up - right])
