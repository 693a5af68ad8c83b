"""Memory of the tray's bare surface, cell by cell: where a card was taken away it must look as before.

``TrayGround`` says loosely what may be bare, so that light and shadow hide no tray. That is too little to say that a
card has left: a hand of the tray's colour may lie over it.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.bidding import TraySide
from vision.surface import VIEW_MM, Mask

BRIGHT: Final = 0.06
"""Share by which ground may be brighter or darker than it was, the change of the tray's middle taken away;"""
FIRST_BRIGHT: Final = 0.1
"""than the tray's middle, if it was never seen bare."""
SHARES: Final = 0.012
"""By so much its colour's shares of blue, green and red may differ."""
MOST: Final = 0.95
"""Share of the cells that must look so."""
LEAST_MM2: Final = 300.0
"""Less ground says nothing."""
LINE: Final = 0.08
"""Share by which brightness changes beside a printed line: a tray that comes back is a millimetre off."""
FOLLOWS: Final = 0.1
"""Share of the light's change that the memory takes over at each look."""
BLACK: Final = 1e-3
"""Added to what is divided by: of a black tray a cell may be 0."""
Lit = NDArray[np.float32]


class GroundMemory:
    """Remembers the bare tray on each side. Views are evenly lit ones (``TrayGround.lit``)."""

    def __init__(self, middles: dict[TraySide, Mask], borders: dict[TraySide, Mask]) -> None:
        """``middles``: where the tray is always bare; ``borders``: where lines may be printed."""
        self._middles, self._borders = middles, borders
        self._known: dict[TraySide, tuple[Lit, Mask]] = {}
        """Looks of the tray and masks of where they are known: last, and before."""

    def learn(self, lit: Lit, side: TraySide, bare: Mask, *, anew: bool = False) -> None:
        """Remember the ``bare`` tray; known cells follow slowly, cells that look different not at all.

        ``anew``: these are remembered too, beside what was known there before: it may be a hand that stays long.
        """
        if side not in self._known:
            self._known[side] = np.stack([lit, lit]), np.zeros((2, *bare.shape), np.bool_)
        values, known = self._known[side]
        if anew:
            odd = bare & self.unlike(lit, side)
            values[1][odd], values[0][odd] = values[0][odd], lit[odd]
            known[1] |= odd
        fresh = bare & ~known[0]
        values[0][fresh] = lit[fresh]
        same = bare & known[0] & _alike(lit, values[0], BRIGHT)
        values[0][same] += FOLLOWS * (lit[same] - values[0][same])
        known[0] |= fresh

    def is_ground(self, lit: Lit, side: TraySide, where: Mask) -> bool:
        """True if the tray is bare ``where``: as it was, or, if never seen bare there, as its middle looks now."""
        as_known, known, steady = self._as_known(lit, side)
        colour = np.median(lit[self._middles[side]], axis=0)
        first = _alike(lit, np.broadcast_to(colour, lit.shape), FIRST_BRIGHT)
        judged = where & (steady | ~(known | self._borders[side]))
        if judged.sum() * VIEW_MM**2 < LEAST_MM2:
            return False
        return bool(np.where(known, as_known, first)[judged].mean() >= MOST)

    def unlike(self, lit: Lit, side: TraySide) -> Mask:
        """Mask of cells that were seen bare and look different now."""
        as_known, _, steady = self._as_known(lit, side)
        return steady & ~as_known

    def _as_known(self, lit: Lit, side: TraySide) -> tuple[Mask, Mask, Mask]:
        """Masks of the tray: looks as it did, light in its middle allowed for; is known; is known and near no line."""
        nowhere = np.zeros(lit.shape[:2], np.bool_)
        then, known = self._known.get(side, (np.stack([lit, lit]), np.stack([nowhere, nowhere])))
        middle = known[0] & self._middles[side]
        if not middle.any():
            return nowhere, nowhere, nowhere
        changes = [np.median(lit[middle] / (one[middle] + BLACK), axis=0) for one in then]
        alike = [_alike(lit, one * change, BRIGHT) for one, change in zip(then, changes, strict=True)]
        return alike[0] | (alike[1] & known[1]), known[0], known[0] & ~_beside_lines(then[0])


def _alike(one: Lit, other: Lit, bright: float) -> Mask:
    total, own = one.sum(axis=2) + BLACK, other.sum(axis=2) + BLACK
    apart = np.abs(one / total[..., None] - other / own[..., None]).max(axis=2)
    return np.asarray((np.abs(total / own - 1.0) <= bright) & (apart <= SHARES), np.bool_)


def _beside_lines(lit: Lit) -> Mask:
    total = lit.sum(axis=2)
    kernel = np.ones((3, 3), np.uint8)
    return np.asarray(cv2.dilate(total, kernel) > (1.0 + LINE) * cv2.erode(total, kernel), np.bool_)
