"""Bidding boxes drawn at random, each by its number: signs, their places, words, colours. No reader was made with them.

Level and strain are one over the other at the left edge (and turned at the other end), as they must be when only a
strip of a call shows beneath the next; all else differs from box to box.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hw.bidding import ALERT, BIDS, DOUBLE, PASS, REDOUBLE, STOP
from hw.layout import CARD_HEIGHT, CARD_WIDTH
from hw.pack.bidding_box import SIGNS
from hw.pack.glyphs import SUIT_FILLS
from hw.pack.raster import svg_bgra
from hw.pack.sheet import card_sheet
from hw.twin.camera_cards import Artwork, pack_artwork
from hw.twin.scene import BID

_OTHER_SIGNS: Final[dict[str, str]] = {
    "1": "M33 4V98",
    "3": "M8 7.5H56L28 42C48 40 59 52 59 68C59 84 48 92.5 32 92.5C19 92.5 10 87 7 76",
    "4": "M46 98V40M30 4L10 62H64",
    "6": "M52 6C26 18 8 40 8 64C8 82 18 92.5 34 92.5C49 92.5 59 82 59 68C59 54 49 44 35 44C20 44 9 52 8 64",
    "7": "M5 7.5H60C43 34 33 62 29 98M18 52H54",
    "S": SIGNS["S"],
}
"""Other ways to write a sign."""
_PAPERS: Final = ("#fdfcf8", "#fbf7e8", "#f4f1ea", "#ffffff", "#f7f3d9", "#e9eef4")
_INKS: Final = (
    ("#16713f", "#d96a00", "#c8102e", "#16181d", "#1d4fa0"),
    ("#1a1a20", "#c8102e", "#c8102e", "#1a1a20", "#1a1a20"),
    ("#0b8043", "#f08c00", "#d50000", "#1a237e", "#4a4a4a"),
    ("#1a1a20", "#c8102e", "#c8102e", "#1a1a20", "#7a1fa2"),
    ("#2e7d32", "#e65100", "#ad1457", "#0d47a1", "#5d4037"),
)
_CALLS: Final = (
    ("#147a3c", "#c01020", "#1a3f94", "#c01020", "#12459c"),
    ("#0a6b30", "#b3001b", "#b3001b", "#d00000", "#e08a00"),
    ("#1a1a20", "#c8102e", "#c8102e", "#c8102e", "#1a1a20"),
)
_ORDER: Final = (PASS, DOUBLE, REDOUBLE, STOP, ALERT)


@dataclass(frozen=True, slots=True)
class _Box:
    """Look of a box; lengths in millimetres. ``ground``: the cards are of the ink's colour and the signs of paper."""

    high: float
    wide: float
    gap: float
    left: float
    top: float
    weight: float
    slant: float
    paper: str
    inks: tuple[str, str, str, str, str]
    calls: tuple[str, str, str, str, str]
    other: frozenset[str]
    suit: float
    strain_first: bool
    no_trump: str
    words: dict[str, str]
    edge: str
    """``none``, ``band`` along the left edge, ``frame`` around the card, ``ground``."""
    calls_ground: bool
    """Calls that are no bids are of their ink's colour."""
    middle: str
    """``both``, ``strain``, ``level`` or ``none``."""


@cache
def _box(number: int) -> _Box:
    rng = np.random.default_rng((number, 0xB1D))

    def one(*options: str) -> str:
        return str(options[int(rng.integers(len(options)))])

    wide = float(rng.uniform(4.2, 6.2))
    return _Box(
        high=float(rng.uniform(6.6, 9.8)),
        wide=wide,
        gap=float(rng.uniform(0.7, 1.8)),
        left=float(rng.uniform(1.4, max(1.6, 8.0 - wide))),
        top=float(rng.uniform(2.0, 6.0)),
        weight=float(rng.uniform(11.0, 20.0)),
        slant=float(rng.choice([0.0, 0.0, 0.0, -10.0])),
        paper=one(*_PAPERS),
        inks=_INKS[int(rng.integers(len(_INKS)))],
        calls=_CALLS[int(rng.integers(len(_CALLS)))],
        other=frozenset(sign for sign in _OTHER_SIGNS if rng.random() < 0.4),
        suit=float(rng.uniform(0.85, 1.1)),
        strain_first=bool(rng.random() < 0.2),
        no_trump=one("NT", "SA", "N"),
        words={
            PASS: one("PASS", "PASSO", "P", "PASSE"),
            DOUBLE: one("X", "X", "XX"[:1]),
            REDOUBLE: "XX",
            STOP: one("STOP", "STOP", "S"),
            ALERT: one("ALERT", "ALERT", "A"),
        },
        edge=one("none", "none", "band", "frame", "ground"),
        calls_ground=bool(rng.random() < 0.5),
        middle=one("both", "both", "strain", "level", "none"),
    )


