"""Order of pairs and teams with equal results (norms 78.5, 78.6)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, NamedTuple

# -- pairs (78.5) ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OnBoard:
    """A pair's result on one board: ``points`` of ``top`` match points, with two for each worse result."""

    points: Fraction
    top: int


Cards = Mapping[str, Mapping[str, OnBoard]]
"""By pair, then by board."""


def common_points(pair: str, tied: Collection[str], cards: Cards) -> int:
    """Points of 78.5a2 for ``pair`` among ``tied``.

    On a board that several of them have played two for each that did worse and one for each that did the same; on one
    that only it has played, two above the mean, one at it.
    """
    total = 0
    for board, own in cards[pair].items():
        others = [cards[other][board].points for other in tied if other != pair and board in cards[other]]
        others = others or [Fraction(own.top, 2)]
        total += sum(2 * (other < own.points) + (other == own.points) for other in others)
    return total


class _Extremes(NamedTuple):
    tops: int
    bottoms: int
    half_bottoms: int
    half_tops: int


def _extremes(own: Mapping[str, OnBoard]) -> _Extremes:
    """Higher is better: few bottoms and half bottoms count as much. A half one is shared with one other."""
    boards = tuple(own.values())
    return _Extremes(
        sum(one.points == one.top for one in boards),
        -sum(one.points == 0 for one in boards),
        -sum(one.points == 1 and one.top > 1 for one in boards),
        sum(one.points == one.top - 1 and one.top > 1 for one in boards),
    )


def by_common_boards(tied: Collection[str], cards: Cards) -> tuple[tuple[str, ...], ...]:
    """Pairs of one session that are equal, the first first (78.5a2): common boards, tops, bottoms, half ones."""
    return _ranked(tuple(tied), lambda pair: (common_points(pair, tied, cards), *_extremes(cards[pair])))


def by_direct_boards(
    tied: Collection[str], met: Mapping[tuple[str, str], Fraction | int], cards: Cards
) -> tuple[tuple[str, ...], ...]:
    """Pairs of an event in which all have met equally often (78.5b): by the boards between them, then by 78.5a2.

    ``met``: the first pair's match points less the second's on the boards that they have played against each other.
    """

    def direct(pair: str) -> Fraction:
        won = sum((Fraction(by) for (one, other), by in met.items() if one == pair and other in tied), Fraction(0))
        lost = sum((Fraction(by) for (one, other), by in met.items() if other == pair and one in tied), Fraction(0))
        return won - lost

    found: list[tuple[str, ...]] = []
    for group in _ranked(tuple(tied), direct):
        found += by_common_boards(group, cards) if len(group) > 1 else [group]
    return tuple(found)


def _ranked(names: Sequence[str], key: Callable[[str], object]) -> tuple[tuple[str, ...], ...]:
    """``names`` by ``key``, the highest first; those with the same stand together, in their given order."""
    values: dict[object, list[str]] = {}
    for name in names:
        values.setdefault(key(name), []).append(name)
    return tuple(tuple(values[value]) for value in sorted(values, reverse=True))  # type: ignore[type-var]


# -- teams (78.6) ------------------------------------------------------------------------------------------------------

Formula = Literal["round-robin", "swiss"]
Criterion = Literal[
    "resistance", "direct-vp", "direct-imps", "imp-quotient", "imp-difference", "direct-points", "point-quotient"
]
ORDER: Final[Mapping[Formula, tuple[Criterion, ...]]] = {
    "round-robin": (
        "direct-vp", "direct-imps", "imp-quotient", "imp-difference", "direct-points", "point-quotient",
    ),
    "swiss": (
        "resistance", "imp-quotient", "imp-difference", "direct-vp", "direct-imps", "direct-points", "point-quotient",
    ),
}  # fmt: skip
"""The criteria in their order (78.6a1, 78.6a2); after the last the extra boards of a knock-out decide."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that was played: who, and each side's victory points, IMPs won, and points won; byes are none."""

    teams: tuple[str, str]
    vp: tuple[Fraction | int, Fraction | int]
    imps: tuple[int, int]
    points: tuple[int, int] = (0, 0)

    def of(self, team: str, values: tuple[Fraction | int, Fraction | int]) -> tuple[Fraction, Fraction]:
        """``values`` as own and the other's for ``team``."""
        own, other = values if self.teams[0] == team else values[::-1]
        return Fraction(own), Fraction(other)


