"""Camera to table: where a pixel lies on the felt, from the printed ArUco markers of the layout.

Pixels are (x, y) from the frame's upper left corner, x right, y down, the middle of the first pixel at (0, 0).
Table points are millimetres from the table's centre, x to East, y to North. The lens is modelled as radial about the
frame's middle: ``ideal = middle + (pixel - middle) * (1 + k1 r² + k2 r⁴)``, r over half the frame's diagonal; ideal
pixels and table millimetres are joined by a homography. Four markers give 16 corners, enough for both.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from hw.layout import Layout, Marker
from vision.errors import CalibrationError
from vision.lens import Points, bend, least_squares, plane_scale, project, straighten, unpack

MIN_MARKERS: Final = 3
MIN_SIDE_PX: Final = 300
MAX_RESIDUAL_MM: Final = 3.0
"""A calibration that fits its own markers worse than this is refused."""
DRIFT_MM: Final = 2.0
"""Markers further than this from where they were mean that camera or table has moved."""


@dataclass(frozen=True, slots=True)
class Drift:
    """Distance of markers from where the calibration expects them: worst in mm, and the markers looked at."""

    worst_mm: float
    markers: tuple[int, ...]

    @property
    def moved(self) -> bool:
        """True if camera or table has moved so far that a new calibration is due."""
        return self.worst_mm > DRIFT_MM


@dataclass(frozen=True, slots=True)
class Calibration:
    """One camera over one table. ``homography`` (3x3, row by row) takes ideal pixels to table millimetres.

    Pixels are (column, row) from the picture's upper left corner; millimetres (x to East, y to North) from the table's
    centre. A camera without distortion that shows half a millimetre a pixel:

    >>> camera = Calibration(1920, 1080, (0.5, 0.0, -480.0, 0.0, -0.5, 270.0, 0.0, 0.0, 1.0), 0.0, 0.0, 0.1, (0, 1, 2))
    >>> camera.to_table([960.0, 540.0]).round(6).tolist()
    [0.0, 0.0]
    >>> camera.to_pixel([[0.0, 0.0], [100.0, 50.0]]).round(6).tolist()
    [[960.0, 540.0], [1160.0, 440.0]]
    """

    width: int
    height: int
    homography: tuple[float, ...]
    k1: float
    k2: float
    residual_mm: float
    markers: tuple[int, ...]
    error_mm: float | None = None
    """Expected error at the worst place of the table; None if markers were measured: their residual says enough."""
    rim: tuple[tuple[int, ...], ...] = ()
    """Looks of the table's edge, which show a push where no markers do (``vision.table_rim``)."""

    def to_table(self, pixels: ArrayLike) -> Points:
        """Table millimetres of pixels; shape (2,) or (n, 2) in, the same shape out."""
        given = np.asarray(pixels, np.float64)
        flat = project(self._matrix, straighten(given.reshape(-1, 2), self.width, self.height, self.k1, self.k2))
        return flat.reshape(given.shape)

    def to_pixel(self, points: ArrayLike) -> Points:
        """Pixels of table millimetres; shape (2,) or (n, 2) in, the same shape out."""
        given = np.asarray(points, np.float64)
        ideal = project(np.asarray(np.linalg.inv(self._matrix), np.float64), given.reshape(-1, 2))
        return bend(ideal, self.width, self.height, self.k1, self.k2).reshape(given.shape)

    def px_per_mm(self, x: float = 0.0, y: float = 0.0) -> float:
        """Pixels per millimetre around a table point, the mean over directions."""
        spots = self.to_pixel([[x - 5, y], [x + 5, y], [x, y - 5], [x, y + 5]])
        a, b = (spots[1] - spots[0]) / 10, (spots[3] - spots[2]) / 10
        return float(np.sqrt(abs(a[0] * b[1] - a[1] * b[0])))

    def polygon(self, x0: float, y0: float, x1: float, y1: float, per_side: int = 8) -> NDArray[np.int32]:
        """Return the outline in pixels of a rectangle of the table, bent as the lens bends it: (n, 2) int32."""
        t = np.linspace(0, 1, per_side, endpoint=False)
        ring = np.concatenate(
            [
                np.column_stack([x0 + (x1 - x0) * t, np.full_like(t, y1)]),
                np.column_stack([np.full_like(t, x1), y1 + (y0 - y1) * t]),
                np.column_stack([x1 + (x0 - x1) * t, np.full_like(t, y0)]),
                np.column_stack([np.full_like(t, x0), y0 + (y1 - y0) * t]),
            ]
        )
        return np.rint(self.to_pixel(ring)).astype(np.int32)

    def drift(self, frame: NDArray[np.uint8], layout: Layout) -> Drift | None:
        """Return the distance of the markers in ``frame`` from their places; None if no marker is seen."""
        seen = find_markers(frame)
        known = {marker.number: marker for marker in layout.markers}
        used = sorted(set(seen) & set(known))
        if not used:
            return None
        worst = max(float(np.hypot(*(self.to_table(seen[n]) - _corners_of(known[n])).T).mean()) for n in used)
        return Drift(worst, tuple(used))

    def to_dict(self) -> dict[str, Any]:
        """Return the calibration as plain JSON values."""
        return {
            "width": self.width,
            "height": self.height,
            "homography": list(self.homography),
            "k1": self.k1,
            "k2": self.k2,
            "residual_mm": self.residual_mm,
            "markers": list(self.markers),
            **({} if self.error_mm is None else {"error_mm": self.error_mm, "rim": [list(one) for one in self.rim]}),
        }

    def check_size(self, frame: NDArray[np.uint8]) -> None:
        """Raise CalibrationError if ``frame`` has another size than those that this calibration is for."""
        if frame.shape[:2] != (self.height, self.width):
            mine, its = f"{self.width}x{self.height}", f"{frame.shape[1]}x{frame.shape[0]}"
            raise CalibrationError(f"the calibration is for {mine} pixels, but this frame has {its}")

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Calibration:
        """Return a calibration from ``to_dict``'s values. Raises CalibrationError for anything else."""
        try:
            found = cls(
                int(data["width"]),
                int(data["height"]),
                tuple(float(v) for v in data["homography"]),
                float(data["k1"]),
                float(data["k2"]),
                float(data["residual_mm"]),
                tuple(int(v) for v in data["markers"]),
                None if data.get("error_mm") is None else float(data["error_mm"]),
                tuple(tuple(int(v) for v in one) for one in data.get("rim", ())),
            )
        except KeyError as missing:
            raise CalibrationError(f"this is no calibration of a camera: {missing} is missing") from missing
        except (TypeError, ValueError, OverflowError) as problem:
            raise CalibrationError(f"this is no calibration of a camera: {problem}") from problem
        if len({len(one) for one in found.rim}) > 1:
            raise CalibrationError("this is no calibration of a camera: the table's edge is not whole")
        if len(found.homography) != 9:
            raise CalibrationError("this is no calibration of a camera: the homography needs nine numbers")
        return found

    @classmethod
    def load(cls, path: Path) -> Calibration:
        """Return the calibration in the file that `tavolo calibrate --out` wrote. Raises CalibrationError."""
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise CalibrationError(f"{path.name}: the calibration cannot be read: {error.strerror or error}") from None
        except (ValueError, RecursionError):
            raise CalibrationError(f"{path.name}: this is no calibration of a camera: it is not JSON") from None
        if not isinstance(document, dict):
            raise CalibrationError(f"{path.name}: this is no calibration of a camera")
        try:
            return cls.from_dict(document)
        except CalibrationError as error:
            raise CalibrationError(f"{path.name}: {error}") from None

    @property
    def _matrix(self) -> Points:
        return np.array(self.homography, np.float64).reshape(3, 3)


