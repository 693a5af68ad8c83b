"""Figures on a score sheet: corrections above a count, points added to it, what of it a line confirms."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from hw.seats import LINES, Line
from table_service.events import payloads as say

Figured = Mapping[str, Any]
"""By line the items of a count, by name, and their total."""


def shown(data: say.ScoreCounted) -> object:
    """Return the part of a count that a line confirms: if it changes, both lines confirm anew."""
    return {line: (own.get("items"), own.get("total")) for line, own in data.lines.items()}


def corrected(
    lines: Figured, doubtful: tuple[str, ...], changed: Mapping[tuple[Line, str], int]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """``lines`` with the figures of the arbitro, ``changed``, above them; and what is ``doubtful`` still."""
    made: dict[str, Any] = {}
    for line in LINES:
        items: dict[str, int | None] = dict(lines[str(line)]["items"])
        items |= {item: value for (one, item), value in changed.items() if one is line and item in items}
        values = list(items.values())
        total = None if None in values else sum(value or 0 for value in values)
        made[str(line)] = {"items": items, "total": changed.get((line, "total"), total)}
    settled = {f"{line}.{item}" for line, item in changed}
    return made, tuple(one for one in doubtful if one not in settled)


def add_to(own: dict[str, Any], item: str, points: int) -> None:
    """``own``: a line's items and total; ``item`` is ``points`` more, and what is not known stays so."""
    if own["items"].get(item) is not None:
        own["items"][item] += points
        own["total"] = None if own["total"] is None else own["total"] + points


def with_given(data: say.ScoreCounted, line: Line, item: str, points: int) -> dict[str, Any]:
    """Return the counts of camera and ledger with ``points`` more for ``line``: neither of them sees a bonus."""
    both = {name: deepcopy(getattr(data, name)) for name in ("camera", "ledger")}
    for counted in both.values():
        add_to(counted[str(line)], item, points)
    return both


def with_moved(data: say.ScoreCounted, before: Figured, counted: Figured) -> dict[str, Any]:
    """Return the counts of camera and ledger with the items both had ``before`` set to those ``counted`` now."""
    both = {name: deepcopy(getattr(data, name)) for name in ("camera", "ledger")}
    for line, own in counted.items():
        for item, value in own["items"].items():
            for told in both.values():
                items = told[line]["items"]
                if value != before[line]["items"][item] == items.get(item):
                    items[item] = value
                    values = list(items.values())
                    told[line]["total"] = None if None in values else sum(values)
    return both
