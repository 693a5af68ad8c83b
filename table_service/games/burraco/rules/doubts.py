"""Whose number of cards an action leaves in doubt: it is a fact only while every movement of that hand was plain."""

from __future__ import annotations

from collections import Counter
from typing import Final

from hw.cards import BURRACO, UNKNOWN, face
from hw.seats import Line, Seat
from hw.zones import DISCARD, TABLE
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal
from table_service.games.burraco.rules.places import Cards, matching

PLAIN: Final = 0.6
"""From this confidence on, who moved what is taken as seen."""
_AS_SIGNED: Final = 0.5
"""Who takes a pot has at least given a sign, or been seen there, from this confidence on."""
Seats = tuple[Seat, ...]


def doubtful_hands(before: Deal, action: act.Action) -> Seats:
    """The seats whose number of cards may be wrong once ``action`` has been booked; ``before``: the deal before it."""
    seat = action.seat
    match action:
        case act.Draw() | act.Collect():
            return _taking(before, action)
        case act.Open(line=line, source=None) | act.Extend(line=line, source=None):
            return _laying(before, action, line)
        case act.Uncover(line=line, by=by):
            return () if len(by) == 1 else before.seats_of(line)
        case act.Change(row=row, line=line, result=result):
            meld = before.meld(row)
            return () if meld is not None and len(meld.cards) == len(result) else before.seats_of(line)
        case act.TakeBack(row=row, ordered=ordered) if row is not None:
            meld = before.meld(row)
            return () if ordered or meld is None else before.seats_of(meld.line)
        case act.Discard(left=False, source=None):
            return _discarding(before, action)
        case act.TakePot(confidence=sure):
            return before.seats if sure < _AS_SIGNED and before.pots_left else ()
        case act.ReturnToStock() | act.ReturnToPile() | act.ReturnToPot():
            return before.seats if seat is None and len(before.out) != 1 else ()
        case act.Penalise(source=None):
            return before.seats if seat is None else ()
        case act.Shift(source=source, target=target):
            own = source is None or target is None
            return before.seats if own and (seat is None or action.confidence < PLAIN) else ()
    return ()


def impossible_faces(deal: Deal) -> frozenset[str]:
    """The faces of which more cards lie open than the pack holds: some of them must be misread."""
    lying = Counter(face(card) for meld in deal.melds for card in meld.cards)
    lying.update(face(card) for zone in (DISCARD, TABLE) for card in deal.at(zone))
    return frozenset(card for card, count in lying.items() if card != UNKNOWN and count > BURRACO.copies.get(card, 0))


def _taking(before: Deal, action: act.Draw | act.Collect) -> Seats:
    """Who takes unseen is taken for the player in turn; where he has drawn, or draws after it, that was wrong.

    So was the number of cards of who plays on with none left and no pot to take.
    """
    seat = action.seat
    who = before.actor(seat)
    line = before.line_of(who)
    goes_on = who in before.barred or any(meld.line is line and meld.frozen == "temporary" for meld in before.melds)
    if not before.owns(who) and not before.pot_is_open(line) and not before.drawn and not goes_on:
        return (who,) if seat is not None or before.known else before.seats
    if seat is None:
        return before.seats if before.drawn or not before.known else ()
    if seat is before.to_play and before.drawn and not before.seen and before.begun:
        return before.seats
    return (seat,) if action.confidence < PLAIN else ()


def _cannot_hold(held: Cards, laid: Cards) -> bool:
    """Whether by the ledger, which knows every card of the hand, these are not in it: it must be wrong about it."""
    known = tuple(card for card in laid if face(card) != UNKNOWN)
    return len(known) - len(matching(held, known)) > sum(face(card) == UNKNOWN for card in held)


def _laying(before: Deal, action: act.Open | act.Extend, line: Line) -> Seats:
    """Cards that nobody was seen to lay."""
    seat = action.seat
    if seat is None:
        return before.seats_of(line)
    if _cannot_hold(before.hand(seat), action.cards):
        return (seat,)
    if action.supposed and not before.is_late(seat, action.committed_t) and not (before.known and before.drawn):
        return before.seats_of(line)
    if action.supposed and seat is before.last_out and not before.is_late(seat, action.committed_t):
        return before.seats_of(line)
    return (seat,) if action.confidence < PLAIN else ()


def _discarding(before: Deal, action: act.Discard) -> Seats:
    seat = action.seat
    if seat is None:
        return before.seats
    if seat is before.redo and not before.begun:
        return ()
    if seat is not before.to_play and seat not in before.out:
        return before.seats if before.known else ()
    return (seat,) if action.confidence < PLAIN else ()


__all__ = ["PLAIN", "doubtful_hands", "impossible_faces"]