def drawn_box(number: int) -> Artwork:
    """The pictures of box ``number``, BGRA, by card (``bid:7N``, ``bid:stop``); other names are our own pack's."""
    others = pack_artwork()

    @cache
    def picture(card: str, px_per_mm: float) -> NDArray[np.uint8]:
        if not card.startswith(BID):
            return others(card, px_per_mm)
        size = round(CARD_WIDTH * px_per_mm), round(CARD_HEIGHT * px_per_mm)
        drawn = svg_bgra(box_svg(card.removeprefix(BID), number), *size)
        drawn.flags.writeable = False
        return drawn

    return picture


def box_svg(card: str, number: int) -> str:
    """The bidding card ``card`` of box ``number`` as one SVG text without fonts."""
    box = _box(number)
    bid = card in BIDS
    ink = box.inks["CDHSN".index(card[1])] if bid else box.calls[_ORDER.index(card)]
    grounded = box.edge == "ground" or (box.calls_ground and not bid)
    paper, sign = (ink, box.paper) if grounded else (box.paper, ink)
    banded = box.edge == "band" and not grounded
    half = _band(box, ink) if banded else ""
    half += _index(card, box, box.paper if banded else sign)
    turned = f'<g transform="rotate(180 {CARD_WIDTH / 2:g} {CARD_HEIGHT / 2:g})">{half}</g>'
    frame = ""
    if box.edge == "frame":
        frame = (
            f'<rect x="1" y="1" width="{CARD_WIDTH - 2:g}" height="{CARD_HEIGHT - 2:g}" rx="3" fill="none" '
            f'stroke="{sign}" stroke-width=".7"/>'
        )
    return card_sheet(frame + _middle(card, box, sign) + half + turned, card, paper, 3.6, None)


def _band(box: _Box, ink: str) -> str:
    wide = 2 * box.left + box.wide
    return f'<path d="M3.6 .3H{wide:g}V{CARD_HEIGHT / 2:g}H.3V3.6A3.3 3.3 0 0 1 3.6 .3Z" fill="{ink}"/>'


def _sign(sign: str, box: _Box, x: float, y: float, wide: float, high: float, ink: str) -> str:
    path = _OTHER_SIGNS[sign] if sign in box.other else SIGNS[sign]
    return (
        f'<path transform="translate({x:.2f} {y:.2f}) scale({wide / 66:.4f} {high / 100:.4f}) skewX({box.slant:g})" '
        f'd="{path}" fill="none" stroke="{ink}" stroke-width="{box.weight:g}" stroke-miterlimit="2.2"/>'
    )


def _suit(suit: str, x: float, y: float, size: float, ink: str) -> str:
    return (
        f'<path transform="translate({x:.2f} {y:.2f}) scale({size / 100:.4f}) translate(-50 -50)" '
        f'd="{SUIT_FILLS[suit]}" fill="{ink}"/>'
    )


def _column(word: str, box: _Box, y: float, ink: str) -> str:
    """A word, letter under letter, down from ``y``."""
    room = CARD_HEIGHT / 2 - 1.5 - y
    high = min(box.high, room / len(word) - box.gap)
    return "".join(
        _sign(letter, box, box.left, y + n * (high + box.gap), box.wide, high, ink) for n, letter in enumerate(word)
    )


def _index(card: str, box: _Box, ink: str) -> str:
    if card in box.words:
        return _column(box.words[card], box, box.top, ink)
    level, strain = card[0], card[1]
    step = box.high + box.gap
    if strain == "N":
        return _column(level + box.no_trump, box, box.top, ink)
    at = (box.top + step, box.top) if box.strain_first else (box.top, box.top + step)
    suit = box.wide * box.suit
    return _sign(level, box, box.left, at[0], box.wide, box.high, ink) + _suit(
        strain, box.left + box.wide / 2, at[1] + suit / 2 + 0.4, suit, ink
    )


def _middle(card: str, box: _Box, ink: str) -> str:
    x, y = CARD_WIDTH / 2, CARD_HEIGHT / 2
    if card in box.words:
        word = box.words[card]
        wide = min(9.0, 34.0 / len(word))
        return "".join(
            _sign(letter, box, x + (n - len(word) / 2) * wide, y - 8, wide * 0.82, 16.0, ink)
            for n, letter in enumerate(word)
        )
    level, strain = card[0], card[1]
    out = ""
    if box.middle in ("both", "level"):
        out += _sign(level, box, x - 17, y - 11, 13, 22, ink)
    if box.middle in ("both", "strain"):
        out += _suit(strain, x + 9, y, 19, ink) if strain in SUIT_FILLS else _sign("N", box, x + 1, y - 9, 13, 18, ink)
    return out
