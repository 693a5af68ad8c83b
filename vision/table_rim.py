"""The table's edge as a calibrated camera sees it: what shows that the camera was pushed where no marker is glued.

How far the colour is from the cloth's is taken along short lines across the edge. Where the picture of one is found
again, some millimetres further out or in, the camera sees the table elsewhere than when it was calibrated. Light may
change: only the form counts.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.layout import Layout
from vision.calibration import Calibration
from vision.lens import Points

Profiles = tuple[tuple[int, ...], ...]
"""For each line the distance from the cloth's colour, outside to inside, a millimetre each."""
LINES: Final = 8
"""Lines across each half of a side: a side's halves show that the table is turned."""
ALONG: Final = 0.74
"""Part of a side that has lines: beyond lie the cards by which the camera is calibrated."""
REACH_MM: Final = 22
"""Length of a line, on either side of the edge."""
SHIFT_MM: Final = 14
"""Farthest move that is looked for."""
INNER_MM: Final = 10
"""Inner part of a line that shows the cloth."""
CONTRAST: Final = 5.0
"""Standard deviation of a line's distances (levels of 255) below which it shows no edge."""
SAME: Final = 0.9
"""Correlation from which a line is taken for the same."""
AGREEING: Final = 3
"""Lines of a half side that must be found again for it to count."""


def rim_profiles(frame: NDArray[np.uint8], calibration: Calibration, layout: Layout) -> Profiles:
    """Return the lines across the table's edge in ``frame`` (BGR); none if the edge shows nowhere."""
    lines = _lines(frame, calibration, layout, REACH_MM)
    if (lines.std(axis=1) >= CONTRAST).sum() < len(lines) / 2:
        return ()
    return tuple(tuple(int(v) for v in np.rint(line)) for line in lines)


def rim_shifts(frame: NDArray[np.uint8], calibration: Calibration, layout: Layout) -> dict[int, float]:
    """Return how far (mm) the edge lies from where it was, for each half of a side (0 to 7) at which it shows."""
    then = np.array(calibration.rim, np.float64)
    if len(then) != 8 * LINES:
        return {}
    now = _lines(frame, calibration, layout, REACH_MM + SHIFT_MM)
    length = then.shape[1]
    windows = np.lib.stride_tricks.sliding_window_view(now, length, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        alike = np.einsum("lsk,lk->ls", _normed(windows), _normed(then))
    found: dict[int, float] = {}
    for half in range(len(then) // LINES):
        mine = range(half * LINES, (half + 1) * LINES)
        shifts = [_peak(alike[n]) - SHIFT_MM for n in mine if then[n].std() >= CONTRAST and alike[n].max() >= SAME]
        if len(shifts) >= AGREEING:
            found[half] = abs(float(np.median(shifts)))
    return found


def _lines(frame: NDArray[np.uint8], calibration: Calibration, layout: Layout, reach: int) -> Points:
    """Return distances (lines, mm) across the edge: North, East, South, West, half a side after the other."""
    half = layout.side / 2
    along = np.linspace(-ALONG, ALONG, 2 * LINES) * half
    out = half + np.arange(reach, -reach - 1, -1.0)
    a, b = (grid.ravel() for grid in np.meshgrid(along, out, indexing="ij"))
    sides = [np.column_stack(xy) for xy in ((a, b), (b, a), (a, -b), (-b, a))]
    pixels = calibration.to_pixel(np.concatenate(sides)).astype(np.float32)
    soft = cv2.GaussianBlur(frame, (0, 0), max(0.8, calibration.px_per_mm() / 2))
    seen = cv2.remap(
        soft, pixels[None, :, 0].copy(), pixels[None, :, 1].copy(), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    lines = np.asarray(seen, np.float64).reshape(-1, len(out), 3)
    cloth = np.median(lines[:, -INNER_MM:], axis=1, keepdims=True)
    return np.asarray(np.linalg.norm(lines - cloth, axis=2))


def _normed(lines: Points) -> Points:
    away = lines - lines.mean(axis=-1, keepdims=True)
    return np.asarray(away / np.maximum(np.linalg.norm(away, axis=-1, keepdims=True), 1e-9), np.float64)


def _peak(values: Points) -> float:
    """Return where the highest value lies, between the places too."""
    top = int(values.argmax())
    if not 0 < top < len(values) - 1:
        return float(top)
    before, here, after = values[top - 1 : top + 2]
    return top + float((before - after) / (2 * min(-1e-9, before - 2 * here + after)))
