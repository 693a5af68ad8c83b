"""From the indices of a photograph to its cards, each once, without knowing how large a card is in it.

Everything is in pixels of the picture, y down. Packs print an index in two corners, upper left and lower right, or in
all four. Which of the two, and how tall a card is over its index, is measured on cards that lie free in the picture.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER
from vision.covered_ends import shows_between, sure_indices
from vision.grouping import (
    DEFAULT_ACROSS,
    DEFAULT_DOWN,
    DIRECTION,
    TURN_TOLERANCE_DEG,
    Corner,
    Found,
    pair_up,
    to_cards,
)
from vision.grouping import IndexReach as CardReach
from vision.index_reader import FACES, best_face, merge
from vision.slanted_cards import are_of_one_card

CARD_OVER_INDEX: Final = 5.0
"""Height of a card over that of its index if no card shows both corners: packs have 3 to 7."""
NEAR: Final = 0.16
"""Largest distance, in card heights, of an index from where the card's other index puts it."""
AGREE: Final = 3e-4
"""Least product of what two corners of one card give a face; below, they are two cards."""
SAME_FACE: Final = 0.01
"""And least share of that product in the product of what each gives its own likeliest face. On drawn fans of packs with
four indices it refuses 1764 of 1876 pairs of two cards read as two faces, and 16 of 1974 pairs of one card."""
JOKER_ENDS: Final = 0.6
"""Probability of a joker that both indices need to make one: they have no common form, and things that are no cards
look a little like them. Of 35 drawn or photographed ones that were read 2 were below, of 10 misreadings 8."""
ABSORBED: Final = 0.25
"""Largest distance, in card heights, of a slanted card's other two indices from where an upright card has them."""
PRESSED: Final = (0.33, 1.7)
"""``DIRECTION`` if no two corners fit it: photographs are pressed into other formats, or taken from aside."""
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
_JOKER: Final = FACES.index(JOKER)
_LEAST: Final = math.cos(math.radians(TURN_TOLERANCE_DEG))
SCALES: Final = (0.42, 2.4)
"""Indices smaller or larger than the picture's certain ones by these shares are rejected."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A card: what ``grouping.Found`` says (``corners`` count in the list given), and its height in pixels."""

    found: Found
    tall: float


@dataclass(frozen=True, slots=True)
class _Pack:
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
        """In index heights: no two corners of one card lie further apart (the limits of ``_relation``)."""
        near = NEAR * self.over
        return math.hypot(self.across + 1.2 * near, self.down + 1.6 * near)


def whole_cards(corners: list[Corner]) -> list[Whole]:
    """Every card once, in no particular order."""
    some = _of_one_size(corners)
    pairs, direction = pair_up(some, None, 0.0), DIRECTION
    if not pairs:
        pairs, direction = pair_up(some, None, 0.0, PRESSED), PRESSED
    pack = _pack(some, pairs, direction)
    groups = _groups(some, pack)
    place = {id(c): n for n, c in enumerate(corners)}
    out = []
    for group in groups:
        card = _card([some[k] for k in group], pack)
        if card is not None:
            names = tuple(place[id(some[k])] for k in group)
            out.append(Whole(replace(card.found, corners=names), card.tall))
    return out


def _of_one_size(corners: list[Corner]) -> list[Corner]:
    """Drop corners far smaller or larger than those read with certainty."""
    sure = [c.height for c in corners if c.heat > 0.5 and c.scores.max() > 0.9]
    if len(sure) < 2:
        return corners
    middle = float(np.median(sure))
    return [c for c in corners if SCALES[0] < c.height / middle < SCALES[1]]


def _pack(corners: list[Corner], pairs: list[tuple[int, int]], direction: tuple[float, float] = DIRECTION) -> _Pack:
    ways = []
    for i, j in pairs:
        across, down = _apart(corners[i], corners[j], -1)
        size = (corners[i].height + corners[j].height) / 2
        ways.append((across / size, down / size))
    if ways:
        across, down = (float(v) for v in np.median(_agreeing(np.array(ways)), axis=0))
    else:
        across, down = DEFAULT_ACROSS * CARD_OVER_INDEX, DEFAULT_DOWN * CARD_OVER_INDEX
    pack = _Pack(across, down, four=False, direction=direction, sure=tuple(sure_indices(corners)))
    beside = full = bare = 0
    for i, j in _neighbours(corners, pack):
        one, other = corners[i], corners[j]
        relation = _relation(one, other, pack) if one.face == other.face else None
        beside += relation in ("beside", "above")
        if relation == "diagonal":
            third = any(_is_third(c, one, other, pack) for c in corners)
            full, bare = full + third, bare + (not third)
    return replace(pack, four=beside >= FOUR and bare <= max(1, BARE * full))


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


