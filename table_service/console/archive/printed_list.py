"""Lists of a tournament that are posted, printed or taken away: seating, ranking, book of warnings. Pure.

Each is one table of values, and its CSV, JSON and PDF are made of the same rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import methodcaller
from types import MappingProxyType
from typing import Any, Final

from hw.seats import LINES
from table_service.console.entrant import EntrantPerson
from table_service.console.prizes import Prize, amount
from table_service.console.rankings import Ranked
from table_service.console.round_page import LineWarning
from table_service.console.season import SeasonRow
from table_service.console.seating_lines import ABSENT, LETTERS, RESTS, Seats, nowhere
from table_service.console.vocabulary import Words
from table_service.tournament import partners

People = Mapping[str, Sequence[EntrantPerson]]
Groups = Mapping[str, int]
"""The group of each entry, from 1."""
Cell = str | int | None
"""None is not known, or not said: an empty cell, ``null`` in JSON, ``–`` on paper."""


def shown_cell(value: Cell) -> str:
    """Return a cell as people read it."""
    return "–" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name for programs, its head for people, and its width on paper in millimetres."""

    name: str
    head: str
    width: float


@dataclass(frozen=True, slots=True)
class PrintedList:
    """A list under its title; ``about``: the round or the tournament that it is of, as text."""

    title: str
    about: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def as_json(self) -> bytes:
        """The same for programs: title, and each row by the columns' names."""
        rows = [dict(zip((one.name for one in self.columns), row, strict=True)) for row in self.rows]
        return json.dumps({"title": self.title, "about": self.about, "rows": rows}, ensure_ascii=False).encode()


def seating_list(
    seated: Seats, places: Iterable[str], words: Words, about: str, groups: Groups = MappingProxyType({})
) -> PrintedList:
    """List the seating by tables in the order of ``places``, then who rests. ``groups``: of each entry."""
    tables = [place for place in places if any((place, line) in seated for line in LINES)]
    rows: list[tuple[Cell, ...]] = [(place, *(seated.get((place, line)) for line in LINES)) for place in tables]
    for place, word in ((RESTS, "list_rests"), (ABSENT, "list_absent")):
        rows += [(words[word], name, None) for name in nowhere(seated, place)]
    first = (Column("table", words["table"], 26),)
    if not groups:
        columns = (*first, *(Column(line, words[line], 76) for line in LINES))
        return PrintedList(words["list_seating"], about, columns, tuple(rows))
    grouped = [(row[0], _letter(row[1:], groups), *row[1:]) for row in rows]
    columns = (*first, _group_column(words), *(Column(line, words[line], 67) for line in LINES))
    return PrintedList(words["list_seating"], about, columns, tuple(sorted(grouped, key=lambda row: row[1] or "~")))


def _letter(entries: Iterable[Cell], groups: Groups) -> str | None:
    """Return the name of the group in which all of ``entries`` play; None if they do not, or it is unknown."""
    names = [player for one in entries if isinstance(one, str) for player in partners(one)]
    found = {groups.get(one) for one in names}
    number = found.pop() if len(found) == 1 else None
    return LETTERS[number - 1] if number else None


def _group_column(words: Words) -> Column:
    return Column("group", words["group_col"], 18)


def ranking_list(
    ranking: Sequence[Ranked], words: Words, about: str, extra: str = "", people: People = MappingProxyType({})
) -> PrintedList:
    """Return the ranking as its page shows it; ``extra``: the head of what is counted beside matches, if there is any.

    ``people``: of each entry; their member numbers and clubs are columns where any are known.
    """
    plain = _ranking_list(ranking, words, _with_doubt(about, [one.place for one in ranking], words), extra)
    if not any(who.member or who.club for one in ranking for who in people.get(one.pair, ())):
        return plain
    at = next(n for n, column in enumerate(plain.columns) if column.name == "pair") + 1
    more = (Column("members", words["entry_members"], 27), Column("clubs", words["entry_clubs"], 27))
    narrower = (*plain.columns[: at - 1], replace(plain.columns[at - 1], width=44), *more)
    columns = narrower + tuple(replace(one, width=one.width * _NARROW) for one in plain.columns[at:])
    told = [(members_of(people.get(one.pair, ())), clubs_of(people.get(one.pair, ()))) for one in ranking]
    rows = ((*row[:at], *own, *row[at:]) for row, own in zip(plain.rows, told, strict=True))
    return replace(plain, columns=columns, rows=tuple(rows))


