"""Scores that nobody played: artificial, weighted, split (12, 16), byes (78.3, 78.4), forfeits (8.3b3), simple VPs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Final

from table_service.games.bridge.rules.contract import BridgeError
from table_service.games.bridge.rules.match_points import VP_BOUNDS, VP_STEPS, imps, neuberg

BYE_PERCENT: Final = 60
BYE_VICTORY_POINTS: Final = 18
"""60 per cent of the thirty of a match (78.3)."""
SIMPLE_WIN: Final = 2
_LONG: Final = 64
_LONG_MARGIN: Final = 13


def with_artificial(points: Sequence[int], played: int, expected: int) -> tuple[Fraction, ...]:
    """Match points of the ``played`` results on a board that has ``expected`` scores, the rest of them artificial (12).

    ``points``: match points among the results that were played, as ``rules.match_points`` gives them.
    """
    return tuple(neuberg(one, played, expected) for one in points)


def percent_of(match_points: Fraction, top: int) -> Fraction:
    """``match_points`` as per cent of ``top``. Raises BridgeError where there is no top."""
    if top <= 0:
        raise BridgeError("per cent of a top need at least two results")
    return 100 * match_points / top


def weighted(parts: Sequence[tuple[int, int]]) -> Fraction:
    """Return the mean of scores in points, each weighted (law 12C1c). Raises BridgeError if weights weigh nothing.

    >>> weighted([(690, 1), (-200, 3)])
    Fraction(45, 2)
    """
    total = _weight(parts)
    return Fraction(sum(points * weight for points, weight in parts), total)


def weighted_imps(parts: Sequence[tuple[int, int]], other_room: int) -> Fraction:
    """Return the mean of the IMPs that each weighted score gives against ``other_room``, points of the same line."""
    total = _weight(parts)
    return Fraction(sum(imps(points - other_room) * weight for points, weight in parts), total)


def _weight(parts: Sequence[tuple[int, int]]) -> int:
    total = sum(weight for _, weight in parts)
    if total <= 0 or any(weight < 0 for _, weight in parts):
        raise BridgeError("weights are whole numbers from 0, one of them at least positive")
    return total


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


def forfeit_won(own: Sequence[int], against: Sequence[int], *, simple: bool = False) -> int:
    """Victory points of who wins by the other's forfeit: the best of three (8.3b3a).

    ``own``: its points in all its other matches; ``against``: those that others have won from the absent team. A mean
    of a half is rounded up.
    """
    given = [SIMPLE_WIN if simple else BYE_VICTORY_POINTS]
    given += [_nearest(points) for points in (own, against) if points]
    return max(given)


def _nearest(points: Sequence[int]) -> int:
    return floor(Fraction(sum(points), len(points)) + Fraction(1, 2))


def simple_victory_points(boards: int, difference: int, *, knockout: bool = False) -> tuple[int, int]:
    """Return simple victory points, 2-0 or 1-1, of a lead by ``difference`` IMPs (78.1b, 78.2).

    A match is won by more than a fifth of its boards, of more than 64 by 13; in a knock-out by one.

    >>> simple_victory_points(20, 4), simple_victory_points(20, -5), simple_victory_points(20, 1, knockout=True)
    ((1, 1), (0, 2), (2, 0))
    """
    lead = abs(difference)
    least = 1 if knockout else _LONG_MARGIN if boards > _LONG else boards // 5 + 1
    if lead < least:
        return 1, 1
    return (SIMPLE_WIN, 0) if difference > 0 else (0, SIMPLE_WIN)
