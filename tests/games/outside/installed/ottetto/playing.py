"""Ottetto at one table, behind the seam that every game has (``table_service.table.game_protocol``)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
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
from table_service.games.tricks.trick_play import TrickPlay
from table_service.referee.round_options import opening
from table_service.table.game_fold import GameFold
from table_service.table.game_protocol import Beginning, DealEnd, NoDoubts, Now, Revision, Sensed, Signal
from table_service.table.round_state import TableRules
from table_service.table.scores import Count
from table_service.table.table_parts import Table, open_table
from table_service.tracking.movements import Movement, Named, Retracted

LINE_OF = {seat: ANTICLOCKWISE.line(seat) for seat in SEATS}


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal: its movements as they are known, and the event that told each."""

    number: int
    dealer: Seat
    moves: tuple[Movement, ...] = ()
    told: dict[int, str] = field(default_factory=dict)
    is_over: bool = False

    @property
    def play(self) -> TrickPlay:
        """The tricks that these movements make."""
        play = TrickPlay(ORDER, ANTICLOCKWISE.next(self.dealer))
        for move in self.moves:
            play = after(play, move)
        return play


def after(play: TrickPlay, move: Movement) -> TrickPlay:
    """``play`` after ``move``: cards laid to the trick, or the trick gathered."""
    if move.target == TRICK:
        for card in move.cards:
            play = play.played(move.seat or play.turn or play.rules.rotation.seats[0], face(card))
    elif move.source == TRICK and play.open.is_full(ORDER):
        play = play.gathered(play.open.winner(ORDER))
    return play


class Ottetto:
    """One table of Ottetto (``table_service.table.game_protocol.Game``)."""

    def __init__(self, table: Table, referee: Referee) -> None:
        self._table = table
        self.referee = referee
        self.doubts = NoDoubts()
        self.deal: Deal | None = None

    @property
    def in_play(self) -> bool:
        return self.deal is not None and not self.deal.is_over

    def begin(self, beginning: Beginning) -> None:
        number, dealer = beginning.number, beginning.dealer
        self.deal = None if number is None or dealer is None else Deal(number, dealer)

    def moved(self, move: Movement) -> None:
        if self.deal is None or self.deal.is_over or TRICK not in (move.source, move.target):
            return
        before = self.deal.play
        self.deal = replace(self.deal, moves=(*self.deal.moves, move))
        now = self.deal.play
        if move.target == TRICK:
            self._played(move, before, now)
        elif now is not before and len(now.taken) > len(before.taken):
            self._taken(move, now)

    def _played(self, move: Movement, before: TrickPlay, now: TrickPlay) -> None:
        assert self.deal is not None
        seat, card = now.open.plays[-1]
        self._table.voice.turn = 4 * len(now.taken) + len(now.open.plays)
        event = self._table.voice.say(
            "trick.played",
            TrickPlayed(card=card, trick=now.number),
            move.t,
            move.seat,
            committed_t=move.committed_t,
            confidence=move.confidence,
            basis=move.basis,
        )
        self.deal.told[move.id] = event.id
        if move.seat is not None and before.turn not in (None, seat):
            assert before.turn is not None
            self._table.reporting.tell(self.referee.out_of_turn(move, seat, card, before.turn))

    def _taken(self, move: Movement, now: TrickPlay) -> None:
        assert self.deal is not None
        last = now.taken[-1]
        data = TrickTaken(trick=last.number, cards=last.trick.cards, by=last.by)
        event = self._table.voice.say("trick.taken", data, move.t, move.seat, committed_t=move.committed_t)
        self.deal.told[move.id] = event.id
        if last.number == TRICKS:
            self.deal = replace(self.deal, is_over=True)
            self._table.voice.say("deal.ended", say.DealEnded(manner="played"), move.t)
            self._count(move.t)

    def _count(self, t: float) -> None:
        assert self.deal is not None
        won = self.deal.play.tricks_of(LINE_OF) if self.deal.is_over else dict.fromkeys(LINES)
        lines = {str(line): {"items": {"tricks": won.get(line, 0)}, "total": won.get(line, 0)} for line in LINES}
        doubtful = tuple(f"{line}.tricks" for line in LINES if won.get(line, 0) is None)
        self._table.sheets.count(Count(lines, lines, lines, agrees=True, doubtful=doubtful, differences=()), t)

    def revised(self, revision: Revision) -> None:
        deal = self.deal
        if deal is None or not isinstance(revision, Named | Retracted) or revision.movement not in deal.told:
            return
        event = deal.told[revision.movement]
        if isinstance(revision, Named):
            moves = tuple(
                replace(one, cards=revision.cards) if one.id == revision.movement else one for one in deal.moves
            )
            self._table.voice.say("card.named", say.CardNamed(event=event, cards=revision.cards), revision.t)
        else:
            moves = tuple(one for one in deal.moves if one.id != revision.movement)
            self._table.voice.say("event.retracted", say.EventRetracted(event=event, note=revision.reason), revision.t)
            self._table.reporting.tell_all(self.referee.retracted(revision.movement, revision.t))
        self.deal = replace(deal, moves=moves)

    def signalled(self, signal: Signal) -> None:
        if isinstance(signal, Button) and signal.button == "count" and self.deal is not None and self.deal.is_over:
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
        play = self.deal.play
        won = play.tricks_of(LINE_OF)
        return {
            "deal": self.deal.number,
            "dealer": self.deal.dealer,
            "phase": "over" if self.deal.is_over else "playing",
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
