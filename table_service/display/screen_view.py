"""View of the small screen, as values: from the table's public state and the counts it has reported. Pure.

Nothing but what is named here is taken: no hand's count, no accusation; a time left only if the code wants it seen
(then the state names a countdown).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hw.seats import LINES, SEATS
from hw.table_options import PAIR
from table_service.events.untrusted import as_list, as_map, as_whole, sum_of
from table_service.games.game_pages import Agreement, Text
from table_service.rulesets import rule_set_or_default
from table_service.table.score_items import sheet_told

Values = tuple[int | None, int | None]
Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ScreenRow:
    """One row of a sheet: North-South and East-West; None is not known. ``sum``: a sum of the rows above.

    ``title``: Italian and English; None for the total.
    """

    name: str
    values: Values
    title: Text | None = None
    sum: bool = False
    corrected: tuple[bool, bool] = (False, False)


@dataclass(frozen=True, slots=True)
class SheetView:
    """The sheet of a counted deal. ``how``: by line display, paper, disputed, or empty while it has said nothing."""

    deal: int
    event: str
    rows: tuple[ScreenRow, ...]
    how: tuple[str, str]

    @property
    def unclear(self) -> bool:
        """True if a total is not known: then there is nothing to confirm."""
        return None in self.rows[-1].values

    @property
    def closed(self) -> bool:
        """True if both lines have confirmed it."""
        return all(how in ("display", "paper") for how in self.how)


@dataclass(frozen=True, slots=True)
class Face:
    """The whole screen. ``seat``: whose turn it is, None if unknown or no player's."""

    table: str
    deal: int | None
    deals: int | None
    phase: str
    seat: str | None
    stopped: bool
    called: bool
    running: Values
    sheet: SheetView | None
    """The first sheet that waits for a line, else the last one."""
    before: tuple[tuple[int, Values], ...]
    result: tuple[tuple[int | None, int | None], ...] = ()
    """Match points and victory points by line, once the round is counted; empty if the code has none of these."""
    won_by: tuple[str, Text] | None = None
    """Winner of the match, and the words that lead to its name, if the game has one."""
    seats: tuple[str, ...] = tuple("NESW")
    """Seats with players."""
    timed: bool = False
    """True if the code wants the time of an action seen."""
    until: float | None = None
    """When the time of who is in turn ends, by the log's clock; None while none runs."""
    agreement: Agreement | None = None
    """Statement about the deal that waits for a player of each line to agree."""
    said: Text | None = None
    """The game's words for the phase, if it has some and no player is in turn."""

    pairs: tuple[str, ...] = ()
    """Entries seated here, North-South first; empty if unknown."""
    goes: tuple[tuple[str, str | None, str | None], ...] = ()
    """Next place of each, once it is posted: name, table, line; without a table it rests."""

    boards: tuple[int, ...] = ()
    """The boards of the round at this table that may be named now, as none is being called or played."""
    board: int | None = None
    """The board that is played or was played last."""
    next_board: int | None = None
    """The board that comes next."""
    is_last_board: bool = False
    """True if the boards of the round have all begun here."""

    def left(self, t: float) -> int | None:
        """Return the whole seconds left at ``t``, the last one counted down to 0; None while no time runs."""
        return None if self.until is None else max(0, math.ceil(self.until - t))


def _phase(state: Mapping[str, Any]) -> str:
    return str(state.get("phase") or "none") if state.get("deal") is not None else "none"


def _to_play(state: Mapping[str, Any], phase: str) -> str | None:
    """Return the seat in turn, while cards are played."""
    seat = as_map(state.get("turn")).get("seat")
    return str(seat) if phase not in ("none", "over") and seat in SEATS else None


def face(
    state: Mapping[str, Any], alerts: Iterable[Mapping[str, Any]], scores: Mapping[int, Mapping[str, Any]]
) -> Face:
    """Return the screen for the public ``state``, the waiting ``alerts``, and each deal's last count (its event)."""
    waiting = list(alerts)
    sheets = [sheet for number in sorted(scores) if (sheet := _sheet(number, scores[number], state)) is not None]
    open_ = next((sheet for sheet in sheets if not sheet.closed), None)
    score = as_map(state.get("score"))
    running = as_map(score.get("running"))
    totals = {number: _pair(one) for number, one in as_map(score.get("deals")).items()}
    phase = _phase(state)
    return Face(
        table=str(state.get("table")),
        deal=as_whole(state.get("deal")),
        deals=as_whole(as_map(state.get("round")).get("deals")),
        phase=phase,
        seat=_to_play(state, phase),
        stopped=any(one.get("severity") == "play-stops" for one in waiting),
        called=any(one.get("call") is True and "sheet" not in one for one in waiting),
        running=_pair(running) if totals else (0, 0),
        sheet=open_ or (sheets[-1] if sheets and phase != "playing" else None),
        before=tuple((int(number), pair) for number, pair in sorted(totals.items(), key=lambda one: int(one[0]))),
        result=_result(scores, state),
        won_by=_won_by(state),
        seats=_seats(state),
        timed="countdown" in state,
        until=_until(state, phase),
        agreement=rule_set_or_default(state.get("rules")).pages.agreement_of(state),
        said=rule_set_or_default(state.get("rules")).pages.words.get(f"phase_{phase}"),
        pairs=_pairs(state),
        goes=_goes(as_map(state.get("next"))),
        boards=_boards(state, phase),
        board=as_whole(state.get("board")),
        next_board=as_whole(state.get("next_board")),
        is_last_board="next_board" in state and state["next_board"] is None,
    )


