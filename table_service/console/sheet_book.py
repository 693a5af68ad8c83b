"""The score sheets of a hall, folded from events: the rounds of every table, and what is left to do. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hw.seats import LINES
from table_service.console.packed_events import PackedEvent, place_of
from table_service.console.photographed_sheets import with_photographs
from table_service.console.score_sheet import (
    PHOTOGRAPHS,
    URGENCY,
    CorrectedFigure,
    DealSheet,
    Event,
    SheetCorrection,
    Signed,
)
from table_service.console.storage import PhotographedDeal
from table_service.console.times import local
from table_service.events.untrusted import as_list, as_map, as_whole, sum_of
from table_service.rulesets import RULE_SETS

NAMES: Final[Mapping[str, str]] = dict(
    code.pages.award_form.named_by for code in RULE_SETS.values() if code.pages.award_form is not None
)
"""By the type of an event, the field of its data that has the number by which a game calls its deal."""
TYPES: Final = frozenset(
    {"round.started", "round.resumed", "round.ended", "round.ruled", "score.counted", "event.retracted"}
    | {"sheet.confirmed", "sheet.disputed", "sheet.written", "sheet.corrected"}
    | NAMES.keys()
)
"""The events that score sheets are made of."""


@dataclass(frozen=True, slots=True)
class LineMatchEnd:
    """A match for one line: whether it ``won``, its ``points``, and what counts beside them; None: not known."""

    won: bool | None = None
    points: int | None = None
    extra: int | None = None


@dataclass(frozen=True, slots=True)
class MatchTold:
    """The end of a match by line (NS, EW). ``extra_title``: what ``extra`` counts, by language; empty for nothing."""

    lines: tuple[LineMatchEnd, LineMatchEnd]
    extra_title: Mapping[str, str] = field(default_factory=dict)


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
    numbers: dict[int, int] = field(default_factory=dict)
    """By deal the number by which the game calls it, where it does."""
    named: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    """By that number what the table told with it."""

    @property
    def counted(self) -> bool:
        """True if every deal of the round is counted: those planned, or those played if the table ended it earlier."""
        played = None if self.result is None else as_whole(as_map(self.result.get("data")).get("deals"))
        wanted = self.deals if played is None else played
        return wanted is not None and len(self.sheets) >= wanted and (self.result is None or bool(self.sheets))

    @property
    def closed(self) -> bool:
        """True if every deal is counted, and confirmed by both lines."""
        return self.counted and all(sheet.state == "done" for sheet in self.sheets.values())

    @property
    def state(self) -> str:
        """The most urgent state of its sheets; ``open`` while deals are still to be played."""
        if not self.sheets:
            return "open"
        worst = min((sheet.state for sheet in self.sheets.values()), key=URGENCY.index)
        return "open" if worst == "done" and not self.counted else worst

    def by_row(self, row: str) -> str | None:
        """Return the key of a ruling by ``row`` that holds."""
        return next((key for key, event in self.ruled.items() if as_map(event.get("data")).get("row") == row), None)

    def points(self, name: str) -> tuple[int | None, int | None]:
        """``match_points`` or ``victory_points`` of the round by line; None where they are not known."""
        told = as_map(self._end().get(name))
        first, second = (as_whole(told.get(line)) for line in LINES)
        return first, second

    def match(self) -> MatchTold | None:
        """End of the match that the round was; None if the game ranks by points, or deals are still to come."""
        told = as_map(self._end().get("match"))
        if "won" not in told:
            return None
        title = {language: str(text) for language, text in as_map(told.get("extra_title")).items()}
        ns, ew = (_match_end(told, line) for line in LINES)
        return MatchTold((ns, ew), title)

    def _end(self) -> Mapping[str, Any]:
        return as_map(self.result.get("data")) if self.result is not None else self._last()

    def _last(self) -> Mapping[str, Any]:
        if not self.counted:
            return {}
        newest = max((sheet.score for sheet in self.sheets.values()), key=place_of)
        return as_map(newest.get("data"))

    def running(self) -> tuple[int | None, int | None]:
        """Return the points of all counted deals by line; None if one of them is not known."""
        ns, ew = ([sheet.total(line) for sheet in self.sheets.values()] for line in LINES)
        return sum_of(ns), sum_of(ew)


def _match_end(told: Mapping[str, Any], line: str) -> LineMatchEnd:
    won, points, extra = (as_map(told.get(name)).get(line) for name in ("won", "points", "extra"))
    return LineMatchEnd(won if isinstance(won, bool) else None, as_whole(points), as_whole(extra))


class SheetBook:
    """The sheets of a hall: events in, the rounds of each table out."""

    def __init__(self) -> None:
        self.version = 0
        self._events: dict[str, list[PackedEvent]] = {}
        self._photographed: dict[str, list[PhotographedDeal]] = {}
        self._rounds: dict[str, tuple[int, list[TableRound]]] = {}
        """By table: its folded events, and the change after which they were folded."""
        self._changed: dict[str, int] = {}
        """By table the version that its newest change made."""

    def record(self, place: str, event: Event, heard: float) -> None:
        """Record an event of ``TYPES``; one that comes late is put in its place."""
        if event.get("type") not in TYPES:
            return
        self._events.setdefault(place, []).append(PackedEvent.of(event, heard))
        self._change(place)

    def photographed(self, deal: PhotographedDeal) -> None:
        """Take a deal scored from photographs: shown beside the table's report, or alone the sheet."""
        self._photographed.setdefault(deal.place, []).append(deal)
        self._change(deal.place)

    def forget(self, before: float) -> None:
        """Let the rounds go of which nothing was heard since ``before``; each table's newest stays."""
        for place, deals in self._photographed.items():
            self._photographed[place] = [one for one in deals if max(one.at, one.begun) >= before]
            self._change(place)
        for place, events in self._events.items():
            told = sorted(events, key=lambda one: one.place)
            begins = [n for n, one in enumerate(told) if n and one.type == "round.started"]
            rounds = [told[n:end] for n, end in zip([0, *begins], [*begins, len(told)], strict=True)]
            old, newest = rounds[:-1], rounds[-1]
            kept = [one for round_ in old if max(one.heard for one in round_) >= before for one in round_] + newest
            if len(kept) < len(told):
                self._events[place] = kept
                self._change(place)

    def _change(self, place: str) -> None:
        """Note, once it is done, that what is kept of ``place`` has changed: another thread may be folding it."""
        self.version += 1
        self._changed[place] = self.version

    def places(self) -> list[str]:
        """Return the tables of which there are sheets."""
        return list(dict.fromkeys((*self._events, *self._photographed)))

    def rounds(self, place: str) -> list[TableRound]:
        """Return the rounds of a table, the oldest first. From any thread."""
        changed = self._changed.get(place, 0)
        held = self._rounds.get(place)
        if held is None or held[0] != changed:
            told = sorted(self._events.get(place, ()), key=lambda one: one.place)
            rounds = fold(place, ((one.read(), one.heard) for one in told))
            held = changed, with_photographs(rounds, self._photographed.get(place, ()), _begun)
            self._rounds[place] = held
        return held[1]

    def now(self, place: str, since: float | None = None) -> TableRound | None:
        """Return the newest round of a table; None if it began before ``since``."""
        found = self.rounds(place)
        if not found or (since is not None and found[-1].heard < since):
            return None
        return found[-1]


