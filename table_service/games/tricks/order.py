"""The order of a pack in tricks, as data: suits, heights, trump, what must be played, which way the turn goes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import Rotation

Heights = tuple[tuple[str, ...], ...]
"""The cards of a suit from the highest to the lowest; cards that are equal stand together."""


@dataclass(frozen=True, slots=True)
class TrickRules:
    """Rules of tricks in one game (in bridge: in one contract).

    ``suits``: each suit's cards by height. ``trump``: the suit that beats the others; None in no trump. ``must_trump``:
    a player who cannot follow plays a trump if he has one. ``excuses``: cards that may be played at any time, follow
    nothing, win nothing, and leave the suit open to the next card if they are led. Of equal cards the last one played
    wins.
    """

    rotation: Rotation
    suits: Mapping[str, Heights]
    trump: str | None = None
    must_trump: bool = False
    excuses: frozenset[str] = frozenset()
    _suit: dict[str, str] = field(init=False, repr=False, compare=False)
    _height: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        suit, height = {}, {}
        for name, groups in self.suits.items():
            for place, group in enumerate(groups):
                for card in group:
                    if card in suit or card in self.excuses:
                        raise ValueError(f"{card} has two places in the order of tricks")
                    suit[card], height[card] = name, len(groups) - place
        if self.trump is not None and self.trump not in self.suits:
            raise ValueError(f"the trump suit {self.trump!r} is none of {', '.join(self.suits)}")
        object.__setattr__(self, "_suit", suit)
        object.__setattr__(self, "_height", height)

    @property
    def cards(self) -> frozenset[str]:
        """Every card of the pack."""
        return frozenset(self._suit) | self.excuses

    def suit(self, card: str) -> str | None:
        """Return the suit that ``card`` belongs to; None for an unknown card and for one that excuses."""
        return self._suit.get(face(card))

    def height(self, card: str) -> int:
        """Return how high ``card`` stands in its suit, from 1; 0 for an unknown card and for one that excuses."""
        return self._height.get(face(card), 0)

    def of_suit(self, suit: str) -> frozenset[str]:
        """Return the cards of ``suit``."""
        return frozenset(card for group in self.suits[suit] for card in group)

    def is_excused(self, card: str) -> bool:
        """Return True if ``card`` may be played whatever was led."""
        return face(card) in self.excuses

    def allowed(self, hand: Iterable[str], led: str | None) -> frozenset[str]:
        """Return the cards of ``hand``, all of them known, that may be played to a trick in which ``led`` was led.

        ``led`` None: nothing was led yet, every card may be. Following goes before trumping (where the game asks for
        it), trumping before anything else. Raises ValueError for a hand with an unknown card.
        """
        held = frozenset(hand)
        if UNKNOWN in held:
            raise ValueError("what may be played from a hand is known only where all of its cards are")
        if led is None:
            return held
        excused = frozenset(card for card in held if self.is_excused(card))
        for duty in self.duties(led):
            owed = frozenset(card for card in held if self.suit(card) == duty)
            if owed:
                return owed | excused
        return held

    def duties(self, led: str) -> tuple[str, ...]:
        """Return the suits that must be played to ``led``, the first that is held."""
        trump = self.trump
        return (led, trump) if self.must_trump and trump is not None and trump != led else (led,)

    def beats(self, card: str, other: str, led: str) -> bool:
        """Return True if ``card``, after ``other``, takes the trick from it; both are known. Equal cards: the later."""
        return self._rank(card, led) >= max(self._rank(other, led), (1, 0))

    def _rank(self, card: str, led: str) -> tuple[int, int]:
        suit = self.suit(card)
        class_ = 2 if suit is not None and suit == self.trump else 1 if suit == led else 0
        return class_, self.height(card)


def by_ranks(suits: str, ranks: str) -> dict[str, Heights]:
    """Suits whose cards all have the same order, ``ranks`` from the highest to the lowest (bridge)."""
    return {suit: tuple((rank + suit,) for rank in ranks) for suit in suits}


FRENCH_RANKS: Final = "AKQJT98765432"
"""The ranks of bridge, from the highest."""
