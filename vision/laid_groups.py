"""Cards of one photograph grouped as they lie, without a calibrated table: overlapping columns, rows, fans, piles.

A group is what overlaps. Between two cards that lie much farther apart than the others of their group a card was
missed; paper beside a group that no read card explains is a card that was not read (``vision.unread_paper``).
Everything is in pixels of the picture, y down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cards import UNKNOWN
from hw.layout import CARD_HEIGHT, CARD_WIDTH
from vision.card_forms import as_measured
from vision.meeting_groups import ALONG_DEG, fanned, goes_on, overlap, turned
from vision.read_twice import AT_INDEX, INDEX_IN, may_be_one_card

Ring = NDArray[np.float64]

OVERLAP: Final = 0.12
"""Share of a card that its neighbour covers, or is covered by, in a group; of neighbours in two groups less."""
CROSSED: Final = 0.30
"""The same if one lies across the other, as on a burraco that is laid aside."""
GAP: Final = 1.62
"""A step this much longer than the usual one of its group has room for a card that was not read."""
USUAL: Final = 40
"""Share in a hundred of its steps that are no longer than a group's usual one: half of all may hide a card."""
AT_RIM: Final = 0.04
"""Distance, in card heights, of an outline outside the picture from which its card is cut off."""
NEAR_INDEX: Final = 0.8
"""Index heights within which an unread place is the index of a card that was read."""
IN_LINE: Final = (0.95, 0.75, 0.1)
"""Cosine between an unread place and the index in whose line it is, share of its height, and of a card's height by
which it may be off that line."""
READ_THERE: Final = 0.2
"""Distance, in card heights, within which an index is the one that an outline lets suppose."""
UNREAD_CONFIDENCE: Final = 0.45
"""Confidence from which a place that may be a card counts as one, if neighbours of a group are beside it."""


@dataclass(frozen=True, slots=True)
class SeenCard:
    """One card of a picture: its face (``??`` unread), outline (4, 2) from its upper left corner, clockwise.

    ``likely``: of an unread card the face that is likeliest. ``confidence``: of the face. ``at``: its place in the
    list of cards that it was made of; None for one that is only known by the room it takes.
    """

    face: str
    outline: Ring = field(compare=False)
    confidence: float = 1.0
    likely: str | None = None
    at: int | None = None
    ends: int = 1
    """By how many of its indices it was read."""
    index: NDArray[np.float64] | None = field(default=None, compare=False)
    """Place of the index by which it was read first; None: where cards usually have it."""
    indices: Ring = field(default_factory=lambda: np.zeros((0, 2)), compare=False)
    """Places (n, 2) of all its indices that were read."""
    is_proven: bool = False
    """Whether paper shows where no other card lies: it is there, and no second reading of another's index."""

    @property
    def centre(self) -> NDArray[np.float64]:
        """The middle of the outline."""
        a, b, c, d = self.outline
        return np.asarray((a + b + c + d) / 4)

    @property
    def spot(self) -> NDArray[np.float64]:
        """Place of the index by which it was read."""
        corner = self.outline[0]
        return corner + INDEX_IN * (self.centre - corner) if self.index is None else self.index

    @property
    def down(self) -> NDArray[np.float64]:
        """Vector from the upper edge to the lower one."""
        ring = self.outline
        return np.asarray((ring[2] + ring[3] - ring[0] - ring[1]) / 2)

    @property
    def height(self) -> float:
        """Length of ``down``."""
        return math.hypot(*self.down.tolist())


