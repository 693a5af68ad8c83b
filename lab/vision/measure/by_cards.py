"""``measure by_cards``: how true a camera calibrated by five cards is over the table, in millimetres, beside markers.

Each table has its own camera (up to ``--tilt`` degrees off the vertical, lens, noise, light, cloth) and its own hand
that lays the cards: up to ``--aside`` mm and half as many degrees from flush, one in four on its side. ``cards`` and
``markers``: the error at the worst and at the median place of the table; ``promised``: what the calibration expects of
itself; ``within``: how many tables kept that promise. ``--spoil`` leaves a card out, or lays one wrongly.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hw.layout import CARD_HEIGHT, CARD_WIDTH, DEFAULT_LAYOUT, Layout
from hw.twin.camera import Camera
from hw.twin.camera_style import CameraStyle, Colour
from hw.twin.scene import PlacedCard, Scene
from vision.calibration import Calibration, calibrate
from vision.card_calibration import CORNERS, POINTER, calibrate_by_cards
from vision.errors import CalibrationError

CLOTHS: Final[tuple[Colour, ...]] = (
    (62, 96, 34), (112, 70, 30), (40, 30, 108), (58, 58, 60), (92, 40, 74), (30, 92, 120),
)  # fmt: skip
"""Green, blue, wine-red, grey, violet and ochre, in BGR."""
BARE: Final = Layout(DEFAULT_LAYOUT.zones, ())
"""The table without markers."""
CARDS: Final = ("7H#1", "KS#1", "QD#1", "2C#1", "AS#1")
SPOILS: Final = ("", "missing", "fifth", "turned", "aside", "moved-in")


@dataclass(frozen=True, slots=True)
class TableLook:
    """One table's camera and the cards that a person laid for it."""

    camera: Camera
    with_markers: Camera
    scene: Scene


def a_table(seed: int, *, tilt: float, aside: float, px: tuple[int, int], spoil: str = "") -> TableLook:
    """Return the table of ``seed``; what ``spoil`` names is done to one of its cards."""
    rng = random.Random(f"{seed}/by-cards")  # noqa: S311 - reproducible scenes
    height, lean, way = rng.uniform(1050, 1350), rng.uniform(0, tilt), rng.uniform(0, 2 * math.pi)
    off = height * math.tan(math.radians(lean))
    style = CameraStyle(
        height=height,
        offset=(off * math.cos(way), off * math.sin(way)),
        roll=rng.uniform(-4, 4) + 90 * rng.randrange(4),
        k1=rng.uniform(-0.06, 0.01),
        psf=rng.uniform(0.7, 1.4),
        read_noise=rng.uniform(1.0, 3.0),
        gradient=rng.uniform(0.05, 0.45),
        light_from=rng.uniform(0, 360),
        warmth=rng.uniform(-0.05, 0.12),
        felt=rng.choice(CLOTHS),
        lamp=(rng.uniform(-300, 300), rng.uniform(-300, 300)),
    )
    half = DEFAULT_LAYOUT.side / 2
    cards = []
    for name, (x, y) in zip(CARDS, CORNERS.values(), strict=False):
        lies = rng.random() < 0.25
        wide, tall = (CARD_HEIGHT, CARD_WIDTH) if lies else (CARD_WIDTH, CARD_HEIGHT)
        cards.append(
            PlacedCard(
                name,
                x * (half - wide / 2) - x * rng.uniform(0, aside),
                y * (half - tall / 2) - y * rng.uniform(0, aside),
                (90.0 if lies else 0.0) + rng.uniform(-aside, aside) / 2,
                face_up=True,
            )
        )
    pointer = PlacedCard(
        CARDS[4],
        POINTER[0] * DEFAULT_LAYOUT.side + rng.uniform(-30, 30),
        POINTER[1] * DEFAULT_LAYOUT.side + rng.uniform(-30, 30),
        rng.uniform(0, 180),
        face_up=True,
    )
    laid = _spoilt([*cards, pointer], spoil, rng)
    cameras = [Camera(layout, style, seed=seed, width=px[0], height=px[1]) for layout in (BARE, DEFAULT_LAYOUT)]
    return TableLook(cameras[0], cameras[1], Scene(0.0, tuple(laid)))


def _spoilt(cards: list[PlacedCard], spoil: str, rng: random.Random) -> list[PlacedCard]:
    n = rng.randrange(4)
    one = cards[n]
    match spoil:
        case "missing":
            return cards[:n] + cards[n + 1 :]
        case "fifth":
            return cards[:4]
        case "turned":
            cards[n] = PlacedCard(one.card, one.x * 0.97, one.y * 0.97, one.angle + rng.uniform(12, 40), face_up=True)
        case "aside":
            cards[n] = PlacedCard(one.card, one.x * 0.94, one.y * 0.94, one.angle, face_up=True)
        case "moved-in":
            cards[n] = PlacedCard(one.card, one.x * 0.6, one.y * 0.7, one.angle, face_up=True)
    return cards


def errors_of(calibration: Calibration, camera: Camera) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return how far (mm) the calibration is from the camera's truth, at 361 places of the table."""
    t = np.linspace(-450, 450, 19)
    grid = np.stack(np.meshgrid(t, t), axis=-1).reshape(-1, 2)
    return np.asarray(np.hypot(*(calibration.to_table(camera.project_all(grid)) - grid).T), np.float64)


def measure(seed: int, tables: int, *, tilt: float, aside: float, px: tuple[int, int], spoil: str) -> dict[str, Any]:
    """Calibrate ``tables`` tables from ``seed`` on."""
    worst: list[float] = []
    middle: list[float] = []
    markers: list[float] = []
    promised: list[float] = []
    refused: dict[str, str] = {}
    for n in range(seed, seed + tables):
        look = a_table(n, tilt=tilt, aside=aside, px=px, spoil=spoil)
        try:
            found = calibrate_by_cards(look.camera.render(look.scene), BARE)
        except CalibrationError as error:
            refused[str(n)] = str(error)
            continue
        miss = errors_of(found, look.camera)
        worst.append(float(miss.max()))
        middle.append(float(np.median(miss)))
        promised.append(found.error_mm or 0.0)
        if not spoil:
            marked = calibrate(look.with_markers.render(Scene(0.0, ())), DEFAULT_LAYOUT)
            markers.append(float(errors_of(marked, look.with_markers).max()))
    return {
        "tables": tables,
        "calibrated": len(worst),
        "cards, worst place": _spread(worst),
        "cards, median place": _spread(middle),
        "promised": _spread(promised),
        "within": sum(a <= b for a, b in zip(worst, promised, strict=True)),
        "markers, worst place": _spread(markers),
        "refused": refused,
    }


def _spread(values: list[float]) -> dict[str, float] | None:
    if not values:
        return None
    return {"median": round(statistics.median(values), 2), "most": round(max(values), 2)}


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7100)
    parser.add_argument("--tilt", type=float, default=25.0, help="degrees off the vertical, at most")
    parser.add_argument("--aside", type=float, default=3.0, help="mm and half as many degrees from flush, at most")
    parser.add_argument("--px", type=int, nargs=2, default=(1920, 1080))
    parser.add_argument("--spoil", choices=SPOILS, default="")
    args = parser.parse_args()
    found = measure(
        args.seed, args.tables, tilt=args.tilt, aside=args.aside, px=(args.px[0], args.px[1]), spoil=args.spoil
    )
    print(json.dumps(found, indent=1))
