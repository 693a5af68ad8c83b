"""Findings that only Burraco knows: frozen melds, cards that count against a line, draws that are forgiven."""

from __future__ import annotations

from dataclasses import dataclass

from hw.seats import Seat
from table_service.games.burraco.rules.deal_parts import Frozen
from table_service.referee import values
from table_service.referee.catalogue import Words


@dataclass(frozen=True, slots=True)
class Froze:
    """Meld ``row`` is to be frozen as ``how``; ``none`` thaws it."""

    row: int
    how: Frozen
    t: float


@dataclass(frozen=True, slots=True)
class Against:
    """Cards of meld ``row`` that count against its line: those named in ``cards``; all if none is named."""

    row: int
    cards: tuple[str, ...]
    t: float


@dataclass(frozen=True, slots=True)
class Passed:
    """``count`` cards that ``taker`` has laid were of the hand of ``giver``, who had passed them over (art. 28)."""

    giver: Seat
    taker: Seat
    count: int


@dataclass(frozen=True, slots=True)
class Forgiven:
    """End of the charge on what ``seat`` took out of turn."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Barred:
    """``seat`` may still not go out, though it has drawn or collected again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Thaw:
    """A frozen meld, the player at whose turn it thaws, and how many of his turns are still to begin."""

    row: int
    who: Seat
    turns: int
    text: Words | None = None
    by: str = ""
    """The row of the catalogue that froze it."""
    cards: tuple[str, ...] = ()
    """The cards laid by the fault: all of a meld that was opened then, else those that were added."""


Finding = values.Finding | Froze | Against | Passed | Forgiven | Barred
"""All that Burraco's referee says."""
