"""One deal's sheet, as an arbitro checks it: items by line from the camera and from play, melds, what was ruled."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hw.seats import LINES
from table_service.console.times import local
from table_service.events.untrusted import as_list, as_map, as_whole
from table_service.games.game_pages import Document, GamePages, RowOnTable
from table_service.rulesets import rule_set_or_default
from table_service.table.score_items import ScoreSheet, sheet_told


@dataclass(frozen=True, slots=True)
class Item:
    """One item of one line: what counts, the camera's count, the ledger's; None is not known."""

    name: str
    counted: int | None
    camera: int | None
    ledger: int | None
    doubtful: bool

    @property
    def agrees(self) -> bool:
        """True if camera and ledger say the same."""
        return self.camera == self.ledger


@dataclass(frozen=True, slots=True)
class LineSheet:
    """One line's column of the sheet."""

    line: str
    items: tuple[Item, ...]
    total: int | None
    running: int | None
    melds: tuple[tuple[str, ...], ...]
    warnings: int


@dataclass(frozen=True, slots=True)
class RuledCase:
    """One irregularity of the deal in its last state. ``title``: Italian and English."""

    row: str
    article: str
    title: tuple[str, str]
    offender: str
    severity: str
    state: str
    time: str


@dataclass(frozen=True, slots=True)
class PrintedDifference:
    """An item of a line of which camera and ledger say different things, and the cards it is about."""

    line: str
    item: str
    camera: int | None
    ledger: int | None
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrintedDeal:
    """The sheet of one deal. ``counted`` False: no count has been told yet."""

    table: str
    deal: int | None
    dealer: str
    manner: str
    began: str
    ended: str
    turns: int
    lines: tuple[LineSheet, ...]
    differences: tuple[PrintedDifference, ...]
    ruled: tuple[RuledCase, ...]
    counted: bool
    items: ScoreSheet
    match_points: tuple[tuple[str, int | None], ...] = ()
    victory_points: tuple[tuple[str, int | None], ...] = ()


def _last(events: Sequence[Document], kind: str) -> Document | None:
    return next((event for event in reversed(events) if event.get("type") == kind), None)


def deal_sheet(table: str, events: Sequence[Document], pages: GamePages) -> PrintedDeal:
    """Return the sheet of the deal whose events these are, in the table's order, of the game that ``pages`` shows."""
    found = pages.moments(events)
    rows = pages.rows_of(found[-1].state) if found else ()
    state = found[-1].state if found else {}
    counted, ended = _last(events, "score.counted"), _last(events, "deal.ended")
    score = {} if counted is None else _data(counted)
    return PrintedDeal(
        table=table,
        deal=state.get("deal"),
        dealer=str(state.get("dealer") or ""),
        manner=str(state.get("manner") or ""),
        began=_clock(events[0]) if events else "",
        ended=_clock(ended) if ended is not None and state.get("phase") == "over" else "",
        turns=max((as_whole(e.get("turn")) or 0 for e in events), default=0),
        lines=tuple(_line(line, score, rows, events) for line in LINES),
        differences=tuple(_difference(one) for one in as_list(score.get("differences"))),
        ruled=_ruled(events),
        counted=counted is not None,
        items=score_items(score),
        match_points=_pair(score.get("match_points")),
        victory_points=_pair(score.get("victory_points")),
    )


def scored_deal(table: str, events: Sequence[Document]) -> PrintedDeal:
    """Sheet of a deal for a list of scores: its count, how it ended, its warnings; the play is not gone through."""
    counted, ended = _last(events, "score.counted"), _last(events, "deal.ended")
    score = {} if counted is None else _data(counted)
    return PrintedDeal(
        table=table,
        deal=as_whole(events[0].get("deal")) if events else None,
        dealer="",
        manner="" if ended is None else str(_data(ended).get("manner") or ""),
        began="",
        ended="",
        turns=0,
        lines=tuple(_line(line, score, (), events) for line in LINES),
        differences=(),
        ruled=(),
        counted=counted is not None,
        items=score_items(score),
    )


def score_items(score: Mapping[str, Any]) -> ScoreSheet:
    """Return the items of a count, as it names them."""
    return _sheet_of(json.dumps(score.get("sheet"), default=str))


@lru_cache(maxsize=32)
def _sheet_of(told: str) -> ScoreSheet:
    """Return the items that ``told`` names as JSON: a day's deals have a handful of different ones."""
    return sheet_told(json.loads(told), rule_set_or_default(None).sheet)


def _line(line: str, score: Mapping[str, Any], rows: Sequence[RowOnTable], events: Sequence[Document]) -> LineSheet:
    counted, camera, ledger = (
        as_map(as_map(part).get(line)) for part in (score.get("lines"), score.get("camera"), score.get("ledger"))
    )
    doubtful = {str(one) for one in as_list(score.get("doubtful"))}
    known, seen, played = (as_map(one.get("items")) for one in (counted, camera, ledger))
    own = score_items(score).names
    names = (*own, *(name for name in known if name not in own))
    items = tuple(
        Item(
            name,
            as_whole(known.get(name)),
            as_whole(seen.get(name)),
            as_whole(played.get(name)),
            f"{line}.{name}" in doubtful,
        )
        for name in names
        if name in known or score
    )
    melds = tuple(row.cards for row in rows if row.line == line)
    warned = sum(
        -1 if _data(e).get("withdrawn") else 1
        for e in events
        if e.get("type") == "warning.given" and _data(e).get("line") == line
    )
    return LineSheet(
        line, items, as_whole(counted.get("total")), as_whole(counted.get("running")), melds, max(0, warned)
    )


def _ruled(events: Sequence[Document]) -> tuple[RuledCase, ...]:
    last: dict[str, Document] = {}
    for event in events:
        if event.get("type") == "irregularity":
            last[str(_data(event).get("key"))] = event
    found = []
    for event in last.values():
        data, title = _data(event), as_map(_data(event).get("title"))
        found.append(
            RuledCase(
                str(data.get("row") or ""),
                str(data.get("article") or ""),
                (str(title.get("it") or ""), str(title.get("en") or "")),
                str(data.get("offender") or data.get("pair") or ""),
                str(data.get("severity") or ""),
                str(data.get("state") or ""),
                _clock(event),
            )
        )
    return tuple(found)


def _difference(one: object) -> PrintedDifference:
    told = as_map(one)
    return PrintedDifference(
        str(told.get("line")),
        str(told.get("item")),
        as_whole(told.get("camera")),
        as_whole(told.get("ledger")),
        tuple(map(str, as_list(told.get("cards")))),
    )


def _pair(value: object) -> tuple[tuple[str, int | None], ...]:
    told = as_map(value)
    return tuple((line, as_whole(told.get(line))) for line in LINES) if told else ()


def _clock(event: Document) -> str:
    """Hours, minutes and seconds of an event's time, at the console's place."""
    return local(event.get("time"))


def _data(event: Document) -> Mapping[str, Any]:
    return as_map(event.get("data"))
