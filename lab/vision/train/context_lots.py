"""Views that ``vision.context_reader`` learns from: indices of drawn pictures, with the card around them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER
from lab.vision.train import clutter
from lab.vision.train.fonts import font_files
from lab.vision.train.samples import SEEN, WARM, label_of, what_stands
from lab.vision.train.scenes import Picture, draw_scene, shelves
from lab.vision.train.wide_lots import PER_MM, SIZE, STAGES, packs
from vision.context_reader import SIDE, cut_view
from vision.finder import Finder, Spot

RIM: Final = 6
"""Stored views are wider by this on each side."""
AS_THEY_STAND: Final = 0.4
"""Share of the indices that are also seen at their true place, not only where the finder places them."""
LEAST_INDEX: Final = 11.0
"""Indices that the finder says are less tall (px) are left out."""


@dataclass(frozen=True)
class ViewLot:
    """Views (n, 76, 76, 3) BGR uint8, and rank and suit of each, (n, 2)."""

    views: NDArray[np.uint8]
    labels: NDArray[np.int64]


def draw_views(work: Path, seed: list[int], scenes: int, finder: Finder, path: Path, *, held_out: bool = False) -> None:
    """Draw ``scenes`` pictures of packs of their own from ``seed``; write their suited indices' views to ``path``.

    ``work``: the training's folder, for its artwork. ``held_out``: of designs and signs that no training shows.
    """
    cv2.setNumThreads(1)
    stage = STAGES[seed[-1] % len(STAGES)]
    rng = np.random.default_rng(seed)
    shelf = shelves(packs(work, seed, stage, held_out=held_out))
    about = clutter.sheets(8, int(np.random.default_rng([*seed, 12]).integers(0, 2**31)), font_files(work))
    leans, shares = [lean for lean, _ in stage.leans], [share for _, share in stage.leans]
    views: list[NDArray[np.uint8]] = []
    labels: list[tuple[int, int]] = []
    for _ in range(scenes):
        picture = draw_scene(rng, shelf, SIZE, PER_MM, about, leans[int(rng.choice(len(leans), p=shares))])
        for spot, face in _indices(rng, picture, finder):
            views.append(cut_view(picture.image, spot, RIM))
            labels.append(label_of(face)[:2])
    fresh = path.with_suffix(".new")
    with fresh.open("wb") as file:
        np.savez(file, views=np.array(views).reshape(-1, *[SIDE + 2 * RIM] * 2, 3), labels=np.array(labels, np.int8))
    fresh.replace(path)


def _indices(rng: np.random.Generator, picture: Picture, finder: Finder) -> list[tuple[Spot, str]]:
    """Return a picture's suited indices: some at their true places, all that the finder finds as it places them."""
    found = [
        (Spot(c.x, c.y, c.up, c.height, 1.0), c.face)
        for c in picture.corners
        if c.shown >= SEEN and c.face != JOKER and rng.random() < AS_THEY_STAND
    ]
    for shrink in (1.0, 2.0):
        for spot in finder.find(picture.image, shrink, WARM):
            face = what_stands(picture, spot) if spot.height >= LEAST_INDEX else None
            if face and face != JOKER:
                found.append((spot, face))
    return found


def load_views(path: Path) -> ViewLot:
    """One file of ``draw_views``."""
    with np.load(path) as kept:
        return ViewLot(kept["views"], kept["labels"].astype(np.int64))
