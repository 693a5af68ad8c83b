"""The word of a joker across its corner, in the many ways it is lettered: scripts, capitals, arcs, ornaments."""

from __future__ import annotations

from typing import Final

import numpy as np

from lab.vision.train.jokers import FAMILIES, jester, moon, star
from lab.vision.train.pips import PIPS, pip

DEBIAN_FONTS: Final = (
    "fonts-blankenburg",
    "fonts-dancingscript",
    "fonts-havana",
    "fonts-kaushanscript",
    "fonts-klaudia-berenika",
    "fonts-leckerli-one",
    "fonts-lobstertwo",
    "fonts-okolaks",
)
ORNATE: Final = (
    "Blankenburg_UNZ1A",
    "Dancing Script",
    "Havana",
    "Kaushan Script",
    "Klaudia",
    "Berenika",
    "Leckerli One",
    "Lobster Two",
    "okolaks",
    "Isabella",
    "TriodPostnaja",
    "Essays1743",
    "Domestic Manners",
    "Tomson Talks",
    "StayPuft",
)
EDGE: Final = 1.2
"""Millimetres from a card's edge that stay free."""
_GOLD: Final = "hsl(42,90%,52%)"


def word_index(rng: np.random.Generator, x: float, y: float, height: float) -> str:
    """SVG of a joker's corner where an index of ``height`` mm has its middle line at ``x`` and top ``y``.

    Its ink is called "@1", as in ``jokers.joker_index``; the word begins at the index's place or beside it.
    """
    word = str(rng.choice(["Joker", "Joker", "JOKER", "joker", "Jolly", "JOLLY"]))
    size = height * rng.uniform(0.36, 0.85)
    about = rng.random() < 0.6
    left = max(EDGE, x + height * (rng.uniform(0.0, 0.5) if about else rng.uniform(-0.4, 0.1)))
    base = y + max(size * 0.75, height * rng.uniform(0.45, 0.95))
    marks = _ornaments(rng, x, y, height) if about else ""
    if not about and rng.random() < 0.4:
        paint = _GOLD if rng.random() < 0.5 else "@1"
        marks = star(x, y + height * rng.uniform(0.1, 0.95), height * rng.uniform(0.1, 0.25), paint)
    return marks + _lettered(rng, word, left, base, size)


def _lettered(rng: np.random.Generator, word: str, left: float, base: float, size: float) -> str:
    """The word from ``left`` on, its letters on ``base`` (mm) or on an arc or up and down about it."""
    font = str(rng.choice(ORNATE if rng.random() < 0.6 else FAMILIES))
    bold = 700 if rng.random() < 0.5 else 400
    lean = rng.uniform(-14, 0) if rng.random() < 0.3 else 0.0
    narrow = rng.uniform(0.6, 1.5)
    bow = rng.uniform(-0.25, 0.25) if rng.random() < 0.35 else 0.0
    hop = rng.uniform(0.0, 0.14) if rng.random() < 0.4 else 0.0
    first = rng.uniform(1.15, 2.0) if rng.random() < 0.5 else 1.0
    hollow = rng.random() < 0.15
    paints = ["@1"]
    if rng.random() < 0.2:
        paints = [f"hsl({int(h)},80%,45%)" for h in rng.integers(0, 360, 3)]
    at, parts = left, []
    for n, letter in enumerate(word):
        tall = size * (first if n == 0 else 1.0)
        step = tall * narrow * {"J": 0.5, "j": 0.35, "L": 0.6, "l": 0.35, "y": 0.55}.get(letter, 0.62)
        along = (n - len(word) / 2) / len(word)
        drop = size * (bow * (0.25 - along * along) * 8 + hop * float(rng.normal())) + (tall - size) * 0.35
        paint = paints[n % len(paints)]
        ink = f'fill="none" stroke="{paint}" stroke-width="{size * 0.05:.2f}"' if hollow else f'fill="{paint}"'
        turn = -90 * bow * 8 * 2 * along * 0.1 + hop * 60 * float(rng.normal())
        parts.append(
            f'<g transform="translate({at:.2f},{base + drop:.2f}) rotate({turn:.1f}) skewX({lean:.1f}) '
            f'scale({narrow:.3f},1)"><text font-size="{tall:.2f}" font-family="{font}" font-weight="{bold}" '
            f"{ink}>{letter}</text></g>"
        )
        at += step * rng.uniform(0.9, 1.15)
    return "".join(parts)


def _ornaments(rng: np.random.Generator, x: float, y: float, height: float) -> str:
    """Stars, moons, pips, a cap or rings where a suited card has its index."""
    kinds = rng.choice(["star", "moon", "pip", "cap", "ring"], int(rng.integers(1, 3)), replace=False)
    paints = ["@1", _GOLD, f"hsl({int(rng.integers(0, 360))},75%,45%)"]
    parts = []
    for n in range(int(rng.integers(1, 6))):
        kind, paint = str(kinds[n % len(kinds)]), str(rng.choice(paints[: int(rng.integers(1, 4))]))
        r = height * rng.uniform(0.07, 0.17)
        px, py = max(EDGE + r, x + height * rng.uniform(-0.4, 0.4)), y + height * rng.uniform(0.05, 1.0)
        match kind:
            case "star":
                parts.append(star(px, py, r, paint))
            case "moon":
                parts.append(f'<g transform="rotate({rng.uniform(0, 360):.0f} {px:.2f} {py:.2f})">')
                parts.append(moon(px, py, r, paint) + "</g>")
            case "pip":
                parts.append(pip(px, py, 2 * r, PIPS[str(rng.choice(list("HDCS")))], paint))
            case "cap":
                parts.append(jester(px, py, 1.3 * r, paint))
            case _:
                parts.append(f'<circle cx="{px:.2f}" cy="{py:.2f}" r="{r:.2f}" fill="none" stroke="{paint}"/>')
    return "".join(parts)
