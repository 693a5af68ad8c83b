"""The round's page as values: clock, late lines, the book of warnings, who sits where, what is to be done next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hw.seats import LINES
from table_service.console.results import TableResult
from table_service.console.seating_lines import ABSENT, Seats, matches_of_teams
from table_service.console.storage import Late, Round
from table_service.console.table_view import TableView
from table_service.console.times import local
from table_service.console.views import line_of_seat, seats_of
from table_service.tournament import partners

Told = tuple[str, Mapping[str, Any], float]
"""An event with its table and when it was heard."""


@dataclass(frozen=True, slots=True)
class LineWarning:
    """One warning; ``nth``: how many the line has had in the tournament, ``costs``: victory points in the ranking.

    ``costs`` as the table says, whose code knows it; ``nth`` too, or else counted here by the pair's names, or by the
    line at its table.
    """

    time: str
    place: str
    line: str
    names: str
    row: str
    nth: int
    costs: int
    heard: float = 0.0


class SeatingHistory:
    """Seating round by round, as far as the club has entered it; else the names at the table."""

    def __init__(
        self, rounds: Sequence[Round], seated: Mapping[int, Mapping[tuple[str, str], str]], tables: Tables
    ) -> None:
        self._rounds, self._seated, self._tables = rounds, seated, tables

    def pair(self, place: str, line: str, heard: float) -> str:
        """Return the pair at a table and line at that time; empty if none was entered."""
        then = [one for one in self._rounds if one.begun <= heard]
        named = self._seated.get(then[-1].id, {}).get((place, line), "") if then else ""
        return named or pair(self._tables.get(place), line)


Tables = Mapping[str, TableView]


def pair(table: TableView | None, line: object) -> str:
    """Return the names of a line's players if the table has them; else an empty text."""
    seats = (table.state or {}).get("seats") if table is not None else None
    if not isinstance(seats, Mapping) or line not in LINES:
        return ""
    state = {"seats": seats}
    own = [seat for seat in seats_of(state) if line_of_seat(seat, state) == line]
    return " – ".join(str(seats[seat]) for seat in own if seats.get(seat))


def warnings(events: Iterable[Told], seating: SeatingHistory) -> list[LineWarning]:
    """Return the warnings of the tournament, newest first; one that was taken back is not among them."""
    count: Counter[str] = Counter()
    found: list[LineWarning] = []
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
        costs = cost if isinstance(cost, int) and not isinstance(cost, bool) else 0
        found.append(LineWarning(local(event.get("time"), "%H:%M"), place, line, names, row, nth, costs, heard))
    return found[::-1]


def brought(warned: Iterable[LineWarning], seated: Mapping[tuple[str, str], str], place: str) -> dict[str, int]:
    """Return how many warnings of earlier rounds the pairs at ``place`` bring; only of pairs whose names were entered.

    Of two single players the one with the more.
    """
    count = Counter(player for one in warned for player in partners(one.names) if player)
    found = {
        line: max(count[player] for player in partners(seated[place, line]))
        for line in LINES
        if seated.get((place, line))
    }
    return {line: number for line, number in found.items() if number}


OWN_TERMS: Final = ("warnings", "pairs", "boards", "next", "records")
"""What the order to start a round says to one table alone."""


def own_terms(warned: Iterable[LineWarning], seated: Seats, place: str) -> dict[str, Any]:
    """Fields of the start order for this table alone: who sits there, what they bring, which room it is."""
    carried = brought(warned, seated, place)
    pairs = {line: seated[place, line] for line in LINES if seated.get((place, line))}
    rooms = {at: room for both in matches_of_teams(seated) for at, room in zip(both, ("open", "closed"), strict=True)}
    return {
        **({"warnings": carried} if carried else {}),
        **({"pairs": pairs} if pairs else {}),
        **({"room": rooms[place]} if place in rooms else {}),
    }


