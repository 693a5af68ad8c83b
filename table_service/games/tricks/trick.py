"""One trick: who played what, in order, and whose it is, also where a card was not read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from table_service.games.tricks.order import TrickRules

Play = tuple[Seat, str]


@dataclass(frozen=True, slots=True)
class Trick:
    """Cards in the order in which they were played; any seat may have played, in any order, more than once.

    What it comes to is asked with the game's ``TrickRules``; here those of tarocco, where the Matto follows no suit:

    >>> from table_service.games.tarocco.rules.tricks import TRICKS
    >>> trick = Trick(((Seat.NORTH, "mat"), (Seat.WEST, "7C"), (Seat.SOUTH, "m2")))
    >>> trick.led(TRICKS), trick.turn(TRICKS), trick.winner(TRICKS)
    ('C', <Seat.EAST: 'E'>, <Seat.SOUTH: 'S'>)
    """

    plays: tuple[Play, ...] = ()

    @property
    def leader(self) -> Seat | None:
        """Who played first; None before anybody has."""
        return self.plays[0][0] if self.plays else None

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards, in order."""
        return tuple(card for _, card in self.plays)

    def card_of(self, seat: Seat) -> str | None:
        """The first card that ``seat`` has played to the trick."""
        return next((card for who, card in self.plays if who is seat), None)

    def led(self, rules: TrickRules) -> str | None:
        """The suit that must be followed: that of the first card which is no excuse; None where nobody knows it yet."""
        for _, card in self.plays:
            if not rules.is_excused(card):
                return rules.suit(card)
        return None

    def turn(self, rules: TrickRules) -> Seat | None:
        """Return who is to play next; None before the lead and where everybody has played."""
        if not self.plays:
            return None
        played = {seat for seat, _ in self.plays}
        seat = self.plays[0][0]
        for _ in rules.rotation.seats:
            if seat not in played:
                return seat
            seat = rules.rotation.next(seat)
        return None

    def is_full(self, rules: TrickRules) -> bool:
        """True if everybody has played."""
        return len({seat for seat, _ in self.plays}) == len(rules.rotation.seats)

    def winner(self, rules: TrickRules, may_be: Mapping[Seat, Collection[str]] | None = None) -> Seat | None:
        """Whose the trick is; None where it is open, or depends on a card that was not read.

        ``may_be``: the cards that an unread one may be, by the seat that played it; any card of the pack that does not
        lie in the trick where it says nothing.
        """
        if not self.plays:
            return None
        unread = [place for place, (_, card) in enumerate(self.plays) if face(card) == UNKNOWN]
        if not unread:
            return _winner(self.plays, rules)
        seen = frozenset(map(face, self.cards))
        choices = [
            _extremes(rules, frozenset((may_be or {}).get(self.plays[place][0], rules.cards)) - seen)
            for place in unread
        ]
        if not all(choices):
            return None
        plays = list(self.plays)
        winners = set()
        for chosen in product(*choices):
            for place, card in zip(unread, chosen, strict=True):
                plays[place] = plays[place][0], card
            winners.add(_winner(plays, rules))
            if len(winners) > 1:
                return None
        return next(iter(winners))


def _winner(plays: Sequence[Play], rules: TrickRules) -> Seat | None:
    counted = [(seat, card) for seat, card in plays if not rules.is_excused(card)]
    if not counted:
        return None
    best, highest = counted[0]
    led = rules.suit(highest)
    if led is None:
        return None
    for seat, card in counted[1:]:
        if rules.beats(card, highest, led):
            best, highest = seat, card
    return best


def _extremes(rules: TrickRules, cards: Collection[str]) -> tuple[str, ...]:
    """Of each suit the highest and the lowest of ``cards``, and one that excuses: who wins changes at these only."""
    chosen: set[str] = set()
    for suit in rules.suits:
        own = sorted((card for card in cards if rules.suit(card) == suit), key=rules.height)
        chosen.update(own[:1] + own[-1:])
    chosen.update([card for card in cards if rules.is_excused(card)][:1])
    return tuple(sorted(chosen))
