"""Queue of messages to take in: bounded; in an overload the least important goes first, counted.

Only the newest message that a broker retains matters: an older state of the same table that still waits is replaced.
Events that arbitri wait for (irregularities, scores, calls, rounds, sheets) go before cards. If even so too much waits,
the oldest cards are shed; they are missing then, shown as such, and fetched from the tables' journals when it is calm.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from table_service.console.mqtt_link import Message
from table_service.events.message_sizes import is_too_long

CARDS_MOST: Final = 4000
"""So many events about cards wait at most (some 3 MB)."""
PRESSING_MOST: Final = 8000
"""So many other events wait at most, and so many topics of which only the newest message matters."""
WAITING_BYTES: Final = 64 * 1024 * 1024
"""Most bytes that wait, of any kind of message."""
CALM: Final = 200
"""With more than this waiting nothing is asked for that was lacking."""
_REPLACED: Final = frozenset({"state", "health", "journal", "status", "alert"})
"""Kinds of topics of which only the newest message matters."""
_CARDS: Final = (
    *("card.", "meld.", "pile.", "turn.", "pot.", "trick.", "call.made", "tray.", "screen.", "lead.", "signal."),
    *("table.health", "deal.checked", "dummy.", "accuso.", "scarto."),
)
"""Events that nobody waits for: play as it goes on."""


@dataclass(slots=True)
class Counts:
    """Messages by outcome. ``replaced``: by a newer one of the same topic; ``shed``: left out, fetched later."""

    taken: int = 0
    replaced: int = 0
    shed: int = 0
    dropped: int = 0
    """Left out although it was pressing: more waited than any hall can have."""
    most: int = 0
    """So many waited at most."""


class Intake(asyncio.Queue[Message]):
    """The queue of one connection (``mqtt_link.Link``). ``pressing``: there nothing overtakes."""

    def __init__(
        self, *, pressing: bool = False, too_long: Callable[[str, int], None] = lambda _topic, _length: None
    ) -> None:
        """``too_long`` is told the topic and length of a message that is longer than any table's own."""
        self._pressing = pressing
        self._too_long = too_long
        self._bytes = 0
        self.counts = Counts()
        super().__init__()

    def _init(self, maxsize: int) -> None:  # noqa: ARG002 - asyncio's own hook
        self._first: deque[Message] = deque()
        self._cards: deque[Message] = deque()
        self._newest: OrderedDict[str, Message] = OrderedDict()
        self._turn = 0

    def qsize(self) -> int:
        """Return how many messages wait."""
        return len(self._first) + len(self._cards) + len(self._newest)

    def empty(self) -> bool:
        """Return True if none waits."""
        return not (self._first or self._cards or self._newest)

    def full(self) -> bool:
        """Never: what is too much is shed."""
        return False

    def _put(self, message: Message) -> None:
        topic = message.topic
        levels = topic.split("/", 5)
        kind = levels[4] if len(levels) > 4 else ""
        length = len(message.payload)
        if is_too_long(kind, length):
            self._too_long(topic, length)
            return
        while self._cards and self._bytes + length > WAITING_BYTES:
            self._shed()
        if self._bytes + length > WAITING_BYTES:
            self.counts.dropped += 1
            return
        if kind in _REPLACED or self._pressing:
            self._hold(topic if kind in _REPLACED else f"{topic} {self.counts.taken} {len(self._newest)}", message)
        elif kind == "event" and len(levels) > 5 and levels[5].startswith(_CARDS):
            self._cards.append(message)
            self._bytes += length
            if len(self._cards) > CARDS_MOST:
                self._shed()
        elif len(self._first) < PRESSING_MOST:
            self._first.append(message)
            self._bytes += length
        else:
            self.counts.dropped += 1
        self.counts.most = max(self.counts.most, self.qsize())

    def _hold(self, name: str, message: Message) -> None:
        """Keep the newest message of that name, in the turn of the oldest that it replaces."""
        if name in self._newest:
            self.counts.replaced += 1
            self._bytes -= len(self._newest[name].payload)
        elif len(self._newest) >= PRESSING_MOST:
            self.counts.dropped += 1
            return
        self._newest[name] = message
        self._bytes += len(message.payload)

    def _shed(self) -> None:
        """Leave out the oldest card."""
        self._bytes -= len(self._cards.popleft().payload)
        self.counts.shed += 1

    def _get(self) -> Message:
        message = self._next()
        self._bytes -= len(message.payload)
        return message

    def _next(self) -> Message:
        self.counts.taken += 1
        if self._first:
            return self._first.popleft()
        self._turn = (self._turn + 1) % 3
        if self._cards and (self._turn or not self._newest):
            return self._cards.popleft()
        return self._newest.popitem(last=False)[1]

    def more(self) -> Iterator[Message]:
        """Return what waits now, without waiting for anything."""
        while not self.empty():
            yield self.get_nowait()