def find_markers(frame: NDArray[np.uint8]) -> dict[int, Points]:
    """Return the ArUco markers (DICT_4X4_50) in a BGR or grey frame: number to its four corners in pixels.

    Corners run clockwise as printed from the upper left one: (4, 2). A number seen twice is left out.
    """
    grey = frame if frame.ndim == 2 else cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    found: dict[int, Points] = {}
    for shrink, contrast in ((1, 7.0), (2, 7.0), (2, 3.0), (3, 3.0)):  # what noise hides shows in a smaller picture
        if min(grey.shape) / shrink >= MIN_SIDE_PX:
            for number, corners in _detect(grey, shrink, contrast).items():
                found.setdefault(number, corners)
    return {n: found[n] for n in sorted(found)}


def _detect(grey: NDArray[Any], shrink: int, contrast: float) -> dict[int, Points]:
    """Markers found at a smaller scale, their corners made exact at full scale."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    settings.minDistanceToBorder = 0
    settings.adaptiveThreshConstant = contrast
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    size = (grey.shape[1] // shrink, grey.shape[0] // shrink)
    small = grey if shrink == 1 else cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    corners, numbers, _ = cv2.aruco.ArucoDetector(words, settings).detectMarkers(small)
    if numbers is None:
        return {}
    names = [int(n) for n in np.asarray(numbers).ravel()]
    until = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.01)
    exact: dict[int, Points] = {}
    for number, found in zip(names, corners, strict=True):
        if names.count(number) > 1:
            continue
        ring = (np.asarray(found, np.float32).reshape(4, 1, 2) + 0.5) * shrink - 0.5
        side = float(np.linalg.norm(ring - np.roll(ring, 1, axis=0), axis=2).min())
        reach = int(np.clip(side / 12, 2, 9))  # a marker's cell is a sixth of its side
        sharp = cv2.cornerSubPix(grey, ring.astype(np.float32), (reach, reach), (-1, -1), until)
        exact[number] = np.asarray(sharp, np.float64).reshape(4, 2)
    return exact


def calibrate(frame: NDArray[np.uint8], layout: Layout) -> Calibration:
    """Return the calibration of the camera that took ``frame`` (BGR or grey uint8) over a table with ``layout``.

    Raises CalibrationError when fewer than three markers show or they do not fit the layout.
    """
    known = {marker.number: marker for marker in layout.markers}
    seen = {n: corners for n, corners in find_markers(frame).items() if n in known}
    used = sorted(seen)
    if len(used) < MIN_MARKERS:
        raise CalibrationError(
            f"only {len(used)} of the table's {len(known)} markers can be seen; "
            f"at least {MIN_MARKERS} must be free and sharp"
        )
    pixels = np.concatenate([seen[n] for n in used])
    points = np.concatenate([_corners_of(known[n]) for n in used])
    return fit(pixels, points, frame.shape[1], frame.shape[0], tuple(used))


def fit(pixels: Points, points: Points, width: int, height: int, markers: tuple[int, ...]) -> Calibration:
    """Return the calibration that takes ``pixels`` (n, 2) to table ``points`` (n, 2 mm), n at least 8; least squares.

    Raises CalibrationError if the best one still misses by more than MAX_RESIDUAL_MM.
    """
    lens = (
        2 if len(markers) > 4 else 1
    )  # four markers stand at one distance from the middle: they determine one term only
    start = cv2.findHomography(pixels, points, 0)[0]
    if start is None:
        raise CalibrationError("the markers lie in one line and give no plane")
    guess = np.concatenate([(start / start[2, 2]).ravel()[:8], np.zeros(lens)])

    def miss(values: Points) -> Points:
        matrix, k1, k2 = unpack(values)
        return (project(matrix, straighten(pixels, width, height, k1, k2)) - points).ravel()

    matrix, k1, k2 = unpack(least_squares(miss, guess, plane_scale(guess)))
    error = project(matrix, straighten(pixels, width, height, k1, k2)) - points
    residual = float(np.sqrt((error**2).sum(axis=1).mean()))
    if not np.isfinite(residual) or residual > MAX_RESIDUAL_MM:
        raise CalibrationError(
            f"the markers miss their places on the table by {residual:.1f} mm: are they the ones of this layout?"
        )
    return Calibration(width, height, tuple(float(v) for v in matrix.ravel()), k1, k2, residual, markers)


def _corners_of(marker: Marker) -> Points:
    """Return the marker's corners in table mm, clockwise from the upper left one seen from South."""
    h = marker.side / 2
    return np.array([[-h, h], [h, h], [h, -h], [-h, -h]], np.float64) + np.array([marker.x, marker.y], np.float64)
