"""The tables as spectators may see them: without accusations or inner doubts, and later by what the organiser has set.

What a spectator's page is made of comes from here, so that nothing newer can leave the console by any page. Alerts
never enter; events are taken from the console's file up to the moment that is shown.
"""

from __future__ import annotations

import json
import zlib
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

from table_service.console.live_tables import ConsoleStore
from table_service.console.table_view import TableView
from table_service.events.untrusted import as_list, as_map

DELAYS: Final = (0, 60, 120, 300, 600, 900, 1800)
"""By how many seconds spectators may see play later."""
SAMPLE_S: Final = 4.0
"""Of a table's states that wait, one in so many seconds is kept: 200 tables for half an hour are 100 MB at most."""
_HELD: Final = ("state", "status")
_NOT_PUBLIC: Final = ("irregularities", "alerts", "sanctions", "warnings", "nodes", "unverified", "sides", "sheets")
_NOT_PUBLIC_OF_MELD: Final = ("valid", "frozen")


class PublicTables:
    """Tables as spectators see them. ``delay``: seconds by which they see them later, asked each time."""

    def __init__(self, live: ConsoleStore, delay: Callable[[], float]) -> None:
        self._live = live
        self._delay = delay
        self._later = ConsoleStore(live.hall, voices=live.voices)
        self._waiting: dict[tuple[str, str], deque[tuple[float, str, bytes]]] = {}
        live.tap = self._heard

    @property
    def tag(self) -> str:
        """Tells what is rendered from delayed tables from what is rendered from live ones."""
        return "later" if self._delay() > 0 else "live"

    @property
    def store(self) -> ConsoleStore:
        """The tables as they may be shown now."""
        if self._delay() <= 0:
            return self._live
        self._later.connected = self._live.connected
        for name in self._live.tables:
            self._later.tables.setdefault(name, TableView(name))
        return self._later

    def shown_until(self, now: float) -> float | None:
        """Return the moment up to which events may be shown; None: all of them."""
        delay = self._delay()
        return now - delay if delay > 0 else None

    def tick(self, now: float) -> None:
        """Show the events that are old enough."""
        until = now - self._delay()
        for (place, _), waiting in self._waiting.items():
            newest: tuple[float, str, bytes] | None = None
            while waiting and waiting[0][0] <= until:
                newest = waiting.popleft()
            if newest is not None and self._delay() > 0:
                self._later.apply(newest[1], zlib.decompress(newest[2]), now=newest[0])
                self._later.tables[place].changed("feed")
                self._live.tell(urgent=False)

    def _heard(self, place: str, kind: str, topic: str, payload: bytes, now: float) -> None:
        """Record that a table has said something; it waits if spectators see it later."""
        if kind not in _HELD:
            return
        waiting = self._waiting.setdefault((place, kind), deque())
        if self._delay() <= 0:
            waiting.clear()
            return
        packed = (now, topic, zlib.compress(payload, 1))
        if kind == "state" and len(waiting) > 1 and now - waiting[-2][0] < SAMPLE_S:
            waiting[-1] = packed
        else:
            waiting.append(packed)


def public_state(state: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return a table's state without what waits for the arbitro, what was ruled, and what the table is not sure of."""
    if state is None:
        return None
    kept = {name: value for name, value in state.items() if name not in _NOT_PUBLIC}
    melds = {
        line: [{k: v for k, v in as_map(meld).items() if k not in _NOT_PUBLIC_OF_MELD} for meld in as_list(own)]
        for line, own in as_map(state.get("melds")).items()
    }
    return {**kept, "melds": melds} if "melds" in state else kept


def public_view(table: TableView) -> TableView:
    """``table`` as a spectator's page may take it: its public state, no alert, no event, no health."""
    view = TableView(table.name, table.status, table.boot, heard=table.heard)
    view.raw_state = b"public"
    view.read_state = (view.raw_state, public_state(table.state))
    view.versions = table.versions
    return view


def public_events(bodies: list[str], types: frozenset[str] | None) -> list[dict[str, Any]]:
    """Return the events of these types (None: of all) among JSON texts, in their order."""
    events = [json.loads(body) for body in bodies]
    return [event for event in events if types is None or event.get("type") in types]
