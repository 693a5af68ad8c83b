"""Forearms over the table: a hand, a cuff and a sleeve, drawn once for each seat and laid where the scene says."""

from __future__ import annotations

from math import hypot
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.layout import SEAT_EDGE
from hw.seats import Seat
from hw.twin.camera_style import CameraStyle, Colour
from hw.twin.scene import Arm

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float64]

ARM_HEIGHT: Final = 45.0
"""Millimetres of an arm above the cloth."""
WIDTH_MM: Final = 150.0
LENGTH_MM: Final = 1000.0
_TIP_MM: Final = 14.0
"""The arm's point (x, y) lies this far behind the tip of the middle finger."""
_PX: Final = 3.0
_MIDDLE: Final = WIDTH_MM / 2
_HAND_MM: Final = 240.0
"""Distance from the finger tips within which skin may show."""

_FINGERS: Final = (
    ((-19.0, 92.0), (-25.0, 20.0), 16.5),
    ((-3.0, 88.0), (-4.0, 11.0), 17.5),
    ((13.0, 90.0), (16.0, 17.0), 16.5),
    ((27.0, 98.0), (34.0, 39.0), 14.0),
)
_THUMB: Final = ((-24.0, 124.0), (-52.0, 76.0), 19.0)
_PALM: Final = ((-29, 84), (-12, 76), (14, 77), (33, 88), (37, 108), (31, 140), (27, 182), (-26, 182), (-34, 140),
                (-36, 112))  # fmt: skip


def arm_axis(arm: Arm) -> tuple[tuple[float, float], tuple[float, float]]:
    """Tip of the middle finger and a point on the elbow side, in table millimetres.

    The elbow lies beyond the seat's edge, to the right of the player and drawn along by a reach to one side.
    """
    edge_x, edge_y = SEAT_EDGE[arm.seat]
    out_x, out_y = edge_x / hypot(edge_x, edge_y), edge_y / hypot(edge_x, edge_y)
    right_x, right_y = -out_y, out_x
    aside = 90.0 + 0.45 * (arm.x * right_x + arm.y * right_y)
    elbow = (edge_x * 1.5 + right_x * aside, edge_y * 1.5 + right_y * aside)
    length = hypot(arm.x - elbow[0], arm.y - elbow[1]) or 1.0
    reach = _TIP_MM / length
    return (arm.x + (arm.x - elbow[0]) * reach, arm.y + (arm.y - elbow[1]) * reach), elbow


def arm_quad(arm: Arm, grow: float = 0.0) -> Floats:
    """Table millimetres of the arm picture's corners: beside the finger tips left and right, then the elbow's end."""
    (tip_x, tip_y), (elbow_x, elbow_y) = arm_axis(arm)
    length = hypot(elbow_x - tip_x, elbow_y - tip_y) or 1.0
    back = np.array([(elbow_x - tip_x) / length, (elbow_y - tip_y) / length])
    right = np.array([-back[1], back[0]])
    half, tip = WIDTH_MM / 2 + grow, np.array([tip_x, tip_y]) - back * grow
    end = tip + back * (LENGTH_MM + 2 * grow)
    return np.array([tip - right * half, tip + right * half, end + right * half, end - right * half])


def arm_picture(seat: Seat, style: CameraStyle) -> Pixels:
    """Return the right arm of ``seat`` as BGRA with alpha multiplied in, finger tips upwards, 3 pixels a millimetre."""
    height, width = int(LENGTH_MM * _PX), int(WIDTH_MM * _PX)
    colour = np.zeros((height, width, 3), np.uint8)
    alpha = np.zeros((height, width), np.uint8)
    _draw_hand(colour, alpha, dict(style.skins)[seat])
    if style.arms.mottle:
        _mottle(colour, style.arms.mottle, SEATS_SEED[seat])
    _draw_sleeve(colour, alpha, dict(style.sleeves)[seat], SEATS_SEED[seat], cuffs=style.arms.cuffs)
    soft = cv2.GaussianBlur(alpha, (0, 0), 1.1)
    toned = cv2.GaussianBlur(colour, (0, 0), 0.9)
    lit = cv2.multiply(toned, cv2.merge([soft, soft, soft]), scale=1 / 255)
    return np.asarray(cv2.merge([*cv2.split(lit), soft]), np.uint8)


SEATS_SEED: Final = {Seat.NORTH: 11, Seat.EAST: 12, Seat.SOUTH: 13, Seat.WEST: 14}
"""Seeds of the sleeves' folds."""


def _point(x: float, y: float) -> tuple[int, int]:
    return round((x + _MIDDLE) * _PX * 16), round(y * _PX * 16)


def _tone(colour: Colour, factor: float) -> Colour:
    return tuple(int(np.clip(value * factor, 0, 255)) for value in colour)  # type: ignore[return-value]


