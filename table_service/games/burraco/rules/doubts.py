"""Hands whose number of cards an action leaves in doubt. It is a fact only while every movement of a hand is plain."""

from __future__ import annotations

from collections import Counter
from typing import Final

from hw.cards import BURRACO, UNKNOWN, face
from hw.seats import Line, Seat
from hw.zones import DISCARD, TABLE
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import Cards, matching
from table_service.games.burraco.rules.deal import Deal

PLAIN: Final = 0.6
"""From this confidence on, who moved what is taken as seen."""
_AS_SIGNED: Final = 0.5
"""Who takes a pot has at least given a sign, or been seen there, from this confidence on."""
Seats = tuple[Seat, ...]


def doubtful_hands(before: Deal, action: act.Action) -> Seats:
    """Return the seats whose number of cards may be wrong once ``action`` is booked; ``before``: the deal before."""
    match action:
        case act.Draw() | act.Collect():
            return _taking(before, action)
        case act.Open(line=line, source=None) | act.Extend(line=line, source=None):
            return _laying(before, action, line)
        case act.Uncover(line=line, by=by) if len(by) != 1:
            return before.seats_of(line)
        case act.Change() | act.TakeBack():
            return _changing(before, action)
        case act.Discard(left=False, source=None):
            return _discarding(before, action)
        case act.TakePot(confidence=sure):
            return before.seats if sure < _AS_SIGNED and before.pots_left else ()
        case act.ReturnToStock() | act.ReturnToPile() | act.ReturnToPot() if len(before.out) != 1:
            return before.seats if action.seat is None else ()
        case act.Penalise(source=None):
            return before.seats if action.seat is None else ()
        case act.Shift():
            return _shifting(before, action)
    return ()


def _changing(before: Deal, action: act.Change | act.TakeBack) -> Seats:
    """Return the seats whose hand cards came from or went to: a meld reads otherwise, or cards were taken out of it."""
    meld = None if action.row is None else before.meld(action.row)
    match action:
        case act.Change(line=line, result=result):
            return () if meld is not None and len(meld.cards) == len(result) else before.seats_of(line)
        case act.TakeBack(ordered=ordered):
            return () if ordered or meld is None else before.seats_of(meld.line)


def _shifting(before: Deal, action: act.Shift) -> Seats:
    """Cards moved outside any turn: from or to a hand that nobody is sure of."""
    own = action.source is None or action.target is None
    return before.seats if own and (action.seat is None or action.confidence < PLAIN) else ()


def impossible_faces(deal: Deal) -> frozenset[str]:
    """Return the faces of which more cards lie open than the pack holds: some of them must be misread."""
    lying = Counter(face(card) for meld in deal.melds for card in meld.cards)
    lying.update(face(card) for zone in (DISCARD, TABLE) for card in deal.at(zone))
    return frozenset(card for card, count in lying.items() if card != UNKNOWN and count > BURRACO.copies.get(card, 0))


def _taking(before: Deal, action: act.Draw | act.Collect) -> Seats:
    """Return the seats in doubt by a taking that nobody saw: the player in turn was supposed, which may be wrong.

    So was the number of cards of who plays on with none left and no pot to take.
    """
    seat = action.seat
    if _has_gone_out(before, before.actor(seat)):
        return (before.actor(seat),) if seat is not None or before.known else before.seats
    if seat is None:
        return before.seats if before.drawn or not before.known else ()
    if seat is before.to_play and before.drawn and not before.seen and before.begun:
        return before.seats
    return (seat,) if action.confidence < PLAIN else ()


def _has_gone_out(before: Deal, who: Seat) -> bool:
    """Return True if ``who`` should be out: no card left, no pot to take, not drawn, and not kept in by a ruling."""
    line = before.line_of(who)
    goes_on = who in before.barred or any(meld.line is line and meld.frozen == "temporary" for meld in before.melds)
    return not (before.owns(who) or before.pot_is_open(line) or before.drawn or goes_on)


def _cannot_hold(held: Cards, laid: Cards) -> bool:
    """Return True if by the ledger, which knows the whole hand, these are not in it: it must be wrong about it."""
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
