"""Alerts for the arbitro, as a page shows them: what happened, what the code says, who handles it, what is asked.

Pure but for the clock that is handed in. Everything is taken from the alert's own data: a row that is new to the
console is shown as completely as one it has seen a thousand times.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hw.cards import UNKNOWN, face
from hw.seats import seat_or_none
from table_service.console.alert_pictures import FilmSheet, Shot, film, moment, shots
from table_service.console.event_sentences import FeedLine, tell
from table_service.console.ruling_forms import RulingOption, option_of
from table_service.console.storage import Case
from table_service.console.table_view import TableView
from table_service.console.vocabulary import Words
from table_service.events.untrusted import as_cards, as_list, as_map, as_name
from table_service.referee.catalogue import Catalogue

RANK: Final = {"score": 0, "play-stops": 1, "warning": 2, "note": 3}
SAME_MOMENT_S: Final = 90.0
"""Seconds within which a call and an irregularity of one table are one incident."""
AROUND_BEFORE_S: Final = 6.0
AROUND_AFTER_S: Final = 0.5
AROUND_MOST: Final = 8


@dataclass(frozen=True, slots=True)
class RemedyStep:
    """One step of a remedy, in the reader's language; ``option``: only where that was chosen."""

    text: str
    cards: tuple[str, ...]
    option: str | None = None


@dataclass(frozen=True, slots=True)
class Alert:
    """A current or past alert for the arbitro. ``case``: what was done with it at the desk."""

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
    steps: tuple[RemedyStep, ...]
    options: tuple[RulingOption, ...]
    needs_referee: bool
    likely: bool
    warn: bool
    freezes: bool
    confirmed: bool
    shots: tuple[Shot, ...]
    film: FilmSheet | None
    logs: tuple[str, ...]
    sheet: int | None = None
    """The deal whose score sheet a line disputes."""
    case: Case | None = None
    called: str = ""
    """The key of the call of the same incident, which waits in this row; empty if there is no call."""
    caller: str = ""
    """The sentence of that call."""

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
    """Return what waits at one table: calls first, then what touches the score or stops play, each as it came."""
    known = {case.key: case for case in cases if case.place == table.name}
    views = [alert(key, doc, table, words, known.get(key), catalogue) for key, doc in table.alerts.items()]
    return tuple(sorted(_joined(views), key=urgency))


def _joined(views: Sequence[Alert]) -> list[Alert]:
    """Return ``views`` with each call near to an irregularity of the same table in one row with it, while both wait.

    Of several irregularities the one that weighs most, then the nearest; each has one call at most.
    """
    rows = {one.key: one for one in views}
    faults = [one.key for one in views if not one.call and _is_open(one)]
    for call in [one for one in views if one.call and one.sheet is None and _is_open(one)]:
        near = [rows[key] for key in faults if not rows[key].called and _apart(rows[key], call) <= SAME_MOMENT_S]
        if near:
            best = min(near, key=lambda one: (RANK.get(one.severity, 3), _apart(one, call)))
            rows[best.key] = replace(best, called=call.key, caller=call.title)
            del rows[call.key]
    return list(rows.values())


def _is_open(one: Alert) -> bool:
    return one.case is not None and one.case.resolved is None


def _apart(one: Alert, call: Alert) -> float:
    """Seconds between the moments at which the two were first seen here."""
    return math.inf if one.case is None or call.case is None else abs(one.case.seen - call.case.seen)


def keys_of(shown: Iterable[Alert], key: str) -> tuple[str, ...]:
    """Return the keys of all that one row stands for: an alert, and the call that is of the same incident."""
    row = next((one for one in shown if one.key == key), None)
    return (key, row.called) if row is not None and row.called else (key,)


def urgency(one: Alert) -> tuple[Any, ...]:
    """Return what comes first: calls, then by severity, then what came first.

    Nothing that a person does changes the place of an alert: a list does not reorder under a finger.
    """
    return (not (one.call or one.called), RANK.get(one.severity, 3), one.case.id if one.case else 0, one.place)


def next_of(waiting: Iterable[Alert], person: str, here: tuple[str, str]) -> Alert | None:
    """Return the case that ``person`` attends to after the alert ``here``, a place and a key.

    Cases of the same table come first; there and elsewhere, those this person has taken before those that are free.
    """
    cases = [(one, one.case) for one in waiting if (one.place, one.key) != here]
    mine = [one for one, case in cases if case is not None and case.resolved is None and case.taken_by == person]
    free = [one for one, case in cases if case is not None and case.resolved is None and case.taken_by is None]
    at_table = [one for one in (*mine, *free) if one.place == here[0]]
    return next(iter((*at_table, *mine, *free)), None)


