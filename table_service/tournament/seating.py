"""Seating of one round: meetings at numbered tables, and the entries that rest. Pure.

An entry is the name of a pair or of a team, or of one player if two play at a table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from hw.errors import TavoloError


class NoSeatingError(TavoloError, ValueError):
    """No such seating is possible; the message is one sentence that says why, and what to do.

    ``reason`` and ``terms``: the same for a caller that uses another language.
    """

    def __init__(self, reason: str, message: str, **terms: object) -> None:
        super().__init__(message)
        self.reason = reason
        self.terms = terms


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two entries that meet at ``table`` (1 the first): ``ns`` is North–South, ``ew`` East–West."""

    table: int
    ns: str
    ew: str

    @property
    def both(self) -> frozenset[str]:
        """The two that meet."""
        return frozenset((self.ns, self.ew))


@dataclass(frozen=True, slots=True)
class Seating:
    """One round. ``resting``: who plays at no table."""

    meetings: tuple[Meeting, ...]
    resting: tuple[str, ...] = ()

    @property
    def entries(self) -> tuple[str, ...]:
        """Everybody, by tables."""
        return (*(one for meeting in self.meetings for one in (meeting.ns, meeting.ew)), *self.resting)


def checked(entries: Iterable[str], least: int = 2) -> tuple[str, ...]:
    """Return the entries as a field of at least ``least``. Raises NoSeatingError if one is empty or named twice."""
    field = tuple(entries)
    empty = next((n for n, one in enumerate(field, start=1) if not one.strip()), None)
    if empty is not None:
        raise NoSeatingError("no_name", f"entry {empty} has no name: give each a name of its own", n=empty)
    times = Counter(one.casefold() for one in field)
    twice = next((one for one in field if times[one.casefold()] > 1), None)
    if twice is not None:
        raise NoSeatingError("twice", f"'{twice}' is entered twice: give each a name of its own", entry=twice)
    if len(field) < least:
        raise NoSeatingError("too_few", f"{len(field)} entered: it takes {least} at least", n=len(field), least=least)
    return field


def met(played: Iterable[Seating]) -> frozenset[frozenset[str]]:
    """Return who has met whom in the rounds ``played``."""
    return frozenset(meeting.both for one in played for meeting in one.meetings)


def rested(played: Iterable[Seating]) -> frozenset[str]:
    """Return who has rested in one of the rounds ``played``."""
    return frozenset(one for seating in played for one in seating.resting)


def in_order(field: Sequence[str]) -> Seating:
    """Return a first round: neighbours of the list meet, and the last of an odd field rests.

    Whether the list is that of the entries or was drawn by lot is for who calls (feburit, art. 2: by lot).

    >>> in_order(["A", "B", "C"]).meetings
    (Meeting(table=1, ns='A', ew='B'),)
    """
    field = checked(field)
    pairs = zip(field[::2], field[1::2], strict=False)
    return Seating(
        tuple(Meeting(n, ns, ew) for n, (ns, ew) in enumerate(pairs, start=1)), field[-1:] if len(field) % 2 else ()
    )


def sided(table: int, one: str, other: str, played: Iterable[Seating]) -> Meeting:
    """``one`` and ``other`` at ``table``: North–South sits who has sat there less often, else ``one``."""
    count = Counter(meeting.ns for seating in played for meeting in seating.meetings)
    return Meeting(table, one, other) if count[one] <= count[other] else Meeting(table, other, one)


def at_tables(seating: Seating, fixed: Mapping[str, int]) -> Seating:
    """Return the same meetings, with each entry in ``fixed`` at its table, for entries that cannot well move.

    The meeting that was there takes the other's table. Raises NoSeatingError if two of them meet or a table is
    none of the round's.
    """
    tables = {meeting.table for meeting in seating.meetings}
    at = {meeting.both: meeting.table for meeting in seating.meetings}
    kept: dict[int, frozenset[str]] = {}
    for entry, table in fixed.items():
        here = next((both for both in at if entry in both), None)
        if here is None:
            continue
        if table not in tables:
            raise NoSeatingError(
                "no_table", f"{entry} is to keep table {table}, which is none of this round's", entry=entry
            )
        _refuse_second(kept, table, here)
        other = next(both for both, place in at.items() if place == table)
        at[other], at[here] = at[here], table
        kept[table] = here
    moved = (replace(meeting, table=at[meeting.both]) for meeting in seating.meetings)
    return Seating(tuple(sorted(moved, key=lambda meeting: meeting.table)), seating.resting)


def _refuse_second(kept: Mapping[int, frozenset[str]], table: int, meeting: frozenset[str]) -> None:
    """Raise NoSeatingError if another meeting keeps ``table``, or ``meeting`` another table."""
    if kept.get(table, meeting) != meeting or any(place != table and both == meeting for place, both in kept.items()):
        raise NoSeatingError(
            "kept_twice", f"two who meet or share table {table} are to keep a table: let one of them move"
        )
