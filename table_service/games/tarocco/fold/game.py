"""Tarocco at one table, behind the seam that every game has (``table_service.table.game``)."""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hw.cards import TAROCCO, UNKNOWN, face
from hw.equipment import TAROCCO_TABLE
from hw.observation_log import Header
from hw.observations import Button, Console, Knock, Said, Scale, Sight, Tags
from hw.seats import ANTICLOCKWISE, LINES, Line, Seat, line_or_none
from hw.zones import SCARTO, gate, hand, tricks, zone_line, zone_seat
from table_service.events import payloads as say
from table_service.events.envelope import REPLAY_BOOT
from table_service.games.tarocco.codes.tournament import CATALOGUE
from table_service.games.tarocco.fold.arms import Arms
from table_service.games.tarocco.fold.calling_out import ENTERED_S, Call, Verdict, called, verdict
from table_service.games.tarocco.fold.counting import begato_of, counted
from table_service.games.tarocco.fold.course import (
    PILES,
    PROMPT_S,
    SIDES,
    SURE,
    TRICK,
    Act,
    CountBegins,
    Course,
    GateRead,
    Glimpse,
    Laid,
    after,
    made_of,
)
from table_service.games.tarocco.fold.laid_out import LaidOut
from table_service.games.tarocco.fold.match_standing import match_state, match_told
from table_service.games.tarocco.fold.public_state import deal_state
from table_service.games.tarocco.fold.reporting import Reporter
from table_service.games.tarocco.fold.scarto_scale import is_weighed
from table_service.games.tarocco.fold.statements import (
    AccusoStated,
    Stated,
    pile_named,
    stated_by,
    why_not_stated,
)
from table_service.games.tarocco.fold.telling import Teller
from table_service.games.tarocco.judges import Watched, charges
from table_service.games.tarocco.judges.charge import SignalHeard
from table_service.games.tarocco.options import TableOptions, chosen
from table_service.games.tarocco.payloads import CalledOut, ScartoMade, SignalMade
from table_service.games.tarocco.referee import Referee
from table_service.games.tarocco.rules.cards import ALIKE, worth
from table_service.games.tarocco.rules.deal import Deal, Options
from table_service.games.tarocco.rules.deal import Signal as Given
from table_service.games.tarocco.rules.match import DealResult, Match
from table_service.games.tarocco.rules.score import SHEET
from table_service.referee.round_options import mark_of, opening
from table_service.referee.rulings import cards_named
from table_service.table.game import Beginning, DealEnd, NoDoubts, Now, Revision, Sensed, Signal
from table_service.table.game_fold import GameFold
from table_service.table.resuming import OPTION
from table_service.table.round_state import TableRules
from table_service.table.table import Table, open_table
from table_service.tracking.movements import Counted, Movement, Named, Retracted, Shown

KNOCK_BEFORE_S: Final = 0.8
KNOCK_AFTER_S: Final = 3.0
"""A knock of the leader so long before and after his card came to rest is on that card, if his hand is over it."""
CROSSED_S: Final = 3.0
"""A card comes to rest so soon after its player's gate has read it."""
READ_AND_SEEN: Final = 0.98
"""How sure a card is that both its player's gate and pictures have named."""
UNSURE: Final = 0.9
"""How sure at most a movement is that sensors tell of two seats."""
LED_SOON_S: Final = 3.0
"""A card may be told so long after a person has heard the signal with it."""
LOOKS_S: Final = 0.5
"""At least so often a deal is looked at for what shows itself by waiting, while something may."""
_SAID: Final[dict[str, Given]] = {"busso": "busso", "striscio": "striscio", "volo": "volo"}
_STOPS: Final = frozenset({"rule", "dismiss", "confirm", "warn", "bonus"})


