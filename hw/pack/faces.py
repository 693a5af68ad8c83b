"""A card of our pack as SVG: 63 x 88 mm, one user unit a millimetre."""

from __future__ import annotations

from functools import cache
from typing import Final

from hw.cards import FRENCH_FACES, JOKER, RANKS, SUITS, CardError, face
from hw.layout import CARD_HEIGHT, CARD_WIDTH
from hw.pack.backs import back_body
from hw.pack.courts import court_body, joker_body
from hw.pack.glyphs import LETTER_STROKES, RANK_SLABS, RANK_STROKES, RANK_WIDTH, SUIT_FILLS, star
from hw.pack.sheet import card_sheet
from hw.pack.style import TAVOLO, PackStyle

FACES: Final = (*(rank + suit for suit in SUITS for rank in RANKS), JOKER)
"""Every face of the pack: 52 and the joker."""
MIDDLE: Final = (CARD_WIDTH / 2, CARD_HEIGHT / 2)

_LEFT, _MID, _RIGHT = 19.5, 31.5, 43.5
_TOP, _BOTTOM = 15.0, 73.0
_HEIGHT = _BOTTOM - _TOP
_UPPER, _LOWER = _TOP + _HEIGHT / 3, _BOTTOM - _HEIGHT / 3
_SIDES = (_LEFT, _RIGHT)


def _rows(columns: tuple[float, ...], *rows: float) -> tuple[tuple[float, float], ...]:
    return tuple((x, y) for y in rows for x in columns)


PIPS: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "2": _rows((_MID,), _TOP, _BOTTOM),
    "3": _rows((_MID,), _TOP, MIDDLE[1], _BOTTOM),
    "4": _rows(_SIDES, _TOP, _BOTTOM),
    "5": (*_rows(_SIDES, _TOP, _BOTTOM), MIDDLE),
    "6": _rows(_SIDES, _TOP, MIDDLE[1], _BOTTOM),
    "7": (*_rows(_SIDES, _TOP, MIDDLE[1], _BOTTOM), (_MID, (_TOP + MIDDLE[1]) / 2)),
    "8": (*_rows(_SIDES, _TOP, MIDDLE[1], _BOTTOM), *_rows((_MID,), (_TOP + MIDDLE[1]) / 2, (_BOTTOM + MIDDLE[1]) / 2)),
    "9": (*_rows(_SIDES, _TOP, _UPPER, _LOWER, _BOTTOM), MIDDLE),
    "T": (*_rows(_SIDES, _TOP, _UPPER, _LOWER, _BOTTOM), *_rows((_MID,), _TOP + _HEIGHT / 6, _BOTTOM - _HEIGHT / 6)),
}
"""Centres of the pips in millimetres from the card's top left corner; those below the middle are upside down."""


@cache
def face_svg(card: str, style: PackStyle = TAVOLO, *, variety: str = "red", width: float | None = None) -> str:
    """Return the face of ``card`` (``7H``, ``7H#2``, ``JK``) as one SVG text without fonts and outside references.

    ``variety`` is the joker's colour, ``red`` or ``black``; ``width`` its width in CSS pixels, else 63 mm. Raises
    CardError for a card that has no face in this pack, the unknown one included (show ``back_svg``).
    """
    printed = face(card)
    if printed == JOKER:
        return card_sheet(_joker(style, variety), f"joker {variety}", style.paper, style.corner, width)
    if printed not in FRENCH_FACES:
        raise CardError(f"'{card}' is no card of this pack: write rank A23456789TJQK then suit HDCS (7H), or JK")
    rank, suit = printed[0], printed[1]
    half = _index(rank, suit, style)
    return card_sheet(_body(rank, suit, style) + half + _turned(half), printed, style.paper, style.corner, width)


@cache
def back_svg(style: PackStyle = TAVOLO, *, colour: str = "blue", width: float | None = None) -> str:
    """Return the back of the pack, alike in both directions; ``colour`` is ``blue`` or ``red``."""
    return card_sheet(back_body(dict(style.backs)[colour], style), "back", style.paper, style.corner, width)


def _turned(body: str) -> str:
    return f'<g transform="rotate(180 {MIDDLE[0]:g} {MIDDLE[1]:g})">{body}</g>'


def rank_mark(rank: str, x: float, y: float, width: float, height: float, style: PackStyle, colour: str) -> str:
    """Return the rank as strokes with its top left corner at (``x``, ``y``), ``width`` by ``height`` millimetres."""
    path = RANK_STROKES[rank] + (RANK_SLABS.get(rank, "") if style.slabs else "")
    box = RANK_WIDTH.get(rank, 66.0)
    return (
        f'<path transform="translate({x:.2f} {y:.2f}) scale({width / box:.4f} {height / 100:.4f})" d="{path}" '
        f'fill="none" stroke="{colour}" stroke-width="{style.weight:g}" stroke-miterlimit="2.2"/>'
    )


def suit_mark(suit: str, x: float, y: float, size: float, colour: str, *, upside_down: bool = False) -> str:
    """Return the suit's shape of ``size`` millimetres around the centre (``x``, ``y``)."""
    scale = size / 100 * (-1 if upside_down else 1)
    return (
        f'<path transform="translate({x:.2f} {y:.2f}) scale({scale:.4f}) translate(-50 -50)" '
        f'd="{SUIT_FILLS[suit]}" fill="{colour}"/>'
    )


def _index(rank: str, suit: str, style: PackStyle) -> str:
    colour = style.ink_of(suit)
    width = style.rank_width * (1.08 if rank == "T" else 1.0)
    centre = style.margin_x + style.rank_width / 2
    left = max(1.6, centre - width / 2)
    suit_y = style.margin_y + style.rank_height + 0.6 + style.suit_height / 2
    return rank_mark(rank, left, style.margin_y, width, style.rank_height, style, colour) + suit_mark(
        suit, centre, suit_y, style.suit_height, colour
    )


def _body(rank: str, suit: str, style: PackStyle) -> str:
    colour = style.ink_of(suit)
    if rank == "A":
        return _ace(suit, style)
    if rank in "JQK":
        return court_body(rank, suit, style)
    return "".join(suit_mark(suit, x, y, style.pip, colour, upside_down=y > MIDDLE[1] + 0.1) for x, y in PIPS[rank])


def _ace(suit: str, style: PackStyle) -> str:
    colour = style.ink_of(suit)
    size = 30.0 if suit == "S" else 22.0
    body = suit_mark(suit, *MIDDLE, size, colour)
    if suit == "S":
        ornament = star(8, 3.2, 1.5)
        body += f'<path transform="translate({MIDDLE[0]:g} {MIDDLE[1] + 1:g})" d="{ornament}" fill="{style.paper}"/>'
    return body


def _joker(style: PackStyle, variety: str) -> str:
    colour = style.joker_red if variety == "red" else style.joker_black
    half = joker_index(style, colour)
    return joker_body(style, colour) + half + _turned(half)


def joker_index(style: PackStyle, colour: str) -> str:
    """Return a star over the letters JOKER set one below the other."""
    centre = style.margin_x + style.rank_width / 2
    radius = style.rank_width * 0.56
    top = style.margin_y + radius
    out = f'<path transform="translate({centre:.2f} {top:.2f})" d="{star(5, radius, radius * 0.42)}" fill="{colour}"/>'
    y = top + radius + 0.2
    for letter in "JOKER":
        out += (
            f'<path transform="translate({centre - 1.1:.2f} {y:.2f}) scale(.0333 .028)" d="{LETTER_STROKES[letter]}" '
            f'fill="none" stroke="{colour}" stroke-width="17"/>'
        )
        y += 3.5
    return out
