"""Seating of a round, as lines of text that people read and write. Pure.

A line is a table and two entries: ``T1 Rossi–Bianchi / Verdi–Neri``. Two tables with a plus are one match of two teams,
the open room first: ``T1+T2 Leoni / Tigri``. Two single players with a plus are partners in this round only:
``T1 Anna + Bea / Carla + Dora``. ``riposa Gialli–Blu`` rests, ``assente Gialli–Blu`` is not there. Below ``girone A``
come the entries of that group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain, count
from types import MappingProxyType
from typing import Final

from hw.seats import LINES
from table_service.console.ruling_forms import FormError
from table_service.tournament import partners

LONGEST_NAME: Final = 60
RESTS: Final = ""
"""The place of who sits nowhere in a round."""
ABSENT: Final = "-"
"""The place of who should play, and is not there."""
_NOWHERE: Final[Mapping[str, tuple[str, str]]] = {RESTS: ("riposa", "rests"), ABSENT: ("assente", "absent")}
"""The word before who sits at no table, Italian and English."""
ROOMS: Final = "+"
"""Between the two tables of a match of teams."""
LETTERS: Final = "ABCDEFGHIJ"
"""The names of groups, the first first."""
_GROUP: Final = ("girone", "group")
"""The word before the name of a group that plays apart: it holds for the lines below."""
Seats = Mapping[tuple[str, str], str]
"""The entry at each place and line; those who sit nowhere are counted instead of having a line."""


def seating_of(text: str, places: Iterable[str]) -> dict[tuple[str, str], str]:
    """Return who sits where, from lines of text. Raises FormError, which names the line."""
    known = {name.lower(): name for name in places}
    found: dict[tuple[str, str], str] = {}
    named: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not _group_of(line):
            new = _line_of_seating(number, line.strip(), known, found)
            found |= new
            named += dict.fromkeys(new.values())
    players = [player for one in named for player in partners(one)]
    times = Counter(one.casefold() for one in players)
    twice = next((one for one in players if times[one.casefold()] > 1), None)
    if twice is not None:
        raise FormError("pairs_twice", pair=twice)
    return found


def groups_of_text(text: str, places: Iterable[str]) -> dict[str, int]:
    """Return the group of each entry, from 1, of lines that ``seating_of`` takes; empty if no group is named.

    Raises FormError where somebody stands in two.
    """
    found: dict[str, int] = {}
    tables, current = list(places), 0
    for number, line in enumerate(text.splitlines(), start=1):
        current = _group_of(line) or current
        if not current or _group_of(line) or not line.strip():
            continue
        for entry in seating_of(line, tables).values():
            for one in partners(entry):
                if found.setdefault(one, current) != current:
                    raise FormError("sections_line", n=number, entry=one)
    return found


def _group_of(line: str) -> int:
    """Return the number of the group that ``line`` names, from 1; 0 if it names none."""
    word, *rest = line.split()[:3] or [""]
    named = word.lower() in _GROUP and len(rest) == 1 and len(rest[0]) == 1
    return LETTERS.find(rest[0].upper()) + 1 if named else 0


def _line_of_seating(number: int, line: str, known: Mapping[str, str], found: Seats) -> dict[tuple[str, str], str]:
    """Return what one line says; ``known``: the tables by their names in small letters. Raises FormError."""
    first, *more = line.split(None, 1)
    rest = more[0].strip() if more else ""
    names = [known.get(one.lower(), "") for one in first.split(ROOMS)]
    if not all(names) or len(names) > 2:
        return _nowhere(number, line, first, rest, found)
    if any((name, LINES[0]) in found for name in names) or len(set(names)) < len(names):
        raise FormError("pairs_table_twice", n=number, table=first)
    entries = [one.strip() for one in rest.split("/")]
    if len(entries) != len(LINES):
        raise FormError("pairs_bad", n=number, line=line[:60])
    if not all(entries):
        raise FormError("pairs_empty", n=number, line=line[:60])
    for one in entries:
        _within(number, one)
    if entries[0].casefold() == entries[1].casefold():
        raise FormError("pairs_twice", pair=entries[0])
    return {
        (name, side): one
        for name, order in zip(names, (entries, entries[::-1]), strict=False)
        for side, one in zip(LINES, order, strict=True)
    }


def _nowhere(number: int, line: str, first: str, rest: str, found: Seats) -> dict[tuple[str, str], str]:
    """Return who rests or is absent, after the word that says so. Raises FormError for a line that says neither."""
    word = first.rstrip(":").lower()
    place = next((place for place, words in _NOWHERE.items() if word in words), None)
    if place is None:
        raise FormError("pairs_no_table", n=number, line=line[:60], table=first[:20])
    if not rest:
        raise FormError("pairs_empty", n=number, line=line[:60])
    _within(number, rest)
    return {free_place(place, found): rest}


def _within(number: int, entry: str) -> None:
    if any(len(one) > LONGEST_NAME for one in partners(entry)):
        raise FormError("pairs_long", n=number, most=LONGEST_NAME, pair=entry[:LONGEST_NAME])


def free_place(place: str, taken: Seats) -> tuple[str, str]:
    """Return the next free one of the places of those who sit nowhere."""
    numbered = chain(LINES, map(str, count(len(LINES) + 1)))
    return next((place, one) for one in numbered if (place, one) not in taken)


def nowhere(seated: Seats, place: str) -> tuple[str, ...]:
    """Return who rests (``RESTS``) or is absent (``ABSENT``)."""
    return tuple(name for (at, _), name in seated.items() if at == place)


def matches_of_teams(seated: Seats) -> dict[tuple[str, str], tuple[str, str]]:
    """Tables of each match of teams, the open room first → the team that sits North–South there, the other.

    Two tables are one match if the same two sit the other way round.
    """
    by_entries: dict[tuple[str, str], str] = {}
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for place in dict.fromkeys(place for place, _ in seated if place not in _NOWHERE):
        ns, ew = (seated.get((place, line), "") for line in LINES)
        other = by_entries.pop((ew, ns), None)
        if other is not None and ns:
            found[other, place] = (ew, ns)
        else:
            by_entries[ns, ew] = place
    return found


def seating_text(
    seated: Seats, places: Iterable[str], language: str = "it", groups: Mapping[str, int] = MappingProxyType({})
) -> str:
    """Return the same as text; those of each of ``groups`` below its name."""
    numbers = sorted({*groups.values()})
    if not numbers:
        return _seating_text(seated, places, language)
    tables, last, parts = list(places), numbers[-1], list[str]()
    for number in numbers:
        own = {at: name for at, name in seated.items() if groups.get(partners(name)[0], last) == number}
        if own:
            parts.append(f"{_GROUP[language != 'it']} {LETTERS[number - 1]}\n{_seating_text(own, tables, language)}")
    return "\n".join(parts)


def _seating_text(seated: Seats, places: Iterable[str], language: str) -> str:
    teams = matches_of_teams(seated)
    second = {closed for _, closed in teams}
    first = dict(teams.keys())
    lines: list[str] = []
    for place in places:
        ns, ew = (seated.get((place, line), "") for line in LINES)
        if (ns or ew) and place not in second:
            both = f"{place}{ROOMS}{first[place]}" if place in first else place
            lines.append(f"{both} {ns} / {ew}")
    for place, words in _NOWHERE.items():
        lines += [f"{words[language != 'it']} {name}" for name in nowhere(seated, place)]
    return "\n".join(lines)
