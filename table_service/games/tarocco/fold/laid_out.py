"""The piles that lie face up at the end of a deal: what of them the count goes by, and what is only gathering them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from hw.cards import TAROCCO
from hw.seats import Seat
from table_service.games.tarocco.rules.card_points import told_apart

Piles = dict[Seat, tuple[str, ...]]
PUT_RIGHT: Final = 2
"""So many cards at most are put to the other pile once both lie there whole: the Matto, and the one given for it."""


@dataclass(slots=True)
class LaidOut:
    """Cards by faces that lie face up before each seat. ``shown``: what the count goes by."""

    shown: Piles = field(default_factory=dict)
    _lying: Piles = field(default_factory=dict)
    """As pictures show it now."""

    def state(self, seat: Seat, cards: tuple[str, ...]) -> None:
        """Record what a person states to lie before ``seat``."""
        self.shown[seat] = self._lying[seat] = cards

    def see(self, seat: Seat, cards: tuple[str, ...], *, is_counted: bool) -> bool:
        """Take what pictures show before ``seat`` now; whether the count goes by other cards than before.

        Until the deal is counted everything is taken as it lies. Then fewer cards say nothing, as piles are gathered
        for the next deal, unless those that lack lie with the other line; and of a pack that has lain there whole only
        another whole one with a card or two put right.
        """
        before = dict(self.shown)
        self._lying[seat] = cards
        if not is_counted:
            self.shown[seat] = cards
        elif _is_whole(self.shown):
            if _is_whole(self._lying) and _moved(self.shown, self._lying) <= PUT_RIGHT:
                self.shown = dict(self._lying)
        else:
            self._grow()
        return self.shown != before

    def _grow(self) -> None:
        for seat, now in self._lying.items():
            kept = self.shown.get(seat, ())
            others = {card for other, cards in self._lying.items() if other.line is not seat.line for card in cards}
            if len(now) >= len(kept) or others.issuperset(Counter(kept) - Counter(now)):
                self.shown[seat] = now


def _is_whole(piles: Mapping[Seat, Iterable[str]]) -> bool:
    """Return True if every card of the pack lies there, and no other."""
    lying = told_apart(tuple(card for cards in piles.values() for card in cards))
    return sorted(lying) == sorted(TAROCCO.copies)


def _moved(before: Mapping[Seat, Iterable[str]], after: Mapping[Seat, Iterable[str]]) -> int:
    """Return how many cards have come to lie before other seats."""
    return sum((Counter(cards) - Counter(before.get(seat, ()))).total() for seat, cards in after.items())
