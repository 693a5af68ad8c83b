"""What the small screen shows, as values: from the table's public state and the counts it has told. Pure.

Nothing but what is named here is taken: no hand's count, no time left, no accusation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

LINES: Final = ("NS", "EW")
BASE: Final = ("burraco", "closing", "bonus")
POINTS: Final = ("melds", "pot", "hand", "penalised")
"""The two sums of a printed sheet (definition of the base; art. 18)."""
Values = tuple[int | None, int | None]
Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a sheet: North-South and East-West; None is not known. ``sum``: a sum of the rows above."""

    name: str
    values: Values
    sum: bool = False
    corrected: tuple[bool, bool] = (False, False)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The sheet of a counted deal. ``how``: by line display, paper, disputed, or empty while it has said nothing."""

    deal: int
    event: str
    rows: tuple[Row, ...]
    how: tuple[str, str]

    @property
    def unclear(self) -> bool:
        """Whether a total is not known: then there is nothing to confirm."""
        return None in self.rows[-1].values

    @property
    def closed(self) -> bool:
        """Whether both lines have confirmed it."""
        return all(how in ("display", "paper") for how in self.how)


@dataclass(frozen=True, slots=True)
class Face:
    """The whole screen. ``seat``: whose turn it is, None where that is not known or nobody's."""

    table: str
    deal: int | None
    deals: int | None
    phase: str
    seat: str | None
    stopped: bool
    called: bool
    running: Values
    sheet: Sheet | None
    """The first sheet that waits for a line, else the last one."""
    before: tuple[tuple[int, Values], ...]
    result: tuple[tuple[int | None, int | None], ...] = ()
    """Match points and victory points by line, once the round is counted."""


def face(
    state: Mapping[str, Any], alerts: Iterable[Mapping[str, Any]], scores: Mapping[int, Mapping[str, Any]]
) -> Face:
    """The screen for the public ``state``, the ``alerts`` that wait, and the last count of each deal (its event)."""
    waiting = list(alerts)
    sheets = [sheet for number in sorted(scores) if (sheet := _sheet(number, scores[number], state)) is not None]
    open_ = next((sheet for sheet in sheets if not sheet.closed), None)
    turn, score = _map(state.get("turn")), _map(state.get("score"))
    running = _map(score.get("running"))
    totals = {number: _pair(one) for number, one in _map(score.get("deals")).items()}
    phase = str(state.get("phase") or "none") if state.get("deal") is not None else "none"
    return Face(
        table=str(state.get("table")),
        deal=_whole(state.get("deal")),
        deals=_whole(_map(state.get("round")).get("deals")),
        phase=phase,
        seat=str(turn["seat"]) if phase in ("dealt", "playing") and turn.get("seat") in tuple("NESW") else None,
        stopped=any(one.get("severity") == "play-stops" for one in waiting),
        called=any(one.get("call") is True and "sheet" not in one for one in waiting),
        running=_pair(running) if totals else (0, 0),
        sheet=open_ or (sheets[-1] if sheets and phase != "playing" else None),
        before=tuple((int(number), pair) for number, pair in sorted(totals.items(), key=lambda one: int(one[0]))),
        result=_result(scores, state),
    )


def _sheet(number: int, event: Mapping[str, Any], state: Mapping[str, Any]) -> Sheet | None:
    held = _map(_map(state.get("sheets")).get(str(number)))
    if held.get("score") != event.get("id"):
        return None
    data = _map(event.get("data"))
    lines = _map(data.get("lines"))
    items = {line: _map(_map(lines.get(line)).get("items")) for line in LINES}
    changed = {str(one) for one in held.get("corrected") or ()}

    def row(name: str) -> Row:
        marks = tuple(f"{line}.{name}" in changed for line in LINES)
        return Row(name, _two(_whole(items[line].get(name)) for line in LINES), corrected=(marks[0], marks[1]))

    def total(name: str, rows: Iterable[Row]) -> Row:
        known = list(rows)
        return Row(name, _two(_sum(one.values[n] for one in known) for n in (0, 1)), sum=True)

    base, points = [row(name) for name in BASE], [row(name) for name in POINTS]
    whole = Row(
        "total",
        _two(_whole(_map(lines.get(line)).get("total")) for line in LINES),
        sum=True,
        corrected=("NS.total" in changed, "EW.total" in changed),
    )
    confirmed, disputed = _map(held.get("confirmed")), _map(held.get("disputed"))
    how = tuple("disputed" if line in disputed else str(confirmed.get(line) or "") for line in LINES)
    rows = (*base, total("base", base), *points, total("points_sum", points), whole)
    return Sheet(number, str(event.get("id")), rows, (how[0], how[1]))


def _result(scores: Mapping[int, Mapping[str, Any]], state: Mapping[str, Any]) -> tuple[Values, ...]:
    """Match points and victory points, where the count that was told last names them."""
    deals = _whole(_map(state.get("round")).get("deals"))
    if not scores or deals is None or len(scores) < deals:
        return ()
    newest = max(scores.values(), key=lambda event: (str(event.get("boot")), event.get("seq") or 0))
    data = _map(newest.get("data"))
    found = tuple(_pair(_map(data.get(name))) for name in ("match_points", "victory_points"))
    return found if any(value is not None for pair in found for value in pair) else ()


def _sum(values: Iterable[int | None]) -> int | None:
    known = list(values)
    return None if None in known else sum(value or 0 for value in known)


def _two(values: Iterable[int | None]) -> Values:
    first, second = values
    return first, second


def _pair(value: Mapping[str, Any]) -> Values:
    return _whole(value.get("NS")), _whole(value.get("EW"))


def _map(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
