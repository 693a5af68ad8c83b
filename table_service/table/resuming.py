"""Resumption of a round after the table's restart, from what its journal holds.

What was counted, confirmed, corrected and ruled holds, and every sheet can be corrected. Irregularities that waited for
the arbitro wait on; rulings in the newest deal or for the rest of the round can be lifted. The places of the cards of
the interrupted deal are unknown: its score is reported as unknown, until it is dealt anew or the arbitro enters it. The
events are in the header of the new log, so that the log alone yields the same again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, cast

from hw.errors import TavoloError
from hw.observation_log import Header
from hw.seats import Line
from hw.table_options import COMMON_OPTIONS, Option, word_of
from table_service.events import payloads as say
from table_service.referee.outcomes import Share
from table_service.referee.past import Past
from table_service.referee.round import Award, RoundBook
from table_service.table.deal_sheets import Sheet
from table_service.table.recounts import KIND as RECOUNTS
from table_service.table.sheet_figures import shown
from table_service.table.table_parts import TableParts

OPTION: Final = "resumed"
"""The header's option that holds the events of the round that continues."""
_TYPES: Final = frozenset(
    {"round.ended", "round.ruled", "round.seated", "warning.given", "deal.started", "score.counted", "event.retracted"}
    | {"sheet.confirmed", "sheet.disputed", "sheet.corrected"}
    | {"irregularity", "sanction.imposed", "sanction.served", "sanction.broken"}
)
_ROUND_END: Final = "round-end"
"""The end of what a remedy imposes for the rest of the round."""
_OWN_KEY: Final = re.compile(r"[0-9a-f]{6}r\d|[^:]+:")
"""A key that names the table's start in which it was given, by the table or here."""
_SAID: Final = {"deals", "warnings", "warning_count", "call_at", "room"}
"""Fields of the beginning of a round, besides its minutes."""
_FIELDS: Final = ("id", "boot", "seq", "type", "deal", "line", "time", "t", "committed_t", "confidence", "data")
Told = Mapping[str, Any]


def newest_round(events: Iterable[Told]) -> list[dict[str, Any]]:
    """Return the events of the newest round in ``events`` (a journal's, oldest first); empty if there is none.

    A start of the table that did not resume the round has no part in it.
    """
    found: list[dict[str, Any]] = []
    boots: set[str] = set()
    for event in events:
        match event["type"]:
            case "round.started":
                found, boots = [_short(event)], {event["boot"]}
            case "round.resumed" if found and event["data"].get("round") == found[0]["id"]:
                boots.add(event["boot"])
            case kind if kind in _TYPES and event["boot"] in boots:
                _note(found, _short(event))
    return found


def keys_of(header: Header) -> frozenset[str]:
    """Return the keys of the irregularities that were found before the table's restart."""
    return frozenset(
        str(event["data"]["key"]) for event in header.options.get(OPTION, ()) if event["type"] == "irregularity"
    )


def _note(found: list[dict[str, Any]], event: dict[str, Any]) -> None:
    """Add ``event`` to what is known of the round, and drop what it has settled."""
    data, kind = event["data"], event["type"]
    if kind in ("irregularity", "round.ruled") or kind.startswith("sanction."):
        event["data"] = _with_unique_keys(data, event["boot"])
    match kind:
        case "irregularity" | "sanction.imposed":
            _settle(found, kind, event["data"]["key"])
        case "sanction.served" | "sanction.broken":
            _settle(found, "sanction.imposed", event["data"]["key"])
            return
        case "deal.started":  # what is settled, and what was owed in the deal before, lies behind the table
            found[:] = [one for one in found if _outlasts_its_deal(one, event["deal"])]
        case "warning.given":
            event["data"] = {**data, "key": _ruled_with(found, event)}
    found.append(event)
    if kind == "irregularity" and event["data"]["state"] in ("dismissed", "healed"):
        owed = event["data"]["key"]
        found[:] = [one for one in found if one["type"] != "sanction.imposed" or one["data"]["irregularity"] != owed]


