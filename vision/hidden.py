"""Share of an index hidden by the cards laid over it, from the places of the cards: the reader's view is no proof.

Everything is in table millimetres.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from hw.layout import CARD_HEIGHT, CARD_WIDTH
from vision.grouping import Corner, Found, IndexReach, is_second_end

Floats = NDArray[np.float64]

INSIDE_MM: Final = 1.0
"""An index read so far inside another card's edges lies on that card; the middle of one is 5 mm from its own edges."""
_LINE: Final = np.linspace(-0.5, 0.5, 31)
"""Points of an index, from its upper to its lower end, in index heights from its middle. Not its area: the place of a
card's long edge is known to some millimetres only, and in a pile that would hide indices that show whole."""
_AREA: Final = np.stack(np.meshgrid(_LINE, (-0.2, 0.0, 0.2)), axis=-1).reshape(-1, 2)
"""Points of an index down and across likewise: rank and suit are two fifths as wide as tall."""


def hidden_shares(cards: list[Found], others: list[Found], corners: list[Corner], reach: IndexReach) -> Floats:
    """Return for each card the share of its one read index that one of ``others`` hides; 0 for cards with two.

    ``others`` may hold ``cards`` themselves, and cards that were not accepted: something is there. ``corners`` are
    those that all of them count in, ``reach`` is that by which they were joined.
    """
    shares = np.zeros(len(cards))
    lone = np.array([n for n, c in enumerate(cards) if len(c.corners) == 1], np.int64)
    if not len(lone):
        return shares
    spots = np.array([(c.x, c.y) for c in corners])
    height = float(np.median([c.height for c in corners]))
    middles, axes = _frames([cards[n] for n in lone], reach)
    own = np.array([cards[n].corners[0] for n in lone])
    above, above_axes = _frames(others, reach)
    read = np.array([(o.corners[0], o.corners[-1]) for o in others])
    below, over = np.nonzero(np.hypot(*(middles[:, None] - above[None]).transpose(2, 0, 1)) < CARD_HEIGHT)
    deep = _depth(spots[read[over]], middles[below], axes[below]).max(axis=1)
    lies_over = (deep >= INSIDE_MM) & (own[below] != read[over, 0])
    below, over = below[lies_over], over[lies_over]
    index = spots[own[below]][:, None] + _LINE[:, None] * height * axes[below][:, None, 1]
    hidden = _depth(index, above[over], above_axes[over]) > 0
    # an index's own middle was read: what seems to hide more than half of it does not
    np.maximum.at(shares, lone[below], np.where(hidden[:, len(_LINE) // 2], 0.0, hidden.mean(axis=1)))
    return shares


def without_misread_ends(cards: list[Found], corners: list[Corner], reach: IndexReach, tolerance: float) -> list[Found]:
    """Return ``cards`` without those whose only index is the second one of a more certain card that lies free.

    If another card covers a part of that index it is misread, and seems to be of a card of its own; but no card
    shows its index just there, the other way up, over one that shows its own and lies upon nothing. ``tolerance`` is
    that by which corners are joined.
    """
    lone = [c for c in cards if len(c.corners) == 1]
    spots = np.array([(corners[c.corners[0]].x, corners[c.corners[0]].y) for c in lone]).reshape(-1, 2)
    far = np.hypot(*(spots[:, None] - spots[None]).transpose(2, 0, 1))
    gone: set[int] = set()
    for n, k in np.argwhere(np.abs(far - np.hypot(reach.across, reach.down)) <= tolerance).tolist():
        one, other = corners[lone[n].corners[0]], corners[lone[k].corners[0]]
        if one.face != other.face and _sure(one) > _sure(other) and is_second_end(other, one, reach, tolerance):
            third = [c for c in cards if c is not lone[n] and c is not lone[k]]
            if not _touched(one, third, reach) and _touched(other, third, reach):
                gone.add(id(lone[k]))
    return [c for c in cards if id(c) not in gone]


def _sure(corner: Corner) -> float:
    return corner.heat * float(corner.scores.max())


def _touched(corner: Corner, cards: list[Found], reach: IndexReach) -> bool:
    """Return True if any part of an index lies within the edges of one of ``cards``, over or under it."""
    if not cards:
        return False
    middles, axes = _frames(cards, reach)
    index = np.array([corner.x, corner.y]) + corner.height * (_AREA @ np.array([corner.down, corner.right]))
    return bool((_depth(np.broadcast_to(index, (len(cards), *index.shape)), middles, axes) > 0).any())


def _frames(cards: list[Found], reach: IndexReach) -> tuple[Floats, Floats]:
    """Middles (n, 2) and axes (n, 2, 2: right and down) of cards with what their indices seem to lean taken out.

    The way from one index to the other is known well, which way an index points is not: most packs have their indices
    in the same places (``IndexReach.of_card``).
    """
    usual = IndexReach.of_card(CARD_HEIGHT)
    lean = np.arctan2(usual.down, usual.across) - np.arctan2(reach.down, reach.across)
    right, down = np.array([c.right for c in cards]), np.array([c.down for c in cards])
    turned = (right * np.cos(lean) - down * np.sin(lean), right * np.sin(lean) + down * np.cos(lean))
    return np.array([(c.x, c.y) for c in cards]), np.stack(turned, axis=1)


def _depth(points: Floats, middles: Floats, axes: Floats) -> Floats:
    """Return how far inside the edges of each card (n) its points (n, k, 2) lie, below 0 outside: (n, k)."""
    away = np.abs((points - middles[:, None]) @ axes.transpose(0, 2, 1))
    return np.asarray(np.minimum(CARD_WIDTH / 2 - away[..., 0], CARD_HEIGHT / 2 - away[..., 1]), np.float64)
