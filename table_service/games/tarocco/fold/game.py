"""Tarocco at one table, behind the seam that every game has (``table_service.table.game_protocol``)."""

from __future__ import annotations

import math
from typing import Any, Final

from hw.cards import TAROCCO, face
from hw.equipment import TAROCCO_TABLE
from hw.observation_log import Header
from hw.observations import Button, Knock, Said, Scale, Sight, Tags
from hw.seats import ANTICLOCKWISE, LINES, Line, Seat
from hw.zones import SCARTO, gate, tricks, zone_seat
from table_service.events.envelope import REPLAY_BOOT
from table_service.events.orders import Correct, DecisionOrder, GiveBonus, Order, Warn
from table_service.events.payloads import DealEnded
from table_service.games.tarocco.codes.tournament import CATALOGUE
from table_service.games.tarocco.fold.calling_out import called, verdict
from table_service.games.tarocco.fold.counting import begato_of, counted
from table_service.games.tarocco.fold.course import (
    PILES,
    TRICK,
    Act,
    CountBegins,
    Course,
    GateRead,
    ScartoSaid,
    Unwatched,
)
from table_service.games.tarocco.fold.course_facts import Fact, after
from table_service.games.tarocco.fold.event_writer import EventWriter
from table_service.games.tarocco.fold.match_standing import match_state, match_told
from table_service.games.tarocco.fold.public_state import deal_state
from table_service.games.tarocco.fold.reporting import ChargeWriter
from table_service.games.tarocco.fold.resumed_match import begati_of, called_out_in
from table_service.games.tarocco.fold.running_deal import Running, renamed
from table_service.games.tarocco.fold.scarto_scale import ScartoScale
from table_service.games.tarocco.fold.signals_given import SignalsGiven
from table_service.games.tarocco.fold.statements import (
    AccusoStated,
    Stated,
    pile_named,
    stated_by,
    why_not_stated,
)
from table_service.games.tarocco.fold.witnesses import as_witnessed
from table_service.games.tarocco.judges import Watched, charges
from table_service.games.tarocco.judges.charge import Charge, SignalHeard
from table_service.games.tarocco.options import TableOptions, chosen
from table_service.games.tarocco.payloads import CalledOut
from table_service.games.tarocco.referee import Referee
from table_service.games.tarocco.rules.deal import Options, TaroccoDeal
from table_service.games.tarocco.rules.deal import Signal as Given
from table_service.games.tarocco.rules.match import DealResult, Match
from table_service.games.tarocco.rules.score import SHEET
from table_service.referee.round_options import mark_of, opening
from table_service.referee.rulings import cards_named
from table_service.table.game_fold import GameFold
from table_service.table.game_protocol import Beginning, DealEnd, NoDoubts, Now, Revision, Sensed, Signal
from table_service.table.history import History, Reported
from table_service.table.round_state import CodeFacts
from table_service.table.table_parts import TableParts, open_table
from table_service.tracking.movements import Counted, Movement, Named, Retracted, Shown, Unverified

LOOKS_S: Final = 0.25
"""So often a deal is looked at for what shows itself by waiting: with every picture, whatever comes between two."""
_SAID: Final[dict[str, Given]] = {"busso": "busso", "striscio": "striscio", "volo": "volo"}
_OVER: Final = "over"