def public_list(body: Mapping[str, Any], words: Words, about: str) -> PrintedList:
    """Return the ranking as everybody may see it, of a published ``body``: no warning, no member number."""
    rows = [row for row in body.get("rows", ()) if isinstance(row, Mapping)]
    extra = str(body.get("extra", {}).get(words.language, ""))
    if any("percent" in row for row in rows):
        own = [("line", words["line_of"]), ("percent", "%"), ("boards", "Board")]
        own = own if any("line" in row for row in rows) else own[1:]
    elif any("won" in row for row in rows):
        own = [("won", words["matches_won"]), ("points", words["points_col"]), *([("extra", extra)] if extra else [])]
    else:
        own = [("vp", words["vp_short"]), ("mp", words["mp_short"])]
    columns = (
        *((_group_column(words),) if any(row.get("group") for row in rows) else ()),
        Column("place", words["rank"], 14),
        Column("pair", words["pair_col"], 90),
        *(Column(name, head, 24) for name, head in own),
    )
    told = tuple(tuple(_public(row, column.name) for column in columns) for row in rows)
    return PrintedList(
        words["ranking"], _with_doubt(about, map(methodcaller("get", "place"), rows), words), columns, told
    )


def _with_doubt(about: str, places: Iterable[object], words: Words) -> str:
    """``about``, and that places may change where some of ``places`` are not known."""
    lacking = sum(not place for place in places)
    return " · ".join(part for part in (about, lacking and words.say("places_provisional", n=lacking)) if part)


def _public(row: Mapping[str, Any], name: str) -> Cell:
    value = row.get(name)
    if name == "group":
        return LETTERS[value - 1] if isinstance(value, int) and 0 < value <= len(LETTERS) else None
    if name == "place":
        return value or None
    if name == "percent" and isinstance(value, float):
        return f"{value:.2f}"
    return value if isinstance(value, int | str) else None


def _of_evening(points: int | None, counts: bool) -> Cell:
    return points if counts or points is None else f"({points})"


def season_list(rows: Sequence[SeasonRow], evenings: Sequence[str], words: Words, about: str) -> PrintedList:
    """Return the season's ranking, a column for each evening; what does not count stands in brackets."""
    columns = (
        Column("place", words["rank"], 14),
        Column("pair", words["pair_col"], 60),
        Column("total", words["sum_total"], 20),
        *(Column(f"evening_{n}", name, 20) for n, name in enumerate(evenings, start=1)),
    )
    told = [(row.place, row.entry, row.total, *map(_of_evening, row.points, row.counted)) for row in rows]
    return PrintedList(words["season"], about, columns, tuple(told))


_NARROW: Final = 0.72
"""Factor on the width of figures if people's columns need room on the paper."""


def members_of(people: Sequence[EntrantPerson]) -> str | None:
    """Return the member numbers of an entry's people, one unknown as a dash; None if none is known."""
    return " / ".join(who.member or "–" for who in people) if any(who.member for who in people) else None


def clubs_of(people: Sequence[EntrantPerson]) -> str | None:
    """Return the clubs of an entry's people, each once; None if none is known."""
    return " / ".join(dict.fromkeys(who.club for who in people if who.club)) or None


def entries_list(entries: Sequence[tuple[str, Sequence[EntrantPerson]]], words: Words) -> PrintedList:
    """Return the entries, a row for each of their people."""
    columns = (
        Column("number", words["list_nth"], 12), Column("pair", words["pair_col"], 50),
        Column("name", words["entry_name_col"], 46), Column("member", words["entry_member_col"], 24),
        Column("club", words["entry_club_col"], 28), Column("category", words["entry_category_col"], 18),
    )  # fmt: skip
    rows = [
        (n, name, who.name, who.member or None, who.club or None, who.category or None)
        for n, (name, people) in enumerate(entries, start=1)
        for who in people or (EntrantPerson(name),)
    ]
    return PrintedList(words["entry_people"], "", columns, tuple(rows))


