"""The figures of our pack: jack, queen, king and joker, plain geometry in each suit's colours.

A figure is drawn as an upper half around the card's centre (x to the right, y downwards, millimetres) and repeated
turned by half a circle, so that it reads from both ends; a belt covers the seam.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from hw.layout import CARD_HEIGHT, CARD_WIDTH
from hw.pack.glyphs import SUIT_FILLS, star
from hw.pack.shapes import stroke
from hw.pack.style import CourtColours, PackStyle

_HALF_WIDTH: Final = 19.6
_HALF_HEIGHT: Final = 36.2
_CENTRE: Final = f"{CARD_WIDTH / 2:g} {CARD_HEIGHT / 2:g}"

_HAIR: Final = {"H": "#c08a35", "D": "#8c4a22", "C": "#4b2f1f", "S": "#2b2830"}
_BEARD: Final = {"H": "#c08a35", "D": "#8c4a22", "C": "#4b2f1f", "S": "#8f939c"}


def court_body(rank: str, suit: str, style: PackStyle) -> str:
    """Return the figure of ``rank`` (J, Q, K) in ``suit`` within its frame, at its place on the card."""
    colours, ink = style.court_of(suit), style.ink_of(suit)
    figure = {"J": _jack, "Q": _queen, "K": _king}[rank](suit, colours, style)
    pip = f'<path transform="translate(-13 -28.6) scale(.088) translate(-50 -50)" d="{SUIT_FILLS[suit]}" fill="{ink}"/>'
    half = f"{_robe(suit, colours, style)}{figure}{pip}"
    return _framed(rank + suit, half, _belt(colours, style), ink, style)


def joker_body(style: PackStyle, colour: str) -> str:
    """Return the jester in the joker's own ink, within the same frame as the courts."""
    colours = CourtColours(colour, style.gold, "#2f7f79")
    stars = "".join(
        f'<path transform="translate({x} {y})" d="{star(5, size, size * 0.42)}" fill="{style.gold}"/>'
        for x, y, size in ((-14.6, -30.5, 2.6), (14.6, -30.5, 2.6), (-16.4, -18, 1.5), (16.4, -18, 1.5))
    )
    half = _motley(colours, style) + _jester(colours, style) + stars
    return _framed("JK" + colour[1:], half, _belt(colours, style), colour, style)


def _framed(name: str, half: str, belt: str, ink: str, style: PackStyle) -> str:
    width, height = 2 * _HALF_WIDTH, 2 * _HALF_HEIGHT
    key = f"{style.name}-{name}"
    box = f'x="{-_HALF_WIDTH:g}" width="{width:g}"'
    return (
        f'<g transform="translate({_CENTRE})"><defs><clipPath id="c-{key}">'
        f'<rect {box} y="{-_HALF_HEIGHT:g}" height="{_HALF_HEIGHT:g}"/></clipPath>'
        f'<g id="h-{key}" clip-path="url(#c-{key})" stroke-linejoin="round" stroke-linecap="round">{half}</g></defs>'
        f'<rect {box} y="{-_HALF_HEIGHT:g}" height="{height:g}" rx="1.6" fill="#fbf3dd"/>'
        f'<use href="#h-{key}"/><use href="#h-{key}" transform="rotate(180)"/>{belt}'
        f'<rect {box} y="{-_HALF_HEIGHT:g}" height="{height:g}" rx="1.6" fill="none" stroke="{ink}" '
        f'stroke-width=".6"/></g>'
    )


def _shape(path: str, fill: str, style: PackStyle, width: float = 0.45) -> str:
    return f'<path d="{path}" fill="{fill}" stroke="{style.line}" stroke-width="{width:g}"/>'


def _dot(x: float, y: float, radius: float, colour: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}"/>'


