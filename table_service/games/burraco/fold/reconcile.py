"""Conservation, zone by zone: what the ledger of play holds beside what scales and camera steadily show.

A difference that lasts is never carried on in silence. A scale that is well settles how many cards lie in a stack; a
side zone that the camera shows otherwise for long is put right; melds that differ are in doubt until they agree.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import LINES, Line, Seat
from hw.zones import DISCARD, POTS, STOCK, hand, melds, side
from table_service.games.burraco.fault_kinds import GHOSTS, FaultKind
from table_service.games.burraco.fold.corrections import Corrections
from table_service.games.burraco.fold.playing import Parts
from table_service.games.burraco.rules.card_ledger import POTS_IN_ORDER
from table_service.games.burraco.rules.deal import Deal, Phase

_LOOKS: Final = 1.0
"""Seconds between two looks."""
_LASTS: Final = 6.0
"""Seconds for which a difference must last, sensors quiet and nothing waiting to be told."""
_HIDING: Final = GHOSTS | {FaultKind.TWO_DISCARDED}
"""Faults of hidden cards: the camera sees fewer than lie there."""


class Reconciliation:
    """Compares the ledger with what the sensors show, now and then."""

    def __init__(self, parts: Parts, corrections: Corrections) -> None:
        self._parts = parts
        self._corrections = corrections
        self._course = parts.course
        self._tracker = parts.table.tracker
        self._looked = -1e9
        self._since: dict[str, tuple[object, float]] = {}
        self._doubted: set[str] = set()

    def tick(self, t: float) -> None:
        """Compare, once a second; ``t``: the time of the log."""
        deal = self._course.deal
        if t < self._looked + _LOOKS:
            return
        self._looked = t
        gathered = self._parts.clearing.is_gathered(t)
        if deal is None or deal.phase is not Phase.PLAYING or not self._parts.pack.is_checked or gathered:
            self._since.clear()
            return
        for zone in (STOCK, DISCARD, POTS):
            self._weigh(zone, deal, t)
        self._name_pile(deal)
        for seat in deal.seats:
            self._beside(seat, deal, t)
        for line in LINES:
            self._melds(line, deal, t)

    def _lasting(self, zone: str, differs: object, t: float) -> bool:
        """Return True if ``zone`` differs in this very way, and has done so for long; ``differs`` None: it does not."""
        if differs is None:
            self._since.pop(zone, None)
            return False
        known, since = self._since.get(zone, (None, t))
        if known != differs:
            since = t
        self._since[zone] = (differs, since)
        return t - since >= _LASTS

    def _weigh(self, zone: str, deal: Deal, t: float) -> None:
        """Settle how many cards lie there by a scale that is well, and at rest."""
        held = {STOCK: deal.stock, DISCARD: len(deal.pile), POTS: sum(len(deal.at(pot)) for pot in POTS_IN_ORDER)}[zone]
        counted = self._tracker.counted(zone)
        if not self._lasting(zone, None if counted in (None, held) else (counted, held), t) or counted is None:
            return
        self._since.pop(zone)
        cards = (UNKNOWN,) * counted
        if zone == DISCARD:
            pile = self._tracker.pile
            cards = pile if len(pile) == counted else cards
        if zone == POTS:
            self._corrections.doubt(zone, t, "the scale and the ledger of play differ")
            return
        self._course.change(lambda now: now.correct(zone, cards).doubt_hands(now.seats).lose_turn())
        self._corrections.trust(zone, t)

    def _name_pile(self, deal: Deal) -> None:
        """Cards that came to the pile unseen lie there for all to see."""
        pile = deal.pile
        if UNKNOWN not in pile or DISCARD in deal.places.unverified:
            return
        shown = self._tracker.pile
        if UNKNOWN not in shown and len(shown) == len(pile) == self._tracker.counted(DISCARD):
            self._course.change(lambda now: now.correct(DISCARD, shown))

    def _beside(self, seat: Seat, deal: Deal, t: float) -> None:
        """Penalised cards lie face up beside their player: the camera tells which."""
        zone = side(seat)
        lies, seen = deal.at(zone), self._tracker.steady(zone)
        gone: tuple[str, ...] = ()
        come: tuple[str, ...] = ()
        if seen is not None:
            gone = tuple((Counter(map(face, lies)) - Counter(seen)).elements())
            come = tuple((Counter(seen) - Counter(map(face, lies))).elements())
        if not self._lasting(zone, (gone, come) if gone or come else None, t):
            return
        self._since.pop(zone)
        self._course.change(lambda now: now.shift(gone, zone, hand(seat)).shift(come, hand(seat), zone))

    def _melds(self, line: Line, deal: Deal, t: float) -> None:
        """Melds that the camera steadily shows otherwise are in doubt."""
        zone = melds(line)
        shown = self._tracker.steady_rows(zone)
        differs = None if shown is None else self._unlike(line, deal, shown)
        if differs is None and shown is not None and zone in self._doubted:
            self._doubted.discard(zone)
            self._corrections.trust(zone, t)
        if self._lasting(zone, differs, t) and zone not in self._parts.table.health.unverified:
            self._doubted.add(zone)
            self._corrections.doubt(zone, t, f"the camera and the ledger of play differ: {differs}")

    def _unlike(self, line: Line, deal: Deal, shown: dict[int, tuple[str, ...]]) -> str | None:
        """Return the cards by which the camera and the ledger differ; None if they do not."""
        lies: Counter[str] = Counter()
        for meld in deal.melds:
            if meld.line is line:
                lies.update(map(face, meld.cards))
        seen = Counter(card for cards in shown.values() for card in cards)
        if dict.__eq__(seen, lies):
            return None
        more = seen - lies
        less = Counter() if self._may_hide() else lies - seen
        unknown = less.pop(UNKNOWN, 0)
        if sum(more.values()) <= unknown and not less:
            return None
        told = [f"+{card}" for card in sorted(more.elements())] + [f"-{card}" for card in sorted(less.elements())]
        return " ".join(told)

    def _may_hide(self) -> bool:
        return any(one.kind in _HIDING for one in self._parts.referee.open)
