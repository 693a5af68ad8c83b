"""The packs of ours besides the French-suited one, by the names of ``hw.cards``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hw.cards import TAROCCO
from hw.pack.tarocco import tarocco_back_svg, tarocco_svg

BACK: Final = "back"
"""What stands for a card's back where a face is asked for."""


def _tarocco(card: str) -> str:
    return tarocco_back_svg() if card == BACK else tarocco_svg(card)


DRAWN: Final[dict[str, Callable[[str], str]]] = {TAROCCO.name: _tarocco}
"""By pack: the SVG of a face, or of the back for ``BACK``. Raises CardError for a card that the pack has not."""
