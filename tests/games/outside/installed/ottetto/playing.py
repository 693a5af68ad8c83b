"""Ottetto at one table, behind the seam that every game has (``table_service.table.game_protocol``)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

from hw.cards import face
from hw.observation_log import Header
from hw.observations import Button, Console
from hw.seats import ANTICLOCKWISE, LINES, SEATS, Seat
from ottetto.judging import Referee
from ottetto.payloads import TrickPlayed, TrickTaken
from ottetto.rules import CATALOGUE, EQUIPMENT, ORDER, SHEET, TRICK, TRICKS
from table_service.events import Event
from table_service.events import payloads as say
from table_service.events.envelope import REPLAY_BOOT
from table_service.games.tricks.trick_play import Taken, TrickPlay
from table_service.referee.round_options import opening
from table_service.table.game_fold import GameFold
from table_service.table.game_protocol import Beginning, DealEnd, NoDoubts, Now, Revision, Sensed, Signal
from table_service.table.history import Facts, History, Reported
from table_service.table.round_state import TableRules
from table_service.table.scores import Count
from table_service.table.table_parts import Table, open_table
from table_service.tracking.movements import Movement, Named, Retracted

LINE_OF = {seat: ANTICLOCKWISE.line(seat) for seat in SEATS}


@dataclass(frozen=True, slots=True)
class Played:
    """``seat`` played ``card`` to trick ``trick`` by ``move``; it was the turn of ``due``, None: not known."""

    move: Movement
    seat: Seat
    card: str
    trick: int
    due: Seat | None


@dataclass(frozen=True, slots=True)
class Gathered:
    """``taken`` was gathered by ``move``."""

    move: Movement
    taken: Taken


Fact = Played | Gathered | say.DealEnded


def after(play: TrickPlay, move: Movement) -> tuple[TrickPlay, Facts[Fact]]:
    """``play`` after ``move`` (``table.history``): cards laid to the trick, or the trick gathered."""
    facts: dict[Hashable, Fact] = {}
    if move.target == TRICK:
        for card in move.cards:
            seat = move.seat or play.turn or play.rules.rotation.seats[0]
            facts["played", move.id, len(facts)] = Played(move, seat, face(card), play.number, play.turn)
            play = play.played(seat, face(card))
    elif move.source == TRICK and play.open.is_full(ORDER):
        play = play.gathered(play.open.winner(ORDER))
        facts["taken", play.number] = Gathered(move, play.taken[-1])
        if len(play.taken) == TRICKS:
            facts["over"] = say.DealEnded(manner="played")
    return play, facts


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal: what moved in it."""

    number: int
    dealer: Seat
    history: History[TrickPlay, Movement, Fact]


