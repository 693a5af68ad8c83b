"""The list of entries of a tournament, typed or from a spreadsheet: pairs, teams or single players. Pure.

An entry is one line. A line of several cells (tab, semicolon, comma or stroke between them) is a pair or a team of the
players named in them.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from table_service.console.plain_names import plain_name
from table_service.console.ruling_forms import FormError
from table_service.console.seating_lines import LONGEST_NAME

_BETWEEN: Final = ("\t", ";", ",", "/")
"""What stands between the cells of a line, the first that it has; a stroke stands between pairs in a round's seating,
so that no entry's name may hold one."""
_HEADS: Final = frozenset(
    {
        "n", "no", "num", "numero", "number", "iscritti", "coppia", "coppie", "pair", "pairs", "squadra", "squadre",
        "team", "teams", "nome", "name", "cognome", "surname", "giocatore", "giocatori", "giocatrice", "player",
        "players",
    }
)  # fmt: skip
"""Words of a spreadsheet's first line, by which it is told from a pair."""
_JOIN: Final = "–"


def entries_of(text: str) -> tuple[str, ...]:
    r"""The entries of a list, one a line; a first line of heads and numbers that only count the lines are left out.

    Raises FormError where a name is too long.

    >>> entries_of("n;giocatore 1;giocatore 2\n1;Rossi;Bianchi\n2;Verdi;Neri")
    ('Rossi–Bianchi', 'Verdi–Neri')
    """
    lines = [_cells(line) for line in text.lstrip("\ufeff").splitlines() if line.strip()]
    if lines and all(_is_head(cell) for cell in lines[0]):
        lines = lines[1:]
    counted = bool(lines) and all(
        len(cells) > 1 and cells[0].rstrip(".") == str(n) for n, cells in enumerate(lines, start=1)
    )
    found = [_JOIN.join(cells[1:] if counted else cells) for cells in lines if cells]
    long = next((n for n, one in enumerate(found, start=1) if len(one) > LONGEST_NAME), None)
    if long is not None:
        raise FormError("entry_long", n=long, most=LONGEST_NAME, entry=found[long - 1][:LONGEST_NAME])
    return tuple(found)


def _cells(line: str) -> list[str]:
    between = next((one for one in _BETWEEN if one in line), None)
    rows = [[line]] if between is None else list(csv.reader([line], delimiter=between))
    cells = (plain_name(cell.replace("/", _JOIN)) for row in rows for cell in row)
    return [cell for cell in cells if cell]


def _is_head(cell: str) -> bool:
    words = [one for one in cell.casefold().replace(".", " ").split() if not one.isdigit()]
    return bool(words) and all(word in _HEADS for word in words)


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
    """The field of the next round, the best first: who was ``present`` in the last one, without who leaves.

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
