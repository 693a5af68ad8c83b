"""Payloads of Burraco's events: melds, actions, and the parts that are hidden."""

from __future__ import annotations

from typing import Any, Final

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from hw.zones import DISCARD, POTS, STOCK, hand
from table_service.events import Event
from table_service.events import payloads as say
from table_service.games.burraco import payloads as own
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal, MeldRow
from table_service.games.burraco.rules.meld import is_valid, points, reading_of
from table_service.games.burraco.rules.rulebook import RuleBook
from table_service.table.finding_payloads import public, secret_cards, veiled

_ZONES: Final = {
    "card.drawn": STOCK,
    "pile.collected": DISCARD,
    "card.discarded": DISCARD,
    "pot.taken": POTS,
    "card.turned": DISCARD,
}


def zone_of(event: Event) -> str | None:
    """Return where what ``event`` tells has happened; None where it tells of no move of cards."""
    if isinstance(event.data, own.MeldOpened | own.MeldExtended | own.MeldChanged):
        return f"melds-{event.data.meld.line}"
    return _ZONES.get(event.type)


def meld(book: RuleBook, lies: MeldRow) -> own.Meld:
    """Return a meld as it lies, read as the book reads it."""
    reading = reading_of(book, lies.cards)
    return own.Meld(
        id=lies.row,
        line=lies.line,
        kind=reading.kind if reading else None,
        cards=tuple(map(face, lies.cards)),
        wild=own.Wild(card=reading.wild, stands_for=reading.stands_for) if reading and reading.wild else None,
        burraco=reading.burraco if reading else "none",
        points=points(book, lies.cards),
        frozen=lies.frozen,
        valid=is_valid(book, lies.cards),
    )


def hand_counts(deal: Deal) -> dict[str, int | None]:
    """Return how many cards each seat holds by the ledger; None where that number is not sure."""
    return {str(seat): deal.count(seat) if deal.sure_of(seat) else None for seat in deal.seats}


Told = tuple[str, say.Payload, dict[str, Any] | None]
"""The type of an event, its public payload and what of it is hidden."""


def acted(action: act.Action, before: Deal, after: Deal) -> Told | None:
    """Return the event of ``action``, ``before`` and ``after`` being the deal around it; None if it has no event."""
    cards = public(action.cards, action.basis)
    match action:
        case act.TurnUp():
            return "card.turned", own.CardTurned(card=_first(public(after.pile, action.basis))), None
        case act.Draw():
            secret = secret_cards(action.cards)
            if secret is not None and len(cards) == 1:
                secret = {"card": action.cards[0]}
            return "card.drawn", own.CardDrawn(count=max(1, len(cards))), secret
        case act.Collect():
            taken = (after.collected or cards) if after.to_play is after.actor(action.seat) else cards
            return (
                "pile.collected",
                own.PileCollected(cards=public(taken[-len(cards) :], ()), left=len(after.pile)),
                None,
            )
        case act.Open(row=row) | act.Extend(row=row) | act.Uncover(row=row) | act.Change(row=row):
            return _melded(action, row, after)
        case act.Discard(left=left):
            return (
                "card.discarded",
                own.CardDiscarded(card=_first(cards[::-1]), left=left, count=max(1, len(cards))),
                None,
            )
        case act.TakePot(manner=manner):
            if len(after.pots_taken) + len(after.second) == len(before.pots_taken) + len(before.second):
                return None
            return "pot.taken", own.PotTaken(manner=manner, cards=len(cards) or None), None
        case act.Expose(visible_to=visible):
            return _exposed(action, visible)
    return _returned(action, after)


def _first(cards: tuple[str, ...]) -> str:
    return cards[0] if cards else UNKNOWN


def _melded(action: act.Open | act.Extend | act.Uncover | act.Change, row: int, after: Deal) -> Told | None:
    lies = after.meld(row)
    if lies is None:
        return None
    told = meld(after.book, lies)
    match action:
        case act.Open():
            return "meld.opened", own.MeldOpened(meld=told), None
        case act.Extend(cards=cards):
            return "meld.extended", own.MeldExtended(meld=told, added=public(cards, action.basis)), None
        case act.Uncover(cards=cards):
            return "meld.changed", own.MeldChanged(meld=told, why="uncovered", added=tuple(map(face, cards))), None
        case act.Change(why=why):
            return "meld.changed", own.MeldChanged(meld=told, why=why), None


def _exposed(action: act.Expose, visible: tuple[Seat, ...] | None) -> Told:
    cards = public(action.cards, action.basis)
    open_to_all = visible is not None and set(visible) >= set(Seat)
    data = say.CardExposed(cards=cards if open_to_all else veiled(cards), visible_to=visible)
    return "card.exposed", data, None if open_to_all else secret_cards(action.cards)


def _returned(action: act.Action, after: Deal) -> Told | None:
    """Cards that went back somewhere: named only where they lay or lie face up."""
    cards = public(action.cards, action.basis)
    held = None if action.seat is None else hand(action.seat)
    match action:
        case act.ReturnToStock():
            data = own.CardReturned(cards=veiled(cards), from_=held, to=STOCK)
            return "card.returned", data, secret_cards(action.cards)
        case act.ReturnToPot():
            data = own.CardReturned(cards=veiled(cards), from_=held, to=POTS)
            return "card.returned", data, secret_cards(action.cards)
        case act.ReturnToPile():
            return "card.returned", own.CardReturned(cards=cards, from_=held, to=DISCARD), None
        case act.Penalise(zone=zone):
            return "card.returned", own.CardReturned(cards=cards, from_=held, to=zone), None
        case act.TakeBack(zone=zone, row=row):
            lies = None if row is None else after.meld(row)
            rest = () if lies is None else tuple(map(face, lies.cards))
            return "card.returned", own.CardReturned(cards=cards, from_=zone, to=held, meld=row, rest=rest), None
    return None
