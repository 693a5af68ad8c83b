"""The round's page as values: clock, late lines, the book of warnings, who sits where, what is to be done next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hw.seats import LINES
from table_service.console.results import TableResult
from table_service.console.ruling_forms import FormError
from table_service.console.storage import Late, Round
from table_service.console.table_view import TableView
from table_service.console.times import local
from table_service.console.views import line_of_seat, seats_of

SECOND: Final = 2
"""The second warning of a tournament costs a victory point (fibur2024, definitions)."""
LONGEST_NAME: Final = 60
RESTS: Final = ""
"""The place of who sits nowhere in a round."""
_RESTS_WORDS: Final = ("riposa", "rests")
Seats = Mapping[tuple[str, str], str]
"""The pair at each place and line."""
Told = tuple[str, Mapping[str, Any], float]
"""An event with its table and when it was heard."""


@dataclass(frozen=True, slots=True)
class Warned:
    """One warning; ``nth``: how many the line has had in the tournament, ``costs``: victory points in the ranking.

    Both as the table says; where it does not, counted here by the pair's names, or by the line at its table.
    """

    time: str
    place: str
    line: str
    names: str
    row: str
    nth: int
    costs: int
    heard: float = 0.0


class Seating:
    """Who sat where, round by round, as far as the club has entered it; else the names at the table."""

    def __init__(
        self, rounds: Sequence[Round], seated: Mapping[int, Mapping[tuple[str, str], str]], tables: Tables
    ) -> None:
        self._rounds, self._seated, self._tables = rounds, seated, tables

    def pair(self, place: str, line: str, heard: float) -> str:
        """The pair at a table and line at that time; empty where nobody has entered one."""
        then = [one for one in self._rounds if one.begun <= heard]
        named = self._seated.get(then[-1].id, {}).get((place, line), "") if then else ""
        return named or pair(self._tables.get(place), line)


Tables = Mapping[str, TableView]


def pair(table: TableView | None, line: object) -> str:
    """The names of a line's players where the table has them; empty else."""
    seats = (table.state or {}).get("seats") if table is not None else None
    if not isinstance(seats, Mapping) or line not in LINES:
        return ""
    state = {"seats": seats}
    own = [seat for seat in seats_of(state) if line_of_seat(seat, state) == line]
    return " – ".join(str(seats[seat]) for seat in own if seats.get(seat))


def warnings(events: Iterable[Told], seating: Seating) -> list[Warned]:
    """The warnings of the tournament, newest first; one that was taken back is not among them."""
    count: Counter[str] = Counter()
    found: list[Warned] = []
    for place, event, heard in events:
        data = event.get("data")
        if not isinstance(data, Mapping):
            continue
        line, row = str(data.get("line", "")), str(data.get("row") or "")
        names = seating.pair(place, line, heard)
        who = names or f"{place} {line}"
        if data.get("withdrawn") is True:
            gone = next((one for one in reversed(found) if (one.place, one.line, one.row) == (place, line, row)), None)
            if gone is not None:
                found.remove(gone)
                count[who] -= 1
            continue
        count[who] += 1
        total, cost = data.get("total"), data.get("victory_points")
        nth = total if isinstance(total, int) else count[who]
        costs = cost if isinstance(cost, int) else -1 if nth == SECOND else 0
        found.append(Warned(local(event.get("time"), "%H:%M"), place, line, names, row, nth, costs, heard))
    return found[::-1]


def brought(warned: Iterable[Warned], seated: Mapping[tuple[str, str], str], place: str) -> dict[str, int]:
    """How many warnings of earlier rounds the pairs at ``place`` bring; only of pairs whose names were entered."""
    count = Counter(one.names for one in warned if one.names)
    found = {line: count[seated[place, line]] for line in LINES if seated.get((place, line))}
    return {line: number for line, number in found.items() if number}


