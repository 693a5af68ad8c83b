"""From the indices of a photograph to its cards, each once, without knowing how large a card is in it.

Everything is in pixels of the picture, y down. Packs print an index in two corners, upper left and lower right, or in
all four. Which of the two, and how tall a card is over its index, is measured on cards that lie free in the picture
(``vision.printed_pack``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER
from vision.covered_ends import shows_between
from vision.grouping import DIRECTION, Corner, Found, pair_up, to_cards
from vision.grouping import IndexReach as CardReach
from vision.index_reader import FACES, NOTHING, Scores, best_face, merge
from vision.printed_pack import (
    AGREE,
    PrintedPack,
    alike,
    along_way,
    are_aslant,
    is_third,
    least_agreement,
    neighbours,
    out_of_place,
    printed_pack,
    relation_of,
)
from vision.slanted_cards import are_of_one_card

JOKER_ENDS: Final = 0.6
"""Probability of a joker that both indices need to make one: they have no common form, and things that are no cards
look a little like them. Of 35 drawn or photographed ones that were read 2 were below, of 10 misreadings 8."""
PRESSED: Final = (0.33, 1.7)
"""``DIRECTION`` if no two corners fit it: photographs are pressed into other formats, or taken from aside."""
_JOKER: Final = FACES.index(JOKER)
SCALES: Final = (0.42, 2.4)
"""Indices smaller or larger than the picture's certain ones by these shares are rejected."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A card: what ``grouping.Found`` says (``corners`` count in the list given), and its height in pixels."""

    found: Found
    tall: float


def whole_cards(corners: list[Corner]) -> list[Whole]:
    """Every card once, in no particular order."""
    some, pack = _measured(corners)
    place = {id(c): n for n, c in enumerate(corners)}
    out = []
    for group in _groups(some, pack):
        card = _card([some[k] for k in group], pack)
        if card is not None:
            names = tuple(place[id(some[k])] for k in group)
            out.append(Whole(replace(card.found, corners=names), card.tall))
    return out


def cards_of_four(corners: list[Corner]) -> list[tuple[str, list[Corner]]]:
    """Face and corners of each card as ``whole_cards`` gives them; empty if the pack shows two indices, not four."""
    some, pack = _measured(corners)
    if not pack.four:
        return []
    groups = [[some[k] for k in group] for group in _groups(some, pack)]
    return [(face, group) for group in groups if (face := _face(group)) is not None]


def _measured(corners: list[Corner]) -> tuple[list[Corner], PrintedPack]:
    """Return the corners that can be indices of cards, and the pack as they show it."""
    some = _of_one_size(corners)
    pairs, direction = pair_up(some, None, 0.0), DIRECTION
    if not pairs:
        pairs, direction = pair_up(some, None, 0.0, PRESSED), PRESSED
    return some, printed_pack(some, pairs, direction)


def _of_one_size(corners: list[Corner]) -> list[Corner]:
    """Drop corners far smaller or larger than those read with certainty."""
    sure = [c.height for c in corners if c.heat > 0.5 and c.surest > 0.9]
    if len(sure) < 2:
        return corners
    middle = float(np.median(sure))
    return [c for c in corners if SCALES[0] < c.height / middle < SCALES[1]]


def _groups(corners: list[Corner], pack: PrintedPack) -> list[list[int]]:
    """Return the corners of each card: best agreeing first; no card has two corners at one place."""
    most = 4 if pack.four else 2
    group = {k: [k] for k in range(len(corners))}
    for *_, i, j in sorted(_offers(corners, pack)):
        a, b = group[i], group[j]
        if a is b or len(a) + len(b) > most:
            continue
        if all(relation_of(corners[p], corners[q], pack) for p in a for q in b):
            joined = a + b
            group.update(dict.fromkeys(joined, joined))
    seen: set[int] = set()
    out = []
    for k in range(len(corners)):
        if k not in seen:
            seen |= set(group[k])
            out.append(sorted(group[k], key=lambda n: -corners[n].heat * corners[n].surest))
    return _absorbed(_united(out, corners, pack), corners, pack) if pack.four else out


