"""Events that the console lacks: found by the tables' own numbers, asked for, and shown until they are there.

A broker that was away or began empty has forgotten what it took while the console was not connected; the tables'
journals have not. A gap is asked for when it is ``GRACE_S`` old (what is still under way comes by itself), at few
tables at a time, and never while the console has a backlog of its own.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from table_service.events.resending import Resent, question, wanted_boots
from table_service.events.sequence import Extent, ReceivedEvents, Run, common, count, lacking

GRACE_S: Final = 2.0
PATIENCE_S: Final = 8.0
"""So long an answer may stay away; then it is asked again, ever more slowly."""
SLOWEST_S: Final = 60.0
AT_ONCE: Final = 4
"""So many tables are asked at the same time."""


@dataclass(slots=True)
class TableGaps:
    """Missing events of one table. ``received``: those that have come; ``told``: the extent that the table reports."""

    received: ReceivedEvents = field(default_factory=ReceivedEvents)
    known: tuple[str, ...] = ()
    """Boots of which something was known when the console started."""
    told: dict[str, Extent] = field(default_factory=dict)
    gone: int = 0
    """Events that the table does not have any more."""
    open: int = 0
    """Events that have been lacking for longer than they may be under way."""
    question: str = ""
    _seen: tuple[Run, ...] = ()
    _seen_at: float = 0.0
    _asked: float = 0.0
    _pause: float = PATIENCE_S

    def tell(self, told: dict[str, Extent]) -> None:
        """Record what the table says that there is."""
        self.told = wanted_boots(told, self.known)

    def missing(self, now: float) -> list[Run]:
        """Return what is lacking for longer than it may be under way; looked at anew every ``GRACE_S``."""
        found = lacking(self.received, self.told)
        held = common(self._seen, found)
        if self._seen_at and now - self._seen_at < GRACE_S:
            self.open = min(self.open, count(found))
            return []
        self._seen, self._seen_at = tuple(found), now
        self.open = count(held)
        return held

    def asking(self, now: float) -> bool:
        """Return True if an answer is awaited."""
        return bool(self.question) and now - self._asked < self._pause

    def ask(self, runs: list[Run], now: float) -> dict[str, object] | None:
        """Return the question to send now; None while one is open or it is too early for the next."""
        if not runs or self.asking(now):
            return None
        if self.question:
            self._pause = min(SLOWEST_S, self._pause * 2)
        self.question, self._asked = uuid.uuid4().hex, now
        return question(self.question, runs)

    def answered(self, part: Resent, now: float) -> None:
        """Record that a part of an answer has come, to this console or another."""
        if part.id != self.question:
            return
        self._asked, self._pause = now, PATIENCE_S
        if part.last:
            self.question = ""

    def give_up(self, runs: tuple[Run, ...]) -> list[Run]:
        """Give up events that the table has no more; return those that were lacking, which lack no longer."""
        lost = common(runs, lacking(self.received, self.told))
        for run in lost:
            self.received.add(*run)
        self.gone += count(lost)
        return lost

    def is_there(self) -> None:
        """Record that the table has come back: it may be asked at once."""
        self.question, self._pause = "", PATIENCE_S


class GapDesk:
    """Asks the tables of a hall for what the console lacks."""

    def __init__(
        self,
        tables: Callable[[], Mapping[str, TableGaps]],
        changed: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Create the desk; ``changed`` takes a table whose lacking events change in number; ``clock`` only advances."""
        self._tables = tables
        self._changed = changed
        self.clock = clock
        self.questions = 0

    def tick(self, reachable: Callable[[str], bool], send: Callable[[str, dict[str, object]], None]) -> None:
        """Look for gaps and ask; called about twice a second while the console has no backlog."""
        now, tables = self.clock(), self._tables()
        asking = sum(gaps.asking(now) for gaps in tables.values())
        for place, gaps in tables.items():
            before = gaps.open
            stands = gaps.missing(now)
            if gaps.open != before:
                self._changed(place)
            if not stands or asking >= AT_ONCE or not reachable(place):
                continue
            message = gaps.ask(stands, now)
            if message is not None:
                asking += 1
                self.questions += 1
                send(place, message)
