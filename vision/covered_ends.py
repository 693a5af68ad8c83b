"""Two indices beside each other that are no card's two ends, since another card's index shows between them.

The card of an index that lies on the line between two others reaches beyond one of them: were these of one card below
it, one of the two would be covered. Everything is in pixels of the picture, y down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from vision.grouping import TURN_TOLERANCE_DEG, Corner

SURE: Final = (0.4, 0.7)
"""Least heat and least probability of the face of an index that shows a card between: those of a card in a row."""
OFF: Final = 0.4
"""Largest distance of it from the line, and least from the two indices along it, in heights of an index."""
_TURN: Final = math.sin(math.radians(TURN_TOLERANCE_DEG))


def sure_indices(corners: list[Corner]) -> list[Corner]:
    """Select the indices that certainly are some card's."""
    return [c for c in corners if c.heat > SURE[0] and c.surest > SURE[1]]


def shows_between(one: Corner, other: Corner, sure: Sequence[Corner]) -> bool:
    """Return whether one of the ``sure`` lies on the line between two indices, along it or across it."""
    dx, dy = other.x - one.x, other.y - one.y
    far = math.hypot(dx, dy)
    if far == 0.0:
        return False
    least = OFF * (one.height + other.height) / 2
    for c in sure:
        along = ((c.x - one.x) * dx + (c.y - one.y) * dy) / far
        off = abs((c.x - one.x) * dy - (c.y - one.y) * dx) / far
        turned = abs(c.down[0] * dx + c.down[1] * dy) / far
        if off < least < min(along, far - along) and (turned < _TURN or turned > math.cos(math.asin(_TURN))):
            return True
    return False
