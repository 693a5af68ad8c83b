"""The arbitro's acts at the console that every game has: rounds, deals, the end of the time, bonus points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from hw.observations import Console, Observation, Said
from hw.seats import LINES, line_or_none, seat_or_none
from table_service.events import payloads as say
from table_service.events.commands import TIME_PASSES
from table_service.table.game_protocol import Beginning, DealEnd, Game
from table_service.table.reversals import Reversal, Reversals
from table_service.table.table_parts import Table

_AT_THE_TABLE: Final = frozenset({"rule", "dismiss", "confirm", "warn", "correct", "bonus"})
"""Orders that show that the arbitro has been called to the table."""
_BEGIN_ANEW: Final = frozenset({"start-round", "deal", "end-round"})
_RULINGS: Final = ("rule", "dismiss", "confirm", "warn")
FOR_THE_GAME: Final = frozenset({*_RULINGS, "start-play", "time-out", "correct", "bonus"})
"""Orders that are passed to a game; a bonus after it was booked."""


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

    def __init__(self, table: Table, game: Game, reversals: Reversals) -> None:
        self._table = table
        self._game = game
        self._reversals = reversals
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

    def is_of_a_sheet(self, observation: Observation) -> bool:
        """True if ``observation`` concerned a score sheet; then it has been followed."""
        voice = self._table.voice
        voice.refusal = ""
        heard = self._table.sheets.hear(observation)
        if heard and isinstance(observation, Console):
            self._answers.append(Answer(observation, voice.refusal))
        return heard

    def follow(self, console: Console) -> None:
        """Follow one order, and note what became of it."""
        voice, referee = self._table.voice, self._table.referee
        voice.refusal, voice.awaits_evidence = "", False
        self._foreseen = None
        was_called = referee.book.called
        self._settle()
        if console.do in _BEGIN_ANEW:
            for t in self._open:
                voice.decide(t, "the deal was over before the table could tell what was meant")
        if not self._is_about_earlier_deal(console):
            self._follow(console)
        if voice.refusal and not was_called:
            referee.book = replace(referee.book, called=False)
        if voice.awaits_evidence:
            self._open[console.t] = console
        else:
            self._answers.append(Answer(console, voice.refusal, self._foreseen))

    def _follow(self, console: Console) -> None:
        if console.do in _AT_THE_TABLE:
            self._table.referee.visited()
        match console.do:
            case "start-round":
                self._start_round(console)
            case "seating":
                self._table.round.seat(console.fields, console.t)
            case "deal":
                self._new_deal(console)
            case "time-out":
                self._time_out(console)
            case "end-round":
                self._end_round(console.t)
            case "bonus":
                self._bonus(console)
            case "said":
                self._said(console)
            case "start-play":
                self._start_play(console)
            case "correct":
                before = self._table.voice.waiting
                self._game.ordered(console)
                self._tell_entered("correct", str(console.fields.get("zone")), before, console.t)
            case do if do in FOR_THE_GAME:
                self._game.ordered(console)
                if do in _RULINGS:
                    self._table.round.tell_end_again(console.t)
            case do:
                self._table.voice.ignored(f"the order '{do}' is not known", console.t)

    def _start_round(self, console: Console) -> None:
        self._table.round.start(console.fields, console.t)
        self._table.sheets.clear()
        self._game.begin(Beginning(console.t))

    def _new_deal(self, console: Console) -> None:
        state, rotation = self._table.round, self._table.rules.rotation
        given = console.fields.get("deal")
        number = given if isinstance(given, int) and not isinstance(given, bool) else state.number + 1
        self._game.end(DealEnd(console.t, number))
        dealer = seat_or_none(console.fields.get("dealer"))
        if dealer is None or not rotation.holds(dealer):
            dealer = rotation.seats[0] if state.dealer is None else rotation.next(state.dealer)
            note = f"the order 'deal' names no dealer: {dealer} is taken for him"
            self._table.voice.ignored(note, console.t, in_part=True)
        self._table.begin_deal(number, dealer, console.t)
        self._game.begin(Beginning(console.t, number, dealer))

    def _is_about_earlier_deal(self, console: Console) -> bool:
        """True if ``console`` reverses a ruling of an earlier deal, or asks what that would change: it is followed.

        So is time that passes, which is for nothing else.
        """
        why: Reversal | str = ""
        if console.do == "foresee":
            why = self._reversals.foresee(console)
            if isinstance(why, Reversal):
                self._foreseen, why = why.as_data(self._table.sheets), ""
        elif console.do == "dismiss" and self._reversals.concerns(console):
            self._table.referee.visited()
            why = self._reversals.reverse(console)
        elif console.do != TIME_PASSES:
            return False
        if why:
            self._table.voice.ignored(str(why), console.t)
        return True

    def _start_play(self, console: Console) -> None:
        why = self._table.round.begin_play()
        if why:
            self._table.voice.ignored(why, console.t)
        else:
            self._game.ordered(console)

    def _time_out(self, console: Console) -> None:
        going = self._game.in_play
        self._game.ordered(console)
        self._table.voice.say("round.timeout", say.RoundTimeout(last_turns=going), console.t)

    def _end_round(self, t: float) -> None:
        self._game.end(DealEnd(t))
        self._table.reporting.tell_all(self._table.referee.end_round(t))
        self._table.round.tell_end(t)
        self._table.round.running = False

    def _said(self, console: Console) -> None:
        """Take a player's declaration, as the arbitro enters it."""
        seat, what = seat_or_none(console.fields.get("seat")), console.fields.get("what")
        if seat is None or not isinstance(what, str) or not self._table.rules.rotation.holds(seat):
            self._table.voice.ignored("a declaration must name the seat and what was said", console.t)
            return
        words = self._table.rules.words
        if words and what.partition(":")[0] not in words:
            known = ", ".join(sorted(words))
            self._table.voice.ignored(f"nothing is known of the declaration '{what}': it is one of {known}", console.t)
            return
        if not self._game.in_play:
            self._table.voice.ignored("a declaration belongs to a deal, and none is in play", console.t)
            return
        cards = console.fields.get("cards")
        named = [str(card) for card in cards] if isinstance(cards, list | tuple) else []
        said = Said(console.t, seat, f"{what}:{','.join(named)}" if named else what)
        before = self._table.voice.waiting
        self._game.signalled(said)
        if not self._table.voice.awaits_evidence:
            self._tell_entered("said", f"{seat}: {said.what}", before, console.t)

    def _tell_entered(self, what: str, note: str, before: int, t: float) -> None:
        """Report that what the arbitro stated is entered, if nothing but the ``before`` events has been said since."""
        voice = self._table.voice
        if voice.waiting == before and not voice.refusal:
            voice.say("table.health", say.TableHealth(what=what, state="ok", note=note), t)

    def _bonus(self, console: Console) -> None:
        """Points that the arbitro gives to a line, or takes from it with a negative number."""
        if self._table.rules.no_points:
            self._table.voice.ignored(self._table.rules.no_points, console.t)
            return
        line, given = line_or_none(console.fields.get("line")), console.fields.get("points")
        if line is None or not isinstance(given, int) or isinstance(given, bool) or not given:
            self._table.voice.ignored(f"a bonus must name the line {' or '.join(LINES)} and its points", console.t)
            return
        self._table.round.give_bonus(line, given)
        self._table.sheets.enter_owed(console.t)
        self._game.ordered(console)
        self._table.round.tell_end_again(console.t)
