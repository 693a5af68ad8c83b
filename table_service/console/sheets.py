"""Score sheets as values: what was written, the ledger's count and the camera's, side by side; what is left to do.

Pure. Nothing is chosen here: where two columns differ the row says so, and only a person's deed changes what counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from table_service.console.times import local

LINES: Final = ("NS", "EW")
BASE: Final = ("burraco", "closing", "bonus")
POINTS: Final = ("melds", "pot", "hand", "penalised")
ITEMS: Final = (*BASE, *POINTS)
SUMS: Final = ("base", "points", "total")
"""What a printed sheet has besides the items (definition of the base; art. 18)."""
TYPES: Final = frozenset(
    {"round.started", "round.resumed", "round.ended", "round.ruled", "score.counted", "event.retracted"}
    | {"sheet.confirmed", "sheet.disputed", "sheet.written", "sheet.corrected"}
)
"""The events that score sheets are made of."""
URGENCY: Final = ("disputed", "differs", "unclear", "waiting", "done")
Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Signed:
    """How a line stands to a sheet: ``display``, ``paper``, ``disputed``, or empty; who entered it, and when."""

    how: str = ""
    by: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One corrected figure."""

    line: str
    item: str
    old: int | None
    new: int | None


@dataclass(frozen=True, slots=True)
class Correction:
    """What an arbitro has corrected, and why; ``agreed``: the lines that confirmed it."""

    time: str
    by: str
    reason: str
    changes: tuple[Change, ...]
    agreed: tuple[str, ...]
    countersigned: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """Where camera and ledger do not agree: whose cards, which, and how many each has."""

    item: str
    seat: str
    cards: tuple[str, ...]
    camera: int | None
    ledger: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """One row of one line. ``counts``: what counts now; None is not known, ``written`` None also not written."""

    name: str
    written: int | None
    ledger: int | None
    camera: int | None
    counts: int | None
    corrected: bool
    difference: Difference | None = None

    @property
    def sum(self) -> bool:
        """Whether it is a sum of others."""
        return self.name in SUMS

    @property
    def split(self) -> bool:
        """Whether camera and ledger say different things."""
        return self.difference is not None or (
            self.camera is not None and self.ledger is not None and self.camera != self.ledger
        )

    @property
    def off(self) -> bool:
        """Whether what was written is not what counts."""
        return self.written is not None and self.counts is not None and self.written != self.counts

    @property
    def choices(self) -> tuple[tuple[str, int], ...]:
        """The values that a person may choose between, by column, where the row is not settled."""
        if self.name not in ITEMS or not (self.counts is None or self.off):
            return ()
        columns = (("written", self.written), ("ledger", self.ledger), ("camera", self.camera))
        found: dict[int, str] = {}
        for column, value in columns:
            if value is not None and value != self.counts:
                found.setdefault(value, column)
        return tuple((column, value) for value, column in found.items())


@dataclass(slots=True)
class DealSheet:
    """The sheet of one deal, as its events tell it. ``score``: the event that told the count last."""

    place: str
    boot: str
    deal: int
    score: Event
    signed: dict[str, Signed] = field(default_factory=dict)
    written: dict[str, dict[str, int]] = field(default_factory=dict)
    written_by: Signed | None = None
    corrections: list[Correction] = field(default_factory=list)

    @property
    def data(self) -> Mapping[str, Any]:
        """The count."""
        return _map(self.score.get("data"))

    def total(self, line: str) -> int | None:
        """What counts for a line."""
        return _whole(_map(_map(self.data.get("lines")).get(line)).get("total"))

    @property
    def state(self) -> str:
        """What is to be done: one of ``URGENCY``."""
        if any(one.how == "disputed" for one in self.signed.values()):
            return "disputed"
        if any(row.off for line in LINES for row in self.rows(line)):
            return "differs"
        if any(self.total(line) is None for line in LINES):
            return "unclear"
        return "done" if all(self.how(line).how in ("display", "paper") for line in LINES) else "waiting"

    def how(self, line: str) -> Signed:
        """How a line stands to it."""
        return self.signed.get(line, Signed())

    def rows(self, line: str) -> tuple[Row, ...]:
        """The rows of one line in the order of a printed sheet."""
        columns = [_map(_map(self.data.get(part)).get(line)) for part in ("ledger", "camera", "lines")]
        ledger, camera, counts = (_column(one) for one in columns)
        written = _column_written(self.written.get(line, {}))
        touched = {one.item for fix in self.corrections for one in fix.changes if one.line == line}
        differs = self._differences(line)
        return tuple(
            Row(
                name,
                written.get(name),
                ledger.get(name),
                camera.get(name),
                counts.get(name),
                name in touched,
                differs.get(name),
            )
            for name in (*BASE, "base", *POINTS, "points", "total")
        )

    def _differences(self, line: str) -> dict[str, Difference]:
        found = {}
        for one in _list(self.data.get("differences")):
            told = _map(one)
            if told.get("line") == line:
                counts = _map(told.get("counts"))
                item = str(told.get("item"))
                cards = tuple(str(card) for card in _list(told.get("cards")))
                sizes = (_whole(counts.get("camera")), _whole(counts.get("ledger")))
                found[item] = Difference(item, str(told.get("seat") or ""), cards, *sizes)
        return found


