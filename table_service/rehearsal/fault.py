"""What a fault is: when it can be committed, and how the table goes on after it.

A fault is offered every moment of a deal from its turn on and commits itself at the first that suits. What follows
(somebody calls the arbitro, who rules or dismisses; or nobody does and play goes on) is drawn as well.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from hw.seats import SEATS, Seat
from table_service.rehearsal.deal import Deal

if TYPE_CHECKING:
    from table_service.rehearsal.director import Director


class Moment(StrEnum):
    """When a fault can be committed; the seat offered with it is the one in turn, or the one that just discarded."""

    BEFORE_TURN = "before-turn"
    """Nobody has drawn yet; committing leaves the turn to be played."""
    INSTEAD_OF_TAKING = "instead-of-taking"
    """The seat is about to draw or collect; committing plays its whole turn."""
    AFTER_DRAW = "after-draw"
    BEFORE_DISCARD = "before-discard"
    """The seat is about to discard; committing plays the rest of its turn."""


Commit = Callable[["Director", Deal, Seat], bool]


@dataclass(frozen=True, slots=True)
class Kind:
    """How a catalogue row is committed: at which moments, from which turn on at the earliest and at the latest."""

    row: str
    moments: tuple[Moment, ...]
    commit: Commit
    turns: tuple[int, int] = (0, 18)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that is to happen in deal ``deal`` from turn ``turn`` on."""

    kind: Kind
    deal: int
    turn: int

    def due(self, moment: Moment, deal: Deal) -> bool:
        """Whether it may happen at ``moment`` of ``deal``."""
        return moment in self.kind.moments and deal.number == self.deal and deal.turn >= self.turn

    def commit(self, director: Director, deal: Deal, seat: Seat) -> bool:
        """Commit it if the cards and the players allow; whether it was."""
        return self.kind.commit(director, deal, seat)


def settled(deal: Deal) -> bool:
    """Whether nothing of an earlier fault is still being served, and the stock will last a while."""
    return not (any(deal.owed.values()) or deal.limits or deal.frozen) and len(deal.world.stock) >= 8


def drawn_variant(rng: random.Random, **weights: float) -> str:
    """One of the names in ``weights`` (``_`` written as ``-``), drawn by weight."""
    names = list(weights)
    return rng.choices(names, weights=[weights[name] for name in names], k=1)[0].replace("_", "-")


def caller(rng: random.Random, offender: Seat, among: Sequence[Seat] = SEATS) -> Seat:
    """Who calls the arbitro: anybody but the offender."""
    return rng.choice([seat for seat in among if seat is not offender])