def next_seats(now: Seats, then: Seats, place: str) -> dict[str, list[dict[str, str | None]]]:
    """Next seat of each player at ``place``, by line: ``now`` here, ``then`` there; no table if resting, a team both.

    Players absent from ``then`` are left out.
    """
    at: dict[str, list[tuple[str, str]]] = {}
    for (table, line), name in then.items():
        for player in partners(name) if table != ABSENT else ():
            at.setdefault(player.casefold(), []).append((table, line))
    found: dict[str, list[dict[str, str | None]]] = {}
    for line in LINES:
        for player in partners(now.get((place, line), "")):
            for table, side in at.get(player.casefold(), ()):
                there = {"name": player, "table": table or None, "line": side if table else None}
                found.setdefault(line, []).append(there)
    return found


def late_minutes(late: Late, now: float) -> float:
    """Return how late a line is, in minutes with one decimal: what the ruling is given."""
    return round(late.minutes(now), 1)


def clock_ends(at: Round) -> float | None:
    """Return when the clock runs out, in seconds since 1970; None while it stands still."""
    return None if at.paused is not None or at.ended is not None else at.begun + at.lost + at.minutes * 60


@dataclass(frozen=True, slots=True)
class Left:
    """Tasks left beside the tables of a round: results that only the arbitro can give, protests to decide.

    ``tournament``: whether one goes on; ``deals``, ``plays``: tables that wait for their deal, for the start of play;
    ``stopped``: tables with deals to come that play none now; ``alerts``: what waits in the arbitro's list.
    """

    lacking: int = 0
    protests: int = 0
    tournament: bool = True
    deals: int = 0
    plays: int = 0
    stopped: int = 0
    alerts: int = 0


LEADS_TO: Final[Mapping[str, str]] = {
    "next_start": "#start-details",
    "next_go_on": "#go-on",
    "next_time_out": "#act-out",
    "next_silent": "#round-sheets",
    "next_deal": "#due-deal",
    "next_play": "#due-start-play",
    "next_sheets": "#round-sheets",
    "next_end": "#act-end",
    "next_alerts": "/#queue",
    "next_points": "/standing#points",
    "next_protests": "#protests",
    "next_post": "#seating",
    "next_ranking": "#ranking",
    "next_final": "#act-close",
}
"""Page of each next task; tasks of players have none."""


def next_step(at: Round | None, tables: Sequence[TableResult], now: float, left: Left = Left()) -> tuple[str, int]:
    """Return what the direction does next, as the name of a sentence, and the number in it."""
    if at is None or (at.ended is not None and not left.tournament):
        return "next_start", 0
    if at.ended is not None:
        return _next_after(at, _count_sheets(tables), left)
    if at.paused is not None:
        return "next_go_on", 0
    if at.out is None and at.left(now) <= 0:
        return "next_time_out", 0
    return _next_at_tables(at, tables, left)


def _count_sheets(tables: Sequence[TableResult]) -> int:
    """Count of tables with sheets to confirm."""
    return sum(not table.final and table.state not in ("missing", "open") for table in tables)


def _next_at_tables(at: Round, tables: Sequence[TableResult], left: Left) -> tuple[str, int]:
    """Return the direction's next tasks while a round is played, first those for which whole tables wait."""
    playing = sum(table.state == "open" for table in tables)
    steps = (
        ("next_silent", sum(table.state == "missing" for table in tables)),
        ("next_deal", left.deals),
        ("next_play", left.plays),
        ("next_wait", playing) if at.out is None else ("next_last_turns", playing - left.stopped),
        ("next_sheets", _count_sheets(tables)),
    )
    return next(((step, count) for step, count in steps if count), ("next_end", 0))


def _next_after(at: Round, open_sheets: int, left: Left) -> tuple[str, int]:
    """Return the same once the round has ended: what is still to be done of it, before the next or the ranking."""
    for step, count in (
        ("next_sheets", open_sheets),
        ("next_alerts", left.alerts),
        ("next_points", left.lacking),
        ("next_protests", left.protests),
    ):
        if count:
            return step, count
    if at.kind == "last":
        return ("next_ranking", 0) if at.shown is None else ("next_final", 0)
    return ("next_post", 0) if at.posted is None else ("next_start", 0)
