"""A pack like the Tarocco bolognese, drawn by this code: 62 tall faces without an index, pips and figures alike."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import resvg_py
from numpy.typing import NDArray

from hw.cards import TAROCCO

WIDE, TALL = 52, 102
COUNTS = {"A": 1, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10}
SHAPES = {
    "C": ('<path d="M-5,-6 h10 q0,8 -4,9 v4 h3 v2 h-8 v-2 h3 v-4 q-4,-1 -4,-9Z" fill="#b8860b" stroke="#400"/>'),
    "D": (
        '<circle r="5.5" fill="#e0b020" stroke="#822"/><circle r="3" fill="none" stroke="#822"/>'
        '<path d="M-3,0h6M0,-3v6" stroke="#822"/>'
    ),
    "S": (
        '<path d="M-1,-8 L1,-8 L1.2,4 L4,4 L4,5.5 L1,5.5 L1,9 L-1,9 L-1,5.5 L-4,5.5 L-4,4 L-1.2,4Z" '
        'fill="#468" stroke="#124"/>'
    ),
    "B": (
        '<path d="M-2,-8 q2,-2 4,0 l0.5,15 q-2.5,2 -5,0Z" fill="#4a7a2a" stroke="#231"/>'
        '<path d="M-2,-3h4M-2,2h4" stroke="#231"/>'
    ),
}


def _places(count: int) -> list[tuple[float, float]]:
    if count == 1:
        return [(26, 51)]
    side = count // 2
    rows = [(x, 14 + 74 * k / (side - 1)) for k in range(side) for x in (14, 38)]
    return rows + ([(26, 51)] if count % 2 else [])


def _figure(name: str) -> str:
    """Bright shapes that follow from the name alone."""
    rng = np.random.default_rng([ord(c) for c in name])
    parts = []
    for _ in range(26):
        x, y, w, h = rng.uniform(6, 40), rng.uniform(8, 86), rng.uniform(3, 16), rng.uniform(3, 18)
        paint = f"hsl({int(rng.integers(0, 360))},{int(rng.integers(35, 95))}%,{int(rng.integers(20, 75))}%)"
        outline = f'fill="{paint}" stroke="#222" stroke-width="0.4"/>'
        if rng.random() < 0.5:
            parts.append(f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{w / 2:.1f}" ry="{h / 2:.1f}" {outline}')
        else:
            parts.append(f'<path d="M{x:.1f},{y:.1f} l{w:.1f},{h / 2:.1f} l{-h / 2:.1f},{w:.1f}Z" {outline}')
    return "".join(parts)


@cache
def face(name: str) -> NDArray[np.uint8]:
    """The face as BGR, 6 px a millimetre."""
    inner = ""
    if len(name) == 2 and name[1] in SHAPES and name[0] in COUNTS:
        size = 2.2 if name[0] == "A" else 1.0
        for x, y in _places(COUNTS[name[0]]):
            turn = 180 if y > 51.5 else 0
            inner += f'<g transform="translate({x:.1f},{y:.1f}) rotate({turn}) scale({size})">{SHAPES[name[1]]}</g>'
    elif len(name) == 2 and name[1] in SHAPES:
        inner = _figure(name) + f'<g transform="translate(11,14)">{SHAPES[name[1]]}</g>'
    else:
        inner = _figure(name)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {TALL}" width="{WIDE}" height="{TALL}">'
    paper = f'<rect width="{WIDE}" height="{TALL}" fill="#f4eedd"/>'
    frame = f'<rect x="2.5" y="2.5" width="{WIDE - 5}" height="{TALL - 5}" fill="none" stroke="#333"/>'
    svg = f"{head}{paper}{frame}{inner}</svg>"
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDE * 6))
    return np.ascontiguousarray(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR))


def photograph(
    cards: Sequence[tuple[str | NDArray[np.uint8], float, float, float]],
    seed: int,
    size: tuple[int, int] = (1400, 1000),
    per_mm: float = 3.0,
) -> NDArray[np.uint8]:
    """Cards (name or BGR picture at 6 px a mm, x px, y px, degrees) on cloth, from a little aside, unevenly lit."""
    rng = np.random.default_rng(seed)
    out = np.full((size[1], size[0], 3), (60, 96, 34), np.float32) + rng.normal(0, 5, (size[1], size[0], 1))
    for name, x, y, degrees in cards:
        picture = face(name) if isinstance(name, str) else name
        height, width = picture.shape[:2]
        view = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, per_mm / 6)
        view[:, 2] += np.array([x - width / 2, y - height / 2])
        mask = cv2.warpAffine(np.full((height, width), 255, np.uint8), view, size, flags=cv2.INTER_AREA)
        drawn = cv2.warpAffine(picture, view, size, flags=cv2.INTER_AREA).astype(np.float32)
        alpha = mask.astype(np.float32)[..., None] / 255
        out = out * (1 - alpha) + drawn * alpha
    ring = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    moved = ring + rng.uniform(-0.03, 0.03, (4, 2)).astype(np.float32) * size[0]
    view = cv2.getPerspectiveTransform(ring, moved.astype(np.float32))
    out = cv2.warpPerspective(out, view, size, borderMode=cv2.BORDER_REFLECT_101)
    out *= np.linspace(0.75, 1.05, size[0])[None, :, None]
    out = cv2.GaussianBlur(out, (0, 0), 0.8) + rng.normal(0, 4, out.shape)
    return np.clip(out, 0, 255).astype(np.uint8)


ALL = tuple(TAROCCO.copies)
