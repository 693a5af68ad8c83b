"""What one scale tells: cards that came or went, and weights that are no whole number of cards."""

from __future__ import annotations

from dataclasses import dataclass

from hw.seats import Seat


@dataclass(frozen=True, slots=True)
class Step:
    """``change`` cards came onto (or left) a scale; ``first_t`` the first reading that shows it, ``t`` the last.

    ``count`` is what lies there now, ``first`` whether this is the scale's first count since the deal.
    """

    zone: str
    change: int
    count: int
    first_t: float
    t: float
    confidence: float
    first: bool
    swung: bool
    """Whether the plate has swung since the step before: without that, the readings only tell more of that one."""
    shown: bool = False
    """Whether other sensors alone have told of it, so that nobody knows when in all that time it came about."""
    basis: str = "scale"
    """The kind of sensor that tells it: frames where no scale stands."""
    maker: tuple[Seat | None, float] | None = None
    """Whose hand it was and how sure, where that follows from what came before and after; None: hands there tell it."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """The settled weight is no whole number of cards, or (``fits``) is one again."""

    zone: str
    t: float
    fits: bool
    count: int
