"""Duties that were not kept, once that is certain: a suit not followed, a trump not played where the game asks for it.

Who did not follow is accused of nothing by that alone. It is a revoke when a card that he must have held then comes to
light in his hand: he plays it later, lays it out, or there is no other place for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from table_service.games.tricks.hands import Hands
from table_service.games.tricks.order import TrickRules
from table_service.games.tricks.trick import Trick

Duty = Literal["follow", "trump"]


@dataclass(frozen=True, slots=True)
class Revoke:
    """``seat`` played ``card`` to trick ``number`` (from 1) though it held cards of ``suit``.

    ``proof``: the card that shows it, None where it follows from all other places; ``proved_in``: the trick to which it
    was played later, None where it was not.
    """

    duty: Duty
    number: int
    seat: Seat
    card: str
    suit: str
    proof: str | None
    proved_in: int | None


def revokes(rules: TrickRules, tricks: Sequence[Trick], hands: Hands) -> tuple[Revoke, ...]:
    """Every breach that is certain from ``tricks``, played in this order, and from what is known of ``hands`` now.

    A second card of one hand to a trick is a fault of its own, and no breach of what the first had to be. A card that
    was played twice proves nothing, nor does it breach anything: one of the two was misread.
    """
    twice = doubled(tricks)
    sure = [without_faces(trick, twice) for trick in tricks] if twice else tricks
    return tuple(
        found
        for place, trick in enumerate(sure)
        for seat, card in trick.plays[1:]
        if trick.card_of(seat) == card and (found := _breach(rules, sure, place, seat, card, hands)) is not None
    )


def without_faces(trick: Trick, cards: Collection[str]) -> Trick:
    """``trick`` with ``cards`` as unread ones."""
    plays = tuple((seat, UNKNOWN if card in cards else card) for seat, card in trick.plays)
    return Trick(plays, trick.may_lead)


def doubled(tricks: Sequence[Trick]) -> frozenset[str]:
    """Return the faces that were played more than once, of a pack that has each once."""
    count = Counter(card for trick in tricks for _, card in trick.plays)
    return frozenset(card for card, number in count.items() if number > 1 and card != UNKNOWN)


def _breach(
    rules: TrickRules, tricks: Sequence[Trick], place: int, seat: Seat, card: str, hands: Hands
) -> Revoke | None:
    led = tricks[place].led(rules)
    own = rules.suit(card)
    if led is None or own is None or own == led or not _led_before(rules, tricks[place], seat, card):
        return None
    proof = _proof(rules, tricks, place, seat, led, hands)
    if proof is not None:
        return Revoke("follow", place + 1, seat, card, led, *proof)
    trump = rules.trump
    if not rules.must_trump or trump is None or own == trump or not _was_void(rules, tricks, place, seat, led, hands):
        return None
    proof = _proof(rules, tricks, place, seat, trump, hands)
    return None if proof is None else Revoke("trump", place + 1, seat, card, trump, *proof)


def _led_before(rules: TrickRules, trick: Trick, seat: Seat, card: str) -> bool:
    """Return True if the suit to follow was there when ``seat`` played ``card`` (it is not if only an excuse lay)."""
    for who, one in trick.plays:
        if (who, one) == (seat, card):
            return False
        if not rules.is_excused(one):
            return True
    return False


def _later(tricks: Sequence[Trick], place: int, seat: Seat) -> Iterator[tuple[int, str]]:
    """Yield the cards that ``seat`` has played to tricks after ``place``, each with the trick's number."""
    for number, trick in enumerate(tricks[place + 1 :], place + 2):
        yield from ((number, card) for who, card in trick.plays if who is seat)


def _proof(
    rules: TrickRules, tricks: Sequence[Trick], place: int, seat: Seat, suit: str, hands: Hands
) -> tuple[str | None, int | None] | None:
    """Return what shows that ``seat`` held a card of ``suit`` at trick ``place``: (card, trick), or None."""
    for number, card in _later(tricks, place, seat):
        if rules.suit(card) == suit:
            return card, number
    cards = rules.of_suit(suit)
    known = sorted(hands.held.get(seat, frozenset()) & cards, key=rules.height)
    if known:
        return known[0], None
    return (None, None) if hands.holds_one_of(seat, cards) else None


def _was_void(rules: TrickRules, tricks: Sequence[Trick], place: int, seat: Seat, suit: str, hands: Hands) -> bool:
    """Return True if ``seat`` surely had no card of ``suit`` at trick ``place``: none later, none possible still."""
    later = [face(card) for _, card in _later(tricks, place, seat)]
    return UNKNOWN not in later and hands.has_none_of(seat, rules.of_suit(suit))
