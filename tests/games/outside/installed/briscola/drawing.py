"""The forty cards of Briscola: their codes, their names, and a plain drawing of each face."""

from __future__ import annotations

from typing import Final

from hw.cards import CardError, Pack, face
from hw.pack.drawn import BACK
from hw.pack.sheet import card_sheet

RANKS: Final = {
    "A": ("asso", "ace"),
    **{str(n): (str(n), str(n)) for n in range(2, 8)},
    "F": ("fante", "knave"),
    "Q": ("cavallo", "knight"),
    "K": ("re", "king"),
}
SUITS: Final = {
    "C": ("coppe", "cups", "#a3202f", "M-5-5H5Q5 3 0 4V6H3V7H-3V6H0V4Q-5 3-5-5Z"),
    "D": ("denari", "coins", "#b57d1c", "M0-6A6 6 0 1 1-.1-6ZM0-3A3 3 0 1 0 .1-3Z"),
    "S": ("spade", "swords", "#1f3f77", "M0-8L1.5 3H4V5H1V8H-1V5H-4V3H-1.5Z"),
    "B": ("bastoni", "clubs", "#2c6136", "M-3-8H3L1.5 8H-1.5ZM3-3L6-5V-2L2.5 1Z"),
}
PACK: Final = Pack("briscola", {rank + suit: 1 for suit in SUITS for rank in RANKS}, "rank A234567FQK then suit CDSB")
_WREATH: Final = "M0-26L18-18L26 0L18 18L0 26L-18 18L-26 0L-18-18ZM0-20L20 0L0 20L-20 0Z"
"""Around the mark of an ace, which is as large as all others: small marks would be taken for aces with a larger one."""
_FIGURES: Final = {
    "F": "M-7 16L0-4L7 16Z",
    "Q": "M-12 16L-8-2L6-8L12-2L6 0V16H2V6H-6V16Z",
    "K": "M-12 16V-8L-6 0L0-10L6 0L12-8V16Z",
}
"""A cone, a horse, a crown: 24 mm wide around the card's middle."""


def card_names() -> dict[str, tuple[str, str]]:
    """Each face in words, Italian and English."""
    return {
        rank + suit: (f"{RANKS[rank][0]} di {SUITS[suit][0]}", f"{RANKS[rank][1]} of {SUITS[suit][1]}")
        for rank in RANKS
        for suit in SUITS
    }


def drawing(card: str) -> str:
    """The SVG of ``card``, or of the ``back``. Raises CardError for a card that the pack has not."""
    if card == BACK:
        return card_sheet('<path d="M6 6H57V82H6Z" fill="#7a1f2b"/>', BACK, "#fff", 3.0, None)
    printed = face(card)
    if printed not in PACK.copies:
        raise CardError(f"'{card}' is no card of this pack: write {PACK.spelling}")
    rank, (_, _, ink, mark) = printed[0], SUITS[printed[1]]
    signs = 1 if rank in "AFQK" else int(rank)
    body = "".join(_mark(mark, ink, *place) for place in _places(signs))
    if rank in _FIGURES:
        body = f'<path transform="translate(31.5 50)" d="{_FIGURES[rank]}" fill="{ink}"/>' + _mark(mark, ink, 31.5, 22)
    elif rank == "A":
        body += f'<path transform="translate(31.5 44)" d="{_WREATH}" fill="none" stroke="{ink}" stroke-width="2"/>'
    return card_sheet(body, printed, "#fffaf0", 3.0, None)


def _mark(mark: str, ink: str, x: float, y: float) -> str:
    return f'<path transform="translate({x:g} {y:g})" d="{mark}" fill="{ink}"/>'


def _places(signs: int) -> list[tuple[float, float]]:
    """Where so many marks stand: in two columns, an odd one in the middle."""
    rows = signs // 2
    pairs = [(x, 44.0 + (row - (rows - 1) / 2) * 24) for row in range(rows) for x in (18.0, 45.0)]
    return pairs + ([(31.5, 44.0)] if signs % 2 else [])
