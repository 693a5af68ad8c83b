"""The standing of a round and of the tournament as values: results by table, victory points by pair. Pure.

Nothing is called final before both lines have confirmed every sheet; what is not known is shown as not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from hw.seats import LINES
from table_service.console.sheet_book import MatchEnd, SheetBook, TableRound
from table_service.console.storage import Round
from table_service.events.untrusted import sum_of

Seated = Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class Result:
    """One line's result of a round. ``deduction``: what warnings cost in the ranking. None is not known.

    ``match``: where the round was a match, and pairs are ranked by the matches that they win.
    """

    place: str
    line: str
    pair: str
    points: int | None
    mp: int | None
    vp: int | None
    deduction: int
    match: MatchEnd | None = None


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
class Matches:
    """The matches of a pair. ``points``: in all of them; ``extra``: what is counted beside; None: not known."""

    won: int
    points: int | None
    extra: int | None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A pair in the ranking; ``rounds``: how many count.

    ``vp`` None where one of its rounds is not known, and ``matches`` as well where pairs are ranked by them.
    """

    place: int
    pair: str
    vp: int | None
    mp: int | None
    rounds: int
    deduction: int
    matches: Matches | None = None

    @property
    def merit(self) -> tuple[int, int] | None:
        """What it is ranked by, the first before the second; None where that is not known.

        Victory points and match points, or matches won and the points in them.
        """
        if self.matches is None:
            return None if self.vp is None else (self.vp, self.mp or 0)
        return None if self.matches.points is None else (self.matches.won, self.matches.points)


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
    told = None if held is None else held.match()
    ns, ew = (
        Result(
            place,
            line,
            seated.get((place, line), ""),
            points[n],
            mp[n],
            vp[n],
            lost[n] or 0,
            None if told is None else told.lines[n],
        )
        for n, line in enumerate(LINES)
    )
    rows = () if held is None else tuple(str(e.get("data", {}).get("row")) for e in held.ruled.values())
    return TableResult(place, (ns, ew), "missing" if held is None else held.state, rows, held)


def resting(pair: str, bye: tuple[int, int] | None) -> Result:
    """The round of a pair that rested: victory and match points of ``bye``, unknown where the code states none."""
    vp, mp = bye or (None, None)
    return Result("", "", pair, None, mp, vp, 0)


def ranking(rounds: Iterable[Sequence[TableResult]], rests: Iterable[Result] = ()) -> list[Ranked]:
    """The pairs by merit; a pair with a round that is not known stands last, unranked.

    Merit are victory points, then match points; where rounds are matches, the matches won, then points in all of them:
    a default, as no rules of a game name an order. What is counted beside them parts nobody, and equals share a
    place. ``rests``: the rounds in which somebody rested. Only lines whose pair the club has entered are ranked; a
    table that still plays has no result.
    """
    rows = [_ranked(pair, own) for pair, own in _by_pair(rounds, rests).items()]
    known = [row for row in rows if row.merit is not None]
    known.sort(key=lambda row: (*(-part for part in row.merit or ()), row.pair))
    found: list[Ranked] = []
    for n, row in enumerate(known, start=1):
        same = found and found[-1].merit == row.merit
        found.append(replace(row, place=found[-1].place if same else n))
    return found + [row for row in rows if row.merit is None]


def _ranked(pair: str, own: Sequence[Result]) -> Ranked:
    """``pair`` by its results, without a place. A round of another kind than its matches is not known."""
    deduction = sum(one.deduction for one in own)
    points = sum_of(one.mp for one in own)
    if all(one.match is None for one in own):
        total = sum_of(one.vp for one in own)
        return Ranked(0, pair, None if total is None else total + deduction, points, len(own), deduction)
    ends = [one.match or MatchEnd() for one in own]
    won = sum_of(None if one.won is None else int(one.won) for one in ends)
    matches = None if won is None else Matches(won, sum_of(e.points for e in ends), sum_of(e.extra for e in ends))
    return Ranked(0, pair, None, points, len(own), deduction, matches)


def _by_pair(rounds: Iterable[Sequence[TableResult]], rests: Iterable[Result]) -> dict[str, list[Result]]:
    """The results of each pair that was entered, round by round; unknown where its table still plays."""
    sums: dict[str, list[Result]] = {}
    for one in rests:
        sums.setdefault(one.pair, []).append(one)
    for table in (table for tables in rounds for table in tables if table.held is not None):
        for one in table.lines:
            if one.pair:
                known = one if table.state != "open" else replace(one, vp=None, mp=None, match=one.match and MatchEnd())
                sums.setdefault(one.pair, []).append(known)
    return sums


def extra_title(tables: Iterable[TableResult]) -> Mapping[str, str]:
    """What is counted beside the matches of a ranking, by language; empty where nothing is."""
    told = (table.held.match() for table in tables if table.held is not None)
    return next((one.extra_title for one in told if one is not None), {})


def published(tournament: str, ranked: Iterable[Ranked], extra: Mapping[str, str] | None = None) -> dict[str, Any]:
    """A ranking as everybody may see it: no warning, no deduction, only what each pair has.

    ``extra``: what is counted beside matches, by language.
    """
    rows = [
        {
            "place": r.place,
            "pair": r.pair,
            "vp": r.vp,
            "mp": r.mp,
            "rounds": r.rounds,
            **({} if r.matches is None else asdict(r.matches)),
        }
        for r in ranked
    ]
    return {"tournament": tournament, "rows": rows, "extra": dict(extra or {})}
