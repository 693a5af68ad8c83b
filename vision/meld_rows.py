"""Meld of a card and its place in it, kept steady from frame to frame (contract, ``sight``).

Rows run from the keeper's edge to the centre. A row keeps its number while it lies, however it grows, while an arm
hides it and while some of its cards are missed; a number is not used again within a deal.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from hw.seats import Seat

ASIDE_MM: Final = 14.0
"""Cards of one row lie within this of their neighbour across the row."""
ALONG_MM: Final = 72.0
"""Cards of one row lie within this of their neighbour along it; cards in the way may have been missed."""
FORGET_LOOKS: Final = 3
"""Looks at an empty place after which its row is gone; what is laid there later is another."""


@dataclass(frozen=True, slots=True)
class MeldCard:
    """A card of a meld zone: face, centre in table millimetres."""

    face: str
    x: float
    y: float


@dataclass
class _TrackedRow:
    zone: str
    aside: float
    along: tuple[float, float]
    faces: Counter[str] = field(default_factory=Counter)
    unseen: int = 0


def along_and_aside(keeper: Seat, x: float, y: float) -> tuple[float, float]:
    """(distance from the keeper's edge inwards, position across) of a table point; only differences matter."""
    match keeper:
        case Seat.NORTH:
            return -y, x
        case Seat.SOUTH:
            return y, x
        case Seat.EAST:
            return -x, y
        case Seat.WEST:
            return x, y


class RowBook:
    """The rows of one deal."""

    def __init__(self) -> None:
        self._rows: dict[int, _TrackedRow] = {}
        self._next = 0

    def new_deal(self) -> None:
        """Forget all rows; numbers begin again."""
        self._rows.clear()
        self._next = 0

    def place(self, zone: str, keeper: Seat, cards: list[MeldCard], *, hidden: bool) -> list[tuple[int, int]]:
        """(row, order) for each of ``cards``, all that are known to lie in ``zone`` now, in the order given."""
        spots = [along_and_aside(keeper, c.x, c.y) for c in cards]
        groups = _groups(spots)
        named = self._name(zone, [(g, _span(g, spots), Counter(cards[k].face for k in g)) for g in groups])
        answer: list[tuple[int, int]] = [(0, 0)] * len(cards)
        for number, group in named:
            for order, k in enumerate(sorted(group, key=lambda k: (spots[k], cards[k].face))):
                answer[k] = (number, order)
        seen = {number for number, _ in named}
        for number, row in list(self._rows.items()):
            if row.zone == zone and number not in seen and not hidden:
                row.unseen += 1
                if row.unseen >= FORGET_LOOKS:
                    del self._rows[number]
        return answer

    def _name(
        self, zone: str, groups: list[tuple[list[int], tuple[float, float, float], Counter[str]]]
    ) -> list[tuple[int, list[int]]]:
        """Return the number of each group: that of the row it continues, best matches first, or a new one."""
        offers = []
        for n, (_, span, faces) in enumerate(groups):
            for number, row in self._rows.items():
                if row.zone == zone:
                    score = _likeness(row, span, faces)
                    if score > 0:
                        offers.append((-score, number, n))
        taken: dict[int, int] = {}
        for _, number, n in sorted(offers):
            if n not in taken and number not in taken.values():
                taken[n] = number
        # new rows are numbered across the zone in a fixed order
        for n in sorted((n for n in range(len(groups)) if n not in taken), key=lambda n: groups[n][1]):
            taken[n] = self._next
            self._next += 1
        named = []
        for n, (group, (aside, first, last), faces) in enumerate(groups):
            self._rows[taken[n]] = _TrackedRow(zone, aside, (first, last), faces)
            named.append((taken[n], group))
        return named


def _groups(spots: list[tuple[float, float]]) -> list[list[int]]:
    """Return the indices of ``spots`` (along, aside) that lie in one row, by chains of neighbours."""
    places = np.array(spots).reshape(-1, 2)
    apart = np.abs(places[:, None] - places[None])
    near = (apart[..., 1] <= ASIDE_MM) & (apart[..., 0] <= ALONG_MM)
    left = np.ones(len(spots), np.bool_)
    groups = []
    for first in range(len(spots)):
        if not left[first]:
            continue
        left[first] = False
        group = [first]
        for k in group:
            more = np.flatnonzero(near[k] & left)
            left[more] = False
            group += more.tolist()
        groups.append(group)
    return groups


def _span(group: list[int], spots: list[tuple[float, float]]) -> tuple[float, float, float]:
    """(position across, nearest, furthest along) of a group."""
    along = [spots[k][0] for k in group]
    return sum(spots[k][1] for k in group) / len(group), min(along), max(along)


def _likeness(row: _TrackedRow, span: tuple[float, float, float], faces: Counter[str]) -> float:
    """Return how well a group continues a row; 0 if it does not."""
    aside, first, last = span
    beside = abs(aside - row.aside) <= ASIDE_MM
    touching = first <= row.along[1] + ALONG_MM and row.along[0] <= last + ALONG_MM
    if beside and touching:
        common = (row.faces & faces).total()
        return 2.0 + common if common or row.unseen == 0 else 0.0
    smaller = min(row.faces.total(), faces.total())
    common = (row.faces & faces).total() if smaller >= 3 and not row.faces.keys().isdisjoint(faces) else 0
    return common / smaller if smaller >= 3 and common >= 0.75 * smaller else 0.0
