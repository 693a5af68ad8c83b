"""Packs drawn at random: proportions, letters, shapes, colours, jokers; from the seed alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from hw.cards import JOKER, RANKS
from lab.vision.train.decks import FACE_SIZE, Deck, Image, flatten, render
from lab.vision.train.figures import placed
from lab.vision.train.fonts import FAMILIES
from lab.vision.train.jokers import joker_index
from lab.vision.train.pips import COUNTS, PIPS, SHARP, pip, pip_places
from lab.vision.train.strokes import drawn_rank


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
    four_corners: bool
    big_pip: float
    pips_in: float
    pips_down: float
    drawn: bool
    """Ranks are drawn by strokes, not set in ``font``."""
    flat_three: bool
    slab: bool
    thick: float
    """Thickness in a drawn rank's heights; a rank that is set is thickened by a part of it."""


def _colours(rng: np.random.Generator, *, black: bool) -> tuple[str, dict[str, str]]:
    """The paper's colour and those of the suits: mostly white, sometimes four colours, sometimes a black pack."""
    kind = rng.random()
    if black or kind < 0.2:  # a black pack: light inks on dark paper
        light = f"hsl({int(rng.integers(0, 360))},{int(rng.integers(0, 25))}%,{int(rng.integers(78, 100))}%)"
        red = f"hsl({int(rng.integers(-14, 20)) % 360},{int(rng.integers(60, 100))}%,{int(rng.integers(42, 66))}%)"
        red = light if rng.random() < 0.35 else red
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
    paper = f"hsl({int(rng.integers(30, 60))},{int(rng.integers(0, 40))}%,{int(rng.integers(86, 100))}%)"
    return paper, colours


@dataclass(frozen=True)
class Manner:
    """Parts of a random pack that are drawn in a way of their own.

    ``figures``: drawings of some ranks (``figures.placed``). ``joker``: makes a joker's index as ``joker_index`` does.
    ``free``: share of the height down to the index's end that is left free above a joker's picture, for its word.
    ``jokers``: their number, each with an index of its own. ``black``: light print on dark paper, whatever chance says.
    ``shapes``: draws the suits' shapes (``train.pip_shapes``); else they are those of ``train.pips``.
    """

    figures: Mapping[str, str]
    joker: Callable[[np.random.Generator, float, float, float], str]
    free: float
    jokers: int = 2
    black: bool = False
    shapes: Callable[[np.random.Generator], Mapping[str, str]] | None = None


PLAIN: Final = Manner({}, joker_index, 0.0)


def _style(rng: np.random.Generator, manner: Manner) -> _Style:
    paper, colours = _colours(rng, black=manner.black)
    jumbo = rng.random() < 0.18
    rank = rng.uniform(11.0, 16.5) if jumbo else rng.uniform(5.0, 10.5)
    size = rank * rng.uniform(0.42, 1.0)
    stretch = rng.uniform(0.6, 1.25)
    return _Style(
        font=str(rng.choice(FAMILIES)),
        bold=bool(rng.random() < 0.55),
        rank_height=rank,
        stretch=stretch,
        x=rng.uniform(1.8, 3.8) + max(size / 2, rank * 0.3 * stretch),
        y=rng.uniform(2.2, 5.5),
        gap=rng.uniform(0.3, 2.6),
        pip=size,
        colours=colours,
        paper=paper,
        shapes={s: (PIPS if rng.random() < 0.6 else SHARP)[s] for s in "HDCS"},
        ten="10" if rng.random() < 0.95 else "T",
        four_corners=bool(rng.random() < 0.16),
        big_pip=rng.uniform(8, 15),
        pips_in=rng.uniform(0.27, 0.36),
        pips_down=rng.uniform(0.14, 0.22),
        drawn=bool(rng.random() < 0.35),
        flat_three=bool(rng.random() < 0.3),
        slab=bool(rng.random() < 0.5),
        thick=rng.uniform(0.07, 0.24),
    )


