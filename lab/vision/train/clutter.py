"""Clutter around cards: print, cloth with patterns, carpets, stripes, leaves, chips, keys."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.vision.train.decks import Image, render
from lab.vision.train.fonts import FAMILIES
from lab.vision.train.pips import PIPS, SHARP

SIZE = 512
"""Pixels of a sheet's side."""
TEXT = "la il una tavolo gioco punti 1946 10 Q4 A9 KING joker J. 7 carte 36 JACK 2A K 8 55 K3 R. of the and 9 6"
REMOTE_SIGNS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "OK", "+", "-", "VOL", "A", "K", "J", "Q", "TV", "AV")


def _colour(rng: np.random.Generator) -> str:
    return f"hsl({int(rng.integers(0, 360))},{int(rng.integers(0, 100))}%,{int(rng.integers(5, 98))}%)"


def _print(rng: np.random.Generator) -> str:
    """Lines of text in one or two sizes, as on books, labels and newspapers."""
    ink, font = _colour(rng), str(rng.choice(FAMILIES))
    rows, y = [], 0.0
    while y < SIZE:
        size = float(np.exp(rng.uniform(np.log(9), np.log(70)))) if rng.random() < 0.3 else rng.uniform(9, 16)
        y += size * 1.2
        line = " ".join(str(w) for w in rng.choice(TEXT.split(), 40))
        weight = 700 if rng.random() < 0.4 else 400
        rows.append(
            f'<text x="{rng.uniform(-60, 20):.0f}" y="{y:.0f}" font-size="{size:.1f}" font-family="{font}" '
            f'font-weight="{weight}" fill="{ink if rng.random() < 0.8 else _colour(rng)}">{line}</text>'
        )
    return "".join(rows)


def _shapes(rng: np.random.Generator) -> str:
    """Scattered or ordered hearts, spades, stars, leaves, discs and rings."""
    parts = []
    paints = [_colour(rng) for _ in range(int(rng.integers(1, 4)))]
    kinds = [*PIPS.values(), *SHARP.values()]
    for _ in range(int(rng.integers(20, 140))):
        x, y, r = rng.uniform(0, SIZE), rng.uniform(0, SIZE), float(np.exp(rng.uniform(np.log(4), np.log(60))))
        paint, turn = str(rng.choice(paints)), rng.uniform(0, 360)
        kind = rng.random()
        if kind < 0.25:
            shape = f'<path d="{rng.choice(kinds)}" fill="{paint}"/>'
        elif kind < 0.45:
            points = " ".join(
                f"{48 * k * np.sin(np.pi * i / 5):.0f},{48 * k * np.cos(np.pi * i / 5):.0f}"
                for i in range(10)
                for k in ((1.0 if i % 2 else 0.45),)
            )
            shape = f'<polygon points="{points}" fill="{paint}"/>'
        elif kind < 0.65:
            shape = f'<circle r="40" fill="none" stroke="{paint}" stroke-width="{rng.uniform(4, 30):.0f}"/>'
        elif kind < 0.85:
            shape = f'<path d="M-48,0 Q0,-40 48,0 Q0,40 -48,0Z M-48,0 L48,0" fill="{paint}" stroke="#222"/>'
        else:
            shape = f'<rect x="-40" y="-30" width="80" height="60" rx="8" fill="{paint}"/>'
        parts.append(f'<g transform="translate({x:.0f},{y:.0f}) rotate({turn:.0f}) scale({r / 48:.3f})">{shape}</g>')
    return "".join(parts)


def _stripes(rng: np.random.Generator) -> str:
    step, thick = rng.uniform(8, 60), rng.uniform(2, 30)
    lines = "".join(
        f'<path d="M{k * step:.0f},-300 V900" stroke="{_colour(rng) if rng.random() < 0.2 else "#888"}" '
        f'stroke-width="{thick:.0f}"/>'
        for k in range(-20, 80)
    )
    crossed = f'<g transform="rotate(90 256 256)" opacity="0.6">{lines}</g>' if rng.random() < 0.5 else ""
    return f'<g transform="rotate({rng.uniform(0, 180):.0f} 256 256)">{lines}{crossed}</g>'


