"""The tables of a record (PBN 2.1, chapter 5): their columns, rows and elements, with everything that does not hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from hw.seats import Line, seat_or_none
from table_service.games.bridge.pbn.reading import Error, PbnGame, Word
from table_service.games.bridge.rules.contract import (
    SUIT_LETTERS,
    BridgeError,
    Contract,
    Doubling,
    Vulnerable,
    is_vulnerable,
    parse_bid,
)
from table_service.games.bridge.rules.score import score

_COLUMN: Final = re.compile(r"(?P<order>[+-]?)(?P<name>[^\\]*)(?:\\\d+[LR]?)?")
_CONTRACT: Final = re.compile(r"(?P<bid>[1-7](?:NT|[SHDC]))(?P<doubled>X{0,2})", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[+-]?\d+(?:\.\d*)?")
_WHOLE: Final = re.compile(r"[+-]?\d+")
_TRICKS: Final = re.compile(r"\d|1[0-3]")
_SEAT: Final = re.compile(r"[NESW]", re.IGNORECASE)
_TIME: Final = re.compile(r"(?:(?:\d{1,2}:)?[0-5]?\d:[0-5]\d|\d+)")
_SHARE: Final = re.compile(r"\+?(?:100(?:\.0*)?|\d{1,2}(?:\.\d*)?)")
_POINTS: Final = re.compile(r"[+-]?\d+|(?:[+-]?\d+|\*),(?:[+-]?\d+|\*)")
_NUMBERS: Final = (
    "IMP_NS", "IMP_EW", "MP_NS", "MP_EW", "TotalScore", "TotalIMP", "TotalMP", "MeanScore", "MeanIMP", "MeanMP",
)  # fmt: skip
_SHARES: Final = ("Percentage", "Percentage_NS", "Percentage_EW", "MeanPercentage")
_ELEMENTS: Final[Mapping[str, tuple[re.Pattern[str], str]]] = {
    **dict.fromkeys(("Time", "TotalTime"), (_TIME, "no time: HH:MM:SS, MM:SS or seconds")),
    **dict.fromkeys(("Score_NS", "Score_EW"), (_WHOLE, "no whole number of points")),
    **dict.fromkeys(_NUMBERS, (_NUMBER, "no number")),
    **dict.fromkeys(_SHARES, (_SHARE, "no per cent, 0 to 100")),
    **dict.fromkeys(("ScoreRange_NS", "ScoreRange_EW"), (_POINTS, "no range of points, as 400 or -50,110 or 400,*")),
    **dict.fromkeys(("Multiplicity", "NrBoards"), (re.compile(r"\d+"), "no number of times")),
    "Declarer": (_SEAT, "no seat: N, E, S or W"),
    "Result": (_TRICKS, "no number of tricks, 0 to 13"),
    "Denomination": (re.compile(r"NT|[SHDC]", re.IGNORECASE), "no denomination: C, D, H, S or NT"),
}
"""How the elements of the columns that the standard names are written."""
_OF_RESULTS: Final = (re.compile(rf"pass|{_CONTRACT.pattern}", re.IGNORECASE), "no contract, as 3NTX")
_FORBIDDEN: Final = frozenset("[]{};%")
_UNTOLD: Final = ("-", "?", "")
_TIMES: Final = {"AuctionTimeTable": ("Auction", "call"), "PlayTimeTable": ("Play", "card")}


@dataclass(frozen=True, slots=True)
class PbnTable:
    """A table as written: ``columns`` by name, ``order`` + or - where one is sorted; ``rows`` of equal length."""

    name: str
    columns: tuple[str, ...]
    order: tuple[str, ...]
    rows: tuple[tuple[Word, ...], ...]

    def column(self, name: str) -> int | None:
        """Return the place of the column ``name``; None where there is none."""
        return self.columns.index(name) if name in self.columns else None


def table_errors(
    game: PbnGame, name: str, counts: Mapping[str, Sequence[int]], vulnerable: Vulnerable | None
) -> Iterator[Error]:
    """Everything that is wrong with the table ``name`` of ``game``.

    ``counts``: how many calls and cards the sections have, by name, however one counts them; the times must be as many.
    """
    at = game.lines.get(name, game.line)
    words = game.sections.get(name, [])
    parts = game.values.get(name, "").split(";")
    columns = [one for part in parts if (one := _COLUMN.fullmatch(part)) is not None and one["name"]]
    if len(columns) < len(parts):
        wrong = next(part for part in parts if not ((one := _COLUMN.fullmatch(part)) and one["name"]))
        yield Error(at, name, f"'{wrong}' is no column: a name, and a width as in Rank\\3R")
        return
    yield from _letters(words, name)
    if len(words) % len(columns):
        yield _torn(words, len(columns), name)
        return
    rows = tuple(tuple(words[start : start + len(columns)]) for start in range(0, len(words), len(columns)))
    table = PbnTable(name, tuple(one["name"] for one in columns), tuple(one["order"] for one in columns), rows)
    yield from _elements(table)
    yield from _sorted(table)
    yield from _times(table, at, counts)
    if name == "ScoreTable" and vulnerable is not None:
        yield from _scores(table, vulnerable)


def _letters(words: Sequence[Word], name: str) -> Iterator[Error]:
    """Every element with a letter that may only stand in quotes."""
    for one in words:
        if not one.text.startswith('"') and not _FORBIDDEN.isdisjoint(one.text):
            yield Error(one.line, name, f"'{one.text}' has a letter that may only stand in quotes")


def _torn(words: Sequence[Word], width: int, name: str) -> Error:
    """Return an error at the first line that holds no whole rows, else at the last one."""
    count: dict[int, int] = {}
    for word in words:
        count[word.line] = count.get(word.line, 0) + 1
    line = next((line for line, number in count.items() if number % width), words[-1].line)
    return Error(line, name, f"{len(words)} elements are no whole rows of {width} columns")


def _elements(table: PbnTable) -> Iterator[Error]:
    for place, column in enumerate(table.columns):
        form = _ELEMENTS.get(column)
        if column == "Contract" and table.name == "ScoreTable":
            form = _OF_RESULTS
        if form is None:
            continue
        for row in table.rows:
            text = _plain(row[place])
            if text not in _UNTOLD and not form[0].fullmatch(text):
                yield Error(row[place].line, table.name, f"'{text}' in the column {column} is {form[1]}")


def _plain(word: Word) -> str:
    """Return an element without its quotes, and without the mark of an artificial score."""
    return word.text.strip('"').strip().removeprefix("^").translate(SUIT_LETTERS)


def _sorted(table: PbnTable) -> Iterator[Error]:
    for place, order in enumerate(table.order):
        told = [row[place] for row in table.rows if order and _NUMBER.fullmatch(_plain(row[place]))]
        for before, after in pairwise(told):
            first, second = float(_plain(before)), float(_plain(after))
            if (first < second) if order == "+" else (first > second):
                how = "the highest first" if order == "+" else "the lowest first"
                yield Error(after.line, table.name, f"{table.columns[place]} is said to have {how}, and has not")
                break


def _times(table: PbnTable, at: int, counts: Mapping[str, Sequence[int]]) -> Iterator[Error]:
    if table.name not in _TIMES:
        return
    section, what = _TIMES[table.name]
    if section not in counts:
        yield Error(at, table.name, f"times of {what}s without the {what}s: the section {section} stands before them")
    elif len(table.rows) not in counts[section]:
        yield Error(at, table.name, f"{len(table.rows)} times for {counts[section][0]} {what}s")


def _scores(table: PbnTable, vulnerable: Vulnerable) -> Iterator[Error]:
    """Rows whose points are not those of their contract and tricks; artificial ones (``^``) are the arbitro's."""
    places = [table.column(name) for name in ("Contract", "Declarer", "Result")]
    if None in places:
        return
    for line in Line:
        told = table.column(f"Score_{line.value}")
        for row in table.rows if told is not None else ():
            marked = any(word.text.startswith("^") for word in row)
            cells = [_plain(row[place]) for place in places if place is not None]
            given = "" if told is None else _plain(row[told])
            points = _points(cells, line, vulnerable)
            if not marked and points is not None and _WHOLE.fullmatch(given) and int(given) != points:
                result = f"{cells[0]} by {cells[1]} with {cells[2]} tricks"
                yield Error(row[0].line, table.name, f"{result} gives {line.value} {points} points, not {given}")


def _points(cells: Sequence[str], line: Line, vulnerable: Vulnerable) -> int | None:
    contract, by, tricks = cells
    found, seat = _CONTRACT.fullmatch(contract), seat_or_none(by.upper())
    if contract.upper() == "PASS":
        return 0
    if found is None or seat is None or not _TRICKS.fullmatch(tricks):
        return None
    try:
        bid = parse_bid(found["bid"])
    except BridgeError:
        return None
    doubled: Doubling = "XX" if len(found["doubled"]) == 2 else "X" if found["doubled"] else ""
    points = score(Contract(bid, seat, doubled), int(tricks), vulnerable=is_vulnerable(seat.line, vulnerable)).total
    return points if seat.line is line else -points
