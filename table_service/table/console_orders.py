"""The arbitro's acts at the console that every game has: rounds, deals, the end of the time, bonus points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hw.observations import Console, Observation, Said
from table_service.events import payloads as say
from table_service.events.orders import (
    Correct,
    CorrectSheet,
    DecisionOrder,
    Dismiss,
    EndRound,
    EndTime,
    EnterSaid,
    Foresee,
    GiveBonus,
    LetTimePass,
    Order,
    SetSeating,
    SheetOrder,
    StartDeal,
    StartPlay,
    StartRound,
    Warn,
    WriteSheet,
    WrongOrder,
    by_name,
    order_of,
)
from table_service.table.game_protocol import Beginning, DealEnd, Game
from table_service.table.reversals import Reversal, Reversals
from table_service.table.table_parts import TableParts


@dataclass(frozen=True, slots=True)
class Answer:
    """Outcome of ``order``: ``why`` it was refused, in one sentence; empty if it took effect.

    ``foreseen``: changes that an order would make, if it only asked for them (``foresee``).
    """

    order: Console
    why: str = ""
    foreseen: Mapping[str, Any] | None = None


class ConsoleOrders:
    """Follows the console's orders; an order that cannot be followed is reported as ignored, with the reason."""

    def __init__(self, table: TableParts, game: Game, reversals: Reversals) -> None:
        self._table = table
        self._game = game
        self._reversals = reversals
        self._known = {**table.rules.orders, **by_name(LetTimePass)}
        self._answers: list[Answer] = []
        self._foreseen: Mapping[str, Any] | None = None
        self._open: dict[float, Console] = {}
        """By their time orders that were followed and are decided once more has been sensed."""

    def answers(self) -> list[Answer]:
        """Return the outcomes of the orders that were decided since the last call."""
        self._settle()
        answers, self._answers = self._answers, []
        return answers

    def _settle(self) -> None:
        """Answer the orders that have been decided meanwhile."""
        for t, why in self._table.voice.decisions():
            if t in self._open:
                self._answers.append(Answer(self._open.pop(t), why))

    def needs_no_card(self, observation: Observation) -> bool:
        """Return True if ``observation`` was about a score sheet or is no order: it has been followed, or refused."""
        if isinstance(observation, Said):
            return self._table.sheets.hear(observation)
        if not isinstance(observation, Console):
            return False
        needs_none = isinstance(order_of(observation, self._known), SheetOrder | WrongOrder)
        if needs_none:
            self.follow(observation)
        return needs_none

    def follow(self, console: Console) -> None:
        """Follow one order, and note what became of it."""
        order = order_of(console, self._known)
        voice, referee = self._table.voice, self._table.referee
        voice.refusal, voice.awaits_evidence = "", False
        self._foreseen = None
        was_called = referee.book.called
        self._settle()
        if isinstance(order, StartRound | StartDeal | EndRound):
            for t in self._open:
                voice.decide(t, "the deal was over before the table could tell what was meant")
        if isinstance(order, DecisionOrder | Warn | Correct | GiveBonus):
            referee.visited()
        if isinstance(order, WrongOrder):
            self._refuse(order.en, console.t)
        elif not isinstance(order, LetTimePass):
            self._follow(order)
        if voice.refusal and not was_called:
            referee.book = replace(referee.book, called=False)
        if voice.awaits_evidence:
            self._open[console.t] = console
        else:
            self._answers.append(Answer(console, voice.refusal, self._foreseen))

    def _follow(self, order: Order) -> None:
        match order:
            case StartRound():
                self._start_round(order)
            case SetSeating():
                self._table.round.seat(order)
            case StartDeal():
                self._new_deal(order)
            case EndTime():
                self._time_out(order)
            case EndRound():
                self._end_round(order.t)
            case GiveBonus():
                self._bonus(order)
            case EnterSaid():
                self._said(order)
            case StartPlay():
                self._start_play(order)
            case Correct():
                before = self._table.voice.waiting
                self._game.ordered(order)
                self._tell_entered("correct", order.zone, before, order.t)
            case WriteSheet() | CorrectSheet():
                self._table.sheets.follow(order)
            case Foresee():
                self._foresee(order)
            case Dismiss() if self._reversals.concerns(order):
                self._refuse(self._reversals.reverse(order), order.t)
            case DecisionOrder() | Warn():
                self._game.ordered(order)
                self._table.round.tell_end_again(order.t)
            case _:
                self._game.ordered(order)

    def _refuse(self, why: str, t: float) -> None:
        if why:
            self._table.voice.ignored(why, t)

    def _start_round(self, order: StartRound) -> None:
        self._table.round.start(order)
        self._table.sheets.clear()
        self._game.begin(Beginning(order.t, order=order))

    def _new_deal(self, order: StartDeal) -> None:
        state, rotation, dealer = self._table.round, self._table.rules.rotation, order.dealer
        number = state.number + 1 if order.deal is None else order.deal
        self._game.end(DealEnd(order.t, number))
        if dealer is None or not rotation.holds(dealer):
            dealer = rotation.seats[0] if state.dealer is None else rotation.next(state.dealer)
            note = f"the order 'deal' names no dealer: {dealer} is taken for him"
            self._table.voice.ignored(note, order.t, in_part=True)
        self._table.begin_deal(number, dealer, order.t)
        self._game.begin(Beginning(order.t, number, dealer, order))

    def _foresee(self, order: Foresee) -> None:
        found = self._reversals.foresee(order)
        if isinstance(found, Reversal):
            self._foreseen = found.as_data(self._table.sheets)
        else:
            self._refuse(found, order.t)

    def _start_play(self, order: StartPlay) -> None:
        self._refuse(why := self._table.round.begin_play(), order.t)
        if not why:
            self._game.ordered(order)

    def _time_out(self, order: EndTime) -> None:
        going = self._game.in_play
        self._game.ordered(order)
        self._table.voice.say("round.timeout", say.RoundTimeout(last_turns=going), order.t)

    def _end_round(self, t: float) -> None:
        self._game.end(DealEnd(t))
        self._table.reporting.tell_all(self._table.referee.end_round(t))
        self._table.round.tell_end(t)
        self._table.round.running = False

    def _said(self, order: EnterSaid) -> None:
        """Take a player's declaration, as the arbitro enters it."""
        seat, what, words = order.seat, order.what, self._table.rules.words
        why = ""
        if not self._table.rules.rotation.holds(seat):
            why = f"nobody sits at {seat}: no declaration can be his"
        elif words and what.partition(":")[0] not in words:
            why = f"nothing is known of the declaration '{what}': it is one of {', '.join(sorted(words))}"
        elif not self._game.in_play:
            why = "a declaration belongs to a deal, and none is in play"
        if why:
            self._refuse(why, order.t)
            return
        said = Said(order.t, seat, f"{what}:{','.join(order.cards)}" if order.cards else what)
        before = self._table.voice.waiting
        self._game.signalled(said)
        if not self._table.voice.awaits_evidence:
            self._tell_entered("said", f"{seat}: {said.what}", before, order.t)

    def _tell_entered(self, what: str, note: str, before: int, t: float) -> None:
        """Report that what the arbitro stated is entered, if nothing but the ``before`` events has been said since."""
        voice = self._table.voice
        if voice.waiting == before and not voice.refusal:
            voice.say("table.health", say.TableHealth(what=what, state="ok", note=note), t)

    def _bonus(self, order: GiveBonus) -> None:
        """Points that the arbitro gives to a line, or takes from it with a negative number."""
        why = self._table.rules.no_points or ("" if order.points else "a bonus of no points changes nothing")
        if why:
            self._refuse(why, order.t)
            return
        self._table.round.give_bonus(order.line, order.points)
        self._table.sheets.enter_owed(order.t)
        self._game.ordered(order)
        self._table.round.tell_end_again(order.t)
