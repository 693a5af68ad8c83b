"""The arbitro's acts at the console that concern a deal of Burraco: rulings, a stalemate, cards that lie otherwise."""

from __future__ import annotations

from functools import partial
from typing import Final

from hw.cards import UNKNOWN
from hw.seats import Line
from hw.zones import POTS, is_melds, zone_line
from table_service.events.orders import Correct, DecisionOrder, EndTime, GiveBonus, Order, StartPlay, Warn
from table_service.games.burraco import action_events
from table_service.games.burraco import payloads as own
from table_service.games.burraco.fault_kinds import GHOSTS, POT_MISCOUNTED, TAKEN_OUT_OF_TURN, TWO_POTS, FaultKind
from table_service.games.burraco.fold.playing import Parts, Playing
from table_service.games.burraco.orders import ConfirmAtBurraco, RuleAtBurraco
from table_service.games.burraco.reading import card_of
from table_service.games.burraco.rules import acting
from table_service.games.burraco.rules.applied_actions import laid_by
from table_service.games.burraco.rules.deal import Phase
from table_service.games.burraco.rules.rulebook import RuleBook
from table_service.referee.values import Irregularity

_OF_POTS: Final = TWO_POTS | POT_MISCOUNTED
_ON_THEIRS: Final = frozenset({FaultKind.LAID_ON_OTHER_LINES_MELD})
_LAID: Final = GHOSTS | _ON_THEIRS
"""Faults of who laid a card in a meld, which sensors may give to another player."""


class Orders:
    """Follows what the console orders; an order that cannot be followed is told as ignored, with the reason."""

    def __init__(self, book: RuleBook, parts: Parts, playing: Playing) -> None:
        self._book = book
        self._parts = parts
        self._playing = playing

    def follow(self, order: Order) -> None:
        """Follow one order."""
        match order:
            case StartPlay():
                self._parts.pack.start_play(order.t)
            case EndTime():
                self._parts.course.change(lambda deal: deal if deal.phase is Phase.OVER else deal.time_out())
            case RuleAtBurraco() | ConfirmAtBurraco() if order.row == self._book.stalemate_row:
                self._parts.stalemate.watch(order.t, declared=order.declared)
            case DecisionOrder() | Warn():
                self._rule(order)
            case Correct():
                self._correct(order)
            case GiveBonus():
                self._parts.ending.revised(order.t, (None, order.t))

    def _rule(self, order: DecisionOrder | Warn) -> None:
        """Apply a ruling, which may stop the deal, and change its score and the result of the round."""
        parts = self._parts
        self._playing.settle(order.t, called=True)
        left = parts.referee.leaves_cards(order, parts.course.deal)
        closer = parts.referee.closing_stands(order, parts.course.deal)
        reopened = left is not None and parts.ending.has_not_gone_out(left, order.t)
        self._playing.bring_to_light()
        parts.reporter.report(parts.referee.order(order, parts.course.deal, parts.table.voice.chain))
        if not parts.table.voice.refusal:
            self._playing.ruled(order.t)
        if closer is not None:
            parts.course.change(lambda deal: deal.over("closed", closer))
        self._leave_turn_open(order)
        self._doubt_pots(order)
        self._give_lays(order)
        self._playing.catch_up(reopened=reopened)
        parts.ending.revised(order.t, (None, order.t))

    def _ruled_now(self, order: DecisionOrder | Warn) -> list[Irregularity]:
        """Return the irregularities of the order's row that are ruled."""
        return [one for one in self._parts.referee.irregularities if one.row.id == order.row and one.state == "ruled"]

    def _leave_turn_open(self, order: DecisionOrder | Warn) -> None:
        """Leave the turn open if the arbitro rules that the supposed player in turn took cards out of turn.

        This happens after a gap in sensing had left the turn open. No player is accused before a whole turn has been
        seen.
        """
        course = self._parts.course
        deal = course.deal
        if deal is None or not deal.begun or deal.phase is not Phase.PLAYING:
            return
        ruled = [one for one in self._ruled_now(order) if one.kind in TAKEN_OUT_OF_TURN]
        if any(one.offender is deal.to_play and one.committed_t >= deal.began_t for one in ruled):
            course.change(lambda now: now.cloud())

    def _doubt_pots(self, order: DecisionOrder | Warn) -> None:
        """Doubt the pots, which nothing weighs, if a decision says of them what the table did not know.

        By a ruling one was miscounted or a line has taken two, or two that the table supposed were not taken.
        """
        course, table = self._parts.course, self._parts.table
        if course.deal is None or table.tracker.weighs(POTS):
            return
        if course.deal.second:
            told = self._parts.referee.irregularities
            otherwise = any(one.state == "dismissed" and one.kind in TWO_POTS for one in told)
        else:
            otherwise = any(one.basis == ("console",) and one.row.is_of(_OF_POTS) for one in self._ruled_now(order))
        if otherwise:
            course.change(lambda now: now.doubt(POTS))

    def _give_lays(self, order: DecisionOrder | Warn) -> None:
        """Attribute the cards of a meld that a ruling names to its offender, where sensors named another player."""
        course = self._parts.course
        for one in self._ruled_now(order):
            if one.offender is not None and one.row.is_of(_LAID):
                sure = not one.row.is_of(_ON_THEIRS)
                course.change(partial(laid_by, seat=one.offender, cards=one.cards, until=one.t, sure=sure))

    def _correct(self, order: Correct) -> None:
        zone, cards, course, deal = order.zone, order.cards, self._parts.course, self._parts.course.deal
        if deal is None:
            self._parts.table.voice.ignored("a correction must name the zone, and a deal must be running", order.t)
            return
        named = (UNKNOWN,) * cards if isinstance(cards, int) else tuple(map(card_of, cards or ()))
        if cards is None or len(named) > deal.size:
            self._parts.table.voice.ignored("a correction must list the cards of the zone", order.t)
            return
        line = zone_line(zone) if is_melds(zone) else None
        if line is not None:
            self._correct_meld(line, order.row, named, order.t)
        elif zone == POTS:
            course.change(lambda now: now.correct_pots(named))
        elif zone in deal.places.cards:
            course.change(lambda now: now.correct(zone, named).trust(zone))
        else:
            self._parts.table.voice.ignored(f"a correction cannot be made in the zone '{zone}'", order.t)
            return
        self._parts.ending.revised(order.t)

    def _correct_meld(self, line: Line, row: int | None, cards: tuple[str, ...], t: float) -> None:
        course, referee = self._parts.course, self._parts.referee
        if row is None:
            self._parts.table.voice.ignored("a correction of melds must name the row", t)
            return
        course.change(lambda deal: acting.change(deal, None, row, line, cards))
        referee.corrected()
        lies = None if course.deal is None else course.deal.meld(row)
        if lies is not None:
            told = own.MeldChanged(meld=action_events.meld(self._book, lies), why="corrected")
            self._parts.table.voice.say("meld.changed", told, t, line=line)
