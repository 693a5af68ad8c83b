"""Readings that can all be right together: cards are flat, opaque and lie on the cloth.

An index that is read lies on top of every card whose face spreads under it. Two cards cannot each lie on top of the
other, an index does not show through the card that lies over it, and a card's face hides the cloth: readings that would
need any of that are misreadings of a pip, a figure or half an index, and the less certain of them is left out.
Everything is in table millimetres (x East, y North).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER
from hw.layout import CARD_HEIGHT, CARD_WIDTH
from vision.grouping import Corner, Found
from vision.surface import VIEW_MM, Mask, Surface

INSIDE_MM: Final = 4.0
"""An index lies on a card when its middle is at least so far inside the card's edges; places are known better."""
UNDER_SHARE: Final = 0.4
"""An index of which the card above hides more than this cannot have been read."""
CLOTH_SHARE: Final = 0.22
"""Share of a card's face that may look like cloth: printed colours and errors of the direction included."""
JOKER_TALL: Final = 1.5
"""A joker's star and letters reach this many index heights down; a second joker within is the same index."""
WEAK: Final = 0.3
"""Heat times confidence below which a reading gives way to another."""
_FACE: Final = np.stack(
    np.meshgrid(np.linspace(-0.44, 0.44, 9) * CARD_WIDTH, np.linspace(-0.45, 0.45, 12) * CARD_HEIGHT), axis=-1
).reshape(-1, 2)
"""Points of a face, across and down from its middle."""


def plausible(cards: list[Found], corners: list[Corner], surface: Surface, bare: Mask) -> list[Found]:
    """``cards`` without those that cannot lie there, in the same order.

    ``corners`` are those the cards' ``corners`` count in; ``bare`` is a view's mask of the visible cloth.
    """
    shares = cloth_shares(cards, surface, bare)
    held = [c for c, share in zip(cards, shares, strict=True) if share <= CLOTH_SHARE]
    return without_contradictions(held, corners)


def cloth_share(card: Found, surface: Surface, bare: Mask) -> float:
    """Share of a card's face where bare cloth shows."""
    return cloth_shares([card], surface, bare)[0]


def cloth_shares(cards: list[Found], surface: Surface, bare: Mask) -> list[float]:
    """For each card the share of its face where bare cloth shows."""
    if not cards:
        return []
    middles = np.array([(c.x, c.y) for c in cards])
    axes = np.array([(c.right, c.down) for c in cards])
    spots = middles[:, None] + _FACE @ axes
    half = surface.layout.side / 2
    columns = np.clip(((spots[..., 0] + half) / VIEW_MM).astype(int), 0, surface.size - 1)
    rows = np.clip(((half - spots[..., 1]) / VIEW_MM).astype(int), 0, surface.size - 1)
    return [float(v) for v in bare[rows, columns].mean(axis=1)]


def without_contradictions(cards: list[Found], corners: list[Corner]) -> list[Found]:
    """Return the cards without those that contradict a surer one."""
    if not cards:
        return []
    over = _lies_over(cards, corners)
    against = _against(cards, corners, over)
    kept: list[int] = []
    for n in sorted(range(len(cards)), key=lambda n: _weakness(cards[n], corners)):
        if not against[n, kept].any():
            kept.append(n)
    return [cards[n] for n in sorted(kept)]


def _against(cards: list[Found], corners: list[Corner], over: Mask) -> Mask:
    """[n, k]: of two cards one lies over the other, and as they were read they cannot do so together."""
    against = over & over.T
    above, below = np.nonzero(over & ~against)
    owner = np.array([n for n, c in enumerate(cards) for _ in c.corners])
    ends = np.array([(c.x, c.y, *c.down, c.height) for c in (corners[k] for card in cards for k in card.corners)])
    # every index of each card below, with the card above
    pair, index = np.nonzero(below[:, None] == owner[None])
    hidden = _covered(ends[index], [cards[n] for n in above[pair]]) > UNDER_SHARE
    against[above[pair[hidden]], below[pair[hidden]]] = True
    return np.asarray(against | against.T, np.bool_)


