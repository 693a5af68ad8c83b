"""Place and resolution of the camera: the thin-lens geometry of a camera that looks straight down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ImageSensor:
    """An image sensor: pixels across and down, size of one pixel in micrometres (square)."""

    name: str
    width: int
    height: int
    pixel_um: float

    @property
    def height_mm(self) -> float:
        """The shorter side of the sensor in millimetres."""
        return self.height * self.pixel_um / 1000


IMX477: Final = ImageSensor("Sony IMX477", 4056, 3040, 1.55)
"""Raspberry Pi High Quality Camera (product brief: 1.55 um pixels, 4056 x 3040)."""
LENS_MM: Final = 6.0
"""Focal length of the lens PT361060M3MP12."""
MARGIN_MM: Final = 5.0
"""Beyond each edge of the table: mounting errors and the rim."""
INDEX_MM: Final = 6.0
"""Width of a usual corner index; jumbo indices have 9 mm and more."""


@dataclass(frozen=True, slots=True)
class CameraView:
    """View of a camera over the table. Lengths in mm, ``px_per_mm`` on the cloth, angles in degrees."""

    above_cloth: float
    seen: float
    px_per_mm: float
    index_px: float
    corner_tilt: float
    """Angle at which the table's corner is seen, from straight down."""
    depth_near: float
    depth_far: float
    """From where to where, in mm from the lens, everything is sharp to one pixel."""


def view(
    side: float = 900.0, sensor: ImageSensor = IMX477, lens_mm: float = LENS_MM, f_number: float = 4.0
) -> CameraView:
    """Return the view of a square table of ``side`` mm when the sensor's shorter side just holds it with its margin.

    The depth of field takes one pixel as the circle of confusion. Raises ValueError for what is not positive.
    """
    if min(side, lens_mm, f_number) <= 0:
        raise ValueError("side, focal length and f-number must be positive")
    seen = side + 2 * MARGIN_MM
    distance = lens_mm * (seen / sensor.height_mm + 1)
    px_per_mm = sensor.height / seen
    circle = sensor.pixel_um / 1000
    hyperfocal = lens_mm * lens_mm / (f_number * circle) + lens_mm
    near = distance * (hyperfocal - lens_mm) / (hyperfocal + distance - 2 * lens_mm)
    far = distance * (hyperfocal - lens_mm) / (hyperfocal - distance) if hyperfocal > distance else float("inf")
    tilt = _degrees((side / 2**0.5) / distance)
    return CameraView(distance, seen, px_per_mm, INDEX_MM * px_per_mm, tilt, near, far)


def _degrees(tangent: float) -> float:
    from math import atan, degrees

    return degrees(atan(tangent))