@dataclass(slots=True)
class Running:
    """The deal that runs, with what beside movements was heard of it."""

    number: int
    dealer: Seat
    start: Deal
    course: Course
    moves: list[Act] = field(default_factory=list)
    knocks: list[tuple[float, Seat]] = field(default_factory=list)
    signals: list[SignalHeard] = field(default_factory=list)
    others_signals: list[SignalHeard] = field(default_factory=list)
    """Signals that a person has heard of who did not lead."""
    said: list[SignalHeard] = field(default_factory=list)
    """Those that a person has entered of who was not seen to lead yet."""
    halts: list[float] = field(default_factory=list)
    scarto_said: float | None = None
    scarto_told: bool = False
    ended_t: float | None = None
    calls: dict[Seat, Call] = field(default_factory=dict)
    verdicts: dict[Seat, Verdict] = field(default_factory=dict)
    """Who has called himself out (Ottocento), and what became of it."""
    given: str | None = None
    """The card that was put to the other line's pile for the Matto, as its gate named it."""
    weighed: list[tuple[float, float]] = field(default_factory=list)
    """Readings at rest of the scale under the scarto: log time, grams."""
    scarto_weighed: int | None = None
    """How many cards the scale under the scarto counted, where its readings leave no doubt."""
    laid_out: LaidOut = field(default_factory=LaidOut)
    arms: Arms = field(default_factory=Arms)
    glimpses: dict[tuple[Seat, str], float] = field(default_factory=dict)
    """When a picture last showed which card at whose place in the trick."""
    looked: float = -math.inf


