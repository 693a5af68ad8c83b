"""Pots: who takes one, and what only seemed to lie upon them."""

from __future__ import annotations

from hw.seats import Seat
from hw.zones import DISCARD, POTS, STOCK, TABLE, hand
from table_service.games.burraco.reading.situation import GUESSED, STRAY, Situation, cards_of, make, seat_of
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal
from table_service.tracking.movements import Movement


def heap(now: Situation, kind: str) -> str:
    """Return where cards lie that come to a place of ``kind``: of the pots the one that is taken next."""
    if kind == POTS:
        again = tuple(pot.place for pot in now.deal.second.values())
        return (*again, *now.deal.pots_left, "pot-1")[0]
    return kind if kind in (STOCK, DISCARD) else TABLE


def from_pots(now: Situation, move: Movement) -> tuple[act.Action, ...]:
    """Read that a pot is taken, or that what had come to lie upon the pots, as if a hand leant there, goes again."""
    deal, left = now.deal, now.deal.pots_left
    over = sum(len(deal.at(place)) for place in left) - len(left) * deal.book.pot_cards
    if left and 0 < len(move.cards) <= over <= STRAY:
        seat = seat_of(move) or deal.to_play
        return (make(act.Shift, move, cards_of(move), source=left[0], target=hand(seat)),)
    return (pot(now, move),)


def pot(now: Situation, move: Movement) -> act.TakePot:
    """Read the taking of a pot by the player whose hand is empty: the hand seen there may be that of who serves it."""
    deal = now.deal
    seat, sure = _taker(now, move)
    running = seat is None or (seat is deal.to_play and deal.begun)
    manner: act.PotManner = "in-flight" if running else "discard"
    by = move.seat if "reach" in move.basis else None
    return make(act.TakePot, move, cards_of(move), manner=manner, seat=seat, confidence=sure, by=by)


def _taker(now: Situation, move: Movement) -> tuple[Seat | None, float]:
    """Return who takes a pot, and how sure that is."""
    deal = now.deal
    empty = _empty_handed(deal)
    may = empty or _once_more(now)
    order = [seat for seat in (deal.to_play, deal.last_out) if seat in may] or empty
    if order and not _signed_by_another(now, order):
        out = deal.last_out
        return (out if out is not None and out in may and not deal.begun else order[0]), move.confidence
    going_on = _taking_on(now)
    if going_on is not None:
        return going_on, move.confidence
    told = now.pot_sign or _last_out(deal) or seat_of(move)
    seat = _entitled(now, told)
    return seat, min(move.confidence, 0.5 if seat is told else GUESSED)


def _empty_handed(deal: Deal) -> list[Seat]:
    """Return who has played out his hand and may take a pot."""
    return [seat for seat in deal.seats if deal.count(seat) == 0 and deal.pot_is_open(deal.line_of(seat))]


def _last_out(deal: Deal) -> Seat | None:
    """Return who discarded last, if nobody has drawn since and the number of his cards is not sure: it was his last."""
    out = deal.last_out
    if out is None or deal.begun or deal.sure_of(out) or not deal.pot_is_open(deal.line_of(out)):
        return None
    return out


def _signed_by_another(now: Situation, empty: list[Seat]) -> bool:
    """Return True if a player other than those with hands ``empty`` by uncertain numbers has turned his shield over.

    His line must have a pot to take.
    """
    deal, over = now.deal, now.over
    if over is None or over in empty or not deal.pot_is_open(deal.line_of(over)) or deal.sure_of(over):
        return False
    return not any(deal.sure_of(seat) for seat in empty)


def _entitled(now: Situation, seat: Seat | None) -> Seat | None:
    """``seat``, or where its line has had its pot and nothing proves that it takes another, one who may take it."""
    deal = now.deal
    if seat is None or deal.pot_is_open(deal.line_of(seat)) or (seat is now.over and bool(deal.pots_left)):
        return seat  # who has turned his shield over takes it, though it is his line's second (art. 23)
    order = (deal.to_play, deal.last_out, *deal.seats)
    due = [one for one in order if one is not None and deal.pot_is_open(deal.line_of(one))]
    return due[0] if due else seat


def _once_more(now: Situation) -> list[Seat]:
    """Seats out of cards although their line has had its pot, if no other can be meant (art. 23)."""
    deal = now.deal
    others = [seat for seat in deal.seats if deal.pot_is_open(deal.line_of(seat))]
    if not deal.pots_left or any(not deal.sure_of(seat) for seat in others):
        return []
    had = [seat for seat in deal.seats if deal.line_of(seat) in deal.pots_taken]
    return [seat for seat in had if deal.owns(seat) == 0 and deal.sure_of(seat)]


def _taking_on(now: Situation) -> Seat | None:
    """Return the player who takes a pot in several grips: he holds a part of one whose rest still lies there."""
    deal = now.deal
    taken = (*deal.second.values(), *deal.pots_taken.values())
    return next((pot.seat for pot in taken if deal.at(pot.place) and deal.count(pot.seat)), None)
