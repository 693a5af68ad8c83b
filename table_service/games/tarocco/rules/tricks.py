"""The order of the tarocco's cards in tricks (Barilli, chapter 1; facts file, sections 1 and 3)."""

from __future__ import annotations

from typing import Final

from hw.seats import ANTICLOCKWISE
from table_service.games.tarocco.rules.card_points import ANGELO, BEGATO, MATTO, MORI, NEXT_THREE, NUMBERED
from table_service.games.tricks.order import TrickRules, by_ranks

LONG: Final = "KQCFT9876A"
"""Spade and bastoni, from the highest."""
ROUND: Final = "KQCFA6789T"
"""Coppe and denari: the lower the number, the higher the card."""
TRUMPS: Final = "trumps"

TRICKS: Final = TrickRules(
    rotation=ANTICLOCKWISE,
    suits={
        **by_ranks("CD", ROUND),
        **by_ranks("SB", LONG),
        TRUMPS: (*((card,) for card in (ANGELO, *NEXT_THREE, *NUMBERED)), MORI, (BEGATO,)),
    },
    trump=TRUMPS,
    must_trump=True,
    excuses=frozenset({MATTO}),
)
"""Who cannot follow plays a trump if he has one; of the Mori the last one played wins; the Matto excuses."""
