"""``python tools/make_stand_picture.py``: draw docs/pictures/saturday.jpg, a table with a phone on an arm above it.

Table, cards, hand and light are the simulated table's; the stand is drawn from its measures in millimetres below.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.seats import Seat
from hw.twin.camera import Camera
from hw.twin.camera_style import DEFAULT_STYLE
from hw.twin.scene import Arm, PlacedCard, Scene

OUT: Final = Path(__file__).resolve().parent.parent / "docs" / "pictures" / "saturday.jpg"
PHONE_MM: Final = 1200.0
"""Lens above the cloth: a phone or webcam of 43 degrees along its short side then sees 940 mm."""
POLE: Final = (-490.0, 300.0)
"""Foot of the stand, beyond the West edge."""
POLE_MM: Final = 16.0
ARM_DROP_MM: Final = 40.0
PHONE: Final = (150.0, 74.0, 9.0)
"""Length, width and thickness of the phone."""
LEG_MM: Final = 720.0
"""Height of the table's top above the floor."""
HALF: Final = 450.0
SIZE: Final = (1400, 1480)
Pixels = NDArray[np.uint8]
Point = tuple[float, float, float]


class View:
    """A person's view of the table: pixels of points in table millimetres, ``z`` above the cloth."""

    def __init__(self) -> None:
        style = replace(DEFAULT_STYLE, offset=(1250.0, -3500.0), height=1750.0, roll=0.0, k1=0.0)
        self.camera = Camera(style=style, seed=6, width=800, height=450)
        self.shift = np.array([330.0, 880.0])

    def at(self, *points: Point) -> NDArray[np.int32]:
        """Pixels (n, 2) of points."""
        flat = np.array(points)
        seen = self.camera.optics.project(flat[:, :2], flat[:, 2]) + self.shift
        return np.round(seen).astype(np.int32)

    def table(self, picture: Pixels, scene: Scene) -> None:
        """Paint the table's top, of which the simulated camera gives the frame."""
        frame = self.camera.render(scene)
        mask = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, self.at(*_square(HALF + 24.0, 0.0)), 255, cv2.LINE_AA)
        whole = picture.copy()
        x, y = self.shift.astype(int)
        whole[y : y + frame.shape[0], x : x + frame.shape[1]] = frame
        alpha = mask[..., None] / 255.0
        picture[:] = (picture * (1 - alpha) + whole * alpha).astype(np.uint8)


def _square(half: float, z: float) -> list[Point]:
    return [(-half, -half, z), (half, -half, z), (half, half, z), (-half, half, z)]


def _room() -> Pixels:
    """Draw a wall and a wooden floor, softly lit."""
    high, wide = SIZE[1], SIZE[0]
    rows = np.linspace(0, 1, high)[:, None, None]
    wall = np.array([196.0, 206.0, 212.0]) * (1.04 - 0.22 * rows)
    floor = np.array([70.0, 98.0, 132.0]) * (0.72 + 0.3 * rows)
    picture = np.where(rows < 0.55, wall, floor) * np.ones((1, wide, 1))
    rng = np.random.default_rng(4)
    boards = cv2.GaussianBlur(rng.normal(0, 9, (high, wide)), (0, 0), 40, sigmaY=1.2) * 3.0
    picture[int(high * 0.55) :] += boards[int(high * 0.55) :, :, None]
    across = np.abs(np.linspace(-1, 1, wide))[None, :, None]
    return np.clip(picture * (1.03 - 0.16 * across**2), 0, 255).astype(np.uint8)


def _shadow(picture: Pixels, ring: Any, strength: float, soft: float) -> None:
    dark = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(dark, [ring], 255, cv2.LINE_AA)
    fade = 1 - strength * cv2.GaussianBlur(dark, (0, 0), soft)[..., None] / 255.0
    picture[:] = (picture * fade).astype(np.uint8)


def _tube(picture: Pixels, view: View, start: Point, end: Point, wide_mm: float) -> None:
    """Draw a round bar of dull black metal with a light along it."""
    a, b = view.at(start, end)
    scale = np.linalg.norm(np.diff(view.at((0, 0, 0), (100, 0, 0)), axis=0)) / 100.0
    for share, grey in ((1.0, 28), (0.7, 52), (0.35, 92), (0.12, 150)):
        thick = max(1, round(wide_mm * scale * share))
        cv2.line(picture, tuple(map(int, a)), tuple(map(int, b)), (grey, grey, grey), thick, cv2.LINE_AA)


