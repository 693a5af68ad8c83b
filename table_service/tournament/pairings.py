"""Pairings by the ranking: Danese and Swiss. Pure.

Sources: feburit arts. 2 and 25, tarocco's tournament rules (seeds 001 and 003): the first meets the second, the third
the fourth; the lowest that has not rested yet rests, and none twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from table_service.tournament.seating import Meeting, NoSeatingError, Seating, checked, met, rested, sided

_EXACT: Final = 64
"""Largest field in which every pairing is weighed."""
_NEAR: Final = 12
"""Entries below it with which each is weighed in a larger field; more if that leaves one alone."""


def danese(ranked: Sequence[str], played: Sequence[Seating] = (), *, repeats: bool = True) -> Seating:
    """Return the next round by the standing ``ranked``, the best first: the first meets the second, and so on.

    ``repeats``: whether two may meet again, as tarocco's rules expressly allow; else each meets the nearest in the
    standing whom it has not met. Raises NoSeatingError if everybody has rested or met everybody.

    >>> [(one.ns, one.ew) for one in danese(["A", "B", "C", "D"]).meetings]
    [('A', 'B'), ('C', 'D')]
    """
    ranked = checked(ranked)
    if not repeats:
        return _nearest(ranked, dict.fromkeys(ranked, 0), played)
    rests = _who_may_rest(ranked, played)[:1]
    left = [one for one in ranked if one not in rests]
    return _tabled(list(zip(left[::2], left[1::2], strict=True)), tuple(rests), played)


def swiss(ranked: Sequence[str], points: Mapping[str, float], played: Sequence[Seating] = ()) -> Seating:
    """Return the next round of a Swiss tournament: no two meet again, and points differ as little as they can.

    ``ranked``: the best first; ``points``: those of each. The sum of the squared differences in points is the least
    there is, and of those pairings the one with the nearest places in the ranking is taken; in a field of more than
    64, of those pairings in which each meets one of the twelve below it. Raises NoSeatingError if there is none.
    """
    ranked = checked(ranked)
    lacking = next((one for one in ranked if one not in points), None)
    if lacking is not None:
        raise NoSeatingError(
            "no_points", f"the points of {lacking} are not known: pair the next round once they are", entry=lacking
        )
    return _nearest(ranked, points, played)


def _who_may_rest(ranked: Sequence[str], played: Sequence[Seating]) -> list[str]:
    """Return the entries that may rest in an odd field, the lowest first; none in an even one."""
    if len(ranked) % 2 == 0:
        return []
    before = rested(played)
    found = [one for one in reversed(ranked) if one not in before]
    if not found:
        raise NoSeatingError(
            "all_rested", "everybody has rested once, and nobody may rest twice: enter one more or let one leave"
        )
    return found


def matched(
    left: Sequence[str], points: Mapping[str, float], before: frozenset[frozenset[str]]
) -> list[tuple[str, str]] | None:
    """Return the best pairing of ``left``, by their places; None if one is left alone in every pairing."""
    import networkx as nx

    near = len(left) if len(left) <= _EXACT else _NEAR
    while True:
        graph: nx.Graph[int] = nx.Graph()
        graph.add_weighted_edges_from(_unmet(left, points, before, near))
        found = nx.min_weight_matching(graph)
        if 2 * len(found) == len(left):
            return [(left[one], left[other]) for one, other in sorted(tuple(sorted(pair)) for pair in found)]
        if near >= len(left):
            return None
        near *= 2


def _nearest(ranked: Sequence[str], points: Mapping[str, float], played: Sequence[Seating]) -> Seating:
    may_rest = _who_may_rest(ranked, played)
    for rests in ([one] for one in may_rest) if may_rest else ([],):
        left = [one for one in ranked if one not in rests]
        pairs = matched(left, points, met(played))
        if pairs is not None:
            return _tabled(pairs, tuple(rests), played)
    raise NoSeatingError(
        "no_new_round", "no round is left in which nobody meets anybody again: allow repeats, or end here"
    )


def _unmet(
    left: Sequence[str], points: Mapping[str, float], before: frozenset[frozenset[str]], near: int
) -> Iterator[tuple[int, int, float]]:
    """Yield who may meet whom, each with the ``near`` next below it, weighted by points first and by places then."""
    scale = len(left) ** 3 + 1
    for one, name in enumerate(left):
        below = (n for n in range(one + 1, len(left)) if frozenset((name, left[n])) not in before)
        for other in islice(below, near):
            gap = points[name] - points[left[other]]
            yield one, other, gap * gap * scale + (one - other) ** 2


def _tabled(pairs: Sequence[tuple[str, str]], resting: tuple[str, ...], played: Sequence[Seating]) -> Seating:
    meetings: list[Meeting] = [sided(n, one, other, played) for n, (one, other) in enumerate(pairs, start=1)]
    return Seating(tuple(meetings), resting)
