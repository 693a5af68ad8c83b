"""Packs drawn at random: proportions, letters, shapes, colours, jokers; from the seed alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from hw.cards import JOKER, RANKS
from vision.train.artwork import unpack
from vision.train.decks import FACE_SIZE, Deck, Image, flatten, render
from vision.train.pips import COUNTS, PIPS, SHARP, pip, pip_places

DEBIAN_FONTS: Final = (
    "fonts-dejavu-core",
    "fonts-liberation",
    "fonts-lato",
    "fonts-bebas-neue",
    "fonts-roboto-slab",
    "fonts-crosextra-carlito",
    "fonts-crosextra-caladea",
    "fonts-league-spartan",
    "fonts-urw-base35",
    "fonts-linuxlibertine",
    "fonts-oldstandard",
)
FAMILIES: Final = (
    "DejaVu Sans",
    "DejaVu Serif",
    "Liberation Sans",
    "Liberation Serif",
    "Liberation Sans Narrow",
    "Lato",
    "Bebas Neue",
    "Roboto Slab",
    "Carlito",
    "Caladea",
    "League Spartan",
    "Nimbus Roman",
    "Nimbus Sans",
    "Nimbus Sans Narrow",
    "C059",
    "P052",
    "URW Bookman",
    "URW Gothic",
    "Linux Libertine O",
    "Linux Biolinum O",
    "Old Standard TT",
)
JOKERS: Final = ("letters down", "star", "star and J", "word across", "jester", "star and letters")


@dataclass(frozen=True)
class _Style:
    """The proportions of one random deck, millimetres."""

    font: str
    bold: bool
    rank_height: float
    stretch: float
    x: float
    y: float
    gap: float
    pip: float
    colours: dict[str, str]
    paper: str
    shapes: dict[str, str]
    ten: str
    joker: str
    four_corners: bool
    big_pip: float


def _colours(rng: np.random.Generator) -> tuple[str, dict[str, str]]:
    """The paper's colour and those of the suits: mostly white, sometimes four colours, sometimes a black pack."""
    kind = rng.random()
    if kind < 0.12:  # a black pack: light inks on dark paper
        light = f"hsl({int(rng.integers(0, 360))},{int(rng.integers(0, 25))}%,{int(rng.integers(78, 100))}%)"
        red = f"hsl({int(rng.integers(-14, 20)) % 360},{int(rng.integers(60, 100))}%,{int(rng.integers(42, 66))}%)"
        red = light if rng.random() < 0.2 else red
        paper = f"hsl({int(rng.integers(0, 360))},{int(rng.integers(0, 30))}%,{int(rng.integers(3, 16))}%)"
        return paper, {"S": light, "C": light, "H": red, "D": red}
    dark = f"hsl({int(rng.integers(0, 360))},{int(rng.integers(0, 35))}%,{int(rng.integers(2, 20))}%)"
    red = f"hsl({int(rng.integers(-14, 14)) % 360},{int(rng.integers(65, 100))}%,{int(rng.integers(34, 54))}%)"
    colours = {"S": dark, "C": dark, "H": red, "D": red}
    if kind > 0.82:
        colours["C"] = f"hsl({int(rng.integers(100, 160))},80%,{int(rng.integers(20, 38))}%)"
        colours["D"] = f"hsl({int(rng.integers(200, 240))},80%,{int(rng.integers(30, 50))}%)"
        if rng.random() < 0.3:
            colours["D"] = f"hsl({int(rng.integers(28, 50))},90%,{int(rng.integers(40, 55))}%)"
    paper = f"hsl({int(rng.integers(30, 60))},{int(rng.integers(0, 40))}%,{int(rng.integers(90, 100))}%)"
    return paper, colours


def _style(rng: np.random.Generator) -> _Style:
    paper, colours = _colours(rng)
    jumbo = rng.random() < 0.18
    rank = rng.uniform(11.0, 16.5) if jumbo else rng.uniform(5.0, 10.5)
    size = rank * rng.uniform(0.45, 0.95)
    return _Style(
        font=str(rng.choice(FAMILIES)),
        bold=bool(rng.random() < 0.55),
        rank_height=rank,
        stretch=rng.uniform(0.62, 1.1),
        x=rng.uniform(2.0, 3.8) + max(size / 2, rank * 0.27),
        y=rng.uniform(2.2, 5.5),
        gap=rng.uniform(0.4, 2.4),
        pip=size,
        colours=colours,
        paper=paper,
        shapes={s: (PIPS if rng.random() < 0.6 else SHARP)[s] for s in "HDCS"},
        ten="10" if rng.random() < 0.95 else "T",
        joker=JOKERS[int(rng.integers(0, len(JOKERS)))],
        four_corners=bool(rng.random() < 0.12),
        big_pip=rng.uniform(9, 14),
    )


