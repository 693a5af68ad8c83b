"""The cards of a bidding box as SVG: 63 x 88 mm, one user unit a millimetre, in several designs.

The index is upright at the left edge, level over strain, and turned at the other end: of calls that lie one on
the other in the tray each shows the strip with its own index.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from hw.bidding import ALERT, BIDDING_BOX, DOUBLE, PASS, REDOUBLE, STOP
from hw.cards import CardError
from hw.layout import CARD_HEIGHT, CARD_WIDTH
from hw.pack.glyphs import LETTER_STROKES, RANK_STROKES, SUIT_FILLS
from hw.pack.sheet import card_sheet

FACES: Final = tuple(BIDDING_BOX.copies)
"""Every face: 35 bids, pass, double, redouble, stop and alert."""
SIGNS: Final[dict[str, str]] = {
    **{digit: RANK_STROKES[digit] for digit in "234567"},
    "1": "M12 25L36 8V98",
    "A": RANK_STROKES["A"],
    "E": LETTER_STROKES["E"],
    "L": "M13 4V92H58",
    "N": "M10 98V6L56 94V2",
    "O": LETTER_STROKES["O"],
    "P": "M13 99V8H35C50 8 58 16 58 30C58 44 50 52 35 52H13",
    "R": LETTER_STROKES["R"],
    "S": "M57 22C52 12 44 7.5 33 7.5C19 7.5 10 15 10 27C10 40 20 45 33 49C47 53 58 59 58 73C58 85 47 92.5 33 92.5"
    "C20 92.5 11 87 7 76",
    "T": "M4 8H62M33 8V98",
    "X": "M8 4L58 96M58 4L8 96",
}
"""Signs as strokes in a box 66 wide and 100 high."""
WORDS: Final = {PASS: "PASS", DOUBLE: "X", REDOUBLE: "XX", STOP: "STOP", ALERT: "ALERT"}
_MIDDLE: Final = (CARD_WIDTH / 2, CARD_HEIGHT / 2)


@dataclass(frozen=True, slots=True)
class BiddingDesign:
    """Design of a box: lengths in millimetres, colours as CSS hex.

    ``height`` and ``width`` are those of a sign of the index, ``margin`` its distance from the edges, ``weight`` its
    stroke in hundredths of its height. ``inks`` are of C, D, H, S, N, ``calls`` of pass, X, XX, stop and alert.
    ``band``: the left edge is a band of the ink, with the index in the paper's colour.
    """

    name: str
    height: float = 8.4
    width: float = 6.0
    margin: float = 2.4
    weight: float = 15.0
    paper: str = "#fdfcf8"
    inks: tuple[str, str, str, str, str] = ("#16713f", "#d96a00", "#c8102e", "#16181d", "#1d4fa0")
    calls: tuple[str, str, str, str, str] = ("#147a3c", "#c01020", "#1a3f94", "#c01020", "#12459c")
    band: bool = False

    def ink(self, card: str) -> str:
        """Return the colour of ``card``."""
        if card in WORDS:
            return dict(zip((PASS, DOUBLE, REDOUBLE, STOP, ALERT), self.calls, strict=True))[card]
        return dict(zip("CDHSN", self.inks, strict=True))[card[1]]


PLAIN: Final = BiddingDesign("plain")
"""Four colours and blue for no trumps, on white."""
CLASSIC: Final = BiddingDesign(
    "classic",
    height=9.6,
    width=6.6,
    weight=18.0,
    paper="#fbf7e8",
    inks=("#1a1a20", "#c8102e", "#c8102e", "#1a1a20", "#1a1a20"),
)
"""Two colours and a heavier index, on cream."""
BANDED: Final = BiddingDesign("banded", height=7.8, width=5.6, margin=1.9, weight=14.0, band=True)
"""A band of the strain's colour along either long edge, with the index in white."""
DESIGNS: Final = (PLAIN, CLASSIC, BANDED)


