"""What waits for the arbitro, as a page shows it: what happened, what the code says, who has it in hand, what is asked.

Pure but for the clock that is handed in. Everything is taken from the alert's own data: a row that is new to the
console is shown as completely as one it has seen a thousand times.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from hw.cards import UNKNOWN, face
from table_service.console.event_sentences import Line, tell
from table_service.console.frame_fetcher import PASSING
from table_service.console.ruling_forms import Option, title_of
from table_service.console.storage import Case
from table_service.console.store import TableView
from table_service.console.times import local
from table_service.console.vocabulary import Words
from table_service.events.untrusted import as_cards, as_list, as_map, as_name
from table_service.referee.catalogue import Catalogue

RANK: Final = {"score": 0, "play-stops": 1, "warning": 2, "note": 3}
AROUND_BEFORE_S: Final = 6.0
AROUND_AFTER_S: Final = 0.5
AROUND_MOST: Final = 8
_MOMENTS: Final = ("before", "at", "after")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a remedy, in the reader's language; ``option``: only where that was chosen."""

    text: str
    cards: tuple[str, ...]
    option: str | None = None


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of an alert, or why there is none.

    ``moment`` before, at, after, or empty where nobody says; ``dt`` seconds from the fact; ``covered``: something
    covers the place in it; ``marked``: no or unsure where the card it concerns is not, or not surely, the marked one;
    ``why``: a word where it cannot be shown, else empty; ``passing``: it may be had later; ``checked``: it is here and
    its hash is right.
    """

    moment: str
    ref: str = ""
    dt: float | None = None
    covered: bool = False
    marked: str = ""
    why: str = ""
    passing: bool = False
    checked: bool = False


@dataclass(frozen=True, slots=True)
class Alert:
    """What waits for the arbitro, or did. ``case``: what was done with it at the desk."""

    place: str
    key: str
    call: bool
    title: str
    sentence: str
    article: str | None
    row: str | None
    severity: str
    state: str
    seat: str | None
    line: str | None
    cards: tuple[str, ...]
    steps: tuple[Step, ...]
    options: tuple[Option, ...]
    needs_referee: bool
    warn: bool
    freezes: bool
    confirmed: bool
    shots: tuple[Shot, ...]
    logs: tuple[str, ...]
    sheet: int | None = None
    """The deal whose score sheet a line disputes."""
    case: Case | None = None

    @property
    def shown(self) -> Shot | None:
        """The picture that stands for all: that of the fact, else any."""
        return next((shot for shot in sorted(self.shots, key=lambda s: s.moment != "at") if not shot.why), None)

    @property
    def anchor(self) -> str:
        """A name for the page's own references."""
        return f"{self.place}-{self.key}"


def alerts(
    table: TableView, words: Words, cases: Iterable[Case] = (), catalogue: Catalogue | None = None
) -> tuple[Alert, ...]:
    """What waits at one table: calls first, then what stops play or touches the score; resolved ones last."""
    known = {case.key: case for case in cases if case.place == table.name}
    views = [alert(key, doc, table, words, known.get(key), catalogue) for key, doc in table.alerts.items()]
    return tuple(sorted(views, key=urgency))


def urgency(one: Alert) -> tuple[Any, ...]:
    """What comes first: raised, then calls, then by severity, then what has waited longest."""
    case = one.case
    resolved = case is not None and case.resolved is not None
    raised = case is not None and case.raised is not None and case.taken_by is None
    taken = case is not None and case.taken_by is not None
    return (resolved, not raised, taken, not one.call, RANK.get(one.severity, 3), case.seen if case else 0.0, one.place)


def ended(table: TableView, words: Words, catalogue: Catalogue | None = None) -> tuple[Alert, ...]:
    """What was an alert and is none any more, newest first."""
    gone = [(key, doc) for key, doc in reversed(table.ended.items()) if key not in table.alerts]
    return tuple(alert(key, doc, table, words, None, catalogue) for key, doc in gone)


def alert(
    key: str,
    document: Mapping[str, Any],
    table: TableView,
    words: Words,
    case: Case | None = None,
    catalogue: Catalogue | None = None,
) -> Alert:
    """One alert as a page shows it. ``document`` is an irregularity's data, or a call."""
    seat = as_name(document.get("offender")) or as_name(document.get("seat"))
    call = "row" not in document or document.get("call") is True
    evidence = [as_map(item) for item in as_list(document.get("evidence"))]
    sheet = document.get("sheet")
    title = f"{words.seat(seat)} {words['call']}" if call else words.text(document.get("title"))
    called = words["call_text"]
    if isinstance(sheet, int):
        title = words.say("sheet_dispute", line=words.who(document.get("line")))
        called = words.say("sheet_dispute_text", deal=sheet)
    remedy = [step for step in as_list(document.get("remedy")) if isinstance(step, Mapping)]
    return Alert(
        place=table.name,
        key=key,
        call=call,
        title=title or str(document.get("row", key)),
        sentence=called if call else _sentence(document, seat, words, moment(table, document.get("committed_t"))),
        article=as_name(document.get("article")),
        row=as_name(document.get("row")),
        severity="call" if call else str(document.get("severity", "note")),
        state=str(document.get("state", "open")) if key in table.alerts or "state" in document else "ended",
        seat=seat,
        line=as_name(document.get("pair")) or as_name(document.get("line")) or line_of(seat),
        sheet=sheet if isinstance(sheet, int) else None,
        cards=_seen(document.get("cards")),
        steps=tuple(_step(step, words) for step in remedy),
        options=_options(document, words, catalogue),
        needs_referee=document.get("needs_referee") is True,
        warn=document.get("warn") is True,
        freezes=any(step.get("do") == "freeze" for step in remedy),
        confirmed=document.get("confirmed") is True,
        shots=shots(key, table),
        logs=tuple(_number(item.get("ref")) for item in evidence if item.get("kind") == "log"),
        case=case,
    )


