"""Photographs made anew: pressed into another format, stored worse, or with light and dark exchanged.

Packs and cameras of which there is no photograph are drawn (``measure.scenes``), and what draws them trains the
networks too. A photograph by others keeps its own noise, blur, light and print when it is pressed into a square, or
when its paper is made black and its ink light: a second witness for pressed frames and for black packs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.pictures import Image

INK: Final = 235
"""Lightness (CIELAB, 0 to 255) that black becomes: light ink on a black pack is not quite white."""
PAPER: Final = 15
"""Lightness of the lightest paper in a black pack: it is not quite black."""


@dataclass(frozen=True, slots=True)
class Remake:
    """Changes to a photograph, in this order: ``inverted``, ``size`` (width, height; px), ``jpeg`` (1 to 100)."""

    inverted: bool = False
    size: tuple[int, int] | None = None
    jpeg: int | None = None

    def of(self, picture: Image) -> Image:
        """The BGR uint8 picture, remade."""
        if self.inverted:
            picture = inverted(picture)
        if self.size is not None:
            smaller = self.size[0] < picture.shape[1]
            how = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
            picture = np.asarray(cv2.resize(picture, self.size, interpolation=how), np.uint8)
        if self.jpeg is not None:
            _, stored = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self.jpeg])
            picture = np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)
        return picture


def inverted(picture: Image) -> Image:
    """The BGR uint8 picture with its lightness turned round and its hues kept: red pips stay red.

    >>> white, red = (255, 255, 255), (0, 0, 255)
    >>> [int(v) for v in inverted(np.full((1, 1, 3), white, np.uint8))[0, 0]] < [40, 40, 40]
    True
    >>> blue, green, seen = (int(v) for v in inverted(np.full((1, 1, 3), red, np.uint8))[0, 0])
    >>> seen > 2 * blue
    True
    """
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)
    lab[..., 0] = np.maximum(INK - lab[..., 0].astype(np.int16), PAPER).astype(np.uint8)
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR), np.uint8)
