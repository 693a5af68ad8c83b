"""From the table's public state to what a page shows: names, places, and "unknown" wherever the table does not know.

Pure: the same state gives the same view. Nothing is taken from the state but what is named here, so that a field
that should not have been published is not shown either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from hw.cards import UNKNOWN, face
from table_service.console.settings import Language
from table_service.console.store import TableView
from table_service.console.telling import Line, cards_of, tell
from table_service.console.words import Words

FEED_LINES: Final = 60
_SEVERITY: Final = {"score": 0, "play-stops": 1, "warning": 2, "note": 3}
_BURRACO: Final = ("dirty", "semi-clean", "clean", "super-clean", "over-the-top")
State = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld as it lies, first card nearest its keeper. ``points`` None: not known."""

    id: str
    kind: str
    cards: tuple[str, ...]
    burraco: str | None
    points: int | None
    wild_at: int | None
    stands_for: str | None
    frozen: str | None
    valid: bool


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
    side: tuple[str, ...]
    unverified: bool


@dataclass(frozen=True, slots=True)
class LineView:
    """One line: its melds, and whether it has taken its pot."""

    line: str
    name: str
    melds: tuple[Meld, ...]
    has_pot: bool
    unverified: bool


@dataclass(frozen=True, slots=True)
class Board:
    """The table from above. ``stock`` in cards, ``pots`` in pots that still lie there; None: not known."""

    seats: dict[str, SeatView]
    lines: dict[str, LineView]
    pile: tuple[str, ...]
    stock: int | None
    pots: int | None
    unverified: frozenset[str]
    live: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a remedy, in the reader's language."""

    text: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Alert:
    """What waits for the arbitro, or did."""

    key: str
    call: bool
    title: str
    sentence: str
    article: str | None
    row: str | None
    severity: str
    state: str
    seat: str | None
    cards: tuple[str, ...]
    steps: tuple[Step, ...]
    options: tuple[str, ...]
    needs_referee: bool
    warn: bool
    frames: tuple[str, ...]
    missing_frames: int
    logs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """A line's points: the last counted deal, and the running total; None is not known."""

    line: str
    name: str
    deal: int | None
    running: int | None
    doubtful: bool