def _keys(rng: np.random.Generator) -> str:
    """A keyboard or a row of labels: dark or light plates with one or two signs each."""
    plate, ink = ("#222", "#eee") if rng.random() < 0.6 else ("#eee", "#222")
    step, parts = rng.uniform(30, 70), []
    for row in range(int(SIZE / step) + 1):
        for column in range(int(SIZE / step) + 1):
            sign = str(rng.choice(list("QWERTYUIOPASDFGHJKL1234567890")))
            x, y = column * step + row * step * 0.3, row * step
            parts.append(
                f'<rect x="{x:.0f}" y="{y:.0f}" width="{step * 0.88:.0f}" height="{step * 0.88:.0f}" rx="4" '
                f'fill="{plate}"/><text x="{x + step * 0.3:.0f}" y="{y + step * 0.5:.0f}" font-family="DejaVu Sans" '
                f'font-size="{step * 0.42:.0f}" fill="{ink}">{sign}</text>'
            )
    return "".join(parts)


def _remote(rng: np.random.Generator) -> str:
    """Remote controls and calculators: plates with rows of round or square buttons, a sign or two upon each."""
    parts = []
    for _ in range(int(rng.integers(1, 4))):
        body, ink = ("#1c1c20", "#e8e8e8") if rng.random() < 0.7 else ("#d8d8d0", "#20242c")
        wide, step = rng.uniform(110, 190), rng.uniform(26, 44)
        across = max(2, int(wide / step) - 1)
        keys = [
            f'<rect x="8" y="8" width="{wide - 16:.0f}" height="34" fill="{_colour(rng)}"/>'
            if rng.random() < 0.4
            else ""
        ]
        for n in range(across * 9):
            x, y = (n % across + 0.9) * step, (n // across + 2.0) * step
            paint = _colour(rng) if rng.random() < 0.25 else body
            sign = str(rng.choice(REMOTE_SIGNS))
            keys.append(
                f'<rect x="{x - step * 0.4:.0f}" y="{y - step * 0.36:.0f}" width="{step * 0.8:.0f}" '
                f'height="{step * 0.62:.0f}" rx="{rng.uniform(2, step * 0.3):.0f}" fill="{paint}" stroke="#777"/>'
                f'<text x="{x:.0f}" y="{y + step * 0.14:.0f}" font-family="DejaVu Sans" text-anchor="middle" '
                f'font-size="{step * rng.uniform(0.3, 0.5):.0f}" fill="{ink}">{sign}</text>'
            )
        place = f"translate({rng.uniform(-40, 420):.0f},{rng.uniform(-60, 260):.0f}) rotate({rng.uniform(-60, 60):.0f})"
        parts.append(
            f'<g transform="{place}"><rect width="{wide:.0f}" height="430" rx="22" fill="{body}"/>{"".join(keys)}</g>'
        )
    return "".join(parts)


def _boxes(rng: np.random.Generator) -> str:
    """Cartons and card boxes: plates with a large word, a pip or a number in a corner, and small print."""
    parts = []
    for _ in range(int(rng.integers(2, 7))):
        wide, tall = rng.uniform(90, 260), rng.uniform(110, 300)
        ink, font = _colour(rng), str(rng.choice(FAMILIES))
        word = str(rng.choice(TEXT.split()))
        shape = str(rng.choice([*PIPS.values(), *SHARP.values()]))
        corner = rng.uniform(12, 40)
        inner = (
            f'<text x="{corner * 0.5:.0f}" y="{corner * 1.2:.0f}" font-size="{corner:.0f}" font-family="{font}" '
            f'fill="{ink}">{word}</text>'
            f'<g transform="translate({wide * 0.5:.0f},{tall * 0.55:.0f}) scale({rng.uniform(0.2, 0.9):.2f})">'
            f'<path d="{shape}" fill="{ink if rng.random() < 0.6 else _colour(rng)}"/></g>'
            f'<text x="{wide * 0.1:.0f}" y="{tall * 0.9:.0f}" font-size="11" font-family="{font}" fill="{ink}">'
            f"{TEXT}</text>"
        )
        place = f"translate({rng.uniform(-40, 430):.0f},{rng.uniform(-40, 430):.0f}) rotate({rng.uniform(0, 360):.0f})"
        parts.append(
            f'<g transform="{place}"><rect width="{wide:.0f}" height="{tall:.0f}" rx="6" fill="{_colour(rng)}" '
            f'stroke="#555"/>{inner}</g>'
        )
    return "".join(parts)


def _cloth(rng: np.random.Generator) -> str:
    """Patterned cloth: one to three small shapes, letters among them, again and again in crossed rows."""
    step = rng.uniform(22, 70)
    shapes = [str(s) for s in rng.choice([*PIPS.values(), *SHARP.values()], 2)]
    inks = [_colour(rng) for _ in range(2)]
    letter = str(rng.choice(list("A2345678JQK")))
    shift = rng.choice([0.0, 0.5])
    parts = []
    for n in range((int(SIZE / step) + 3) ** 2):
        row, column = divmod(n, int(SIZE / step) + 3)
        x, y = (column - 1 + shift * (row % 2)) * step, (row - 1) * step
        if n % 3 == 2 and rng.random() < 0.9:
            parts.append(f'<text x="{x:.0f}" y="{y:.0f}" font-size="{step * 0.6:.0f}" fill="{inks[0]}">{letter}</text>')
        else:
            parts.append(
                f'<g transform="translate({x:.0f},{y:.0f}) scale({step / 160:.3f})">'
                f'<path d="{shapes[n % 2]}" fill="{inks[n % 2]}"/></g>'
            )
    return f'<g transform="rotate({rng.uniform(0, 90):.0f} 256 256)">{"".join(parts)}</g>'


def hard_sheets(count: int, seed: int, fonts: tuple[str, ...]) -> list[Image]:
    """``count`` pictures like those of ``sheets``, of what was taken for cards: keys, remotes, boxes, cloth, print."""
    rng = np.random.default_rng([seed, 5])
    return [_sheet(rng, (_keys, _remote, _boxes, _cloth, _print)[n % 5], fonts) for n in range(count)]


def sheets(count: int, seed: int, fonts: tuple[str, ...]) -> list[Image]:
    """``count`` pictures of SIZE square, BGR, drawn from ``seed`` alone."""
    rng = np.random.default_rng([seed, 3])
    return [_sheet(rng, (_print, _shapes, _stripes, _keys, _print, _shapes)[n % 6], fonts) for n in range(count)]


def _sheet(rng: np.random.Generator, draw: Callable[[np.random.Generator], str], fonts: tuple[str, ...]) -> Image:
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" height="{SIZE}">'
        f'<rect width="{SIZE}" height="{SIZE}" fill="{_colour(rng)}"/>{draw(rng)}</svg>'
    )
    return np.ascontiguousarray(render(svg, SIZE, fonts)[..., :3])