def _text(text: str, x: float, y: float, size: float, style: _Style, colour: str, turn: float = 0.0) -> str:
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size:.2f}" text-anchor="middle" font-family="{style.font}" '
        f'font-weight="700" fill="{colour}" transform="rotate({turn:.0f} {x:.2f} {y:.2f})">{text}</text>'
    )


def _star(x: float, y: float, r: float, colour: str) -> str:
    points = [
        (x + r * k * np.sin(np.pi * i / 5), y - r * k * np.cos(np.pi * i / 5))
        for i in range(10)
        for k in ((1.0 if i % 2 == 0 else 0.42),)
    ]
    return '<polygon points="' + " ".join(f"{a:.2f},{b:.2f}" for a, b in points) + f'" fill="{colour}"/>'


def _jester(x: float, y: float, r: float, colour: str) -> str:
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


def _joker_index(style: _Style, colour: str, height: float) -> str:
    x, y = style.x, style.y
    r = height * 0.26
    star = _star(x, y + height * 0.3, r, colour)
    match style.joker:
        case "letters down":
            size = height / 5
            return "".join(_text(c, x, y + (i + 0.9) * size, size * 1.2, style, colour) for i, c in enumerate("JOKER"))
        case "star":
            return star
        case "star and J":
            return star + _text("J", x, y + height, height * 0.5, style, colour)
        case "word across":
            return _text(
                "Joker" if style.bold else "JOKER", x + height * 0.45, y + height * 0.4, height * 0.42, style, colour
            )
        case "jester":
            return _jester(x, y + height * 0.35, height * 0.33, colour)
        case _:
            size = height / 6.5
            down = "".join(
                _text(c, x, y + height * 0.62 + i * size, size * 1.2, style, colour) for i, c in enumerate("JOKER")
            )
            return star + down


def _court(rng: np.random.Generator, colour: str, x0: float, y0: float) -> str:
    """A court card's picture: a frame and random bright shapes, the same turned by 180 degrees."""
    frame = (
        f'<rect x="{x0:.1f}" y="{y0:.1f}" width="{63 - 2 * x0:.1f}" height="{88 - 2 * y0:.1f}" fill="none" '
        f'stroke="{colour}" stroke-width="0.4"/>'
    )
    parts = [frame]
    for _ in range(int(rng.integers(8, 30))):
        paint = f"hsl({int(rng.integers(0, 360))},{int(rng.integers(30, 100))}%,{int(rng.integers(15, 80))}%)"
        x, y = rng.uniform(x0 + 4, 59 - x0), rng.uniform(y0 + 3, 44)
        w, h = rng.uniform(1, 14, 2)
        kind = rng.random()
        if kind < 0.4:
            mark = f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{w / 2:.1f}" ry="{h / 2:.1f}" fill="{paint}"/>'
        elif kind < 0.8:
            mark = f'<path d="M{x:.1f},{y:.1f} l{w:.1f},{h:.1f} l{-h:.1f},{w / 3:.1f}Z" fill="{paint}"/>'
        else:  # thin lines, as faces and folds are drawn
            mark = (
                f'<path d="M{x:.1f},{y:.1f} q{w:.1f},{-h:.1f} {w * 0.6:.1f},{h:.1f} t{-w / 2:.1f},{h / 2:.1f}" '
                f'fill="none" stroke="{paint}" stroke-width="0.5"/>'
            )
        parts.append(mark + f'<g transform="rotate(180 31.5 44)">{mark}</g>')
    return "".join(parts)