class Tarocco:
    """One table of tarocco (``table_service.table.game.Game``)."""

    def __init__(self, table: Table, referee: Referee, options: TableOptions) -> None:
        self._table = table
        self._referee = referee
        self.options = options
        self.doubts = NoDoubts()
        self.running: Running | None = None
        self._begati = begati_of(table.header)
        """By deal of the match who has the Begato in its pile; None: nobody knows."""
        self._called_out = called_out_in(table.header)
        self._teller = Teller(table)
        self._reporter = Reporter(table, referee)

    @property
    def referee(self) -> Referee:
        """Its referee."""
        return self._referee

    @property
    def in_play(self) -> bool:
        """Whether a deal has begun and is not over."""
        return self.running is not None and not self.running.course.is_over

    @property
    def match(self) -> Match:
        """The match as far as its deals are counted; a wrong call that was ruled has lost it, a right one won it."""
        lost_by = self._referee.lost_by
        return Match(self.options.form, self._results(), lost_by, None if lost_by is not None else self._called_out)

    def _results(self, before: int | None = None) -> tuple[DealResult, ...]:
        """What the sheets of the deals say, those ``before`` one: as corrected, and from before a restart as well."""
        totals = self._table.round.scores.totals
        numbers = [number for number in sorted(totals) if before is None or number != before]
        return tuple(DealResult(totals[number], self._begati.get(number)) for number in numbers)

    # -- what it is told ---------------------------------------------------------------------------------------------

    def begin(self, beginning: Beginning) -> None:
        """A round begins, or a deal of it; who has lost the scarto does not discard (commas 7, 8)."""
        number, dealer = beginning.number, beginning.dealer
        self._teller.begin()
        self._reporter.begin()
        if number is None or dealer is None:
            self.running, self._begati, self._called_out = None, {}, None
            return
        scartatore = ANTICLOCKWISE.next(dealer) if self._referee.redeals.has_lost_scarto(number) else dealer
        rules = Options(self.options.must_trump, self.options.matto_lost_without_trick)
        start = Deal.dealt(dealer, scartatore, rules)
        self.running = Running(number, dealer, start, Course(start))

    def moved(self, move: Movement) -> None:
        """Cards have moved: in the order in which it happened, also where that is told later."""
        running = self.running
        if running is None:
            return
        if running.ended_t is not None and move.target != TRICK:
            self._given_for_matto(running, move)
            return
        before = running.course
        if move.source == TRICK or move.target in PILES:
            self._take_glimpses(running, move.t)
        self._take(running, as_witnessed(running.course, move))
        self._tell(running, before, move.t)

    @staticmethod
    def _take(running: Running, move: Act) -> None:
        moves = running.moves
        if moves and move.committed_t < moves[-1].committed_t:
            insort(moves, move, key=lambda one: one.committed_t)
            running.course = made_of(running.start, moves)
        else:
            moves.append(move)
            running.course = after(running.course, move)

    def _take_glimpses(self, running: Running, t: float) -> None:
        """Before a trick is gathered: what pictures have shown of it by ``t`` that no movement was made of."""
        glimpses = [(when, *one) for one, when in running.glimpses.items() if when < t]
        running.glimpses.clear()
        for when, seat, card in sorted(glimpses):
            if card not in running.course.deal.hands.gone:
                self._take(running, Glimpse(when, seat, card))

    def revised(self, revision: Revision) -> None:
        """A card is known better, or a movement did not happen: the deal is made anew of the rest.

        A pile that its scale has counted can be relied on again.
        """
        if isinstance(revision, Counted):
            if revision.cards is not None:
                self._table.health.trust(revision.zone, revision.t)
            return
        running = self.running
        if running is None or not isinstance(revision, Named | Retracted):
            return
        before = running.course
        old = next((one for one in running.moves if isinstance(one, Movement) and one.id == revision.movement), None)
        if old is None:
            return
        place = running.moves.index(old)
        if isinstance(revision, Named):
            running.moves[place] = replace(old, cards=revision.cards, confidence=revision.confidence)
            self._teller.named(revision)
        else:
            del running.moves[place]
            self._teller.retracted(revision)
        running.course = made_of(running.start, running.moves)
        self._tell(running, before, revision.t)
        if self._table.sheets.score is not None:
            self._count(revision.t)

    def signalled(self, signal: Signal) -> None:
        """A knock, a declaration, the count, cards laid out."""
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
            case Shown(zone=zone):
                seat_of = zone_seat(zone)
                is_counted = self._table.sheets.score is not None
                if seat_of is None:
                    return
                if running.laid_out.see(seat_of, tuple(map(face, signal.cards)), is_counted=is_counted) and is_counted:
                    self._count(signal.t)

    def ordered(self, order: Console) -> None:
        """The arbitro has ruled, or says how something is."""
        running = self.running
        if order.do in ("rule", "dismiss", "confirm", "warn"):
            deal = None if running is None else running.course.deal
            self._table.reporting.tell_all(self._referee.order(order, deal, self._table.voice.chain))
        if running is None:
            if order.do == "correct":
                self._table.voice.ignored("a correction must name the zone, and a deal must be running", order.t)
            return
        if order.do == "correct":
            self._correct(running, order)
        if order.do in _STOPS:
            running.halts.append(order.t)
        if self._table.sheets.score is not None:
            self._count(order.t)

    def at(self, now: Now) -> None:
        """What shows itself by waiting: a card out of turn, a scarto that was announced."""
        running = self.running
        if running is None or now.t < running.looked + LOOKS_S:
            return
        t = now.t if math.isfinite(now.t) else self._table.voice.latest
        running.looked = t
        self._judge(running, t)

    def sensed(self, sensed: Sensed) -> None:
        """What a gate has read is kept: a card may be gathered before a picture has shown it."""
        running, tags = self.running, sensed.observation
        if running is None or running.ended_t is not None:
            return
        running.arms.feed(tags)
        if isinstance(tags, Sight):
            gone = running.course.deal.hands.gone
            running.glimpses |= {key: tags.t for key in seen_in_trick(tags) if key[1] not in gone}
        if isinstance(tags, Scale) and tags.settled and tags.zone == tricks(running.start.scartatore.line):
            running.weighed.append((tags.t, tags.grams))
        if not isinstance(tags, Tags) or len(tags.tags) != 1:
            return
        seat, card = zone_seat(tags.zone), self._table.header.tags.get(tags.tags[0])
        if seat is not None and card is not None and tags.zone == gate(seat):
            self._take(running, GateRead(tags.t, seat, face(card)))

    def end(self, end: DealEnd) -> None:
        """Nothing more of this deal can come: what was not counted is counted now."""
        running = self.running
        if running is None or end.following == running.number or self._table.sheets.score is not None:
            return
        self._count(end.t)

    def state(self) -> dict[str, Any]:
        """What anybody may know of the deal that runs."""
        running = self.running
        if running is None:
            return {"game": "tarocco", "deal": None, "match": match_state(self.match)}
        turn = self._table.voice.turn
        told = deal_state(running.number, running.dealer, running.course, turn, announced=running.scarto_told)
        return {**told, "match": match_state(self.match), "options": self.options.public()}

    # -- telling -----------------------------------------------------------------------------------------------------

    def _tell(self, running: Running, before: Course, t: float) -> None:
        if running.course.deal.has_begun and not running.scarto_told:
            self._scarto_made(running, t)
        self._announced(running, t)
        self._teller.tell(before, running.course, t)
        if len(running.course.laid) > len(before.laid):
            played = self._referee.played(t, running.course.laid[-1].move.committed_t)
            self._table.reporting.tell_all(played)
        self._pair_knocks(running)
        self._judge(running, t)
        if running.course.is_over and running.ended_t is None:
            running.ended_t = t
            self._table.voice.say("deal.ended", say.DealEnded(manner="played"), t)
        elif running.ended_t is not None and not running.course.is_over:
            running.ended_t = None  # the movement that ended it did not happen
            self._table.sheets.take_back()

    def _count_asked(self, running: Running, t: float) -> None:
        """The button of the count: also where not every trick was noticed."""
        if not running.course.is_over:
            before = running.course
            self._take(running, CountBegins(t))
            self._tell(running, before, t)
        if running.course.is_over:
            self._count(t)

    @staticmethod
    def _given_for_matto(running: Running, move: Movement) -> None:
        """A card put to the other line's pile after the last trick is the one given for the Matto."""
        line = zone_line(move.target or "") if move.target in PILES else None
        if line is None or move.seat is None or move.seat.line is line or len(move.cards) != 1:
            return
        card = face(move.cards[0])
        if card != UNKNOWN and worth(card) == 1 and move.confidence >= SURE:
            running.given = card

    def _announced(self, running: Running, t: float) -> None:
        """A knock has said that the scarto is made: told once its scale has told of it too."""
        if running.scarto_said is not None and running.course.deal.scarto and not running.scarto_told:
            self._scarto_made(running, t)

    def _scarto_made(self, running: Running, t: float) -> None:
        running.scarto_told = True
        deal = running.course.deal
        made = ScartoMade(cards=len(deal.scarto or ()), knocked=running.scarto_said is not None)
        self._table.voice.say("scarto.made", made, t, deal.scartatore)

    def _calls(self, running: Running, t: float) -> None:
        """What became of each call; told when it is first heard, and when it is known better."""
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
        self._signals_said(running, t)
        watched = Watched(
            t=t,
            course=running.course,
            signals=tuple(running.signals),
            others_signals=tuple(running.others_signals),
            halts=tuple(running.halts),
            scarto_counted=self._scarto_counted(running),
            scarto_weighed=running.scarto_weighed,
            scarto_said=running.scarto_said,
            arms=running.arms,
            wrong_calls=tuple(running.calls[s] for s, found in running.verdicts.items() if found.valid is False),
        )
        self._reporter.reconcile(charges(watched), t)

    def _scarto_counted(self, running: Running) -> int | None:
        """What the scale under the scarto counts; None once other cards lie there."""
        line = running.course.deal.scartatore.line
        if running.course.piled[line] or running.course.deal.play.taken or running.course.scarto_by is None:
            return None
        counts = (self._table.tracker.counted(zone) for zone in (tricks(line), SCARTO))
        known = [count for count in counts if count is not None]
        if known and is_weighed(
            running.weighed, running.course.scarto_by.committed_t, sum(known), self._table.header.card_grams
        ):
            running.scarto_weighed = sum(known)
        return sum(known) if known and not running.course.deal.has_begun else None

    def _knocked(self, running: Running, seat: Seat, t: float) -> None:
        deal = running.course.deal
        if not deal.has_begun and seat is deal.scartatore:
            running.scarto_said = t
            self._announced(running, t)
            self._judge(running, t)
            return
        running.knocks.append((t, seat))
        self._pair_knocks(running)
        self._judge(running, t)

    def _pair_knocks(self, running: Running) -> None:
        """Knocks of a leader beside his card are busso; a card may be told after the knock on it."""
        for t, seat in running.knocks[:]:
            led = next(
                (
                    one
                    for one in running.course.laid
                    if one.leads
                    and one.seat is seat
                    and one.move.committed_t - KNOCK_BEFORE_S <= t <= one.move.committed_t + KNOCK_AFTER_S
                    and running.arms.may_knock_on_card(seat, t)
                    and not _was_answered(running.course, one, t)
                ),
                None,
            )
            if led is not None:
                running.knocks.remove((t, seat))
                self._signal(running, SignalHeard(seat, "busso", led.number, t), 0.9)

    def _said(self, running: Running, seat: Seat, what: str, t: float) -> None:
        word, _, named = what.partition(":")
        if word == "out":
            self._called_out_by(running, seat, t)
        elif word == "accuso":
            cards = cards_named(TAROCCO, [card for card in named.split(",") if card])
            self._state(running, AccusoStated(t, seat, cards), t)
        elif word in _SAID:
            running.said.append(SignalHeard(seat, _SAID[word], 0, t, is_said=True))
            self._judge(running, t)

    def _called_out_by(self, running: Running, seat: Seat, t: float) -> None:
        if self.options.form == "ottocento" and seat not in running.calls:
            running.calls[seat] = called(running.course, running.dealer, seat, t)
            self._judge(running, t)

    def _signals_said(self, running: Running, t: float) -> None:
        """A signal is of the card led last, or of the one before: a person enters it a little later.

        Of who has led neither it waits a moment: his card may not have been told yet.
        """
        for heard in running.said[:]:
            leads = [one for one in running.course.laid if one.leads]
            before = [one for one in leads[-2:-1] if heard.t - one.move.committed_t <= ENTERED_S]
            led = next((one for one in (*leads[-1:], *before) if one.seat is heard.seat), None)
            if led is None and t < heard.t + LED_SOON_S:
                continue
            running.said.remove(heard)
            if led is None:
                self._signal_of_no_leader(running, heard, leads)
                continue
            known = replace(heard, number=led.number)
            key = known.seat, known.number
            running.signals = [one for one in running.signals if (one.seat, one.number) != key]
            self._signal(running, known, 1.0)

    def _signal_of_no_leader(self, running: Running, heard: SignalHeard, leads: Sequence[Laid]) -> None:
        """A signal entered for who has led neither of the last two tricks; ``leads``: the cards that were led."""
        gathered = (one.number for one in running.course.gathered if one.committed_t < heard.t)
        if not leads:
            self._table.voice.ignored("a signal is given with a card that is led, and none was", heard.t)
        elif any(number >= leads[-1].number for number in gathered):
            self._table.voice.ignored("a signal is given with a card that is led, and nobody saw which", heard.t)
        else:
            running.others_signals.append(replace(heard, number=leads[-1].number))

    # -- what the Giudice states ---------------------------------------------------------------------------------------

    def _correct(self, running: Running, order: Console) -> None:
        """A trick held other cards, or is the other line's; the scarto has another number; a pile lies as named."""
        pile = pile_named(order, running.course)
        if pile is not None:
            running.laid_out.state(*pile)
            if self._table.sheets.score is not None:
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
        before = running.course
        self._take(running, stated)
        self._teller.stated(before, running.course, stated, t)
        self._tell(running, before, t)
        if self._table.sheets.score is not None:
            self._count(t)

    def _signal(self, running: Running, heard: SignalHeard, confidence: float) -> None:
        if any((one.seat, one.number) == (heard.seat, heard.number) for one in running.signals):
            return
        running.signals.append(heard)
        self._table.voice.say(
            "signal.made",
            SignalMade(signal=heard.signal, n=heard.number),
            heard.t,
            heard.seat,
            confidence=confidence,
            basis=("said",) if heard.is_said else ("knock",),
        )

    # -- the count ---------------------------------------------------------------------------------------------------

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