@cache
def bidding_svg(card: str, design: BiddingDesign = PLAIN, *, width: float | None = None) -> str:
    """Return the bidding card ``card`` (``1C``, ``7N``, ``P``, ``XX``, ``stop``) as one SVG text without fonts.

    ``width`` is its width in CSS pixels, else 63 mm. Raises CardError for a card that a box has not.
    """
    if card not in BIDDING_BOX.copies:
        raise CardError(f"'{card}' is no bidding card: write {BIDDING_BOX.spelling}")
    ink = design.ink(card)
    half = _band(design, ink) + _index(card, design, design.paper if design.band else ink)
    turned = f'<g transform="rotate(180 {_MIDDLE[0]:g} {_MIDDLE[1]:g})">{half}</g>'
    return card_sheet(_middle(card, design, ink) + half + turned, card, design.paper, 3.6, width)


def _sign(sign: str, x: float, y: float, width: float, height: float, weight: float, ink: str) -> str:
    return (
        f'<path transform="translate({x:.2f} {y:.2f}) scale({width / 66:.4f} {height / 100:.4f})" d="{SIGNS[sign]}" '
        f'fill="none" stroke="{ink}" stroke-width="{weight:g}" stroke-miterlimit="2.2"/>'
    )


def _suit(suit: str, x: float, y: float, size: float, ink: str) -> str:
    return (
        f'<path transform="translate({x:.2f} {y:.2f}) scale({size / 100:.4f}) translate(-50 -50)" '
        f'd="{SUIT_FILLS[suit]}" fill="{ink}"/>'
    )


def _band(design: BiddingDesign, ink: str) -> str:
    if not design.band:
        return ""
    wide = 2 * design.margin + design.width
    return f'<path d="M3.6 .3H{wide:g}V{CARD_HEIGHT / 2:g}H.3V3.6A3.3 3.3 0 0 1 3.6 .3Z" fill="{ink}"/>'


def _index(card: str, design: BiddingDesign, ink: str) -> str:
    """Level over strain; of a call that is no bid its word, letter under letter."""
    x, y, step = design.margin, design.margin, design.height + 1.2
    if card in WORDS:
        high = min(design.height, (CARD_HEIGHT / 2 - 2 * design.margin) / len(WORDS[card]) - 1.0)
        return "".join(
            _sign(letter, x, y + n * (high + 1.0), design.width, high, design.weight, ink)
            for n, letter in enumerate(WORDS[card])
        )
    level, strain = card[0], card[1]
    out = _sign(level, x, y, design.width, design.height, design.weight, ink)
    if strain == "N":
        return out + "".join(
            _sign(letter, x, y + (n + 1) * step, design.width, design.height, design.weight, ink)
            for n, letter in enumerate("NT")
        )
    return out + _suit(strain, x + design.width / 2, y + step + design.width / 2, design.width, ink)


def _middle(card: str, design: BiddingDesign, ink: str) -> str:
    """Return what a player reads from afar."""
    x, y = _MIDDLE
    if card == STOP:
        points = " ".join(
            f"{x + dx * 17:.2f},{y + dy * 17:.2f}"
            for dx, dy in (
                (-0.41, -1),
                (0.41, -1),
                (1, -0.41),
                (1, 0.41),
                (0.41, 1),
                (-0.41, 1),
                (-1, 0.41),
                (-1, -0.41),
            )
        )
        return f'<polygon points="{points}" fill="{ink}"/>' + _word("STOP", x, y, 26.0, 10.0, design.paper)
    if card == ALERT:
        ring = f'<circle cx="{x:g}" cy="{y:g}" r="17" fill="none" stroke="{ink}" stroke-width="3.4"/>'
        return ring + _word("ALERT", x, y, 25.0, 8.0, ink)
    if card in WORDS:
        return _word(WORDS[card], x, y, 10.0 * len(WORDS[card]), 17.0, ink)
    level, strain = card[0], card[1]
    if strain == "N":
        return _word(f"{level}NT", x, y, 32.0, 20.0, ink)
    return _sign(level, x - 17, y - 11, 14, 22, 14.0, ink) + _suit(strain, x + 9, y, 19, ink)


def _word(word: str, x: float, y: float, width: float, height: float, ink: str) -> str:
    """``word`` with its middle at (``x``, ``y``)."""
    step = width / len(word)
    return "".join(
        _sign(letter, x - width / 2 + n * step + step * 0.08, y - height / 2, step * 0.84, height, 15.0, ink)
        for n, letter in enumerate(word)
    )