def _outlasts_its_deal(event: Told, begun: int) -> bool:
    """Return True if ``event`` still matters as deal ``begun`` begins.

    An irregularity does that waits for the arbitro, or was ruled: he may reverse it. In a deal that is dealt anew what
    was ruled matters only if it holds for the rest of the round.
    """
    data = event["data"]
    if event["type"] == "irregularity":
        lasting = event["deal"] != begun or any(step.get("until") == _ROUND_END for step in data.get("remedy", ()))
        state = str(data.get("state"))
        return state == "open" or (state == "ruled" and bool(lasting))
    return str(event["type"]) != "sanction.imposed"


def _with_unique_keys(data: dict[str, Any], boot: object) -> dict[str, Any]:
    """Return ``data`` with its keys made unique over starts."""
    return data | {name: _unique(data[name], boot) for name in ("key", "irregularity") if name in data}


def _settle(found: list[dict[str, Any]], kind: str, key: str) -> None:
    """Drop what was reported under ``key`` before."""
    found[:] = [one for one in found if one["type"] != kind or one["data"]["key"] != key]


def _ruled_with(found: Sequence[Told], warning: Told) -> str:
    """Return the key of the ruling that has given, or taken back, ``warning``; empty if it was given by itself.

    It is reported right after the ruling, for the same moment and by the same row.
    """
    for one in reversed(found):
        if (one["boot"], one["time"]) != (warning["boot"], warning["time"]):
            break
        if one["type"] in ("irregularity", "round.ruled") and one["data"]["row"] == warning["data"].get("row"):
            return str(one["data"]["key"])
    return ""


def _unique(key: object, boot: object) -> str:
    """``key`` as no other start of the table has given it."""
    named = str(key)
    return named if _OWN_KEY.match(named) else f"{boot}:{named}"


class ForeignRoundError(TavoloError, ValueError):
    """The round in a journal was played by another code; the message names both."""


def as_begun(header: Header, events: Sequence[Told], known: Mapping[str, Option]) -> tuple[Header, str]:
    """Return ``header`` with the choices by which the round of ``events`` began, and a remark on it; or nothing.

    ``known``: the options of the code of ``header``. A journal of a version that knew no choices has none: the round
    continues by the defaults. Raises ForeignRoundError if the round was of another code.
    """
    data = events[0]["data"] if events else {}
    rules, told = data.get("rules"), data.get("options")
    if rules not in (None, header.rules):
        raise ForeignRoundError(f"the round of before was played by {rules}, and this table plays {header.rules}")
    own = {name for name, option in known.items() if name not in COMMON_OPTIONS and not option.needed}
    if not events or not own:
        return header, ""
    kept = {name: value for name, value in header.options.items() if name not in own}
    if not isinstance(told, Mapping):
        return replace(header, options=kept), "the journal names no choices: the round goes on by the defaults"
    begun = {name: told[name] for name in own if name in told}
    return replace(header, options={**kept, **begun}), _said(header, begun)


def _said(header: Header, begun: Mapping[str, Any]) -> str:
    """Return the choices of ``header`` that differ from those with which the round has ``begun``; empty if none."""
    here = {name: word_of(value) for name, value in header.options.items() if name in begun}
    changed = sorted(f"{name}={begun[name]}" for name, value in here.items() if value != begun[name])
    return f"the round goes on as it began: {', '.join(changed)}" if changed else ""


def resumed(header: Header, events: Sequence[Told], recounts: Mapping[str, Any] | None = None) -> Header:
    """Return ``header`` of a table that continues the round of ``events`` (``newest_round``).

    ``recounts``: each ruling's changes on its sheet, as the journal notes them.
    """
    noted = [{**dict.fromkeys(_FIELDS), "type": RECOUNTS, "data": recounts}] if recounts else []
    return replace(header, options={**header.options, OPTION: [*events, *noted]}) if events else header