def begati_of(header: Header) -> dict[int, Line | None]:
    """By deal who had the Begato in its pile, as counts of before the table's restart have told."""
    found: dict[int, Line | None] = {}
    for event in header.options.get(OPTION, ()):
        lines = event["data"].get("lines", {}) if event["type"] == "score.counted" else {}
        held = {line: lines[str(line)]["begato"] for line in LINES if "begato" in lines.get(str(line), {})}
        if held:  # a sheet that was corrected does not tell of it again
            found[event["deal"]] = next((line for line in LINES if held.get(line)), None)
    return found


def called_out_in(header: Header) -> Line | None:
    """The line that had rightly called itself out, as counts of before the table's restart have told."""
    told = [one["data"].get("match") or {} for one in header.options.get(OPTION, ()) if one["type"] == "score.counted"]
    newest = told[-1] if told else {}
    return line_or_none(newest.get("winner")) if newest.get("decided_by") == "called-out" else None


def seen_in_trick(sight: Sight) -> Iterator[tuple[Seat, str]]:
    """The cards that ``sight`` surely shows in the trick, each with whose place it lies at: the side of the centre.

    Of the look-alike Mori no picture tells which it is.
    """
    for one in sight.cards:
        card = face(one.card)
        if one.zone == TRICK and card not in ALIKE and card != UNKNOWN and one.confidence >= SURE:
            if abs(one.x) > abs(one.y):
                yield (Seat.EAST if one.x > 0 else Seat.WEST), card
            else:
                yield (Seat.NORTH if one.y > 0 else Seat.SOUTH), card


