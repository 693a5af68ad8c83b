"""Questions for events that a listener lacks, and the answers (topics ``journal``, ``resend``, ``resent``).

``journal`` (retained) lists the available events: of each boot the first and the last that a broker has had. ``resend``
names runs of them; the answers on ``resent/{id}`` carry the events as they were published, marked late, and name those
that the table does not have any more. Only what is public is ever sent again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from table_service.events.sequence import HIGHEST, Extent, Run
from table_service.events.untrusted import as_list, as_map, as_whole

BOOTS_TOLD: Final = 32
"""Number of boots, the newest, whose extents a table lists."""
RUNS_MOST: Final = 50
EVENTS_MOST: Final = 1000
"""Most events sent for one question; a listener that lacks more asks again."""
SAME_EVENING: Final = timedelta(hours=36)
"""A listener that knows nothing of a table wants the boots that began so shortly before the newest."""
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_BOOT: Final = re.compile(r"[0-9a-f]{6}")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question that can be answered: the asker's name for it, and the runs wanted."""

    id: str
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Resent:
    """A part of an answer: events, the runs that are gone for good, and whether it was the last part."""

    id: str
    events: tuple[dict[str, Any], ...]
    gone: tuple[Run, ...]
    last: bool


def question(name: str, runs: Sequence[Run]) -> dict[str, Any]:
    """Return the message on ``resend``: at most ``RUNS_MOST`` runs, ``EVENTS_MOST`` events."""
    wanted, left = [], EVENTS_MOST
    for boot, first, last in runs[:RUNS_MOST]:
        if left <= 0:
            break
        wanted.append([boot, first, min(last, first + left - 1)])
        left -= last - first + 1
    return {"id": name, "want": wanted}


def read_question(payload: bytes) -> Wanted | None:
    """Return the question in ``payload``; None if it is not one."""
    told = _object(payload)
    name, runs = told.get("id"), _runs(told.get("want"))
    if not isinstance(name, str) or not _NAME.fullmatch(name) or not runs:
        return None
    return Wanted(name, runs)


def answer(part: Resent) -> dict[str, Any]:
    """Return a message on ``resent/{id}``."""
    late = [{**event, "late": True} for event in part.events]
    return {"id": part.id, "events": late, "gone": [list(run) for run in part.gone], "last": part.last}


def read_answer(told: dict[str, Any]) -> Resent | None:
    """Return the part of an answer that a message holds; None if it is not one."""
    if not isinstance(told.get("id"), str):
        return None
    events = tuple(event for event in as_list(told.get("events")) if isinstance(event, dict))
    return Resent(told["id"], events, _runs(told.get("gone")), told.get("last") is True)


def contents(boot: str, extents: Iterable[Extent]) -> dict[str, Any]:
    """Return the message on ``journal``: what there is to be had; the table runs in ``boot``."""
    newest = sorted(extents, key=lambda one: one.boot)[-BOOTS_TOLD:]
    return {
        "boot": boot,
        "boots": [{"boot": one.boot, "first": one.first, "last": one.last, "began": one.began} for one in newest],
    }


def read_contents(told: dict[str, Any]) -> dict[str, Extent]:
    """Return what a table says that there is, by boot; what cannot be read is left out."""
    found = {}
    for one in map(as_map, as_list(told.get("boots"))[-BOOTS_TOLD:]):
        boot, first, last = one.get("boot"), as_whole(one.get("first")), as_whole(one.get("last"))
        if isinstance(boot, str) and _BOOT.fullmatch(boot) and first and last and 0 < first <= last <= HIGHEST:
            found[boot] = Extent(boot, first, last, str(one.get("began") or ""))
    return found


def wanted_boots(told: dict[str, Extent], known: Iterable[str]) -> dict[str, Extent]:
    """Return the boots that a listener wants whole: from the oldest that it knows on, else those of the same evening.

    Boots have an order of their own, so that no clock is needed where something is known.
    """
    oldest = min(known, default=None)
    if oldest is not None:
        return {boot: one for boot, one in told.items() if boot >= oldest}
    found: dict[str, Extent] = {}
    newest = max(told, default="")
    for boot in sorted(told, reverse=True):
        if boot != newest and not _near(told[boot].began, told[newest].began):
            break
        found[boot] = told[boot]
    return found


def _near(one: str, other: str) -> bool:
    try:
        return abs(datetime.fromisoformat(one) - datetime.fromisoformat(other)) <= SAME_EVENING
    except (ValueError, TypeError):
        return False


def _runs(value: object) -> tuple[Run, ...]:
    found = []
    for one in as_list(value)[:RUNS_MOST]:
        parts = as_list(one)
        if len(parts) != 3:
            continue
        boot, first, last = parts[0], as_whole(parts[1]), as_whole(parts[2])
        if isinstance(boot, str) and _BOOT.fullmatch(boot) and first and last and 0 < first <= last <= HIGHEST:
            found.append((boot, first, last))
    return tuple(found)


def _object(payload: bytes) -> dict[str, Any]:
    try:
        told = json.loads(payload)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}
