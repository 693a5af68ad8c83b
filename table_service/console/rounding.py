"""The round's page as values: clock, late lines, the book of warnings, sheets to confirm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from table_service.console.book import Late, Round
from table_service.console.store import TableView

MINUTES: Final = {2: 25, 3: 32, 4: 42}
"""Minutes of a round by its deals (fibur2024, art. 6); the direction may change them."""
SECOND: Final = 2
"""The second warning of a tournament costs a victory point (fibur2024, definitions)."""


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


@dataclass(frozen=True, slots=True)
class Sheet:
    """A counted deal that nobody has confirmed yet. Totals None: not known."""

    place: str
    boot: str
    deal: int
    ns: int | None
    ew: int | None
    agrees: bool | None
    doubtful: tuple[str, ...]


def pair(table: TableView | None, line: object) -> str:
    """The names of a line's players where the club has entered them; empty else."""
    seats = (table.state or {}).get("seats") if table is not None else None
    if not isinstance(seats, Mapping) or line not in ("NS", "EW"):
        return ""
    return " – ".join(str(seats[seat]) for seat in str(line) if seats.get(seat))


def warnings(events: Iterable[tuple[str, Mapping[str, Any]]], tables: Mapping[str, TableView]) -> list[Warned]:
    """The warnings of the evening, newest first; one that was taken back is not among them."""
    count: Counter[str] = Counter()
    found: list[Warned] = []
    for place, event in events:
        data = event.get("data")
        if not isinstance(data, Mapping):
            continue
        line, row = str(data.get("line", "")), str(data.get("row") or "")
        names = pair(tables.get(place), line)
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
        found.append(Warned(str(event.get("time") or "")[11:16], place, line, names, row, nth, costs))
    return found[::-1]


def sheets(
    counted: Iterable[tuple[str, Mapping[str, Any]]], confirmed: Mapping[tuple[str, str, int], str]
) -> list[Sheet]:
    """The counted deals that wait for both lines' confirmation, the last count of each."""
    last: dict[tuple[str, str, int], Sheet] = {}
    for place, event in counted:
        boot, deal, data = event.get("boot"), event.get("deal"), event.get("data")
        if not isinstance(boot, str) or not isinstance(deal, int) or not isinstance(data, Mapping):
            continue
        doubtful = data.get("doubtful")
        last.pop((place, boot, deal), None)
        last[place, boot, deal] = Sheet(
            place,
            boot,
            deal,
            _total(data, "NS"),
            _total(data, "EW"),
            data["agrees"] if isinstance(data.get("agrees"), bool) else None,
            tuple(map(str, doubtful)) if isinstance(doubtful, (list, tuple)) else (),
        )
    return [sheet for key, sheet in last.items() if key not in confirmed][::-1]


def late_minutes(late: Late, now: float) -> float:
    """How late a line is, in minutes with one decimal: what the ruling is given."""
    return round(late.minutes(now), 1)


def clock_ends(at: Round) -> float | None:
    """When the clock runs out, in seconds since 1970; None while it stands still."""
    return None if at.paused is not None or at.ended is not None else at.begun + at.lost + at.minutes * 60


def _total(data: Mapping[str, Any], line: str) -> int | None:
    lines = data.get("lines")
    own = lines.get(line) if isinstance(lines, Mapping) else None
    total = own.get("total") if isinstance(own, Mapping) else None
    return total if isinstance(total, int) and not isinstance(total, bool) else None