def seating_of(text: str, places: Iterable[str]) -> dict[tuple[str, str], str]:
    """Who sits where: a table a line, as ``T1 Rossi–Bianchi / Verdi–Neri``; ``riposa Gialli–Blu`` rests.

    Raises FormError, which names the line.
    """
    known = {name.lower(): name for name in places}
    found: dict[tuple[str, str], str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            found |= _line_of_seating(number, line.strip(), known, found)
    named = Counter(one.casefold() for one in found.values())
    twice = next((one for one in found.values() if named[one.casefold()] > 1), None)
    if twice is not None:
        raise FormError("pairs_twice", pair=twice)
    return found


def _line_of_seating(number: int, line: str, known: Mapping[str, str], found: Seats) -> dict[tuple[str, str], str]:
    """What one line says; ``known``: the tables by their names in small letters. Raises FormError."""
    first, *more = line.split(None, 1)
    rest = more[0] if more else ""
    name = known.get(first.lower())
    if name is None:
        if first.rstrip(":").lower() not in _RESTS_WORDS or not rest.strip():
            raise FormError("pairs_no_table", n=number, line=line[:60], table=first[:20])
        free = next((place for place in LINES if (RESTS, place) not in found), None)
        if free is None:
            raise FormError("pairs_rest_many", n=number)
        return {(RESTS, free): rest.strip()[:LONGEST_NAME]}
    pairs = [one.strip() for one in rest.split("/")]
    if len(pairs) != len(LINES):
        raise FormError("pairs_bad", n=number, line=line[:60])
    if not all(pairs):
        raise FormError("pairs_empty", n=number, line=line[:60])
    if (name, LINES[0]) in found:
        raise FormError("pairs_table_twice", n=number, table=name)
    return {(name, side): one[:LONGEST_NAME] for side, one in zip(LINES, pairs, strict=True)}


def seating_text(seated: Seats, places: Iterable[str], rests: str = _RESTS_WORDS[0]) -> str:
    """The same as text; ``rests``: the word before who rests."""
    rows = [(place, *(seated.get((place, line), "") for line in LINES)) for place in places]
    sitting = [f"{place} {ns} / {ew}" for place, ns, ew in rows if ns or ew]
    return "\n".join(sitting + [f"{rests} {name}" for (place, _), name in seated.items() if place == RESTS])


def late_minutes(late: Late, now: float) -> float:
    """How late a line is, in minutes with one decimal: what the ruling is given."""
    return round(late.minutes(now), 1)


def clock_ends(at: Round) -> float | None:
    """When the clock runs out, in seconds since 1970; None while it stands still."""
    return None if at.paused is not None or at.ended is not None else at.begun + at.lost + at.minutes * 60


def next_step(at: Round | None, tables: Sequence[TableResult], now: float) -> tuple[str, int]:
    """What the direction does next, as the name of a sentence, and the number in it."""
    silent = sum(table.state == "missing" for table in tables)
    playing = sum(table.state == "open" for table in tables)
    open_sheets = sum(not table.final for table in tables) - silent - playing
    if at is None:
        return "next_start", 0
    if at.ended is not None:
        return _next_after(at, open_sheets, playing, silent)
    if at.paused is not None:
        return "next_go_on", 0
    if at.out is None and at.left(now) <= 0:
        return "next_time_out", 0
    if silent:
        return "next_silent", silent
    if playing:
        return ("next_wait", playing) if at.out is None else ("next_last_turns", playing)
    return ("next_sheets", open_sheets) if open_sheets else ("next_end", 0)


def _next_after(at: Round, open_sheets: int, playing: int, silent: int) -> tuple[str, int]:
    """The same once the round has ended: what is still to be done of it, before the next or the ranking."""
    for step, count in (("next_sheets", open_sheets), ("next_unfinished", playing), ("next_silent", silent)):
        if count:
            return step, count
    if at.kind == "last":
        return ("next_ranking", 0) if at.shown is None else ("next_final", 0)
    return ("next_post", 0) if at.posted is None else ("next_start", 0)