@dataclass(slots=True)
class TableRound:
    """One round at one table. ``first``: number of its first event; ``heard``: when the console heard of it.

    ``result``: its newest end.
    """

    place: str
    boot: str
    first: int
    heard: float
    deals: int | None = None
    id: str = ""
    """The event that began it."""
    sheets: dict[int, DealSheet] = field(default_factory=dict)
    result: Event | None = None
    ruled: dict[str, Event] = field(default_factory=dict)
    """Rulings on the round that hold, by key."""

    @property
    def counted(self) -> bool:
        """Whether every deal of the round is counted."""
        return self.deals is not None and len(self.sheets) >= self.deals

    @property
    def closed(self) -> bool:
        """Whether every deal is counted, and confirmed by both lines."""
        return self.counted and all(sheet.state == "done" for sheet in self.sheets.values())

    @property
    def state(self) -> str:
        """The most urgent state of its sheets; ``open`` while deals are still to be played."""
        if not self.sheets:
            return "open"
        worst = min((sheet.state for sheet in self.sheets.values()), key=URGENCY.index)
        return "open" if worst == "done" and not self.counted else worst

    def by_row(self, row: str) -> str | None:
        """The key of a ruling by ``row`` that holds."""
        return next((key for key, event in self.ruled.items() if _map(event.get("data")).get("row") == row), None)

    def points(self, name: str) -> tuple[int | None, int | None]:
        """``match_points`` or ``victory_points`` of the round by line; None where they are not known."""
        data = _map(self.result.get("data")) if self.result is not None else self._last()
        told = _map(data.get(name))
        return _whole(told.get("NS")), _whole(told.get("EW"))

    def _last(self) -> Mapping[str, Any]:
        if not self.counted:
            return {}
        newest = max((sheet.score for sheet in self.sheets.values()), key=_order)
        return _map(newest.get("data"))

    def running(self) -> tuple[int | None, int | None]:
        """The points of all counted deals by line; None where one of them is not known."""
        ns, ew = ([sheet.total(line) for sheet in self.sheets.values()] for line in LINES)
        return _sum(ns), _sum(ew)


class SheetBook:
    """The sheets of a hall: events in, the rounds of each table out."""

    def __init__(self) -> None:
        self.version = 0
        self._events: dict[str, list[tuple[Event, float]]] = {}
        self._rounds: dict[str, list[TableRound]] = {}

    def take(self, place: str, event: Event, heard: float) -> None:
        """Take an event of ``TYPES``; one that comes late is put in its place."""
        if event.get("type") not in TYPES:
            return
        self._events.setdefault(place, []).append((event, heard))
        self._rounds.pop(place, None)
        self.version += 1

    def places(self) -> list[str]:
        """The tables of which there are sheets."""
        return list(self._events)

    def rounds(self, place: str) -> list[TableRound]:
        """The rounds of a table, the oldest first."""
        if place not in self._rounds:
            told = sorted(self._events.get(place, ()), key=lambda one: _order(one[0]))
            self._rounds[place] = fold(place, told)
        return self._rounds[place]

    def now(self, place: str, since: float | None = None) -> TableRound | None:
        """The newest round of a table; None where it began before ``since``."""
        found = self.rounds(place)
        if not found or (since is not None and found[-1].heard < since):
            return None
        return found[-1]