def _belt(colours: CourtColours, style: PackStyle) -> str:
    gems = "".join(
        f'<path d="M{x} -1.1L{x + 1.5} 0L{x} 1.1L{x - 1.5} 0Z" fill="{colours.robe}"/>' for x in range(-16, 17, 4)
    )
    return (
        f'<rect x="{-_HALF_WIDTH:g}" y="-2.1" width="{2 * _HALF_WIDTH:g}" height="4.2" fill="{style.gold}" '
        f'stroke="{style.line}" stroke-width=".45"/>{gems}'
    )


def _robe(suit: str, colours: CourtColours, style: PackStyle) -> str:
    """Shoulders, the suit's own ornament on them, and the panel in the middle."""
    shoulders = "M-20 1V-4C-19 -9.5 -13 -12 -5.5 -13.5H5.5C13 -12 19 -9.5 20 -4V1Z"
    ornament = "".join(_ornament(suit, side, colours) for side in (-1, 1))
    panel = _shape("M-4.6 -12L0 -7.5L4.6 -12L5.6 1H-5.6Z", colours.second, style)
    buttons = "".join(_dot(0, y, 0.65, colours.trim) for y in (-5.6, -3.4))
    return _shape(shoulders, colours.robe, style) + ornament + panel + buttons


def _ornament(suit: str, side: int, colours: CourtColours) -> str:
    if suit == "H":
        return "".join(
            stroke(f"M{side * 7} {y}L{side * 11} {y + 2.4}L{side * 16} {y + 0.6}", colours.second, 0.8)
            for y in (-9.2, -6.4, -3.6)
        )
    if suit == "D":
        return "".join(
            f'<path d="M{side * x} {y - 1.7}l1.3 1.7l-1.3 1.7l-1.3 -1.7z" fill="{colours.trim}"/>'
            for x, y in ((8.2, -8.6), (11.8, -5.6), (15.4, -7.2), (8.4, -3.9), (17.6, -4))
        )
    if suit == "C":
        return "".join(
            _dot(side * x, y, 0.95, colours.second)
            for x, y in ((8.2, -9), (11.4, -7), (14.6, -8), (8.6, -4.6), (12.2, -4), (16, -4.6))
        )
    return "".join(
        stroke(f"M{side * x} {y}V1", colours.second, 0.85) for x, y in ((8, -11.7), (11, -10.8), (14, -9.2), (17, -6.6))
    )


def _face(style: PackStyle, *, lips: str) -> str:
    line = style.line
    return (
        _shape("M-3 -16V-11.5L0 -8.8L3 -11.5V-16Z", style.skin, style)
        + _shape(
            "M-5.3 -21.5C-5.3 -27 5.3 -27 5.3 -21.5C5.3 -16.6 2.6 -13.6 0 -13.6C-2.6 -13.6 -5.3 -16.6 -5.3 -21.5Z",
            style.skin,
            style,
        )
        + stroke("M-3.6 -22.5Q-2.4 -23.3 -1.2 -22.6M1.2 -22.6Q2.4 -23.3 3.6 -22.5M-.1 -21.4L-.7 -18.6H.4", line, 0.4)
        + _dot(-2.3, -21, 0.55, line)
        + _dot(2.3, -21, 0.55, line)
        + stroke("M-1.3 -16.7Q0 -15.9 1.3 -16.7", lips, 0.7)
    )