@dataclass(frozen=True, slots=True)
class LaidGroup:
    """Cards that lie as one group, in order along it; those that were missed are ``??`` in their places.

    ``doubts``: why the number of its cards is uncertain: ``rim`` (a card of it reaches out of the picture), ``paper``
    (a card beside it was not read), ``spacing`` (three cards, of which two are twice as far apart as the others),
    ``twice`` (two that were read may be one card).
    """

    cards: tuple[SeenCard, ...]
    doubts: tuple[str, ...] = ()
    beside: tuple[int, ...] = ()
    """Groups of the picture that continue where this one ends, near enough that both may be one."""

    @property
    def faces(self) -> tuple[str, ...]:
        """The faces in order."""
        return tuple(card.face for card in self.cards)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The smallest upright rectangle that holds it (x0, y0, x1, y1)."""
        points = np.concatenate([card.outline for card in self.cards])
        (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
        return float(x0), float(y0), float(x1), float(y1)


def seen_cards(cards: Sequence[dict[str, Any]], unread: Sequence[dict[str, Any]] = ()) -> list[SeenCard]:
    """Return the cards that ``vision.see.look_at`` lists, with those unread places that are in a group of them."""
    read = as_measured([_seen(n, card) for n, card in enumerate(cards)])
    indices = [(np.array(c["corner"]), index_height(one)) for c, one in zip(cards, read, strict=True)]
    for place in unread:
        spot = np.array(place["corner"], np.float64)
        one = SeenCard(UNKNOWN, np.array(place["outline"], np.float64), 0.0, likely=place["card"], index=spot)
        if place["confidence"] < UNREAD_CONFIDENCE or _is_read(one, spot, read, indices):
            continue
        if any(_in_line(one, other) for other in read if other.likely is None):
            read.append(one)
    return read


def _seen(place: int, listed: dict[str, Any]) -> SeenCard:
    outline, spot = np.array(listed["outline"], np.float64), np.array(listed["corner"], np.float64)
    indices = np.array(listed.get("indices", []), np.float64).reshape(-1, 2)
    sure = float(listed["confidence"])
    return SeenCard(listed["card"], outline, sure, at=place, ends=listed["corners"], index=spot, indices=indices)


def _in_line(one: SeenCard, other: SeenCard) -> bool:
    """Return True if an unread place is as large and turned as the index of a card, and is below it or beside it.

    Pips and figures, which look like indices, seldom do all of this.
    """
    alike = float(one.down @ other.down) / (one.height * other.height)
    if alike < IN_LINE[0] or not IN_LINE[1] < one.height / other.height < 1 / IN_LINE[1]:
        return False
    down, apart = other.down / other.height, one.outline[0] - other.outline[0]
    along, aside = abs(float(apart @ down)), abs(float(apart @ np.array([down[1], -down[0]])))
    near = IN_LINE[2] * other.height
    return min(along, aside) < near and overlap(one, other) >= OVERLAP


def index_height(card: SeenCard) -> float:
    """About the height of a card's index, which is what the reader's places are known by."""
    return card.height / 5.0


def _is_read(
    one: SeenCard,
    corner: NDArray[np.float64],
    read: Sequence[SeenCard],
    indices: Sequence[tuple[NDArray[np.float64], float]],
) -> bool:
    """Return True if an unread place is an index, or is on the face, of a card that was read and lies on top there."""
    if any(float(np.hypot(*(corner - spot))) < NEAR_INDEX * tall for spot, tall in indices):
        return True
    for card in read:
        same = float(np.hypot(*(card.centre - one.centre))) < 0.12 * card.height
        if same or (card.likely is None and _ends_at(card, corner)):
            return True
    return False


def _ends_at(card: SeenCard, corner: NDArray[np.float64]) -> bool:
    """Return True if ``corner`` is near one of the four corners of a card that was read, or in its middle."""
    inwards = card.outline + INDEX_IN * (card.centre - card.outline)
    away = np.hypot(*(inwards - corner).T)
    middle = float(np.hypot(*(card.centre - corner)))
    return bool(away.min() < AT_INDEX * card.height or middle < 0.22 * card.height)


def _joined(one: SeenCard, other: SeenCard) -> bool:
    """Return True if two cards overlap as those of one group do."""
    shared = overlap(one, other)
    if shared >= CROSSED:
        return True
    return shared >= OVERLAP and turned(one, other) < ALONG_DEG


def laid_groups(cards: Sequence[SeenCard], size: tuple[int, int]) -> list[LaidGroup]:
    """Return the groups of a picture of ``size`` (width, height), from the top left, missed cards in their places."""
    groups = [_group([cards[k] for k in chain], size, cards) for chain in chains(cards)]
    groups = sorted(groups, key=lambda group: (round(group.box[1] / max(size) * 6), group.box[0]))
    groups = [
        replace(group, doubts=(*group.doubts, "spacing"))
        if "spacing" not in group.doubts and any(fanned(group, other) for other in groups if other is not group)
        else group
        for group in groups
    ]
    return [
        replace(
            group, beside=tuple(k for k, other in enumerate(groups) if other is not group and goes_on(group, other))
        )
        for group in groups
    ]


def chains(cards: Sequence[SeenCard]) -> list[list[int]]:
    """Return the places in ``cards`` of each group of neighbours that overlap."""
    left = set(range(len(cards)))
    chains = []
    while left:
        chain = [left.pop()]
        for k in chain:
            more = [n for n in left if _joined(cards[k], cards[n])]
            left.difference_update(more)
            chain += more
        chains.append(chain)
    return chains


def _group(cards: list[SeenCard], size: tuple[int, int], every: Sequence[SeenCard]) -> LaidGroup:
    """One group in order, of ``every`` card, with those that were missed and why its number of cards is uncertain."""
    ordered = _in_order(cards)
    doubts = ["rim"] if any(_reaches_out(card, size) for card in ordered) else []
    filled, loose = _filled(ordered)
    if loose:
        doubts.append("spacing")
    if any(may_be_one_card(one, other, every) for one in ordered for other in every if one is not other):
        doubts.append("twice")
    return LaidGroup(tuple(filled), tuple(doubts))


def _in_order(cards: list[SeenCard]) -> list[SeenCard]:
    """Order the cards along their group: from the top as they are read, or from the left if they lie that way."""
    if len(cards) < 2:
        return cards
    centres = np.array([card.centre for card in cards])
    away = centres - centres.mean(axis=0)
    axis = np.linalg.svd(away, full_matrices=False)[2][0]
    downs = np.array([card.down / card.height for card in cards])
    down = _most(downs)
    right = np.array([down[1], -down[0]])
    lead = down if abs(float(axis @ down)) > abs(float(axis @ right)) else right
    if float(axis @ lead) < 0:
        axis = -axis
    if _is_fan(downs):
        return _around(cards, centres, lead)
    places = away @ axis
    return [cards[k] for k in np.argsort(places, kind="stable")]


def _most(downs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the direction with which the most others agree: a card that lies free may be listed by its lower index."""
    agree = (downs @ downs.T).clip(0).sum(axis=1)
    return np.asarray(downs[int(agree.argmax())])


