"""From points to results: IMPs (law 78B), victory points of teams (FIGB norms, app. 7), Neuberg's formula."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from table_service.games.bridge.rules.contract import BridgeError

IMP_BOUNDS: Final = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000,
    3500, 4000,
)  # fmt: skip
"""The least difference in points for 1, 2, … 24 IMPs (law 78B)."""

VP_STEPS: Final = (
    *((15 + step, 15 - step) for step in range(11)),
    *((25, 5 - step) for step in range(1, 6)),
)
"""Victory points 25-0, from a draw to the highest win."""
VP_BOUNDS: Final[Mapping[int, tuple[int, ...]]] = MappingProxyType(
    {
        8: (1, 5, 8, 11, 14, 17, 20, 23, 26, 29, 33, 37, 41, 45, 50),
        10: (1, 6, 9, 12, 15, 18, 21, 25, 29, 33, 37, 41, 45, 50, 55),
        12: (1, 6, 9, 12, 16, 20, 24, 28, 32, 36, 40, 45, 50, 55, 61),
        14: (2, 7, 10, 14, 18, 22, 26, 30, 34, 38, 43, 48, 54, 60, 66),
        16: (2, 7, 11, 15, 19, 23, 27, 31, 36, 41, 46, 52, 58, 64, 71),
        20: (2, 8, 12, 16, 21, 26, 31, 36, 41, 47, 53, 59, 65, 72, 79),
        24: (3, 9, 14, 19, 24, 29, 34, 39, 45, 51, 57, 64, 71, 79, 87),
        28: (3, 10, 15, 20, 25, 31, 37, 43, 49, 55, 61, 68, 76, 85, 94),
        32: (3, 10, 16, 22, 28, 34, 40, 46, 52, 58, 65, 73, 82, 91, 100),
        36: (3, 11, 17, 23, 29, 36, 43, 50, 57, 64, 71, 79, 88, 97, 106),
        40: (3, 11, 18, 25, 32, 39, 46, 53, 60, 68, 76, 84, 93, 102, 112),
        48: (4, 12, 20, 28, 36, 44, 52, 60, 68, 76, 84, 93, 102, 112, 123),
    }
)
"""The highest difference in IMPs for each step but the last, by the number of boards (app. 7)."""


def imps(points: int) -> int:
    """Return the IMPs of a difference in points, with its sign (law 78B).

    >>> imps(430), imps(-15), imps(-890)
    (10, 0, -13)
    """
    won = bisect_right(IMP_BOUNDS, abs(points))
    return won if points >= 0 else -won


def victory_points(boards: int, difference: int) -> tuple[int, int]:
    """Victory points of two teams when the first leads by ``difference`` IMPs (negative: it trails).

    Raises BridgeError for a number of boards that the norms have no column for.

    >>> victory_points(16, 34), victory_points(16, -80)
    ((23, 7), (0, 25))
    """
    bounds = VP_BOUNDS.get(boards)
    if bounds is None:
        raise BridgeError(
            f"the norms have no victory points for {boards} boards: there are {', '.join(map(str, VP_BOUNDS))}; ask the"
            " arbitro"
        )
    high, low = VP_STEPS[sum(bound < abs(difference) for bound in bounds)]
    return (high, low) if difference >= 0 else (low, high)


def vp_answer(boards: int, difference: int, *, teams: bool) -> dict[str, Any]:
    """Return what ``tavolo vp`` answers; pairs have no victory points in these norms, so ``teams`` changes nothing."""
    del teams
    return {"rules": "bridge", "deals": boards, "diff": difference, "vp": list(victory_points(boards, difference))}


def neuberg(points: int | Fraction, results: int, expected: int) -> Fraction:
    """Match points on a board played fewer times than ``expected``, as if it had been played so often.

    ``points``: of ``results`` results, two for each that is worse and one for each that is equal; the same on a top of
    ``2 * (expected - 1)`` (FIGB norms: (M + 1) x E / A - 1). Raises BridgeError where ``results`` is not positive.
    """
    if results < 1:
        raise BridgeError("Neuberg's formula needs at least one result")
    return (points + 1) * Fraction(expected, results) - 1


def match_points(points: Sequence[int] | Sequence[Fraction]) -> tuple[int, ...]:
    """For each score of one side on a board: two for every worse one, one for every equal one."""
    return tuple(sum(2 * (other < mine) + (other == mine) for other in points) - 1 for mine in points)


Spread = tuple[tuple[int, Fraction], ...]
"""A weighted score: points of one side, each with its share; the shares add up to 1."""


def weighted_match_points(spreads: Sequence[Spread]) -> tuple[Fraction, ...]:
    """``match_points`` of weighted scores (law 12C1c): two of them are compared part by part, by their shares.

    >>> half, whole = Fraction(1, 2), Fraction(1)
    >>> [str(one) for one in weighted_match_points([((420, half), (-50, half)), ((100, whole),)])]
    ['1', '1']
    """
    return tuple(
        sum((_compared(mine, other) for place, other in enumerate(spreads) if place != own), Fraction(0))
        for own, mine in enumerate(spreads)
    )


def _compared(mine: Spread, other: Spread) -> Fraction:
    """Match points of ``mine`` against ``other``: two if it is better, one if they are equal."""
    return sum((a * b * (2 * (theirs < own) + (theirs == own)) for own, a in mine for theirs, b in other), Fraction(0))
