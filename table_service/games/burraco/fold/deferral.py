"""Movements that would accuse somebody wait a little: what they seem to break may only not have been told yet.

Sensors tell late. A draw seems out of turn where the discard before it is still being weighed, cards seem laid without
a draw where that was missed at first. Such a movement waits until the evidence has caught up, and where it never does,
nobody is accused: whose turn it is, is not known then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from hw.seats import Seat
from hw.zones import DISCARD, GATE_STOCK, STOCK, is_melds, zone_line, zone_seat
from table_service.games.burraco.fold.round_state import Sitting
from table_service.games.burraco.rules.deal import Deal, Phase
from table_service.tracking import Tracker
from table_service.tracking.movements import Movement, Named, Notice, Retracted, RowChanged, Track

WAIT: Final = 4.0
"""Seconds for which a movement that would accuse somebody waits for evidence that it may be in order."""
_BEFORE: Final = 0.001
_UNSURE: Final = 0.5
"""How sure a movement is taken to be whose setting could not be assured: it accuses nobody."""
_NEW: Final = 1.5
"""Seconds before cards are taken from the pile in which one may still have been laid there unnoticed."""


class Patience:
    """Stands between tracking and play: hands every track on in order, those that would accuse somebody late.

    ``play`` takes a track; ``tracker`` is asked what the sensors assure. ``take`` for what tracking says,
    ``look_at_time`` after it.
    """

    def __init__(self, sitting: Sitting, play: Callable[[Track], None], tracker: Tracker) -> None:
        self._sitting = sitting
        self._play = play
        self._tracker = tracker
        self._held: list[Movement | RowChanged] = []

    @property
    def waiting(self) -> bool:
        """Whether movements are held."""
        return bool(self._held)

    def take(self, track: Track, now: float) -> None:
        """Hand ``track`` on, or hold it."""
        if isinstance(track, Notice):
            self.flush()
        if isinstance(track, Named) and self._renamed(track.movement, track.cards):
            return
        if isinstance(track, Retracted) and self._retracted(track.movement):
            return
        if not isinstance(track, Movement | RowChanged):
            self._play(track)
            return
        if isinstance(track, Movement):
            track = self._dated(track)
        if self._held and track.committed_t >= self._held[0].committed_t and not self._is_missing(track):
            self._held.append(track)
        elif self._held or self._doubted(track) is None:
            self._play(track)
        else:
            self._held.append(track)
        self.look_at_time(now)

    def _dated(self, move: Movement) -> Movement:
        """``move``; cards that nobody saw laid are dated before the discard that ended the turn, where they may."""
        deal = self._sitting.deal
        if deal is None or move.since is None or not is_melds(move.target or "") or deal.last_out is None:
            return move
        whose = move.seat is deal.last_out or (move.seat is None and zone_line(move.target or "") is deal.last_out.line)
        if whose and move.since < deal.last_out_t <= move.committed_t:
            return replace(move, committed_t=max(move.since, deal.last_out_t - _BEFORE))
        return move

    def _is_missing(self, track: Movement | RowChanged) -> bool:
        """Whether ``track`` is a discard that no hand was seen to make, dated late: the one that is waited for."""
        deal = self._sitting.deal
        if deal is None or not isinstance(track, Movement) or track.target != DISCARD or not deal.drawn:
            return False
        return track.source is None and track.seat is None and self._doubted(self._held[0]) == DISCARD

    def look_at_time(self, now: float) -> None:
        """Let go what is in order by now, what is assured, and what has waited long enough."""
        while self._held:
            first = self._held[0]
            zone = self._doubted(first)
            if zone is None or self._assured(zone, first):
                self._release()
            elif now - first.t > WAIT:
                self._give_up(zone)
            else:
                return

    def flush(self) -> None:
        """Nothing waits any longer: an order of the arbitro, or the end of the log."""
        while self._held:
            zone = self._doubted(self._held[0])
            if zone is None or self._assured(zone, self._held[0]):
                self._release()
            else:
                self._give_up(zone)

    def _assured(self, zone: str, held: Movement | RowChanged) -> bool:
        """Whether the sensors assure that nothing went unnoticed in ``zone`` before ``held``."""
        if zone == DISCARD and isinstance(held, Movement) and held.source == DISCARD:
            return self._tracker.assured_before > held.committed_t - _NEW
        return self._tracker.assured(zone) > held.committed_t

    def _renamed(self, movement: int, cards: tuple[str, ...]) -> bool:
        for place, one in enumerate(self._held):
            if one.id == movement and isinstance(one, Movement):
                self._held[place] = replace(one, cards=cards)
                return True
        return False

    def _retracted(self, movement: int) -> bool:
        left = [one for one in self._held if one.id != movement]
        gone = len(left) < len(self._held)
        self._held = left
        return gone

    def _release(self) -> None:
        self._play(self._held.pop(0))

    def _give_up(self, zone: str) -> None:
        """The evidence has not come: somebody's act went unseen, nobody knows which, and whose turn it is is open."""
        first = self._held.pop(0)
        deal = self._sitting.deal
        if deal is not None:
            doubtful = [deal.to_play]
            if isinstance(first, Movement) and first.source == DISCARD:  # what went unseen may have been taken as well
                doubtful += [first.seat or zone_seat(first.target or "") or deal.to_play]
            self._sitting.change(lambda now: now.doubt_hands(tuple(doubtful)).lose_turn())
        if zone == STOCK and isinstance(first, Movement):
            first = replace(first, confidence=min(first.confidence, _UNSURE))
        self._play(first)

    def _doubted(self, track: Movement | RowChanged) -> str | None:
        """The zone in which something may have gone unnoticed that would put ``track`` in order; None: it is."""
        deal = self._sitting.deal
        if deal is None or not isinstance(track, Movement) or deal.phase is Phase.OVER or not deal.known:
            return None
        seat = track.seat or zone_seat(track.source or "") or zone_seat(track.target or "")
        if deal.phase is Phase.DEALT and not deal.turned_up and seat in (None, deal.dealer) and track.target == DISCARD:
            return None  # the card that the dealer turns up accuses nobody
        if seat is None:
            drawn_again = track.source == STOCK and track.target != DISCARD and deal.drawn
            return DISCARD if drawn_again else None  # the discard between them may not have been told yet
        taking = track.source in (STOCK, GATE_STOCK, DISCARD)
        laying = is_melds(track.target or "") and not is_melds(track.source or "")
        if laying and deal.is_late(seat, track.committed_t):
            return None
        discarding = track.target == DISCARD and not taking
        if not (taking or laying or discarding):
            return None
        return self._missing(deal, seat, taking=taking)

    @staticmethod
    def _missing(deal: Deal, seat: Seat, *, taking: bool) -> str | None:
        if not deal.in_turn(seat):
            taken, rest = len(deal.collected or ()), len(deal.pile)
            left = taken > 0 and rest > 0 and deal.pile_was == taken + rest  # his discard, by what he left (art. 9)
            played = seat in deal.out and not taking
            return None if played or (left and seat is deal.to_play.next) else DISCARD
        mine = seat is deal.to_play and not deal.drawn
        return STOCK if mine and not taking else None