def facing(group: LaidGroup) -> float:
    """Commonest direction of the upper edges of a group's cards, degrees from the picture's top, clockwise."""
    read = [card.down / card.height for card in group.cards if card.at is not None]
    up = -_most(np.array(read)) if read else np.array([0.0, -1.0])
    return float(np.degrees(np.arctan2(up[0], -up[1])))


def _is_fan(downs: NDArray[np.float64]) -> bool:
    """Return True if the cards point apart as those of a fan do."""
    turns = np.degrees(np.arctan2(downs[:, 1], downs[:, 0]))
    spread = (turns - turns[0] + 90.0) % 180.0 - 90.0
    return float(np.ptp(spread)) > ALONG_DEG


def _around(cards: list[SeenCard], centres: NDArray[np.float64], lead: NDArray[np.float64]) -> list[SeenCard]:
    """Return the cards of a fan by chains of nearest neighbours from one end."""
    apart = np.hypot(*(centres[:, None] - centres[None]).transpose(2, 0, 1))
    first = int(np.unravel_index(int(apart.argmax()), apart.shape)[0])
    ends = (first, int(apart[first].argmax()))
    first = min(ends, key=lambda k: float(centres[k] @ lead))
    order, left = [first], set(range(len(cards))) - {first}
    while left:
        order.append(min(left, key=lambda k: float(apart[order[-1], k])))
        left.remove(order[-1])
    return [cards[k] for k in order]


