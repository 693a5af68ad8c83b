"""Declarer's demands on a defender whose partner has played before him (law 57 of 2007), and plays against them.

The arbitro enters declarer's choice as a ruling: ``highest`` or ``lowest`` of the suit led, or ``require-S`` or
``forbid-S`` with the letter of another suit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from hw.cards import UNKNOWN, rank, suit
from hw.seats import Seat
from table_service.games.bridge.judges.card_play import CardPlay
from table_service.games.bridge.judges.ordered_leads import SUITS, WAYS
from table_service.games.tricks.order import FRENCH_RANKS

How = Literal["highest", "lowest", "require", "forbid"]
_OF_THE_SUIT_LED: Final[tuple[How, ...]] = ("highest", "lowest")


@dataclass(frozen=True, slots=True)
class PlayOrder:
    """``player`` is to play so to trick ``number``; ``suit`` is empty where it is about the suit led."""

    player: Seat
    how: How
    suit: str
    number: int


@dataclass(frozen=True, slots=True)
class BrokenPlay:
    """``order`` was not kept by ``card``, though another one was there."""

    order: PlayOrder
    card: str


def play_order(play: CardPlay, option: str | None, offender: Seat) -> PlayOrder | None:
    """Order by ``option`` on the partner of ``offender`` in the open trick; None if he has played to it already."""
    word, _, named = (option or "").partition("-")
    player, open_ = offender.partner, play.play.open
    if not open_.plays or open_.card_of(player) is not None:
        return None
    for how in _OF_THE_SUIT_LED:
        if word == how and not named:
            return PlayOrder(player, how, "", play.play.number)
    for way in WAYS:
        if word == way and len(named) == 1 and named in SUITS:
            return PlayOrder(player, way, named, play.play.number)
    return None


def broken_plays(play: CardPlay, orders: Iterable[PlayOrder]) -> Iterator[BrokenPlay]:
    """Plays against an order by who is certain to have held another card: by a record, or by what he has played since.

    Who has not followed suit though able has revoked, which is another matter.
    """
    for order in orders:
        trick = play.tricks[order.number - 1] if order.number <= len(play.tricks) else None
        card = None if trick is None else trick.card_of(order.player)
        if trick is None or card is None or card == UNKNOWN:
            continue
        led, held = trick.led(play.play.rules), _held_then(play, order)
        if led is not None and any(_is_better(order, card, other, led, held) for other in held):
            yield BrokenPlay(order, card)


def _held_then(play: CardPlay, order: PlayOrder) -> frozenset[str]:
    """Return the cards that the player certainly held beside the one that he played."""
    later = {card for trick in play.tricks[order.number :] for who, card in trick.plays if who is order.player}
    return frozenset(later | play.hands.held.get(order.player, frozenset())) - {UNKNOWN}


def _is_better(order: PlayOrder, card: str, other: str, led: str, held: frozenset[str]) -> bool:
    """Return True if ``other`` would have kept the order that ``card`` has not kept."""
    if order.how in _OF_THE_SUIT_LED:
        higher = FRENCH_RANKS.index(rank(other)) < FRENCH_RANKS.index(rank(card))
        return suit(card) == suit(other) == led and higher is (order.how == "highest")
    if led in {suit(card), *map(suit, held)}:
        return False  # he follows suit, or ought to
    return (suit(card) == order.suit) is (order.how == "forbid") and (suit(other) == order.suit) is (
        order.how == "require"
    )