def _neighbours(corners: list[Corner], pack: _Pack) -> list[tuple[int, int]]:
    """The pairs (lower number first, in order) that lie near enough for one card; the others are not looked at."""
    if len(corners) < 2:
        return []
    spots = np.array([(c.x, c.y) for c in corners])
    tall = np.array([c.height for c in corners])
    away = np.hypot(*(spots[:, None] - spots[None]).transpose(2, 0, 1))
    close = away <= pack.furthest * 1.001 * (tall[:, None] + tall[None]) / 2
    return [(i, j) for i, j in np.argwhere(np.triu(close, 1)).tolist()]


def _apart(one: Corner, other: Corner, sense: int) -> tuple[float, float]:
    """Return (across, down) from one corner to the other along their common axes; ``sense`` -1 if they point apart."""
    dx, dy = other.x - one.x, other.y - one.y
    across = _along(dx, dy, one.right[0] + sense * other.right[0], one.right[1] + sense * other.right[1])
    return across, _along(dx, dy, one.down[0] + sense * other.down[0], one.down[1] + sense * other.down[1])


def _along(dx: float, dy: float, x: float, y: float) -> float:
    """Return how far (dx, dy) reaches in the direction of (x, y)."""
    return (dx * x + dy * y) / (math.hypot(x, y) or 1.0)


def _alike(one: Corner, other: Corner) -> float:
    """Cosine between the ways two corners point."""
    return one.down[0] * other.down[0] + one.down[1] * other.down[1]


def _relation(one: Corner, other: Corner, pack: _Pack) -> str | None:
    """Return how two corners can belong to one card: diagonal, beside, above, or not at all."""
    along = _alike(one, other)
    if abs(along) < _LEAST or not 0.55 < one.height / other.height < 1.8:
        return None
    sense = 1 if along > 0 else -1
    across, down = _apart(one, other, sense)
    size = (one.height + other.height) / 2
    across, down = across / size, down / size
    near = NEAR * pack.over
    if sense > 0:
        beside = abs(abs(across) - pack.across) < near and abs(down) < 0.8 * near
        return "beside" if beside and not shows_between(one, other, pack.sure) else None
    if one.face == other.face and _apart_as(across, down, pack):
        return "diagonal"
    return _opposed(across, down, near, pack)


def _opposed(across: float, down: float, near: float, pack: _Pack) -> str | None:
    """Classify two corners upside down to each other (``across``, ``down`` in heights) by their place on a card."""
    if abs(down - pack.down) >= 1.6 * near:
        return None
    if across > 0 and abs(across - pack.across) < 1.2 * near and pack.direction[0] < across / down < pack.direction[1]:
        return "diagonal"
    if abs(across) < near:
        return "above"
    return "against" if abs(-across - pack.across) < near else None


def _apart_as(across: float, down: float, pack: _Pack) -> bool:
    """True if two corners this many index heights apart can be the two of one card of the pack (``ONE_FACE``)."""
    if across <= 0 or down <= 0:
        return False
    low, high, most = ONE_FACE
    far = math.hypot(across, down) / math.hypot(pack.across, pack.down)
    turned = math.degrees(math.atan2(across, down) - math.atan2(pack.across, pack.down))
    return low < far < high and abs(turned) < most


def _groups(corners: list[Corner], pack: _Pack) -> list[list[int]]:
    """The corners of each card: best agreeing first; no card has two corners at one place."""
    most = 4 if pack.four else 2
    group = {k: [k] for k in range(len(corners))}
    for _, _, i, j in sorted(_offers(corners, pack)):
        a, b = group[i], group[j]
        if a is b or len(a) + len(b) > most:
            continue
        if all(_relation(corners[p], corners[q], pack) for p in a for q in b):
            joined = a + b
            group.update(dict.fromkeys(joined, joined))
    seen: set[int] = set()
    out = []
    for k in range(len(corners)):
        if k not in seen:
            seen |= set(group[k])
            out.append(sorted(group[k], key=lambda n: -corners[n].heat * float(corners[n].scores.max())))
    return _absorbed(_united(out, corners, pack), corners, pack) if pack.four else out


def _offers(corners: list[Corner], pack: _Pack) -> Iterator[tuple[float, bool, int, int]]:
    """Pairs of corners that may be one card's: how far they agree (less is more), whether they are not diagonal."""
    for i, j in _neighbours(corners, pack):
        one, other = corners[i], corners[j]
        if not pack.four and _alike(one, other) > 0:
            continue
        relation = _relation(one, other, pack)
        if relation == "diagonal" or (relation is not None and pack.four):
            agree = _agreement(one, other)
            if agree >= (_least_agreement(one, other) if pack.four else AGREE):
                yield -agree, relation != "diagonal", i, j


def _agreement(one: Corner, other: Corner) -> float:
    """Product of what two corners give the face on which they agree most."""
    both = one.scores[:-1] * other.scores[:-1]
    jokers = min(one.scores[_JOKER], other.scores[_JOKER]) >= JOKER_ENDS
    return float(both.max() if jokers else both[:_JOKER].max())


def _least_agreement(one: Corner, other: Corner) -> float:
    """Return the agreement below which two corners of a four-index pack are of two cards: more if both read well."""
    return max(AGREE, SAME_FACE * float(one.scores.max()) * float(other.scores.max()))