def _begun(deal: PhotographedDeal) -> TableRound:
    """Return the round of a deal photographed at a table that reported nothing."""
    return TableRound(deal.place, PHOTOGRAPHS, deal.id, deal.begun or deal.at, deal.deals)


def fold(place: str, events: Iterable[tuple[Event, float]]) -> list[TableRound]:
    """Return the rounds that ``events``, in the table's order, report."""
    found: list[TableRound] = []
    starts: set[str] = set()
    for event, heard in events:
        boot, data = str(event.get("boot")), as_map(event.get("data"))
        if event.get("type") == "round.started":
            found.append(TableRound(place, *place_of(event), heard, as_whole(data.get("deals")), str(event.get("id"))))
            starts = {boot}
            continue
        if event.get("type") == "round.resumed" and found and found[-1].id == data.get("round"):
            starts.add(boot)
        if not found or boot not in starts:
            found.append(TableRound(place, *place_of(event), heard))
            starts = {boot}
        _take(found[-1], event)
    return found


def _take(round_: TableRound, event: Event) -> None:
    data, deal = as_map(event.get("data")), event.get("deal")
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
        case str() as named if named in NAMES and isinstance(deal, int):
            called = as_whole(data.get(NAMES[named]))
            if called is not None:
                round_.numbers[deal], round_.named[called] = called, data
        case "score.counted" if isinstance(deal, int):
            _counted(round_, deal, event)
        case _ if isinstance(deal, int) and deal in round_.sheets:
            _sheet(round_.sheets[deal], event, data)


def _counted(round_: TableRound, deal: int, event: Event) -> None:
    before = round_.sheets.get(deal)
    if before is None or as_map(event.get("data")).get("supersedes") != before.score.get("id"):
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
            for name, figures in as_map(data.get("lines")).items():
                known = {item: value for item, value in as_map(figures).items() if as_whole(value) is not None}
                sheet.written[str(name)] = known
            sheet.written_by = Signed("paper", str(data.get("by") or ""), time)
        case "sheet.corrected":
            changes = tuple(
                CorrectedFigure(
                    str(one.get("line")), str(one.get("item")), as_whole(one.get("old")), as_whole(one.get("new"))
                )
                for one in map(as_map, as_list(data.get("changes")))
            )
            agreed = tuple(map(str, as_list(data.get("agreed"))))
            by, reason = str(data.get("by") or ""), str(data.get("reason") or "")
            sheet.corrections.append(
                SheetCorrection(time, by, reason, changes, agreed, data.get("countersigned") is True)
            )
            sheet.signed = {line: one for line, one in sheet.signed.items() if one.how != "disputed"}


def _figures(event: Event) -> object:
    lines = as_map(as_map(event.get("data")).get("lines"))
    return {line: (own.get("items"), own.get("total")) for line, own in lines.items() if isinstance(own, Mapping)}