def by_teams(
    tied: Collection[str], matches: Sequence[PlayedMatch], formula: Formula, *, resistance: bool = True
) -> tuple[tuple[str, ...], ...]:
    """Teams with equal victory points, the first first; those that stand together play extra boards (78.6a).

    Of three or more in a round robin the matches between them alone are looked at, and who comes last by a criterion is
    left out before the others are looked at anew. ``resistance``: whether the sum of the opponents' points is known.
    """
    tied = tuple(tied)
    if len(tied) < 2:
        return (tied,) if tied else ()
    among = formula == "round-robin" and len(tied) > 2
    between = [one for one in matches if set(one.teams) <= set(tied)]
    for criterion in ORDER[formula]:
        if criterion == "resistance" and not resistance:
            continue
        values = {team: _value(criterion, team, between if among else matches, between, matches) for team in tied}
        before, last = _without_last(values)
        if before:
            return tuple(
                group for part in (before, last) for group in by_teams(part, matches, formula, resistance=resistance)
            )
    return (tied,)


def _without_last(values: Mapping[str, tuple[int, Fraction]]) -> tuple[list[str], list[str]]:
    """Teams above the lowest value, and those that have it."""
    lowest = min(values.values())
    return [team for team in values if values[team] != lowest], [team for team in values if values[team] == lowest]


def _value(
    criterion: Criterion,
    team: str,
    scope: Sequence[PlayedMatch],
    between: Sequence[PlayedMatch],
    matches: Sequence[PlayedMatch],
) -> tuple[int, Fraction]:
    """Higher is better; the first part is 1 for a quotient without anything lost, which is above every other."""
    own = [one for one in scope if team in one.teams]
    direct = [one for one in between if team in one.teams]
    match criterion:
        case "resistance":
            return 0, _resistance(team, matches)
        case "direct-vp":
            return 0, _difference(team, direct, lambda one: one.vp)
        case "direct-imps":
            return 0, _difference(team, direct, lambda one: one.imps)
        case "imp-difference":
            return 0, _difference(team, own, lambda one: one.imps)
        case "direct-points":
            return 0, _difference(team, direct, lambda one: one.points)
        case "imp-quotient":
            return _quotient(team, own, lambda one: one.imps)
        case "point-quotient":
            return _quotient(team, own, lambda one: one.points)


_Values = Callable[[PlayedMatch], tuple[Fraction | int, Fraction | int]]


def _difference(team: str, matches: Sequence[PlayedMatch], values: _Values) -> Fraction:
    return sum((own - other for own, other in (one.of(team, values(one)) for one in matches)), Fraction(0))


def _quotient(team: str, matches: Sequence[PlayedMatch], values: _Values) -> tuple[int, Fraction]:
    sides = [one.of(team, values(one)) for one in matches]
    won, lost = sum((own for own, _ in sides), Fraction(0)), sum((other for _, other in sides), Fraction(0))
    if lost == 0:
        return int(won > 0), won
    return 0, won / lost


def _resistance(team: str, matches: Sequence[PlayedMatch]) -> Fraction:
    """Return the victory points of all whom ``team`` has met, by its number of matches."""
    total: dict[str, Fraction] = {}
    for one in matches:
        for own in one.teams:
            total[own] = total.get(own, Fraction(0)) + one.of(own, one.vp)[0]
    met = [other for one in matches if team in one.teams for other in one.teams if other != team]
    return sum((total[other] for other in met), Fraction(0)) / len(met) if met else Fraction(0)
