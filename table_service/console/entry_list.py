"""The list of entries of a tournament, typed or from a spreadsheet: pairs, teams or single players. Pure.

An entry is one row. Columns are recognised by their heads and by what stands in them (`entry_columns`); what a row says
of its people, clubs and member numbers, is theirs and no part of the entry's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from table_service.console.entrant import Entrant, EntrantPerson
from table_service.console.entry_columns import (
    ENTRY,
    FIELDS,
    TEAM,
    heads_and_rows,
    names_in,
    recognised,
)
from table_service.console.ruling_forms import FormError
from table_service.console.seating_lines import LONGEST_NAME
from table_service.console.spreadsheet import SpreadsheetRow, UnreadableFileError, rows_of_text

_JOIN: Final = "–"


@dataclass(frozen=True, slots=True)
class EntryList:
    """A list as it was read. ``refused``: the sentences about rows that cannot be taken, by line."""

    entries: tuple[Entrant, ...] = ()
    refused: tuple[FormError, ...] = ()
    head: SpreadsheetRow | None = None
    roles: tuple[str, ...] = field(default=())


def read_list(
    rows: Sequence[SpreadsheetRow], roles: Sequence[str] | None = None, *, first: bool | None = None
) -> EntryList:
    """Return the entries of a list's rows.

    ``roles``: what each column is, ``first``: whether the first row is one of heads, where somebody has said so.
    """
    head, below = heads_and_rows(rows, first=first)
    known = tuple(roles) if roles is not None else recognised(head, below)
    found: list[Entrant] = []
    refused: list[FormError] = []
    pairs = _are_pairs(below, known)
    for row in below:
        entry, wrong = _entry(row, known, pairs=pairs)
        found += [entry] if entry is not None else []
        refused += [wrong] if wrong is not None else []
    return EntryList(tuple(found), (*refused, *_doubles(found)), head, known)


def entries_of(text: str) -> tuple[str, ...]:
    r"""Return the names of the entries of a list, one a line. Raises FormError for the first line that cannot be taken.

    >>> entries_of("n;giocatore 1;giocatore 2;circolo\n1;Rossi;Bianchi;Milano\n2;Verdi;Neri;Bologna")
    ('Rossi–Bianchi', 'Verdi–Neri')
    """
    try:
        found = read_list(rows_of_text(text))
    except UnreadableFileError as error:
        raise FormError(error.word) from None
    if found.refused:
        raise min(found.refused, key=lambda one: int(str(one.terms["n"])))
    return tuple(one.name for one in found.entries)


def _are_pairs(rows: Sequence[SpreadsheetRow], roles: Sequence[str]) -> bool:
    """Return True if most rows name a pair in one cell, so that a single name there is half a pair."""
    at = roles.index(ENTRY) if ENTRY in roles else len(roles)
    named = [len(names_in(row.cells[at])) > 1 for row in rows if at < len(row.cells) and row.cells[at]]
    return 2 * sum(named) > len(named)


def _entry(row: SpreadsheetRow, roles: Sequence[str], *, pairs: bool) -> tuple[Entrant | None, FormError | None]:
    """Return the entry of a row; None for a row without a name, refused if any other field of a person is filled."""
    cells = {role: cell for role, cell in zip(roles, row.cells, strict=False) if role and cell}
    names = _names_of(cells)
    told = [one for one in names if one]
    if not told:
        is_person = any(role.rstrip("123456") in FIELDS for role in cells)
        return None, FormError("entry_empty", n=row.number) if is_person else None
    if len(told) < _players(roles, pairs=pairs):
        return None, FormError("entry_half", n=row.number, entry=told[0][:LONGEST_NAME])
    name = _JOIN.join(told)
    if len(name) > LONGEST_NAME:
        return None, FormError("entry_long", n=row.number, most=LONGEST_NAME, entry=name[:LONGEST_NAME])
    people = (_person(cells, n, one) for n, one in enumerate(names, start=1) if one)
    return Entrant(name, tuple(people), row.number), None


def _names_of(cells: dict[str, str]) -> list[str]:
    """Return the names of a row by the number of the person, empty if it has none; of one cell, all names in it."""
    names = [_name(cells, n) for n in range(1, TEAM + 1)]
    return names if any(names) else [_plain_name(one) for one in names_in(cells.get(ENTRY, ""))]


def _players(roles: Sequence[str], *, pairs: bool) -> int:
    """Fewest names of a row: two if there are columns for two."""
    return 2 if pairs or any(role[:-1] in FIELDS[:3] and role[-1] != "1" for role in roles) else 1


def _name(cells: dict[str, str], n: int) -> str:
    parts = [cells.get(f"{field}{n}", "") for field in FIELDS[:3]]
    return " ".join(_plain_name(one) for one in parts if one)


def _plain_name(cell: str) -> str:
    """Return a name without the comma of "Rossi, Anna", and without a stroke, which parts pairs in a seating."""
    return " ".join(cell.replace("/", _JOIN).replace(",", " ").split())


def _person(cells: dict[str, str], n: int, name: str) -> EntrantPerson:
    club, category = (cells.get(f"{field}{n}") or cells.get(field, "") for field in ("club", "category"))
    return EntrantPerson(name, club, cells.get(f"member{n}", ""), category, cells.get(f"email{n}", ""))


def _doubles(entries: Sequence[Entrant]) -> list[FormError]:
    """Return errors for entries listed twice, and people listed in two; another number is another person."""
    pairs: dict[frozenset[str], int] = {}
    members: dict[str, int] = {}
    people: dict[str, list[tuple[str, int]]] = {}
    found: list[FormError] = []
    for one in entries:
        names = frozenset(person.name.casefold() for person in one.people)
        before = pairs.setdefault(names, one.line)
        if before != one.line:
            found.append(FormError("entry_double", n=one.line, entry=one.name, before=before))
            continue
        found += _seen_before(one, members, people)
    return found


def _seen_before(entry: Entrant, members: dict[str, int], people: dict[str, list[tuple[str, int]]]) -> list[FormError]:
    """Return errors for people of ``entry`` in an earlier one, or twice in it; remember them in both mappings."""
    found: list[FormError] = []
    for person in entry.people:
        number, name = person.member.casefold(), person.name.casefold()
        same = [line for other, line in people.get(name, ()) if not (number and other) or number == other]
        if number and number in members:
            found.append(FormError("entry_member", n=entry.line, member=person.member, before=members[number]))
        elif same and (" " in name or len(entry.people) == 1 or same[0] == entry.line):
            found.append(FormError("entry_person", n=entry.line, entry=person.name, before=same[0]))
        members.setdefault(number, entry.line)
        people.setdefault(name, []).append((number, entry.line))
    return found


def drawn_pairs(players: Sequence[str], lot: Callable[[list[str]], None]) -> list[str]:
    """Single players drawn into pairs with ``lot``. Raises FormError where one is left over."""
    if len(players) % 2:
        raise FormError("players_odd", n=len(players))
    drawn = list(players)
    lot(drawn)
    return [f"{one}{_JOIN}{other}" for one, other in zip(drawn[::2], drawn[1::2], strict=True)]


def field_after(
    ranked: Sequence[str], present: Iterable[str], leaving: Sequence[str], joining: Sequence[str]
) -> list[str]:
    """Return the field of the next round, the best first: those ``present`` in the last one, less those who leave.

    Who comes late stands below all others; who comes back, where the ranking has it. Raises FormError where one who
    leaves is none of the field, or one who comes is in it already.
    """
    here = {one.casefold() for one in present}
    gone, come = {one.casefold() for one in leaving}, {one.casefold() for one in joining}
    unknown = next((one for one in leaving if one.casefold() not in here), None)
    if unknown is not None:
        raise FormError("leaving_unknown", entry=unknown)
    twice = next((one for one in joining if one.casefold() in here), None)
    if twice is not None:
        raise FormError("seating_twice", entry=twice)
    field = [one for one in ranked if one.casefold() in (here - gone) | come]
    known = {one.casefold() for one in field}
    return field + [one for one in joining if one.casefold() not in known]
