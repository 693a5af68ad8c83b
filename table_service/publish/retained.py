"""Difference between the retained messages that should be in the broker and those that are: what to send."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

LEFT_BEHIND: Final = b"\0"
"""Mark of a message in the broker whose content we do not know."""


class RetainedSet:
    """A family of retained topics (alerts, frames): wanted ones are sent, those no longer wanted emptied.

    After an outage the broker may hold what an earlier connection or process left: ``found`` reports it.
    """

    def __init__(self) -> None:
        self._wanted: dict[str, bytes] | None = None
        self._there: dict[str, bytes] = {}

    def want(self, messages: Mapping[str, bytes]) -> None:
        """From now on exactly these topics hold exactly these payloads."""
        self._wanted = dict(messages)

    def reconnected(self) -> None:
        """Take nothing for granted of what was sent before."""
        self._there = dict.fromkeys(self._there, LEFT_BEHIND)

    def found(self, topic: str) -> None:
        """Note that the broker holds a message there."""
        self._there.setdefault(topic, LEFT_BEHIND)

    def due(self) -> list[tuple[str, bytes]]:
        """Return what to send now, in a fixed order; an empty payload empties a topic. It counts as sent."""
        if self._wanted is None:
            return []
        ended = [(topic, b"") for topic in sorted(self._there) if topic not in self._wanted]
        fresh = [(topic, payload) for topic, payload in self._wanted.items() if self._there.get(topic) != payload]
        self._there = dict(self._wanted)
        return ended + fresh
