"""Places of a pack's indices, as one photograph shows them: how far apart, and in two corners or in all four.

Everything is in pixels of the picture, y down; distances between the indices of one card are in index heights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.covered_ends import shows_between, sure_indices
from vision.grouping import DEFAULT_ACROSS, DEFAULT_DOWN, DIRECTION, TURN_TOLERANCE_DEG, Corner

CARD_OVER_INDEX: Final = 5.0
"""Height of a card over that of its index if no card shows both corners: packs have 3 to 7."""
NEAR: Final = 0.16
"""Largest distance, in card heights, of an index from where the card's other index puts it."""
AGREE: Final = 3e-4
"""Least product of what two corners of one card give a face; below, they are two cards."""
SAME_FACE: Final = 0.01
"""And least share of that product in the product of what each gives its own likeliest face. On drawn fans of packs with
four indices it refuses 1764 of 1876 pairs of two cards read as two faces, and 16 of 1974 pairs of one card."""
ABSORBED: Final = 0.25
"""Largest distance, in card heights, of a slanted card's other two indices from where an upright card has them."""
SQUINT: Final = (math.cos(math.radians(35.0)), 0.6, 1.7)
"""Corners of one card that is seen aslant point along one line so nearly, and lie so far apart over the pack's own."""
ONE_FACE: Final = (0.72, 1.38, 20.0)
"""Least and greatest share of the pack's own distance, and degrees off, for corners of one face that point apart.

Places of indices are known better than their heights and directions, most of all in jumbo print."""
SAME_PRINT: Final = 1.6
"""Ways from index to index of one pack, in index heights, differ by less than this factor, seen aslant too."""
FOUR: Final = 2
"""Pairs of one face beside or above each other from which the pack has an index in all four corners."""
BARE: Final = 2
"""And at most so many cards of one diagonal alone for each that shows a third index, or one by itself. Of looks at
photographs all 263 of packs with four indices pass (922 cards show a third, 30 do not); of 220 others no card does."""
_LEAST: Final = math.cos(math.radians(TURN_TOLERANCE_DEG))


@dataclass(frozen=True, slots=True)
class PrintedPack:
    """Pack measured in the picture: distances between indices in index heights, and the corners used."""

    across: float
    down: float
    four: bool
    direction: tuple[float, float] = DIRECTION
    """Between the two indices of a diagonal, the way across over the way down."""
    sure: tuple[Corner, ...] = ()
    """Indices that certainly are some card's: none of them lies between the two at one end of another card."""

    @property
    def over(self) -> float:
        """A card's height over its index's."""
        return self.down / DEFAULT_DOWN

    @property
    def furthest(self) -> float:
        """In index heights: no two corners of one card lie further apart (the limits of ``relation_of``)."""
        near = NEAR * self.over
        return math.hypot(self.across + 1.2 * near, self.down + 1.6 * near)


def printed_pack(
    corners: list[Corner], pairs: list[tuple[int, int]], direction: tuple[float, float] = DIRECTION
) -> PrintedPack:
    """Measure the pack of ``corners``, of which ``pairs`` are the two ends of one card each."""
    ways = []
    for i, j in pairs:
        across, down = apart(corners[i], corners[j], -1)
        size = (corners[i].height + corners[j].height) / 2
        ways.append((across / size, down / size))
    if ways:
        across, down = (float(v) for v in np.median(_agreeing(np.array(ways)), axis=0))
    else:
        across, down = DEFAULT_ACROSS * CARD_OVER_INDEX, DEFAULT_DOWN * CARD_OVER_INDEX
    pack = PrintedPack(across, down, four=False, direction=direction, sure=tuple(sure_indices(corners)))
    return replace(pack, four=_has_four(corners, pack, pairs))