def _ranking_list(ranking: Sequence[Ranked], words: Words, about: str, extra: str) -> PrintedList:
    own: tuple[Column, ...]
    ends = (Column("rounds", words["rounds"], 20), Column("deduction", words["warnings"], 28))
    first: tuple[Column, ...] = (Column("place", words["rank"], 14), Column("pair", words["pair_col"], 72))
    if any(one.matches for one in ranking):
        own = (Column("won", words["matches_won"], 20), Column("points", words["points_col"], 20))
        own += (Column("extra", extra, 24),) if extra else ()
        rows = [(one.place or None, one.pair, *_matches(one)[: len(own)], one.rounds, one.deduction) for one in ranking]
    else:
        own = (Column("victory_points", words["vp_short"], 20), Column("match_points", words["mp_short"], 20))
        rows = [(one.place or None, one.pair, one.vp, one.mp, one.rounds, one.deduction) for one in ranking]
    columns = (*first, *own, *ends)
    if not any(one.group for one in ranking):
        return PrintedList(words["ranking"], about, columns, tuple(rows))
    letters = [LETTERS[one.group - 1] if one.group else None for one in ranking]
    grouped = tuple((letter, *row) for letter, row in zip(letters, rows, strict=True))
    narrower = (replace(columns[1], width=columns[1].width - 18),)
    return PrintedList(words["ranking"], about, (_group_column(words), columns[0], *narrower, *columns[2:]), grouped)


def _matches(one: Ranked) -> tuple[int | None, int | None, int | None]:
    return (None, None, None) if one.matches is None else (one.matches.won, one.matches.points, one.matches.extra)


Why = Callable[[LineWarning], Mapping[str, str]]
"""A warning's ``article``, ``reason`` and who gave it (``by``), each empty where that is not known."""


def warnings_list(warned: Iterable[LineWarning], why: Why, words: Words, about: str) -> PrintedList:
    """Return the book of warnings, newest first, each with its article, its reason and who gave it."""
    columns = tuple(
        Column(name, words[head], width)
        for name, head, width in (
            ("time", "csv_time", 13), ("table", "table", 15), ("line", "line_of", 22), ("pair", "pair_col", 36),
            ("nth", "list_nth", 9), ("costs", "vp_short", 11), ("article", "article", 17),
            ("reason", "list_reason", 35), ("by", "list_by", 22),
        )
    )  # fmt: skip
    rows = []
    for one in warned:
        told = why(one)
        line = words.get(one.line, one.line)
        facts = (told.get("article") or None, told.get("reason") or None, told.get("by") or None)
        rows.append((one.time, one.place, line, one.names or None, one.nth, one.costs, *facts))
    return PrintedList(words["warnings_book"], about, columns, tuple(rows))


def prizes_list(prizes: Sequence[Prize], words: Words, about: str) -> PrintedList:
    """List each prize with its winner, by place; with several groups each by its name."""
    comma = words.language == "it"
    rows: list[tuple[Cell, ...]] = []
    for one in prizes:
        told = [amount(one.cents, comma=comma)] if one.cents else []
        told += [words.say("prize_shared", what=thing) if one.shared else thing for thing in one.things]
        group = (LETTERS[one.group - 1],) if one.group else ()
        rows.append((*group, one.place, one.entry, " + ".join(told)))
    grouped = (_group_column(words),) if any(one.group for one in prizes) else ()
    ends = (
        Column("place", words["rank"], 14),
        Column("pair", words["pair_col"], 74),
        Column("prize", words["prize_col"], 60),
    )
    return PrintedList(words["prizes"], about, (*grouped, *ends), tuple(rows))


FORMATS: Final[Mapping[str, str]] = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "pdf": "application/pdf",
    "png": "image/png",
    "txt": "text/plain; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""What a list is given as, by the ending of its name."""
