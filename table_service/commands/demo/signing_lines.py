"""The two lines of a simulated table, which confirm their score sheets on the table's small screen."""

from __future__ import annotations

import math
import threading
from typing import Any, Final

from hw.observations import Said
from hw.seats import LINES
from table_service.events import Event

READS_S: Final = 6.0
"""Table seconds that a line reads a count before it confirms it; the other line takes twice as long."""


class SigningLines:
    """Confirmations that the lines of one table still owe. ``heard`` and ``due`` may be called from any thread.

    A sheet with a doubt, or with an unknown figure, is left to the arbitro.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._unsigned: dict[int, list[tuple[float, str]]] = {}

    def heard(self, event: Event) -> None:
        """Take note of a count; one that takes another's place is the one that is read."""
        if event.type != "score.counted" or event.deal is None:
            return
        data: dict[str, Any] = event.data.model_dump(mode="json", by_alias=True)
        clear = not data["doubtful"] and all(own["total"] is not None for own in data["lines"].values())
        with self._lock:
            self._unsigned.pop(event.deal, None)
            if clear:
                self._unsigned[event.deal] = [
                    (event.t + READS_S * n, f"sheet-ok:{line}:{event.id}") for n, line in enumerate(LINES, start=1)
                ]

    def due(self, now: float, *, patient: bool = True) -> list[Said]:
        """Return the lines' confirmations due at ``now``, in table seconds; all that are left if not ``patient``."""
        until = now if patient else math.inf
        with self._lock:
            said = [what for each in self._unsigned.values() for t, what in each if t <= until]
            self._unsigned = {
                deal: left for deal, each in self._unsigned.items() if (left := [one for one in each if one[0] > until])
            }
        return [Said(round(now, 6), None, what) for what in said]
