"""Things of a card's size and shape where no card was read: cards lying face down, faces that are not enrolled."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from typing import Final

from hw.cards import UNKNOWN
from hw.layout import Layout
from hw.observations import Face, SightedCard
from vision.surface import VIEW_MM, Blob, Image

ONE_PLACE_MM: Final = 10.0
"""A thing of a card's shape so near to a card that was read is that card."""
SURELY_DOWN: Final = 0.8
"""Confidence with which a card face down is reported."""


def unread_shapes(
    layout: Layout, blobs: Sequence[Blob], view: Image, read: Sequence[tuple[float, float]], quiet: Container[str]
) -> list[SightedCard]:
    """Return the cards among ``blobs`` of a view, as ``??``, paper-white ones face up.

    ``read``: middles (mm) of the cards that were read; ``quiet``: zones in which cards face down are not reported.
    """
    found = []
    half = layout.side / 2
    for blob in blobs:
        if blob.covers or blob.card is None:
            continue
        cx, cy, turn = blob.card
        x, y = (cx + 0.5) * VIEW_MM - half, half - (cy + 0.5) * VIEW_MM
        zone = layout.zone_at(x, y)
        paper = float((view[blob.mask].min(axis=1) > 0.62 * view[blob.mask].max()).mean())
        if zone not in quiet and all(math.hypot(a - x, b - y) > ONE_PLACE_MM for a, b in read):
            face: Face = "up" if paper > 0.6 else "down"
            turned = round(-turn % 180, 1)
            sure = 0.5 if face == "up" else SURELY_DOWN
            found.append(SightedCard(UNKNOWN, zone, round(x, 1), round(y, 1), turned, face, sure))
    return found
