"""The pack and how it was dealt: the counts before play, what is wrong with them, a card too many (arts. 4, 5, 7)."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any, Final

from hw.zones import DISCARD, POTS, STOCK
from table_service.games.burraco.codes import CATALOGUES
from table_service.games.burraco.fault_kinds import FaultKind
from table_service.games.burraco.fold.course import BurracoCourse
from table_service.games.burraco.fold.deal_check import check_deal
from table_service.games.burraco.fold.reporting import Reporter
from table_service.games.burraco.referee.referee import Referee
from table_service.games.burraco.rules import acting
from table_service.games.burraco.rules.deal import Deal
from table_service.games.burraco.rules.rulebook import RuleBook
from table_service.referee.values import Irregularity
from table_service.table.table_parts import TableParts
from table_service.tracking.movements import Counted, FrameRef

_IRREGULAR: Final = (FaultKind.PACK_NOT_WHOLE_IN_PLAY, FaultKind.SURPLUS_CARD)
_AT_ONCE: Final = 3.0
"""Seconds after the order to start within which no card has been drawn."""
_PLAYED: Final = 4
"""Cards, the one that is turned up and those of the first turns, that may leave the stock while no scale is heard."""
Counts = dict[str, int | None]


class PackFaults:
    """Makes the deal check, and says what is found wrong with the pack.

    ``counts``: by zone what was counted before the check; ``is_checked``: the check was made; ``is_started``: the
    arbitro has said that play may begin.
    """

    def __init__(
        self, book: RuleBook, table: TableParts, referee: Referee, course: BurracoCourse, reporter: Reporter
    ) -> None:
        self._book = book
        self._catalogue = CATALOGUES[book.name]
        self._table = table
        self._referee = referee
        self._course = course
        self._reporter = reporter
        self._fault: tuple[str, FaultKind] | None = None
        self._spare_pot = False
        self.counts: Counts = {}
        self.is_checked = False
        self.is_started = False
        self._started_t = -inf

    def begin(self) -> None:
        """Begin a deal: nothing of it has been counted."""
        self._fault, self._spare_pot = None, False
        self.counts, self.is_checked, self.is_started = {}, False, False

    def start_play(self, t: float) -> None:
        """Start play, as the arbitro has said that it may begin."""
        self.is_started, self._started_t = True, t
        self._referee.start_play()
        self.check(t, at_once=False)

    def is_due(self, counted: Counted) -> bool:
        """Return True if stock or pots hold the cards that the code deals there."""
        deal = self._course.deal
        stock = self._book.stock_of(len(deal.seats)) if deal is not None else None
        return counted.cards == {STOCK: stock, POTS: self._book.pots * self._book.pot_cards}.get(counted.zone)

    def _is_turned_up(self, deal: Deal) -> bool:
        """Return True if a card was turned up: reported, or on the pile before the order to start came (art. 7)."""
        if not deal.turned_up and self.counts.get(DISCARD) == 1:
            self._course.change(lambda deal: acting.turn_up(deal, ()))
            deal = self._course.deal or deal
        return bool(deal.turned_up)

    def check(self, t: float, *, at_once: bool) -> None:
        """Check the deal (arts. 4, 5, 7) as soon as stock and pots are known, at the first draw at the latest."""
        deal = self._course.deal
        if deal is None or self.is_checked or (not at_once and not {STOCK, POTS} <= self.counts.keys()):
            return
        self.is_checked = True
        full = self._book.stock_of(len(deal.seats))
        book, stock, pots = self._book, self.counts.get(STOCK), self.counts.get(POTS)
        if stock == full - 1 and self._is_turned_up(deal):
            stock = full  # weighed without the card that was turned up
        if stock is not None and self._may_have_been_drawn(full - stock, t):
            stock = None
        self._course.change(lambda deal: _as_counted(deal, stock, pots))
        check = check_deal(book, deal.seats, {**self.counts, STOCK: stock, POTS: pots})
        self._table.voice.say("deal.checked", check.told, t)
        if stock is None and self._table.tracker.weighs(STOCK):
            self._unweighed(t)
        self._spare_pot = check.spare_pot
        if check.kind is not None:
            self.report(check.kind, t)

    def _may_have_been_drawn(self, lacking: int, t: float) -> bool:
        """Return True if a stock first counted well after the start lacks no more than play may have taken since."""
        return 0 < lacking <= _PLAYED and t > self._started_t + _AT_ONCE and self.is_started

    def _unweighed(self, t: float) -> None:
        """Play begins and no scale has told of the stock: draws may go unnoticed, and nobody has missed one."""
        self._course.change(lambda deal: deal.doubt(STOCK).cloud())
        self._table.health.doubt(STOCK, t, "its scale has told of no cards yet")

    def report(self, kind: FaultKind, t: float) -> None:
        """Report that the pack, or how it was dealt, is found wrong (arts. 4, 5)."""
        deal = self._course.deal
        before = deal is None or not deal.is_under_way
        key = self._found(kind, t, t, found="before_play" if before else "later", basis=("scale",))
        self._fault = (key, kind) if key is not None else self._fault

    def surplus(self, card: str, t: float, committed_t: float, frames: tuple[FrameRef, ...]) -> None:
        """More cards of the face ``card`` have lain open since ``committed_t`` than the pack holds (art. 5).

        Nobody is accused. Nothing is said where the pack is known to be irregular already.
        """
        if any(one.kind in _IRREGULAR and one.state != "dismissed" for one in self._referee.irregularities):
            return
        kind, cards = FaultKind.SURPLUS_CARD, (card,)
        self._found(kind, t, committed_t, cards, found="during_turn", seen=True, basis=("sight",), frames=frames)

    def _found(
        self, kind: FaultKind, t: float, committed_t: float, cards: tuple[str, ...] = (), **more: Any
    ) -> str | None:
        """Report ``kind``, of which nobody is accused; the key, None where the code has no row for it."""
        row = self._catalogue.answer(kind)
        if row is None:
            return None
        fault = Irregularity(
            key="", row=row, kind=kind, offender=None, cards=cards, t=t, committed_t=committed_t, **more
        )
        said = self._referee.report(fault)
        self._reporter.report([said])
        return said.key

    def play_begins(self, t: float) -> None:
        """Begin play by its first act: on a pack that was found wrong before, art. 5 rules otherwise from now on."""
        if self._fault is None:
            return
        key, was = self._fault
        spare = self._spare_pot
        then = {
            FaultKind.PACK_NOT_WHOLE: FaultKind.PACK_NOT_WHOLE_IN_PLAY,
            FaultKind.DEALT_WRONGLY: FaultKind.POT_OF_LAST_DEAL_IN_PLAY if spare else FaultKind.DEALT_WRONGLY_IN_PLAY,
        }.get(was)
        changed = self._referee.change(key, then, t) if then is not None else None
        self._reporter.report([changed] if changed else [])


def _as_counted(deal: Deal, stock: int | None, pots: int | None) -> Deal:
    """``deal`` begun with the cards that were counted; what was turned up or announced before stays so."""
    fresh = Deal.begin(deal.book, deal.number, deal.dealer, stock, pots, deal.rotation, deal.banned_sets)
    if fresh.size != deal.book.pack_size:
        fresh = fresh.doubt_hands(fresh.seats)  # the cards that lack may have been dealt to a hand
    if deal.turned_up:
        fresh = acting.turn_up(fresh, deal.pile)
    for zone in deal.places.unverified:
        fresh = fresh.doubt(zone)
    fresh = fresh.cloud() if deal.clouded else fresh
    return replace(
        fresh,
        dealer_discards_left=deal.dealer_discards_left,
        last_to_play=deal.last_to_play,
        by_order=deal.by_order,
        uncounted=deal.uncounted,
    )
