"""Second reading of an index in doubt: a larger network, which sees the index from farther off.

Its patches are cut as ``vision.patches`` cuts the reader's, four pixels wider on each side. It costs four times as much
as the reader (some .5 ms a place), so it is asked only if the reader doubts. ``lab.vision.train.wide`` made it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.finder import Spot, as_input, open_model
from vision.patches import PATCH_HEIGHT, PATCH_WIDTH, cut_patch

WIDE: Final = (PATCH_WIDTH + 8, PATCH_HEIGHT + 8)
"""Width and height of its patches; the index is as tall as in the reader's."""
BATCH: Final = 32


class SecondReader:
    """The larger network. One instance serves one thread."""

    def __init__(self, weights: Path, threads: int = 1) -> None:
        """Open the model. Raises ModelError if ``weights`` (an ONNX file) are missing or broken."""
        self._session = open_model(weights, threads)

    def answers(self, picture: NDArray[np.uint8], spots: list[Spot]) -> NDArray[np.float64]:
        """Logits (n, 20) at the spots of a BGR uint8 picture: 13 ranks, 4 suits, suited / joker / none of these."""
        parts = [np.empty((0, 20))]
        for first in range(0, len(spots), BATCH):
            cut = [cut_patch(picture, s.x, s.y, s.up, s.height, WIDE) for s in spots[first : first + BATCH]]
            out = self._session.run(None, {"picture": as_input(self._session, np.stack(cut))})[0]
            parts.append(np.asarray(out, np.float64))
        return np.concatenate(parts)
