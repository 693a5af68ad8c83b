"""Events that a console holds in memory for a whole tournament: packed, and read again when somebody looks.

A count that was read takes some 13 kB of objects, its packed text 0.7 kB (``tests/console/test_packed_events.py``).
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Self

from table_service.events.untrusted import as_whole

_SHARED_MOST: Final = 1000
"""Most small texts by language that are held once for all events that have them."""


@dataclass(frozen=True, slots=True)
class PackedEvent:
    """An event as the console heard it. ``heard``: when, by the wall clock in seconds."""

    boot: str
    seq: int
    type: str
    heard: float
    body: bytes

    @classmethod
    def of(cls, event: Mapping[str, Any], heard: float) -> Self:
        """Pack an event."""
        body = zlib.compress(json.dumps(event, separators=(",", ":")).encode())
        return cls(*place_of(event), sys.intern(str(event.get("type"))), heard, body)

    @property
    def place(self) -> tuple[str, int]:
        """Its place among its table's events."""
        return self.boot, self.seq

    def read(self) -> Mapping[str, Any]:
        """Return the event; not to be changed, since parts of it are other events' too."""
        event: Mapping[str, Any] = json.loads(zlib.decompress(self.body), object_pairs_hook=_object)
        return event


def place_of(event: Mapping[str, Any]) -> tuple[str, int]:
    """Return boot and number of an event: its place among its table's."""
    return sys.intern(str(event.get("boot"))), as_whole(event.get("seq")) or 0


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of an event, with names that all events share; one of texts alone is shared whole."""
    if pairs and all(isinstance(value, str) for _, value in pairs):
        return _texts(tuple(pairs))
    return {sys.intern(name): value for name, value in pairs}


@lru_cache(_SHARED_MOST)
def _texts(pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return {sys.intern(name): value for name, value in pairs}
