"""Sentences about what the reversal of a ruling of an earlier deal would change, as the table computed it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from table_service.console.storage import StoredOrder
from table_service.console.vocabulary import Words
from table_service.events.untrusted import as_list, as_map, as_name
from table_service.table.score_items import ScoreSheet

FORESEEN = "foreseen"
"""The name under which an order's answer keeps what it would change."""


def kept_in_answer(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the part of an order's answer that keeps what a table foresees; nothing if it foresees nothing."""
    told = document.get(FORESEEN)
    return {FORESEEN: json.dumps(told, ensure_ascii=False)[:20_000]} if isinstance(told, Mapping) else {}


def foreseen(orders: Iterable[StoredOrder], key: object) -> Mapping[str, Any] | None:
    """Return changes by a reversal of the ruling under ``key``, from the newest answer; None after another ruling."""
    newest = next((one for one in reversed(tuple(orders)) if one.do in ("rule", "dismiss", "foresee")), None)
    if newest is None or newest.do != "foresee" or newest.state != "done":
        return None
    try:
        told = as_map(json.loads(newest.answer.get(FORESEEN, "")))
    except ValueError:
        return None
    return told if told.get("key") == key else None


def sentences(told: Mapping[str, Any], words: Words, sheet: ScoreSheet | None) -> tuple[str, ...]:
    """Return a sentence for each change in ``told``; a sentence that says so if nothing changes."""
    lines = tuple(_sentence(as_map(one), words, sheet) for one in as_list(told.get("changes")))
    return lines or (words["reversal_nothing"],)


def _sentence(change: Mapping[str, Any], words: Words, sheet: ScoreSheet | None) -> str:
    item = as_name(change.get("item")) or ""
    known = None if sheet is None else sheet.title(item)
    title = item if known is None else words.choose(known)
    figures = {name: "?" if change.get(name) is None else str(change[name]) for name in ("old", "new")}
    what, who, deal = as_name(change.get("what")) or "", words.who(change.get("line")), change.get("deal", "?")
    return (
        words.say(f"reversal_{what}", who=who, deal=deal, item=title, **figures)
        if words.get(f"reversal_{what}")
        else what
    )


__all__ = ["FORESEEN", "foreseen", "kept_in_answer", "sentences"]