def _united(groups: list[list[int]], corners: list[Corner], pack: _Pack) -> list[list[int]]:
    """The groups, two of one face in one where, seen aslant, they can be the corners of one card.

    Not jokers: two things that look like one, so loosely in their places, are no proof of each other.
    """
    out: list[list[int]] = []
    for group in sorted(groups, key=len, reverse=True):
        face = _face(corners, group)
        for other in out:
            fits = len(other) + len(group) <= 4 and face not in (None, JOKER) and _face(corners, other) == face
            if fits and _are_one(other, group, corners, pack):
                other.extend(group)
                other.sort(key=lambda n: -corners[n].heat * float(corners[n].scores.max()))
                break
        else:
            out.append(list(group))
    return out


def _are_one(one: list[int], other: list[int], corners: list[Corner], pack: _Pack) -> bool:
    """True if the corners of two groups can be of one card that is seen aslant."""
    pairs = [(corners[i], corners[j]) for i in one for j in other]
    if any(_alike(*pair) > 0 and shows_between(*pair, pack.sure) for pair in pairs):
        return False
    if all(_aslant(*pair, pack) for pair in pairs):
        return True
    return are_of_one_card([corners[k] for k in one + other], pack.across, pack.down)


def _face(corners: list[Corner], group: list[int]) -> str | None:
    """The face that the corners of a group show together."""
    scores = corners[group[0]].scores
    for k in group[1:]:
        scores = merge(scores, corners[k].scores)
    return best_face(scores)


def _aslant(one: Corner, other: Corner, pack: _Pack) -> bool:
    """True if two corners can be of one card of four indices that is seen aslant, and so drawn out and askew.

    Two that point one way lie beside each other, as far as its width; two that point apart have its height between.
    """
    along = _alike(one, other)
    if abs(along) < SQUINT[0] or not 0.45 < one.height / other.height < 2.2:
        return False
    sense = 1 if along > 0 else -1
    across, down = (abs(v) * 2 / (one.height + other.height) for v in _apart(one, other, sense))
    low, high = SQUINT[1:]
    if sense > 0:
        return low * pack.across < across < high * pack.across and down < 0.6 * across
    return low * pack.down < down < high * pack.down and across < high * pack.across


def _absorbed(groups: list[list[int]], corners: list[Corner], pack: _Pack) -> list[list[int]]:
    """The groups without lone corners that are the other two indices of a card whose diagonal is known.

    Seen aslant these point elsewhere than the first two, and are misread more often.
    """
    gone: set[int] = set()
    for group in groups:
        if len(group) < 2 or _relation(corners[group[0]], corners[group[1]], pack) != "diagonal":
            continue
        one, other = corners[group[0]], corners[group[1]]
        gone.update(g[0] for g in groups if len(g) == 1 and _is_third(corners[g[0]], one, other, pack))
    return [g for g in groups if len(g) > 1 or g[0] not in gone]


def _is_third(corner: Corner, one: Corner, other: Corner, pack: _Pack) -> bool:
    """True if a corner can be a third index of the card whose diagonal the two others are, by its place and face."""
    across, _ = _apart(one, other, -1)
    x, y = (across * (one.right[k] - other.right[k]) / 2 for k in (0, 1))
    reach = ABSORBED * pack.over * (one.height + other.height) / 2
    near = (
        math.hypot(corner.x - one.x - x, corner.y - one.y - y),
        math.hypot(corner.x - other.x + x, corner.y - other.y + y),
    )
    agree = float((corner.scores[:-1] * one.scores[:-1]).max())
    return min(near) < reach and agree >= _least_agreement(corner, one)


def _card(corners: list[Corner], pack: _Pack) -> Whole | None:
    """The card of these corners, the surest first; None if together they show no face."""
    scores = corners[0].scores
    for c in corners[1:]:
        scores = merge(scores, c.scores)
    face = best_face(scores)
    if face is None:
        return None
    size = float(np.mean([c.height for c in corners]))
    first = corners[0]
    left = min(corners, key=lambda c: _along(c.x, c.y, *first.right) if _alike(c, first) > 0 else math.inf)
    alone = to_cards([left], [], CardReach(pack.across * first.height, pack.down * first.height))[0]
    middle = np.array([alone.x, alone.y])
    spots = np.array([(c.x, c.y) for c in corners])
    for c in corners[1:]:
        if c.down[0] * first.down[0] + c.down[1] * first.down[1] < 0:
            relation = _relation(first, c, pack)
            if relation in ("diagonal", "against"):
                middle = (np.array([first.x, first.y]) + np.array([c.x, c.y])) / 2
    if len(corners) >= 3:
        middle = (spots.min(axis=0) + spots.max(axis=0)) / 2
    card = Found(float(middle[0]), float(middle[1]), first.right, first.down, face, float(scores.max()), scores)
    return Whole(card, pack.over * size)


def card_outline(card: Whole) -> NDArray[np.float64]:
    """The four corners (4, 2) of a card in pixels, from its upper left one on."""
    from vision.grouping import outline

    return outline(card.found, card.tall)
