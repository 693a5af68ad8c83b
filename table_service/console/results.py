"""The standing of a round and of the tournament as values: results by table, victory points by pair. Pure.

Nothing is called final before both lines have confirmed every sheet; what is not known is shown as not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from hw.seats import LINES
from table_service.console.score_sheet import URGENCY
from table_service.console.seating_lines import ROOMS
from table_service.console.sheet_book import LineMatchEnd, SheetBook, TableRound
from table_service.console.storage import Round
from table_service.events.untrusted import sum_of
from table_service.games.event_rules import Room, TeamMatch, TeamResult
from table_service.games.reports import ArbitroAward

ASSIGNED: Final = "assigned"
"""The state of a table at which nobody plays: the direction has given both their points."""
Seated = Mapping[tuple[str, str], str]
Rooms = Mapping[tuple[str, str], tuple[str, str]]
"""By the two tables of a match of teams, the open room first: the team that sits North–South there, and the other."""
OPEN: Final = "open"
MISSING: Final = "missing"
_STATES: Final = (MISSING, OPEN, *URGENCY)
"""The state of a match of teams is the first of these that one of its tables has."""


@dataclass(frozen=True, slots=True)
class RoundResult:
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
    match: LineMatchEnd | None = None

    @property
    def is_known(self) -> bool:
        """True if the victory points, or who won the match, are known: a match of too few deals has no winner."""
        return self.vp is not None or (self.match is not None and self.match.won is not None)


@dataclass(frozen=True, slots=True)
class TableResult:
    """One table of a round.

    ``state``: that of its sheets, ``open`` while it plays, ``missing`` if nothing was told, ``assigned`` where the
    direction has given the points.
    """

    place: str
    lines: tuple[RoundResult, RoundResult]
    state: str
    ruled: tuple[str, ...]
    held: TableRound | None
    rooms: tuple[str, ...] = ()
    """The two tables of a match of teams that this is; empty for one table."""
    lead: Fraction | None = None
    """By how much North–South leads where a knock-out goes by something of its own (`TeamResult.lead`)."""

    @property
    def final(self) -> bool:
        """True once both lines have confirmed every deal, or if no deal is played here."""
        return self.state == ASSIGNED or (self.held is not None and self.held.closed)


def assigned(tables: Iterable[TableResult], points: Mapping[str, tuple[int | None, int | None]]) -> list[TableResult]:
    """``tables``, where those whose entries have ``points`` without play (victory, match points) show these."""
    return [_assigned(one, points) if any(line.pair in points for line in one.lines) else one for one in tables]


def _assigned(table: TableResult, points: Mapping[str, tuple[int | None, int | None]]) -> TableResult:
    ns, ew = (
        replace(one, vp=points[one.pair][0], mp=points[one.pair][1]) if one.pair in points else one
        for one in table.lines
    )
    return replace(table, lines=(ns, ew), state=ASSIGNED)


def supplied(tables: Iterable[TableResult], points: Mapping[str, tuple[int | None, int | None]]) -> list[TableResult]:
    """``tables``, where what they do not tell is the arbitro's ``points`` (victory, match points) by entry.

    A table that has played keeps its state and its own figures; one without a result is ``assigned``. Its open sheets
    come first.
    """
    return [_supplied(one, points) for one in tables]


def _supplied(table: TableResult, points: Mapping[str, tuple[int | None, int | None]]) -> TableResult:
    if table.final:
        filled = [_filled(one, points[one.pair][0]) if _takes(one, points) else one for one in table.lines]
        return replace(table, lines=(filled[0], filled[1]))
    unplayed = table.state in (OPEN, MISSING) and all(one.pair in points for one in table.lines)
    return _assigned(table, points) if unplayed else table


def _takes(line: RoundResult, points: Mapping[str, tuple[int | None, int | None]]) -> bool:
    return line.pair in points and not line.is_known


def _filled(line: RoundResult, vp: int | None) -> RoundResult:
    """``line`` with the points that the arbitro gave; of a match that has no winner 1 is won and 0 lost."""
    if line.match is None:
        return replace(line, vp=vp)
    return replace(line, match=replace(line.match, won={0: False, 1: True}.get(-1 if vp is None else vp)))


@dataclass(frozen=True, slots=True)
class Lack:
    """Reason why the result of ``entry`` in round ``number`` is not known; ``round``: its key in the file.

    ``place``: its table, or the place of who sits nowhere. ``why``: ``sheets`` are to be confirmed, the table
    ``plays``, has told nothing (``silent``), or the code leaves the ``points`` to the arbitro.
    """

    entry: str
    number: int
    round: int
    place: str
    why: str
    mp: int | None = None


def lacks(tables: Iterable[TableResult], number: int, round_: int) -> list[Lack]:
    """Entries at ``tables`` whose result is not known, each with the reason."""
    whys = {OPEN: "plays", MISSING: "silent"}
    return [
        Lack(
            one.pair, number, round_, table.place, whys.get(table.state, "points" if table.final else "sheets"), one.mp
        )
        for table in tables
        for one in table.lines
        if one.pair and not (table.final and one.is_known)
    ]


def span(rounds: Sequence[Round], round_: Round) -> tuple[float, float]:
    """From when to when a round's events are heard: from its start to the start of the next."""
    later = [one.begun for one in rounds if one.id > round_.id]
    return round_.begun, min(later, default=float("inf"))


