"""From the table's public state to what a page shows: names, places, and "unknown" wherever the table does not know.

Pure: the same state gives the same view. Nothing is taken from the state but what is named here, so that a field
that should not have been published is not shown either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from hw.seats import LINES, SEATS
from hw.table_options import PAIR
from table_service.console.event_sentences import FeedLine, tell
from table_service.console.part_names import part_name
from table_service.console.table_view import TableView
from table_service.console.vocabulary import Words
from table_service.events.untrusted import as_cards, as_list, as_map, as_name, as_whole

FEED_LINES: Final = 60
_NAMED_KEPT: Final = 64
"""Cached names at a table: the four, any two, or invented ones."""
_PUBLIC: Final = frozenset({"round.started", "round.ended", "deal.started", "deal.ended", "turn.started"})
_PUBLIC_TOO: Final = frozenset({"card.named", "score.counted"})
_ACCUSING: Final = frozenset({"card.exposed", "meld.changed", "card.returned", "card.turned"})
"""Moves that a ruling or an error leads to: an accusation is no fact before the arbitro has ruled."""
State = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat at the table's edge. ``hand`` None: nobody knows how many cards."""

    seat: str
    name: str
    line: str
    hand: int | None
    on_turn: bool
    awaited: str | None
    dealer: bool
    alert: bool
    unverified: bool


@dataclass(frozen=True, slots=True)
class TableTop:
    """The table from above. ``middle``: what lies there, as the game's own ``template`` shows it."""

    seats: dict[str, SeatView]
    middle: object
    template: str
    unverified: frozenset[str]
    live: bool


@dataclass(frozen=True, slots=True)
class Score:
    """A line's points: the last counted deal, and the running total; None is not known. ``pair``: who plays there."""

    line: str
    name: str
    deal: int | None
    running: int | None
    doubtful: bool
    pair: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """The top of a table's page, and its tile in the hall."""

    name: str
    status: str
    connected: bool
    deal: int | None
    deals: int | None
    facts: tuple[tuple[str, str], ...]
    """What the game says of the deal, each with its title: board, trick, turn."""
    rules: str | None
    scores: tuple[Score, ...]
    alerts: int
    warnings: tuple[tuple[str, int], ...]
    phase: str | None
    nodes: tuple[str, ...]
    """Sources of observations that are lost or were reset."""
    doubts: tuple[str, ...]
    """Zones that the table is not sure of."""
    on_turn: str | None
    heard: float | None
    troubles: tuple[str, ...]
    gaps: tuple[str, ...] = ()
    """What was told while nobody listened and has not come yet, or will not come any more."""


def board(table: TableView, words: Words) -> TableTop:
    """Return the table from above as ``table``'s messages describe it."""
    state: State = table.state or {}
    unverified = frozenset(as_map(state.get("unverified")))
    return TableTop(
        seats={s: _seat(s, table.alerts, state, words, unverified) for s in seats_of(state)},
        middle=words.game.middle_of(state),
        template=f"{words.game.name}/{words.game.middle}",
        unverified=unverified,
        live=state.get("deal") is not None,
    )


def seats_of(state: State) -> tuple[str, ...]:
    """Return who plays: the two that are named at a table of two, else all four."""
    return tuple(_lines_at(frozenset(as_map(state.get("seats")))))


def line_of_seat(seat: str, state: State) -> str:
    """Return the line of ``seat``: of two players each is one, the first of them that of the north."""
    return _lines_at(frozenset(as_map(state.get("seats")))).get(seat, LINES[-1])


@lru_cache(_NAMED_KEPT)
def _lines_at(named: frozenset[str]) -> Mapping[str, str]:
    """Return the line of every seat that plays, by who is named."""
    if len(named) != PAIR:
        return {seat.value: seat.line for seat in SEATS}
    return dict(zip((seat.value for seat in SEATS if seat in named), LINES, strict=False))


def _seat(seat: str, waiting: Mapping[str, Any], state: State, words: Words, unverified: frozenset[str]) -> SeatView:
    turn = as_map(state.get("turn"))
    on_turn = turn.get("seat") == seat and state.get("phase") != "over"
    return SeatView(
        seat=seat,
        name=words[seat],
        line=line_of_seat(seat, state),
        hand=as_whole(as_map(state.get("hands")).get(seat)),
        on_turn=on_turn,
        awaited=words[words.game.awaited(turn)] if on_turn else None,
        dealer=state.get("dealer") == seat,
        alert=any(alert.get("offender") == seat or alert.get("seat") == seat for alert in waiting.values()),
        unverified=f"hand-{seat}" in unverified,
    )


def scores(table: TableView, words: Words) -> tuple[Score, ...]:
    """Both lines' points: the running total as the state tells it, the last deal as it was counted."""
    told = as_map((table.state or {}).get("score"))
    running, deals = as_map(told.get("running")), as_map(told.get("deals"))
    last = _last_count(table)
    lines, doubtful = as_map(last.get("lines")), as_cards(last.get("doubtful"))
    newest = as_map(deals.get(max(deals, key=str))) if deals else {}
    views = []
    for line in LINES:
        counted = as_map(lines.get(line))
        deal = as_whole(counted.get("total")) if counted else as_whole(newest.get(line))
        total = as_whole(running.get(line)) if line in running else as_whole(counted.get("running"))
        doubt = any(item.partition(".")[0] == line for item in doubtful)
        counted_once = bool(deals or lines)
        pair = words.names.get(line, "")
        views.append(Score(line, words[line], deal, total if counted_once else None, doubt, pair))
    return tuple(views)


