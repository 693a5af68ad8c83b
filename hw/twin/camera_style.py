"""Look of one simulated camera and its room: optics, light, noise, cloth, people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hw.seats import Seat

Colour = tuple[int, int, int]
"""Blue, green, red, 0 to 255."""


@dataclass(frozen=True, slots=True)
class TrayLook:
    """Look of a tray of bidding cards: its surface, its edge of ``edge_mm`` millimetres, lines of compartments.

    ``grain``: how much the surface's brightness varies from pixel to pixel, 0.05: a twentieth.
    """

    surface: Colour
    edge: Colour
    edge_mm: float = 8.0
    lines: Colour | None = None
    grain: float = 0.03


@dataclass(frozen=True, slots=True)
class ArmLook:
    """Common look of all arms: white ``cuffs`` or none, and how dark their ``shadow`` is, 0 to 1.

    ``mottle``: how much the brightness of skin varies from place to place, 0.05: a twentieth.
    """

    cuffs: bool = True
    mottle: float = 0.0
    shadow: float = 0.45


@dataclass(frozen=True, slots=True)
class CameraStyle:
    """One camera over one table.

    ``height`` is its distance from the cloth and ``offset`` its place off the middle, in millimetres; ``roll`` its
    turn about its own axis in degrees; ``k1`` the first radial distortion coefficient (negative: barrel); ``psf`` the
    standard deviation of the blur in pixels; ``read_noise`` and ``shot_noise`` give a noise of
    ``sqrt(read² + shot * value)`` grey levels; ``gradient`` how much darker the far side is (0.2: a fifth) towards
    ``light_from`` degrees, ``vignette`` the same for the corners; ``glare`` the strength of the lamp's reflection on a
    card in grey levels, around ``lamp`` in table millimetres; ``shadow`` the darkness of a card's shadow, 0 to 1;
    ``warmth`` the tint of the light (0 neutral, 0.1 warm); ``tray`` the look of a scene's tray, None: it is not drawn.
    """

    height: float = 1160.0
    offset: tuple[float, float] = (28.0, -42.0)
    roll: float = 0.6
    k1: float = -0.028
    psf: float = 0.9
    read_noise: float = 1.3
    shot_noise: float = 0.022
    gradient: float = 0.22
    light_from: float = 125.0
    vignette: float = 0.12
    glare: float = 26.0
    lamp: tuple[float, float] = (120.0, 70.0)
    shadow: float = 0.42
    warmth: float = 0.03
    felt: Colour = (62, 96, 34)
    felt_grain: float = 5.0
    rail: Colour = (28, 42, 66)
    floor: Colour = (38, 44, 52)
    tray: TrayLook | None = None
    arms: ArmLook = ArmLook()
    sleeves: tuple[tuple[Seat, Colour], ...] = (
        (Seat.NORTH, (92, 58, 36)),
        (Seat.EAST, (46, 34, 112)),
        (Seat.SOUTH, (58, 54, 50)),
        (Seat.WEST, (62, 92, 82)),
    )
    skins: tuple[tuple[Seat, Colour], ...] = (
        (Seat.NORTH, (142, 172, 218)),
        (Seat.EAST, (126, 158, 206)),
        (Seat.SOUTH, (98, 132, 186)),
        (Seat.WEST, (154, 184, 228)),
    )


DEFAULT_STYLE: Final = CameraStyle()
"""The camera of the demo: green cloth, a lamp above, a little off the vertical."""
BLUE_ROOM: Final = CameraStyle(
    offset=(-36.0, 30.0),
    roll=-1.1,
    k1=-0.04,
    psf=1.15,
    read_noise=1.8,
    shot_noise=0.03,
    gradient=0.32,
    light_from=30.0,
    felt=(112, 70, 30),
    warmth=-0.02,
    lamp=(-150.0, 120.0),
)
"""Another hall: blue cloth, harder light from another side, more noise."""
RED_ROOM: Final = CameraStyle(
    height=1100.0,
    offset=(15.0, 55.0),
    roll=1.8,
    k1=-0.02,
    psf=0.8,
    gradient=0.15,
    light_from=250.0,
    felt=(40, 30, 108),
    warmth=0.09,
    glare=38.0,
    lamp=(-40.0, -140.0),
)
"""A third: wine-red cloth, warm light, more gloss."""
STYLES: Final = (DEFAULT_STYLE, BLUE_ROOM, RED_ROOM)
