"""The pots: who takes which, what goes back, and the pot that a line takes although it has had its own (art. 23)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hw.cards import UNKNOWN
from hw.seats import Line, Seat
from hw.zones import DISCARD, STOCK, hand
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import POTS_IN_ORDER, Cards, Places
from table_service.games.burraco.rules.copying import replace
from table_service.games.burraco.rules.deal import Deal
from table_service.games.burraco.rules.deal_parts import Phase, Pot

AFTER_THE_END: Final = 20.0
"""Seconds after the last discard of a deal within which its player takes the pot that he went to with it."""


def take_pot(
    deal: Deal, seat: Seat | None, manner: act.PotManner, count: int = 0, by: Seat | None = None, t: float = 0.0
) -> Deal:
    """Give the next pot to a hand. ``count``: cards seen to go, 0: all of that pot. ``by``: whose hand lifted it.

    Once the deal is over a pot is only his whose last discard ended it: what is lifted otherwise is cleared away.
    """
    who, left = deal.actor(seat), deal.pots_left
    if deal.phase is Phase.OVER and not _still_due(deal, who, t):
        return deal
    line = deal.line_of(who)
    before = deal.second.get(line) or deal.pots_taken.get(line)
    if before is not None and before.seat is who and deal.at(before.place):
        return _rest(deal, before, count)
    if not left:
        return replace(deal, places=deal.places.move((UNKNOWN,) * count, STOCK, hand(who)))
    place = left[0]
    places = _checked_hand(deal, _filled_up(deal, place, count), who)
    pot = (UNKNOWN,) * count or places.at(place)
    places = places.move(pot, place, hand(who))
    if len(pot) != deal.book.pot_cards and not places.at(place):
        places = places.doubt(hand(who))  # all of a pot with another number than it should have: the scale may err
    after = replace(deal, places=places)
    flying = manner == "in-flight"
    supposed = flying and (deal.clouded or DISCARD in deal.places.unverified)
    taken = Pot(who, manner, place, played=flying, by=by, cards=len(pot), t=t, turn=deal.turn, supposed=supposed)
    if line in deal.pots_taken:
        return replace(after, second={**deal.second, line: taken})
    flown = flying and who is deal.to_play
    return replace(after, pots_taken={**deal.pots_taken, line: taken}, flown=flown)


def _filled_up(deal: Deal, place: str, count: int) -> Places:
    """Return the places with ``count`` cards at least in the pot at ``place``: what it lacks lay in the other one."""
    lacking = count - len(deal.places.at(place))
    if lacking <= 0:
        return deal.places
    return deal.places.move((UNKNOWN,) * lacking, _other_pot(deal, place, lacking) or deal.pots_left[-1], place)


def _checked_hand(deal: Deal, places: Places, who: Seat) -> Places:
    """Empty the hand of who takes a pot: cards that he is only thought to hold are none."""
    if not deal.count(who):
        return places.trust(hand(who))
    if deal.line_of(who) not in deal.pots_taken and hand(who) in places.unverified:
        return places.correct(hand(who), ())
    return places


def taker_unseen(deal: Deal, left: int, signed: Seat | None = None) -> tuple[Seat, act.PotManner] | None:
    """Return who took the next pot while nobody watched the pots, of which ``left`` cards are left, and how.

    He whose hand is used up and whose line had a pot to take; ``signed``, who gave the last sign of taking one, where
    the numbers of hands are not sure. None where just one pot has not gone, or several may.
    """
    held = sum(len(deal.at(place)) for place in deal.pots_left)
    if not deal.pots_left or held - left != len(deal.at(deal.pots_left[0])):
        return None
    may = [seat for seat in deal.seats if deal.pot_is_open(deal.line_of(seat)) and not deal.owns(seat)]
    unsure = [seat for seat in deal.seats if hand(seat) in deal.places.unverified]
    if signed in unsure and deal.pot_is_open(deal.line_of(signed)):
        may = [signed]
    elif len(may) != 1 or may[0] in unsure:
        return None
    return may[0], "in-flight" if may[0] is deal.to_play and deal.begun else "discard"


def went_elsewhere(deal: Deal, shown: Mapping[Seat, Cards]) -> bool:
    """Return True if by ``shown`` a taker of a pot lacks most of a pot, and another has so much more: he took it.

    Only of hands that were never sure: who has many more by himself has picked up a pile unseen.
    """
    far = deal.book.pot_cards // 2
    off = {seat: len(shown.get(seat, ())) - deal.count(seat) for seat in deal.seats if not deal.sure_of(seat)}
    lacks = any(off.get(pot.seat, 0) < -far for pot in deal.pots_taken.values())
    return lacks and any(more > far for more in off.values())


def _still_due(deal: Deal, who: Seat, t: float) -> bool:
    """Return True if ``who`` went to the pot with the discard that ended the deal without a closing (arts. 15, 17)."""
    if deal.manner == "closed" or who is not deal.last_out or deal.line_of(who) in deal.pots_taken:
        return False
    return t - deal.last_out_t <= AFTER_THE_END and not (deal.sure_of(who) and deal.count(who))


def _other_pot(deal: Deal, place: str, lacking: int) -> str | None:
    """Return the other pot, if it holds what ``place`` lacks: both were weighed together.

    Of a pot that has been taken what is left over is the other one's.
    """
    return next((one for one in POTS_IN_ORDER if one != place and len(deal.at(one)) >= lacking), None)


def _rest(deal: Deal, pot: Pot, count: int) -> Deal:
    """More cards of the pot that ``pot.seat`` is taking, in several grips."""
    lies = len(deal.at(pot.place))
    moved = min(count, lies) or lies
    after = deal.shift((UNKNOWN,) * moved, pot.place, hand(pot.seat))
    line, more = deal.line_of(pot.seat), replace(pot, cards=pot.cards + moved)
    if deal.second.get(line) is pot:
        return replace(after, second={**deal.second, line: more})
    return replace(after, pots_taken={**deal.pots_taken, line: more})


def return_pot(deal: Deal, seat: Seat | None, cards: Cards) -> Deal:
    """Cards go back to a pot, a second one before the own; a whole pot put back is not taken any more."""
    line = _returning_line(deal, seat)
    if line is not None:
        pot = deal.second[line]
        after = replace(deal, places=deal.places.move(cards, hand(pot.seat), pot.place))
        whole = len(after.at(pot.place)) >= min(pot.cards, deal.book.pot_cards)
        return replace(after, second=_without(deal.second, line)) if whole else after
    who = deal.actor(seat)
    own = deal.pots_taken.get(deal.line_of(who))
    lifted = max((pot for pot in deal.pots_taken.values() if not pot.played), key=lambda pot: pot.t, default=None)
    if lifted is not None and (own is None or (own.played and own.t < lifted.t)):
        who, own = lifted.seat, lifted  # cards of his own have been played: what he puts back is what was lifted last
    place = own.place if own else (deal.pots_left or POTS_IN_ORDER)[0]
    after = replace(deal, places=deal.places.move(cards, hand(who), place))
    if own is None or len(after.at(place)) < deal.book.pot_cards:
        return after
    return replace(after, pots_taken=_without(deal.pots_taken, deal.line_of(who)))


def _without(taken: Mapping[Line, Pot], line: Line) -> dict[Line, Pot]:
    return {one: pot for one, pot in taken.items() if one is not line}


def _returning_line(deal: Deal, seat: Seat | None) -> Line | None:
    """Return which line's second pot goes back: that of the hand that brings it, else the only one there is."""
    if not deal.second:
        return None
    mine = None if seat is None else deal.line_of(seat)
    return mine if mine in deal.second else next(iter(deal.second))


def is_robbed(deal: Deal, line: Line) -> bool:
    """Return True if the other line has taken the pot due to ``line``, so that emptying its hand is going out."""
    return line not in deal.pots_taken and not deal.pots_left and line.other in deal.second
