"""The demo's pack, enrolled from the pictures that code draws of its faces, one each, as by ``tavolo enrol``."""

from __future__ import annotations

from typing import Final

import numpy as np

from hw.cards import Pack
from hw.pack.drawn import Drawing
from hw.pack.raster import drawn_bgra
from vision.faces.prints import FacePrint, face_print
from vision.packs import PackFaces

PX_PER_MM: Final = 4.0
PAPER: Final = 235.0
"""Grey level of the card's ground."""


def drawn_pack(pack: Pack, drawing: Drawing) -> PackFaces:
    """Return the whole faces of ``pack`` as ``drawing`` has them, as enrolled from pictures of cards that lie apart."""
    prints: dict[str, tuple[FacePrint, ...]] = {}
    for name in pack.copies:
        picture = drawn_bgra(drawing, name, PX_PER_MM).astype(np.float32)
        ink = picture[..., 3:] / 255.0
        flat = picture[..., :3] * ink + PAPER * (1.0 - ink)
        prints[name] = (face_print(np.ascontiguousarray(flat.astype(np.uint8))),)
    return PackFaces(pack.name, (), np.zeros((0, 0), np.float32), prints, printed=tuple(pack.copies))
