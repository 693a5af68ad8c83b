"""Trays of bidding cards, drawn at random: baize, wood, plastic, with an edge and lines or without."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from hw.seats import SEATS
from hw.twin.camera_style import ArmLook, CameraStyle, Colour, TrayLook

SURFACES: Final[tuple[Colour, ...]] = (
    (70, 120, 60),
    (52, 88, 40),
    (110, 72, 34),
    (90, 45, 25),
    (40, 30, 110),
    (60, 60, 62),
    (120, 120, 125),
    (30, 30, 32),
    (70, 110, 160),
    (50, 80, 120),
    (150, 185, 205),
    (95, 70, 105),
)
"""Blue, green, red of baize, painted board, plastic and wood."""
EDGES: Final[tuple[Colour, ...]] = ((40, 70, 120), (60, 60, 60), (150, 150, 150), (25, 25, 25), (60, 95, 145))
SPREAD: Final = 12
"""Largest error of a colour."""


def drawn_tray(seed: int) -> TrayLook:
    """A tray's look, the same for the same seed."""
    rng = np.random.default_rng((seed, 41))

    def near(colours: tuple[Colour, ...]) -> Colour:
        b, g, r = (int(v) for v in np.clip(np.add(rng.choice(colours), rng.integers(-SPREAD, SPREAD + 1, 3)), 8, 225))
        return b, g, r

    surface = near(SURFACES)
    edge = near(EDGES) if rng.random() < 0.7 else surface
    lines = None
    if rng.random() < 0.5:
        off = 50 if sum(surface) < 330 else -50
        b, g, r = (min(255, max(0, v + off)) for v in surface)
        lines = b, g, r
    return TrayLook(surface, edge, float(rng.uniform(2.0, 11.0)), lines, float(rng.uniform(0.01, 0.06)))


def with_arms_like_the_tray(style: CameraStyle, seed: int) -> CameraStyle:
    """Return the style with people whose arms have the colour of its tray, or, without a tray, of the cloth.

    One has both skin and sleeve of it, one skin alone, one a sleeve alone, the last both again, a shade off. No white
    cuff parts them, and their shadow may be faint.
    """
    rng = np.random.default_rng((seed, 43))
    ground = style.felt if style.tray is None else style.tray.surface

    def near(by: float) -> Colour:
        light = 1.0 + by * float(rng.uniform(-1.0, 1.0))
        b, g, r = (int(v) for v in np.clip(np.multiply(ground, light) + rng.uniform(-3.0, 3.0, 3), 8, 250))
        return b, g, r

    seats = [SEATS[int(n)] for n in rng.permutation(len(SEATS))]
    skins, sleeves = dict(style.skins), dict(style.sleeves)
    for n, seat in enumerate(seats):
        if n != 2:
            skins[seat] = near(0.15 if n == len(seats) - 1 else 0.04)
        if n != 1:
            sleeves[seat] = near(0.15 if n == len(seats) - 1 else 0.04)
    arms = ArmLook(cuffs=False, mottle=float(rng.uniform(0.01, 0.05)), shadow=float(rng.uniform(0.05, 0.45)))
    return replace(style, skins=tuple(skins.items()), sleeves=tuple(sleeves.items()), arms=arms)
