"""Length of a round, and penalties for slow play (norm 8). Times are in minutes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from types import MappingProxyType
from typing import Final, Literal

TOLERANCE: Final = 5
"""Minutes over the end of a team match that cost nothing (8.1, 8.2b)."""
STEP: Final = 5
"""Each further so many minutes, or part of them, cost once more (8.2b, 8.3a)."""
Reading = Literal["from-tolerance", "after-five-more"]
"""Of 8.2b, whose "first 5 minutes" may be those of tolerance, or the five after them."""


def minutes_of(boards: int, *, screens: bool, teams: bool) -> Fraction:
    """Return the official minutes of a round of ``boards`` (8.1): 7'30" a board, with screens 8'.

    With screens a team match is rounded to the nearest five minutes. Raises ValueError where there is no board.

    >>> int(minutes_of(14, screens=True, teams=True)), float(minutes_of(3, screens=False, teams=False))
    (110, 22.5)
    """
    if boards < 1:
        raise ValueError(f"a round has at least one board, not {boards}")
    each = Fraction(8) if screens else Fraction(15, 2)
    total = boards * each
    return Fraction(5 * round(total / 5)) if teams and screens else total


ROUND_MINUTES: Final[Mapping[int, int]] = MappingProxyType(
    {
        **{boards: int(minutes_of(boards, screens=True, teams=False)) for boards in range(1, 5)},
        **{boards: int(minutes_of(boards, screens=True, teams=True)) for boards in range(6, 21, 2)},
    }
)
"""With screens: rounds of pairs to four boards, and the matches of teams that the norms have a line for (8.1b)."""


@dataclass(frozen=True, slots=True)
class Penalty:
    """Penalty that is due: a warning, victory points, IMPs, per cent of a top; zero if there is none of it."""

    warning: bool = False
    victory_points: int = 0
    imps: int = 0
    percent: int = 0

    @property
    def is_nothing(self) -> bool:
        """True if nothing is due."""
        return self == Penalty()


def slow_play(over: float, *, warned: bool, reading: Reading = "from-tolerance") -> Penalty:
    """Return what a team owes whose match ended ``over`` minutes after its time (8.2b).

    ``warned``: it was warned or penalised before, for whatever reason. Where nobody can tell which team was slow, both
    owe it. ``reading``: the text counts further minutes from "these first five": the tolerance, or five more.

    >>> slow_play(5, warned=False).is_nothing, slow_play(11, warned=True).victory_points
    (True, 3)
    """
    if over <= TOLERANCE:
        return Penalty()
    free = TOLERANCE if reading == "from-tolerance" else TOLERANCE + STEP
    further = max(0, ceil((over - free) / STEP))
    return Penalty(warning=not warned, victory_points=further + warned)
