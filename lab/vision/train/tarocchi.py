"""Packs of 62 tarocchi without an index, drawn at random: suit signs, places of pips, figures that read either way."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from hw.layout import CARD_HEIGHT, CARD_WIDTH
from hw.pack.raster import svg_bgra
from hw.twin.camera_cards import Artwork

_PIPS = {"A": 1, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10}
_SUITS = "CDSB"


def drawn_tarocchi(design: int) -> Artwork:
    """The pictures of the pack ``design``, BGRA, by card (``KC``, ``t16``, ``back-blue``) and pixels a millimetre."""

    @cache
    def picture(card: str, px_per_mm: float) -> NDArray[np.uint8]:
        size = round(CARD_WIDTH * px_per_mm), round(CARD_HEIGHT * px_per_mm)
        drawn = svg_bgra(_svg(card, design), *size)
        drawn.flags.writeable = False
        return drawn

    return picture


def _svg(card: str, design: int) -> str:
    paper = np.random.default_rng(design).choice(["#f6f0de", "#fbfbf6", "#efe6cf", "#f4ead8"])
    if card.startswith("back"):
        inner = '<path d="M6,6h51v76h-51Z" fill="#7a2530"/>'
    elif len(card) == 2 and card[1] in _SUITS and card[0] in _PIPS:
        inner = _pips(card, design)
    else:
        inner = _figure(card, design)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}" width="63" height="88">'
        f'<rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="3.5" fill="{paper}"/>'
        f'<rect x="2.6" y="2.6" width="57.8" height="82.8" rx="2" fill="none" stroke="#444" stroke-width=".5"/>'
        f"{inner}</svg>"
    )


def _pips(card: str, design: int) -> str:
    rng = np.random.default_rng((design, 7))
    side = rng.uniform(13, 17)
    count = _PIPS[card[0]]
    rows = count // 2
    spots = [(x, 13 + 62 * k / max(1, rows - 1)) for k in range(rows) for x in (side, 63 - side)] if count > 1 else []
    spots += [(31.5, 44.0)] if count % 2 else []
    sign, large = _sign(_SUITS.index(card[1]), design), 3.2 if count == 1 else 1.0
    return "".join(
        f'<g transform="translate({x:.2f},{y:.2f}) rotate({180 if y > 44.1 else 0}) scale({large})">{sign}</g>'
        for x, y in spots
    )


def _sign(suit: int, design: int) -> str:
    rng = np.random.default_rng((design, 11, suit))
    points = int(rng.integers(5, 9))
    turns = np.sort(rng.uniform(0, 2 * np.pi, points))
    far = rng.uniform(2.6, 6.2, points)
    ring = " ".join(f"{r * np.cos(a):.2f},{r * np.sin(a):.2f}" for a, r in zip(turns, far, strict=True))
    hue = (90 * suit + int(rng.integers(0, 50))) % 360
    return (
        f'<polygon points="{ring}" fill="hsl({hue},65%,42%)" stroke="#222" stroke-width=".6"/>'
        f'<circle r="{rng.uniform(0.8, 1.9):.2f}" fill="hsl({(hue + 160) % 360},70%,70%)" stroke="#222" '
        'stroke-width=".3"/>'
    )


def _figure(card: str, design: int) -> str:
    rng = np.random.default_rng((design, *card.encode()))
    parts = []
    for _ in range(18):
        x, y, w, h = rng.uniform(7, 50), rng.uniform(7, 38), rng.uniform(3, 17), rng.uniform(3, 13)
        colour = f"hsl({int(rng.integers(0, 360))},{int(rng.integers(30, 90))}%,{int(rng.integers(22, 78))}%)"
        ink = f'fill="{colour}" stroke="#222" stroke-width=".4"/>'
        if rng.random() < 0.5:
            parts.append(f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{w / 2:.1f}" ry="{h / 2:.1f}" {ink}')
        else:
            parts.append(f'<path d="M{x:.1f},{y:.1f} l{w:.1f},{h / 2:.1f} l{-h / 2:.1f},{w / 2:.1f}Z" {ink}')
    half = "".join(parts)
    return (
        '<clipPath id="h"><rect x="3" y="3" width="57" height="41"/></clipPath>'
        f'<g clip-path="url(#h)">{half}</g><g transform="rotate(180 31.5 44)"><g clip-path="url(#h)">{half}</g></g>'
    )
