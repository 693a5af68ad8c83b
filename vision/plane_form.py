"""Distortion of the table's plane in a photograph in which one card looks like two.

Cards that have an index in all four corners show up to four of one face. Which of them belong to one card is decided by
their places relative to each other (``vision.assemble``). That fails if the picture was taken from far aside, pressed
into another format, or both: all cards are then stretched along one direction, and their edges meet at no right angle.
If a face is found twice, the picture's indices are looked at as if it had been stretched less, in every direction; the
form counts in which most of them belong together. Two cards of one face stay two in it, as each has its own corners.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER
from vision.assemble import Whole, cards_of_four, whole_cards
from vision.grouping import Corner
from vision.printed_pack import alike, apart

STRETCHES: Final = (1.2, 1.4, 1.65, 2.0)
"""Factors by which the picture may be shortened along one direction: a card seen from 60 degrees aside is half."""
DIRECTIONS: Final = tuple(math.radians(d) for d in (0, 90, 15, 165, 75, 105, 30, 150, 60, 120, 45, 135))
"""Angles of that direction, anticlockwise from the picture's x; those along which frames are pressed come first."""
CORNERS: Final = 3
"""Corners that one card must show, or the pack has an index in two corners only: nothing separates cards then."""
ACROSS: Final = 0.25
"""Share of the way down that the way across is of a card's diagonal, at least."""
MOST: Final = 60
"""Most indices for which forms are tried: more take longer than reading; fifteen cards with four each have 60."""
BESIDE: Final = (8.0, math.cos(math.radians(60.0)))
"""The two indices at one end of a card are no farther apart, in index heights, and turned no more, however aslant."""


@dataclass(frozen=True, slots=True)
class PlaneForm:
    """A picture's pixels drawn out by the matrix (2, 2) about its upper left corner; x right, y down."""

    matrix: NDArray[np.float64]

    @classmethod
    def drawn_out(cls, stretch: float, direction: float) -> PlaneForm:
        """``stretch`` times as long along ``direction`` (radians from x) and as it was across."""
        c, s = math.cos(direction), math.sin(direction)
        turn = np.array([[c, -s], [s, c]])
        return cls(np.asarray(turn @ np.diag([stretch, 1.0]) @ turn.T, np.float64))

    def corner(self, corner: Corner) -> Corner:
        """Return the corner as it would be in the picture drawn out."""
        (a, b), (c, d) = self.matrix.tolist()
        x, y = corner.x + 0.5, corner.y + 0.5
        right, low = a * corner.down[0] + b * corner.down[1], c * corner.down[0] + d * corner.down[1]
        length = math.hypot(right, low)
        right, low = right / length, low / length
        x, y, height = a * x + b * y - 0.5, c * x + d * y - 0.5, corner.height * length
        # pictures' y points down: the card's right hand is its down vector turned anticlockwise as seen
        return replace(corner, x=x, y=y, right=(low, -right), down=(right, low), height=height)

    def back(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where points (n, 2) of the picture drawn out, pixels' centres at .5, lie in the picture itself."""
        return np.asarray(points @ np.linalg.inv(self.matrix).T, np.float64)


AS_IT_IS: Final = PlaneForm(np.eye(2))
FORMS: Final = tuple(PlaneForm.drawn_out(s, d) for s in STRETCHES for d in DIRECTIONS)


def form_of_plane(corners: list[Corner]) -> PlaneForm:
    """Return the form in which most corners find their cards; ``AS_IT_IS`` if no face comes twice, or none is better.

    Of equally good forms the one counts that is stretched least.
    """
    told = whole_cards(corners) if len(corners) <= MOST else []
    if not _is_one_told_twice(told, corners):
        return AS_IT_IS
    faces = {card.found.face for card in told}
    best, most = AS_IT_IS, _joined([(card.found.face, [corners[k] for k in card.found.corners]) for card in told])
    bound = _joined_at_most(corners)
    for form in FORMS:
        if most >= bound:
            break
        cards = cards_of_four([form.corner(c) for c in corners])
        joined = _joined(cards)
        if joined > most and _shows_four(cards) and faces <= {face for face, _ in cards}:
            best, most = form, joined
    return best


def _shows_four(cards: list[tuple[str, list[Corner]]]) -> bool:
    """Return True if more cards show a third index than two across alone, as those of a pack with two indices do.

    Two cards of one face beside each other look in some form like one with three.
    """
    full = sum(len(shown) >= CORNERS for _, shown in cards)
    return full > sum(len(shown) == 2 and _are_across(*shown) for _, shown in cards)


def _are_across(one: Corner, other: Corner) -> bool:
    """Return True if two indices are the ends of a card's diagonal, and not of one of its sides."""
    aside, along = (abs(v) for v in apart(one, other, -1))
    return alike(one, other) < 0 and aside > ACROSS * along


def _joined(cards: list[tuple[str, list[Corner]]]) -> int:
    """Count the corners that show the face of a card which a surer one has shown already."""
    shown = (sum(corner.face == face for corner in corners) for face, corners in cards)
    return sum(max(0, count - 1) for count in shown)


def _joined_at_most(corners: list[Corner]) -> int:
    """Return what ``_joined`` counts at most: corners of one face belong to as few cards as four indices each allow."""
    faces = Counter(corner.face for corner in corners if corner.face is not None)
    return sum(count - math.ceil(count / 4) for count in faces.values())


def _is_one_told_twice(cards: list[Whole], corners: list[Corner]) -> bool:
    """Return True if two cards of one face, no joker, can be one: they show three indices, two of them at one end."""
    same: dict[str, list[Whole]] = {}
    for card in cards:
        if card.found.face != JOKER:
            same.setdefault(card.found.face, []).append(card)
    for group in same.values():
        for pair in combinations(group, 2):
            shown = [corners[k] for card in pair for k in card.found.corners]
            if len(shown) >= CORNERS and any(_are_at_one_end(*ends) for ends in combinations(shown, 2)):
                return True
    return False


def _are_at_one_end(one: Corner, other: Corner) -> bool:
    far = math.hypot(one.x - other.x, one.y - other.y) * 2 / (one.height + other.height)
    return far < BESIDE[0] and one.down[0] * other.down[0] + one.down[1] * other.down[1] > BESIDE[1]
