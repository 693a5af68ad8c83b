"""Drift of camera or table since calibration: markers, or the table's edge, are looked at where they should be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hw.layout import Layout
from vision.calibration import DRIFT_MM, Calibration, find_markers
from vision.errors import CalibrationError
from vision.table_rim import rim_shifts

EVERY_S: Final = 5.0
"""Seconds between looks at the markers."""
AROUND: Final = 1.1
"""Range of the search around a marker's place, in sides of the marker."""
TWICE: Final = 2
"""Consecutive looks that must agree before drift is reported: a marker is touched, an arm lies over it."""
UNSEEN: Final = 12
"""Looks without one marker that are reported: the camera looks elsewhere, or something covers them all."""


@dataclass(frozen=True, slots=True)
class CalibrationState:
    """State of the calibration: whether it holds, and one sentence if it does not."""

    holds: bool
    note: str = ""


class DriftWatch:
    """Follows one camera. ``look`` is cheap: it cuts out only where markers should be."""

    def __init__(self, layout: Layout, calibration: Calibration) -> None:
        self._layout, self._calibration = layout, calibration
        self._last_t: float | None = None
        self._off = self._well = self._unseen = 0
        self._told = CalibrationState(holds=True)

    def follow(self, frame: NDArray[np.uint8], t: float) -> CalibrationState | None:
        """Return what has changed with ``frame`` (of the calibration's size), taken at ``t`` seconds; mostly None."""
        if self._last_t is not None and t - self._last_t < EVERY_S:
            return None
        self._last_t = t
        apart = self.measure(frame)
        off = self.off(apart)
        self._off = self._off + 1 if off else 0
        self._unseen = 0 if apart else self._unseen + 1
        self._well = self._well + 1 if apart and not off else 0
        now = self._told
        if self._off >= TWICE:
            now = CalibrationState(holds=False, note=self.sentence(off, len(apart)))
        elif self._unseen >= UNSEEN and (self._calibration.markers or self._calibration.rim):
            by_markers = bool(self._calibration.markers)
            what = "none of the table's markers shows" if by_markers else "the table's edge does not show"
            now = CalibrationState(holds=False, note=f"{what} where it was: is the camera covered or moved?")
        elif self._well >= TWICE:
            now = CalibrationState(holds=True)
        if now.holds == self._told.holds:
            return None
        self._told = now
        return now

    def measure(self, frame: NDArray[np.uint8]) -> dict[int, float]:
        """Return how far (mm) each marker that shows lies from its place; half a side of the table's edge without."""
        if not self._calibration.markers:
            return rim_shifts(frame, self._calibration, self._layout) if self._calibration.rim else {}
        found: dict[int, float] = {}
        for marker in self._layout.markers:
            if marker.number not in self._calibration.markers:
                continue
            reach = marker.side * (0.5 + AROUND)
            ring = self._calibration.polygon(marker.x - reach, marker.y - reach, marker.x + reach, marker.y + reach)
            x0, y0 = np.maximum(ring.min(axis=0), 0)
            x1, y1 = ring.max(axis=0) + 1
            seen = find_markers(np.ascontiguousarray(frame[y0:y1, x0:x1])) if x1 > x0 and y1 > y0 else {}
            if marker.number in seen:
                corners = self._calibration.to_table(seen[marker.number] + np.array([x0, y0]))
                middle = corners.mean(axis=0) - np.array([marker.x, marker.y])
                found[marker.number] = float(np.hypot(*middle))
        return found

    def off(self, apart: dict[int, float]) -> dict[int, float]:
        """Return what of ``apart`` is too far: one half of a side alone is not, as something may lie at the edge."""
        off = {n: mm for n, mm in apart.items() if mm > DRIFT_MM}
        return off if self._calibration.markers or len(off) > 1 else {}

    def sentence(self, off: dict[int, float], seen: int) -> str:
        """Return what has happened where ``off`` lies too far, of ``seen`` places that show."""
        if self._calibration.markers:
            return _sentence(off, seen)
        return (
            f"the table's edge lies up to {max(off.values()):.1f} mm from where it was: camera or table has moved; "
            "put it back or calibrate again"
        )


def _sentence(off: dict[int, float], seen: int) -> str:
    worst = max(off.values())
    names = ", ".join(str(n) for n in sorted(off))
    if len(off) == 1 and seen > 1:
        return f"marker {names} lies {worst:.1f} mm from its place: it has moved; put it back or calibrate again"
    return f"markers {names} lie up to {worst:.1f} mm from their places: camera or table has moved; calibrate again"


def still_right(kept: Calibration, frame: NDArray[np.uint8], layout: Layout) -> Calibration:
    """Return ``kept`` if it still holds in ``frame``, as far as that shows. Raises CalibrationError if it does not."""
    kept.check_size(frame)
    watch = DriftWatch(layout, kept)
    apart = watch.measure(frame)
    if off := watch.off(apart):
        raise CalibrationError(watch.sentence(off, len(apart)))
    return kept
