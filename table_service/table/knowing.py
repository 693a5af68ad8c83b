"""Better knowledge: cards named later, movements taken back, rows that read otherwise, counts that differ."""

from __future__ import annotations

from dataclasses import replace

from hw.cards import UNKNOWN, face
from hw.zones import DISCARD, POTS, STOCK, hand
from table_service import telling
from table_service.events import payloads as say
from table_service.games.burraco import actions as act
from table_service.games.burraco.deal import Deal, Phase
from table_service.games.burraco.places import newcomers
from table_service.games.burraco.play import apply
from table_service.games.burraco.reading import card_of, read_row
from table_service.table.ending import Ending
from table_service.table.playing import Playing
from table_service.table.reporting import report
from table_service.table.sitting import Played, Sitting
from table_service.tracking.movements import Counted, Named, Retracted, RowChanged


class Knowing:
    """Betters what was believed of the deal that runs."""

    def __init__(self, sitting: Sitting, playing: Playing, ending: Ending) -> None:
        self._sitting = sitting
        self._playing = playing
        self._ending = ending

    def row_changed(self, change: RowChanged) -> None:
        """A meld reads otherwise although no card moved."""
        deal = self._sitting.deal
        if deal is None:
            return
        actions = read_row(change, deal)
        self._sitting.this.played.append(Played(change.id, deal, actions))
        for action in actions:
            self._playing.act(action)

    # -- what was played is known better -----------------------------------------------------------------------------

    def named(self, named: Named) -> None:
        """The cards of a movement that was acted upon are known better."""
        this = self._sitting.this
        this.turn_up.named(named)
        at = self._played_at(named.movement)
        if at is None or self._sitting.deal is None:
            return
        played, cards = this.played[at], tuple(map(card_of, named.cards))
        for action in played.actions:
            if isinstance(action, act.Open | act.Extend) and len(cards) > len(action.cards):
                self._lengthen(action, cards, at, named.t)
            else:
                self._rename(action, cards, named, played)

    def _played_at(self, movement: int) -> int | None:
        played = self._sitting.this.played
        return next((n for n in range(len(played) - 1, -1, -1) if played[n].movement == movement), None)

    def _lengthen(self, action: act.Open | act.Extend, cards: tuple[str, ...], at: int, t: float) -> None:
        """More cards were laid than were seen at first: all of them came from the hand that laid the others."""
        this = self._sitting.this
        if this.over:
            return
        since = (one for later in this.played[at + 1 :] for one in later.actions)
        reads = (one.result for one in since if isinstance(one, act.Change) and one.row == action.row)
        told = next((result for result in reads if len(result) > len(action.result)), ())
        more = newcomers(action.cards, cards)
        longer = replace(action, cards=cards, result=told or ((*action.result, *more) if action.result else ()))
        played = this.played[at]
        played.actions = tuple(longer if one is action else one for one in played.actions)
        self._replay(at, played.before, t)

    def _replay(self, at: int, deal: Deal, t: float) -> None:
        """Play again from ``deal`` what has been played from ``at`` on; an end that comes of it is told."""
        sitting = self._sitting
        for later in sitting.this.played[at:]:
            later.before = deal
            for action in later.actions:
                deal = apply(deal, action)
        after = sitting.deal = deal if sitting.deal is None else _with_orders_of(sitting.deal, deal)
        if after.phase is Phase.OVER:
            self._ending.tell_end(t, after.closer, after.last_out_t)

    def _rename(self, action: act.Action, cards: tuple[str, ...], named: Named, played: Played) -> None:
        sitting, deal, place = self._sitting, self._sitting.deal, _goal(action)
        if deal is None or len(cards) != len(action.cards) or cards == action.cards:
            return
        if place is None:
            place = hand(played.before.actor(action.seat))
        for old, new in zip(action.cards, cards, strict=True):
            if old != new and face(new) != UNKNOWN:
                deal = deal.rename(place, old, new)
        sitting.deal = deal
        fresh = replace(action, cards=cards)
        played.actions = tuple(fresh if one is action else one for one in played.actions)
        hidden = isinstance(action, act.Draw | act.ReturnToStock | act.TakePot | act.ReturnToPot)
        if played.event is not None:
            shown = telling.veiled(cards) if hidden else telling.public(cards, named.basis)
            secret = telling.secret_cards(cards) if hidden else None
            data = say.CardNamed(event=played.event, cards=shown)
            sitting.say("card.named", data, named.t, action.seat, secret=secret)
        report(sitting, sitting.referee.rename(named.movement, cards, named.t))

    def retracted(self, retracted: Retracted) -> None:
        """A movement that was acted upon did not happen."""
        sitting = self._sitting
        sitting.this.turn_up.retracted(retracted)
        at = next((n for n, one in enumerate(sitting.this.played) if one.movement == retracted.movement), None)
        if at is None:
            return
        gone = sitting.this.played.pop(at)
        self._replay(at, gone.before, retracted.t)
        if gone.event is not None:
            data = say.EventRetracted(event=gone.event, note=retracted.reason)
            sitting.say("event.retracted", data, retracted.t)
        report(sitting, sitting.referee.retract(retracted.movement, retracted.t))

    # -- what is counted and what can be relied on -------------------------------------------------------------------

    def counted(self, counted: Counted) -> None:
        """A scale has settled on a number of cards."""
        deal, this = self._sitting.deal, self._sitting.this
        if deal is None or not this.checked:
            if counted.cards is not None:
                this.counts[counted.zone] = counted.cards
            if this.started:
                self._playing.check(counted.t, at_once=False)
            return
        held = {STOCK: deal.stock, DISCARD: len(deal.pile), POTS: sum(len(deal.at(place)) for place in deal.pots_left)}
        if counted.zone not in held or deal.phase is Phase.OVER:
            return
        if counted.cards is None or counted.cards != held[counted.zone]:
            self._late_count(counted, deal)
        else:
            self.trust(counted.zone, counted.t)

    def _late_count(self, counted: Counted, deal: Deal) -> None:
        """The scale disagrees with the ledger: the zone is unverified; a stock never counted before may be short."""
        sitting = self._sitting
        self.doubt(counted.zone, counted.t, "the scale and the ledger of play differ")
        if counted.zone == STOCK and counted.cards is not None and sitting.this.counts.get(STOCK) is None:
            sitting.this.counts[STOCK] = counted.cards
            sitting.deal = deal.correct(STOCK, (UNKNOWN,) * counted.cards)
            self._playing.pack_fault("F-05b", counted.t)

    def doubt(self, zone: str, t: float, reason: str) -> None:
        """What lies in ``zone`` cannot be vouched for any more."""
        sitting = self._sitting
        known = sitting.unverified.get(zone)
        sitting.unverified[zone] = reason
        if sitting.deal is not None:
            sitting.deal = sitting.deal.doubt(zone)
            if zone in (STOCK, DISCARD):
                sitting.deal = sitting.deal.lose_turn()
        if known is None:
            sitting.say("table.health", say.TableHealth(what=zone, state="unverified", note=reason), t)

    def trust(self, zone: str, t: float) -> None:
        """``zone`` is confirmed again."""
        sitting = self._sitting
        if sitting.deal is not None:
            sitting.deal = sitting.deal.trust(zone)
        if sitting.unverified.pop(zone, None) is not None:
            sitting.say("table.health", say.TableHealth(what=zone, state="verified"), t)


def _with_orders_of(old: Deal, deal: Deal) -> Deal:
    """``deal``, played through again, with what was ruled and what was doubted in ``old``."""
    frozen = {meld.row: meld.frozen for meld in old.melds}
    left = deal.dealer_discards_left
    return replace(
        deal,
        melds=tuple(replace(meld, frozen=frozen.get(meld.row, meld.frozen)) for meld in deal.melds),
        out=tuple(seat for seat in deal.out if seat in old.out),
        dealer_discards_left=old.dealer_discards_left if left is None else left,
        places=replace(
            deal.places,
            unverified=(
                *(zone for zone in old.places.unverified if not zone.startswith("hand-")),
                *(zone for zone in deal.places.unverified if zone.startswith("hand-")),
            ),
        ),
    )


def _goal(action: act.Action) -> str | None:
    """Where an action's cards come to lie; None: in the hand of who acts."""
    match action:
        case act.TurnUp() | act.Discard() | act.ReturnToPile():
            return DISCARD
        case act.ReturnToStock():
            return STOCK
        case act.Open(row=row) | act.Extend(row=row):
            return f"row-{row}"
        case act.Expose():
            return "table"
        case act.Penalise(zone=zone):
            return zone
    return None