class Tarocco:
    """One table of tarocco (``table_service.table.game_protocol.Game``)."""

    def __init__(self, table: TableParts, referee: Referee, options: TableOptions) -> None:
        self._table = table
        self._referee = referee
        self.options = options
        self.doubts = NoDoubts()
        self.running: Running | None = None
        self._begati = begati_of(table.header)
        """By deal of the match who has the Begato in its pile; None: nobody knows."""
        self._called_out = called_out_in(table.header)
        self._writer, self._charges = EventWriter(table), ChargeWriter(table, referee)
        self._facts: Reported[Fact, str] = Reported(self._writer)
        self._end: Reported[Fact, str] = Reported(self._writer)
        self._findings: Reported[Charge, str] = Reported(self._charges)

    @property
    def referee(self) -> Referee:
        """Its referee."""
        return self._referee

    @property
    def in_play(self) -> bool:
        """True if a deal has begun and is not over."""
        return self.running is not None and not self.running.course.is_over

    @property
    def match(self) -> Match:
        """The match as far as its deals are counted; a wrong call that was ruled has lost it, a right one won it."""
        lost_by = self._referee.lost_by
        return Match(self.options.form, self._results(), lost_by, None if lost_by is not None else self._called_out)

    def _results(self, before: int | None = None) -> tuple[DealResult, ...]:
        """Results of the sheets of the deals, those ``before`` one: as corrected, and from before a restart as well."""
        totals = self._table.round.scores.totals
        return tuple(DealResult(totals[one], self._begati.get(one)) for one in sorted(totals.keys() - {before}))

    # -- what it is told ---------------------------------------------------------------------------------------------

    def begin(self, beginning: Beginning) -> None:
        """Begin a round, or a deal of it; the player who has lost the scarto does not discard (commas 7, 8)."""
        number, dealer = beginning.number, beginning.dealer
        for reported in (self._facts, self._findings, self._end):
            reported.clear()
        if number is None or dealer is None:
            self.running, self._begati, self._called_out = None, {}, None
            return
        scartatore = ANTICLOCKWISE.next(dealer) if self._referee.redeals.has_lost_scarto(number) else dealer
        rules = Options(self.options.must_trump, self.options.matto_lost_without_trick)
        sensed = any(map(self._table.tracker.weighs, (SCARTO, *map(tricks, LINES))))
        start = TaroccoDeal.dealt(dealer, scartatore, rules, scarto_sensed=sensed)
        signals, scale = SignalsGiven(self._table.voice), ScartoScale(self._table.header.card_grams)
        self.running = Running(number, dealer, History(Course(start), after), signals, scale)
        self._writer.at(self.running.course, self._table.voice.latest)  # it forgets the deal before

    def moved(self, move: Movement) -> None:
        """Cards have moved: in the order in which it happened, also where that is told later."""
        running = self.running
        if running is None:
            return
        if _OVER in self._end and move.target != TRICK:
            running.give_for_matto(move)
            return
        if move.source == TRICK or move.target in PILES:
            running.take_glimpses(move.t)
        self._happened(running, as_witnessed(running.course, move), move.t)

    def revised(self, revision: Revision) -> None:
        """Make the deal anew of the rest: a card is known better, or a movement did not happen.

        A pile that its scale has counted can be relied on again.
        """
        if isinstance(revision, Counted):
            if revision.cards is not None:
                self._table.health.trust(revision.zone, revision.t)
            return
        running = self.running
        if running is None or not isinstance(revision, Named | Retracted | Unverified):
            return
        if isinstance(revision, Unverified):
            self._unwatched(running, revision)
            return
        moves = (one for one in running.history if isinstance(one, Movement))
        old = next((one for one in moves if one.id == revision.movement), None)
        if old is None:
            return
        if isinstance(revision, Named):
            running.history.replace(old, renamed(old, revision))
        else:
            running.history.remove(old)
        self._tell(running, revision.t, revision.reason if isinstance(revision, Retracted) else "")
        if self._is_counted:
            self._count(revision.t)

    def _unwatched(self, running: Running, doubt: Unverified) -> None:
        if doubt.zone == TRICK:
            running.halts.append(doubt.t)  # what happened meanwhile may have been no pause (comma 12)
        if doubt.zone == TRICK or (doubt.missed and doubt.zone in PILES):
            self._happened(running, Unwatched(doubt.t, doubt.zone), doubt.t)

    def signalled(self, signal: Signal) -> None:
        """Handle a knock, a declaration, the count, or cards laid out."""
        running = self.running
        if running is None:
            return
        match signal:
            case Knock(seat=Seat() as seat):
                self._knocked(running, seat, signal.t)
            case Said(seat=Seat() as seat):
                self._said(running, seat, signal.what, signal.t)
            case Button(button="referee"):
                running.halts.append(signal.t)
            case Button(button="count"):
                self._count_asked(running, signal.t)
            case Shown(zone=zone) if (owner := zone_seat(zone)) is not None:
                is_counted = self._is_counted
                if running.laid_out.see(owner, tuple(map(face, signal.cards)), is_counted=is_counted) and is_counted:
                    self._count(signal.t)

    def ordered(self, order: Order) -> None:
        """Follow the arbitro, who has ruled, or says how something is."""
        running = self.running
        if isinstance(order, DecisionOrder | Warn):
            deal = None if running is None else running.course.deal
            self._table.reporting.tell_all(self._referee.order(order, deal, self._table.voice.chain))
        if running is None:
            if isinstance(order, Correct):
                self._table.voice.ignored("a correction must name the zone, and a deal must be running", order.t)
            return
        if isinstance(order, Correct):
            self._correct(running, order)
        if isinstance(order, DecisionOrder | Warn | GiveBonus):
            running.halts.append(order.t)
        if self._is_counted:
            self._count(order.t)

    def at(self, now: Now) -> None:
        """Judge what becomes certain by waiting: a card out of turn, a scarto that was announced."""
        running = self.running
        if running is None or now.t < running.looked + LOOKS_S:
            return
        t = now.t if math.isfinite(now.t) else self._table.voice.latest
        running.looked = t
        self._judge(running, t)

    def sensed(self, sensed: Sensed) -> None:
        """Keep what a gate has read: a card may be gathered before a picture has shown it."""
        running, tags = self.running, sensed.observation
        if running is None or _OVER in self._end:
            return
        running.arms.feed(tags)
        if isinstance(tags, Sight):
            running.see(tags)
        if isinstance(tags, Scale) and tags.settled and tags.zone == tricks(running.course.deal.scartatore.line):
            running.scale.read(tags.t, tags.grams)
        if not isinstance(tags, Tags) or len(tags.tags) != 1:
            return
        seat, card = zone_seat(tags.zone), self._table.header.tags.get(tags.tags[0])
        if seat is not None and card is not None and tags.zone == gate(seat):
            running.history.insert(GateRead(tags.t, seat, face(card)))

    def end(self, end: DealEnd) -> None:
        """Count the deal if it is not counted: nothing more of it can come."""
        running = self.running
        if running is None or end.following == running.number or self._is_counted:
            return
        self._count(end.t)

    def state(self) -> dict[str, Any]:
        """Return what anybody may know of the deal that runs."""
        running = self.running
        if running is None:
            return {"game": "tarocco", "deal": None, "match": match_state(self.match)}
        turn = self._table.voice.turn
        told = deal_state(running.number, running.dealer, running.course, turn, announced="scarto" in self._facts)
        return {**told, "match": match_state(self.match), "options": self.options.public()}

    # -- telling -----------------------------------------------------------------------------------------------------

    def _happened(self, running: Running, act: Act, t: float) -> None:
        running.history.insert(act)
        self._tell(running, t)

    def _tell(self, running: Running, t: float, why: str = "") -> None:
        """Tell by what the deal differs from what was told of it; ``why`` something of it may be none any more."""
        course, play = running.course, running.course.deal.play
        self._writer.at(course, t, why)
        self._facts.compare(running.history.facts)
        self._table.voice.turn = 4 * len(play.taken) + len(play.open.plays)
        self._table.reporting.tell_all(self._referee.played(t, course.laid[-1].move.committed_t) if course.laid else ())
        running.signals.pair_knocks(course, running.arms)
        self._judge(running, t)
        self._end.compare({_OVER: DealEnded(manner="played")} if course.is_over else {})

    def _count_asked(self, running: Running, t: float) -> None:
        """Count as the button of the count asks, also if not every trick was noticed."""
        if not running.course.is_over:
            self._happened(running, CountBegins(t), t)
        if running.course.is_over:
            self._count(t)

    def _calls(self, running: Running, t: float) -> None:
        """Report the verdict on each call when it is first heard, and when it is known better."""
        before = Match(self.options.form, self._results(running.number))
        totals = {line: before.total(line) for line in LINES}
        for seat, call in running.calls.items():
            found = verdict(call, running.course, running.dealer, totals, t)
            old = running.verdicts.get(seat)
            if found == old or (old is not None and old.valid):
                continue
            running.verdicts[seat] = found
            self._table.voice.say("match.called-out", CalledOut(points=found.points, valid=found.valid), t, seat)
            if found.valid:
                self._called_out = seat.line

    def _judge(self, running: Running, t: float) -> None:
        self._calls(running, t)
        running.signals.pair_entered(running.course, t)
        watched = Watched(
            t=t,
            course=running.course,
            signals=tuple(running.signals.of_leaders),
            others_signals=tuple(running.signals.of_others),
            halts=tuple(running.halts),
            scarto_counted=running.scale.count(running.course, self._table.tracker.counted),
            scarto_weighed=running.scale.weighed,
            scarto_said=running.course.scarto_said,
            arms=running.arms,
            calls=running.calls_judged,
        )
        self._charges.t = t
        self._findings.compare({one.key: one for one in charges(watched)})

    def _knocked(self, running: Running, seat: Seat, t: float) -> None:
        deal = running.course.deal
        if not deal.has_begun and seat is deal.scartatore:
            self._happened(running, ScartoSaid(t), t)
            return
        running.signals.knocked(t, seat)
        running.signals.pair_knocks(running.course, running.arms)
        self._judge(running, t)

    def _said(self, running: Running, seat: Seat, what: str, t: float) -> None:
        word, _, named = what.partition(":")
        if word == "out":
            self._called_out_by(running, seat, t)
        elif word == "accuso":
            cards = cards_named(TAROCCO, [card for card in named.split(",") if card])
            self._state(running, AccusoStated(t, seat, cards), t)
        elif word in _SAID:
            running.signals.enter(SignalHeard(seat, _SAID[word], 0, t, is_said=True))
            self._judge(running, t)

    def _called_out_by(self, running: Running, seat: Seat, t: float) -> None:
        if self.options.form == "ottocento" and seat not in running.calls:
            running.calls[seat] = called(running.course, running.dealer, seat, t)
            self._judge(running, t)

    # -- what the Giudice states ---------------------------------------------------------------------------------------

    def _correct(self, running: Running, order: Correct) -> None:
        """Correct a trick with other cards or of the other line, the number of the scarto, or a pile that is named."""
        pile = pile_named(order, running.course)
        if pile is not None:
            running.laid_out.state(*pile)
            if self._is_counted:
                self._count(order.t)
            return
        said = stated_by(order, running.course)
        if isinstance(said, str):
            self._table.voice.ignored(said, order.t)
        elif said is not None:
            self._state(running, said, order.t)

    def _state(self, running: Running, stated: Stated, t: float) -> None:
        """Take what a person states, tell what it changes, and count again what was counted."""
        why = why_not_stated(running.course, stated)
        if why is not None:
            self._table.voice.ignored(why, t)
            return
        self._happened(running, stated, t)
        if self._is_counted:
            self._count(t)

    # -- the count ---------------------------------------------------------------------------------------------------

    @property
    def _is_counted(self) -> bool:
        """True if the deal that runs was counted, and that was not taken back."""
        sheets = self._table.sheets
        return sheets.score is not None and self._table.round.number in sheets.by_deal

    def _count(self, t: float) -> None:
        running = self.running
        if running is None:
            return
        points: dict[Line, int] = dict(self._table.round.bonus)
        ruled = self._referee.ruled(last_trick_with_scartini=self.options.last_trick_with_scartini, points=points)
        count, found = counted(running.course, running.laid_out.shown, ruled, running.given)
        begato = begato_of(found) if running.course.is_over else None
        self._begati[running.number] = begato
        for line in LINES:
            count.lines[str(line)]["begato"] = None if begato is None else line is begato
        self._table.sheets.count(count, t)
        self._table.round.tell_end_again(t)


def open_fold(header: Header, boot: str = REPLAY_BOOT, first: int = 1) -> GameFold[Tarocco]:
    """Return the fold of one table of tarocco."""
    options = chosen(header)
    referee = Referee(
        opening(header, CATALOGUE.tournament, {}), misdeals_together=options.misdeals_together, mark=mark_of(header)
    )
    rules = CodeFacts(
        TAROCCO_TABLE,
        SHEET,
        CATALOGUE.tournament,
        rotation=ANTICLOCKWISE,
        choices=options.words(),
        match=lambda _totals, _manner: match_told(game.match),
        words=frozenset({"out", "accuso", *_SAID}),
    )
    table = open_table(header, rules, referee, boot, first)
    game = Tarocco(table, referee, options)
    return GameFold(table, game)


__all__ = ["Tarocco", "open_fold"]
