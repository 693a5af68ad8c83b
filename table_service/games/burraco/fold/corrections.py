"""Better knowledge: cards named later, movements taken back, rows that read otherwise, counts that differ."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face
from hw.zones import BEAMS, DISCARD, POTS, STOCK
from table_service.events import payloads as say
from table_service.games.burraco import event_payloads
from table_service.games.burraco.fold.ending import Ending
from table_service.games.burraco.fold.playing import Playing
from table_service.games.burraco.fold.reporting import report
from table_service.games.burraco.fold.round_state import Sitting, Step
from table_service.games.burraco.reading import card_of, read_row
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal, Phase
from table_service.games.burraco.rules.places import newcomers, renamed
from table_service.games.burraco.rules.pots import taker_unseen
from table_service.tracking import Tracker
from table_service.tracking.movements import Counted, Named, Retracted, RowChanged

_GUESS: Final = 0.5
"""How sure it is who took a pot that nobody saw going: enough to go on by, too little to accuse."""
_SURE: Final = 0.9
"""From this confidence on a first count of the stock tells that its cards are too few or too many."""


class Knowing:
    """Betters what was believed of the deal that runs."""

    def __init__(self, sitting: Sitting, playing: Playing, ending: Ending, tracker: Tracker) -> None:
        self._sitting = sitting
        self._tracker = tracker
        self._playing = playing
        self._ending = ending

    def row_changed(self, change: RowChanged) -> None:
        """A meld reads otherwise although no card moved."""
        if self._sitting.deal is not None and not self._sitting.this.is_gathered(change.committed_t):
            self._playing.perform(change.id, read_row(change, self._sitting.deal))

    # -- what was played is known better -----------------------------------------------------------------------------

    def named(self, named: Named) -> None:
        """The cards of a movement that was acted upon are known better: play goes through again from there."""
        sitting = self._sitting
        sitting.this.turn_up.named(named)
        cards = tuple(map(card_of, named.cards))
        known = [
            (at, step, action, better)
            for at, step, action in self._actions_of(named.movement)
            if (better := self._better(action, cards, at)) is not None
        ]
        for _, step, _, better in known:
            step.action = better
        if known:
            self._replay(known[0][0], known[0][1].before, named.t)
        for _, step, action, better in known:
            if step.event is not None and len(better.cards) == len(action.cards):
                self._tell_named(step.event, better, named)
        report(sitting, sitting.referee.rename(named.movement, cards, named.t))

    def _actions_of(self, movement: int) -> list[tuple[int, Step, act.Action]]:
        """The steps that were read from ``movement``: their places, and their actions."""
        return [
            (at, step, step.action)
            for at, step in enumerate(self._sitting.this.steps)
            if step.movement == movement and step.action is not None
        ]

    def _better(self, action: act.Action, cards: tuple[str, ...], at: int) -> act.Action | None:
        """``action`` with its cards better known; None where that changes nothing, or says of fewer cards."""
        this = self._sitting.this
        if cards == action.cards:
            return None
        if not isinstance(action, act.Open | act.Extend):
            return replace(action, cards=cards) if len(cards) == len(action.cards) else None
        if len(cards) == len(action.cards):
            result = action.result
            for old, new in zip(action.cards, cards, strict=True):
                result = result if face(new) in (UNKNOWN, face(old)) else renamed(result, old, new)
            return replace(action, cards=cards, result=result)
        if len(cards) < len(action.cards) or this.over:
            return None
        since = (later.action for later in this.steps[at + 1 :])
        reads = (one.result for one in since if isinstance(one, act.Change) and one.row == action.row)
        told = next((result for result in reads if len(result) > len(action.result)), ())
        more = newcomers(action.cards, cards)
        return replace(action, cards=cards, result=told or ((*action.result, *more) if action.result else ()))

    def _tell_named(self, event: str, action: act.Action, named: Named) -> None:
        hidden = isinstance(action, act.Draw | act.ReturnToStock | act.TakePot | act.ReturnToPot)
        shown = event_payloads.veiled(action.cards) if hidden else event_payloads.public(action.cards, named.basis)
        secret = event_payloads.secret_cards(action.cards) if hidden else None
        data = say.CardNamed(event=event, cards=shown)
        self._sitting.say("card.named", data, named.t, action.seat, secret=secret)

    def _replay(self, at: int, deal: Deal, t: float) -> None:
        """Go through the steps from ``at`` on again, from ``deal``; an end that comes of it, or goes, is told."""
        sitting = self._sitting
        for later in sitting.this.steps[at:]:
            later.before = deal
            deal = later.done(deal)
        sitting.deal = deal
        self._ending.replayed(t)

    def retracted(self, retracted: Retracted) -> None:
        """A movement that was acted upon did not happen."""
        sitting = self._sitting
        sitting.this.turn_up.retracted(retracted)
        gone = self._actions_of(retracted.movement)
        if not gone:
            return
        at, first, _ = gone[0]
        sitting.this.steps = [step for step in sitting.this.steps if step.movement != retracted.movement]
        self._replay(at, first.before, retracted.t)
        for _, step, _ in gone:
            if step.event is not None:
                data = say.EventRetracted(event=step.event, note=retracted.reason)
                sitting.say("event.retracted", data, retracted.t)
        report(sitting, sitting.referee.retract(retracted.movement, retracted.t))

    # -- what is counted and what can be relied on -------------------------------------------------------------------

    def counted(self, counted: Counted) -> None:
        """A scale has settled on a number of cards."""
        deal, this = self._sitting.deal, self._sitting.this
        if deal is None or not this.checked:
            if counted.cards is not None:
                this.counts[counted.zone] = counted.cards
                self.trust(counted.zone, counted.t)
            if this.started:
                self._playing.check(counted.t, at_once=False)
            return
        held = {STOCK: deal.stock, DISCARD: len(deal.pile), POTS: sum(len(deal.at(place)) for place in deal.pots_left)}
        if counted.zone not in held or deal.phase is Phase.OVER:
            return
        if counted.anew and counted.cards is not None and counted.zone in (STOCK, DISCARD):
            self._recounted(counted.zone, counted.cards, counted.t)
            return
        if counted.anew and counted.cards is not None:
            self._pots_counted(deal, counted.cards, counted.t)
            held[POTS] = counted.cards if self._sitting.deal is not deal else held[POTS]
        if counted.cards is None or counted.cards != held[counted.zone]:
            self._late_count(counted)
        else:
            self.trust(counted.zone, counted.t)

    def _late_count(self, counted: Counted) -> None:
        """The scale disagrees with the ledger: the zone is unverified; a stock never counted before may be short."""
        sitting = self._sitting
        self.doubt(counted.zone, counted.t, "the scale and the ledger of play differ")
        never = sitting.this.counts.get(STOCK) is None and counted.confidence >= _SURE
        if counted.zone == STOCK and counted.cards is not None and never:
            sitting.this.counts[STOCK] = counted.cards
            found = (UNKNOWN,) * counted.cards
            sitting.change(lambda deal: deal.correct(STOCK, found))
            self._playing.pack_fault("F-05b", counted.t)

    def _recounted(self, zone: str, count: int, t: float) -> None:
        """A scale that had not been heard has counted its cards anew."""
        self._sitting.this.counts[zone] = count
        pile = self._tracker.table.pile if zone == DISCARD else ()
        cards = pile if len(pile) == count else (UNKNOWN,) * count
        self._sitting.change(lambda deal: deal.recount(zone, cards))
        self.trust(zone, t)

    def _pots_counted(self, deal: Deal, left: int, t: float) -> None:
        """The scale of the pots had not been heard: a pot that has gone was his whose hand was used up."""
        taker = taker_unseen(deal, left)
        if taker is not None:
            seat, manner = taker
            cards = deal.at(deal.pots_left[0])
            taken = act.TakePot(
                t=t, committed_t=t, seat=seat, cards=cards, manner=manner, confidence=_GUESS, basis=("scale",)
            )
            self._playing.perform(0, (taken,))

    def doubt(self, zone: str, t: float, reason: str, *, missed: bool = False) -> None:
        """What lies in ``zone`` cannot be vouched for any more; ``missed``: cards come and go there unnoticed."""
        sitting = self._sitting
        known = sitting.unverified.get(zone)
        sitting.unverified[zone] = reason
        if not sitting.this.checked:
            sitting.this.counts.pop(zone, None)  # it is counted anew, or the deal is not checked by it
        if zone in (STOCK, DISCARD, BEAMS):
            sitting.change(lambda deal: deal.doubt(zone).cloud() if missed else deal.doubt(zone).lose_turn())
        else:
            sitting.change(lambda deal: deal.doubt(zone))
        if known is None:
            sitting.say("table.health", say.TableHealth(what=zone, state="unverified", note=reason), t)

    def trust(self, zone: str, t: float) -> None:
        """``zone`` is confirmed again."""
        sitting = self._sitting
        sitting.change(lambda deal: deal.trust(zone))
        if zone == STOCK:
            self._ending.stock_counted(t)
        if sitting.unverified.pop(zone, None) is not None:
            sitting.say("table.health", say.TableHealth(what=zone, state="verified"), t)
