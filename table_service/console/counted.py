"""Events that count for a tournament, or for the last day: score sheets and warnings of all tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from table_service.console.sheet_book import TYPES, SheetBook

NOTED: Final = ("warning.given",)
COUNTED: Final = (*NOTED, *sorted(TYPES))
"""The events that it is made of."""
DAY_S: Final = 24 * 3600.0
"""What counts where no tournament goes on."""
FORGETS_EVERY_S: Final = 3600.0


class CountedEvents:
    """Sheets and warnings in memory, from a day or a tournament's beginning on."""

    def __init__(self) -> None:
        self.sheets = SheetBook()
        self.noted: dict[str, list[tuple[str, dict[str, Any], float]]] = {name: [] for name in NOTED}
        """Events that the round's page is made of, oldest first, with their table and when they were heard."""
        self._forgets_at = 0.0
        self._ahead: float | None = None
        """By how much the wall clock was ahead of the steady one when the console began."""

    def record(self, place: str, event: dict[str, Any], heard: float) -> None:
        """Record an event that was reported, or is remembered: of ``COUNTED``, or another."""
        if event["type"] in self.noted:
            self.noted[event["type"]].append((place, event, heard))
        self.sheets.record(place, event, heard)

    def forget(self, counts_since: Callable[[], float], now: float, steady: float) -> None:
        """Once an hour: let go of what a console begun now would not know either, by ``counts_since``.

        ``now`` is the wall clock, ``steady`` one that only goes forward. A wall clock that jumps forward makes nothing
        old: what has really passed since the start counts.
        """
        if self._ahead is None:
            self._ahead = now - steady
        if steady < self._forgets_at:
            return
        self._forgets_at = steady + FORGETS_EVERY_S
        since = counts_since() - max(0.0, now - steady - self._ahead)
        self.sheets.forget(since)
        for kind, noted in self.noted.items():
            self.noted[kind] = [one for one in noted if one[2] >= since]