def _boards(state: Mapping[str, Any], phase: str) -> tuple[int, ...]:
    """Return the boards that a player may name: before the first call, and between two boards."""
    if phase not in ("none", "over") and (phase != "auction" or as_list(state.get("auction"))):
        return ()
    numbers = (as_whole(one) for one in as_list(state.get("boards")))
    here = as_whole(state.get("board")) if phase == "auction" else None
    return tuple(one for one in numbers if one is not None and one != here)


def _pairs(state: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the entry on each line, as the console has sent it; empty if it has not."""
    told = as_map(state.get("pairs"))
    return tuple(str(told.get(line) or "") for line in LINES) if told else ()


def _goes(told: Mapping[str, Any]) -> tuple[tuple[str, str | None, str | None], ...]:
    seats = [as_map(one) for line in LINES for one in as_list(told.get(line))]
    return tuple((str(one.get("name")), _text(one.get("table")), _text(one.get("line"))) for one in seats)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _seats(state: Mapping[str, Any]) -> tuple[str, ...]:
    """Return who plays: the two that are named at a table of two, else all four."""
    named = as_map(state.get("seats"))
    return tuple(seat for seat in "NESW" if len(named) != PAIR or seat in named)


def _until(state: Mapping[str, Any], phase: str) -> float | None:
    until = as_map(state.get("countdown")).get("until")
    return float(until) if isinstance(until, int | float) and phase in ("dealt", "playing") else None


def _sheet(number: int, event: Mapping[str, Any], state: Mapping[str, Any]) -> SheetView | None:
    held = as_map(as_map(state.get("sheets")).get(str(number)))
    if held.get("score") != event.get("id"):
        return None
    data = as_map(event.get("data"))
    lines, sheet = as_map(data.get("lines")), sheet_told(data.get("sheet"), rule_set_or_default(None).sheet)
    items = {line: as_map(as_map(lines.get(line)).get("items")) for line in LINES}
    changed = {str(one) for one in held.get("corrected") or ()}

    def row(name: str) -> ScreenRow:
        marks = tuple(f"{line}.{name}" in changed for line in LINES)
        values = _two(as_whole(items[line].get(name)) for line in LINES)
        return ScreenRow(name, values, sheet.title(name), corrected=(marks[0], marks[1]))

    rows: list[ScreenRow] = []
    for part, title in sheet.parts:
        summed = [row(name) for name in sheet.of_part(part)]
        values = _two(sum_of(one.values[n] for one in summed) for n in (0, 1))
        rows += [*summed, ScreenRow(f"{part}_sum", values, title, sum=True)]
    whole = ScreenRow(
        "total",
        _two(as_whole(as_map(lines.get(line)).get("total")) for line in LINES),
        sum=True,
        corrected=(f"{LINES[0]}.total" in changed, f"{LINES[1]}.total" in changed),
    )
    confirmed, disputed = as_map(held.get("confirmed")), as_map(held.get("disputed"))
    how = tuple("disputed" if line in disputed else str(confirmed.get(line) or "") for line in LINES)
    rows += [*(row(name) for name in sheet.of_part("")), whole]
    return SheetView(number, str(event.get("id")), tuple(rows), (how[0], how[1]))


def _result(scores: Mapping[int, Mapping[str, Any]], state: Mapping[str, Any]) -> tuple[Values, ...]:
    """Return match points and victory points, if the last reported count names them and the code has both."""
    rules = rule_set_or_default(state.get("rules"))
    if rules.calculators.victory_points is None:
        return ()
    deals = as_whole(as_map(state.get("round")).get("deals"))
    if not scores or deals is None or len(scores) < deals:
        return ()
    newest = max(scores.values(), key=lambda event: (str(event.get("boot")), event.get("seq") or 0))
    data = as_map(newest.get("data"))
    found = tuple(_pair(as_map(data.get(name))) for name in ("match_points", "victory_points"))
    return found if any(value is not None for pair in found for value in pair) else ()


def _won_by(state: Mapping[str, Any]) -> tuple[str, Text] | None:
    """Return the line that has won the match, by the game's state."""
    winner, words = as_map(state.get("match")).get("winner"), rule_set_or_default(state.get("rules")).pages.words
    return (str(winner), words["match_to"]) if winner in LINES and "match_to" in words else None


def _two(values: Iterable[int | None]) -> Values:
    first, second = values
    return first, second


def _pair(value: Mapping[str, Any]) -> Values:
    return _two(as_whole(value.get(line)) for line in LINES)
