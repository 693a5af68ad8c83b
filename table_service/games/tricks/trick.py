"""One trick: who played what, in order, and whose it is, also where a card was not read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from table_service.games.tricks.order import TrickRules

Play = tuple[Seat, str]
_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class Trick:
    """Cards in the order in which they were played; any seat may have played, in any order, more than once.

    What it comes to is asked with the game's ``TrickRules``; here those of tarocco, where the Matto follows no suit:

    >>> from table_service.games.tarocco.rules.tricks import TRICKS
    >>> trick = Trick(((Seat.NORTH, "mat"), (Seat.WEST, "7C"), (Seat.SOUTH, "m2")))
    >>> trick.led(TRICKS), trick.turn(TRICKS), trick.winner(TRICKS)
    ('C', <Seat.EAST: 'E'>, <Seat.SOUTH: 'S'>)

    ``may_lead``: who else may have played first, where nobody knows who was to lead and cards were seen too late to
    tell. What depends on who led is then not known.
    """

    plays: tuple[Play, ...] = ()
    may_lead: frozenset[Seat] = frozenset()

    @property
    def leader(self) -> Seat | None:
        """Seat that played first; None before a card is played, and if that is not known."""
        return self.plays[0][0] if self.plays and not self.may_lead else None

    def with_plays(self, plays: Sequence[Play]) -> Trick:
        """Return the same trick with other cards; a seat that has none in it any more cannot have led."""
        seats = {seat for seat, _ in plays[1:]}
        return Trick(tuple(plays), frozenset(self.may_lead & seats))

    def led_by(self, seat: Seat) -> Trick:
        """Return the trick led by ``seat``, which turns out to have been the hand to lead, if it may have led."""
        known = [one for one in self._orders() if one.leader is seat] if self.may_lead else []
        return known[0] if known else self

    def _orders(self) -> list[Trick]:
        """Return the trick by each hand that may have led."""
        firsts = [place for place, (seat, _) in enumerate(self.plays) if place == 0 or seat in self.may_lead]
        return [
            Trick((self.plays[first], *self.plays[:first], *self.plays[first + 1 :]))
            for first in firsts
            if self.plays[first][0] not in {seat for seat, _ in self.plays[:first]}
        ]

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards, in order."""
        return tuple(card for _, card in self.plays)

    def card_of(self, seat: Seat) -> str | None:
        """Return the first card that ``seat`` has played to the trick."""
        return next((card for who, card in self.plays if who is seat), None)

    def led(self, rules: TrickRules) -> str | None:
        """Return the suit that must be followed: that of the first card which is no excuse; None while unknown."""
        if self.may_lead:
            return _same([one.led(rules) for one in self._orders()])
        for _, card in self.plays:
            if not rules.is_excused(card):
                return rules.suit(card)
        return None

    def turn(self, rules: TrickRules) -> Seat | None:
        """Return who is to play next; None before the lead, where everybody has played, and where nobody knows."""
        if not self.plays:
            return None
        if self.may_lead:
            return _same([one.turn(rules) for one in self._orders()])
        played = {seat for seat, _ in self.plays}
        seat = self.plays[0][0]
        for _ in rules.rotation.seats:
            if seat not in played:
                return seat
            seat = rules.rotation.next(seat)
        return None

    def is_full(self, rules: TrickRules) -> bool:
        """Return True if everybody has played."""
        return len({seat for seat, _ in self.plays}) == len(rules.rotation.seats)

    def winner(self, rules: TrickRules, may_be: Mapping[Seat, Collection[str]] | None = None) -> Seat | None:
        """Winner of the trick; None if it is open, or depends on a card that was not read.

        ``may_be``: the cards that an unread one may be, by the seat that played it; without an entry any card of the
        pack that is not in the trick.
        """
        if not self.plays:
            return None
        if self.may_lead:
            return _same([one.winner(rules, may_be) for one in self._orders()])
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


def _same(found: Sequence[_Found]) -> _Found | None:
    """Return the common value of all of ``found``; None if they differ."""
    return found[0] if len(set(found)) == 1 else None


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
    """Highest and lowest of ``cards`` of each suit, and one that excuses: the winner changes at these only."""
    chosen: set[str] = set()
    for suit in rules.suits:
        own = sorted((card for card in cards if rules.suit(card) == suit), key=rules.height)
        chosen.update(own[:1] + own[-1:])
    chosen.update([card for card in cards if rules.is_excused(card)][:1])
    return tuple(sorted(chosen))
