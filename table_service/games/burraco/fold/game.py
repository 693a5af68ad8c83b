"""Burraco at one table: its parts, composed, behind the seam that every game has (``table.game``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, cast

from hw.equipment import BURRACO_TABLE
from hw.observation_log import Header
from hw.seats import LINES, SEATS, Line, Seat, seat_or_none
from hw.zones import DISCARD, STOCK, melds, side
from table_service.events.envelope import REPLAY_BOOT
from table_service.events.orders import Order
from table_service.games.burraco.codes import CATALOGUES, edition
from table_service.games.burraco.fold.action_clock import ActionClock
from table_service.games.burraco.fold.clearing import Clearing
from table_service.games.burraco.fold.corrections import Corrections
from table_service.games.burraco.fold.course import BurracoCourse
from table_service.games.burraco.fold.deal_orders import Orders
from table_service.games.burraco.fold.ending import Ending
from table_service.games.burraco.fold.final_count import FinalCount
from table_service.games.burraco.fold.hand_shields import HandShields
from table_service.games.burraco.fold.pack_faults import PackFaults
from table_service.games.burraco.fold.playing import Parts, Playing
from table_service.games.burraco.fold.public_state import deal_state, keepers_of
from table_service.games.burraco.fold.reconcile import Reconciliation
from table_service.games.burraco.fold.reporting import Reporter
from table_service.games.burraco.fold.signals import DECLARATIONS, Signals
from table_service.games.burraco.fold.stalemate import Stalemate
from table_service.games.burraco.fold.surplus import Surplus
from table_service.games.burraco.fold.turn_doubts import TurnDoubts
from table_service.games.burraco.orders import ORDERS
from table_service.games.burraco.referee.referee import Referee
from table_service.games.burraco.rules.deal import Deal, Manner, Phase
from table_service.games.burraco.rules.match import match_state
from table_service.games.burraco.rules.options import chosen, chosen_rows, described_choices
from table_service.games.burraco.rules.policies import MatchEnd
from table_service.games.burraco.rules.rulebook import RuleBook
from table_service.games.burraco.rules.score import SHEET
from table_service.games.burraco.rules.seats_of_header import rotation_of
from table_service.games.burraco.rules.vp import NoTableError, victory_points
from table_service.referee.round_options import mark_of, opening
from table_service.table.game_fold import GameFold
from table_service.table.game_protocol import Beginning, DealEnd, Now, Revision, Sensed, Signal
from table_service.table.gates import Gates
from table_service.table.round_state import CodeFacts
from table_service.table.table_parts import TableParts, open_table
from table_service.tracking.movements import Movement

_CROSSED_TO: Final = frozenset({DISCARD, STOCK, *map(side, SEATS)})
"""Where a single card of a hand is laid, over the coil of its player."""


class Burraco:
    """One table of Burraco (``table.game.Game``).

    ``book``: its code with the table's choices. ``parts``: to look at, and to set up a position to start from.
    """

    def __init__(self, book: RuleBook, table: TableParts, referee: Referee) -> None:
        course = BurracoCourse(table.voice)
        reporter = Reporter(table, course)
        count = FinalCount(table, referee)
        ending = Ending(table, referee, course, reporter, count)
        self.book = book
        self._rotation = table.rules.rotation
        self.parts = parts = Parts(
            table=table,
            referee=referee,
            course=course,
            reporter=reporter,
            shields=HandShields(asked=book.table.hand_shields and bool(table.header.options.get("screens"))),
            pack=PackFaults(book, table, referee, course, reporter),
            gates=Gates(tagged=bool(table.header.tags), crossed_to=_CROSSED_TO, rows=frozenset(map(melds, LINES))),
            count=count,
            ending=ending,
            stalemate=Stalemate(table.voice, course, ending),
            clearing=Clearing(table.voice, referee, ending),
        )
        self._playing = Playing(parts, self._suppose_deal)
        self._corrections = Corrections(parts, self._playing)
        self._orders = Orders(book, parts, self._playing)
        self._clock = ActionClock(book.time.countdown, CATALOGUES[book.name], table, referee, course, reporter)
        self._signals = Signals(parts, shields=book.table.hand_shields)
        self._reconciliation = Reconciliation(parts, self._corrections)
        self._surplus = Surplus(parts)
        self._doubts = TurnDoubts(course, table.tracker)

    # -- what the table asks -----------------------------------------------------------------------------------------

    @property
    def referee(self) -> Referee:
        """Its referee."""
        return self.parts.referee

    @property
    def doubts(self) -> TurnDoubts:
        """Doubts that movements may have to wait for."""
        return self._doubts

    @property
    def deal(self) -> Deal | None:
        """The deal as it stands, hidden cards and all; None before the first."""
        return self.parts.course.deal

    @property
    def in_play(self) -> bool:
        """True if a deal has begun and is not over."""
        return self.deal is not None and self.deal.phase is not Phase.OVER

    # -- what it is told ---------------------------------------------------------------------------------------------

    def begin(self, beginning: Beginning) -> None:
        """Begin a round, or a deal of it: what the parts knew of the deal before is forgotten."""
        parts = self.parts
        for part in (parts.shields, parts.pack, parts.count, parts.ending, parts.stalemate, parts.clearing):
            part.begin()
        self._playing.begin()
        self._surplus.begin()
        self._clock.begin()
        number, dealer = beginning.number, beginning.dealer
        parts.course.begin(None if number is None or dealer is None else self._deal_of(number, dealer))

    def moved(self, move: Movement) -> None:
        """Cards have moved."""
        self._playing.moved(move)
        self.parts.ending.moved(move)
        self._surplus.moved(move)

    def revised(self, revision: Revision) -> None:
        """Apply a revision: an accepted fact is better known, is now doubtful, or is confirmed again."""
        self._corrections.revise(revision)

    def signalled(self, signal: Signal) -> None:
        """Somebody gives something to understand."""
        self._signals.hear(signal)

    def ordered(self, order: Order) -> None:
        """Apply what the arbitro has ordered about the deal that runs."""
        self._orders.follow(order)

    def at(self, now: Now) -> None:
        """Say what has shown itself by now."""
        if now.called:
            self._playing.settle(now.t, called=True)
        else:
            self._playing.late(now.t)
        self._corrections.close_gap()
        self._clock.tick(now.t)

    def sensed(self, sensed: Sensed) -> None:
        """Compare what sensors show with what is believed; while movements wait, the ledger is behind them."""
        self._surplus.hear(sensed.observation)
        if not sensed.waiting:
            self._reconciliation.tick(sensed.observation.t)
            self.parts.ending.tick(sensed.observation.t)

    def end(self, end: DealEnd) -> None:
        """End the deal: the next one begins, or the round ends."""
        self.parts.ending.flush(end.t, end.following)

    def state(self) -> dict[str, Any]:
        """Return what anybody may know of the deal that runs."""
        deal = self.deal
        named = self.parts.table.header.named_keepers
        opened = self.book.table.keepers == "first-to-open"
        keepers = {"keepers": keepers_of(deal, named)} if opened else {}
        return {**({"deal": None} if deal is None else deal_state(deal)), **self._clock.state(), **keepers}

    def _deal_of(self, number: int, dealer: Seat) -> Deal:
        banned = self.referee.banned_sets(self.book) if self.book.second_set_ban == "match" else {}
        deal = Deal.begin(self.book, number, dealer, rotation=self._rotation, banned_sets=banned)
        tracker = self.parts.table.tracker
        return replace(deal, by_order=not tracker.tells_hands, uncounted=not tracker.weighs(STOCK))

    def _suppose_deal(self, move: Movement) -> bool:
        """Cards are played although no deal was announced: who turns up a card is the dealer, who draws plays first."""
        state = self.parts.table.round
        if move.source != STOCK or state.number:
            return False
        seat = move.seat or seat_or_none((move.target or "")[-1:])
        turned = move.target == DISCARD
        rotation = self._rotation
        seat = seat if rotation.holds(seat) else None
        before = rotation.previous(seat or rotation.seats[0])
        dealer = seat if seat is not None and turned else before
        counts = self.parts.pack.counts
        self.parts.table.begin_deal(1, dealer, move.t)
        self.begin(Beginning(move.t, 1, dealer))
        self.parts.pack.counts = counts
        return True


class TableFold(GameFold[Burraco]):
    """The fold of one table of Burraco.

    ``header`` as in the log, with the round that goes on after a restart, of which the first call tells; ``boot`` and
    ``first`` number the events. Raises UnknownRulesError for rules that are not Burraco's.
    """

    def __init__(self, header: Header, boot: str = REPLAY_BOOT, first: int = 1) -> None:
        book = chosen(edition(header.rules).book, header.options)
        catalogue = chosen_rows(book, CATALOGUES[book.name], header.options)
        rotation = rotation_of(header.seats)
        referee = Referee(catalogue, opening(header, catalogue.tournament, {}), rotation, mark=mark_of(header))
        rules = CodeFacts(
            BURRACO_TABLE.of_seats(rotation.seats),
            SHEET,
            catalogue.tournament,
            partial(_victory_points, book),
            rotation,
            described_choices(book, header.options),
            None if book.match is None else partial(_match_stands, book.match),
            words=DECLARATIONS,
            orders=ORDERS,
        )
        table = open_table(header, rules, referee, boot, first)
        super().__init__(table, Burraco(book, table, referee))

    @property
    def deal(self) -> Deal | None:
        """The deal as it stands, hidden cards and all; None before the first."""
        return self.game.deal


def _match_stands(rules: MatchEnd, totals: Mapping[Line, int | None], manner: str | None) -> dict[str, Any]:
    """Return how a match to a target score stands; ``over`` is null where a total is not known."""
    state = match_state(rules, totals, cast("Manner | None", manner))
    if state is None:
        return {"target": rules.target, "over": None, "winner": None, "drawn": False}
    winner = None if state.winner is None else str(state.winner)
    return {"target": rules.target, "over": state.over, "winner": winner, "drawn": state.drawn}


def _victory_points(book: RuleBook, deals: int, lead: int, teams: bool) -> tuple[int, int] | None:
    try:
        return victory_points(book, deals, lead, teams=teams)
    except NoTableError:
        return None