def _king(suit: str, colours: CourtColours, style: PackStyle) -> str:
    hair, beard = _HAIR[suit], _BEARD[suit]
    if suit == "S":
        hair = beard
    locks = _shape(
        "M-6.6 -24C-8.6 -20 -6.8 -17 -8.4 -13.4C-5.6 -12 -4 -13.6 -4 -16V-24ZM6.6 -24C8.6 -20 6.8 -17 8.4 -13.4"
        "C5.6 -12 4 -13.6 4 -16V-24Z",
        hair,
        style,
    )
    chin = _shape(
        "M-5.3 -20.5C-5.8 -14 -3.4 -9.2 0 -8.2C3.4 -9.2 5.8 -14 5.3 -20.5C4.4 -18.4 2.4 -17.9 0 -18"
        "C-2.4 -17.9 -4.4 -18.4 -5.3 -20.5Z",
        beard,
        style,
    )
    mouth = stroke("M-1.2 -16Q0 -15.4 1.2 -16", "#b5162f", 0.7)
    crown = _shape("M-6.6 -24.6L-8 -32.4L-3.9 -28.6L0 -34.2L3.9 -28.6L8 -32.4L6.6 -24.6Z", style.gold, style)
    band = _shape("M-6.7 -26.3Q0 -24.7 6.7 -26.3L6.5 -23.6Q0 -22.2 -6.5 -23.6Z", colours.robe, style)
    gems = _dot(-8, -32.8, 0.9, colours.trim) + _dot(0, -34.4, 1, colours.trim) + _dot(8, -32.8, 0.9, colours.trim)
    jewels = "".join(_dot(x, y, 0.6, colours.second) for x, y in ((-3.8, -24.3), (0, -23.9), (3.8, -24.3)))
    fur = _shape(
        "M-13.4 -11.6C-9 -12.6 -6 -13.2 -4.4 -13.6L0 -7.6L4.4 -13.6C6 -13.2 9 -12.6 13.4 -11.6"
        "C11.4 -8 5.4 -5.6 0 -4.6C-5.4 -5.6 -11.4 -8 -13.4 -11.6Z",
        "#fdfaf2",
        style,
    )
    spots = "".join(
        stroke(f"M{x} {y}v.9", style.line, 0.55)
        for x, y in ((-9.4, -10.8), (-6.2, -9.4), (-3, -7.6), (0, -6.6), (3, -7.6), (6.2, -9.4), (9.4, -10.8))
    )
    return (
        _sceptre(colours, style)
        + locks
        + _face(style, lips=style.skin)
        + chin
        + mouth
        + crown
        + band
        + gems
        + jewels
        + fur
        + spots
        + _hand(13.6, -8, style)
    )


def _sceptre(colours: CourtColours, style: PackStyle) -> str:
    return (
        stroke("M13.6 0V-23", style.line, 1.9)
        + stroke("M13.6 0V-23", style.gold, 1.1)
        + f'<circle cx="13.6" cy="-25.2" r="2.6" fill="{colours.robe}" stroke="{style.line}" stroke-width=".45"/>'
        + stroke("M11 -25.2H16.2", style.gold, 0.7)
        + _shape("M13 -27.6V-29.2H11.6V-30.4H13V-31.8H14.2V-30.4H15.6V-29.2H14.2V-27.6Z", style.gold, style, 0.3)
    )


def _hand(x: float, y: float, style: PackStyle) -> str:
    return (
        f'<ellipse cx="{x:g}" cy="{y:g}" rx="2.7" ry="2.1" fill="{style.skin}" stroke="{style.line}" '
        f'stroke-width=".45"/>' + stroke(f"M{x - 2.3:g} {y + 0.1:g}h3.2M{x - 2:g} {y + 1:g}h2.8", style.line, 0.3)
    )


