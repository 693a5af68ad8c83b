"""Groups that play apart from the first round on (gironi): how a list is dealt to them, and each one's own movement.

As a code may name it for the round robin: each meets once all others of its own group. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from table_service.console.ruling_forms import FormError
from table_service.tournament import Seating, partners

MOST: Final = 8
"""So many groups may be asked for."""
_LEAST: Final = 2
"""Entries of a group."""
Groups = Mapping[str, int]
"""The group of each entry, from 1."""


def dealt(entries: Sequence[str], sections: int) -> list[list[str]]:
    """Return the list in so many groups, its names in turn. Raises FormError if a group would have less than two.

    >>> dealt(["A", "B", "C", "D", "E"], 2)
    [['A', 'C', 'E'], ['B', 'D']]
    """
    if len(entries) < _LEAST * sections:
        raise FormError("sections_bad", n=sections, least=_LEAST * sections)
    return [list(entries[n::sections]) for n in range(sections)]


def side_by_side(rounds: Iterable[Seating]) -> Seating:
    """Return rounds of groups as one, the tables of each after those of the one before."""
    found = list(rounds)
    meetings = [one for seating in found for one in seating.meetings]
    numbered = (replace(one, table=n) for n, one in enumerate(meetings, start=1))
    return Seating(tuple(numbered), tuple(one for seating in found for one in seating.resting))


def apart(first: Seating, groups: Groups) -> list[Seating]:
    """Return the first round of each group; the whole as one if ``groups`` did not play apart in it."""
    number = {name.casefold(): n for name, n in groups.items()}

    def of(entry: str) -> set[int | None]:
        return {number.get(one.casefold()) for one in partners(entry)}

    together = [of(one.ns) | of(one.ew) for one in first.meetings] + [of(one) for one in first.resting]
    if any(len(one) != 1 or None in one for one in together):
        return [first]
    return [
        Seating(
            tuple(one for one in first.meetings if of(one.ns) == {n}),
            tuple(one for one in first.resting if of(one) == {n}),
        )
        for n in sorted(set(groups.values()))
    ]


def each_apart(first: Seating, groups: Groups, play: Callable[[Seating, bool], Seating]) -> Seating:
    """Return a later round: ``play`` makes it of each group's first one; its second argument says of the last group."""
    sections = apart(first, groups)
    if len(sections) == 1:
        return play(sections[0], True)
    return side_by_side(play(one, one is sections[-1]) for one in sections)
