"""Better knowledge: cards named later, movements taken back, rows that read otherwise, counts that differ."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from hw.zones import BEAMS, DISCARD, POTS, STOCK, TABLE, is_melds
from table_service.games.burraco.fault_kinds import FaultKind
from table_service.games.burraco.fold.course import DealStep, PlayedAction, supposed_after
from table_service.games.burraco.fold.playing import Parts, Playing
from table_service.games.burraco.reading import card_of, read_row
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import ASTRAY, newcomers, renamed
from table_service.games.burraco.rules.deal import Deal, Phase
from table_service.games.burraco.rules.pots import taker_unseen
from table_service.games.burraco.rules.sensing_gap import WEIGHED, as_before, found_unmoved, lose_sight
from table_service.tracking.movements import Counted, Named, Retracted, RowChanged, Unverified, Verified

_GUESS: Final = 0.5
"""How sure it is who took a pot that nobody saw going: enough to go on by, too little to accuse."""
_PUT_BACK: Final = ("return-to-stock", "return-to-pile", "correct-count")
"""Duties by which cards go back to where others have been taken from meanwhile."""
_SURE: Final = 0.9
"""From this confidence on a first count tells that the cards of stock or pots are too few or too many."""


class Corrections:
    """Betters what was believed of the deal that runs."""

    def __init__(self, parts: Parts, playing: Playing) -> None:
        self._table = parts.table
        self._course = parts.course
        self._ending = parts.ending
        self._pack = parts.pack
        self._parts = parts
        self._playing = playing
        self._wavering: dict[str, DealStep | None] = {}
        """Zones of which a scale gave no account, and the step by which that was doubted."""
        self._changed: dict[str, int] = {}
        """Zones of which cards came or went unheard and which were not counted anew since, with the deal's number."""

    def revise(self, revision: Named | Retracted | RowChanged | Counted | Unverified | Verified) -> None:
        """Follow one revision of what was believed."""
        match revision:
            case RowChanged():
                self._row_changed(revision)
            case Named():
                self._named(revision)
            case Retracted():
                self._retracted(revision)
            case Counted():
                self._counted(revision)
            case Unverified(zone=zone, missed=missed, changed=changed):
                self._doubted(zone, missed=missed)
                if changed and self._course.deal is not None:
                    self._changed[zone] = self._course.deal.number
            case Verified(zone=zone, t=t):
                self._trusted(zone, t)
                if zone.startswith("melds-"):
                    self._table.health.trust(zone, t)
                    self._ending.recount(t)  # they may have been hidden as the deal was counted
        self.close_gap()

    def _row_changed(self, change: RowChanged) -> None:
        """Read a meld otherwise although no card moved."""
        if self._course.deal is not None and not self._parts.clearing.is_gathered(change.committed_t):
            self._playing.perform(change.id, read_row(change, self._course.deal))

    # -- what was played is known better -----------------------------------------------------------------------------

    def _named(self, named: Named) -> None:
        """Revise the cards of a movement that was acted upon, now known better: play goes through again from there."""
        self._playing.named(named)
        cards = tuple(map(card_of, named.cards))
        was = self._course.of_movement(named.movement)
        known = [(one, better) for one in was if (better := self._better(one, cards)) is not None]
        for one, better in known:
            self._course.revise(one, better)
        if known:
            self._ending.revised(named.t)
            self._course.tell(named.t, basis=named.basis)
        self._parts.reporter.report(self._parts.referee.rename(named.movement, cards, named.t))

    def _better(self, one: PlayedAction, cards: tuple[str, ...]) -> act.Action | None:
        """Return ``one``'s action with its cards better known; None if nothing changes, or ``cards`` are fewer."""
        action = one.action
        if cards == action.cards:
            return None
        if not isinstance(action, act.Open | act.Extend):
            return replace(action, cards=cards) if len(cards) == len(action.cards) else None
        if len(cards) == len(action.cards):
            return _named_in_meld(action, cards)
        if len(cards) < len(action.cards) or self._ending.is_told:
            return None
        since = self._course.since(one)
        reads = (one.result for one in since if isinstance(one, act.Change) and one.row == action.row)
        told = next((result for result in reads if len(result) > len(action.result)), ())
        more = newcomers(action.cards, cards)
        return replace(action, cards=cards, result=told or ((*action.result, *more) if action.result else ()))

    def _retracted(self, retracted: Retracted) -> None:
        """Retract a movement that was acted upon and did not happen."""
        self._playing.retracted(retracted)
        self._undo(supposed_after(retracted.movement), retracted.reason, retracted.t)
        self._undo(retracted.movement, retracted.reason, retracted.t)

    def _undo(self, movement: int, reason: str, t: float) -> None:
        """Take back what was read from ``movement``, if anything was."""
        gone = self._course.of_movement(movement)
        for one in gone:
            self._course.remove(one.step)
        if gone:
            self._ending.revised(t)
            self._course.tell(t, reason)
            self._parts.reporter.report(self._parts.referee.retract(movement, t))

    # -- what is counted and what can be relied on -------------------------------------------------------------------

    def _anew(self, zone: str, cards: int, t: float, confidence: float) -> None:
        """Stock or pile was counted anew: a single card on the pile may be the one that is turned up (art. 7)."""
        if (zone, cards) == (DISCARD, 1) and self._playing.turns_up(t):
            self.trust(DISCARD, t)
            return
        if zone == DISCARD:
            self._discarded_unheard(cards, t)
        deal = self._course.deal
        held = deal is not None and len(deal.at(zone)) == cards and self._changed.get(zone) != deal.number
        self._recounted(zone, cards, t)
        if held and confidence >= _SURE:
            self._course.change(lambda deal: found_unmoved(deal, zone, t))
        elif not held and deal is not None and not deal.clouded:
            self._course.change(lambda deal: deal.cloud())  # frames show more, or fewer, than was taken for as before

    def _discarded_unheard(self, cards: int, t: float) -> None:
        """One card more on the pile while the stock is known to hold what it did: who has drawn has discarded it.

        Nobody else can have: he would have drawn before, or have taken the pile. Pots that weigh as before say that the
        scales have not lost their zeros.
        """
        deal = self._course.deal
        if deal is None or not deal.drawn or not deal.pile or cards != len(deal.pile) + 1:
            return
        if {STOCK, POTS} & set(deal.places.unverified) or deal.at(ASTRAY) or not deal.count(deal.to_play):
            return
        if self._took_pot(deal.to_play):
            return  # he may have discarded before it
        if not all(map(self._table.tracker.weighs, (STOCK, POTS))):
            return
        pile = self._table.tracker.table.pile
        card = pile[-1] if len(pile) == cards else UNKNOWN
        laid = act.Discard(t=t, committed_t=t, seat=deal.to_play, cards=(card,), confidence=_GUESS, basis=("scale",))
        self._playing.perform(0, (laid,))

    def _took_pot(self, seat: Seat) -> bool:
        """Return True if ``seat`` has taken a pot since he drew."""
        own = (one.action for one in reversed(self._course.played) if one.action.seat is seat)
        turn = takewhile(lambda action: not isinstance(action, act.Draw | act.Collect), own)
        return any(isinstance(action, act.TakePot) for action in turn)

    def _counted(self, counted: Counted) -> None:
        """Take the number of cards on which a scale has settled."""
        deal = self._course.deal
        if deal is None or not self._pack.is_checked:
            self._set_out(counted)
            return
        held = {STOCK: deal.stock, DISCARD: len(deal.pile), POTS: _in_pots(deal)}
        if counted.zone not in held:
            return
        if deal.phase is Phase.OVER:  # cards are gathered; a pot that nobody took still lies there
            if counted.zone == POTS and counted.cards == held[POTS]:
                self.trust(POTS, counted.t)
            return
        if counted.anew and counted.cards is not None:
            if counted.zone != POTS:
                self._anew(counted.zone, counted.cards, counted.t, counted.confidence)
                return
            self._pots_counted(deal, counted.cards, counted.t)
            held[POTS] = counted.cards if self._course.deal is not deal else held[POTS]
        if counted.cards is None or counted.cards != held[counted.zone]:
            self._late_count(counted)
            return
        if counted.anew:
            self._pots_unmoved(deal, counted)
        self.trust(counted.zone, counted.t)

    def _pots_unmoved(self, before: Deal, counted: Counted) -> None:
        """Count the pots, not heard for a while, with what the ledger has; ``before``: the deal until then."""
        changed = self._changed.pop(POTS, None) == before.number
        if self._course.deal is before and counted.confidence >= _SURE and not changed:
            self._course.change(lambda deal: found_unmoved(deal, POTS, counted.t))

    def _set_out(self, counted: Counted) -> None:
        """Take a count of what is being set out, before the deal was checked.

        One that is not sure says nothing against the pack.
        """
        if counted.cards is not None and (counted.confidence >= _SURE or self._pack.is_due(counted)):
            self._pack.counts[counted.zone] = counted.cards
            self.trust(counted.zone, counted.t)
        if self._pack.is_started:
            self._pack.check(counted.t, at_once=False)

    def _late_count(self, counted: Counted) -> None:
        """Mark the zone unverified: the scale disagrees with the ledger; a stock never counted before may be short."""
        self.doubt(counted.zone, counted.t, "the scale and the ledger of play differ")
        sure = counted.confidence >= _SURE and self._table.tracker.is_zero_known(counted.zone)
        never = self._pack.counts.get(STOCK) is None and sure
        if counted.zone == STOCK and counted.cards is not None and never:
            deal = self._course.deal
            if deal is not None and not deal.drawn and counted.cards == deal.stock - 1:
                self._recounted(STOCK, counted.cards, counted.t)  # it swung with the draw that begins this turn
                return
            self._pack.counts[STOCK] = counted.cards
            found = (UNKNOWN,) * counted.cards
            self._course.change(lambda deal: deal.correct(STOCK, found))
            self._pack.report(FaultKind.PACK_NOT_WHOLE_IN_PLAY, counted.t)

    def _recounted(self, zone: str, count: int, t: float) -> None:
        """Take the new count of cards by a scale that had not been heard."""
        self._pack.counts[zone] = count
        pile = self._table.tracker.table.pile if zone == DISCARD else ()
        cards = pile if len(pile) == count else (UNKNOWN,) * count
        deal = self._course.deal
        changed = self._changed.pop(zone, None)
        gone_again = deal is not None and changed == deal.number and len(deal.at(zone)) == count
        self._course.change(lambda deal: deal.recount(zone, cards))
        if gone_again:  # two hands have changed, and nobody knows which
            self._course.change(lambda deal: deal.doubt_hands(deal.seats))
        self.trust(zone, t)

    def _pots_counted(self, deal: Deal, left: int, t: float) -> None:
        """Take the count of the pots' scale, not heard before: a pot that has gone was his whose hand was used up."""
        last = next((one for one in reversed(self._course.played) if isinstance(one.action, act.TakePot)), None)
        supposed = None if last is None else last.step.movement  # below 0: nothing sensed it
        if last and supposed is not None and supposed < 0 and left == _in_pots(deal) + len(last.action.cards):
            self._undo(supposed, "the scale counts this pot as not taken", t)
            return
        taker = taker_unseen(deal, left, self._parts.shields.pot_sign)
        if taker is not None:
            seat, manner = taker
            cards = deal.at(deal.pots_left[0])
            taken = act.TakePot(
                t=t, committed_t=t, seat=seat, cards=cards, manner=manner, confidence=_GUESS, basis=("scale",)
            )
            self._playing.perform(0, (taken,))

    def doubt(self, zone: str, t: float, reason: str) -> None:
        """Mark the contents of ``zone`` as doubtful."""
        self._doubted(zone)
        self._table.health.doubt(zone, t, reason)

    def trust(self, zone: str, t: float) -> None:
        """``zone`` is confirmed again."""
        self._trusted(zone, t)
        self._table.health.trust(zone, t)

    def _doubted(self, zone: str, *, missed: bool = False) -> None:
        """Record doubt about ``zone``; ``missed``: cards come and go there unnoticed."""
        if not self._pack.is_checked:
            self._pack.counts.pop(zone, None)  # it is counted anew, or the deal is not checked by it
        deal = self._course.deal
        if zone in (STOCK, DISCARD, BEAMS):
            step = self._course.change(lambda deal: lose_sight(deal, zone) if missed else deal.doubt(zone).lose_turn())
            self._wavering[zone] = step if deal is not None and deal.known and not missed else None
        elif zone == POTS and missed:
            self._course.change(lambda deal: lose_sight(deal, zone))
        else:
            self._course.change(lambda deal: deal.doubt(zone))

    def _trusted(self, zone: str, t: float) -> None:
        """``zone`` can be relied on; where nothing was done since it could not, its scale had but wavered."""
        doubt = self._wavering.pop(zone, None)
        if doubt is not None and doubt == self._course.last:
            self._course.remove(doubt)
        seen_t = t if is_melds(zone) or zone in (TABLE, BEAMS) else -1.0
        self._course.change(lambda deal: deal.trust(zone, seen_t))
        if zone == STOCK:
            self._ending.stock_counted(t)

    def close_gap(self) -> None:
        """Take the turn up as it was before a gap in sensing, once all has been found as it was then.

        Not while a scale may have lost its zero, or a card may have been put back, so that counts are as they were
        although somebody has drawn.
        """
        deal = self._course.deal
        if deal is None or deal.gap is None:
            return
        tracker, referee = self._table.tracker, self._parts.referee
        if not all(tracker.weighs(zone) and tracker.is_zero_known(zone) for zone in WEIGHED):
            return
        if referee.open or deal.out or deal.second or any(map(referee.sanctions.owing, _PUT_BACK)):
            return
        self._course.change(as_before)


def _in_pots(deal: Deal) -> int:
    """Return how many cards lie in the pots that are left."""
    return sum(len(deal.at(place)) for place in deal.pots_left)


def _named_in_meld(action: act.Open | act.Extend, cards: tuple[str, ...]) -> act.Open | act.Extend:
    """Return ``action`` with its cards known as ``cards``, and so in what the meld reads."""
    result = action.result
    for old, new in zip(action.cards, cards, strict=True):
        result = result if face(new) in (UNKNOWN, face(old)) else renamed(result, old, new)
    return replace(action, cards=cards, result=result)
