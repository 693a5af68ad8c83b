"""The demo's visitor is the arbitro: play stops at each alert, and continues with what he ruled."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, Final

from hw.twin.live import ScaledClock
from table_service.console import RunningConsole
from table_service.events import Event

LOOKS_S: Final = 0.1
"""Wall seconds from one look whether the visitor has ruled to the next."""
AFTER_S: Final = 1.2
"""Table seconds that play continues after an alert: the picture of after the fact is taken meanwhile."""
GESTURES_BEFORE: Final = 3
"""Gestures before the first staged fault at which play waits for a visitor: some ten seconds of the table."""
HIS: Final = frozenset({"rule", "dismiss", "confirm", "warn"})
"""The orders of a script that the visitor gives in its arbitro's place, as he thinks right."""


class OpenAlerts:
    """The alerts of one table that wait for the arbitro. ``heard`` and ``waits`` may be asked from any thread."""

    def __init__(self, clock: ScaledClock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._open: dict[str, float] = {}

    def heard(self, event: Event) -> None:
        """Take note of an event that the table has emitted."""
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
        """True if an alert waits for him, and play has continued long enough after it."""
        now = self._clock.now()
        with self._lock:
            return any(t + AFTER_S <= now for t in self._open.values())


class Visitor:
    """Stops the clock of the demo's first table while an alert waits for the person at ``page``."""

    def __init__(self, page: RunningConsole, clock: ScaledClock, say: Callable[[str], None]) -> None:
        """``say`` hears ``look``, ``decide`` and ``goes-on``, each when it happens."""
        self._page, self._clock, self._say = page, clock, say
        self.alerts = OpenAlerts(clock)

    async def looks(self) -> None:
        """Stop the clock until somebody has a page of the console open."""
        if self._page.store.watched:
            return
        self._clock.hold()
        try:
            self._say("look")
            while not self._page.store.watched:  # noqa: ASYNC110 - the page's loop is another
                await asyncio.sleep(LOOKS_S)
        finally:
            self._clock.release()

    async def rules(self) -> None:
        """Stop the clock while an alert waits, until it is ruled, dismissed or confirmed."""
        if not self.alerts.waits:
            return
        self._clock.hold()
        try:
            self._say("decide")
            while self.alerts.waits:  # noqa: ASYNC110 - as above: events come from other threads
                await asyncio.sleep(LOOKS_S)
        finally:
            self._clock.release()
        self._say("goes-on")
