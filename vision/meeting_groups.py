"""Cards and groups of one photograph that meet: how far they overlap, and where two groups may be one.

Everything is in pixels of the picture, y down.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from hw.layout import CARD_HEIGHT, CARD_WIDTH

if TYPE_CHECKING:
    from vision.laid_groups import LaidGroup, SeenCard

END_TO_END: Final = 0.3
"""Distance, in card heights, between groups end to end below which both may be one with an unread card between."""
FANNED_DEG: Final = (12.0, 75.0)
"""Cards of two groups point so far apart where both are parts of one fan: columns lie alike, a crossed card across;"""
IN_A_FAN_DEG: Final = 4.0
"""if one of the groups is a fan by itself, its cards as far apart as ``FANNED_DEG``, so far do;"""
MEETING: Final = 0.02
"""and share of a card that they have in common."""
CLEARLY: Final = 2.0
"""Times as far as the other way that a group must reach to lie along its cards, or across them."""
ALONG_DEG: Final = 32.0
"""Cards of one group point along one line, within this from neighbour to neighbour."""


def turned(one: SeenCard, other: SeenCard) -> float:
    """Degrees between the lines along which two cards point, 0 to 90."""
    a, b = (math.degrees(math.atan2(card.down[1], card.down[0])) for card in (one, other))
    apart = abs(a - b) % 180.0
    return min(apart, 180.0 - apart)


def overlap(one: SeenCard, other: SeenCard) -> float:
    """Area that two outlines share, as a share of the smaller one."""
    if float(np.hypot(*(one.centre - other.centre))) > one.height + other.height:
        return 0.0
    rings = [np.ascontiguousarray(card.outline, np.float32) for card in (one, other)]
    shared, _ = cv2.intersectConvexConvex(rings[0], rings[1])
    least = min(abs(float(cv2.contourArea(ring))) for ring in rings)
    return float(shared) / least if least > 0 else 0.0


def fanned(one: LaidGroup, other: LaidGroup) -> bool:
    """Return True if two groups meet as the parts of one fan do, where a card between them was missed."""
    is_fan = any(turned(a, b) > FANNED_DEG[0] for group in (one, other) for a, b in combinations(group.cards, 2))
    least = IN_A_FAN_DEG if is_fan else FANNED_DEG[0]
    pairs = ((a, b) for a in one.cards for b in other.cards)
    return any(least < turned(a, b) < FANNED_DEG[1] and overlap(a, b) > MEETING for a, b in pairs)


def goes_on(one: LaidGroup, other: LaidGroup) -> bool:
    """Return True if two groups lie in one line, end to end, nearer than ``END_TO_END`` of a card.

    A column goes on below or above it, a row at its sides: columns side by side do not, nor rows below each other.
    """
    ways = {_way(one), _way(other)} - {""}
    for a in (one.cards[0], one.cards[-1]):
        for b in (other.cards[0], other.cards[-1]):
            if turned(a, b) > ALONG_DEG:
                continue
            down, apart = a.down / a.height, b.centre - a.centre
            along, aside = abs(float(apart @ down)), abs(float(apart @ np.array([down[1], -down[0]])))
            wide = a.height * CARD_WIDTH / CARD_HEIGHT
            in_column = aside < 0.35 * wide and along < (1 + END_TO_END) * a.height
            in_row = along < 0.25 * a.height and aside < (1 + END_TO_END / 3) * wide
            if (in_column and "across" not in ways) or (in_row and "down" not in ways):
                return True
    return False


def _way(group: LaidGroup) -> str:
    """Return ``down`` if a group reaches along its cards, ``across`` if across them; empty if neither is clear."""
    first = group.cards[0]
    down, reach = first.down / first.height, group.cards[-1].centre - first.centre
    along, aside = abs(float(reach @ down)), abs(float(reach @ np.array([down[1], -down[0]])))
    if along > CLEARLY * aside:
        return "down"
    return "across" if aside > CLEARLY * along else ""