def moment(table: TableView, t: object) -> str:
    """The table's second ``t`` as the clock at the console's place; empty where no event says when that was."""
    told = table.newest or {}
    at, time = told.get("t"), told.get("time")
    if told.get("boot") != table.boot or not isinstance(time, str):
        return ""
    if not isinstance(t, (int, float)) or not isinstance(at, (int, float)):
        return ""
    try:
        return local((datetime.fromisoformat(time) + timedelta(seconds=t - at)).isoformat())
    except (ValueError, OverflowError):
        return ""


def shots(key: str, table: TableView) -> tuple[Shot, ...]:
    """The pictures of an irregularity in the order of their moments, and why others are missing."""
    about = table.pictured.get(key)
    if about is None:
        return ()
    found = [_shot(as_map(one), table) for one in as_list(about.get("pictures"))]
    missing = map(as_map, as_list(about.get("missing")))
    found += [Shot(str(one.get("moment")), why=str(one.get("why"))) for one in missing]
    if about.get("done") is False:
        there = {shot.moment for shot in found}
        found += [Shot(moment, why="coming") for moment in _MOMENTS if moment not in there]
    return tuple(sorted(found, key=lambda shot: _MOMENTS.index(shot.moment) if shot.moment in _MOMENTS else 1))


def _shot(one: Mapping[str, Any], table: TableView) -> Shot:
    ref, dt = str(one.get("ref")), one.get("dt")
    here = ref in table.evidence or ref in table.kept_frames
    why = "" if here else table.why.get(ref, "")
    return Shot(
        moment=str(one.get("moment") or ""),
        ref=ref,
        dt=float(dt) if isinstance(dt, (int, float)) else None,
        covered=one.get("covered") is True,
        marked=str(one.get("marked") or ""),
        why=why,
        passing=why in PASSING,
        checked=here,
    )


def around(table: TableView, document: Mapping[str, Any], words: Words) -> tuple[Line, ...]:
    """What the table told from shortly before the fact until it was found: the card movements it rests on, in order."""
    first = document.get("committed_t")
    if not isinstance(first, (int, float)):
        return ()
    own = [
        e
        for e in table.events
        if e.get("type") == "irregularity" and as_map(e.get("data")).get("key") == document.get("key")
    ]
    found = own[0] if own else None
    boot = found["boot"] if found else table.boot
    last = found["t"] if found and isinstance(found.get("t"), (int, float)) else first
    moves = _MOVES | words.game.moves
    near = [
        event
        for event in table.events
        if event["boot"] == boot
        and event["type"] in moves
        and isinstance(event.get("t"), (int, float))
        and first - AROUND_BEFORE_S <= event["t"] <= last + AROUND_AFTER_S
    ]
    return tuple(tell(event, words) for event in near[-AROUND_MOST:])


_MOVES: Final = frozenset(
    {"turn.started", "card.named", "event.retracted", "deal.started", "deal.checked", "deal.ended"}
)
"""Events of every game that tell of cards, or of whose turn it is."""


def line_of(seat: str | None) -> str | None:
    """The line of a seat."""
    return None if seat not in ("N", "E", "S", "W") else "NS" if seat in "NS" else "EW"


def _options(document: Mapping[str, Any], words: Words, catalogue: Catalogue | None) -> tuple[Option, ...]:
    """The ways that the event names, each with the event's own text, else the catalogue's title."""
    choices = map(as_map, as_list(document.get("choices")))
    texts = {str(one.get("key")): words.text(one.get("text")) for one in choices}
    found = []
    for one in as_list(document.get("options")):
        key = one if isinstance(one, str) else str(as_map(one).get("key") or as_map(one).get("id") or "")
        text = texts.get(key) or words.text(as_map(one).get("text")) or title_of(catalogue, key, words.language)
        if key:
            found.append(Option(key, text, row=key not in texts))
    return tuple(found)


def _seen(value: object) -> tuple[str, ...]:
    """The cards that all could see; none where every one lay face down."""
    cards = as_cards(value)
    return cards if any(face(card) != UNKNOWN for card in cards) else ()


def _number(value: object) -> str:
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def _sentence(document: Mapping[str, Any], seat: str | None, words: Words, done: str) -> str:
    """What happened in one sentence: who, what, when it was found and when it was done."""
    title = words.text(document.get("title"))
    parts = [f"{words.who(seat)}: {title[:1].lower()}{title[1:]}" if seat else title]
    found = words.get(f"found_{document.get('found')}")
    if found:
        parts.append(found)
    if done:
        parts.append(f"{words['at_time']} {done}")
    return ", ".join(parts) + "."


def _step(step: Mapping[str, Any], words: Words) -> Step:
    text = words.text(step.get("text")) or str(step.get("do", ""))
    return Step(text, as_cards(step.get("cards")), as_name(step.get("option")))
