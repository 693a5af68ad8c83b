"""Reading a doubted index by what is beside it: the card's first pips or its figure, how many and of which suit.

An index shows rank and suit by signs a few pixels tall; the same card's large pips show both once more, two to three
times as tall, and their places distinguish a three from a five whose heads look alike. The print beside the index is
seen here, and the index itself only small, so that this and the other readers seldom go wrong together. It is asked
only about places with an index, and cannot report that there is none. ``lab.vision.train.learn_context`` made it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.finder import Spot, as_input, open_model
from vision.patches import INDEX_HEIGHT, Image, cut_patch

SIDE: Final = 64
"""Pixels of a view's side."""
PER_INDEX: Final = 16.0
"""Pixels of a view that an index is tall: a view shows four index heights each way."""
MARGIN: Final = 0.9
"""Index heights from the view's left and upper edge to the index's middle; the rest lies to its right and below."""
BATCH: Final = 32


def cut_view(picture: Image, spot: Spot, rim: int = 0) -> Image:
    """Cut out the surroundings of an index, upright: (64, 64, 3) BGR uint8, wider by ``rim`` pixels on each side.

    Beyond the picture its edge is repeated.
    """
    ux, uy = spot.up
    away = (SIDE / PER_INDEX / 2 - MARGIN) * spot.height  # to the right and down alike: the view's middle
    middle = (spot.x + (-uy - ux) * away, spot.y + (ux - uy) * away)
    side = SIDE + 2 * rim
    return cut_patch(picture, *middle, spot.up, spot.height * INDEX_HEIGHT / PER_INDEX, (side, side))


class ContextReader:
    """The network that sees the card around an index. One instance serves one thread."""

    def __init__(self, weights: Path, threads: int = 1) -> None:
        """Open the model. Raises ModelError if ``weights`` (an ONNX file) are missing or broken."""
        self._session = open_model(weights, threads)

    def answers(self, picture: Image, spots: list[Spot]) -> NDArray[np.float64]:
        """Logits (n, 17) at the spots of a BGR uint8 picture: 13 ranks, 4 suits."""
        parts = [np.empty((0, 17))]
        for first in range(0, len(spots), BATCH):
            views = np.stack([cut_view(picture, s) for s in spots[first : first + BATCH]])
            out = self._session.run(None, {"picture": as_input(self._session, views)})[0]
            parts.append(np.asarray(out, np.float64))
        return np.concatenate(parts)