def _rank(style: _Style, rank: str, colour: str, drawings: Mapping[str, str]) -> str:
    """A rank of the corner index: one of ``drawings``, drawn by strokes, or set in the style's font."""
    if rank in drawings:
        return placed(drawings[rank], style.x, style.y, style.rank_height, style.stretch, colour)
    flat = rank == "3" and style.flat_three
    if style.drawn or flat:
        return drawn_rank(
            rank,
            style.x,
            style.y,
            style.rank_height,
            style.stretch,
            style.thick,
            colour,
            slab=style.slab,
            flat=flat,
        )
    text = style.ten if rank == "T" else rank
    narrow = style.stretch * (0.66 if len(text) == 2 else 1.0)
    stroke = max(0.0, style.thick - 0.14) * style.rank_height * 0.5
    return (
        f'<g transform="translate({style.x:.2f},{style.y + style.rank_height:.2f}) scale({narrow:.3f},1)">'
        f'<text font-family="{style.font}" font-weight="{700 if style.bold else 400}" stroke="{colour}" '
        f'stroke-width="{stroke:.2f}" font-size="{style.rank_height * 1.38:.2f}" text-anchor="middle" '
        f'fill="{colour}">{text}</text></g>'
    )


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


def random_deck(rng: np.random.Generator, number: int, fonts: tuple[str, ...], manner: Manner = PLAIN) -> Deck:
    """A deck of random proportions, letters and shapes, drawn from ``rng`` alone, in the given manner."""
    style = _style(rng, manner)
    if manner.shapes is not None:
        style = replace(style, shapes=dict(manner.shapes(rng)))
    height = style.rank_height + style.gap + style.pip
    half = max(style.pip / 2, style.rank_height * 0.36 * style.stretch)
    box = (style.x - half, style.y, style.x + half, style.y + height)
    inset = rng.uniform(7.5, 13.0)

    def draw(inner: str, index: str) -> str:
        others = ""
        if style.four_corners:
            others = f'<g transform="translate({63 - 2 * style.x:.2f},0)">{index}</g>'
        return (
            f'<rect width="63" height="88" fill="{style.paper}"/>{inner}{index}'
            f'<g transform="rotate(180 31.5 44)">{index}{others}</g>{others}'
        )

    def face(rank: str, suit: str) -> str:
        colour = style.colours[suit]
        index = _rank(style, rank, colour, manner.figures) + pip(
            style.x, style.y + height - style.pip / 2, style.pip, style.shapes[suit], colour
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
                for x, y in pip_places(count, style.pips_in, style.pips_down)
            )
        return draw(inner, index)

    names = [r + s for s in "CDHS" for r in RANKS]
    drawings = [face(name[0], name[1]) for name in names]
    for number_of_joker in range(manner.jokers):
        first = "SH"[number_of_joker % 2]
        mark = manner.joker(rng, style.x, style.y, height).replace("@1", style.colours[first])
        low = max(inset + 4, min(34.0, manner.free * (style.y + height)))
        drawings.append(draw(_court(rng, style.colours[first], inset + 4, low), mark))
    cells = _cells(drawings, fonts)
    faces: dict[str, tuple[Image, ...]] = {name: (cells[n],) for n, name in enumerate(names)}
    faces[JOKER] = tuple(cells[52:])
    return Deck(f"random-{number:03d}", faces, (_random_back(rng),), box, four_corners=style.four_corners)


def _cells(drawings: list[str], fonts: tuple[str, ...]) -> list[Image]:
    """The drawings of 63 x 88 mm as pictures, rendered on one sheet: reading the fonts takes longer than the rest."""
    columns = 14
    rows = -(-len(drawings) // columns)
    parts = "".join(
        f'<svg x="{n % columns * 63}" y="{n // columns * 88}" width="63" height="88" viewBox="0 0 63 88">{d}</svg>'
        for n, d in enumerate(drawings)
    )
    size = f'width="{63 * columns}" height="{88 * rows}"'
    whole = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {63 * columns} {88 * rows}" {size}>{parts}</svg>'
    wide, tall = FACE_SIZE
    sheet = render(whole, wide * columns, fonts)
    return [
        flatten(sheet[r * tall : (r + 1) * tall, c * wide : (c + 1) * wide])
        for r, c in (divmod(n, columns) for n in range(len(drawings)))
    ]


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


def random_decks(count: int, seed: int, fonts: tuple[str, ...]) -> list[Deck]:
    """``count`` random decks; the same seed draws the same ones."""
    rng = np.random.default_rng(seed)
    return [random_deck(rng, n, fonts) for n in range(count)]