def scores_of(header: Header) -> dict[int, Told]:
    """Return by deal the event that last reported its count before the restart."""
    scores: dict[int, Told] = {}
    for event in header.options.get(OPTION, ()):
        match event["type"]:
            case "score.counted":
                scores[event["deal"]] = event
            case "event.retracted":
                scores = {n: one for n, one in scores.items() if one["id"] != event["data"]["event"]}
    return scores


def resume(table: TableParts) -> None:
    """Take up the round in the header of ``table``, and report it; do nothing if there is none."""
    told = table.header.options.get(OPTION)
    if not isinstance(told, list) or not told:
        return
    first, *rest = told
    started = say.RoundStarted.model_validate(first["data"])
    state, sheets = table.round, table.sheets
    state.open(started.model_dump(include=_SAID, exclude_none=True))
    playing: int | None = None
    for event in rest:
        _take_up(table, event)
        if event["type"] == "deal.started":
            playing = event["deal"]
            state.go_on(event["deal"])
        elif event["deal"] == state.number and event["type"] in ("score.counted", "event.retracted"):
            playing = None if state.number in sheets.by_deal else state.number
    forgotten = _take_up_findings(table, rest)
    waiting = tuple(one.key for one in table.referee.open)
    resumed = say.RoundResumed(
        round=first["id"], deals=state.deals, lost=playing, open=waiting, forgotten=tuple(forgotten)
    )
    table.voice.say("round.resumed", resumed, 0.0)
    if playing is not None:
        sheets.leave_unknown(playing)
    sheets.go_on()


def _short(event: Told) -> dict[str, Any]:
    return {name: event.get(name) for name in _FIELDS}


def _take_up(table: TableParts, event: Told) -> None:
    """Take up what one event of before the restart means for the round."""
    data, number, line = event["data"], event["deal"], event["line"]
    referee, sheets = table.referee, table.sheets
    book = referee.book
    match event["type"]:
        case "score.counted":
            _counted(table, number, event["id"], say.ScoreCounted.model_validate(data))
        case "event.retracted":
            sheets.withdraw(data["event"])
        case "sheet.confirmed" | "sheet.disputed" | "sheet.corrected" if number in sheets.by_deal:
            _sheet(sheets.by_deal[number], event)
        case "warning.given" if data.get("withdrawn"):
            referee.book = _without_warning(book, Line(line), data.get("row"), str(data.get("key") or ""))
        case "warning.given":
            referee.book = book.warn(Line(line), data.get("row"), str(data.get("key") or ""))
        case "round.ruled":
            key = _unique(data["key"], event["boot"])
            others = tuple(one for one in book.awards if one.key != key)
            awards = () if data.get("lifted") else _awards(key, say.RoundRuled.model_validate(data))
            referee.book = replace(book, awards=(*others, *awards))  # its warnings have events of their own
        case "round.seated":
            table.round.seated = say.RoundSeated.model_validate(data)
        case "round.ended":
            table.round.ended_before(event["id"], say.RoundEnded.model_validate(data))


def _counted(table: TableParts, number: int, event: str, data: say.ScoreCounted) -> None:
    before = table.sheets.by_deal.get(number)
    if before is None or data.supersedes != before.event:
        sheet = Sheet(event, data, _figures(data), data.doubtful)
    else:
        same = shown(before.data) == shown(data)
        counted, doubtful = _figures(data), data.doubtful
        for line, item in before.corrected:
            if item in counted[str(line)]["items"]:
                counted[str(line)]["items"][item] = before.counted[str(line)]["items"][item]
                hidden = f"{line}.{item}"
                doubtful = (*doubtful, hidden) if hidden in before.doubtful else doubtful
        sheet = replace(
            before,
            event=event,
            data=data,
            counted=counted,
            doubtful=doubtful,
            confirmed=dict(before.confirmed) if same else {},
        )
    table.sheets.restore(number, sheet)
    table.referee.counted(table.round.scores.lead)
    if table.referee.book.reached and not data.must_call:
        table.referee.visited()