def background(rng: np.random.Generator, size: int, shelf: list[Image]) -> NDArray[np.float32]:
    """Felt, wood, carpet, cloth with a pattern or things lying about: BGR float32, ``size`` square."""
    kind = rng.random()
    hue, saturation, value = rng.integers(0, 180), rng.integers(0, 230), rng.integers(15, 235)
    if kind < 0.4:  # the greens and blues of card tables
        hue, saturation, value = rng.integers(45, 125), rng.integers(90, 230), rng.integers(40, 150)
    elif kind < 0.48:  # tables as white as the cards
        saturation, value = rng.integers(0, 35), rng.integers(165, 250)
    elif kind < 0.54:  # and as black
        saturation, value = rng.integers(0, 60), rng.integers(5, 45)
    colour = cv2.cvtColor(np.array([[[hue, saturation, value]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)
    base = np.empty((size, size, 3), np.float32)
    base[:] = colour
    if kind > 0.72 and shelf:  # a clutter sheet, turned and scaled
        turn, grow = rng.uniform(0, 360), float(np.exp(rng.uniform(np.log(0.35), np.log(1.6)))) * size / SIZE
        view = np.asarray(cv2.getRotationMatrix2D((SIZE / 2, SIZE / 2), turn, grow), np.float64)
        view[:, 2] += size / 2 - SIZE / 2
        sheet = shelf[int(rng.integers(0, len(shelf)))]
        drawn = cv2.warpAffine(sheet, view, (size, size), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)
        base = np.asarray(drawn, np.float32)
    strength = np.float32(rng.uniform(0, 14) if rng.random() < 0.7 else rng.uniform(14, 55))
    fine = int(rng.integers(2, 10))
    coarse = rng.normal(0, 1, (size // fine + 1, size // fine + 1)).astype(np.float32)
    if 0.54 < kind < 0.64:  # grain runs one way
        coarse = rng.normal(0, 1, (size // 3 + 1, 4)).astype(np.float32)
        coarse = coarse if rng.random() < 0.5 else np.ascontiguousarray(coarse.T)
    cloud = cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC)
    base = base + np.asarray(cloud, np.float32)[..., None] * strength
    return np.asarray(base + rng.normal(0, rng.uniform(0, 12), (size, size, 1)), np.float32)