def _draw_hand(colour: Pixels, alpha: Pixels, skin: Colour) -> None:
    colour[: int(_HAND_MM * _PX)] = _tone(skin, 0.72)
    for layer, (shrink, factor) in enumerate(((0.0, 0.74), (2.6, 0.92), (7.0, 1.0))):
        tone = _tone(skin, factor)
        outline = np.array([_point(x * (1 - shrink / 60), y + shrink / 3) for x, y in _PALM], np.int32)
        for picture, value in ((colour, tone), (alpha, (255, 255, 255))):
            if picture is alpha and layer:
                continue
            _limb(picture, _THUMB, shrink, value)
            cv2.fillPoly(picture, [outline], value, cv2.LINE_AA, 4)
            for finger in _FINGERS:
                _limb(picture, finger, shrink, value)
    for _, tip, width in _FINGERS:
        _ellipse(colour, (tip[0], tip[1] + width * 0.1), (width * 0.26, width * 0.36), _tone(skin, 1.1))
    for start, tip, width in _FINGERS:
        middle = (start[0] * 0.42 + tip[0] * 0.58, start[1] * 0.42 + tip[1] * 0.58)
        _ellipse(colour, middle, (width * 0.3, 1.3), _tone(skin, 0.84))
        _ellipse(colour, (start[0], start[1] + 3), (width * 0.34, 4.5), _tone(skin, 0.93))
    top = colour[: int(_HAND_MM * _PX)]
    cv2.GaussianBlur(top, (0, 0), 2.2, top)


def _limb(
    picture: Pixels, limb: tuple[tuple[float, float], tuple[float, float], float], shrink: float, value: Colour
) -> None:
    start, tip, width = limb
    thickness = max(1, round((width - shrink) * _PX))
    # A line with a shift ends in round caps of its own thickness.
    cv2.line(picture, _point(*start), _point(*tip), value, thickness, cv2.LINE_AA, 4)


def _ellipse(picture: Pixels, centre: tuple[float, float], radii: tuple[float, float], value: Colour) -> None:
    axes = (round(radii[0] * _PX * 16), round(radii[1] * _PX * 16))
    cv2.ellipse(picture, _point(*centre), axes, 0, 0, 360, value, -1, cv2.LINE_AA, 4)


def _mottle(colour: Pixels, strength: float, seed: int) -> None:
    """Make skin lighter and darker from place to place: veins, sinews and blotches of some millimetres, and pores."""
    rng = np.random.default_rng((seed, 2))
    height, width = round(_HAND_MM * _PX), colour.shape[1]
    part = colour[:height]
    shade = np.ones((height, width), np.float32)
    for size_mm, share in ((12.0, 0.7), (4.0, 0.5), (0.7, 0.5)):
        spots = rng.standard_normal((round(_HAND_MM / size_mm) + 1, round(WIDTH_MM / size_mm) + 1)).astype(np.float32)
        shade += share * strength * cv2.resize(spots, (width, height), interpolation=cv2.INTER_CUBIC)
    part[:] = np.clip(part * shade[..., None], 0, 255).astype(np.uint8)


def _draw_sleeve(colour: Pixels, alpha: Pixels, cloth: Colour, seed: int, *, cuffs: bool) -> None:
    rng = np.random.default_rng(seed)
    height, width = alpha.shape
    mask = np.zeros_like(alpha)
    begins = 186 if cuffs else 176
    outline = [
        (-41, begins),
        (41, begins),
        (47, 330),
        (60, 620),
        (66, LENGTH_MM),
        (-66, LENGTH_MM),
        (-58, 620),
        (-46, 330),
    ]
    cv2.fillPoly(mask, [np.array([_point(*spot) for spot in outline], np.int32)], 255, cv2.LINE_AA, 4)
    x = (np.arange(width, dtype=np.float32) / _PX - _MIDDLE)[None, :]
    y = (np.arange(height, dtype=np.float32) / _PX)[:, None]
    half = np.interp(y, [186, 330, 620, LENGTH_MM], [41, 47, 60, 66]).astype(np.float32)
    round_off = np.sqrt(np.clip(1 - (x / half) ** 2, 0.02, 1))
    folds = cv2.resize(rng.standard_normal((70, 6)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    weave = rng.standard_normal((height, width)).astype(np.float32)
    shade = (0.55 + 0.5 * round_off) * (1 + 0.07 * folds + 0.035 * weave)
    fabric = np.clip(shade[..., None] * np.array(cloth, np.float32), 0, 255).astype(np.uint8)
    if cuffs:
        cuff = (y > 174) & (y < 190) & (np.abs(x) < 37.5)
        shirt = np.clip((0.72 + 0.26 * round_off)[..., None] * np.array((236, 238, 240), np.float32), 0, 255)
        np.copyto(colour, shirt.astype(np.uint8), where=cuff[..., None])
        np.copyto(alpha, np.uint8(255), where=cuff)
    np.copyto(colour, fabric, where=(mask > 0)[..., None])
    np.maximum(alpha, mask, out=alpha)
