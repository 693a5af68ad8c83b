"""Probability of each face of a card beside others: a pack has every suited face once.

The picture itself shows whether its cards are of one pack: among many cards of two packs some faces come twice. If it
is of one, a face that is read with more confidence at another place is hardly a candidate, and the rest gain: clubs or
spades is no question if the spade is elsewhere.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER
from vision.assemble import Whole
from vision.grouping import APART, Corner
from vision.index_reader import FACES, best_face

SUITED: Final = len([face for face in FACES if face != JOKER])
"""Number of suited faces, whose scores come first."""
SURE: Final = 0.9
"""Confidence of the cards that decide whether faces come twice."""
MISREAD: Final = 0.02
"""Share of such cards that are read wrongly, most of them as a face that a whole pack has elsewhere."""
SURELY_TWO: Final = 0.9
"""Cards that are so probably of two packs say next to nothing about each other."""
SECOND: Final = 0.5
"""Share of a face's cards still left, against others, when one of two packs' cards of it lies elsewhere."""
OTHER_END: Final = -0.5
"""Cosine between two corners' directions below which one may be the other's card's second index."""
LEAST: Final = 1e-9


def share_of_two_packs(scores: NDArray[np.float64]) -> float:
    """Return the probability that cards with these scores (n, 54) are of two packs, by how many faces come twice.

    >>> pack = np.full((26, 54), 1e-4)
    >>> pack[range(26), range(26)] = 0.99
    >>> [round(share_of_two_packs(cards), 1) for cards in (pack[:2], pack, pack[[*range(9), 1, 2, 3]])]
    [0.5, 0.1, 1.0]
    """
    best = scores[:, :SUITED].max(axis=1, initial=0.0)
    faces = scores[best >= SURE, :SUITED].argmax(axis=1)
    count = len(faces)
    twice = count - len(np.unique(faces))
    of_two = count * (count - 1) / 2 / (2 * SUITED - 1)
    of_one = MISREAD * count * count / SUITED
    # Poisson counts of cards whose face an earlier one has; before anything is seen one or two packs are as likely
    for_two = (twice * math.log(of_two / of_one) if twice else 0.0) - of_two + of_one
    return 1.0 / (1.0 + math.exp(-for_two))


def weighed(scores: NDArray[np.float64], apart: NDArray[np.bool_], two: float) -> dict[int, NDArray[np.float64]]:
    """Return new scores of the cards (n, 54) for which the others are evidence.

    Only more certain cards count, the most certain first; those that are certain and alone of their face stay as they
    are. ``apart`` (n, n): whether two are certainly two cards; ``two``: probability that they are of two packs.
    """
    settled = _sure_once(scores)
    rest = np.setdiff1d(np.arange(len(scores)), settled)
    # logarithm of the probability that no card settled so far has the face
    free = apart[np.ix_(rest, settled)] @ np.log(np.maximum(1.0 - scores[settled, :SUITED], LEAST))
    out: dict[int, NDArray[np.float64]] = {}
    while len(rest):
        again = scores[rest]
        left = np.exp(free)
        again[:, :SUITED] *= np.maximum(two * (SECOND + (1 - SECOND) * left) + (1 - two) * left, LEAST)
        again /= again.sum(axis=1, keepdims=True)
        best = int(again.max(axis=1).argmax())
        n, row = int(rest[best]), again[best]
        out[n] = row
        rest, free = np.delete(rest, best), np.delete(free, best, axis=0)
        free += np.outer(apart[rest, n], np.log(np.maximum(1.0 - row[:SUITED], LEAST)))
    return out


def _sure_once(scores: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the cards read with at least ``SURE`` whose face no other of them has."""
    sure = np.nonzero(scores[:, :SUITED].max(axis=1) >= SURE)[0]
    faces = scores[sure, :SUITED].argmax(axis=1)
    once = np.bincount(faces, minlength=SUITED) == 1
    return np.asarray(sure[once[faces]], np.intp)


def as_of_one_pack(cards: list[Whole], corners: list[Corner]) -> list[Whole]:
    """Return the cards with what they show weighed by what the others show, without those that then show no face."""
    if not cards:
        return []
    scores = np.array([c.found.scores for c in cards])
    two = share_of_two_packs(scores)
    if two > SURELY_TWO:
        return cards
    again = weighed(scores, _apart(cards, corners), two)
    told = []
    for n, card in enumerate(cards):
        row = again.get(n)
        face = card.found.face if row is None else best_face(row)
        if row is None:
            told.append(card)
        elif face is not None:
            told.append(replace(card, found=replace(card.found, face=face, confidence=float(row.max()), scores=row)))
    return told


def _apart(cards: list[Whole], corners: list[Corner]) -> NDArray[np.bool_]:
    """[n, k]: no corner of card n can be another index of card k, however askew it was seen."""
    owner = np.array([n for n, card in enumerate(cards) for _ in card.found.corners])
    ends = [corners[k] for card in cards for k in card.found.corners]
    spots, downs = np.array([(c.x, c.y) for c in ends]), np.array([c.down for c in ends])
    tall = np.array([c.height for c in ends])
    away = np.hypot(*(spots[:, None] - spots[None]).transpose(2, 0, 1)) * 2 / (tall[:, None] + tall[None])
    near = (downs @ downs.T < OTHER_END) & (away > APART[0]) & (away < APART[1])
    apart = np.ones((len(cards), len(cards)), np.bool_)
    first, second = np.nonzero(near)
    apart[owner[first], owner[second]] = False
    np.fill_diagonal(apart, val=False)
    return apart
