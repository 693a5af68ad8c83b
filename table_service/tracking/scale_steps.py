"""Reports of one scale: cards that came or went, and weights that are no whole number of cards."""

from __future__ import annotations

from dataclasses import dataclass

from hw.seats import Seat


@dataclass(frozen=True, slots=True)
class ScaleStep:
    """``change`` cards came onto (or left) a scale; ``first_t`` the first reading that shows it, ``t`` the last.

    ``count`` is the number of cards there now, ``first`` whether this is the scale's first count since the deal.
    """

    zone: str
    change: int
    count: int
    first_t: float
    t: float
    confidence: float
    first: bool
    swung: bool
    """True if the plate has swung since the step before: otherwise the readings only refine that one."""
    shown: bool = False
    """True if other sensors alone have reported it, so that its time within the span is unknown."""
    basis: str = "scale"
    """The kind of sensor that reports it: frames if there is no scale."""
    maker: tuple[Seat | None, float] | None = None
    """Seat and confidence if they follow from what came before and after; None: hands there show the seat."""
    passing: bool = False
    """True if another step there is known to follow: the frames that show both show nothing of this one."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """The settled weight is no whole number of cards, or (``fits``) is one again."""

    zone: str
    t: float
    fits: bool
    count: int
