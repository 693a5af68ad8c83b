"""The back of the pack: a lattice with stars round a rosette, the same seen from either end."""

from __future__ import annotations

from hw.layout import CARD_HEIGHT, CARD_WIDTH
from hw.pack.glyphs import star
from hw.pack.style import PackStyle

_STEP = 5.4
_EDGE = 3.6
_ACROSS, _DOWN = 6, 8
"""Cells of the lattice on either side of the middle."""


def back_body(colour: str, style: PackStyle) -> str:
    """Return the drawing on the paper: frame, lattice, rosette; ``colour`` is its ink."""
    light, gold = style.paper, style.gold
    width, height = CARD_WIDTH - 2 * _EDGE, CARD_HEIGHT - 2 * _EDGE
    key = f"{style.name}-{colour[1:]}"
    inner = f'x="{2 - width / 2:g}" y="{2 - height / 2:g}" width="{width - 4:g}" height="{height - 4:g}" rx="1.2"'
    return (
        f'<g transform="translate({CARD_WIDTH / 2:g} {CARD_HEIGHT / 2:g})">'
        f'<rect x="{-width / 2:g}" y="{-height / 2:g}" width="{width:g}" height="{height:g}" rx="2.2" fill="{colour}"/>'
        f'<clipPath id="b-{key}"><rect {inner}/></clipPath>'
        f'<g clip-path="url(#b-{key})">{_lattice(light)}{_ornaments(key, light, gold)}</g>'
        f'<rect {inner} fill="none" stroke="{gold}" stroke-width=".55"/>{_rosette(colour, light, gold)}</g>'
    )


def _lattice(light: str) -> str:
    reach = (_ACROSS + _DOWN) * _STEP
    lines = "".join(
        f"M{n * _STEP - reach:g} {-reach:g}l{2 * reach:g} {2 * reach:g}"
        f"M{n * _STEP + reach:g} {-reach:g}l{-2 * reach:g} {2 * reach:g}"
        for n in range(-_ACROSS - _DOWN, _ACROSS + _DOWN + 1)
    )
    return f'<path d="{lines}" stroke="{light}" stroke-width=".42" opacity=".75"/>'


def _ornaments(key: str, light: str, gold: str) -> str:
    """Return the lattice's ornaments: a star in every second corner, a golden dot in every cell; one row, repeated."""
    half = _STEP / 2
    row = "".join(
        f'<use href="#s-{key}" x="{n * _STEP:g}"/><use href="#s-{key}" x="{n * _STEP + half:g}" y="{half:g}"/>'
        for n in range(-_ACROSS - 1, _ACROSS + 1)
    )
    rows = "".join(f'<use href="#r-{key}" y="{n * _STEP:g}"/>' for n in range(-_DOWN - 1, _DOWN + 1) if n)
    shape = f"translate({half:g} 0)"
    return (
        f'<defs><g id="s-{key}"><path transform="{shape}" d="{star(4, 1.25, 0.45)}" fill="{light}"/>'
        f'<circle r=".5" fill="{gold}" cx="{half:g}" cy="{half:g}"/></g></defs><g id="r-{key}">{row}</g>{rows}'
    )


def _rosette(colour: str, light: str, gold: str) -> str:
    petals = "".join(
        f'<path transform="rotate({turn})" d="M0 -8.6C2.4 -6.6 2.4 -4.2 0 -2.4C-2.4 -4.2 -2.4 -6.6 0 -8.6Z"/>'
        for turn in range(0, 360, 45)
    )
    return (
        f'<circle r="14.5" fill="{colour}" stroke="{gold}" stroke-width=".55"/>'
        f'<circle r="12.8" fill="none" stroke="{light}" stroke-width=".35"/>'
        f'<circle r="10.6" fill="none" stroke="{light}" stroke-width=".8" stroke-dasharray=".01 1.655" '
        f'stroke-linecap="round"/><g fill="{light}">{petals}</g><circle r="1.5" fill="{gold}"/>'
    )