def _queen(suit: str, colours: CourtColours, style: PackStyle) -> str:
    hair = _HAIR[suit]
    veil = _shape("M-7 -27C-11.4 -22 -10.4 -16 -13 -11.4H13C10.4 -16 11.4 -22 7 -27Z", colours.second, style)
    locks = _shape(
        "M0 -28.4C-7 -28.6 -8 -23 -7.4 -19.4C-7 -16 -8.2 -14 -8.6 -11.6C-5.6 -10.8 -3.4 -12.4 -3.6 -16"
        "L-4.6 -23Q0 -24.6 4.6 -23L3.6 -16C3.4 -12.4 5.6 -10.8 8.6 -11.6C8.2 -14 7 -16 7.4 -19.4"
        "C8 -23 7 -28.6 0 -28.4Z",
        hair,
        style,
    )
    fringe = _shape(
        "M0 -27.6C-4.4 -27.4 -5.8 -24.4 -5.4 -21.4C-3.6 -22.6 -1 -24 0 -25.6C1 -24 3.6 -22.6 5.4 -21.4"
        "C5.8 -24.4 4.4 -27.4 0 -27.6Z",
        hair,
        style,
    )
    crown = _shape(
        "M-6 -26.4L-7.4 -30.4L-4.4 -29L-2.6 -32L0 -29.6L2.6 -32L4.4 -29L7.4 -30.4L6 -26.4Q0 -28 -6 -26.4Z",
        style.gold,
        style,
    )
    pearls = "".join(
        _dot(x, y, 0.75, colours.trim) for x, y in ((-7.5, -30.8), (-2.6, -32.5), (2.6, -32.5), (7.5, -30.8))
    )
    collar = _shape(
        "M-8.4 -12.6C-6.4 -13.4 -4.6 -13.6 -3.6 -13.8L0 -8.4L3.6 -13.8C4.6 -13.6 6.4 -13.4 8.4 -12.6"
        "C7.4 -9.6 3.4 -7.4 0 -6.4C-3.4 -7.4 -7.4 -9.6 -8.4 -12.6Z",
        "#fdfaf2",
        style,
    )
    beads = "".join(
        _dot(x, y, 0.55, style.gold) for x, y in ((-5, -10.9), (-2.8, -9), (0, -7.6), (2.8, -9), (5, -10.9))
    )
    return (
        veil
        + locks
        + _face(style, lips="#b5162f")
        + fringe
        + crown
        + pearls
        + collar
        + beads
        + _flower(colours, style)
        + _hand(13.6, -7.6, style)
    )


def _flower(colours: CourtColours, style: PackStyle) -> str:
    petals = "".join(
        f'<circle cx="{13.6 + 2.1 * cos(2 * pi * n / 6):.2f}" cy="{-20 + 2.1 * sin(2 * pi * n / 6):.2f}" r="1.45" '
        f'fill="{colours.robe}" stroke="{style.line}" stroke-width=".35"/>'
        for n in range(6)
    )
    return (
        stroke("M13.6 -6V-17.5", "#2e6b46", 0.9)
        + _shape("M13.6 -12.6C15.2 -15.2 17 -15.2 18 -15C17.4 -13.2 15.8 -12.2 13.6 -12.6Z", "#2e6b46", style, 0.3)
        + petals
        + _dot(13.6, -20, 1.4, style.gold)
    )


def _jack(suit: str, colours: CourtColours, style: PackStyle) -> str:
    hair = _HAIR[suit]
    bob = _shape(
        "M-6 -26C-8.6 -22 -8.8 -17.6 -8.4 -14.6C-6.4 -13.6 -4.6 -14.4 -4.2 -16L-4.8 -24H4.8L4.2 -16"
        "C4.6 -14.4 6.4 -13.6 8.4 -14.6C8.8 -17.6 8.6 -22 6 -26Z",
        hair,
        style,
    )
    fringe = _shape("M-5.6 -25.6V-22.4Q-2.8 -23.8 0 -23.4Q2.8 -23.8 5.6 -22.4V-25.6Z", hair, style)
    cap = _shape(
        "M-8.6 -24.8C-10.4 -29.4 -4 -32.4 1 -32C6.4 -31.6 9.6 -28.4 8.4 -24.8Q0 -27 -8.6 -24.8Z", colours.robe, style
    )
    brim = _shape("M-8.8 -25.4Q0 -27.8 8.6 -25.4L8.2 -23.4Q0 -25.6 -8.4 -23.4Z", colours.second, style)
    plume = _shape(
        "M5.4 -26C6.6 -31.4 3 -34.4 -2.6 -34.8C-.4 -33.6 -.2 -32.6 -1.6 -31.8C1 -31.6 1.4 -30.6 .6 -29.6"
        "C3 -29.4 3.6 -28.2 5.4 -26Z",
        "#fdfaf2",
        style,
    )
    quill = stroke("M5.2 -26.4C4.8 -30 2.4 -32.8 -1 -34", style.line, 0.35)
    clasp = _dot(5.3, -25.8, 1.1, style.gold)
    ruff = "".join(
        f'<circle cx="{x:g}" cy="{y:g}" r="1.7" fill="#fdfaf2" stroke="{style.line}" stroke-width=".4"/>'
        for x, y in ((-6, -12.3), (6, -12.3), (-3.6, -10.6), (3.6, -10.6), (-1.2, -9.4), (1.2, -9.4))
    )
    return (
        _halberd(style)
        + bob
        + _face(style, lips="#b5162f")
        + fringe
        + cap
        + brim
        + plume
        + quill
        + clasp
        + ruff
        + _hand(13.6, -8, style)
    )


