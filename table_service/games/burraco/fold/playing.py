"""Movements acted upon: read as actions, applied to the deal, told, judged by the referee."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from hw.zones import POTS, STOCK, hand, melds
from table_service.events import payloads as say
from table_service.games.burraco.fault_kinds import NO_DISCARD
from table_service.games.burraco.fold.clearing import Clearing
from table_service.games.burraco.fold.course import BurracoCourse, supposed_after
from table_service.games.burraco.fold.ending import Ending
from table_service.games.burraco.fold.final_count import FinalCount
from table_service.games.burraco.fold.hand_shields import HandShields
from table_service.games.burraco.fold.pack_faults import PackFaults
from table_service.games.burraco.fold.reporting import Reporter
from table_service.games.burraco.fold.stalemate import Stalemate
from table_service.games.burraco.fold.unseen_collector import unseen_collection, unseen_lays
from table_service.games.burraco.reading import Situation, read_movement, was_laid_in_play
from table_service.games.burraco.reading.situation import SUPPOSED
from table_service.games.burraco.referee.referee import Referee
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.applied_actions import apply, verify
from table_service.games.burraco.rules.deal import Deal, MeldRow, Phase
from table_service.games.burraco.rules.doubts import PLAIN
from table_service.games.burraco.rules.pots import taker_unseen
from table_service.games.burraco.rules.turning import TurnUpWatch
from table_service.referee.values import Sanction
from table_service.table.gates import Gates
from table_service.table.table_parts import TableParts
from table_service.tracking.movements import Movement, Named, Retracted

_GOES_BACK: Final[dict[str, tuple[type[act.ReturnToStock | act.ReturnToPot], str]]] = {
    "return-to-stock": (act.ReturnToStock, STOCK),
    "correct-count": (act.ReturnToPot, POTS),
}
"""Remedies that put cards back face down, and where."""
_SURE: Final = 0.9
"""From this confidence on a draw tells that play goes on."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of the fold that play goes through, each with its own state of the deal that runs."""

    table: TableParts
    referee: Referee
    course: BurracoCourse
    reporter: Reporter
    shields: HandShields
    pack: PackFaults
    gates: Gates
    count: FinalCount
    ending: Ending
    stalemate: Stalemate
    clearing: Clearing


