"""Movements that would accuse somebody: which evidence may still put them in order, and what it means if none comes.

A draw seems out of turn where the discard before it is still being weighed, cards seem laid without a draw where that
was missed at first. Where the evidence never comes, nobody is accused: whose turn it is, is not known then.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Final

from hw.cards import face
from hw.seats import Seat
from hw.zones import DISCARD, GATE_STOCK, STOCK, is_melds, zone_line, zone_seat
from table_service.games.burraco.fold.course import BurracoCourse
from table_service.games.burraco.rules.deal import Deal, Phase
from table_service.tracking import Tracker
from table_service.tracking.movements import Movement, RowChanged

_TAKEN_FROM: Final = (STOCK, GATE_STOCK, DISCARD)
_BEFORE: Final = 0.001
_UNSURE: Final = 0.5
"""How sure a movement is taken to be whose setting could not be assured: it accuses nobody."""
_NEW: Final = 1.5
"""Seconds before cards are taken from the pile in which one may still have been laid there unnoticed."""


class TurnDoubts:
    """Doubts about whose turn it is, and whether he has drawn (``table.game.Doubts``)."""

    def __init__(self, course: BurracoCourse, tracker: Tracker) -> None:
        self._course = course
        self._tracker = tracker

    def dated(self, move: Movement) -> Movement:
        """``move``; cards that nobody saw laid are dated before the discard that ended the turn, where they may."""
        deal = self._course.deal
        if deal is None or move.since is None or not is_melds(move.target or "") or deal.last_out is None:
            return move
        whose = move.seat is deal.last_out or (
            move.seat is None and zone_line(move.target or "") is deal.line_of(deal.last_out)
        )
        if whose and move.since < deal.last_out_t <= move.committed_t:
            return replace(move, committed_t=max(move.since, deal.last_out_t - _BEFORE))
        return move

    def is_awaited(self, track: Movement | RowChanged, zone: str) -> bool:
        """Return True if ``track`` is a discard that no hand was seen to make: the one awaited at the pile."""
        deal = self._course.deal
        if zone != DISCARD or deal is None or not isinstance(track, Movement) or track.target != DISCARD:
            return False
        return deal.drawn and track.source is None and track.seat is None

    def is_assured(self, zone: str, held: Movement | RowChanged) -> bool:
        """Return True if the sensors assure that nothing went unnoticed in ``zone`` before ``held``.

        They err where ``held`` lays a card that by the ledger lies on the pile: it was picked up.
        """
        if self._has_left_pile(held):
            return False
        if zone == DISCARD and isinstance(held, Movement) and held.source == DISCARD:
            return self._tracker.assured_before > held.committed_t - _NEW
        return self._tracker.assured(zone) > held.committed_t

    def _has_left_pile(self, held: Movement | RowChanged) -> bool:
        """Return True if ``held`` lays the very card, not its twin, that the ledger has on the pile."""
        deal = self._course.deal
        if deal is None or not isinstance(held, Movement) or not is_melds(held.target or ""):
            return False
        return any(card in deal.pile for card in held.cards if card != face(card))

    def unsettled(self, held: Movement | RowChanged, zone: str) -> Movement | RowChanged:
        """Leave open whose turn it is, and what his hand holds: an act went unseen, or this one was wrong.

        So nobody is accused before a whole turn has been seen, above all not the next player, who may be the right one.
        """
        deal = self._course.deal
        if deal is not None:
            doubtful = [deal.to_play]
            if isinstance(held, Movement) and held.source == DISCARD:  # what went unseen may have been taken as well
                doubtful += [held.seat or zone_seat(held.target or "") or deal.to_play]
            self._course.change(lambda now: now.doubt_hands(tuple(doubtful)).cloud())
        if zone == STOCK and isinstance(held, Movement):
            return replace(held, confidence=min(held.confidence, _UNSURE))
        return held

    def open_in(self, track: Movement | RowChanged) -> str | None:
        """Return the zone in which something may have gone unnoticed that would put ``track`` in order; None: it is."""
        deal = self._course.deal
        if deal is None or not isinstance(track, Movement) or deal.phase is Phase.OVER or not deal.known:
            return None
        seat = track.seat or zone_seat(track.source or "") or zone_seat(track.target or "")
        if _may_turn_up(deal, track, seat):
            return None
        if seat is None:
            return _open_before_draw(deal, track)
        zone = _open_before(deal, track, seat)
        # he may have taken the pile, and its scale has still to tell of it
        return DISCARD if zone == STOCK and self._tracker.assured(DISCARD) == -inf else zone


def _open_before_draw(deal: Deal, move: Movement) -> str | None:
    """Return the zone of a discard that may not have been told yet: one between two draws of which none was seen."""
    return DISCARD if deal.drawn and move.source == STOCK and move.target != DISCARD else None


def _open_before(deal: Deal, move: Movement, seat: Seat) -> str | None:
    """Return the zone in which something may have gone unnoticed before ``seat`` made ``move``; None: in order."""
    takes, lays = move.source in _TAKEN_FROM, is_melds(move.target) and not is_melds(move.source)
    if lays and deal.is_late(seat, move.committed_t):
        return None
    if not (takes or lays or move.target == DISCARD):
        return None
    if not deal.in_turn(seat):
        return None if _is_in_order(deal, seat, takes=takes) else DISCARD
    return STOCK if not takes and seat is deal.to_play and not deal.drawn else None


def _may_turn_up(deal: Deal, move: Movement, seat: Seat | None) -> bool:
    """Return True if it may be the card that the dealer turns up, which accuses no player."""
    begins = deal.phase is Phase.DEALT and not deal.turned_up
    return begins and seat in (None, deal.dealer) and move.target == DISCARD


def _is_in_order(deal: Deal, seat: Seat, *, takes: bool) -> bool:
    """Return True if it is in order although ``seat`` is not on turn.

    What the player before him has left of the pile is that one's discard (art. 9); and who has played out of turn goes
    on with that turn.
    """
    taken, rest = len(deal.collected or ()), len(deal.pile)
    left = taken > 0 and rest > 0 and deal.pile_was == taken + rest
    return (seat in deal.out and not takes) or (left and seat is deal.rotation.next(deal.to_play))