@dataclass(frozen=True, slots=True)
class Head:
    """The top of a table's page, and its tile in the hall."""

    name: str
    status: str
    connected: bool
    deal: int | None
    deals: int | None
    turn: int | None
    rules: str | None
    scores: tuple[Score, ...]
    alerts: int
    worst: str | None
    on_turn: str | None
    heard: float | None
    troubles: tuple[str, ...]


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _map(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else []


def _name(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def board(table: TableView, words: Words) -> Board:
    """The table from above as ``table``'s messages tell it."""
    state: State = table.state or {}
    unverified = frozenset(_map(state.get("unverified")))
    return Board(
        seats={s: _seat(s, table, state, words, unverified) for s in ("N", "E", "S", "W")},
        lines={line: _line(line, state, words, unverified) for line in ("NS", "EW")},
        pile=cards_of(state.get("pile")),
        stock=_whole(state.get("stock")),
        pots=_whole(_map(state.get("pots")).get("left")),
        unverified=unverified,
        live=state.get("deal") is not None,
    )


def _awaited(turn: Mapping[str, Any], words: Words) -> str:
    drawn = turn.get("drawn")
    return words["on_turn" if not isinstance(drawn, bool) else "to_play" if drawn else "to_draw"]


def _seat(seat: str, table: TableView, state: State, words: Words, unverified: frozenset[str]) -> SeatView:
    turn = _map(state.get("turn"))
    on_turn = turn.get("seat") == seat and state.get("phase") != "over"
    return SeatView(
        seat=seat,
        name=words[seat],
        line="NS" if seat in "NS" else "EW",
        hand=_whole(_map(state.get("hands")).get(seat)),
        on_turn=on_turn,
        awaited=_awaited(turn, words) if on_turn else None,
        dealer=state.get("dealer") == seat,
        alert=any(alert.get("offender") == seat or alert.get("seat") == seat for alert in table.alerts.values()),
        side=cards_of(_map(state.get("sides")).get(seat)),
        unverified=f"hand-{seat}" in unverified,
    )


def _line(line: str, state: State, words: Words, unverified: frozenset[str]) -> LineView:
    melds = [_meld(m) for m in _list(_map(state.get("melds")).get(line)) if isinstance(m, Mapping)]
    pot = line in _map(_map(state.get("pots")).get("taken"))
    return LineView(line, words[line], tuple(melds), pot, f"melds-{line}" in unverified)


def _meld(meld: Mapping[str, Any]) -> Meld:
    cards = cards_of(meld.get("cards"))
    wild = _map(meld.get("wild"))
    burraco = meld.get("burraco")
    frozen = meld.get("frozen")
    return Meld(
        id=str(meld.get("id")),
        kind=str(meld.get("kind")) if meld.get("kind") in ("set", "run") else "meld",
        cards=cards,
        burraco=burraco if burraco in _BURRACO else None,
        points=_whole(meld.get("points")),
        wild_at=_place(_name(wild.get("card")), cards),
        stands_for=_name(wild.get("stands_for")),
        frozen=f"frozen_{frozen}" if frozen in ("temporary", "definitive") else None,
        valid=meld.get("valid") is not False,
    )


def _place(card: str | None, cards: tuple[str, ...]) -> int | None:
    """Where ``card`` lies among ``cards``: the very card if it is named with its copy, else the first of its face."""
    if card is None:
        return None
    found = [i for i, other in enumerate(cards) if other == card] or [
        i for i, other in enumerate(cards) if face(other) == face(card)
    ]
    return found[0] if found else None


def alerts(table: TableView, words: Words) -> tuple[Alert, ...]:
    """What waits for the arbitro: calls first, then what stops play or touches the score."""
    views = [alert(key, document, table, words) for key, document in table.alerts.items()]
    return tuple(sorted(views, key=lambda a: (not a.call, _SEVERITY.get(a.severity, 3))))


def ended(table: TableView, words: Words) -> tuple[Alert, ...]:
    """What was an alert and is none any more, newest first."""
    return tuple(alert(k, d, table, words) for k, d in reversed(table.ended.items()) if k not in table.alerts)


def alert(key: str, document: Mapping[str, Any], table: TableView, words: Words) -> Alert:
    """One alert as a page shows it. ``document`` is an irregularity's data, or a call."""
    seat = _name(document.get("offender")) or _name(document.get("seat"))
    call = "row" not in document or document.get("call") is True
    evidence = [_map(item) for item in _list(document.get("evidence"))]
    refs = [str(item.get("ref")) for item in evidence if item.get("kind") == "frame"]
    frames = tuple(ref for ref in refs if ref in table.evidence)
    title = f"{words.seat(seat)} {words['call']}" if call else words.text(document.get("title"))
    return Alert(
        key=key,
        call=call,
        title=title or str(document.get("row", key)),
        sentence=words["call_text"] if call else _sentence(document, seat, words),
        article=_name(document.get("article")),
        row=_name(document.get("row")),
        severity="call" if call else str(document.get("severity", "note")),
        state=str(document.get("state", "open")) if key in table.alerts or "state" in document else "ended",
        seat=seat,
        cards=_seen(document.get("cards")),
        steps=tuple(_step(step, words) for step in _list(document.get("remedy")) if isinstance(step, Mapping)),
        options=cards_of(document.get("options")),
        needs_referee=document.get("needs_referee") is True,
        warn=document.get("warn") is True,
        frames=frames,
        missing_frames=len(refs) - len(frames),
        logs=tuple(f"{_number(item.get('ref'))}" for item in evidence if item.get("kind") == "log"),
    )


def _seen(value: object) -> tuple[str, ...]:
    """The cards that all could see; none where every one lay face down."""
    cards = cards_of(value)
    return cards if any(face(card) != UNKNOWN for card in cards) else ()


def _number(value: object) -> str:
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def _sentence(document: Mapping[str, Any], seat: str | None, words: Words) -> str:
    """What happened in one sentence: who, what, when it was found and when it was done."""
    title = words.text(document.get("title"))
    parts = [f"{words.who(seat)}: {title[:1].lower()}{title[1:]}" if seat else title]
    found = words.get(f"found_{document.get('found')}")
    if found:
        parts.append(found)
    committed = document.get("committed_t")
    if isinstance(committed, (int, float)):
        parts.append(f"{words['at_second']} {committed:.0f}")
    return ", ".join(parts) + "."


def _step(step: Mapping[str, Any], words: Words) -> Step:
    return Step(words.text(step.get("text")) or str(step.get("do", "")), cards_of(step.get("cards")))


def scores(table: TableView, words: Words) -> tuple[Score, ...]:
    """Both lines' points: the running total as the state tells it, the last deal as it was counted."""
    told = _map((table.state or {}).get("score"))
    running, deals = _map(told.get("running")), _map(told.get("deals"))
    last = table.scores[max(table.scores)] if table.scores else {}
    lines, doubtful = _map(last.get("lines")), cards_of(last.get("doubtful"))
    newest = _map(deals.get(max(deals, key=str))) if deals else {}
    views = []
    for line in ("NS", "EW"):
        counted = _map(lines.get(line))
        deal = _whole(counted.get("total")) if counted else _whole(newest.get(line))
        total = _whole(running.get(line)) if line in running else _whole(counted.get("running"))
        doubt = any(item.partition(".")[0] == line for item in doubtful)
        counted_once = bool(deals or lines)
        views.append(Score(line, words[line], deal, total if counted_once else None, doubt))
    return tuple(views)


def head(table: TableView, words: Words, *, connected: bool) -> Head:
    """The top of the page."""
    state: State = table.state or {}
    waiting = alerts(table, words)
    turn, round_ = _map(state.get("turn")), _map(state.get("round"))
    return Head(
        name=table.name,
        status=table.status if table.status in ("ready", "init", "lost", "stopped") else "unknown",
        connected=connected,
        deal=_whole(state.get("deal")),
        deals=_whole(round_.get("deals")),
        turn=_whole(turn.get("n")),
        rules=_name(state.get("rules")),
        scores=scores(table, words),
        alerts=len(waiting),
        worst=waiting[0].severity if waiting else None,
        on_turn=_name(turn.get("seat")) if state.get("phase") != "over" else None,
        heard=table.heard,
        troubles=_troubles(table),
    )


def _troubles(table: TableView) -> tuple[str, ...]:
    """What the table says it is trying again, in its own words."""
    health = table.health or {}
    said = [_map(part).get("retrying") for part in health.values()]
    return tuple(text for text in said if isinstance(text, str))


def feed(table: TableView, language: Language) -> tuple[Line, ...]:
    """The newest events first."""
    return tuple(tell(event, language) for event in reversed(table.events[-FEED_LINES:]))


def sanctions(table: TableView, words: Words) -> tuple[str, ...]:
    """What was ruled and is in force."""
    found = []
    for sanction in _list((table.state or {}).get("sanctions")):
        if isinstance(sanction, Mapping):
            text = words.text(sanction.get("text")) or str(sanction.get("do", ""))
            who = sanction.get("who") or sanction.get("seat") or sanction.get("line")
            found.append(f"{words.who(who)}: {text}" if who else text)
    return tuple(found)
