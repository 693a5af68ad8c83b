"""The pictures of our pack for the pages: large indices, so that an overlapped card is read from an arm's length."""

from __future__ import annotations

from typing import Final

from hw.cards import CardError, face
from hw.pack.faces import back_svg, face_svg
from hw.pack.style import PackStyle
from table_service.rulesets import drawing_of

PAGE_STYLE: Final = PackStyle(
    "console",
    rank_height=13.4,
    rank_width=8.6,
    suit_height=8.6,
    margin_x=2.1,
    margin_y=2.7,
    weight=16.5,
    slabs=False,
    pip=10.4,
    corner=4.2,
    paper="#fffdf7",
)
"""Our pack with an index that shows whole on 13 mm of a 63 mm card."""


def card_picture(name: str, pack: str = "") -> str | None:
    """Return the SVG of the card ``name`` (``7H``, ``JK``), of the back for ``back``; None if there is no such card.

    ``pack``: one that a rule set draws, or nothing for the French-suited one; None for one that is not drawn.
    """
    drawing = drawing_of(pack) if pack else None
    if pack and drawing is None:
        return None
    try:
        if drawing is not None:
            return drawing(name)
        return back_svg(PAGE_STYLE) if name == "back" else face_svg(name, PAGE_STYLE)
    except CardError:
        return None


def picture_name(card: str, pack: str = "") -> str:
    """Return the name under which the picture of ``card`` is served: its face, or ``back`` for one that is unknown."""
    printed = face(card)
    known = printed if card_picture(printed, pack) is not None else "back"
    return f"{pack}/{known}" if pack else known
