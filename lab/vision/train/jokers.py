"""Corner signs of a joker: stars, letters, a jester's cap, the word in many letters and ways."""

from __future__ import annotations

from typing import Final

import numpy as np

FAMILIES: Final = (
    "DejaVu Sans",
    "DejaVu Serif",
    "Liberation Serif",
    "Bebas Neue",
    "C059",
    "URW Gothic",
    "Isabella",
    "TriodPostnaja",
    "Tomson Talks",
    "StayPuft",
    "Essays1743",
    "Domestic Manners",
    "Penguin Attack",
    "Radis Sans",
    "Mekanus ADF Std",
    "TeX Gyre Bonum",
    "Old Standard TT",
)
KINDS: Final = (
    "letters down",
    "letters down",
    "star",
    "star and J",
    "star and letters",
    "jester",
    "jester and letters",
    "word across",
    "word across",
    "ornament and word",
    "ornament and word",
    "word turned",
)
_GOLD: Final = "hsl(42,90%,52%)"


def joker_index(rng: np.random.Generator, x: float, y: float, height: float) -> str:
    """SVG of a joker's index in the corner where an index of ``height`` mm has its middle line at ``x`` and top ``y``.

    Its ink is called "@1", to be replaced by a colour; some parts are gold.
    """
    font, ink = str(rng.choice(FAMILIES)), "@1"
    bold = 700 if rng.random() < 0.6 else 400
    second = _GOLD if rng.random() < 0.4 else ink

    def text(word: str, tx: float, ty: float, size: float, anchor: str = "middle", turn: float = 0.0) -> str:
        return (
            f'<text x="{tx:.2f}" y="{ty:.2f}" font-size="{size:.2f}" text-anchor="{anchor}" font-family="{font}" '
            f'font-weight="{bold}" fill="{ink}" transform="rotate({turn:.0f} {tx:.2f} {ty:.2f})">{word}</text>'
        )

    def down(top: float, size: float, word: str = "JOKER") -> str:
        return "".join(text(c, x, top + (i + 0.9) * size, size * 1.2) for i, c in enumerate(word))

    word = str(rng.choice(["JOKER", "Joker", "JOKER", "joker", "JOLLY"]))
    r = height * rng.uniform(0.22, 0.32)
    match str(rng.choice(KINDS)):
        case "letters down":
            return down(y, height * rng.uniform(0.18, 0.3), "JOLLY" if word == "JOLLY" else "JOKER")
        case "star":
            return star(x, y + height * 0.35, r, second)
        case "star and J":
            return star(x, y + height * 0.3, r, second) + text("J", x, y + height, height * 0.5)
        case "star and letters":
            return star(x, y + height * 0.3, r, second) + down(y + height * 0.55, height / rng.uniform(5, 7))
        case "jester":
            return jester(x, y + height * 0.35, height * 0.33, ink)
        case "jester and letters":
            return jester(x, y + height * 0.25, height * 0.25, second) + down(y + height * 0.6, height / 6)
        case "word across":
            size = height * rng.uniform(0.4, 0.75)
            return text(word, x - height * 0.25, y + size * rng.uniform(0.8, 1.3), size, "start")
        case "word turned":
            return text(word, x + height * 0.1, y + height * rng.uniform(1.0, 1.5), height * 0.45, "start", -90.0)
        case _:
            size = height * rng.uniform(0.45, 0.8)
            marks = "".join(
                star(x + rng.uniform(-0.3, 0.35) * height, y + height * (0.1 + 0.27 * i), height * 0.11, second)
                if rng.random() < 0.6
                else moon(x + rng.uniform(-0.3, 0.35) * height, y + height * (0.1 + 0.27 * i), height * 0.13, second)
                for i in range(int(rng.integers(2, 5)))
            )
            return marks + text(
                word, x + height * rng.uniform(0.1, 0.4), y + size * rng.uniform(0.7, 1.1), size, "start"
            )


def star(x: float, y: float, r: float, colour: str) -> str:
    """A star of five points."""
    points = [
        (x + r * k * np.sin(np.pi * i / 5), y - r * k * np.cos(np.pi * i / 5))
        for i in range(10)
        for k in ((1.0 if i % 2 == 0 else 0.42),)
    ]
    return '<polygon points="' + " ".join(f"{a:.2f},{b:.2f}" for a, b in points) + f'" fill="{colour}"/>'


def moon(x: float, y: float, r: float, colour: str) -> str:
    """A crescent."""
    return (
        f'<path d="M{x - r:.2f},{y - r:.2f} A{r * 1.2:.2f},{r * 1.2:.2f} 0 1 1 {x - r:.2f},{y + r:.2f} '
        f'A{r * 1.7:.2f},{r * 1.7:.2f} 0 0 0 {x - r:.2f},{y - r:.2f}Z" fill="{colour}"/>'
    )


def jester(x: float, y: float, r: float, colour: str) -> str:
    """A cap with three bells over a face."""
    bells = "".join(
        f'<circle cx="{x + dx * r:.2f}" cy="{y + dy * r:.2f}" r="{r * 0.16:.2f}" fill="{colour}"/>'
        for dx, dy in ((-0.95, -0.25), (0.0, -0.9), (0.95, -0.25))
    )
    cap = (
        f'<path d="M{x - r * 0.95:.2f},{y - r * 0.2:.2f} '
        f"Q{x - r * 0.5:.2f},{y - r * 0.6:.2f} {x - r * 0.2:.2f},{y:.2f} "
        f"L{x:.2f},{y - r * 0.85:.2f} L{x + r * 0.2:.2f},{y:.2f} Q{x + r * 0.5:.2f},{y - r * 0.6:.2f} "
        f"{x + r * 0.95:.2f},{y - r * 0.2:.2f} L{x + r * 0.55:.2f},{y + r * 0.45:.2f} "
        f'L{x - r * 0.55:.2f},{y + r * 0.45:.2f}Z" fill="{colour}"/>'
    )
    face = f'<circle cx="{x:.2f}" cy="{y + r * 0.75:.2f}" r="{r * 0.4:.2f}" fill="none" stroke="{colour}"/>'
    return cap + bells + face
