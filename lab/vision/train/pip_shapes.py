"""Pip shapes of many designs: drawn from random proportions, or traced from the signs of fonts.

A shape is SVG path data in a box of about 96 by 96 units around the origin, y down, as those of ``train.pips``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from lab.vision.train.decks import render

Shapes = Mapping[str, str]

SIGNS: Final = {"S": "♠", "C": "♣", "H": "♥", "D": "♦"}
TRAIN_FONTS: Final = (
    "DejaVu Sans",
    "DejaVu Serif",
    "DejaVu Sans Mono",
    "Liberation Sans",
    "Liberation Serif",
    "Linux Biolinum O",
    "TeX Gyre Adventor",
    "Nimbus Roman",
    "Nimbus Sans",
    "URW Gothic",
    "P052",
)
"""Families whose suit signs are trained on."""
HELD_OUT_FONTS: Final = ("Linux Libertine O", "TeX Gyre Pagella", "C059", "URW Bookman", "Liberation Mono")
"""Families whose suit signs no training picture shows."""
DRAWN: Final = 320
"""Pixels across the drawing from which a sign is traced."""
LEAST: Final = 60.0
"""Square pixels; what is smaller in a drawing is no part of a sign."""


def random_shapes(rng: np.random.Generator) -> dict[str, str]:
    """The four shapes of one design, drawn from ``rng`` alone."""
    stem = _stem(rng)
    return {"S": _spade(rng, stem), "C": _club(rng, stem), "H": _heart(rng), "D": _diamond(rng)}


def font_shapes(family: str, fonts: tuple[str, ...]) -> dict[str, str]:
    """The four signs of ``family``, traced. Raises ValueError if a sign is empty."""
    return {suit: _traced(sign, family, fonts) for suit, sign in SIGNS.items()}


def shape_maker(fonts: tuple[str, ...], families: tuple[str, ...]) -> Callable[[np.random.Generator], Shapes]:
    """A function that draws one design: two of three by proportions, the others with the signs of ``families``."""
    known = list(dict.fromkeys(tuple(sorted(font_shapes(family, fonts).items())) for family in families))

    def make(rng: np.random.Generator) -> Shapes:
        if rng.random() < 0.66:
            return random_shapes(rng)
        shapes = dict(known[int(rng.integers(0, len(known)))])
        wide = float(np.exp(rng.normal(0, 0.08)))
        return {suit: _widened(path, wide) for suit, path in shapes.items()}

    return make


def font_files_of(files: tuple[str, ...], families: tuple[str, ...]) -> tuple[str, ...]:
    """Select the ``files`` that can hold ``families``: tracing a sign with all of them takes seconds."""
    words = tuple(_plain(family.replace("Linux ", "Lin").removesuffix(" O")) for family in families)
    return tuple(f for f in files if _plain(Path(f).stem).startswith(words))


def _plain(name: str) -> str:
    """A name in small letters and digits only."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _stem(rng: np.random.Generator) -> tuple[float, float, float]:
    """Half widths of a stem at its top and foot, and how far its sides bend (0 straight to 1)."""
    top = rng.uniform(1.5, 6.0)
    return top, top + rng.uniform(0.0, 18.0), rng.uniform(0.0, 1.0)


def _foot(stem: tuple[float, float, float], begin: float, end: float) -> str:
    """A stem from ``begin`` down to ``end``, as a closed part of a path."""
    top, foot, bend = stem
    middle = begin + (end - begin) * (0.5 + 0.4 * bend)
    inner = top + (foot - top) * 0.5 * (1 - bend)
    return (
        f"M{top:.1f},{begin:.1f} Q{inner:.1f},{middle:.1f} {foot:.1f},{end:.1f} L{-foot:.1f},{end:.1f} "
        f"Q{-inner:.1f},{middle:.1f} {-top:.1f},{begin:.1f}Z "
    )


def _round(x: float, y: float, r: float, flat: float = 1.0) -> str:
    """An ellipse as a closed part of a path, ``flat`` times as tall as wide."""
    tall = r * flat
    return f"M{x - r:.1f},{y:.1f} a{r:.1f},{tall:.1f} 0 1 1 {2 * r:.1f},0 a{r:.1f},{tall:.1f} 0 1 1 {-2 * r:.1f},0Z "


