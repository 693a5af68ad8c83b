"""Finding corner indices in a picture: where, which way up, how tall.

A corner index is the small rank over suit in a card's corner. Pixels are (x, y) from the picture's upper left corner,
y down, the middle of the first pixel at (0, 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError

WEIGHTS: Final = Path(__file__).parent / "weights"
BASE_HEIGHT: Final = 28.0
"""Height in network pixels of the index that the network is most used to; it sees half to twice as much."""
STRIDE: Final = 4
MULTIPLE: Final = 8
SURE: Final = 0.30
"""Heat below which a peak is nothing; set on rendered pictures."""
TILE: Final = 1024
"""Largest side of what is given to the network at once, so that memory stays small."""
OVERLAP: Final = 64


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an index seems to be: centre (px), unit vector from suit to rank (px, y down), height (px), heat 0..1."""

    x: float
    y: float
    up: tuple[float, float]
    height: float
    heat: float


def open_model(path: Path, threads: int = 1) -> Any:
    """An onnxruntime session on the CPU. Raises ModelError where the weights are missing or broken."""
    import onnxruntime

    if not path.is_file():
        raise ModelError(f"the weights {path.name} are missing: the package was not installed whole")
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = threads
    settings.inter_op_num_threads = 1
    settings.log_severity_level = 3
    settings.enable_cpu_mem_arena = False
    try:
        return onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
    except Exception as problem:  # onnxruntime raises its own kinds, which share no public base
        raise ModelError(f"the weights {path.name} cannot be read: {str(problem).splitlines()[0]}") from problem


class Finder:
    """Finds corner indices. One instance serves one thread."""

    def __init__(self, weights: Path = WEIGHTS / "finder.onnx", threads: int = 1) -> None:
        self._session = open_model(weights, threads)

    def find(self, picture: NDArray[np.uint8], shrink: float = 1.0, sure: float = SURE) -> list[Spot]:
        """The indices in a BGR uint8 picture that is ``shrink`` times larger than the network should see it.

        An index should then be 14 to 56 px tall. Spots come hottest first, in pixels of ``picture``.
        """
        seen = picture
        if abs(shrink - 1.0) > 1e-3:
            size = (max(1, round(picture.shape[1] / shrink)), max(1, round(picture.shape[0] / shrink)))
            how = cv2.INTER_AREA if shrink > 1 else cv2.INTER_LINEAR
            seen = cv2.resize(picture, size, interpolation=how).astype(np.uint8)
        fx, fy = picture.shape[1] / seen.shape[1], picture.shape[0] / seen.shape[0]
        spots = [
            Spot((s.x + 0.5) * fx - 0.5, (s.y + 0.5) * fy - 0.5, s.up, s.height * (fx + fy) / 2, s.heat)
            for s in self._find_tiled(seen, sure)
        ]
        return thin_out(spots)

    def _find_tiled(self, seen: NDArray[np.uint8], sure: float) -> list[Spot]:
        spots: list[Spot] = []
        step = TILE - 2 * OVERLAP
        height, width = seen.shape[:2]
        for top in range(0, max(1, height - 2 * OVERLAP), step):
            for left in range(0, max(1, width - 2 * OVERLAP), step):
                part = seen[top : top + TILE, left : left + TILE]
                if part.size:
                    spots += [Spot(s.x + left, s.y + top, s.up, s.height, s.heat) for s in self._find_whole(part, sure)]
        return spots

    def _find_whole(self, seen: NDArray[np.uint8], sure: float) -> list[Spot]:
        height, width = seen.shape[:2]
        below, beside = -height % MULTIPLE, -width % MULTIPLE
        if below or beside:
            seen = cv2.copyMakeBorder(seen, 0, below, 0, beside, cv2.BORDER_REPLICATE).astype(np.uint8)
        batch = np.ascontiguousarray(seen.transpose(2, 0, 1)[None], np.float32)
        out = self._session.run(None, {"picture": batch})[0][0]
        return _peaks(np.asarray(out, np.float32), sure, width, height)


def _peaks(out: NDArray[np.float32], sure: float, width: int, height: int) -> list[Spot]:
    heat = out[0]
    best = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= best) & (heat >= sure))
    spots = []
    for r, c in zip(rows.tolist(), columns.tolist(), strict=True):
        r0, r1, c0, c1 = max(r - 1, 0), min(r + 2, heat.shape[0]), max(c - 1, 0), min(c + 2, heat.shape[1])
        weight = heat[r0:r1, c0:c1]
        total = float(weight.sum())
        y = float((weight.sum(axis=1) * np.arange(r0, r1)).sum()) / total
        x = float((weight.sum(axis=0) * np.arange(c0, c1)).sum()) / total
        ux, uy = (float((out[k, r0:r1, c0:c1] * weight).sum()) / total for k in (1, 2))
        length = float(np.hypot(ux, uy))
        tall = BASE_HEIGHT * 2 ** float((out[3, r0:r1, c0:c1] * weight).sum() / total)
        px, py = x * STRIDE + 1.5, y * STRIDE + 1.5
        if length > 0.2 and px < width and py < height:
            spots.append(Spot(px, py, (ux / length, uy / length), tall, float(heat[r, c])))
    return spots


def thin_out(spots: list[Spot]) -> list[Spot]:
    """The spots without weaker ones that lie within half an index's height of a hotter one."""
    kept: list[Spot] = []
    for spot in sorted(spots, key=lambda s: (-s.heat, s.y, s.x)):
        if all(np.hypot(k.x - spot.x, k.y - spot.y) > 0.25 * (k.height + spot.height) for k in kept):
            kept.append(spot)
    return kept