def _figures(data: say.ScoreCounted) -> dict[str, Any]:
    return {name: {"items": dict(own["items"]), "total": own["total"]} for name, own in data.lines.items()}


def _sheet(sheet: Sheet, event: Told) -> None:
    """Apply the acts of lines and arbitro on a sheet."""
    data = event["data"]
    match event["type"]:
        case "sheet.confirmed":
            sheet.confirmed[Line(data["line"])] = data["how"]
            sheet.disputed.pop(Line(data["line"]), None)
        case "sheet.disputed":
            sheet.confirmed.pop(Line(data["line"]), None)
            sheet.disputed[Line(data["line"])] = (0.0, str(event["time"]))
        case "sheet.corrected":
            sheet.disputed.clear()
            for change in data["changes"]:
                place = (Line(change["line"]), str(change["item"]))
                counted = sheet.counted[change["line"]]
                own = counted["total"] if place[1] == "total" else counted["items"].get(place[1])
                if change["new"] is None or change["new"] == own:  # the correction was taken back
                    sheet.corrected.pop(place, None)
                else:
                    sheet.corrected[place] = change["new"]


def _take_up_findings(table: TableParts, events: Sequence[Told]) -> list[str]:
    """Take up irregularities and duties of before; the keys of what the code does not know any more."""
    number, counted = table.round.number, table.sheets.by_deal
    found = [event for event in events if event["type"] == "irregularity"]
    known = {event["data"]["key"] for event in found}
    declared = {one["data"]["key"]: one for one in events if one["type"] == "round.ruled"}
    found += [one for key, one in declared.items() if key not in known and not one["data"].get("lifted")]
    irregularities = []
    for event in found:
        is_ruled = event["data"].get("state", "ruled") == "ruled" and event["deal"] in counted
        past = replace(_past(event, table.header), deal=event["deal"] if is_ruled else None)
        irregularities.append(replace(past, is_over=is_ruled and event["deal"] != number))
    sanctions = [_past(event, table.header) for event in events if event["type"] == "sanction.imposed"]
    return list(table.referee.take_up(irregularities, sanctions, number))


def _past(event: Told, header: Header) -> Past:
    """Return the content of ``event``, in seconds of this log: before its beginning, whatever the clocks say."""
    since = (datetime.fromisoformat(event["time"]) - datetime.fromisoformat(header.started)).total_seconds()
    t, committed = event.get("t"), event.get("committed_t")
    ago = t - committed if isinstance(t, int | float) and isinstance(committed, int | float) else 0.0
    told = min(since, 0.0)
    return Past(event["data"], round(told, 6), round(told - max(ago, 0.0), 6), event.get("confidence") or 1.0)


def _without_warning(book: RoundBook, line: Line, row: str | None, key: str) -> RoundBook:
    own = [n for n, one in enumerate(book.warnings) if one.line is line and one.row == row]
    mine = [n for n in own if book.warnings[n].key == key] or own
    return replace(book, warnings=tuple(one for n, one in enumerate(book.warnings) if n not in mine[-1:]))


def _awards(key: str, ruled: say.RoundRuled) -> tuple[Award, ...]:
    return tuple(
        Award(
            key,
            ruled.row,
            Line(one.line),
            Share(cast("Any", one.do), one.points or 0),
            _named(ruled.ruling.get("vp"), one.line),
            _named(ruled.ruling.get("mp"), one.line),
        )
        for one in ruled.shares
    )


def _named(value: object, line: str) -> int | None:
    found = value.get(line) if isinstance(value, Mapping) else None
    return found if isinstance(found, int) and not isinstance(found, bool) else None
