"""From corner indices to cards: the two corners of a card that lies free are one card, not two.

Works on any plane with x right and y down or x East and y North alike, as long as ``right`` is given with it: a corner
states its own frame (right and down along the card), in the unit of the plane.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hw.layout import CARD_HEIGHT, CARD_WIDTH
from vision.index_reader import Scores, best_face, merge

DEFAULT_ACROSS: Final = 51.5 / CARD_HEIGHT
DEFAULT_DOWN: Final = 68.5 / CARD_HEIGHT
"""From one corner index to the other, as shares of the card's height: what most packs have."""
DIRECTION: Final = (0.50, 1.02)
"""Between the two indices, the way across over the way down lies in this range for all packs known."""
TURN_TOLERANCE_DEG: Final = 24.0
"""The two indices of a card point in opposite directions, read with this much error at most."""
APART: Final = (2.2, 13.0)
"""Index heights from one index of a card to the other: packs of the largest print have 2.5, of the smallest 11."""
BENT_DEG: Final = 12.0
"""Largest angle between the line through two corners and the one their mean direction gives."""
MISREAD_DEG: Final = 60.0
"""Largest error of the direction of one corner if the line fits the other's; less than the right angle at which cards
of other rows lie."""
WELL_READ_DEG: Final = 7.0
"""One index's own direction is read with less error than this: of 8500 on rendered tables all but 0.5 %."""


@dataclass(frozen=True)
class Corner:
    """An index on a plane: centre, unit vectors along the card to its right and down, height of the index."""

    x: float
    y: float
    right: tuple[float, float]
    down: tuple[float, float]
    height: float
    scores: Scores = field(compare=False)
    heat: float = 1.0
    known: bool = False
    """True if it is certainly the index of an enrolled pack's joker."""
    there: float = 1.0
    """Mean confidence of single looks that there is an index if ``scores`` are votes of several looks; else 1."""

    @cached_property
    def face(self) -> str | None:
        """The likeliest face."""
        return best_face(self.scores)

    @cached_property
    def surest(self) -> float:
        """Probability of the likeliest face, or of none."""
        return float(self.scores.max())


@dataclass(frozen=True)
class Found:
    """One card: its centre, its down vector, what it shows, and the places in the list of corners it is made of."""

    x: float
    y: float
    right: tuple[float, float]
    down: tuple[float, float]
    face: str
    confidence: float
    scores: Scores = field(compare=False)
    corners: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class IndexReach:
    """Distance to the other index of a card: across and down, in the plane's unit."""

    across: float
    down: float

    @classmethod
    def of_card(cls, height: float) -> IndexReach:
        """Make the reach of a card of ``height`` with the indices where most packs have them."""
        return cls(height * DEFAULT_ACROSS, height * DEFAULT_DOWN)


def pair_up(
    corners: list[Corner], reach: IndexReach | None, tolerance: float, direction: tuple[float, float] = DIRECTION
) -> list[tuple[int, int]]:
    """Pairs of corners that belong to one card, best fitting first come first served.

    With ``reach`` the other corner must lie as far away as that says, within ``tolerance`` (plane units), and the
    direction of one of them may be misread; without, any distance within ``APART`` will do that has the ``direction``
    of a card's diagonal.
    """
    offers: list[tuple[float, int, int]] = []
    spots = np.array([(c.x, c.y) for c in corners]) if corners else np.zeros((0, 2))
    same: dict[str, list[int]] = {}
    for k, corner in enumerate(corners):
        if corner.face is not None:
            same.setdefault(corner.face, []).append(k)
    for group in same.values():
        for n, i in enumerate(group):
            for j in group[n + 1 :]:
                one, other, apart = corners[i], corners[j], spots[j] - spots[i]
                if reach is None:
                    cost = _misfit(one, other, apart, direction)
                else:
                    cost = _misfit_of_reach(one, other, apart, reach, tolerance)
                if cost is not None:
                    offers.append((cost, i, j))
    taken: set[int] = set()
    pairs = []
    for _, i, j in sorted(offers):
        if i not in taken and j not in taken:
            taken |= {i, j}
            pairs.append((i, j))
    return pairs


def _misfit(one: Corner, other: Corner, apart: NDArray[np.float64], direction: tuple[float, float]) -> float | None:
    if not _opposite(one, other, TURN_TOLERANCE_DEG):
        return None
    across, down = _mean_way(one, other, apart)
    if across <= 0 or down <= 0 or not direction[0] < across / down < direction[1]:
        return None
    heights = math.hypot(across, down) / ((one.height + other.height) / 2)
    if not APART[0] < heights < APART[1]:
        return None
    return abs(across / down - DEFAULT_ACROSS / DEFAULT_DOWN) + 0.02 * heights


def _misfit_of_reach(
    one: Corner, other: Corner, apart: NDArray[np.float64], reach: IndexReach, tolerance: float
) -> float | None:
    """Return the misfit of two corners by their places, which are known better than their directions.

    A corner whose direction was misread still lies where the other puts the card's second index; a similar card that
    shows only one index could be there by chance too. Such pairs come after all others.
    """
    off = _off(apart, reach)
    if off > tolerance or not _opposite(one, other, MISREAD_DEG):
        return None
    turned = _turned(_mean_way(one, other, apart), reach)
    if turned <= BENT_DEG and _opposite(one, other, TURN_TOLERANCE_DEG):
        return off / tolerance + turned / BENT_DEG
    turned = min(_turned(_way(one, apart), reach), _turned(_way(other, -apart), reach))
    return 2.0 + off / tolerance + turned / WELL_READ_DEG if turned <= WELL_READ_DEG else None