def _reaches_out(card: SeenCard, size: tuple[int, int]) -> bool:
    """Return True if a card reaches out of the picture."""
    beyond = AT_RIM * card.height
    low, high = card.outline.min(axis=0), card.outline.max(axis=0)
    return bool((low < -beyond).any() or (high > np.array(size) + beyond).any())


def _filled(cards: list[SeenCard]) -> tuple[list[SeenCard], bool]:
    """Return the cards with ``??`` where a step has room for more; whether three cards leave a missed one open."""
    if len(cards) < 3:
        return cards, False
    steps = np.hypot(*np.diff(index_places(cards), axis=0).T)
    usual = float(np.percentile(steps, USUAL, method="lower"))
    if usual < 0.04 * cards[0].height:  # squared up: nothing can be said
        return cards, False
    filled: list[SeenCard] = [cards[0]]
    for before, after, step in zip(cards, cards[1:], steps, strict=False):
        room = step / usual
        for n in range(round(room) - 1 if room > GAP else 0):
            share = (n + 1) / round(room)
            filled.append(SeenCard(UNKNOWN, before.outline * (1 - share) + after.outline * share, 0.0))
        filled.append(after)
    loose = len(steps) == 2 and len(filled) > len(cards)
    return (cards if loose else filled), loose


def index_places(cards: Sequence[SeenCard]) -> NDArray[np.float64]:
    """Return the places (n, 2) of the indices at one side of a group: they are known better than the cards' middles."""
    places, ways, way = [], [], 1.0
    for n, card in enumerate(cards):
        if n and float(card.down @ cards[n - 1].down) < 0:
            way = -way
        corner = card.outline[0]
        sides = np.column_stack([card.outline[1] - corner, card.outline[3] - corner])
        if abs(float(np.linalg.det(sides))) < 1e-6:
            places.append(np.zeros(2))
        else:
            places.append(sides @ -np.abs(np.linalg.solve(sides, card.spot - card.centre)))
        ways.append(way)
    usual = 1.0 if sum(ways) >= 0 else -1.0
    supposed = [card.centre + usual * way * off for card, way, off in zip(cards, ways, places, strict=True)]
    return np.array([_read_there(card, place) for card, place in zip(cards, supposed, strict=True)])


def _read_there(card: SeenCard, place: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the index of ``card`` read about ``place``; the place itself if none: an outline is less exact."""
    if not len(card.indices):
        return place
    away = np.hypot(*(card.indices - place).T)
    return card.indices[int(away.argmin())] if float(away.min()) < READ_THERE * card.height else place


def with_paper(groups: Sequence[LaidGroup], patches: Sequence[Ring]) -> list[LaidGroup]:
    """Return the groups, those doubted beside which paper lies (``patches``: outlines, (n, 2)) of no read card."""
    out = []
    for group in groups:
        near = any(_touches(group, patch) for patch in patches)
        out.append(replace(group, doubts=(*group.doubts, "paper")) if near else group)
    return out


def _touches(group: LaidGroup, patch: Ring) -> bool:
    """Return True if an unexplained piece of paper lies at a card of the group, within a tenth of a card."""
    for card in group.cards:
        ring = np.ascontiguousarray(card.outline, np.float32).reshape(-1, 1, 2)
        reach = 0.1 * card.height
        low, high = card.outline.min(axis=0) - reach, card.outline.max(axis=0) + reach
        near = patch[((patch >= low) & (patch <= high)).all(axis=1)]
        if any(cv2.pointPolygonTest(ring, (float(x), float(y)), measureDist=True) >= -reach for x, y in near):
            return True
    return False


def card_area(cards: Sequence[SeenCard]) -> float:
    """Return the usual area of a card of the picture, in square pixels."""
    tall = float(np.median([card.height for card in cards]))
    return tall * tall * CARD_WIDTH / CARD_HEIGHT
