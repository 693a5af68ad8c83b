"""Outcome of an alert, for later questions: what was decided, by whom, by which option, and when.

Pure: made of the case at the desk, its table's events, and the orders that concern it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from table_service.console.ruling_forms import title_of
from table_service.console.storage import Case, StoredOrder
from table_service.console.times import time_of_day
from table_service.console.vocabulary import Words
from table_service.events.untrusted import as_cards, as_list, as_map, as_name
from table_service.referee.catalogue import Catalogue

DECIDED: Final = ("ruled", "dismissed")
CLOCKS_APART_S: Final = 5.0
"""A table's clock that differs by more from the console's is wrong, or stands still, as the demo's does at an alert."""
_RULINGS: Final = ("rule", "dismiss", "confirm")
_REVERSING: Final = ("rule", "dismiss")
"""Those of them that change an earlier one."""


@dataclass(frozen=True, slots=True)
class CaseEntry:
    """One thing that happened to a case: when (seconds since 1970), what, and by whom if a person did it."""

    at: float
    text: str
    person: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """State of a case: ``state`` is ruled, dismissed, healed or ended.

    ``option``: the one chosen, ``steps``: parts of the remedy that it carries out; ``cards``, ``freeze`` and ``note``:
    the arbitro's other entries.
    """

    state: str
    by: str = ""
    at: float | None = None
    option: str = ""
    steps: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    freeze: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class CaseRecord:
    """Everything that an appeal asks about a case. ``may``: what an arbitro may still do, reverse or reopen."""

    decision: Decision
    history: tuple[CaseEntry, ...]
    may: str = ""


def record(
    case: Case | None,
    document: Mapping[str, Any],
    told: Sequence[Mapping[str, Any]],
    orders: Iterable[StoredOrder],
    words: Words,
    catalogue: Catalogue | None,
) -> CaseRecord:
    """Return the record of a case that has ended.

    ``told``: the irregularity's events, ``orders``: those about it, each in the order of time.
    """
    given = [order for order in orders if order.do in _RULINGS]
    state = str(document.get("state", ""))
    state = state if state in (*DECIDED, "healed") else "ended"
    last: Mapping[str, Any] = next(
        (event for event in reversed(told) if as_map(event.get("data")).get("state") == state), {}
    )
    decision = _decision(state, document, last, given, words, catalogue)
    may = {"ruled": "reverse", "dismissed": "reopen"}.get(state, "")
    heard = {} if case is None else {"open": case.seen}
    answered = _answer(state, given)
    if answered is not None and answered.answered is not None:
        heard[state] = answered.answered
    told_here = _events(told, words, heard)
    entries = sorted((*_hands(case, words), *told_here, *_orders(given, words)), key=lambda one: one.at)
    return CaseRecord(decision, tuple(entries), may)


def _decision(
    state: str,
    document: Mapping[str, Any],
    last: Mapping[str, Any],
    given: Sequence[StoredOrder],
    words: Words,
    catalogue: Catalogue | None,
) -> Decision:
    order = _answer(state, given)
    said = dict(order.fields) if order is not None else {}
    ruling = said | dict(as_map(as_map(last.get("data")).get("ruling"))) if state == "ruled" else said
    option = as_name(ruling.get("option")) or ""
    at, answered = _seconds(last.get("time")), None if order is None else order.answered
    if answered is not None and (at is None or abs(at - answered) > CLOCKS_APART_S):
        at = answered
    return Decision(
        state=state,
        by=(order.person if order is not None else as_name(ruling.get("by"))) or "",
        at=at,
        option=option_text(document, option, words, catalogue),
        steps=_steps(document, option, words) if state == "ruled" else (),
        cards=as_cards(ruling.get("cards")),
        freeze=words.get(f"freeze_{ruling.get('freeze')}") if ruling.get("freeze") else "",
        note=as_name(ruling.get("note")) or "",
    )


def _answer(state: str, given: Sequence[StoredOrder]) -> StoredOrder | None:
    """Return the order by which a case came to its end; None if the table ended it by itself."""
    do = {"ruled": "rule", "dismissed": "dismiss"}.get(state)
    return next((one for one in reversed(given) if one.do == do and one.state == "done"), None)


def option_text(document: Mapping[str, Any], option: str, words: Words, catalogue: Catalogue | None) -> str:
    """Return what an option says: the event's own words, else the catalogue's title; empty for none."""
    if not option:
        return ""
    for one in map(as_map, (*as_list(document.get("choices")), *as_list(document.get("options")))):
        if option in (one.get("key"), one.get("id")) and words.text(one.get("text")):
            return words.text(one.get("text"))
    return title_of(catalogue, option, words.language)


def _steps(document: Mapping[str, Any], option: str, words: Words) -> tuple[str, ...]:
    steps = map(as_map, as_list(document.get("remedy")))
    taken = [step for step in steps if step.get("option") in (None, option)]
    return tuple(words.text(step.get("text")) or str(step.get("do", "")) for step in taken)


def _hands(case: Case | None, words: Words) -> list[CaseEntry]:
    if case is None:
        return []
    found = [CaseEntry(case.seen, words["record_came"])]
    marks = (
        (case.taken, "taken_by", case.taken_by),
        (case.raised, "raised", None),
        (case.second, "record_second", case.second_by),
        (case.resolved, "resolved_by", case.resolved_by),
        (case.ended, "record_ended", None),
    )
    found += [CaseEntry(at, words[key], person or "") for at, key, person in marks if at is not None]
    if case.second_met_by:
        found.append(CaseEntry(case.second or case.seen, words["record_second_met"], case.second_met_by))
    return found


def _events(told: Iterable[Mapping[str, Any]], words: Words, heard: Mapping[str, float]) -> list[CaseEntry]:
    """Events of the table. ``heard``: by state, when the console heard of it, by which a clock that is wrong shows."""
    found = []
    for event in told:
        data, at = as_map(event.get("data")), _seconds(event.get("time"))
        if at is not None:
            state = words.get(f"state_{data.get('state')}", str(data.get("state")))
            text = words.say("record_told", state=state, row=str(data.get("row") or ""))
            came = heard.get(str(data.get("state")), at)
            if abs(came - at) > CLOCKS_APART_S:
                said = time.strftime("%H:%M:%S", time.localtime(at))
                text, at = f"{text}, {words.say('record_clock', time=said)}", came
            found.append(CaseEntry(at, text))
    return found


def _orders(given: Iterable[StoredOrder], words: Words) -> list[CaseEntry]:
    found, decided = [], False
    for order in given:
        became = words[f"order_{order.reason if order.reason == 'no-answer' else order.state}"]
        note = as_name(order.fields.get("note"))
        title = words["record_reversal"] if decided and order.do in _REVERSING else words[f"do_{order.do}"]
        sent = "" if order.sent is None else words.say("record_sent", time=time_of_day(order.sent))
        text = ", ".join(part for part in (f"{title}: {became}", sent) if part) + (f" – {note}" if note else "")
        found.append(CaseEntry(order.given, text, order.person))
        decided = decided or (order.state == "done" and order.do in _REVERSING)
    return found


def _seconds(told: object) -> float | None:
    if not isinstance(told, str):
        return None
    try:
        return datetime.fromisoformat(told).timestamp()
    except (ValueError, OverflowError):
        return None


def when(at: float) -> str:
    """Return a moment of a record: day, hour and second at the console's place."""
    return time.strftime("%d.%m.%Y %H:%M:%S", time.localtime(at))