def ended(
    table: TableView, words: Words, past: Iterable[Case] = (), catalogue: Catalogue | None = None
) -> tuple[Alert, ...]:
    """Return what was an alert and is none any more, newest first. ``past``: cases that have ended, newest first."""
    cases = {case.key: case for case in reversed(list(past))}
    gone = {key: doc for key, doc in reversed(table.ended.items()) if key not in table.alerts}
    own = [case for case in past if case.key not in gone or cases[case.key] is not case]
    newest = [alert(key, doc, table, words, cases.get(key), catalogue, live=False) for key, doc in gone.items()]
    return (*newest, *(alert(c.key, c.document, table, words, c, catalogue, live=False) for c in own))


def alert(
    key: str,
    document: Mapping[str, Any],
    table: TableView,
    words: Words,
    case: Case | None = None,
    catalogue: Catalogue | None = None,
    pictured: Mapping[str, Any] | None = None,
    *,
    live: bool | None = None,
) -> Alert:
    """One alert as a page shows it. ``document`` is an irregularity's data, or a call.

    ``live``: whether it waits; None: as the table's newest word says. ``pictured``: of which pictures there are.
    """
    seat = as_name(document.get("offender")) or as_name(document.get("seat"))
    call = "row" not in document or document.get("call") is True
    evidence = [as_map(item) for item in as_list(document.get("evidence"))]
    sheet = document.get("sheet")
    remedy = [step for step in as_list(document.get("remedy")) if isinstance(step, Mapping)]
    standing = key in table.alerts if live is None else live
    title, sentence = _called(document, seat, words) if call else _found(document, seat, table, words, case)
    return Alert(
        place=table.name,
        key=key,
        call=call,
        title=title or str(document.get("row", key)),
        sentence=sentence,
        article=as_name(document.get("article")),
        row=as_name(document.get("row")),
        severity="call" if call else str(document.get("severity", "note")),
        state=_state(document, standing=standing),
        seat=seat,
        line=_side(document, seat),
        sheet=sheet if isinstance(sheet, int) else None,
        cards=_seen(document.get("cards")),
        steps=tuple(_step(step, words) for step in remedy),
        options=_options(document, words, catalogue),
        needs_referee=document.get("needs_referee") is True,
        likely=document.get("likely") is True,
        warn=document.get("warn") is True,
        freezes=any(step.get("do") == "freeze" for step in remedy),
        confirmed=document.get("confirmed") is True,
        shots=shots(key, table, pictured),
        film=film(key, table, pictured),
        logs=tuple(_number(item.get("ref")) for item in evidence if item.get("kind") == "log"),
        case=case,
    )


def _side(document: Mapping[str, Any], seat: str | None) -> str | None:
    return as_name(document.get("pair")) or as_name(document.get("line")) or line_of(seat)


def _called(document: Mapping[str, Any], seat: str | None, words: Words) -> tuple[str, str]:
    """Title and sentence of a call: somebody wants the arbitro, or a score sheet is disputed."""
    if (dispute := _disputed(document, words)) is not None:
        return dispute
    return f"{words.named(seat)} {words['call']}", words["call_text"]


def _found(
    document: Mapping[str, Any], seat: str | None, table: TableView, words: Words, case: Case | None
) -> tuple[str, str]:
    """Title and sentence of an irregularity."""
    title, _ = _disputed(document, words) or (words.text(document.get("title")), "")
    return title, _sentence(document, seat, words, moment(table, document.get("committed_t")), case)


def _disputed(document: Mapping[str, Any], words: Words) -> tuple[str, str] | None:
    sheet = document.get("sheet")
    if not isinstance(sheet, int):
        return None
    line = words.named(document.get("line"))
    return words.say("sheet_dispute", line=line), words.say("sheet_dispute_text", deal=sheet)


def _state(document: Mapping[str, Any], *, standing: bool) -> str:
    state = str(document.get("state", "open"))
    return "ended" if state == "open" and not standing else state


def around(
    events: Sequence[Mapping[str, Any]], document: Mapping[str, Any], words: Words, boot: str | None
) -> tuple[FeedLine, ...]:
    """Return the card movements nearest to the fact, from shortly before it until it was found, in order.

    ``events``: its events around that time, in its order; ``boot``: in which of its starts the fact was, where no
    event of ``events`` tells of it.
    """
    first = document.get("committed_t")
    if not isinstance(first, (int, float)):
        return ()
    own = [
        e for e in events if e.get("type") == "irregularity" and as_map(e.get("data")).get("key") == document.get("key")
    ]
    found = own[0] if own else None
    boot = found["boot"] if found else boot
    last = found["t"] if found and isinstance(found.get("t"), (int, float)) else first
    moves = _MOVES | words.game.moves
    near = [
        event
        for event in events
        if event["boot"] == boot
        and event["type"] in moves
        and isinstance(event.get("t"), (int, float))
        and first - AROUND_BEFORE_S <= event["t"] <= last + AROUND_AFTER_S
    ]
    return tuple(tell(dict(event), words) for event in _nearest(near, first))


