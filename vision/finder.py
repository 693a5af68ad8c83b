"""Finding corner indices in a picture: where, which way up, how tall.

A corner index is the small rank over suit in a card's corner. Pixels are (x, y) from the picture's upper left corner,
y down, the middle of the first pixel at (0, 0).
"""

from __future__ import annotations

import math
import platform
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detail_areas import detail_areas
from vision.errors import ModelError
from vision.smaller_pictures import made_smaller

WEIGHTS: Final = Path(__file__).parent / "weights"
BASE_HEIGHT: Final = 28.0
"""Height in network pixels of the index that the network is most used to; it sees half to twice as much."""
STRIDE: Final = 4
MULTIPLE: Final = 8
SURE: Final = 0.30
"""Heat below which a peak is nothing; set on rendered pictures."""
TILE: Final = 2048
"""Largest side of what is given to the network at once, so that memory stays small."""
OVERLAP: Final = 64
THINNED: Final = 0.5
"""Distance, in index heights, within which only the hotter of two peaks stays."""
_NINE: Final = np.arange(3)[:, None] + np.zeros((1, 3), np.int64)


@dataclass(frozen=True, slots=True)
class Spot:
    """Possible index: centre (px), unit vector from suit to rank (px, y down), height (px), heat 0..1."""

    x: float
    y: float
    up: tuple[float, float]
    height: float
    heat: float


def open_model(path: Path, threads: int = 1) -> Any:
    """Open an onnxruntime session on the CPU. Raises ModelError if the weights are missing or broken."""
    import onnxruntime

    if not path.is_file():
        raise ModelError(f"the weights {path.name} are missing: the package was not installed whole")
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = threads
    settings.inter_op_num_threads = 1
    settings.log_severity_level = 3
    settings.enable_mem_pattern = False  # it keeps a plan for every size of picture seen
    if _bytes_overflow():
        settings.add_session_config_entry("session.x64quantprecision", "1")
    try:
        return onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
    except Exception as problem:  # onnxruntime raises its own kinds, which share no public base
        raise ModelError(f"the weights {path.name} cannot be read: {str(problem).splitlines()[0]}") from problem


@cache
def _bytes_overflow() -> bool:
    """Return True if this processor's sums of products of bytes may overflow: x86 without VNNI, or not to be asked.

    onnxruntime then takes another, slower way and reads the same.
    """
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return False
    try:
        return "vnni" not in Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return True


def as_input(session: Any, pictures: NDArray[np.uint8]) -> NDArray[Any]:
    """Pictures (n, height, width, 3) BGR as a network wants them.

    Those that are run (``lab.vision.train.quantise``) take bytes, of three channels or four, the last of which counts
    nothing; the training's own export takes (n, 3, height, width) floats.
    """
    asked = session.get_inputs()[0]
    if asked.type != "tensor(uint8)":
        return np.ascontiguousarray(pictures.transpose(0, 3, 1, 2), np.float32)
    if asked.shape[3] == 4:
        wide = np.empty((*pictures.shape[:3], 4), np.uint8)
        for picture, into in zip(pictures, wide, strict=True):
            cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA, dst=into)
        return wide
    return np.ascontiguousarray(pictures)


class Finder:
    """Finds corner indices. One instance serves one thread."""

    def __init__(self, weights: Path = WEIGHTS / "finder.onnx", threads: int = 1) -> None:
        self._session = open_model(weights, threads)

    def find(
        self, picture: NDArray[np.uint8], shrink: float = 1.0, sure: float = SURE, beside: float = THINNED
    ) -> list[Spot]:
        """Return the indices in a BGR uint8 picture that is ``shrink`` times larger than the network should see it.

        An index should then be 14 to 56 px tall. Spots come hottest first, in pixels of ``picture``; of two nearer
        than ``THINNED`` index heights, or ``beside`` across them, only the hotter one.
        """
        seen = picture
        if abs(shrink - 1.0) > 1e-3:
            size = (max(1, round(picture.shape[1] / shrink)), max(1, round(picture.shape[0] / shrink)))
            if shrink > 1:
                seen = made_smaller(picture, size)
            else:
                seen = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8)
        fx, fy = picture.shape[1] / seen.shape[1], picture.shape[0] / seen.shape[0]
        spots = [
            Spot((s.x + 0.5) * fx - 0.5, (s.y + 0.5) * fy - 0.5, s.up, s.height * (fx + fy) / 2, s.heat)
            for s in self._find_in_detail(seen, sure)
        ]
        return thin_out(spots, beside)

    def _find_in_detail(self, seen: NDArray[np.uint8], sure: float) -> list[Spot]:
        """Find indices as ``_find_tiled`` does, leaving out bare ground if that saves enough."""
        areas = detail_areas(seen)
        if areas is None:
            return self._find_tiled(seen, sure)
        spots: list[Spot] = []
        for left, top, right, bottom in areas.boxes:
            found = self._find_tiled(seen[top:bottom, left:right], sure)
            spots += [Spot(s.x + left, s.y + top, s.up, s.height, s.heat) for s in found]
        return [s for s in spots if areas.counts(s.x, s.y)]

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
        out = self._session.run(None, {"picture": as_input(self._session, seen[None])})[0][0]
        return _peaks(np.asarray(out, np.float32), sure, width, height)


