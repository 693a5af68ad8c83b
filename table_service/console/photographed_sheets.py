"""Deals scored from photographs put into the rounds of their tables. Pure.

If a table reported the deal, photographs are shown beside it and change nothing; if none did, they make the sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from hw.errors import TavoloError
from hw.seats import LINES
from table_service.console.score_sheet import PHOTOGRAPHS, TOTAL, DealSheet, Signed
from table_service.console.storage import PhotographedDeal
from table_service.console.times import time_of_day
from table_service.events.untrusted import as_list, as_map, as_whole, sum_of
from table_service.rulesets import RULE_SETS

if TYPE_CHECKING:
    from table_service.console.sheet_book import TableRound

_CONFIRMED: Final = "display"
"""State of a line that confirmed its sheet on the phone's screen."""


def with_photographs(
    rounds: Iterable[TableRound],
    photographed: Iterable[PhotographedDeal],
    begin: Callable[[PhotographedDeal], TableRound],
) -> list[TableRound]:
    """Return the rounds of a table, oldest first, with the deals that were ``photographed`` there, in the order kept.

    ``begin`` makes the round of a deal that no table reported.
    """
    found = list(rounds)
    made: dict[int, str] = {}
    for one in photographed:
        held = _round_of(found, one)
        if held is None:
            held = begin(one)
            found.append(held)
        sheet = held.sheets.get(one.number)
        if sheet is None or not sheet.by_table:
            held.sheets[one.number] = _sheet(one)
            made[id(held)] = str(one.told.get("rules"))
            _number(held, one)
        else:
            sheet.photographed = one
    for held in found:
        if id(held) in made:
            _stand(held, made[id(held)])
    return sorted(found, key=lambda held: held.heard)


def _round_of(rounds: list[TableRound], one: PhotographedDeal) -> TableRound | None:
    """Return the newest round that the table had begun when the pictures were kept, since the hall's round began."""
    fit = [held for held in rounds if one.begun <= held.heard <= one.at]
    return max(fit, key=lambda held: held.heard, default=None)


def _sheet(one: PhotographedDeal) -> DealSheet:
    """Return a sheet made of photographs. A figure in no picture is the written one, once both lines confirm it."""
    written = {
        str(line): {str(item): whole for item, value in as_map(own).items() if (whole := as_whole(value)) is not None}
        for line, own in as_map(one.told.get("written")).items()
    }
    signed = [line for line in LINES if line in as_list(one.told.get("confirmed"))]
    agreed = written if len(signed) == len(LINES) else {}
    lines = {line: _figures(as_map(as_map(one.told.get("lines")).get(line)), agreed.get(line, {})) for line in LINES}
    rules = RULE_SETS.get(str(one.told.get("rules")))
    data: dict[str, Any] = {"lines": lines}
    if rules is not None:
        data["sheet"] = [item.model_dump() for item in rules.sheet.sheet_items]
    score = {
        "id": f"{PHOTOGRAPHS}-{one.id}", "type": "score.counted", "boot": PHOTOGRAPHS, "seq": one.id,
        "deal": one.number, "data": data,
    }  # fmt: skip
    time = time_of_day(one.at)[:5]
    sheet = DealSheet(one.place, PHOTOGRAPHS, one.number, score, photographed=one)
    sheet.signed = {line: Signed(_CONFIRMED, one.by, time) for line in signed}
    sheet.written = written
    if written:
        sheet.written_by = Signed("paper", str(one.told.get("who") or one.by), time)
    return sheet


def _figures(seen: Mapping[str, Any], agreed: Mapping[str, int]) -> dict[str, Any]:
    items = {name: _or(value, agreed.get(name)) for name, value in as_map(seen.get("items")).items()}
    total = _or(seen.get(TOTAL), _or(sum_of(items.values()) if items else None, agreed.get(TOTAL)))
    return {"items": items, TOTAL: total}


def _or(value: object, otherwise: int | None) -> int | None:
    known = as_whole(value)
    return otherwise if known is None else known


def _number(held: TableRound, one: PhotographedDeal) -> None:
    """Set the number by which the game calls the deal, if it was said."""
    called = as_whole(one.told.get("board"))
    if called is not None:
        held.numbers[one.number], held.named[called] = called, one.told


def _stand(held: TableRound, rules: str) -> None:
    """Write into the sheets that photographs made how the round stands with all its deals."""
    ns, ew = held.running()
    if ns is None or ew is None:
        return
    standing: dict[str, Any] = {"match_points": dict(zip(LINES, (ns - ew, ew - ns), strict=True))}
    played = RULE_SETS.get(rules)
    points = None if played is None else played.calculators.victory_points
    if points is not None and held.deals is not None:
        with suppress(TavoloError):  # the code has no table for so many deals: nobody knows them
            standing["victory_points"] = dict(zip(LINES, points(held.deals, ns - ew, False)["vp"], strict=True))
    if played is not None and played.photographs is not None and played.photographs.match is not None:
        deals = [held.sheets[number] for number in sorted(held.sheets)]
        standing["match"] = played.photographs.match([(_totals(one), _told(one)) for one in deals])
    for sheet in held.sheets.values():
        if not sheet.by_table:
            sheet.score = {**sheet.score, "data": {**sheet.data, **standing}}


def _totals(sheet: DealSheet) -> dict[str, int | None]:
    return {line: sheet.total(line) for line in LINES}


def _told(sheet: DealSheet) -> Mapping[str, Any]:
    return {} if sheet.by_table or sheet.photographed is None else sheet.photographed.told