def head(table: TableView, words: Words, *, connected: bool) -> Head:
    """Return the top of the page."""
    state: State = table.state or {}
    turn, round_ = as_map(state.get("turn")), as_map(state.get("round"))
    return Head(
        name=table.name,
        status=table.status if table.status in ("ready", "init", "lost", "stopped") else "unknown",
        connected=connected,
        deal=as_whole(state.get("deal")),
        deals=as_whole(round_.get("deals")),
        facts=tuple((words[title], words[value]) for title, value in words.game.head_of(state)),
        rules=as_name(state.get("rules")),
        scores=scores(table, words),
        alerts=len(table.alerts),
        warnings=tuple((line, as_whole(as_map(state.get("warnings")).get(line)) or 0) for line in LINES),
        phase=as_name(state.get("phase")),
        nodes=tuple(part_name(words, k) for k, v in sorted(as_map(state.get("nodes")).items()) if v != "ok"),
        doubts=tuple(as_map(state.get("unverified"))),
        on_turn=as_name(turn.get("seat")) if state.get("phase") != "over" else None,
        heard=table.heard,
        troubles=_troubles(table),
        gaps=_gaps(table, words),
    )


def tile(table: TableView, words: Words, *, connected: bool) -> Head:
    """Return the head without what a tile of the hall does not show and what changes with every card."""
    whole = head(table, words, connected=connected)
    return replace(whole, facts=(), on_turn=None, warnings=(), heard=_silent_since(table))


def tile_facts(table: TableView) -> tuple[object, ...]:
    """Everything told that ``tile`` is made of: equal facts and words make equal tiles. A tenth of a tile's work."""
    gaps = table.gaps
    return (
        tuple(map((table.state or {}).get, _OF_A_TILE)), _last_count(table), table.status, _silent_since(table),
        len(table.alerts), _troubles(table), gaps.open, gaps.gone, table.unsigned, table.refused, table.excess,
        (table.processes.are_two, *table.addresses.values()) if table.are_two else (),
    )  # fmt: skip


_OF_A_TILE: Final = ("rules", "seats", "deal", "round", "score", "phase", "nodes", "unverified")
"""The part of a table's state that its tile shows."""


def _last_count(table: TableView) -> Mapping[str, Any]:
    return table.scores[max(table.scores)] if table.scores else {}


def _silent_since(table: TableView) -> float | None:
    """Return the moment at which a table that is away was last heard."""
    return table.heard if table.status in ("lost", "stopped") else None


def _troubles(table: TableView) -> tuple[str, ...]:
    """Return what the table says it is trying again, in its own words."""
    said = [as_map(part).get("retrying") for part in (table.health or {}).values()]
    return tuple(text for text in said if isinstance(text, str))


def _gaps(table: TableView, words: Words) -> tuple[str, ...]:
    """Return what was told while nobody listened and has not come yet, what will not come, and who speaks besides."""
    said = [("events_lacking", table.gaps.open), ("events_gone", table.gaps.gone)]
    where = ", ".join(filter(None, table.addresses.values())) if table.processes.are_two else ""
    two = (words["two_machines"] + (f" ({where})" if where else ""),) if table.are_two else ()
    unsigned = (words["messages_unsigned"],) if table.unsigned else ()
    said += [("messages_refused", table.refused), ("messages_excess", table.excess)]
    return (*two, *unsigned, *(words.say(word, n=number) for word, number in said if number))


def public_types(words: Words) -> frozenset[str]:
    """Return the events that a spectator is shown: play, and nothing that is between the arbitro and the players."""
    return (_PUBLIC | _PUBLIC_TOO | words.game.moves) - _ACCUSING


def feed(events: Sequence[dict[str, Any]], words: Words, *, public: bool = False) -> tuple[FeedLine, ...]:
    """Return the newest events first; ``public``: only play, without times and without what the table doubts."""
    if not public:
        return tuple(tell(event, words) for event in reversed(events[-FEED_LINES:]))
    types = public_types(words)
    shown = [event for event in events if event.get("type") in types][-FEED_LINES:]
    lines = (tell(event, words) for event in reversed(shown))
    return tuple(replace(line, time="", late=False, confidence=1.0) for line in lines)


def sanctions(table: TableView, words: Words) -> tuple[str, ...]:
    """Return what was ruled and is in force."""
    found = []
    for sanction in as_list((table.state or {}).get("sanctions")):
        if isinstance(sanction, Mapping):
            text = words.text(sanction.get("text")) or str(sanction.get("do", ""))
            who = sanction.get("who") or sanction.get("seat") or sanction.get("line")
            found.append(f"{words.who(who)}: {text}" if who else text)
    return tuple(found)
