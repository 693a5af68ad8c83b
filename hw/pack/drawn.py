"""The packs of ours besides the French-suited one, by the names of ``hw.cards``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hw.bidding import BIDDING_BOX
from hw.cards import TAROCCO
from hw.pack.backs import back_body
from hw.pack.bidding_box import bidding_svg
from hw.pack.sheet import card_sheet
from hw.pack.style import TAVOLO
from hw.pack.tarocco import tarocco_back_svg, tarocco_svg

BACK: Final = "back"
"""Name that asks for a card's back in place of a face."""


def _tarocco(card: str) -> str:
    return tarocco_back_svg() if card == BACK else tarocco_svg(card)


def _bidding(card: str) -> str:
    if card == BACK:
        return card_sheet(back_body(dict(TAVOLO.backs)["blue"], TAVOLO), "back", TAVOLO.paper, TAVOLO.corner, None)
    return bidding_svg(card)


DRAWN: Final[dict[str, Callable[[str], str]]] = {TAROCCO.name: _tarocco, BIDDING_BOX.name: _bidding}
"""By pack: the SVG of a face, or of the back for ``BACK``. Raises CardError for a card that the pack has not."""
