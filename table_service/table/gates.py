"""Gates that are known to answer: only the silence of such a gate proves that no card has crossed it."""

from __future__ import annotations

from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import SEATS, Seat
from hw.zones import hand
from table_service.tracking.movements import Movement

_MISSES: Final = 1
"""Consecutive single cards that may pass a gate unread that is still known to answer."""


class Gates:
    """Learns from single cards that leave a hand: the gate of that seat should have named them.

    ``tagged``: whether the cards of this table carry known tags, so that its gates may be expected to answer until
    they fail to. ``crossed_to``: the zones that a card of a hand reaches through its gate alone; ``rows``: those where
    a card that comes to light may have lain hidden before.
    """

    def __init__(self, *, tagged: bool, crossed_to: frozenset[str], rows: frozenset[str]) -> None:
        self._crossed_to = crossed_to
        self._rows = rows
        self._missed: dict[Seat, int] = dict.fromkeys(SEATS, _MISSES) if tagged else {}

    def crossed(self, move: Movement) -> None:
        """Take a movement that was acted upon."""
        seat = move.seat
        target = move.target or ""
        if seat is None or len(move.cards) != 1 or move.source != hand(seat):
            return
        if target not in self._crossed_to and not (target in self._rows and "tags" in move.basis):
            return  # what comes to light in a row has crossed no gate
        card = move.cards[0]
        named = "tags" in move.basis and face(card) != UNKNOWN and "#" in card
        if named:
            self._missed[seat] = 0
        elif seat in self._missed:
            self._missed[seat] += 1

    @property
    def answering(self) -> frozenset[Seat]:
        """The seats whose gate has read a card and has not missed several since."""
        return frozenset(seat for seat, missed in self._missed.items() if missed <= _MISSES)