class Ottetto:
    """One table of Ottetto (``table_service.table.game_protocol.Game``), which writes its facts as events."""

    def __init__(self, table: Table, referee: Referee) -> None:
        self._table = table
        self.referee = referee
        self.doubts = NoDoubts()
        self.deal: Deal | None = None
        self._reported: Reported[Fact, str] = Reported(self)
        self._t, self._why = 0.0, ""

    @property
    def in_play(self) -> bool:
        return self.deal is not None and "over" not in self._reported

    def begin(self, beginning: Beginning) -> None:
        number, dealer = beginning.number, beginning.dealer
        self._reported.clear()
        self.deal = None
        if number is not None and dealer is not None:
            self.deal = Deal(number, dealer, History(TrickPlay(ORDER, ANTICLOCKWISE.next(dealer)), after))

    def moved(self, move: Movement) -> None:
        if self.deal is not None and self.in_play and TRICK in (move.source, move.target):
            self.deal.history.insert(move)
            self._tell(self.deal, move.t)

    def revised(self, revision: Revision) -> None:
        deal = self.deal
        if deal is None or not isinstance(revision, Named | Retracted):
            return
        move = next((one for one in deal.history if one.id == revision.movement), None)
        if move is None:
            return
        if isinstance(revision, Named):
            deal.history.replace(move, replace(move, cards=revision.cards))
        else:
            deal.history.remove(move)
        self._tell(deal, revision.t, revision.reason if isinstance(revision, Retracted) else "")

    def _tell(self, deal: Deal, t: float, why: str = "") -> None:
        self._t, self._why = t, why
        play = deal.history.deal
        self._table.voice.turn = 4 * len(play.taken) + len(play.open.plays)
        was_playing = self.in_play
        self._reported.compare(deal.history.facts)
        if was_playing and not self.in_play:
            self._count(t)

    # -- what is new, otherwise, or none any more (``table.history.Writer``) -------------------------------------------

    def report(self, fact: Fact) -> str:
        match fact:
            case Played(move=move, seat=seat, card=card, due=due):
                event = self._say("trick.played", TrickPlayed(card=card, trick=fact.trick), move)
                if move.seat is not None and due is not None and due is not seat:
                    self._table.reporting.tell(self.referee.out_of_turn(move, seat, card, due))
                return event
            case Gathered(move=move, taken=one):
                return self._say("trick.taken", TrickTaken(trick=one.number, cards=one.trick.cards, by=one.by), move)
            case say.DealEnded():
                return self._table.voice.say("deal.ended", fact, self._t).id

    def correct(self, name: str, was: Fact, fact: Fact) -> str:
        if isinstance(was, Played) and isinstance(fact, Played) and was.seat is fact.seat:
            if was.card != fact.card:
                self._table.voice.say("card.named", say.CardNamed(event=name, cards=(fact.card,)), self._t)
            return name
        self.retract(name, was)
        return self.report(fact)

    def retract(self, name: str, fact: Fact) -> None:
        self._table.voice.say("event.retracted", say.EventRetracted(event=name, note=self._why), self._t)
        if isinstance(fact, Played):
            self._table.reporting.tell_all(self.referee.retracted(fact.move.id, self._t))
        elif isinstance(fact, say.DealEnded):
            self._table.sheets.take_back()

    def _say(self, type_: str, data: say.Payload, move: Movement) -> str:
        sure, basis = move.confidence, move.basis
        when = move.committed_t
        return self._table.voice.say(type_, data, self._t, move.seat, committed_t=when, confidence=sure, basis=basis).id

    # -- the rest of the seam ------------------------------------------------------------------------------------------

    def _count(self, t: float) -> None:
        assert self.deal is not None
        won = dict.fromkeys(LINES) if self.in_play else self.deal.history.deal.tricks_of(LINE_OF)
        lines = {str(line): {"items": {"tricks": won.get(line, 0)}, "total": won.get(line, 0)} for line in LINES}
        doubtful = tuple(f"{line}.tricks" for line in LINES if won.get(line, 0) is None)
        self._table.sheets.count(Count(lines, lines, lines, agrees=True, doubtful=doubtful, differences=()), t)

    def signalled(self, signal: Signal) -> None:
        if isinstance(signal, Button) and signal.button == "count" and self.deal is not None and not self.in_play:
            self._count(signal.t)

    def ordered(self, order: Console) -> None:
        if order.do in ("rule", "dismiss"):
            self._table.reporting.tell_all(self.referee.order(order))
        elif order.do in ("confirm", "warn", "correct"):
            self._table.voice.ignored(f"Ottetto knows no order '{order.do}'", order.t)
        if self.deal is not None and self._table.sheets.score is not None:
            self._count(order.t)

    def at(self, now: Now) -> None:
        """Nothing shows itself by waiting."""

    def sensed(self, sensed: Sensed) -> None:
        """Nothing is compared."""

    def end(self, end: DealEnd) -> None:
        deal = self.deal
        if deal is not None and self._table.sheets.score is None and end.following != deal.number:
            self._count(end.t)

    def state(self) -> dict[str, Any]:
        if self.deal is None:
            return {"deal": None}
        play = self.deal.history.deal
        won = play.tricks_of(LINE_OF)
        return {
            "deal": self.deal.number,
            "dealer": self.deal.dealer,
            "phase": "playing" if self.in_play else "over",
            "turn": {"n": self._table.voice.turn, "seat": play.turn},
            "trick": [{"seat": seat, "card": card} for seat, card in play.open.plays],
            "won": {str(line): won.get(line, 0) for line in LINES},
        }


def open_fold(header: Header, boot: str = REPLAY_BOOT, first: int = 1) -> GameFold[Ottetto]:
    """The fold of one table of Ottetto."""
    referee = Referee(opening(header, CATALOGUE.tournament, {}))
    rules = TableRules(EQUIPMENT, SHEET, CATALOGUE.tournament, rotation=ANTICLOCKWISE)
    table = open_table(header, rules, referee, boot, first)
    return GameFold(table, Ottetto(table, referee))


def zone_of(event: Event) -> str | None:
    """Everything happens at the trick."""
    return TRICK if event.type.startswith("trick.") else None
