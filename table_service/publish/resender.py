"""Events that a listener lacks, sent again from the journal: bounded, in parts, and never before what is new."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol

from table_service.events.resending import EVENTS_MOST, Resent, Wanted, answer, read_question
from table_service.events.sequence import Run
from table_service.events.signing import Kind
from table_service.events.topics import Topics
from table_service.publish.event_flight import compact

QUESTIONS_MOST: Final = 16
"""Most questions that wait; a further one is dropped, and the listener asks again."""
PART_MOST: Final = 40
"""Events in one message."""
PARTS_FLYING: Final = 2


class EventShelf(Protocol):
    """Source of earlier events (the journal)."""

    def between(self, boot: str, first: int, last: int, limit: int) -> Sequence[dict[str, Any]]:
        """Return the public envelopes of one boot's events from ``first`` to ``last``, in order."""
        ...

    def highest(self, boot: str) -> int:
        """Return the highest number of an event of ``boot``; 0 if there is none."""
        ...


class Way(Protocol):
    """Carrier of messages to the broker."""

    def publish(self, topic: str, payload: bytes) -> int:
        """Hand a message over; returns the number under which it is acknowledged."""
        ...


def _plain(_kind: Kind, document: Mapping[str, Any]) -> bytes:
    return compact(document)


class Resender:
    """Answers questions one after the other. Used by the publisher's worker only."""

    def __init__(
        self, topics: Topics, shelf: EventShelf, boot: str, signed: Callable[[Kind, Mapping[str, Any]], bytes] = _plain
    ) -> None:
        """Make a resender. ``boot``: the present one; events it has not emitted yet are not gone.

        ``signed`` makes a part a message.
        """
        self._signed = signed
        self._topics = topics
        self._shelf = shelf
        self._boot = boot
        self._waiting: deque[Wanted] = deque()
        self._flying: set[int] = set()
        self._left = EVENTS_MOST
        self.dropped = 0

    def asked(self, payload: bytes, *, left_behind: bool = False) -> None:
        """Take a question; an invalid or repeated one, or one left in the broker, is ignored."""
        wanted = None if left_behind else read_question(payload)
        if wanted is None or any(one.id == wanted.id for one in self._waiting):
            return
        if len(self._waiting) >= QUESTIONS_MOST:
            self.dropped += 1
            return
        self._waiting.append(wanted)

    def reconnected(self) -> None:
        """Forget what was under way; a listener that still lacks it asks again."""
        self._waiting.clear()
        self._flying.clear()
        self._left = EVENTS_MOST

    def acknowledged(self, mid: int) -> None:
        """Note that the broker has a part."""
        self._flying.discard(mid)

    def flew(self) -> None:
        """All parts under way count as taken (for who does not wait for the broker)."""
        self._flying.clear()

    def send(self, way: Way) -> bool:
        """Send one part of the oldest question's answer. False if there is none to send now."""
        if not self._waiting or len(self._flying) >= PARTS_FLYING:
            return False
        part, rest = self._part(self._waiting[0])
        self._left -= len(part.events)
        if rest and self._left > 0:
            self._waiting[0] = replace(self._waiting[0], runs=rest)
        else:
            part = replace(part, last=True)
            self._waiting.popleft()
            self._left = EVENTS_MOST
        message = self._signed("resent", answer(part))
        self._flying.add(way.publish(self._topics.resent(part.id), message))
        return True

    def _part(self, wanted: Wanted) -> tuple[Resent, tuple[Run, ...]]:
        """Return the events that go into one message, the missing ones among them, and the runs that are left."""
        (boot, first, last), *others = wanted.runs
        events = self._shelf.between(boot, first, last, PART_MOST)
        reached = events[-1]["seq"] if len(events) == PART_MOST else last
        told = min(reached, self._shelf.highest(boot)) if boot == self._boot else reached
        gone, expected = [], first
        for seq in [*(event["seq"] for event in events), told + 1]:
            if seq > expected:
                gone.append((boot, expected, seq - 1))
            expected = seq + 1
        rest = ((boot, reached + 1, last), *others) if reached < last else tuple(others)
        return Resent(wanted.id, tuple(events), tuple(gone), last=False), rest