def _halberd(style: PackStyle) -> str:
    return (
        stroke("M13.6 0V-26", style.line, 1.7)
        + stroke("M13.6 0V-26", "#8a5a2b", 0.9)
        + _shape("M13.6 -34.4L15 -29.4L13.6 -26.4L12.2 -29.4Z", "#cfd6df", style)
        + _shape("M14.2 -27.8C17.4 -29.4 18.4 -26.4 17.6 -22.2C16.6 -23.8 15.4 -24 14.2 -23.6Z", "#cfd6df", style)
        + _shape("M13 -26.6L10 -25.4L13 -24.2Z", "#cfd6df", style)
    )


def _motley(colours: CourtColours, style: PackStyle) -> str:
    left = _shape("M-20 1V-4C-19 -9.5 -13 -12 -5.5 -13.5H0V1Z", colours.robe, style)
    right = _shape("M20 1V-4C19 -9.5 13 -12 5.5 -13.5H0V1Z", colours.trim, style)
    checks = "".join(
        f'<path d="M{x} {y - 2.3}l1.9 2.3l-1.9 2.3l-1.9 -2.3z" fill="{colours.second}"/>'
        for x, y in ((-14, -6.6), (-8.4, -5.2), (8.4, -5.2), (14, -6.6))
    )
    return left + right + checks


def _jester(colours: CourtColours, style: PackStyle) -> str:
    left = _shape(
        "M0 -24C0 -29 -3 -33.4 -8.6 -32.6C-13.4 -31.8 -15.6 -27 -14.4 -22C-12.6 -25 -10 -25.8 -8 -24.8"
        "C-6.8 -24.2 -6.2 -23 -6 -21.6Q-3 -23.6 0 -24Z",
        colours.robe,
        style,
    )
    right = _shape(
        "M0 -24C0 -29 3 -33.4 8.6 -32.6C13.4 -31.8 15.6 -27 14.4 -22C12.6 -25 10 -25.8 8 -24.8"
        "C6.8 -24.2 6.2 -23 6 -21.6Q3 -23.6 0 -24Z",
        colours.trim,
        style,
    )
    peak = _shape(
        "M-3.4 -27C-3 -31 -1.6 -34 0 -35.4C1.6 -34 3 -31 3.4 -27C2.6 -24.8 1.2 -23.8 0 -23.4"
        "C-1.2 -23.8 -2.6 -24.8 -3.4 -27Z",
        colours.second,
        style,
    )
    bells = "".join(
        f'<circle cx="{x:g}" cy="{y:g}" r="1.5" fill="{style.gold}" stroke="{style.line}" stroke-width=".4"/>'
        for x, y in ((-14.4, -21), (14.4, -21))
    )
    grin = stroke("M-2.6 -17.4Q0 -14.6 2.6 -17.4", "#b5162f", 0.8)
    cheeks = _dot(-3.7, -18.8, 0.95, "#e9a79a") + _dot(3.7, -18.8, 0.95, "#e9a79a")
    ruff = "".join(
        _shape(f"M{x} -14.2L{x + 1.9} -9.6L{x + 3.8} -14.2Z", fill, style, 0.4) + _dot(x + 1.9, -9.2, 0.8, style.gold)
        for x, fill in (
            (-9.5, colours.trim),
            (-5.7, "#fdfaf2"),
            (-1.9, colours.second),
            (1.9, "#fdfaf2"),
            (5.7, colours.robe),
        )
    )
    return _face(style, lips=style.skin) + cheeks + grin + left + right + peak + bells + ruff