def _has_four(corners: list[Corner], pack: PrintedPack, pairs: list[tuple[int, int]]) -> bool:
    """Return True if the pack prints an index in all four corners: cards of two equal melds can lie as if it did.

    An index of ``pairs``, each the two ends of one card, is that card's, and no third one of its neighbour.
    """
    beside, diagonals = _pairs_of_one_face(corners, pack)
    if len(beside) < FOUR:
        return False
    ends = {k for pair in pairs for k in pair}
    free = [corner for k, corner in enumerate(corners) if k not in ends]
    full = sum(any(_third(c, corners, pair, pack) for c in free) for pair in diagonals)
    if len(diagonals) - full > max(1, BARE * full):
        return False
    paired = {id(corners[k]) for pair in beside for k in pair}
    left = [corner for corner in pack.sure if id(corner) not in paired]
    return sum(_shows_no_other(c, corners, pack) for c in left) <= len(beside)


def _pairs_of_one_face(corners: list[Corner], pack: PrintedPack) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the pairs of one face that lie beside or above each other, and those that lie as on a card's diagonal."""
    beside, diagonals = [], []
    for i, j in neighbours(corners, pack):
        relation = relation_of(corners[i], corners[j], pack) if corners[i].face == corners[j].face else None
        if relation in ("beside", "above"):
            beside.append((i, j))
        elif relation == "diagonal":
            diagonals.append((i, j))
    return beside, diagonals


def _third(corner: Corner, corners: list[Corner], pair: tuple[int, int], pack: PrintedPack) -> bool:
    return is_third(corner, corners[pair[0]], corners[pair[1]], pack)


def _shows_no_other(corner: Corner, corners: list[Corner], pack: PrintedPack) -> bool:
    """Return True if no index lies beside ``corner``, left or right, and no card that was read covers the place."""
    for way in (-1.0, 1.0):
        far = way * pack.across * corner.height
        place = replace(corner, x=corner.x + far * corner.right[0], y=corner.y + far * corner.right[1])
        reach = ABSORBED * pack.over * corner.height
        if any(math.hypot(c.x - place.x, c.y - place.y) < reach and alike(c, corner) > 0 for c in corners):
            return False
        if shows_between(corner, place, pack.sure):
            return False
    return True


def _agreeing(ways: NDArray[np.float64]) -> NDArray[np.float64]:
    """Select the ways (across, down) from index to index that share the commonest length.

    Two cards of one face can lie as if they were one. If two lengths are equally common, the one nearer to what packs
    usually have is taken.
    """
    far = np.log(np.hypot(ways[:, 0], ways[:, 1]))
    same = np.abs(far[:, None] - far[None]) < math.log(SAME_PRINT)
    usual = math.log(CARD_OVER_INDEX * math.hypot(DEFAULT_ACROSS, DEFAULT_DOWN))
    best = max(range(len(ways)), key=lambda n: (int(same[n].sum()), -abs(float(far[n]) - usual)))
    return np.asarray(ways[same[best]], np.float64)


def neighbours(corners: list[Corner], pack: PrintedPack) -> list[tuple[int, int]]:
    """Return the pairs (lower number first, in order) near enough for one card; the others are not looked at."""
    if len(corners) < 2:
        return []
    spots = np.array([(c.x, c.y) for c in corners])
    tall = np.array([c.height for c in corners])
    away = np.hypot(*(spots[:, None] - spots[None]).transpose(2, 0, 1))
    close = away <= pack.furthest * 1.001 * (tall[:, None] + tall[None]) / 2
    return [(i, j) for i, j in np.argwhere(np.triu(close, 1)).tolist()]


def apart(one: Corner, other: Corner, sense: int) -> tuple[float, float]:
    """Return (across, down) from one corner to the other along their common axes; ``sense`` -1 if they point apart."""
    dx, dy = other.x - one.x, other.y - one.y
    across = along_way(dx, dy, one.right[0] + sense * other.right[0], one.right[1] + sense * other.right[1])
    return across, along_way(dx, dy, one.down[0] + sense * other.down[0], one.down[1] + sense * other.down[1])


def along_way(dx: float, dy: float, x: float, y: float) -> float:
    """Return how far (dx, dy) reaches in the direction of (x, y)."""
    return (dx * x + dy * y) / (math.hypot(x, y) or 1.0)


def alike(one: Corner, other: Corner) -> float:
    """Cosine between the ways two corners point."""
    return one.down[0] * other.down[0] + one.down[1] * other.down[1]


