"""A round goes on after the table's restart: what its journal tells of it, taken up again.

What was counted, confirmed, corrected and ruled holds, and every sheet can be corrected (arts. 19, 20). Where the cards
of the deal that was being played lie nobody knows any more: its score is told as unknown, until it is dealt anew or the
arbitro enters it. The events stand in the header of the new log, so that the log alone tells the same again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from hw.observation_log import Header
from hw.seats import LINES, Line
from table_service.events import payloads as say
from table_service.games.burraco.counting import Scores
from table_service.games.burraco.event_payloads import SCORE_SHEET
from table_service.games.burraco.fold import rounds
from table_service.games.burraco.fold.round_state import Sitting
from table_service.games.burraco.fold.sheets import Sheet, shown
from table_service.games.burraco.rules.score import ITEMS
from table_service.referee.outcomes import Share
from table_service.referee.round import Award, RoundBook
from table_service.referee.round_options import opening

OPTION: Final = "resumed"
"""The header's option that holds the events of the round that goes on."""
_TYPES: Final = frozenset(
    {"round.ended", "round.ruled", "warning.given", "deal.started", "score.counted", "event.retracted"}
    | {"sheet.confirmed", "sheet.disputed", "sheet.corrected"}
)
_FIELDS: Final = ("id", "boot", "seq", "type", "deal", "line", "time", "data")
Told = Mapping[str, Any]


def newest_round(events: Iterable[Told]) -> list[dict[str, Any]]:
    """What is to be known of the newest round in ``events`` (a journal's, oldest first); empty where there is none.

    A start of the table that did not take the round up again has no part in it.
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
                found.append(_short(event))
    return found


def resumed(header: Header, events: Sequence[Told]) -> Header:
    """``header`` of a table that goes on with the round that ``events`` (``newest_round``) tell."""
    return replace(header, options={**header.options, OPTION: list(events)}) if events else header


def scores_of(header: Header) -> dict[int, Told]:
    """By deal the event that told its count last before the restart."""
    scores: dict[int, Told] = {}
    for event in header.options.get(OPTION, ()):
        match event["type"]:
            case "score.counted":
                scores[event["deal"]] = event
            case "event.retracted":
                scores = {n: one for n, one in scores.items() if one["id"] != event["data"]["event"]}
    return scores


def resume(sitting: Sitting) -> None:
    """Take up the round in the header of ``sitting``, and tell so; nothing where there is none."""
    told = sitting.header.options.get(OPTION)
    if not isinstance(told, list) or not told:
        return
    first, *rest = told
    started = say.RoundStarted.model_validate(first["data"])
    said = started.model_dump(include={"deals", "warnings", "warning_count", "call_at", "room"}, exclude_none=True)
    book = opening(sitting.header, sitting.catalogue.tournament, said)
    sitting.referee.new_round(book)
    sitting.deals, sitting.running = book.deals, True
    sitting.scores = Scores(sitting.book, sitting.scores.teams, sitting.deals)
    playing: int | None = None
    for event in rest:
        _again(sitting, event)
        if event["type"] == "deal.started":
            sitting.number = playing = event["deal"]
        elif event["deal"] == sitting.number and event["type"] in ("score.counted", "event.retracted"):
            playing = None if sitting.number in sitting.sheets else sitting.number
    sitting.say("round.resumed", say.RoundResumed(round=first["id"], deals=sitting.deals, lost=playing), 0.0)
    if playing is not None:
        _nobody_knows(sitting, playing)
    held = sitting.sheets.get(sitting.number)
    sitting.this.score_id = None if held is None else held.event


def _short(event: Told) -> dict[str, Any]:
    return {name: event.get(name) for name in _FIELDS}


def _again(sitting: Sitting, event: Told) -> None:
    """What one event of before the restart means for the round."""
    data, number, line = event["data"], event["deal"], event["line"]
    book = sitting.referee.book
    match event["type"]:
        case "score.counted":
            _counted(sitting, number, event["id"], say.ScoreCounted.model_validate(data))
        case "event.retracted":
            for gone in [n for n, sheet in sitting.sheets.items() if sheet.event == data["event"]]:
                del sitting.sheets[gone], sitting.scores.totals[gone]
        case "sheet.confirmed" | "sheet.disputed" | "sheet.corrected" if number in sitting.sheets:
            _sheet(sitting.sheets[number], event)
        case "warning.given" if data.get("withdrawn"):
            sitting.referee.book = _without_warning(book, Line(line), data.get("row"))
        case "warning.given":
            sitting.referee.book = book.warn(Line(line), data.get("row"))
        case "round.ruled":
            key = f"{event['boot']}:{data['key']}"  # the restarted table may count its own keys from the beginning
            gone_on = book.without(key)
            awards = () if data.get("lifted") else _awards(key, say.RoundRuled.model_validate(data))
            sitting.referee.book = replace(gone_on, awards=(*gone_on.awards, *awards))
        case "round.ended":
            ended = say.RoundEnded.model_validate(data)
            sitting.round_end = (event["id"], ended.model_dump(exclude={"supersedes"}))
            sitting.running = False


def _counted(sitting: Sitting, number: int, event: str, data: say.ScoreCounted) -> None:
    before = sitting.sheets.get(number)
    if before is None or data.supersedes != before.event:
        sheet = Sheet(event, data, _figures(data), data.doubtful)
    else:
        same = shown(before.data) == shown(data)
        counted, doubtful = _figures(data), data.doubtful
        for line, item in before.corrected:
            if item in ITEMS:
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
    sitting.sheets[number] = sheet
    sitting.scores.totals[number] = {line: data.lines[str(line)]["total"] for line in LINES}
    sitting.referee.counted(rounds.lead(sitting))
    if sitting.referee.book.reached and not data.must_call:
        sitting.referee.visited()


def _figures(data: say.ScoreCounted) -> dict[str, Any]:
    return {name: {"items": dict(own["items"]), "total": own["total"]} for name, own in data.lines.items()}


def _sheet(sheet: Sheet, event: Told) -> None:
    """What lines and the arbitro have done with a sheet."""
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


def _without_warning(book: RoundBook, line: Line, row: str | None) -> RoundBook:
    mine = [n for n, one in enumerate(book.warnings) if one.line is line and one.row == row]
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


def _nobody_knows(sitting: Sitting, number: int) -> None:
    """The deal that was being played: none of its figures is known, and the arbitro can enter them."""
    nothing = {str(line): {"items": dict.fromkeys(ITEMS), "total": None} for line in LINES}
    sitting.scores.totals[number] = dict.fromkeys(LINES)
    running = sitting.scores.running
    last = sitting.deals is not None and len(sitting.scores.totals) >= sitting.deals
    data = say.ScoreCounted(
        lines={str(line): {**nothing[str(line)], "running": running[line]} for line in LINES},
        camera=nothing,
        ledger=nothing,
        agrees=False,
        doubtful=tuple(f"{line}.{item}" for line in LINES for item in ITEMS),
        must_call=sitting.referee.book.must_call,
        sheet=SCORE_SHEET,
        **(rounds.standing(sitting) if last else {}),
    )
    event = sitting.say("score.counted", data, 0.0, deal=number)
    sitting.sheets[number] = Sheet(event.id, data, nothing, data.doubtful)
