"""The turn-up told as two movements: the dealer's hand takes a card of the stock, then lays it on the discard spot."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from hw.zones import DISCARD, GATE_STOCK, STOCK, gate, hand
from table_service.games.burraco.rules import acting
from table_service.games.burraco.rules.deal import Deal, Phase
from table_service.tracking.movements import Movement, Named, Retracted

WAIT: Final = 4.0
"""Seconds for which the dealer's first card is waited for on the discard spot: longer than the way there takes."""
LATE: Final = 2.0
"""Seconds that the sensors may need to tell it."""
AT_ONCE: Final = 0.8
"""Seconds within which another card off the stock is the one that is turned up, reported by the stock's scale once more
while the hand is still there: to the discard spot and back for a second card takes longer."""
GUESSED: Final = 0.5
"""How sure it is that the dealer's first card is a draw, where no turn-up was seen before it: it accuses nobody."""


class TurnUpWatch:
    """Holds back the first card of the stock until it shows whether it is turned up (art. 4); one for each deal.

    ``sift`` gives the movements to act upon, in order; ``late`` what has been held for too long. Only a card in the
    hand of the dealer, or of nobody seen, is held, and only while nothing lies on the discard spot.
    """

    def __init__(self) -> None:
        self._held: Movement | None = None
        self._laid: Movement | None = None
        self._whole: Movement | None = None
        """The turn-up where it was told whole, from the stock to the discard spot."""
        self._better: tuple[int, Movement] | None = None
        """The number of a turn-up that has been acted upon, and what tells the same one better."""
        self._ready: tuple[Movement, ...] = ()
        self._counted_t = -math.inf
        """When the scale of the discard spot, silent before, was first heard with one card on it."""

    def counted(self, t: float) -> tuple[Movement, ...]:
        """Return the turn-up that shows by ``t`` as the discard spot's scale, silent before, counts one card."""
        held, self._held, self._counted_t = self._held, None, t
        return () if held is None else (_onto_discard(held),)

    def sift(self, move: Movement, deal: Deal) -> tuple[Movement, ...]:
        """``move``, the turn-up that it completes, or nothing yet; where another act comes first, what was held."""
        held, self._held = self._held, None
        if held is not None:
            if move.target == DISCARD and self._is_dealers(move, deal) and _near(held, move):
                return (_joined(held, move),)
            return (_doubted(held), *self.sift(move, replace_turned(deal)))
        if deal.phase is not Phase.DEALT or not self._is_dealers(move, deal):
            return (move,)
        if deal.turned_up:
            return self._after_turn_up(move)
        return (move,) if deal.pile else self._begun(move, deal)

    def _after_turn_up(self, move: Movement) -> tuple[Movement, ...]:
        """Check ``move`` after a turn-up: it may be the same card's way, reported late by the stock's scale."""
        laid, self._laid = self._laid, None
        if self._whole is not None and _from_stock(move) and _to_hand(move):
            again = abs(move.committed_t - self._whole.committed_t) <= AT_ONCE
            return () if again else (move,)
        if laid is None or not _from_stock(move) or not _near(laid, move):
            return (move,)
        if move.target == DISCARD:
            self._better = (laid.id, move)
        return ()

    def _begun(self, move: Movement, deal: Deal) -> tuple[Movement, ...]:
        """Take the half of a turn-up reported first: off the stock to a hand, or to the pile from an unknown place."""
        if _from_stock(move) and len(move.cards) == 1 and _to_hand(move):
            if abs(move.committed_t - self._counted_t) <= WAIT:
                return (_onto_discard(move),)
            self._held = move
            return ()
        if move.target == DISCARD and move.source in (None, hand(deal.dealer), gate(deal.dealer)):
            self._laid = move
            return (replace(move, source=STOCK),)
        self._whole = move if move.target == DISCARD and _from_stock(move) else None
        return (move,)

    def late(self, t: float) -> tuple[Movement, ...]:
        """Release a held movement that found no discard spot by ``t``: a draw after all, but it accuses no player."""
        ready, self._ready = self._ready, ()
        if ready:
            return ready
        held = self._held
        if held is None or t - held.t <= WAIT + LATE:
            return ()
        self._held = None
        return (_doubted(held),)

    def named(self, named: Named) -> None:
        """Name a card that is held back, which is known better now."""
        if self._held is not None and self._held.id == named.movement and len(named.cards) == len(self._held.cards):
            self._held = replace(self._held, cards=named.cards)

    def retracted(self, retracted: Retracted) -> None:
        """Drop a held movement that did not happen; of two reports of a turn-up the better one counts."""
        if self._better is not None and self._better[0] == retracted.movement:
            self._ready, self._better = (self._better[1],), None
        if self._held is not None and self._held.id == retracted.movement:
            self._held = None

    @staticmethod
    def _is_dealers(move: Movement, deal: Deal) -> bool:
        seat: Seat | None = move.seat
        return seat is None or seat is deal.dealer


def replace_turned(deal: Deal) -> Deal:
    """``deal`` as one in which the turn-up is no longer waited for."""
    return deal if deal.turned_up else acting.turn_up(deal, (UNKNOWN,))


def _near(one: Movement, other: Movement) -> bool:
    """Return True if they were made, or reported, within the time of a turn-up; a scale at rest may misdate one."""
    return min(abs(one.committed_t - other.committed_t), abs(one.t - other.t)) <= WAIT


def _from_stock(move: Movement) -> bool:
    return move.source in (STOCK, GATE_STOCK)


def _to_hand(move: Movement) -> bool:
    return move.target is None or move.target.startswith(("hand-", "gate-"))


def _onto_discard(move: Movement) -> Movement:
    """Take the dealer's card of the stock as the turn-up: the discard spot has just been counted with one card."""
    return replace(move, source=STOCK, target=DISCARD)


def _doubted(held: Movement) -> Movement:
    return replace(held, confidence=min(held.confidence, GUESSED))


def _joined(held: Movement, laid: Movement) -> Movement:
    """One turn-up made of two movements; it keeps the number of the second, which may still be named."""
    known = laid.cards and face(laid.cards[0]) != UNKNOWN
    return replace(
        laid,
        committed_t=min(held.committed_t, laid.committed_t),
        source=STOCK,
        cards=laid.cards if known else held.cards,
        seat=laid.seat or held.seat,
        basis=(*held.basis, *(one for one in laid.basis if one not in held.basis)),
    )