def relation_of(one: Corner, other: Corner, pack: PrintedPack) -> str | None:
    """Return how two corners can belong to one card: diagonal, beside, above, or not at all."""
    along = alike(one, other)
    if abs(along) < _LEAST or not 0.55 < one.height / other.height < 1.8:
        return None
    sense = 1 if along > 0 else -1
    across, down = apart(one, other, sense)
    size = (one.height + other.height) / 2
    across, down = across / size, down / size
    near = NEAR * pack.over
    if sense > 0:
        beside = abs(abs(across) - pack.across) < near and abs(down) < 0.8 * near
        return "beside" if beside and not shows_between(one, other, pack.sure) else None
    if one.face == other.face and _apart_as(across, down, pack):
        return "diagonal"
    return _opposed(across, down, near, pack)


def _opposed(across: float, down: float, near: float, pack: PrintedPack) -> str | None:
    """Classify two corners upside down to each other (``across``, ``down`` in heights) by their place on a card."""
    if abs(down - pack.down) >= 1.6 * near:
        return None
    if across > 0 and abs(across - pack.across) < 1.2 * near and pack.direction[0] < across / down < pack.direction[1]:
        return "diagonal"
    if abs(across) < near:
        return "above"
    return "against" if abs(-across - pack.across) < near else None


def _apart_as(across: float, down: float, pack: PrintedPack) -> bool:
    """Return True if corners this many index heights apart can be the two of one card of the pack (``ONE_FACE``)."""
    if across <= 0 or down <= 0:
        return False
    low, high, most = ONE_FACE
    far = math.hypot(across, down) / math.hypot(pack.across, pack.down)
    turned = math.degrees(math.atan2(across, down) - math.atan2(pack.across, pack.down))
    return low < far < high and abs(turned) < most


def out_of_place(one: Corner, other: Corner, relation: str, pack: PrintedPack) -> float:
    """Return how far, in index heights, two corners are from the places that their relation has on a card."""
    across, down = apart(one, other, 1 if relation == "beside" else -1)
    size = (one.height + other.height) / 2
    wide = {"diagonal": pack.across, "against": -pack.across, "above": 0.0}.get(relation)
    aside = abs(across) / size - pack.across if wide is None else across / size - wide
    return math.hypot(aside, down / size - (0.0 if wide is None else pack.down))


def are_aslant(one: Corner, other: Corner, pack: PrintedPack) -> bool:
    """Return True if two corners can be of one card of four indices that is seen aslant, and so drawn out and askew.

    Two that point one way lie beside each other, as far as its width; two that point apart have its height between.
    """
    along = alike(one, other)
    if abs(along) < SQUINT[0] or not 0.45 < one.height / other.height < 2.2:
        return False
    sense = 1 if along > 0 else -1
    across, down = (abs(v) * 2 / (one.height + other.height) for v in apart(one, other, sense))
    low, high = SQUINT[1:]
    if sense > 0:
        return low * pack.across < across < high * pack.across and down < 0.6 * across
    return low * pack.down < down < high * pack.down and across < high * pack.across


def is_third(corner: Corner, one: Corner, other: Corner, pack: PrintedPack) -> bool:
    """Return True if a corner can be a third index of the card with the two others as diagonal, by place and face."""
    across, _ = apart(one, other, -1)
    x, y = (across * (one.right[k] - other.right[k]) / 2 for k in (0, 1))
    reach = ABSORBED * pack.over * (one.height + other.height) / 2
    near = (
        math.hypot(corner.x - one.x - x, corner.y - one.y - y),
        math.hypot(corner.x - other.x + x, corner.y - other.y + y),
    )
    agree = float((corner.scores[:-1] * one.scores[:-1]).max())
    return min(near) < reach and agree >= least_agreement(corner, one)


def least_agreement(one: Corner, other: Corner) -> float:
    """Return the agreement below which two corners of a four-index pack are of two cards: more if both read well."""
    return max(AGREE, SAME_FACE * one.surest * other.surest)