def _offers(corners: list[Corner], pack: PrintedPack) -> Iterator[tuple[float, float, int, int]]:
    """Pairs of corners that may be one card's: how far they agree (less is more), how far they are out of place.

    Of pairs that agree about equally the one counts that is in its place: equal cards can lie beside each other.
    """
    for i, j in neighbours(corners, pack):
        one, other = corners[i], corners[j]
        if not pack.four and alike(one, other) > 0:
            continue
        relation = relation_of(one, other, pack)
        if relation == "diagonal" or (relation is not None and pack.four):
            agree = _agreement(one, other)
            if agree >= (least_agreement(one, other) if pack.four else AGREE):
                yield -round(agree, 1), out_of_place(one, other, relation, pack), i, j


def _agreement(one: Corner, other: Corner) -> float:
    """Product of what two corners give the face on which they agree most."""
    jokers = min(one.scores[_JOKER], other.scores[_JOKER]) >= JOKER_ENDS
    most = NOTHING if jokers else _JOKER
    return float((one.scores[:most] * other.scores[:most]).max())


def _united(groups: list[list[int]], corners: list[Corner], pack: PrintedPack) -> list[list[int]]:
    """Return the groups, two of one face in one if, seen aslant, they can be the corners of one card.

    Not jokers: two things that look like one, so loosely in their places, are no proof of each other.
    """
    out: list[list[int]] = []
    for group in sorted(groups, key=len, reverse=True):
        face = _face([corners[k] for k in group])
        for other in out:
            fits = len(other) + len(group) <= 4 and face not in (None, JOKER)
            if fits and _face([corners[k] for k in other]) == face and _are_one(other, group, corners, pack):
                other.extend(group)
                other.sort(key=lambda n: -corners[n].heat * corners[n].surest)
                break
        else:
            out.append(list(group))
    return out


def _are_one(one: list[int], other: list[int], corners: list[Corner], pack: PrintedPack) -> bool:
    """Return True if the corners of two groups can be of one card that is seen aslant."""
    pairs = [(corners[i], corners[j]) for i in one for j in other]
    if any(alike(*pair) > 0 and shows_between(*pair, pack.sure) for pair in pairs):
        return False
    if all(are_aslant(*pair, pack) for pair in pairs):
        return True
    return are_of_one_card([corners[k] for k in one + other], pack.across, pack.down)


def _face(corners: list[Corner]) -> str | None:
    """Return the face that the corners of one card show together."""
    return best_face(_together(corners))


def _together(corners: list[Corner]) -> Scores:
    """Return the scores of the corners of one card, the surest first, as of as many looks at it."""
    scores = corners[0].scores
    for corner in corners[1:]:
        scores = merge(scores, corner.scores)
    return scores


def _absorbed(groups: list[list[int]], corners: list[Corner], pack: PrintedPack) -> list[list[int]]:
    """Return the groups without lone corners that are the other two indices of a card whose diagonal is known.

    Seen aslant these point elsewhere than the first two, and are misread more often.
    """
    gone: set[int] = set()
    for group in groups:
        if len(group) < 2 or relation_of(corners[group[0]], corners[group[1]], pack) != "diagonal":
            continue
        one, other = corners[group[0]], corners[group[1]]
        gone.update(g[0] for g in groups if len(g) == 1 and is_third(corners[g[0]], one, other, pack))
    return [g for g in groups if len(g) > 1 or g[0] not in gone]


def _card(corners: list[Corner], pack: PrintedPack) -> Whole | None:
    """Return the card of these corners, the surest first; None if together they show no face."""
    scores = _together(corners)
    face = best_face(scores)
    if face is None:
        return None
    size = float(np.mean([c.height for c in corners]))
    first = corners[0]
    left = min(corners, key=lambda c: along_way(c.x, c.y, *first.right) if alike(c, first) > 0 else math.inf)
    alone = to_cards([left], [], CardReach(pack.across * first.height, pack.down * first.height))[0]
    middle = np.array([alone.x, alone.y])
    spots = np.array([(c.x, c.y) for c in corners])
    for c in corners[1:]:
        if c.down[0] * first.down[0] + c.down[1] * first.down[1] < 0:
            relation = relation_of(first, c, pack)
            if relation in ("diagonal", "against"):
                middle = (np.array([first.x, first.y]) + np.array([c.x, c.y])) / 2
    if len(corners) >= 3:
        middle = (spots.min(axis=0) + spots.max(axis=0)) / 2
    card = Found(float(middle[0]), float(middle[1]), first.right, first.down, face, float(scores.max()), scores)
    return Whole(card, pack.over * size)


def card_outline(card: Whole) -> NDArray[np.float64]:
    """Return the four corners (4, 2) of a card in pixels, from its upper left one on."""
    from vision.grouping import outline

    return outline(card.found, card.tall)