def as_witnessed(course: Course, move: Movement) -> Movement:
    """``move`` by what its card and its place tell better than the hand that it was given to.

    A card that its player's gate has read only after that hand was laid by a later one; where his beam has missed the
    hand, his gate says when he laid what pictures show. What comes to lie at a seat's
    side is that player's, when pictures first showed it: his beam has missed him, so that it accuses nobody.
    """
    owner = zone_seat(move.target or "") if move.target in SIDES else None
    if owner is not None and move.seat not in (None, owner):
        seen = max(move.committed_t, move.t - PROMPT_S)
        return replace(move, seat=owner, source=hand(owner), committed_t=seen, confidence=min(move.confidence, UNSURE))
    if move.target != TRICK or move.seat is None or len(move.cards) != 1:
        return move
    return _dated_by_its_gate(course, move)


def _dated_by_its_gate(course: Course, move: Movement) -> Movement:
    """``move``, one card to the trick, at the time at which its player's gate read that card."""
    read = [one.committed_t for one in course.read if (one.seat, one.card) == (move.seat, face(move.cards[0]))]
    if "reach" not in move.basis and read and read[-1] <= move.t:
        sure = max(move.confidence, READ_AND_SEEN)
        return replace(move, committed_t=read[-1], confidence=sure, basis=(*move.basis, "tags"))
    if any(move.committed_t - CROSSED_S <= t <= move.committed_t for t in read):
        return move
    later = [t for t in read if move.committed_t < t <= move.t]
    return replace(move, committed_t=later[0]) if later else move


def _was_answered(course: Course, led: Laid, t: float) -> bool:
    """Whether another player's card crossed a gate between ``led`` and ``t``: a signal is given with the card led."""
    start = led.move.committed_t - KNOCK_BEFORE_S
    start = max([start, *(one.committed_t for one in course.gathered if one.number == led.number - 1)])
    return any(one.seat is not led.seat and one.card != led.card and start < one.committed_t < t for one in course.read)


def open_fold(header: Header, boot: str = REPLAY_BOOT, first: int = 1) -> GameFold[Tarocco]:
    """The fold of one table of tarocco."""
    options = chosen(header)
    referee = Referee(
        opening(header, CATALOGUE.tournament, {}), misdeals_together=options.misdeals_together, mark=mark_of(header)
    )
    rules = TableRules(
        TAROCCO_TABLE,
        SHEET,
        CATALOGUE.tournament,
        rotation=ANTICLOCKWISE,
        choices=options.words(),
        match=lambda _totals, _manner: match_told(game.match),
    )
    table = open_table(header, rules, referee, boot, first)
    game = Tarocco(table, referee, options)
    return GameFold(table, game)


__all__ = ["Tarocco", "open_fold"]