def is_second_end(other: Corner, one: Corner, reach: IndexReach, tolerance: float) -> bool:
    """Return True if ``other`` lies where ``one`` puts the second index of its card, and points the other way."""
    apart = np.array([other.x - one.x, other.y - one.y])
    there = _off(apart, reach) <= tolerance and _turned(_way(one, apart), reach) <= WELL_READ_DEG
    return there and _opposite(one, other, MISREAD_DEG)


def _off(apart: NDArray[np.float64], reach: IndexReach) -> float:
    """Return how much nearer or farther ``apart`` reaches than the pack's indices."""
    return abs(float(np.hypot(*apart)) - float(np.hypot(reach.across, reach.down)))


def _opposite(one: Corner, other: Corner, within_deg: float) -> bool:
    """Return True if two indices, of much the same height, point in opposite directions."""
    against = -(one.down[0] * other.down[0] + one.down[1] * other.down[1])
    return against >= math.cos(math.radians(within_deg)) and 0.6 < one.height / other.height < 1.67


def _way(one: Corner, apart: NDArray[np.float64]) -> tuple[float, float]:
    """``apart`` across and down as ``one`` points."""
    x, y = apart.tolist()
    return x * one.right[0] + y * one.right[1], x * one.down[0] + y * one.down[1]


def _mean_way(one: Corner, other: Corner, apart: NDArray[np.float64]) -> tuple[float, float]:
    """Return the way from ``one`` to the ``other`` end of its card, across and down, as both point in the mean."""
    (across, down), (back, up) = _way(one, apart), _way(other, apart)
    return (across - back) / 2, (down - up) / 2


def _turned(way: tuple[float, float], reach: IndexReach) -> float:
    """Degrees between ``way`` (across, down) and that of ``reach``."""
    return abs(float(np.degrees(np.arctan2(*way) - np.arctan2(reach.across, reach.down))))


def measured_reach(corners: list[Corner], pairs: list[tuple[int, int]]) -> IndexReach | None:
    """Return the median distance between the corners of ``pairs``; None without pairs."""
    if not pairs:
        return None
    ways = []
    for i, j in pairs:
        a, b = corners[i], corners[j]
        dx, dy = b.x - a.x, b.y - a.y
        ways.append(
            (
                (dx * (a.right[0] - b.right[0]) + dy * (a.right[1] - b.right[1])) / 2,
                (dx * (a.down[0] - b.down[0]) + dy * (a.down[1] - b.down[1])) / 2,
            )
        )
    across, down = np.median(np.array(ways), axis=0)
    return IndexReach(float(across), float(down))


def to_cards(corners: list[Corner], pairs: list[tuple[int, int]], reach: IndexReach) -> list[Found]:
    """Every card once: the pairs, then each corner that is left over as a card of which only that corner shows."""
    cards = []
    for i, j in pairs:
        a, b = corners[i], corners[j]
        scores = merge(a.scores, b.scores)
        face = best_face(scores)
        upper, lower = (a, b) if a.y <= b.y else (b, a)
        right, down = _axes_of_pair(upper, lower, reach)
        if face is not None:
            cards.append(
                Found((a.x + b.x) / 2, (a.y + b.y) / 2, right, down, face, float(scores.max()), scores, (i, j))
            )
    used = {k for pair in pairs for k in pair}
    for k, c in enumerate(corners):
        if k in used or c.face is None:
            continue
        x = c.x + (c.right[0] * reach.across + c.down[0] * reach.down) / 2
        y = c.y + (c.right[1] * reach.across + c.down[1] * reach.down) / 2
        cards.append(Found(x, y, c.right, c.down, c.face, float(c.scores.max()), c.scores, (k,)))
    return cards


def _axes_of_pair(one: Corner, other: Corner, reach: IndexReach) -> tuple[tuple[float, float], tuple[float, float]]:
    """(right, down) of a card from its two corners, seen from ``one``: exact where the reach of the pack is known."""
    down = _unit(one.down[0] - other.down[0], one.down[1] - other.down[1])
    right = _unit(one.right[0] - other.right[0], one.right[1] - other.right[1])
    if reach.across <= 0:
        return right, down
    apart = _unit(other.x - one.x, other.y - one.y)
    a, d = _unit(reach.across, reach.down)
    # apart = a * right + d * down, and down is right turned by a right angle, one way or the other
    way = 1.0 if right[0] * down[1] - right[1] * down[0] > 0 else -1.0
    right = _unit(a * apart[0] + way * d * apart[1], a * apart[1] - way * d * apart[0])
    return right, (-way * right[1], way * right[0])


def outline(card: Found, height: float) -> NDArray[np.float64]:
    """Return the four corners (4, 2) of a card of ``height`` plane units, from its upper left one on."""
    across, down = np.array(card.right) * height * CARD_WIDTH / CARD_HEIGHT / 2, np.array(card.down) * height / 2
    middle = np.array([card.x, card.y])
    return np.array([middle - across - down, middle + across - down, middle + across + down, middle - across + down])


def _unit(x: float, y: float) -> tuple[float, float]:
    length = math.hypot(x, y) or 1.0
    return x / length, y / length
