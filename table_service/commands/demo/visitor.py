"""The demo's visitor is the arbitro: play waits until he looks, stops at each alert, and goes on with what he ruled."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, Final

from hw.twin.live import ScaledClock
from table_service.console import RunningConsole
from table_service.events import Event

LOOKS_S: Final = 0.1
"""So often it is asked whether the visitor has ruled."""
AFTER_S: Final = 1.2
"""Table seconds that play goes on after an alert: the picture of after the fact is taken meanwhile."""


class Visitor:
    """Stops the clock of ``clock`` while an alert waits for the person at ``page``."""

    def __init__(self, table: str, page: RunningConsole, clock: ScaledClock, say: Callable[[str], None]) -> None:
        """``say`` hears ``look``, ``decide`` and ``goes-on``, each when it happens."""
        self._table, self._page, self._clock, self._say = table, page, clock, say
        self._lock = threading.Lock()
        self._open: dict[str, float] = {}

    def heard(self, event: Event) -> None:
        """The table has told an event."""
        if event.type != "irregularity":
            return
        data: dict[str, Any] = event.data.model_dump(mode="json")
        with self._lock:
            if data["state"] == "open" and not data.get("confirmed"):
                self._open.setdefault(data["key"], event.t)
            else:
                self._open.pop(data["key"], None)

    @property
    def waits(self) -> bool:
        """True if an alert waits for him, and play has gone on long enough after it."""
        now = self._clock.now()
        with self._lock:
            return any(t + AFTER_S <= now for t in self._open.values())

    async def looks(self) -> None:
        """Wait until somebody has the table's page open."""
        self._say("look")
        while self._table not in self._page.office.places_looked_at():  # noqa: ASYNC110 - the page lives in another loop
            await asyncio.sleep(LOOKS_S)

    async def rules(self) -> None:
        """Where an alert waits, stop the clock until it is ruled, dismissed or confirmed."""
        if not self.waits:
            return
        self._clock.hold()
        try:
            self._say("decide")
            while self.waits:  # noqa: ASYNC110 - as above: events come from other threads
                await asyncio.sleep(LOOKS_S)
        finally:
            self._clock.release()
        self._say("goes-on")
