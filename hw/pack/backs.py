"""The back of the pack: a lattice with stars, the same seen from either end."""

from __future__ import annotations

from hw.layout import CARD_HEIGHT, CARD_WIDTH
from hw.pack.glyphs import star
from hw.pack.style import PackStyle

_STEP = 5.4
_EDGE = 3.6


def back_body(colour: str, style: PackStyle) -> str:
    """The drawing on the paper: frame, lattice, medallion; ``colour`` is its ink."""
    light, gold = style.paper, style.gold
    width, height = CARD_WIDTH - 2 * _EDGE, CARD_HEIGHT - 2 * _EDGE
    name = f"{style.name}-{colour[1:]}"
    middle = f"translate({CARD_WIDTH / 2:g} {CARD_HEIGHT / 2:g})"
    half = _STEP / 2
    ring = "".join(
        f'<path transform="rotate({turn})" d="M0 -8.6C2.4 -6.6 2.4 -4.2 0 -2.4C-2.4 -4.2 -2.4 -6.6 0 -8.6Z" '
        f'fill="{light}"/>'
        for turn in range(0, 360, 45)
    )
    return (
        f'<defs><pattern id="b-{name}" width="{_STEP}" height="{_STEP}" patternUnits="userSpaceOnUse" '
        f'x="{CARD_WIDTH / 2:g}" y="{CARD_HEIGHT / 2:g}">'
        f'<path d="M0 0L{_STEP} {_STEP}M{_STEP} 0L0 {_STEP}" stroke="{light}" stroke-width=".42" opacity=".75"/>'
        f'<circle cx="{half}" cy="{half}" r=".55" fill="{gold}"/>'
        f'<path transform="translate({half} 0)" d="{star(4, 1.25, 0.45)}" fill="{light}"/>'
        f'<path transform="translate({half} {_STEP})" d="{star(4, 1.25, 0.45)}" fill="{light}"/>'
        f'<path transform="translate(0 {half})" d="{star(4, 1.25, 0.45)}" fill="{light}"/>'
        f'<path transform="translate({_STEP} {half})" d="{star(4, 1.25, 0.45)}" fill="{light}"/>'
        f"</pattern></defs>"
        f'<rect x="{_EDGE}" y="{_EDGE}" width="{width:g}" height="{height:g}" rx="2.2" fill="{colour}"/>'
        f'<rect x="{_EDGE + 2}" y="{_EDGE + 2}" width="{width - 4:g}" height="{height - 4:g}" rx="1.2" '
        f'fill="url(#b-{name})" stroke="{gold}" stroke-width=".55"/>'
        f'<g transform="{middle}"><circle r="14.5" fill="{colour}" stroke="{gold}" stroke-width=".55"/>'
        f'<circle r="12.8" fill="none" stroke="{light}" stroke-width=".35"/>'
        f'<circle r="10.6" fill="none" stroke="{light}" stroke-width=".8" stroke-dasharray=".01 1.665" '
        f'stroke-linecap="round"/>{ring}<circle r="1.5" fill="{gold}"/></g>'
    )
