"""Movements that would accuse a player wait a little: evidence that puts them in order may only be late.

Sensors report late. A draw seems out of turn while the discard before it is still being weighed, cards seem laid
without a draw if that was missed at first. Such a movement waits until the evidence has caught up; if it never does, no
player is accused: the turn is unknown then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from hw.observations import Health, Knock
from table_service.table.game_protocol import Doubts
from table_service.tracking.movements import Movement, Named, Notice, Retracted, RowChanged, Track

WAIT: Final = 4.0
"""Seconds for which a movement that would accuse a player waits for evidence that it may be in order."""


class Deferral:
    """Stage between tracking and play: hands every track on in order, those that would accuse a player late.

    ``doubts``: the game's knowledge of a movement; ``play`` takes a track. ``take`` for reports of tracking,
    ``look_at_time`` after it.
    """

    def __init__(self, doubts: Doubts, play: Callable[[Track], None]) -> None:
        self._doubts = doubts
        self._play = play
        self._held: list[Movement | RowChanged] = []

    @property
    def waiting(self) -> bool:
        """True if movements are held."""
        return bool(self._held)

    def pass_on(self, track: Track, now: float) -> None:
        """Hand ``track`` on, or hold it."""
        if isinstance(track, Notice) and not isinstance(track.observation, Knock | Health):
            self.flush()
        if isinstance(track, Named) and self._renamed(track.movement, track.cards):
            return
        if isinstance(track, Retracted) and self._retracted(track.movement):
            return
        if not isinstance(track, Movement | RowChanged):
            self._play(track)
            return
        if isinstance(track, Movement):
            track = self._doubts.dated(track)
        if self._held and track.committed_t >= self._held[0].committed_t and not self._is_missing(track):
            self._held.append(track)
        elif self._held or self._doubts.open_in(track) is None:
            self._play(track)
        else:
            self._held.append(track)
        self.look_at_time(now)

    def _is_missing(self, track: Movement | RowChanged) -> bool:
        """Return True if ``track`` is the one that is waited for, dated late."""
        zone = self._doubts.open_in(self._held[0])
        return zone is not None and self._doubts.is_awaited(track, zone)

    def look_at_time(self, now: float) -> None:
        """Let go what is in order by now, what is assured, and what has waited long enough."""
        while self._held:
            first = self._held[0]
            zone = self._doubts.open_in(first)
            if zone is None or self._doubts.is_assured(zone, first):
                self._release()
            elif now - first.t > WAIT:
                self._give_up(zone)
            else:
                return

    def flush(self) -> None:
        """Release what waits: an order of the arbitro came, or the log ended."""
        while self._held:
            zone = self._doubts.open_in(self._held[0])
            if zone is None or self._doubts.is_assured(zone, self._held[0]):
                self._release()
            else:
                self._give_up(zone)

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
        """Give up waiting: an act went unseen, or this one was wrong, and whose turn it is is open."""
        self._play(self._doubts.unsettled(self._held.pop(0), zone))