def held_in(sheets: SheetBook, place: str, begun: float, until: float) -> TableRound | None:
    """Return the round that a table began in that time; None if it began none."""
    found = [one for one in sheets.rounds(place) if begun <= one.heard < until]
    return found[-1] if found else None


def results(
    sheets: SheetBook, places: Iterable[str], seated: Seated, begun: float = 0.0, until: float = float("inf")
) -> list[TableResult]:
    """Return the result of each table in the round that was begun in that time."""
    return [_result(place, held_in(sheets, place, begun, until), seated) for place in places]


def _result(place: str, held: TableRound | None, seated: Seated) -> TableResult:
    none: tuple[int | None, int | None] = (None, None)
    points = none if held is None or not held.sheets else held.running()
    mp = none if held is None else held.points("match_points")
    vp = none if held is None else held.points("victory_points")
    lost = none if held is None else held.points("deductions")
    told = None if held is None else held.match()
    ns, ew = (
        RoundResult(
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
    return TableResult(place, (ns, ew), MISSING if held is None else held.state, rows, held)


def matches_of(
    tables: Sequence[TableResult],
    rooms: Rooms,
    deals: int,
    match: TeamMatch | None,
    awards: Sequence[ArbitroAward] = (),
) -> list[TableResult]:
    """Return the results of a round in which teams play: their two tables as one, all other tables as they are.

    ``rooms``: the two tables of each match, and the two teams; ``match``: the code's result of one, None where it has
    none. ``awards``: what arbitri have entered of the round.
    """
    by_place = {one.place: one for one in tables}
    both = {place for pair in rooms for place in pair}
    found = [one for one in tables if one.place not in both]
    for places, teams in rooms.items():
        held = [by_place[place] for place in places if place in by_place]
        if len(held) == len(places):
            home, away = _room(held[0].lines, held[0], awards), _room(held[1].lines[::-1], held[1], awards)
            told = TeamResult() if match is None else match(deals, home, away)
            found.append(_match_of(held[0], held[1], teams, told))
    return found


def _match_of(open_: TableResult, closed: TableResult, teams: tuple[str, str], told: TeamResult) -> TableResult:
    lines = []
    for n, (line, team) in enumerate(zip(LINES, teams, strict=True)):
        one, other = open_.lines[n], closed.lines[1 - n]
        points, lost = sum_of((one.points, other.points)), one.deduction + other.deduction
        lines.append(RoundResult(open_.place, line, team, points, told.won[n], told.vp[n], lost))
    state = min((open_.state, closed.state), key=lambda one: _STATES.index(one) if one in _STATES else len(_STATES))
    held = None if open_.held is None or closed.held is None else open_.held
    ruled = open_.ruled + closed.ruled
    rooms = (open_.place, closed.place)
    return TableResult(ROOMS.join(rooms), (lines[0], lines[1]), state, ruled, held, rooms, told.lead)


def _room(lines: tuple[RoundResult, RoundResult], table: TableResult, awards: Sequence[ArbitroAward]) -> Room:
    """Return a table as one room, ``lines`` the home team's first; its deals by the game's numbers if it has some."""
    home, away = lines
    sheets, numbers = ({}, {}) if table.held is None else (table.held.sheets, table.held.numbers)
    deals = {numbers.get(n, n): (sheet.total(home.line), sheet.total(away.line)) for n, sheet in sheets.items()}
    own = tuple(one for one in awards if one.place == table.place)
    return Room((home.mp, away.mp), deals, own, {} if table.held is None else table.held.named)


def winners(tables: Iterable[TableResult]) -> set[str]:
    """Winner at each table of a knock-out, as far as known.

    By what the code says of knock-outs, else the match, else by victory points, else by match points.
    """
    found = set()
    for table in tables:
        ns, ew = table.lines
        if table.lead is not None:
            found |= {ns.pair if table.lead > 0 else ew.pair} if table.lead else set()
            continue
        merits = [(None if one.match is None else one.match.won, one.vp, one.mp) for one in (ns, ew)]
        better = next(
            (mine > other for mine, other in zip(*merits, strict=True) if None not in (mine, other) and mine != other),
            None,
        )
        if better is not None:
            found.add(ns.pair if better else ew.pair)
    return found


def extra_title(tables: Iterable[TableResult]) -> Mapping[str, str]:
    """Title of the figure beside the matches of a ranking, by language; empty if there is none."""
    told = (table.held.match() for table in tables if table.held is not None)
    return next((one.extra_title for one in told if one is not None), {})