def _club(rng: np.random.Generator, stem: tuple[float, float, float]) -> str:
    """Three leaves, apart or grown together, and a stem."""
    r = rng.uniform(15.5, 24.0)
    upper = -47 + r
    aside = min(46 - r, r * rng.uniform(0.85, 1.35) + 2)
    lower = upper + r * rng.uniform(1.15, 1.75)
    side = r * rng.uniform(0.9, 1.1)
    end = rng.uniform(max(36.0, lower + 0.7 * side), 48.0)
    middle = (upper + 2 * lower) / 3
    core = r * rng.uniform(0.25, 0.75)
    flat = rng.uniform(0.9, 1.12)
    parts = _round(0, upper, r, flat) + _round(-aside, lower, side, flat) + _round(aside, lower, side, flat)
    return parts + _round(0, middle, core) + _foot(stem, middle, end)


def _spade(rng: np.random.Generator, stem: tuple[float, float, float]) -> str:
    """A leaf with its point up, round or sharp at its shoulders, notched or not, and a stem."""
    wide, shoulder = rng.uniform(32, 46), rng.uniform(0, 17)
    low = shoulder + rng.uniform(9, 22)
    notch = min(low - rng.uniform(-2, 16), 32.0)
    lean, bulge = rng.uniform(4, 18), rng.uniform(0.55, 1.05)
    end = rng.uniform(max(40.0, low + 6), 48.0)
    leaf = (
        f"M0,-47 C{lean:.1f},{-47 + 22 * bulge:.1f} {wide:.1f},{shoulder - 26 * bulge:.1f} {wide:.1f},{shoulder:.1f} "
        f"C{wide:.1f},{low:.1f} {wide * 0.25:.1f},{low + 6:.1f} 0,{notch:.1f} "
        f"C{-wide * 0.25:.1f},{low + 6:.1f} {-wide:.1f},{low:.1f} {-wide:.1f},{shoulder:.1f} "
        f"C{-wide:.1f},{shoulder - 26 * bulge:.1f} {-lean:.1f},{-47 + 22 * bulge:.1f} 0,-47Z "
    )
    return leaf + _foot(stem, notch - 6, end)


def _heart(rng: np.random.Generator) -> str:
    wide, shoulder, notch = rng.uniform(35, 47), rng.uniform(-26, -8), rng.uniform(-34, -16)
    lean, bulge = rng.uniform(2, 16), rng.uniform(0.5, 1.1)
    top = rng.uniform(1.15, 1.5)
    return (
        f"M0,47 C{lean:.1f},{47 - 24 * bulge:.1f} {wide:.1f},{shoulder + 26 * bulge:.1f} {wide:.1f},{shoulder:.1f} "
        f"C{wide:.1f},{shoulder - 20 * top:.1f} {wide * 0.2:.1f},{notch - 22 * top:.1f} 0,{notch:.1f} "
        f"C{-wide * 0.2:.1f},{notch - 22 * top:.1f} {-wide:.1f},{shoulder - 20 * top:.1f} {-wide:.1f},{shoulder:.1f} "
        f"C{-wide:.1f},{shoulder + 26 * bulge:.1f} {-lean:.1f},{47 - 24 * bulge:.1f} 0,47Z"
    )


def _diamond(rng: np.random.Generator) -> str:
    wide, tall, bow = rng.uniform(28, 46), rng.uniform(42, 48), rng.uniform(0.38, 0.56)
    x, y = wide * bow, tall * bow
    return (
        f"M0,{-tall:.1f} Q{x:.1f},{-y:.1f} {wide:.1f},0 Q{x:.1f},{y:.1f} 0,{tall:.1f} "
        f"Q{-x:.1f},{y:.1f} {-wide:.1f},0 Q{-x:.1f},{-y:.1f} 0,{-tall:.1f}Z"
    )


def _traced(sign: str, family: str, fonts: tuple[str, ...]) -> str:
    """The outline of a sign as a path, 96 units tall or wide; its holes are left out."""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="100" height="100">'
        f'<text x="50" y="75" font-family="{family}" font-size="80" text-anchor="middle">{sign}</text></svg>'
    )
    ink = render(svg, DRAWN, fonts)[..., 3]
    outlines = cv2.findContours((ink > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    outlines = [o for o in outlines if cv2.contourArea(o) > LEAST]
    if not outlines:
        raise ValueError(f"{family} has no sign {sign}")
    points = np.concatenate(outlines).reshape(-1, 2).astype(np.float64)
    middle, span = (points.min(axis=0) + points.max(axis=0)) / 2, float(np.ptp(points, axis=0).max())
    parts = []
    for outline in outlines:
        ring = (cv2.approxPolyDP(outline, 0.7, closed=True).reshape(-1, 2) - middle) * (94.0 / span)
        parts.append("M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in ring) + "Z")
    return " ".join(parts)


def _widened(path: str, wide: float) -> str:
    """A traced path ``wide`` times as wide."""
    return re.sub(r"(-?[0-9.]+),", lambda number: f"{float(number[1]) * wide:.1f},", path)