def _lies_over(cards: list[Found], corners: list[Corner]) -> Mask:
    """[n, k]: an index of card n is read inside the face of card k, so that n lies on top of k."""
    middles = np.array([(c.x, c.y) for c in cards])
    right, down = np.array([c.right for c in cards]), np.array([c.down for c in cards])
    owner = np.array([n for n, c in enumerate(cards) for _ in c.corners])
    spots = np.array([(corners[k].x, corners[k].y) for c in cards for k in c.corners])
    away = spots[:, None] - middles[None]
    across, along = np.abs((away * right).sum(axis=2)), np.abs((away * down).sum(axis=2))
    inside = np.minimum(CARD_WIDTH / 2 - across, CARD_HEIGHT / 2 - along) >= INSIDE_MM
    over = np.zeros((len(cards), len(cards)), np.bool_)
    np.logical_or.at(over, owner, inside)
    np.fill_diagonal(over, val=False)
    return over


def one_index_each(corners: list[Corner]) -> list[Corner]:
    """Return the corners without second readings of one joker's index, which is taller than the others'.

    The upper one stays, for a joker's index is taken to be where the other faces have rank and suit. Those of an
    enrolled pack are known by their looks: two of them are two cards.
    """
    jokers = [c for c in corners if c.face == JOKER and not c.known]
    sure = [c for c in corners if c.face == JOKER and c.known]
    return [c for c in corners if c not in jokers or not any(_second(c, o) for o in [*jokers, *sure])]


def _second(one: Corner, other: Corner) -> bool:
    return _same_joker(one, other) and (other.known or _better(other, one))


def _better(one: Corner, other: Corner) -> bool:
    """Return which of two readings of one joker is the index: the upper one, unless it is weak and the other is not."""
    strong = [c.heat * float(c.scores.max()) >= WEAK for c in (one, other)]
    if strong[0] != strong[1]:
        return strong[0]
    return (one.x - other.x) * other.down[0] + (one.y - other.y) * other.down[1] < 0


def _same_joker(one: Corner, other: Corner) -> bool:
    if one is other or one.down[0] * other.down[0] + one.down[1] * other.down[1] < 0.9:
        return False
    dx, dy = one.x - other.x, one.y - other.y
    tall = max(one.height, other.height)
    down = abs(dx * other.down[0] + dy * other.down[1])
    across = abs(dx * other.right[0] + dy * other.right[1])
    return down < JOKER_TALL * tall and across < 0.3 * tall


def _weakness(card: Found, corners: list[Corner]) -> tuple[float, ...]:
    """Return a sort key, the surest cards first: two corners before one, then heat and confidence, last the place."""
    heat = max(corners[k].heat for k in card.corners)
    return -len(card.corners), -card.confidence * heat, card.x, card.y


def _covered(indices: NDArray[np.float64], above: list[Found]) -> NDArray[np.float64]:
    """Share of each index (x, y, down x, down y, height) that the card lying above it hides, along its middle line."""
    if not above:
        return np.zeros(0)
    x, y, down_x, down_y, height = indices.T
    steps = np.arange(-5, 6) / 10 * height[:, None]
    middle = np.array([(c.x, c.y) for c in above])
    away_x = x[:, None] + steps * down_x[:, None] - middle[:, :1]
    away_y = y[:, None] + steps * down_y[:, None] - middle[:, 1:]
    right, down = np.array([c.right for c in above]), np.array([c.down for c in above])
    across = np.abs(away_x * right[:, :1] + away_y * right[:, 1:])
    along = np.abs(away_x * down[:, :1] + away_y * down[:, 1:])
    return np.asarray(((across < CARD_WIDTH / 2) & (along < CARD_HEIGHT / 2)).mean(axis=1), np.float64)