def _nearest(events: Sequence[Mapping[str, Any]], t: float) -> list[Mapping[str, Any]]:
    """Return the ``AROUND_MOST`` of ``events`` that are nearest to the second ``t``, in their order."""
    kept = sorted(range(len(events)), key=lambda n: abs(events[n]["t"] - t))[:AROUND_MOST]
    return [events[n] for n in sorted(kept)]


_MOVES: Final = frozenset(
    {"turn.started", "card.named", "event.retracted", "deal.started", "deal.checked", "deal.ended"}
)
"""Events of every game that tell of cards, or of whose turn it is."""


def line_of(seat: str | None) -> str | None:
    """Return the line of a seat."""
    known = seat_or_none(seat)
    return None if known is None else known.line


def _options(document: Mapping[str, Any], words: Words, catalogue: Catalogue | None) -> tuple[RulingOption, ...]:
    """Return the ways that the event names, each with the event's text, else the catalogue's title, in their weight.

    First what the table takes it for, else what the code names first where it does not leave the choice to the
    arbitro; then from the lightest to the heaviest.
    """
    choices = map(as_map, as_list(document.get("choices")))
    texts = {str(one.get("key")): words.text(one.get("text")) for one in choices}
    found = [option for one in as_list(document.get("options")) if (option := _option(one, texts, words, catalogue))]
    taken = document.get("row")
    own = next((one.key for one in found if one.key == taken), None)
    if own is None and found and not _is_left_to_arbitro(document):
        own = found[0].key
    weights = _weights(document)
    found.sort(key=lambda one: (one.key != own, -RANK.get(one.severity, 3), weights.get(one.key, 0)))
    return tuple(replace(one, proposed=one.key == own) for one in found)


def _is_left_to_arbitro(document: Mapping[str, Any]) -> bool:
    """Return True if the event says that he has to judge, or if its whole remedy is that he decides."""
    steps = [one for one in map(as_map, as_list(document.get("remedy"))) if one.get("option") is None]
    decides = bool(steps) and all(one.get("do") == "referee" for one in steps)
    return document.get("needs_referee") is True or decides


def _option(one: Any, texts: Mapping[str, str], words: Words, catalogue: Catalogue | None) -> RulingOption | None:
    """One way as the event names it, by key alone or as an object; None where it has no key."""
    key = one if isinstance(one, str) else str(as_map(one).get("key") or as_map(one).get("id") or "")
    if not key:
        return None
    text = texts.get(key) or words.text(as_map(one).get("text"))
    if key in texts:
        return RulingOption(key, text or key)
    found = option_of(catalogue, key, words.language)
    return replace(found, text=text) if text else found


_LIGHT: Final = ("nothing", "referee", "show", "draw", "collect", "discard", "stop-play")
_HEAVY: Final = ("penalise", "complete-or-penalise", "redeal", "replace-pack", "score")


def _weights(document: Mapping[str, Any]) -> dict[str, int]:
    """Return how heavy each way of a remedy is, by its heaviest step."""
    found: dict[str, int] = {}
    for step in map(as_map, as_list(document.get("remedy"))):
        key, do = as_name(step.get("option")), step.get("do")
        if key is not None:
            weight = 1 if do in _LIGHT else 3 if do in _HEAVY else 2
            found[key] = max(weight, found.get(key, 0))
    return found


def _seen(value: object) -> tuple[str, ...]:
    """Return the cards that all could see; none if every one lay face down."""
    cards = as_cards(value)
    return cards if any(face(card) != UNKNOWN for card in cards) else ()


def _number(value: object) -> str:
    return f"{value:.1f}" if isinstance(value, float) else str(value)


_LATER: Final = ("later", "hand_end", "round_end")
"""Findings that may come long after the fact: both moments are shown."""


def _sentence(document: Mapping[str, Any], seat: str | None, words: Words, done: str, case: Case | None) -> str:
    """Return what happened in one sentence: who, what, when it was found and when it was done."""
    title = words.text(document.get("title"))
    who = seat or document.get("line")
    parts = [f"{words.named(who)}: {title[:1].lower()}{title[1:]}" if who else title]
    found = words.get(f"found_{document.get('found')}")
    if done and found and case is not None and document.get("found") in _LATER:
        seen = time.strftime("%H:%M:%S", time.localtime(case.seen))
        return f"{', '.join(parts)}, {words.say('both_moments', done=done, found=found, seen=seen)}."
    if found:
        parts.append(found)
    if done:
        parts.append(f"{words['at_time']} {done}")
    return ", ".join(parts) + "."


def _step(step: Mapping[str, Any], words: Words) -> RemedyStep:
    text = words.text(step.get("text")) or str(step.get("do", ""))
    return RemedyStep(text, as_cards(step.get("cards")), as_name(step.get("option")))
