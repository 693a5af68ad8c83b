"""Actions applied to a deal, and what is wrong with them: the deal's acts, chosen by the kind of the action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from hw.cards import UNKNOWN
from hw.zones import DISCARD, STOCK, TABLE, hand
from table_service.games.burraco import actions as act
from table_service.games.burraco.deal import Deal, Fault


def verify(deal: Deal, action: act.Action) -> tuple[Fault, ...]:
    """What is wrong with ``action`` now; nothing for acts that no time of play holds."""
    match action:
        case act.Draw(seat=seat, cards=cards):
            return deal.verify_draw(seat, len(cards))
        case act.Collect(seat=seat):
            return deal.verify_collect(seat)
        case act.Open(seat=seat, cards=cards, line=line, result=result):
            return deal.verify_open(seat, result or cards, line)
        case act.Extend(seat=seat, row=row, cards=cards, result=result):
            meld = deal.meld(row)
            return deal.verify_extend(seat, row, result or (*(meld.cards if meld else ()), *cards))
        case act.Discard(seat=seat, cards=cards):
            return deal.verify_discard(seat, cards[-1] if cards else UNKNOWN)
        case act.TakePot(seat=seat):
            return deal.verify_take_pot(seat)
    return ()


def _shift(deal: Deal, action: act.Shift) -> Deal:
    own = hand(deal.actor(action.seat))
    return deal.shift(action.cards, action.source or own, action.target or own)


def _lay(deal: Deal, action: act.Open | act.Extend) -> Deal:
    return deal.lay(action.seat, action.row, action.line, action.cards, action.result, action.source)


_ACTS: Final[dict[type[act.Action], Callable[[Deal, Any], Deal]]] = {
    act.TurnUp: lambda deal, a: deal.turn_up(a.cards),
    act.Draw: lambda deal, a: deal.draw(a.seat, a.cards),
    act.Collect: lambda deal, a: deal.collect(a.seat, a.cards),
    act.Open: _lay,
    act.Extend: _lay,
    act.Change: lambda deal, a: deal.change(a.seat, a.row, a.line, a.result),
    act.Discard: lambda deal, a: deal.discard(a.seat, a.cards, left=a.left, source=a.source),
    act.TakePot: lambda deal, a: deal.take_pot(a.seat, a.manner, len(a.cards)),
    act.TakeBack: lambda deal, a: deal.take_back(a.seat, a.cards, a.zone, a.row, a.result),
    act.ReturnToStock: lambda deal, a: deal.give_back(a.seat, a.cards, STOCK),
    act.ReturnToPile: lambda deal, a: deal.give_back(a.seat, a.cards, DISCARD),
    act.ReturnToPot: lambda deal, a: deal.return_pot(a.seat, a.cards),
    act.Expose: lambda deal, a: deal.shift(a.cards, a.source or hand(deal.actor(a.seat)), TABLE),
    act.Penalise: lambda deal, a: deal.shift(a.cards, a.source or hand(deal.actor(a.seat)), a.zone),
    act.Shift: _shift,
}


def apply(deal: Deal, action: act.Action) -> Deal:
    """The deal after ``action``; never raises, never loses a card. A declaration moves none."""
    do = _ACTS.get(type(action))
    return deal if do is None else do(deal, action)
