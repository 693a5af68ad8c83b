"""Quality of a camera's picture of an empty table: focus, size of an index, light, flicker, glare.

Frames are BGR uint8; places are table millimetres. Nothing here reads cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.layout import Layout, Marker
from vision.calibration import Calibration

Image = NDArray[np.uint8]
Grid = NDArray[np.float64]

INDEX_MM: Final = 6.0
"""Width of a narrow corner index: 20 px if a frame shows 3.4 px/mm, wide ones 27."""
CELLS: Final = 6
"""Cells a side into which the table is divided."""
WHITE: Final = 250
"""Level from which a pixel, in any colour, is too bright to show anything."""


class WorstSpot(NamedTuple):
    """A figure and the place on the table with its worst value."""

    value: float
    x: float
    y: float

    def __str__(self) -> str:
        """Return the place for people: which way from the table's middle, in millimetres."""
        return f"x {self.x:+.0f} mm, y {self.y:+.0f} mm"


def edge_widths(frame: Image, calibration: Calibration, layout: Layout) -> dict[int, float]:
    """Return by marker how many pixels a sharp edge spreads over: from 10 to 90 % of black to paper, the median side.

    Across the black border of each printed marker; an ideal lens gives about 1 to 2.
    """
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY).astype(np.float32)
    found: dict[int, float] = {}
    for marker in layout.markers:
        if marker.number in calibration.markers:
            widths = [width for width in _sides(grey, calibration, marker) if width is not None]
            if widths:
                found[marker.number] = float(np.median(widths))
    return found


def _sides(grey: NDArray[np.float32], calibration: Calibration, marker: Marker) -> Iterator[float | None]:
    """Edge widths at several places of each of a marker's sides. A cell of DICT_4X4 is a sixth of the side."""
    half, cell = marker.side / 2, marker.side / 6
    across = np.linspace(-cell * 0.8, cell * 0.8, 81)
    for along in (-0.3, -0.1, 0.1, 0.3):
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            x = marker.x + dx * (half + across) + (dy != 0) * along * marker.side
            y = marker.y + dy * (half + across) + (dx != 0) * along * marker.side
            pixels = calibration.to_pixel(np.column_stack([x, y])).astype(np.float32)
            profile = cv2.remap(
                grey, pixels[None, :, 0].copy(), pixels[None, :, 1].copy(), cv2.INTER_LINEAR
            )[0]  # fmt: skip
            length = float(np.hypot(*(pixels[-1] - pixels[0])))
            yield _rise(profile, length)


def _rise(profile: NDArray[np.float32], length: float) -> float | None:
    """Pixels of a profile's ``length`` from 10 to 90 %, dark to light; None if it has no edge."""
    dark, light = float(np.median(profile[:12])), float(np.median(profile[-12:]))
    if light - dark < 30:
        return None
    share = (profile - dark) / (light - dark)
    above = np.nonzero(share >= 0.9)[0]
    if not above.size:
        return None
    high = int(above[0])
    low = int(np.nonzero(share[: high + 1] <= 0.1)[0][-1]) if (share[: high + 1] <= 0.1).any() else 0
    return (high - low) * length / (len(profile) - 1)


def coarsest(calibration: Calibration, layout: Layout) -> WorstSpot:
    """Return the pixels a millimetre where the table is seen smallest."""
    half = layout.side / 2 - 20
    places = [(x, y) for x in np.linspace(-half, half, 5) for y in np.linspace(-half, half, 5)]
    return min(WorstSpot(calibration.px_per_mm(x, y), float(x), float(y)) for x, y in places)


def _cells(frame: Image, calibration: Calibration, layout: Layout) -> Iterator[tuple[float, float, Image]]:
    """Yield the pixels of the cloth in each cell of the table, markers and the outermost rim left out."""
    half = layout.side / 2 - 25
    edges = np.linspace(-half, half, CELLS + 1)
    mask = np.zeros(frame.shape[:2], np.uint8)
    for i in range(CELLS):
        for j in range(CELLS):
            x0, x1, y0, y1 = edges[i], edges[i + 1], edges[j], edges[j + 1]
            ring = calibration.polygon(x0, y0, x1, y1)
            left, top = np.maximum(ring.min(axis=0), 0)
            right, bottom = ring.max(axis=0) + 1
            mask[top:bottom, left:right] = 0
            cv2.fillPoly(mask, [ring], 255)
            for marker in layout.markers:
                reach = marker.side * 0.8
                around = calibration.polygon(
                    marker.x - reach, marker.y - reach, marker.x + reach, marker.y + reach
                )  # fmt: skip
                cv2.fillPoly(mask, [around], 0)
            piece = frame[top:bottom, left:right][mask[top:bottom, left:right] > 0]
            mask[top:bottom, left:right] = 0
            if len(piece) > 50:
                yield float(x0 + x1) / 2, float(y0 + y1) / 2, piece


def evenness(frame: Image, calibration: Calibration, layout: Layout) -> WorstSpot:
    """Return the brightness of the cloth's darkest part, as a share of the brightest, and its place.

    Light, not grey levels: those are taken back through sRGB's curve first.
    """
    found = [
        WorstSpot(float(np.median(_linear(piece.mean(axis=1)))), x, y)
        for x, y, piece in _cells(frame, calibration, layout)
    ]
    if not found:
        return WorstSpot(0.0, 0.0, 0.0)
    darkest, brightest = min(found), max(found)
    return WorstSpot(darkest.value / brightest.value if brightest.value else 0.0, darkest.x, darkest.y)


def _linear(levels: NDArray[np.floating]) -> Grid:
    share = np.asarray(levels, np.float64) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def glare(frame: Image, calibration: Calibration, layout: Layout) -> WorstSpot:
    """Return the share of the cloth that is white in the picture, and the cell where most of it lies."""
    white = total = 0
    worst = WorstSpot(0.0, 0.0, 0.0)
    for x, y, piece in _cells(frame, calibration, layout):
        count = int((piece.max(axis=1) >= WHITE).sum())
        white, total = white + count, total + len(piece)
        worst = max(worst, WorstSpot(count / len(piece), x, y))
    return WorstSpot(white / total if total else 0.0, worst.x, worst.y)


def flicker(frames: Sequence[Image]) -> float:
    """Return how much the light wavers, as a share of its mean: from frame to frame, and in bands across one frame.

    Frames of the same still scene; a rolling shutter turns a lamp's flicker into horizontal bands. Fewer than three
    frames give 0.
    """
    if len(frames) < 3:
        return 0.0
    rows = np.stack([frame[::2, ::4].mean(axis=(1, 2)) for frame in frames])
    mean = np.maximum(rows.mean(axis=0), 1.0)
    ratio = rows / mean
    smooth = np.stack([np.convolve(row, np.ones(15) / 15, "valid") for row in ratio])
    whole = ratio.mean(axis=1)
    return float(max(np.ptp(whole), np.percentile(np.ptp(smooth, axis=0), 90))) / 2