def _peaks(out: NDArray[np.float32], sure: float, width: int, height: int) -> list[Spot]:
    heat = out[0]
    best = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= best) & (heat >= sure))
    if not len(rows):
        return []
    # each peak's nine cells; cells beyond the picture weigh nothing
    above, left = rows[:, None, None] + _NINE - 1, columns[:, None, None] + _NINE.T - 1
    there = (above >= 0) & (above < heat.shape[0]) & (left >= 0) & (left < heat.shape[1])
    around = out[:, np.clip(above, 0, heat.shape[0] - 1), np.clip(left, 0, heat.shape[1] - 1)] * there
    weight = around[0]
    total = weight.sum(axis=(1, 2))
    y = rows + (weight * (_NINE - 1)).sum(axis=(1, 2)) / total
    x = columns + (weight * (_NINE.T - 1)).sum(axis=(1, 2)) / total
    ux, uy, tall = (around[1:] * weight).sum(axis=(2, 3)) / total
    length = np.hypot(ux, uy)
    px, py = x * STRIDE + 1.5, y * STRIDE + 1.5
    peaks = np.column_stack([px, py, ux / length, uy / length, BASE_HEIGHT * 2**tall, heat[rows, columns]])
    inside = (length > 0.2) & (px < width) & (py < height)
    return [Spot(x, y, (ux, uy), tall, hot) for x, y, ux, uy, tall, hot in peaks[inside].tolist()]


def thin_out(spots: list[Spot], beside: float = THINNED) -> list[Spot]:
    """Return the spots without weaker ones within half an index's height of a hotter one, ``beside`` across it."""
    order = sorted(spots, key=lambda s: (-s.heat, s.y, s.x))
    near = _near([(s.x, s.y) for s in order], [THINNED * s.height for s in order], mean=True)
    if beside < THINNED:
        near = [(n, before) for n, before in near if _is_upon(order[n], order[before], beside)]
    return [order[n] for n in _left(len(order), near)]


def _is_upon(one: Spot, other: Spot, beside: float) -> bool:
    """Return True if a spot lies in the ellipse of half an index's height around another, ``beside`` heights across.

    Indices are taller than wide, and those of a fan stand closely beside each other.
    """
    sense = 1.0 if one.up[0] * other.up[0] + one.up[1] * other.up[1] > 0 else -1.0
    ux, uy = one.up[0] + sense * other.up[0], one.up[1] + sense * other.up[1]
    size = math.hypot(ux, uy) * (one.height + other.height) / 2
    dx, dy = one.x - other.x, one.y - other.y
    return math.hypot((dx * ux + dy * uy) / THINNED, (dx * uy - dy * ux) / beside) <= size


def apart(places: list[tuple[float, float]], reaches: list[float], *, mean: bool) -> list[int]:
    """Return the numbers of ``places`` without those that lie too near to an earlier one that stays.

    Too near is within the mean of the two's ``reaches``, or else within the larger one.
    """
    return _left(len(places), _near(places, reaches, mean=mean))


def _near(places: list[tuple[float, float]], reaches: list[float], *, mean: bool) -> list[tuple[int, int]]:
    """Return the pairs of places that are too near for ``apart``, the later number first, in order."""
    if not places:
        return []
    spots, reach = np.array(places), np.array(reaches)
    away = np.hypot(*(spots[:, None] - spots[None]).transpose(2, 0, 1))
    least = (reach[:, None] + reach[None]) / 2 if mean else np.maximum(reach[:, None], reach[None])
    return [(n, before) for n, before in np.argwhere(np.tril(away <= least, -1)).tolist()]


def _left(count: int, near: list[tuple[int, int]]) -> list[int]:
    """Numbers below ``count`` that stay if the later one of a pair is dropped whenever the earlier one stays."""
    gone = [False] * count
    for n, before in near:  # by n: what comes before it is settled
        if not gone[before]:
            gone[n] = True
    return [n for n in range(count) if not gone[n]]
