"""Movements that are settled by the field alone: Mitchell, Howell, round robin, knock-out. Pure.

Sources: Mitchell, feburit arts. 2 and 25 (seeds 001); the round robin goes by Berger's tables, as FIDE prints them
(FIDE Handbook, general regulations, annex). Howell is the movement in which each but one follows the entry numbered
before it; boards, which bridge would move as well, are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import gcd
from types import MappingProxyType
from typing import Final

from table_service.tournament.seating import Meeting, NoSeatingError, Seating, checked

_LEAST_HOWELL: Final = 4


def mitchell(
    first: Seating, number: int, step: int = 1, *, joined: Mapping[int, Sequence[str]] = MappingProxyType({})
) -> Seating:
    """Return round ``number`` (1: ``first`` itself): North–South stay, East–West go on by ``step`` tables.

    Of an odd field the one that rests in the first round is at a table that lacks its North–South; the entry that comes
    there rests. ``joined``: by round, from 2, the late entries: one stays North–South at the table that lacks one, and
    if none does it opens a table after the last and rests there once; the entry that comes with it meets it. Raises
    NoSeatingError once all East–West have been everywhere they come to.

    >>> mitchell(Seating((Meeting(1, "A", "B"), Meeting(2, "C", "D")), ("E",)), 2, joined={2: ["F"]}).meetings
    (Meeting(table=1, ns='A', ew='E'), Meeting(table=2, ns='C', ew='B'), Meeting(table=3, ns='F', ew='D'))
    """
    field = checked(first.entries)
    if len(first.resting) > 1:
        raise NoSeatingError("too_many_rest", f"{len(first.resting)} rest: Mitchell lets one rest at most")
    standing = [meeting.ns for meeting in first.meetings]
    moving = [meeting.ew for meeting in first.meetings] + list(first.resting)
    tables = len(moving)
    rounds = tables // gcd(step, tables)
    if number < 1 or (number > rounds and not joined):
        said = f"round {number}: {len(field)} entries can play {rounds} rounds of Mitchell, then they meet again"
        raise NoSeatingError("all_met", said, rounds=rounds)
    here, met = moving, set(zip(standing, moving, strict=False))
    for played in range(2, number + 1):
        here = [here[(table - step) % len(here)] for table in range(len(here))]
        for one in checked(joined.get(played, ()), least=0):
            (standing if len(here) > len(standing) else here).append(one)
        again = met.intersection(zip(standing, here, strict=False))
        if again:
            raise NoSeatingError("all_met", f"round {played}: {' and '.join(min(again))} meet again", rounds=played - 1)
        met.update(zip(standing, here, strict=False))
    numbers = [meeting.table for meeting in first.meetings]
    numbers += range(max(numbers) + 1, max(numbers) + 1 + len(standing) - len(numbers))
    pairs = zip(numbers, standing, here, strict=False)
    return Seating(tuple(Meeting(table, ns, ew) for table, ns, ew in pairs), tuple(here[len(standing) :]))


def round_robin(field: Sequence[str], number: int) -> Seating:
    """Round ``number`` of all against all by Berger's tables; of an odd field one rests in each round.

    Over all rounds everybody sits North–South and East–West equally often, or once more. Raises NoSeatingError beyond
    the last round.

    >>> [(one.ns, one.ew) for one in round_robin("123456", 2).meetings]
    [('6', '4'), ('5', '3'), ('1', '2')]
    """
    field = checked(field)
    seats: list[str | None] = [*field, *([None] if len(field) % 2 else [])]
    size = len(seats)
    _within(number, size - 1, len(field))
    half = size // 2
    meetings, resting = [], []
    for place in range(half):
        one = ((number - 1) * half + place) % (size - 1)
        other = ((number - 1) * half - place) % (size - 1) if place else size - 1
        if place == 0 and number % 2 == 0:
            one, other = other, one
        ns, ew = seats[one], seats[other]
        if ns is None or ew is None:
            resting += [entry for entry in (ns, ew) if entry is not None]
        else:
            meetings.append((ns, ew))
    return Seating(tuple(Meeting(n, ns, ew) for n, (ns, ew) in enumerate(meetings, start=1)), tuple(resting))


def howell(field: Sequence[str], number: int) -> Seating:
    """Return round ``number`` of a full Howell: the last entry stays North–South at table 1, the others go round.

    In the next round each sits where the one numbered before it sits now, the first where the last of them does.

    All meet all. Of an odd field the stationary place is empty, and the entry that comes to it rests. Raises
    NoSeatingError beyond the last round, and for fewer than four.
    """
    field = checked(field, _LEAST_HOWELL)
    stays = field[-1] if len(field) % 2 == 0 else None
    moving = field[:-1] if stays is not None else field
    places = len(moving)
    _within(number, places, len(field))
    at = [moving[(place + number - 1) % places] for place in range(places)]
    tables = 1 if stays is not None else 0
    meetings = [Meeting(1, stays, at[0])] if stays is not None else []
    meetings += [Meeting(tables + n, at[n], at[places - n]) for n in range(1, places // 2 + 1)]
    return Seating(tuple(meetings), () if stays is not None else (at[0],))


def round_robin_field(first: Seating) -> tuple[str, ...]:
    """Return the field whose first round by ``round_robin`` is ``first``, in its order."""
    north = [meeting.ns for meeting in first.meetings]
    return (*first.resting, *north, *(meeting.ew for meeting in reversed(first.meetings)))


def howell_field(first: Seating) -> tuple[str, ...]:
    """Return the field whose first round by ``howell`` is ``first``, in its order."""
    if first.resting:
        return round_robin_field(first)
    stationary, others = first.meetings[0], Seating(first.meetings[1:])
    return (stationary.ew, *round_robin_field(others), stationary.ns)


def knock_out(seeds: Sequence[str], winners: Sequence[Collection[str]] = ()) -> Seating:
    """Return the next round of a knock-out: ``seeds`` from the best down, ``winners`` of each round before.

    Where the field is no power of two the best rest in the first round. The best two can meet in the final alone.
    Raises NoSeatingError if a meeting has no winner or two, and when the tournament is over.
    """
    field = checked(seeds)
    size = 1 << (len(field) - 1).bit_length()
    left: list[str | None] = [field[seed] if seed < len(field) else None for seed in _bracket(size)]
    for number, won in enumerate(winners, start=1):
        left = [_winner(one, other, won, number) for one, other in zip(left[::2], left[1::2], strict=True)]
    if len(left) == 1:
        raise NoSeatingError("over", f"the knock-out is over: {left[0]} has won", entry=left[0])
    meetings: list[Meeting] = []
    resting: list[str] = []
    for one, other in zip(left[::2], left[1::2], strict=True):
        if one is not None and other is not None:
            meetings.append(Meeting(len(meetings) + 1, one, other))
        else:
            resting += [entry for entry in (one, other) if entry is not None]
    return Seating(tuple(meetings), tuple(resting))


def knock_out_field(first: Seating) -> tuple[str, ...]:
    """Return the seeds whose first round by ``knock_out`` is ``first``, from the best down."""
    size = 1 << (len(first.entries) - 1).bit_length()
    places, meetings, resting = _bracket(size), list(first.meetings), list(first.resting)
    seeds: dict[int, str] = {}
    for one, other in zip(places[::2], places[1::2], strict=True):
        if max(one, other) < len(first.entries) and meetings:
            meeting = meetings.pop(0)
            seeds |= {one: meeting.ns, other: meeting.ew}
        elif resting:
            seeds[min(one, other)] = resting.pop(0)
    return tuple(seeds[seed] for seed in sorted(seeds))


def _winner(one: str | None, other: str | None, won: Collection[str], number: int) -> str | None:
    if one is None or other is None:
        return one or other
    found = [entry for entry in (one, other) if entry in won]
    if len(found) != 1:
        raise NoSeatingError(
            "no_winner", f"round {number}: say which of {one} and {other} has won", one=one, other=other
        )
    return found[0]


def _bracket(size: int) -> list[int]:
    """Return the seeds (0 the best) by their places, so that each round pairs the best that is left with the least."""
    places = [0]
    while len(places) < size:
        places = [seed for place in places for seed in (place, 2 * len(places) - 1 - place)]
    return places


def _within(number: int, rounds: int, entries: int) -> None:
    if not 1 <= number <= rounds:
        raise NoSeatingError(
            "all_met", f"round {number}: after {rounds} rounds {entries} entries have all met", rounds=rounds
        )
