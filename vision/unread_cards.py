"""Unreadable cards of a row: something is marked there as an index, and its face is not known.

A card that is left out is worse than one reported as unknown: its row looks as if it had a hole. Yet a pip or a figure
is marked now and then as an index too, so a marking counts only if a row has room for one more card: between two of its
cards, turned as they are. Everything is in table millimetres.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from hw.layout import CARD_HEIGHT
from vision.card_geometry import doubtful
from vision.finder import SURE
from vision.grouping import Corner, Found, IndexReach, to_cards
from vision.index_reader import NOTHING, Scores

UNREAD: Final = 0.25
"""Confidence with which such a card is reported; below that of any card that is read."""
ROOM_MM: Final = (30.0, 60.0)
"""From the card before to the card after: room for one more, and still so near that they overlap."""
WIDER: Final = 1.6
"""Distance from which a row has such room, in distances between the row's other cards."""
MIDDLE_MM: Final = 5.0
"""A card lies so near to the middle between its neighbours of the row."""
ASIDE_MM: Final = 8.0
"""And so near to the line between their middles."""
TURN: Final = float(np.cos(np.deg2rad(15.0)))


def unread(cards: list[Found], corners: list[Corner], reach: IndexReach) -> list[Found]:
    """Return possible cards in the rows of ``cards`` that are missing among them, with their likeliest face.

    ``corners`` are those that the cards' ``corners`` count in; those of which nothing was read with certainty are
    included.
    """
    used = {k for card in cards for k in card.corners}
    free = [k for k, c in enumerate(corners) if k not in used and c.heat >= SURE]
    lone = to_cards([_named(corners[k]) for k in free], [], reach)
    offered = [replace(c, corners=(free[c.corners[0]],)) for c in lone]
    weak = [c for c in offered if corners[c.corners[0]].face is None or doubtful(c, corners)]
    return [replace(c, confidence=min(c.confidence, UNREAD)) for c in weak if _has_room(c, cards)]


def _named(corner: Corner) -> Corner:
    """Return a corner with the face it looks most like, were it a card's."""
    scores: Scores = corner.scores.copy()
    scores[NOTHING] = 0.0
    return replace(corner, scores=scores)


def _has_room(card: Found, cards: list[Found]) -> bool:
    """Return True if a card can lie there, in a row of ``cards`` between two that are each other's neighbours now."""
    along = [c for c in cards if abs(c.down[0] * card.down[0] + c.down[1] * card.down[1]) > TURN]
    along = [c for c in along if abs(c.x - card.x) < CARD_HEIGHT and abs(c.y - card.y) < CARD_HEIGHT]
    if len(along) < 2:
        return False
    away = np.array([(c.x - card.x, c.y - card.y) for c in along])
    # the row runs along the cards or across them
    for axis in (np.array(card.down), np.array(card.right)):
        lengths = away @ axis
        asides = np.abs(away - lengths[:, None] * axis).max(axis=1)
        row = lengths[asides <= ASIDE_MM]
        before, after = -row[row <= 0].max(initial=-np.inf), row[row > 0].min(initial=np.inf)
        steps = np.diff(np.sort(row))
        room = before + after
        if not ROOM_MM[0] <= room <= ROOM_MM[1] or abs(before - after) / 2 > MIDDLE_MM:
            continue
        others = np.delete(steps, int((row <= 0).sum()) - 1)
        if not len(others) or room >= WIDER * float(np.median(others)):
            return True
    return False