def random_deck(rng: np.random.Generator, number: int, fonts: tuple[str, ...]) -> Deck:
    """A deck of random proportions, letters and shapes, drawn from ``rng`` alone."""
    style = _style(rng)
    height = style.rank_height + style.gap + style.pip
    half = max(style.pip / 2, style.rank_height * 0.36 * style.stretch)
    box = (style.x - half, style.y, style.x + half, style.y + height)
    inset = rng.uniform(7.5, 13.0)

    def draw(inner: str, index: str) -> Image:
        others = ""
        if style.four_corners:
            others = f'<g transform="translate({63 - 2 * style.x:.2f},0)">{index}</g>'
        svg = (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63 88" width="63" height="88">'
            f'<rect width="63" height="88" fill="{style.paper}"/>{inner}{index}'
            f'<g transform="rotate(180 31.5 44)">{index}{others}</g>{others}</svg>'
        )
        return flatten(render(svg, FACE_SIZE[0], fonts))

    def face(rank: str, suit: str) -> Image:
        colour = style.colours[suit]
        text = style.ten if rank == "T" else rank
        narrow = style.stretch * (0.66 if len(text) == 2 else 1.0)
        index = (
            f'<g transform="translate({style.x:.2f},{style.y + style.rank_height:.2f}) scale({narrow:.3f},1)">'
            f'<text font-family="{style.font}" font-weight="{700 if style.bold else 400}" '
            f'font-size="{style.rank_height * 1.38:.2f}" text-anchor="middle" fill="{colour}">{text}</text></g>'
            + pip(style.x, style.y + height - style.pip / 2, style.pip, style.shapes[suit], colour)
        )
        count = COUNTS.get(rank)
        if count is None:
            big = pip(inset + 8, inset + 8, style.big_pip, style.shapes[suit], colour)
            inner = _court(rng, colour, inset, inset) + big + f'<g transform="rotate(180 31.5 44)">{big}</g>'
        elif count == 1:
            inner = pip(31.5, 44, rng.uniform(14, 36), style.shapes[suit], colour)
        else:
            inner = "".join(
                pip(63 * x, 88 * y, style.big_pip, style.shapes[suit], colour, turned=y > 0.5)
                for x, y in pip_places(count)
            )
        return draw(inner, index)

    faces: dict[str, tuple[Image, ...]] = {r + s: (face(r, s),) for s in "CDHS" for r in RANKS}
    faces[JOKER] = tuple(
        draw(_court(rng, colour, inset, inset), _joker_index(style, colour, height))
        for colour in (style.colours["S"], style.colours["H"])
    )
    return Deck(f"random-{number:03d}", faces, (_random_back(rng),), box, four_corners=style.four_corners)


def _random_back(rng: np.random.Generator) -> Image:
    """A patterned back with or without a white border."""
    paint = f"hsl({int(rng.integers(0, 360))},{int(rng.integers(40, 95))}%,{int(rng.integers(20, 50))}%)"
    edge = rng.uniform(0, 5) if rng.random() < 0.8 else 0.0
    step = rng.uniform(2, 7)
    lines = "".join(
        f'<path d="M{k * step - 90:.1f},0 l88,88 M{k * step:.1f},0 l-88,88" stroke="white" stroke-width="0.5"/>'
        for k in range(int(160 / step))
    )
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63 88" width="63" height="88">'
        '<rect width="63" height="88" fill="white"/>'
        f'<clipPath id="c"><rect x="{edge:.1f}" y="{edge:.1f}" width="{63 - 2 * edge:.1f}" '
        f'height="{88 - 2 * edge:.1f}"/></clipPath>'
        f'<g clip-path="url(#c)"><rect width="63" height="88" fill="{paint}"/>{lines}</g></svg>'
    )
    return flatten(render(svg, FACE_SIZE[0]))


def font_files(work: Path) -> tuple[str, ...]:
    """The upright fonts of DEBIAN_FONTS."""
    files: list[str] = []
    for package in DEBIAN_FONTS:
        for kind in ("*.ttf", "*.otf"):
            files += [str(p) for p in sorted(unpack(package, work).rglob(kind))]
    slanted = ("Oblique", "Italic", "Thin", "Hairline", "Light.", "BdIta", "_RI", "_RBI", "_RZI", "_I.", "_K.")
    return tuple(f for f in files if not any(w in Path(f).name for w in slanted))


def random_decks(count: int, seed: int, fonts: tuple[str, ...]) -> list[Deck]:
    """``count`` random decks; the same seed draws the same ones."""
    rng = np.random.default_rng(seed)
    return [random_deck(rng, n, fonts) for n in range(count)]
