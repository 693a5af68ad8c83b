"""Winner of a whole trick, from tables: files of thousands of boards are judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hw.seats import CLOCKWISE
from table_service.games.tricks.order import FRENCH_RANKS, TrickRules, by_ranks

_SUITS: Final = by_ranks("CDHS", FRENCH_RANKS)


def _strengths(strain: str) -> Mapping[str, Mapping[str, int]]:
    """Return how high each card stands in a trick, by the suit that was led; 0 where it cannot win."""
    rules = TrickRules(CLOCKWISE, _SUITS, trump=strain if strain in _SUITS else None)
    return {
        led: {
            card: rules.height(card) + (100 if rules.suit(card) == rules.trump else 0)
            if rules.suit(card) in (led, rules.trump)
            else 0
            for card in rules.cards
        }
        for led in _SUITS
    }


_STRENGTHS: Final = {strain: _strengths(strain) for strain in "CDHSN"}


def winning_place(cards: Sequence[str], strain: str) -> int:
    """Return the place of the card that wins, in the order in which they were played; ``strain`` N: no trump.

    >>> winning_place(["TH", "2S", "QH", "9H"], "N"), winning_place(["TH", "2S", "QH", "9H"], "S")
    (2, 1)
    """
    high = [_STRENGTHS[strain][cards[0][1]][card] for card in cards]
    return high.index(max(high))
