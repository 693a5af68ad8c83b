"""The deal of tarocco that runs: its course by what has moved, and what beside movements was heard of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from hw.cards import UNKNOWN, face
from hw.observations import Sight
from hw.seats import Seat
from hw.zones import zone_line
from table_service.games.tarocco.fold.arms import Arms
from table_service.games.tarocco.fold.calling_out import CallingOut, CallVerdict
from table_service.games.tarocco.fold.course import PILES, SURE, Act, Course, Glimpse
from table_service.games.tarocco.fold.course_facts import Fact
from table_service.games.tarocco.fold.laid_out import LaidOut
from table_service.games.tarocco.fold.scarto_scale import ScartoScale
from table_service.games.tarocco.fold.signals_given import SignalsGiven
from table_service.games.tarocco.fold.witnesses import seen_in_trick
from table_service.games.tarocco.rules.card_points import worth
from table_service.table.history import History
from table_service.tracking.movements import Movement, Named


@dataclass(slots=True)
class Running:
    """Deal ``number`` of a round, by the ``history`` of what has happened in it."""

    number: int
    dealer: Seat
    history: History[Course, Act, Fact]
    signals: SignalsGiven
    scale: ScartoScale
    halts: list[float] = field(default_factory=list)
    """When the arbitro was called, or ordered something: who then waits does not pause."""
    calls: dict[Seat, CallingOut] = field(default_factory=dict)
    verdicts: dict[Seat, CallVerdict] = field(default_factory=dict)
    """Who has called himself out (Ottocento), and what became of it."""
    given: str | None = None
    """The card that was put to the other line's pile for the Matto, as its gate named it."""
    laid_out: LaidOut = field(default_factory=LaidOut)
    arms: Arms = field(default_factory=Arms)
    looked: float = -math.inf
    _glimpses: dict[tuple[Seat, str], float] = field(default_factory=dict)
    """When a picture last showed which card at whose place in the trick."""

    @property
    def calls_judged(self) -> tuple[tuple[CallingOut, CallVerdict], ...]:
        """Each call with what became of it."""
        return tuple((self.calls[seat], found) for seat, found in self.verdicts.items())

    @property
    def course(self) -> Course:
        """The deal as all that is known by now makes it."""
        return self.history.deal

    def take_glimpses(self, t: float) -> None:
        """Before a trick is gathered: what pictures have shown of it by ``t`` that no movement was made of."""
        glimpses = [(when, *one) for one, when in self._glimpses.items() if when < t]
        self._glimpses.clear()
        for when, seat, card in sorted(glimpses):
            if card not in self.course.deal.hands.gone:
                self.history.insert(Glimpse(when, seat, card))

    def see(self, sight: Sight) -> None:
        """Keep what ``sight`` shows in the trick: cards may be gathered before a movement is made of it."""
        gone = self.course.deal.hands.gone
        self._glimpses |= {key: sight.t for key in seen_in_trick(sight) if key[1] not in gone}

    def give_for_matto(self, move: Movement) -> None:
        """Take a card put to the other line's pile after the last trick as the one given for the Matto."""
        line = zone_line(move.target or "") if move.target in PILES else None
        if line is None or move.seat is None or move.seat.line is line or len(move.cards) != 1:
            return
        card = face(move.cards[0])
        if card != UNKNOWN and worth(card) == 1 and move.confidence >= SURE:
            self.given = card


def renamed(move: Movement, named: Named) -> Movement:
    """``move`` with its cards as they are known now; the one that was told of first stays first, as its player's."""
    cards = tuple(sorted(named.cards, key=lambda card: face(card) not in map(face, move.cards)))
    return replace(move, cards=cards, confidence=named.confidence)
