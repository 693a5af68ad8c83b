"""Permitted corrections of a score sheet, by whom and with whose consent, as its code has it. Pure."""

from __future__ import annotations

from typing import Final

from table_service.console.sheet_book import TableRound
from table_service.console.storage import Round
from table_service.games.definition import Correction, SheetRules

KINDS: Final = ("plain", "last", "groups")
"""A round of the tournament: any; the last one with a single ranking; one with the ranking split in merit groups."""


def allowed(rules: SheetRules, round_: Round | None, sheets: TableRound, delivered: str, now: float) -> Correction:
    """Correction that ``rules`` leave open. ``round_``: as the direction runs it, or None; ``delivered``: the paper.

    A sheet that both lines have confirmed deal by deal counts as handed in.
    """
    handed_in = delivered in ("delivered", "found") or sheets.closed
    final = round_ is not None and round_.final_at is not None and now >= round_.final_at
    reached = {
        "final": final,
        "posted": round_ is not None and round_.posted is not None,
        "delivered": handed_in,
        "open": True,
    }
    known = rules.states
    if round_ is not None and round_.kind in ("last", "groups"):
        known = {**rules.states, **rules.strict}
    return next(known[state] for state, is_reached in reached.items() if is_reached and state in known)