def fold(place: str, events: Iterable[tuple[Event, float]]) -> list[TableRound]:
    """The rounds that ``events``, in the table's order, tell."""
    found: list[TableRound] = []
    starts: set[str] = set()
    for event, heard in events:
        boot, data = str(event.get("boot")), _map(event.get("data"))
        if event.get("type") == "round.started":
            found.append(TableRound(place, *_order(event), heard, _whole(data.get("deals")), str(event.get("id"))))
            starts = {boot}
            continue
        if event.get("type") == "round.resumed" and found and found[-1].id == data.get("round"):
            starts.add(boot)
        if not found or boot not in starts:
            found.append(TableRound(place, *_order(event), heard))
            starts = {boot}
        _take(found[-1], event)
    return found


def _take(round_: TableRound, event: Event) -> None:
    data, deal = _map(event.get("data")), event.get("deal")
    match event.get("type"):
        case "round.ended":
            round_.result = event
        case "round.ruled":
            round_.ruled.pop(str(data.get("key")), None)
            if data.get("lifted") is not True:
                round_.ruled[str(data.get("key"))] = event
        case "event.retracted":
            gone = [n for n, sheet in round_.sheets.items() if sheet.score.get("id") == data.get("event")]
            for number in gone:
                del round_.sheets[number]
        case "score.counted" if isinstance(deal, int):
            _counted(round_, deal, event)
        case _ if isinstance(deal, int) and deal in round_.sheets:
            _sheet(round_.sheets[deal], event, data)


def _counted(round_: TableRound, deal: int, event: Event) -> None:
    before = round_.sheets.get(deal)
    if before is None or _map(event.get("data")).get("supersedes") != before.score.get("id"):
        round_.sheets[deal] = DealSheet(round_.place, str(event.get("boot")), deal, event)
        return
    same = _figures(before.score) == _figures(event)
    before.score = event
    if not same:
        before.signed = {line: one for line, one in before.signed.items() if one.how == "disputed"}


def _sheet(sheet: DealSheet, event: Event, data: Mapping[str, Any]) -> None:
    time, line = local(event.get("time"), "%H:%M"), str(data.get("line"))
    match event.get("type"):
        case "sheet.confirmed":
            sheet.signed[line] = Signed(str(data.get("how")), str(data.get("by") or ""), time)
        case "sheet.disputed":
            sheet.signed[line] = Signed("disputed", "", time)
        case "sheet.written":
            for name, figures in _map(data.get("lines")).items():
                known = {item: value for item, value in _map(figures).items() if _whole(value) is not None}
                sheet.written[str(name)] = known
            sheet.written_by = Signed("paper", str(data.get("by") or ""), time)
        case "sheet.corrected":
            changes = tuple(
                Change(str(one.get("line")), str(one.get("item")), _whole(one.get("old")), _whole(one.get("new")))
                for one in map(_map, _list(data.get("changes")))
            )
            agreed = tuple(map(str, _list(data.get("agreed"))))
            by, reason = str(data.get("by") or ""), str(data.get("reason") or "")
            sheet.corrections.append(Correction(time, by, reason, changes, agreed, data.get("countersigned") is True))
            sheet.signed = {line: one for line, one in sheet.signed.items() if one.how != "disputed"}


def _figures(event: Event) -> object:
    lines = _map(_map(event.get("data")).get("lines"))
    return {line: (own.get("items"), own.get("total")) for line, own in lines.items() if isinstance(own, Mapping)}


def _column(own: Mapping[str, Any]) -> dict[str, int | None]:
    items = _map(own.get("items"))
    values: dict[str, int | None] = {name: _whole(items.get(name)) for name in ITEMS}
    values["base"] = _sum(values[name] for name in BASE)
    values["points"] = _sum(values[name] for name in POINTS)
    values["total"] = _whole(own.get("total"))
    return values


def _column_written(own: Mapping[str, int]) -> dict[str, int | None]:
    """What was written; sums that follow from what was written are added, nothing else."""
    values: dict[str, int | None] = {name: own.get(name) for name in (*ITEMS, *SUMS)}
    for name, parts in (("base", BASE), ("points", POINTS), ("total", ("base", "points"))):
        if values[name] is None:
            values[name] = _sum(values[part] for part in parts)
    return values


def _sum(values: Iterable[int | None]) -> int | None:
    known = list(values)
    return None if None in known else sum(value or 0 for value in known)


def _order(event: Event) -> tuple[str, int]:
    return str(event.get("boot")), _whole(event.get("seq")) or 0


def _map(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else []


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
