"""Jokers in the rows of a photograph where a card is known to lie and was not read: a closer look at that place.

Packs print their jokers each in its own way, and often no index of it is marked, or one that is doubted. Where a row
has a place for a card, its index lies beside those of its neighbours, as tall and turned as theirs are; the reader is
asked there many times, a little off each time. Of 556 suited cards of drawn pictures that were asked so none was said
to be a joker with more than 0.48, nor with more than 0.025 in the mean.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER, UNKNOWN
from vision.finder import Spot
from vision.index_reader import FACES, IndexReader
from vision.laid_groups import LaidGroup, SeenCard, index_places
from vision.pictures import Image

IS_JOKER: Final = (0.9, 0.2)
"""Probability of a joker that the surest look gives at least, and all looks in the mean."""
TALL: Final = (0.14, 0.17, 0.2, 0.23, 0.26)
"""Heights of an index, in heights of a card, of which that counts which reads the neighbours best."""
OFF: Final = ((-0.2, 0.0, 0.2), (-0.3, -0.15, 0.0, 0.15, 0.3), (0.9, 1.05))
"""So far off the supposed place, across and down in index heights, and so many times as tall are the looks."""
NEAR: Final = 0.35
"""Distance, in card heights, of a joker that was read from which a look may see another one."""
ASKED: Final = 6
"""Neighbours that are read to know how tall an index is, at most."""


def with_jokers(groups: Sequence[LaidGroup], picture: Image, reader: IndexReader) -> list[LaidGroup]:
    """Return the groups of a BGR uint8 picture with the unread cards that a closer look shows to be jokers.

    One that lies at another joker's index stays unread: both looks may be of one card. Raises ModelError if the
    networks of a second reading are missing.
    """
    jokers = [place for group in groups for card in group.cards if card.face == JOKER for place in _indices(card)]
    out = []
    for group in groups:
        sure = _looked_at(group, picture, reader) if UNKNOWN in group.faces else {}
        places = index_places(group.cards) if sure else np.zeros((0, 2))
        cards = list(group.cards)
        for n, confidence in sure.items():
            near = NEAR * cards[n].height
            others = [*jokers, *(places[k] for k in sure if k != n)]
            if all(math.dist(_place(cards[n], places[n]), other) > near for other in others):
                cards[n] = replace(cards[n], face=JOKER, confidence=confidence, likely=None)
        out.append(replace(group, cards=tuple(cards)))
    return out


def _indices(card: SeenCard) -> list[NDArray[np.float64]]:
    return [*card.indices, card.spot]


def _place(card: SeenCard, supposed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the place of an unread card's index: where one was marked, else where the row lets suppose it."""
    return card.index if card.likely is not None and card.index is not None else supposed


def _looked_at(group: LaidGroup, picture: Image, reader: IndexReader) -> dict[int, float]:
    """Return the unread places of a group at which the looks say a joker, with the probability of the surest look."""
    known = [n for n, card in enumerate(group.cards) if card.face not in (UNKNOWN, JOKER)]
    if not known:
        return {}
    places = index_places(group.cards)
    tall = _tall([(group.cards[n], places[n]) for n in known[:ASKED]], picture, reader)
    found = {}
    for n, card in enumerate(group.cards):
        if card.face != UNKNOWN:
            continue
        looks = reader.read(picture, _looks(card, _place(card, places[n]), tall))
        scores = np.array([look.scores[FACES.index(JOKER)] for look in reader.read_again(picture, looks)])
        if scores.max() >= IS_JOKER[0] and scores.mean() >= IS_JOKER[1]:
            found[n] = round(float(scores.max()), 4)
    return found


def _tall(known: Sequence[tuple[SeenCard, NDArray[np.float64]]], picture: Image, reader: IndexReader) -> float:
    """Return how tall an index is, in heights of a card: as that reads ``known`` cards at their places best."""

    def fit(tall: float) -> float:
        readings = reader.read(picture, [_spot(card, place, tall) for card, place in known])
        return sum(
            math.log(reading.scores[FACES.index(card.face)]) for reading, (card, _) in zip(readings, known, strict=True)
        )

    return max(TALL, key=fit)


def _looks(card: SeenCard, place: NDArray[np.float64], tall: float) -> list[Spot]:
    down = card.down / card.height
    right, high = np.array([down[1], -down[0]]), tall * card.height
    return [
        _spot(card, place + high * (x * right + y * down), tall * times)
        for x in OFF[0]
        for y in OFF[1]
        for times in OFF[2]
    ]


def _spot(card: SeenCard, place: NDArray[np.float64], tall: float) -> Spot:
    x, y = -card.down / card.height
    return Spot(float(place[0]), float(place[1]), (float(x), float(y)), tall * card.height, 1.0)