class Playing:
    """Plays what moves in the deals of a table. ``suppose_deal``: begins a deal that nobody announced."""

    def __init__(self, parts: Parts, suppose_deal: Callable[[Movement], bool]) -> None:
        self._parts = parts
        self._suppose_deal = suppose_deal
        self._turn_up = TurnUpWatch()
        self._after_end: list[Movement] = []
        """What has moved since the end of the deal, as long as the arbitro has not ruled."""
        self._ruled_t: float | None = None
        """When the arbitro last ruled on this deal."""

    def begin(self) -> None:
        """Begin a deal."""
        self._turn_up, self._after_end, self._ruled_t = TurnUpWatch(), [], None

    @property
    def _is_settling(self) -> bool:
        """True if the deal is over and not counted, and the arbitro has ruled since its last turn began.

        Then cards are still moved to carry that out, and what lies there at the count counts.
        """
        deal, ruled_t = self._parts.course.deal, self._ruled_t
        if deal is None or deal.phase is not Phase.OVER or self._parts.count.counted_t is not None or ruled_t is None:
            return False
        return len(deal.outs) < 2 or ruled_t > deal.outs[-2][1]

    # -- movements ---------------------------------------------------------------------------------------------------

    def moved(self, move: Movement) -> None:
        """Cards have moved."""
        if self._parts.course.deal is None and not self._suppose_deal(move):
            return
        deal = self._parts.course.deal
        if deal is not None and not self._parts.clearing.gathers(move, deal):
            waits = deal.phase is Phase.OVER and move.source != POTS and not was_laid_in_play(move, deal)
            if waits and not self._is_settling:
                self._after_end.append(move)
            for one in self._turn_up.sift(move, deal):
                self._play(one)

    def turns_up(self, t: float) -> bool:
        """Return True if the one card that the silent discard scale counts at ``t`` can only be the turn-up."""
        deal = self._parts.course.deal
        if deal is None or deal.phase is not Phase.DEALT or deal.turned_up or deal.pile:
            return False
        for move in self._turn_up.counted(t):
            self._play(move)
        return True

    def ruled(self, t: float) -> None:
        """Record that the arbitro rules on this deal at ``t``."""
        self._ruled_t = t

    def bring_to_light(self) -> None:
        """Play what brought cards in melds to light since the end of the deal: the arbitro rules about them."""
        for move in tuple(self._after_end):
            if any(isinstance(action, act.Uncover) for action in self._read(move)):
                self._after_end.remove(move)
                self._play(move)

    def catch_up(self, *, reopened: bool = False) -> None:
        """Carry on with a deal that is over and was ruled on: what was moved since its end carried that out already.

        ``reopened``: by his ruling it is not over.
        """
        if self._is_settling or reopened:
            moves, self._after_end = self._after_end, []
            for move in moves:
                self._play(move)

    def late(self, t: float) -> None:
        """Play what was held back as a turn-up and has turned out to be none by ``t``."""
        for move in self._turn_up.late(t):
            self._play(move)
        self.settle(t)

    def named(self, named: Named) -> None:
        """Name a card that is held back, which may be known better."""
        self._turn_up.named(named)

    def retracted(self, retracted: Retracted) -> None:
        """Drop the turn-up that is held back for this movement."""
        self._turn_up.retracted(retracted)

    def settle(self, t: float, *, called: bool = False) -> None:
        """Say what has shown itself by ``t``: melds that are none, come to rest; ``called``: the arbitro is called."""
        parts = self._parts
        said = parts.referee.late(t, parts.course.deal, self._history, called=called, unseen=self._unseen)
        parts.reporter.report(said)
        if said:
            parts.ending.recount(t)

    def _history(self) -> list[tuple[Deal, act.Action]]:
        return self._parts.course.actions

    def _unseen(self, meld: MeldRow) -> bool:
        """Return True if an arm covers the meld, or frames show it, or begin to, otherwise than the ledger has it."""
        zone, tracker = melds(meld.line), self._parts.table.tracker
        return tracker.is_covered(zone) or tracker.is_in_question(zone, meld.row, tuple(map(face, meld.cards)))

    # -- actions -----------------------------------------------------------------------------------------------------

    def _play(self, move: Movement) -> None:
        parts = self._parts
        parts.gates.crossed(move)
        if parts.course.deal is None or parts.ending.taken_back(move):
            return
        self._collector_shown(move, parts.course.deal)
        self.perform(move.id, tuple(map(self._as_ordered, self._read(move))))

    def _collector_shown(self, move: Movement, deal: Deal) -> None:
        """Correct and judge the collection of the pile when its card is laid by a hand that was not seen to take it."""
        parts = self._parts
        found = unseen_collection(move, deal, parts.course.played)
        if found is None:
            return
        action = replace(found.action, seat=move.seat, supposed=False, confidence=move.confidence)
        parts.course.revise(found, action)
        parts.course.tell(move.t, "a card of it came from another hand than was supposed")
        told, before = replace(action, t=move.t), found.before
        parts.reporter.report(parts.referee.judge(before, told, verify(before, told), apply(before, action)))

    def _layer_shown(self, action: act.Action) -> None:
        """Correct who laid cards after a pick-up that left the turn open, once its player is seen to go on with it."""
        course = self._parts.course
        found = unseen_lays(action, course.played)
        for one, revised in found:
            course.revise(one, revised)
        if found:
            course.tell(action.t, "the player who took up the pile goes on with that turn")

    def _read(self, move: Movement) -> tuple[act.Action, ...]:
        """Return what ``move`` is in play as it stands."""
        parts = self._parts
        deal, referee, sanctions = parts.course.deal, parts.referee, parts.referee.sanctions
        if deal is None:
            return ()
        situation = Situation(
            deal,
            returning=referee.returning,
            pot_sign=parts.shields.pot_sign,
            owing=sanctions.owing("return-to-stock"),
            back=sanctions.cards_owed("take-back"),
            restoring=sanctions.owing("correct-count"),
            gates=parts.gates.answering,
            over=parts.shields.just_over(move.committed_t),
            owed=sanctions.in_force,
            named=referee.cards_ruled,
            settles=self._is_settling,
        )
        return read_movement(situation, move)

    def _as_ordered(self, action: act.Action) -> act.Action:
        """Cards that a ruling has told to take back are taken back, not misread; a meld put right so is no turn."""
        if isinstance(action, act.TakeBack | act.Open | act.Extend):
            return replace(action, ordered=action.ordered or self._parts.referee.sanctions.carries_out(action))
        if isinstance(action, act.TakePot):
            return replace(action, declared=self._parts.shields.declared(action.seat, action.committed_t))
        return action

    def perform(self, movement: int, actions: tuple[act.Action, ...]) -> None:
        """Apply what a movement amounts to, one action after the other, and say what each is."""
        parts = self._parts
        if not actions:
            return
        parts.pack.check(actions[0].t, at_once=not isinstance(actions[0], act.TurnUp) or parts.pack.is_started)
        for action in actions:
            if parts.course.deal is not None and not self._return_supposed(action, movement):
                self._second_pot_supposed(action, movement, parts.course.deal)
                drawn = parts.course.deal.drawn
                self._act(action, movement, parts.course.deal)
                self._layer_shown(action)
                self._doubt_stock(action, again=drawn)
                self._pot_supposed(action, movement, parts.course.deal)

    def _act(self, action: act.Action, movement: int, before: Deal) -> None:
        """Apply one action and say what it is."""
        parts = self._parts
        faults = verify(before, action)
        self._thought_over(action, before)
        parts.ending.play_goes_on()
        parts.course.perform(action, movement)
        after = parts.course.deal or before
        if after.turn != before.turn:
            began = after.last_out if isinstance(action, act.Discard) and not after.begun else after.to_play
            parts.table.voice.say("turn.started", say.TurnStarted(), action.t, began, committed_t=action.committed_t)
        parts.course.tell(action.t)
        if after.is_under_way and not before.is_under_way:
            parts.pack.play_begins(action.t)
        parts.reporter.report(parts.referee.judge(before, action, faults, after))
        parts.ending.acted(action)
        if isinstance(action, act.Discard):
            parts.stalemate.discarded(action.t)

    def _doubt_stock(self, action: act.Action, *, again: bool) -> None:
        """Leave the stock's count unknown after a supposed draw, or one ``again`` in a turn, if no scale counts it.

        One of two draws in a turn may have been a hand that took nothing.
        """
        unsure = isinstance(action, act.Draw) and (again or action.confidence < PLAIN)
        if unsure and not self._parts.table.tracker.weighs(STOCK):
            self._parts.course.change(lambda now: now.doubt(STOCK))

    def _return_supposed(self, action: act.Action, movement: int) -> bool:
        """Play goes on: what a ruling sends back to the stock or to a pot lies there, where no scale could tell.

        Return True if ``action`` was that: who owes a card to the stock and reaches for it brings it back.
        """
        parts, brought = self._parts, False
        if not isinstance(action, act.Draw | act.Collect):
            return False
        for one in parts.referee.sanctions.in_force:
            kind, zone = _GOES_BACK.get(one.duty.do, (None, ""))
            if kind is None or parts.course.deal is None or parts.table.tracker.weighs(zone):
                continue
            owes = self._owes_stock(one) if kind is act.ReturnToStock else _owes_pot(one, parts.course.deal)
            if owes is None:
                continue
            seat, cards = owes
            back = kind(
                t=action.t,
                committed_t=action.committed_t,
                seat=seat,
                cards=cards,
                confidence=SUPPOSED,
                basis=("sight",),
            )
            self._act(back, supposed_after(movement), parts.course.deal)
            likely = isinstance(action, act.Draw) and action.confidence < act.ALONE
            brought |= likely and kind is act.ReturnToStock and action.seat is seat
        return brought

    def _owes_stock(self, one: Sanction) -> tuple[Seat, tuple[str, ...]]:
        """Return the seat that owes cards to the stock by ``one``, and the cards.

        If only the arbitro reported that they were drawn, they are first added to that hand.
        """
        stated = {known.key for known in self._parts.referee.irregularities if known.basis == ("console",)}
        if one.irregularity in stated:  # no sensor told of the card either when it was taken
            self._parts.course.change(partial(_drawn_unseen, seat=one.who, count=len(one.cards)))
        elif not one.apart:  # cards that he has laid since are named beside the unknown one that he drew
            return one.who, tuple(card for card in one.cards if face(card) == UNKNOWN) or one.cards
        return one.who, one.cards

    def _pot_supposed(self, action: act.Action, movement: int, deal: Deal) -> None:
        """Assume that a pot is taken, without a scale, by the player whose hand is used up if his line has one open."""
        parts = self._parts
        if parts.table.tracker.weighs(POTS) or not deal.pots_left:
            return
        parts.course.change(_doubt_pots)
        left = sum(len(deal.at(place)) for place in deal.pots_left[1:])
        taker = taker_unseen(deal, left)
        if taker is None:
            return
        self._take_pot_supposed(*taker, action, movement, deal)

    def _second_pot_supposed(self, action: act.Action, movement: int, deal: Deal) -> None:
        """Assume, without a scale, that who goes on though he went out without a discard has taken a second pot.

        Only if a hand was reported at the pots in between: else he had a card that the ledger did not know of.
        """
        parts, seat = self._parts, deal.to_play
        if not isinstance(action, act.Open | act.Extend | act.Discard) or action.seat not in (None, seat):
            return
        if parts.table.tracker.weighs(POTS) or not deal.pots_left or deal.count(seat):
            return
        outs = [one for one in parts.referee.open if one.offender is seat and one.kind in NO_DISCARD]
        if outs and parts.table.tracker.went_to(POTS, outs[-1].committed_t, action.t):
            self._take_pot_supposed(seat, "in-flight", action, movement, deal)

    def _take_pot_supposed(
        self, seat: Seat, manner: act.PotManner, action: act.Action, movement: int, deal: Deal
    ) -> None:
        taken = act.TakePot(
            t=action.t,
            committed_t=action.committed_t,
            seat=seat,
            cards=deal.at(deal.pots_left[0]),
            manner=manner,
            confidence=SUPPOSED,
            basis=("sight",),
        )
        self._act(taken, supposed_after(movement), deal)

    def _thought_over(self, action: act.Action, before: Deal) -> None:
        """Play goes on although hands lay face up: who showed his thought that the deal was over (art. 24)."""
        sure = action.seat is not None and action.confidence >= _SURE and not action.supposed
        if not sure or len(action.cards) != 1 or not isinstance(action, act.Draw | act.Collect):
            return
        for seat, cards in self._parts.ending.laid_out_early:
            shown = act.ShowHand(t=action.t, committed_t=action.committed_t, seat=seat, cards=cards, basis=("sight",))
            self._parts.reporter.report(self._parts.referee.judge(before, shown, (), before))


def _owes_pot(one: Sanction, deal: Deal) -> tuple[Seat, tuple[str, ...]] | None:
    """Return who brings which cards back to a pot by ``one``; None if his line has taken no second one."""
    pot = deal.second.get(deal.line_of(one.who))
    return None if pot is None else (pot.seat, (UNKNOWN,) * pot.cards)


def _drawn_unseen(deal: Deal, seat: Seat, count: int) -> Deal:
    """``deal`` with ``count`` unknown cards of the stock in the hand of ``seat``."""
    return deal.shift((UNKNOWN,) * count, STOCK, hand(seat))


def _doubt_pots(deal: Deal) -> Deal:
    """``deal``, its pots in doubt if a player of a line that may take one has an uncertain number of cards."""
    unsure = [seat for seat in deal.seats if hand(seat) in deal.places.unverified]
    doubtful = POTS not in deal.places.unverified and any(deal.pot_is_open(deal.line_of(seat)) for seat in unsure)
    return deal.doubt(POTS) if doubtful else deal
