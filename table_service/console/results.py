"""The standing of a round and of the tournament as values: results by table, victory points by pair. Pure.

Nothing is called final before both lines have confirmed every sheet; what is not known is shown as not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hw.seats import LINES
from table_service.console.sheet_book import SheetBook, TableRound
from table_service.console.storage import Round
from table_service.events.untrusted import sum_of

Seated = Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class Result:
    """One line's result of a round. ``deduction``: what warnings cost in the ranking. None is not known."""

    place: str
    line: str
    pair: str
    points: int | None
    mp: int | None
    vp: int | None
    deduction: int


@dataclass(frozen=True, slots=True)
class TableResult:
    """One table of a round. ``state``: that of its sheets, ``open`` while it plays, ``missing`` if nothing was told."""

    place: str
    lines: tuple[Result, Result]
    state: str
    ruled: tuple[str, ...]
    held: TableRound | None

    @property
    def final(self) -> bool:
        """Whether both lines have confirmed every deal."""
        return self.held is not None and self.held.closed


@dataclass(frozen=True, slots=True)
class Ranked:
    """A pair in the ranking. ``vp`` None where one of its rounds is not known; ``rounds``: how many count."""

    place: int
    pair: str
    vp: int | None
    mp: int | None
    rounds: int
    deduction: int


def span(rounds: Sequence[Round], round_: Round) -> tuple[float, float]:
    """From when to when a round's events are heard: from its start to the start of the next."""
    later = [one.begun for one in rounds if one.id > round_.id]
    return round_.begun, min(later, default=float("inf"))


def held_in(sheets: SheetBook, place: str, begun: float, until: float) -> TableRound | None:
    """The round that a table began in that time; None where it began none."""
    found = [one for one in sheets.rounds(place) if begun <= one.heard < until]
    return found[-1] if found else None


def results(
    sheets: SheetBook, places: Iterable[str], seated: Seated, begun: float = 0.0, until: float = float("inf")
) -> list[TableResult]:
    """What each table has told of the round that was begun in that time."""
    return [_result(place, held_in(sheets, place, begun, until), seated) for place in places]


def _result(place: str, held: TableRound | None, seated: Seated) -> TableResult:
    none: tuple[int | None, int | None] = (None, None)
    points = none if held is None or not held.sheets else held.running()
    mp = none if held is None else held.points("match_points")
    vp = none if held is None else held.points("victory_points")
    lost = none if held is None else held.points("deductions")
    ns, ew = (
        Result(place, line, seated.get((place, line), ""), points[n], mp[n], vp[n], lost[n] or 0)
        for n, line in enumerate(LINES)
    )
    rows = () if held is None else tuple(str(e.get("data", {}).get("row")) for e in held.ruled.values())
    return TableResult(place, (ns, ew), "missing" if held is None else held.state, rows, held)


def resting(pair: str, bye: tuple[int, int] | None) -> Result:
    """The round of a pair that rested: victory and match points of ``bye``, unknown where the code states none."""
    vp, mp = bye or (None, None)
    return Result("", "", pair, None, mp, vp, 0)


def ranking(rounds: Iterable[Sequence[TableResult]], rests: Iterable[Result] = ()) -> list[Ranked]:
    """The pairs by victory points, then by match points; a pair with a round that is not known stands last, unranked.

    ``rests``: the rounds in which somebody rested.

    Only lines whose pair the club has entered are ranked; a table that still plays has no result. The code names no way
    to part equals: they share a place.
    """
    rows = [
        (pair, sum_of(r.vp for r in own), sum_of(r.mp for r in own), len(own), sum(r.deduction for r in own))
        for pair, own in _by_pair(rounds, rests).items()
    ]
    known = sorted((row for row in rows if row[1] is not None), key=lambda row: (-_total(row), -(row[2] or 0), row[0]))
    found: list[Ranked] = []
    for n, row in enumerate(known, start=1):
        same = found and (found[-1].vp, found[-1].mp) == (_total(row), row[2])
        found.append(Ranked(found[-1].place if same else n, row[0], _total(row), row[2], row[3], row[4]))
    return found + [Ranked(0, row[0], None, row[2], row[3], row[4]) for row in rows if row[1] is None]


def _by_pair(rounds: Iterable[Sequence[TableResult]], rests: Iterable[Result]) -> dict[str, list[Result]]:
    """The results of each pair that was entered, round by round; unknown where its table still plays."""
    sums: dict[str, list[Result]] = {}
    for one in rests:
        sums.setdefault(one.pair, []).append(one)
    for table in (table for tables in rounds for table in tables if table.held is not None):
        for one in table.lines:
            if one.pair:
                known = one if table.state != "open" else replace(one, vp=None, mp=None)
                sums.setdefault(one.pair, []).append(known)
    return sums


def published(tournament: str, ranked: Iterable[Ranked]) -> dict[str, Any]:
    """A ranking as everybody may see it: no warning, no deduction, only what each pair has."""
    rows = [{"place": r.place, "pair": r.pair, "vp": r.vp, "mp": r.mp, "rounds": r.rounds} for r in ranked]
    return {"tournament": tournament, "rows": rows}


def _total(row: tuple[str, int | None, int | None, int, int]) -> int:
    return (row[1] or 0) + row[4]
