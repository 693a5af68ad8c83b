"""The 62 faces of our own tarocco bolognese as SVG: 63 x 88 mm, one user unit a millimetre, without a corner index.

Every picture but the aces and the pips reads from both ends: an upper half around the card's centre (x to the right,
y downwards) is repeated turned by half a circle. Only the trumps from 5 to 16 carry their number, in the belt between
the halves. ``m3`` and ``m4`` are one picture, as two of the four Mori are in the packs that are sold.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from hw.cards import TAROCCO, CardError, face
from hw.layout import CARD_HEIGHT, CARD_WIDTH
from hw.pack.backs import back_body
from hw.pack.glyphs import RANK_STROKES, RANK_WIDTH
from hw.pack.latin_suits import SUIT_GROUNDS, SUIT_INKS, pip_body
from hw.pack.sheet import card_sheet
from hw.pack.style import TAVOLO, PackStyle
from hw.pack.tarocco_courts import court_half
from hw.pack.trionfi import TRIONFI

ALIKE: Final = ("m3", "m4")
"""The two Mori that share one picture: they cannot be distinguished by sight."""
FACES: Final = tuple(TAROCCO.copies)
"""Every face of the pack, in the order of ``hw.cards``."""
PAPER: Final = "#fdf8ea"
_HALF_WIDTH, _HALF_HEIGHT = 27.6, 40.2
_COURTS: Final = "FCQK"


@cache
def tarocco_svg(card: str, style: PackStyle = TAVOLO, *, width: float | None = None) -> str:
    """Return the face of ``card`` (``QD``, ``t20``, ``mat``) as one SVG text without fonts and outside references.

    ``width`` is its width in CSS pixels, else 63 mm. Raises CardError for a card that has no face in this pack, the
    unknown one included (show ``tarocco_back_svg``).
    """
    printed = face(card)
    if printed not in TAROCCO.copies:
        raise CardError(f"'{card}' is no card of this pack: write {TAROCCO.spelling}")
    return card_sheet(_body(printed, style), printed, PAPER, style.corner, width)


@cache
def tarocco_back_svg(style: PackStyle = TAVOLO, *, width: float | None = None) -> str:
    """Return the back of the pack, alike in both directions."""
    return card_sheet(back_body(dict(style.backs)["red"], style), "back", PAPER, style.corner, width)


def _body(printed: str, style: PackStyle) -> str:
    if printed in TRIONFI:
        trionfo = TRIONFI[printed]
        belt = _belt(trionfo.ink, trionfo.number, style)
        return _double(printed, trionfo.ground, trionfo.half(style), belt, trionfo.ink)
    rank, suit = printed[0], printed[1]
    if rank in _COURTS:
        belt = _belt(SUIT_INKS[suit], None, style)
        return _double(printed, SUIT_GROUNDS[suit], court_half(rank, suit, style), belt, SUIT_INKS[suit])
    return _centred(pip_body(rank, suit, style) + _frame(SUIT_INKS[suit]))


def _centred(body: str) -> str:
    return (
        f'<g transform="translate({CARD_WIDTH / 2:g} {CARD_HEIGHT / 2:g})" stroke-linejoin="round" '
        f'stroke-linecap="round">{body}</g>'
    )


def _frame(ink: str) -> str:
    w, h = _HALF_WIDTH, _HALF_HEIGHT
    return (
        f'<rect x="{-w:g}" y="{-h:g}" width="{2 * w:g}" height="{2 * h:g}" rx="1.8" fill="none" '
        f'stroke="{ink}" stroke-width=".6"/>'
    )


def _double(name: str, ground: str, half: str, belt: str, ink: str) -> str:
    """``half`` on its ground, the same turned, the belt across the seam and the frame around."""
    w, h = _HALF_WIDTH, _HALF_HEIGHT
    return _centred(
        f'<defs><clipPath id="tc-{name}"><rect x="{-w:g}" y="{-h:g}" width="{2 * w:g}" height="{h:g}"/></clipPath>'
        f'<g id="th-{name}" clip-path="url(#tc-{name})">{half}</g></defs>'
        f'<rect x="{-w:g}" y="{-h:g}" width="{2 * w:g}" height="{2 * h:g}" rx="1.8" fill="{ground}"/>'
        f'<use href="#th-{name}"/><use href="#th-{name}" transform="rotate(180)"/>{belt}{_frame(ink)}'
    )


def _belt(ink: str, number: int | None, style: PackStyle) -> str:
    """Draw the band across the middle; a number is in it, once for each end."""
    deep = 3.6 if number is not None else 1.7
    w = _HALF_WIDTH
    band = (
        f'<rect x="{-w:g}" y="{-deep:g}" width="{2 * w:g}" height="{2 * deep:g}" fill="{PAPER}" stroke="{ink}" '
        f'stroke-width=".5"/><path d="M{-w:g} {0.7 - deep:g}H{w:g}M{-w:g} {deep - 0.7:g}H{w:g}" stroke="{style.gold}" '
        f'stroke-width=".5"/>'
    )
    if number is None:
        gems = "".join(f'<path d="M{x} -.8l1.2 .8l-1.2 .8l-1.2 -.8z" fill="{ink}"/>' for x in range(-24, 25, 4))
        return band + gems
    written = _number(number, ink)
    return (
        f'{band}<g transform="translate(-15 0)">{written}</g><g transform="translate(15 0) rotate(180)">{written}</g>'
        f'<path d="M-4 0L0 -2L4 0L0 2Z" fill="{style.gold}" stroke="{ink}" stroke-width=".4"/>'
    )


def _number(number: int, ink: str) -> str:
    """Return the number, 4.6 mm high, around the origin."""
    scale = 0.046
    digits = [_DIGIT_ONE if digit == "1" else RANK_STROKES.get(digit, _DIGIT_ZERO) for digit in str(number)]
    widths = [30.0 if digit == "1" else RANK_WIDTH.get(digit, 66.0) for digit in str(number)]
    x = -(sum(widths) + 16 * (len(widths) - 1)) / 2
    out = ""
    for path, wide in zip(digits, widths, strict=True):
        out += (
            f'<path transform="scale({scale}) translate({x:g} -50)" d="{path}" fill="none" stroke="{ink}" '
            f'stroke-width="17"/>'
        )
        x += wide + 16
    return out


_DIGIT_ONE: Final = "M2 25L17 9V98"
_DIGIT_ZERO: Final = "M33 7.5C17 7.5 7 24 7 50C7 76 17 92.5 33 92.5C49 92.5 59 76 59 50C59 24 49 7.5 33 7.5Z"
