"""The drawings of our packs besides the French-suited one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hw.pack.backs import back_body
from hw.pack.bidding_box import bidding_svg
from hw.pack.sheet import card_sheet
from hw.pack.style import TAVOLO
from hw.pack.tarocco import tarocco_back_svg, tarocco_svg

BACK: Final = "back"
"""Name that asks for a card's back in place of a face."""


Drawing = Callable[[str], str]
"""The SVG of a face (63 x 88 mm), or of the back for ``BACK``. Raises CardError for a card that the pack has not."""


def tarocco_drawing(card: str) -> str:
    """Return the tarocco bolognese."""
    return tarocco_back_svg() if card == BACK else tarocco_svg(card)


def bidding_drawing(card: str) -> str:
    """Return the cards of a bidding box."""
    if card == BACK:
        return card_sheet(back_body(dict(TAVOLO.backs)["blue"], TAVOLO), "back", TAVOLO.paper, TAVOLO.corner, None)
    return bidding_svg(card)
