"""Boards whose cards were not those of the original (norm 87): shares of a small group of results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from table_service.games.bridge.rules.contract import BridgeError
from table_service.games.bridge.rules.match_points import match_points, neuberg

SMALL: Final = 4
"""Groups of fewer results get artificial scores (87.2)."""
SHARED: Final = 120
"""What both lines of one table get together in a small group, in per cent."""


@dataclass(frozen=True, slots=True)
class BoardShare:
    """Share of one result, in per cent of a top."""

    ns: Fraction
    ew: Fraction


def shares(group: Sequence[int] | Sequence[Fraction], expected: int) -> tuple[BoardShare, ...]:
    """Share of each result of ``group``, points of North-South, on a board that was played ``expected`` times.

    From four results on by Neuberg's formula; fewer get the artificial scores of 87.2. Raises BridgeError if the group
    is empty, or larger than the field.

    >>> [(int(one.ns), int(one.ew)) for one in shares([420, 420, -50], 9)]
    [(65, 55), (65, 55), (50, 70)]
    """
    if not group or len(group) > expected:
        raise BridgeError(f"a group has 1 to {expected} results, not {len(group)}")
    if len(group) < SMALL:
        return tuple(BoardShare(Fraction(ns), Fraction(SHARED - ns)) for ns in _small(group))
    top = 2 * (expected - 1)
    found = [100 * neuberg(points, len(group), expected) / top for points in match_points(group)]
    return tuple(BoardShare(ns, 100 - ns) for ns in found)


def _small(group: Sequence[int] | Sequence[Fraction]) -> tuple[int, ...]:
    points_of: list[Fraction] = [Fraction(one) for one in group]
    ranked = sorted(points_of, reverse=True)
    by_place = {
        (1,): (60,),
        (2,): (60, 60),
        (1, 1): (65, 55),
        (3,): (60, 60, 60),
        (2, 1): (65, 65, 50),
        (1, 2): (70, 55, 55),
        (1, 1, 1): (70, 60, 50),
    }
    values = sorted(set(points_of), reverse=True)
    given = by_place[tuple(ranked.count(value) for value in values)]
    return tuple(given[ranked.index(points)] for points in points_of)
