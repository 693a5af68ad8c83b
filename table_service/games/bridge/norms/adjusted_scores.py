"""Margin of a knock-out with split scores (78.2b), and byes (78.3, 78.4)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from table_service.games.bridge.rules.contract import BridgeError
from table_service.games.bridge.rules.match_points import VP_BOUNDS, VP_STEPS

BYE_PERCENT: Final = 60
BYE_VICTORY_POINTS: Final = 18
"""60 per cent of the thirty of a match (78.3)."""


def knockout_margin(
    one: Fraction | int, other: Fraction | int, off: tuple[Fraction | int, Fraction | int] = (0, 0)
) -> Fraction:
    """Return the IMPs by which ``other`` leads in a knock-out, which has one margin only (78.2b).

    ``one``, ``other``: what the boards give each team by its own scores; half their difference counts (12C1f). ``off``:
    IMPs that each was fined; a fine is the team's own and counts whole (8.3b1: 1 IMP for each minute).

    >>> knockout_margin(-13, 0)
    Fraction(13, 2)
    >>> knockout_margin(10, -10, (3, 0))
    Fraction(-7, 1)
    """
    return Fraction(Fraction(other) - Fraction(one), 2) + Fraction(off[0]) - Fraction(off[1])


def least_imps(boards: int, victory_points: int) -> int:
    """Return the least lead in IMPs that gives ``victory_points``, 15 to 25, in a match of ``boards``.

    Raises BridgeError for a number of boards without a column, or points that no lead gives.

    >>> least_imps(16, 18), least_imps(16, 25)
    (12, 42)
    """
    bounds = VP_BOUNDS.get(boards)
    if bounds is None:
        raise BridgeError(f"the norms have no victory points for {boards} boards")
    for step, (high, _) in enumerate(VP_STEPS):
        if victory_points == high:
            return bounds[step - 1] + 1 if step else 0
    raise BridgeError(f"no lead gives {victory_points} victory points")


def bye_of_team(boards: int) -> tuple[int, int]:
    """Victory points and IMPs of a team that rests in a round of matches of ``boards`` (78.3)."""
    return BYE_VICTORY_POINTS, least_imps(boards, BYE_VICTORY_POINTS)


def bye_of_pair(percentages: Sequence[Fraction], *, announced: bool = False) -> Fraction:
    """Per cent of a pair that rests: its mean of the others, or with ``announced`` 60 at the least (78.4).

    Raises BridgeError if it has played nothing and nothing was announced.
    """
    if not percentages:
        if announced:
            return Fraction(BYE_PERCENT)
        raise BridgeError("the mean of a pair that has played nothing is unknown")
    mean = sum(percentages, Fraction(0)) / len(percentages)
    return max(mean, Fraction(BYE_PERCENT)) if announced else mean
