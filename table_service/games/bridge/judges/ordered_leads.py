"""Suits that declarer has required or forbidden at a defender's lead (laws 26, 50D2 of 2007), and leads against that.

What he has chosen the arbitro enters as a ruling: ``require-S`` or ``forbid-S``, with the suit's letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from hw.cards import UNKNOWN, suit
from hw.seats import Seat
from table_service.games.bridge.judges.card_play import CardPlay

Way = Literal["require", "forbid"]
WAYS: Final[tuple[Way, ...]] = ("require", "forbid")
SUITS: Final = "SHDC"


@dataclass(frozen=True, slots=True)
class LeadOrder:
    """``leader`` is to lead ``suit``, or not to, at his first lead from trick ``since`` on.

    A prohibition lasts as long as he keeps the lead; a requirement is for the first lead only.
    """

    leader: Seat
    way: Way
    suit: str
    since: int


@dataclass(frozen=True, slots=True)
class BrokenLead:
    """``order`` was not kept by the lead of ``card`` to trick ``number``, though another card was there."""

    order: LeadOrder
    number: int
    card: str


def order_of(option: str | None, leader: Seat, since: int) -> LeadOrder | None:
    """Return the order that the ruling ``option`` makes; None if it orders no suit (``neither``)."""
    word, _, named = (option or "").partition("-")
    way = next((one for one in WAYS if one == word), None)
    return LeadOrder(leader, way, named, since) if way is not None and named and named in SUITS else None


def broken_leads(play: CardPlay, orders: Iterable[LeadOrder]) -> Iterator[BrokenLead]:
    """Leads against an order by who is certain to have held another card: by a record, or by what he has played since.

    Who could not comply has led what he liked (law 59); while nobody knows, nobody is accused.
    """
    for order in orders:
        for number in _leads_under(play, order):
            card = play.tricks[number - 1].plays[0][1]
            if card != UNKNOWN and not _keeps(order, card) and _could_comply(play, order, number):
                yield BrokenLead(order, number, card)


def is_pending(play: CardPlay, order: LeadOrder) -> bool:
    """Return True if ``order`` still binds a lead to come."""
    led = _leads_under(play, order)
    if not led:
        return True
    return order.way == "forbid" and _winner(play, led[-1]) is order.leader


def _keeps(order: LeadOrder, card: str) -> bool:
    return (suit(card) == order.suit) is (order.way == "require")


def _leads_under(play: CardPlay, order: LeadOrder) -> list[int]:
    """Return the tricks to whose lead ``order`` applies."""
    found: list[int] = []
    for number, trick in enumerate(play.tricks, 1):
        if number < order.since or trick.leader is not order.leader:
            if found:
                break
            continue
        found.append(number)
        if order.way == "require" or _winner(play, number) is not order.leader:
            break
    return found


def _winner(play: CardPlay, number: int) -> Seat | None:
    return next((one.by for one in play.turned if one.number == number), None)


def _could_comply(play: CardPlay, order: LeadOrder, number: int) -> bool:
    """Return True if the leader of trick ``number`` certainly held a card by which the order would have been kept."""
    later = [card for trick in play.tricks[number:] for who, card in trick.plays if who is order.leader]
    held = [*later, *play.hands.held.get(order.leader, frozenset())]
    return any(card != UNKNOWN and _keeps(order, card) for card in held)