def _legs(picture: Pixels, view: View) -> None:
    for x, y in ((-410.0, 410.0), (410.0, 410.0), (-410.0, -410.0), (410.0, -410.0)):
        foot = view.at((x - 26, y, -30.0), (x + 26, y, -30.0), (x + 22, y, -LEG_MM), (x - 22, y, -LEG_MM))
        cv2.fillConvexPoly(picture, foot, (30, 46, 70), cv2.LINE_AA)
    for a, b, tone in (((-474, -474), (474, -474), 1.0), ((474, -474), (474, 474), 0.7)):
        side = view.at((*a, 0.0), (*b, 0.0), (*b, -45.0), (*a, -45.0))
        cv2.fillConvexPoly(picture, side, tuple(int(v * tone) for v in (36, 58, 90)), cv2.LINE_AA)


def _phone(picture: Pixels, view: View) -> None:
    """Draw the phone flat on its arm, its lenses downwards over the table's middle."""
    length, width, thick = PHONE
    x, y, z = length / 2, width / 2, PHONE_MM
    corners = [(-x, -y), (x, -y), (x, y), (-x, y)]
    top = view.at(*((a, b, z + thick) for a, b in corners))
    for near, far in ((0, 1), (1, 2)):
        (a, b), (c, d) = corners[near], corners[far]
        cv2.fillConvexPoly(
            picture, view.at((a, b, z), (c, d, z), (c, d, z + thick), (a, b, z + thick)), (46, 44, 42), cv2.LINE_AA
        )
    cv2.fillConvexPoly(picture, top, (24, 22, 20), cv2.LINE_AA)
    inner = view.at(*((a * 0.95, b * 0.9, z + thick + 0.5) for a, b in corners))
    cv2.fillConvexPoly(picture, inner, (150, 120, 84), cv2.LINE_AA)
    shine = view.at(
        (-x * 0.9, y * 0.8, z + thick + 1), (0, y * 0.8, z + thick + 1), (-x * 0.5, -y * 0.8, z + thick + 1)
    )
    light = picture.copy()
    cv2.fillConvexPoly(light, shine, (205, 186, 160), cv2.LINE_AA)
    picture[:] = cv2.addWeighted(picture, 0.65, light, 0.35, 0)


def _play() -> Scene:
    cards = [
        PlacedCard(f"{card}#1", 240.0, -300.0 + 18.0 * n, 90.0, face_up=True)
        for n, card in enumerate(("4S", "5S", "6S", "7S"))
    ]
    cards += [
        PlacedCard(f"{c}#1", -300.0, 300.0 - 18.0 * n, 180.0, face_up=True) for n, c in enumerate(("9H", "9C", "9D"))
    ]
    cards += [PlacedCard(f"{c}#1", -45.0 + 5 * n, 48.0, 0.0, face_up=True) for n, c in enumerate(("KD", "3H", "QC"))]
    cards += [PlacedCard(f"{n}S#2", 55.0, 48.0 + 0.4 * n, 0.0, face_up=False) for n in range(3, 10)]
    return Scene(0.0, tuple(cards), (Arm(Seat.SOUTH, -35.0, 20.0),))


def draw() -> Pixels:
    """Return the picture (BGR uint8)."""
    view, picture = View(), _room()
    _shadow(picture, view.at(*_square(470.0, -LEG_MM)), 0.5, 30.0)
    _legs(picture, view)
    view.table(picture, _play())
    x, y = POLE
    head = PHONE_MM + ARM_DROP_MM
    _tube(picture, view, (x, y, -60.0), (x, y, head), POLE_MM * 1.3)
    _tube(picture, view, (x, y, head), (0.0, 0.0, head), POLE_MM)
    _tube(picture, view, (0.0, 0.0, head), (0.0, 0.0, PHONE_MM + PHONE[2]), POLE_MM * 0.8)
    _phone(picture, view)
    noise = np.random.default_rng(9).normal(0, 2.2, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)


def main() -> None:
    """Write the picture."""
    cv2.imwrite(str(OUT), cv2.resize(draw(), None, fx=0.72, fy=0.72, interpolation=cv2.INTER_AREA), [1, 86])


if __name__ == "__main__":
    main()
