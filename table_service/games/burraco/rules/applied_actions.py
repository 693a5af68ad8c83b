"""Actions applied to a deal, and what is wrong with them: the deal's acts, chosen by the kind of the action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from hw.cards import UNKNOWN
from hw.seats import Seat
from hw.zones import DISCARD, STOCK, hand
from table_service.games.burraco.rules import acting, pots
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import Cards, matching, newcomers
from table_service.games.burraco.rules.copying import replace
from table_service.games.burraco.rules.deal import ActFault, Deal, Phase
from table_service.games.burraco.rules.deal_parts import Lay
from table_service.games.burraco.rules.doubts import doubtful_hands
from table_service.games.burraco.rules.sensing_gap import met_by
from table_service.games.burraco.rules.verifying import (
    verify_collect,
    verify_discard,
    verify_draw,
    verify_extend,
    verify_open,
    verify_take_pot,
)

_OF_NOW: Final = frozenset({ActFault.OUT_OF_TURN, ActFault.AFTER_DISCARD, ActFault.NOT_DRAWN})
"""What is wrong by whose turn it is now, and what he has done in it."""
_OUTS: Final = 12
"""So many of the last discards are remembered: what a camera tells later than that is judged as it is told."""
_PLAIN: Final = 0.9
"""From this confidence on it is plain who has taken cards back."""
_TAKES: Final = (act.Draw, act.Collect)
_CHANGES: Final = 8
"""So many of the last changes to each meld are remembered with who made them."""


def verify(deal: Deal, action: act.Action) -> tuple[ActFault, ...]:
    """Return what is wrong with ``action`` now; nothing for acts that no time of play holds.

    Cards laid before the own discard and told after it are in order; those laid after it never are.
    """
    faults = _verify(deal, action)
    if not faults or not isinstance(action, act.Open | act.Extend):
        return faults
    if deal.is_late(action.seat, action.committed_t):
        return tuple(fault for fault in faults if fault not in _OF_NOW)
    if deal.is_between(action.seat, action.committed_t):
        return tuple(ActFault.AFTER_DISCARD if fault is ActFault.OUT_OF_TURN else fault for fault in faults)
    return faults


def _verify(deal: Deal, action: act.Action) -> tuple[ActFault, ...]:
    match action:
        case act.Draw(seat=seat, cards=cards):
            return verify_draw(deal, seat, len(cards))
        case act.Collect(seat=seat):
            return verify_collect(deal, seat)
        case act.Open(seat=seat, cards=cards, line=line, result=result):
            return verify_open(deal, seat, result or cards, line)
        case act.Extend(seat=seat, row=row, cards=cards, result=result):
            meld = deal.meld(row)
            return verify_extend(deal, seat, row, result or (*(meld.cards if meld else ()), *cards))
        case act.Discard(seat=seat, cards=cards):
            return verify_discard(deal, seat, cards[-1] if cards else UNKNOWN)
        case act.TakePot(seat=seat):
            return verify_take_pot(deal, seat)
    return ()


def _shift(deal: Deal, action: act.Shift) -> Deal:
    own = hand(deal.actor(action.seat))
    return deal.shift(action.cards, action.source or own, action.target or own)


def _lay(deal: Deal, action: act.Open | act.Extend) -> Deal:
    after = _laid(deal, action)
    who = _seen(action)
    pot = None if who is None else deal.pots_taken.get(deal.line_of(who))
    if deal.flown and pot is not None and action.committed_t < pot.t:
        after = replace(after, flown=True)  # it led to the pot and is none of its cards
    if after.withdrawn:
        after = replace(after, withdrawn=newcomers(action.cards, after.withdrawn))
    if action.seat is None:
        return after
    lay = Lay(action.seat, action.committed_t, action.cards, seen=who is not None)
    since = (*deal.changed.get(action.row, ()), lay)
    return replace(after, changed={**deal.changed, action.row: since[-_CHANGES:]})


def laid_by(deal: Deal, seat: Seat, cards: Cards, *, until: float, sure: bool) -> Deal:
    """Return the deal in which ``seat`` laid those ``cards`` of a meld before ``until``, as a ruling says.

    The hand of another player who was seen to lay them holds as many cards more. Not ``sure``: they may be other cards
    than that player laid, so that the numbers of cards of both are in doubt.
    """
    found = _newest_lay(deal, cards, until)
    if found is None:
        return deal if sure else deal.doubt_hands((seat,))
    row, newest = found
    if newest.seat is seat:
        return deal
    if not sure:
        return deal.doubt_hands((seat, newest.seat))
    known = tuple(lay._replace(seat=seat) if lay is newest else lay for lay in deal.changed[row])
    after = replace(deal, changed={**deal.changed, row: known})
    return after.shift((UNKNOWN,) * len(matching(newest.cards, cards)), hand(seat), hand(newest.seat))


def _newest_lay(deal: Deal, cards: Cards, until: float) -> tuple[int, Lay] | None:
    """Return the row and the last lay of any of ``cards`` to a meld up to ``until``; None if there was none."""
    lays = ((row, lay) for row, known in deal.changed.items() for lay in known if lay.t <= until)
    of_these = (one for one in lays if matching(one[1].cards, cards))
    return max(of_these, key=lambda one: one[1].t, default=None)


def _laid(deal: Deal, action: act.Open | act.Extend) -> Deal:
    seat = action.seat
    if seat is not None and action.source is None and deal.is_late(seat, action.committed_t):
        return acting.lay_late(deal, seat, action.row, action.line, action.cards, action.result, action.committed_t)
    if action.ordered and seat is not None and seat is not deal.to_play:
        return acting.lay_late(
            deal, seat, action.row, action.line, action.cards, action.result, action.committed_t
        )  # mended: that is no turn
    if (seat is None or action.supposed) and action.line is not deal.line_of(deal.to_play):
        who = seat or deal.rotation.previous(deal.to_play)
        return acting.lay_late(deal, who, action.row, action.line, action.cards, action.result, action.committed_t)
    return acting.lay(deal, _seen(action), action.row, action.line, action.cards, action.result, action.source)


def _uncover(deal: Deal, action: act.Uncover) -> Deal:
    whose = (*action.by, *deal.seats_of(action.line))[0]
    after = acting.uncover(deal, whose, action.row, action.line, action.cards, action.result)
    return after if len(action.by) == 1 else replace(after, unplaced=(*after.unplaced, whose))


def _seen(action: act.Action) -> Seat | None:
    """Return the seat whose hand was seen."""
    return None if action.supposed else action.seat


def _discard(deal: Deal, action: act.Discard) -> Deal:
    after = acting.discard(deal, _seen(action), action.cards, left=action.left, source=action.source)
    ended = deal.begun or after.turn != deal.turn
    if not ended or after.begun:
        return after
    out = (after.last_out or deal.actor(action.seat), action.committed_t)
    return replace(after, outs=(*deal.outs, out)[-_OUTS:])


def _collect(deal: Deal, action: act.Collect) -> Deal:
    """Let ``action`` begin a turn; the next hand shows whose it is if another than the one seen may have done it."""
    seat = _seen(action)
    after = acting.collect(deal, seat, action.cards)
    return after if seat is None or action.is_by_one_hand else after.lose_turn()


def _take_back(deal: Deal, action: act.TakeBack) -> Deal:
    after = acting.take_back(deal, action.holder or action.seat, action.cards, action.zone, action.row, action.result)
    return replace(after, withdrawn=(*deal.withdrawn, *action.cards)) if _withdraws(deal, action) else after


def _withdraws(deal: Deal, action: act.TakeBack) -> bool:
    """Return True if the player takes back all of a meld begun in this turn and not completed (art. 29)."""
    seat, meld = _seen(action), None if action.row is None else deal.meld(action.row)
    if meld is None or seat is not deal.to_play or not deal.begun or action.ordered or action.confidence < _PLAIN:
        return False
    laid = deal.seen_lays(meld.row)
    mine = all(lay.seat is seat and lay.t > deal.last_out_t for lay in laid)
    return mine and len(laid) > 0 and len(action.cards) == len(meld.cards) < deal.book.meld_min


_ACTS: Final[dict[type[act.Action], Callable[[Deal, Any], Deal]]] = {
    act.TurnUp: lambda deal, a: acting.turn_up(deal, a.cards),
    act.Draw: lambda deal, a: acting.draw(deal, a.seat, a.cards),
    act.Collect: _collect,
    act.Open: _lay,
    act.Extend: _lay,
    act.Uncover: _uncover,
    act.Change: lambda deal, a: acting.change(deal, a.seat, a.row, a.line, a.result),
    act.Discard: _discard,
    act.TakePot: lambda deal, a: pots.take_pot(deal, a.seat, a.manner, len(a.cards), a.by, a.committed_t),
    act.TakeBack: _take_back,
    act.ReturnToStock: lambda deal, a: acting.give_back(deal, a.seat, a.cards, STOCK),
    act.ReturnToPile: lambda deal, a: acting.give_back(deal, a.seat, a.cards, DISCARD),
    act.ReturnToPot: lambda deal, a: pots.return_pot(deal, a.seat, a.cards),
    act.Expose: lambda deal, a: acting.expose(deal, a.seat, a.cards, a.source),
    act.Penalise: lambda deal, a: deal.shift(a.cards, a.source or hand(deal.actor(a.seat)), a.zone),
    act.Shift: _shift,
}


def apply(deal: Deal, action: act.Action) -> Deal:
    """Return the deal after ``action``; never raises, never loses a card. A declaration moves none.

    The hands whose number of cards ``action`` may have falsified are in doubt from then on.
    """
    do = _ACTS.get(type(action))
    if do is None:
        return deal
    deal = met_by(deal, action.committed_t)
    after = do(deal, action)
    if isinstance(action, _TAKES) and after.begun and after.turn != deal.turn:
        after = replace(after, began_t=action.committed_t)
    doubted = doubtful_hands(deal, action)
    return after.doubt_hands(doubted) if doubted and after.phase is not Phase.OVER else after
