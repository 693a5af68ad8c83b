"""Small pieces of SVG that the drawings of the tarocco are put together from; millimetres, x right, y down."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Final

LINE: Final = "#1c2230"
"""The colour of outlines."""


def shape(path: str, fill: str, stroke: float = 0.45, line: str = LINE) -> str:
    """Return a filled path with an outline."""
    return f'<path d="{path}" fill="{fill}" stroke="{line}" stroke-width="{stroke:g}"/>'


def plain(path: str, fill: str) -> str:
    """Return a filled path without an outline."""
    return f'<path d="{path}" fill="{fill}"/>'


def stroke(path: str, colour: str, width: float) -> str:
    """Return a line."""
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'


def cord(path: str, colour: str, width: float) -> str:
    """Return a line of ``colour`` with an outline on both sides."""
    return stroke(path, LINE, width + 0.8) + stroke(path, colour, width)


def disc(x: float, y: float, radius: float, fill: str, outline: float = 0.45) -> str:
    """Return a filled circle; without an outline if ``outline`` is 0."""
    edge = f' stroke="{LINE}" stroke-width="{outline:g}"' if outline else ""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"{edge}/>'


def ring(x: float, y: float, radius: float, colour: str, width: float) -> str:
    """Return a circle that is only a line."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'


def moved(body: str, x: float, y: float, turn: float = 0.0, scale: float = 1.0) -> str:
    """``body`` at (``x``, ``y``), turned clockwise by ``turn`` degrees."""
    turned = f" rotate({turn:g})" if turn else ""
    sized = f" scale({scale:g})" if scale != 1.0 else ""
    return f'<g transform="translate({x:g} {y:g}){turned}{sized}">{body}</g>'


def mirrored(body: str) -> str:
    """``body`` and its mirror image to the left of the middle."""
    return f'{body}<g transform="scale(-1 1)">{body}</g>'


def around(count: int, radius: float, first: float = 0.0) -> list[tuple[float, float, float]]:
    """Return ``count`` places on a circle around the origin: x, y, and the turn in degrees; the first upwards."""
    turns = [first + 360.0 * n / count for n in range(count)]
    return [(round(radius * sin(radians(t)), 2), round(-radius * cos(radians(t)), 2), t) for t in turns]


def eyes(y: float, apart: float, size: float = 0.6) -> str:
    """Two dots."""
    return disc(-apart, y, size, LINE, 0) + disc(apart, y, size, LINE, 0)
