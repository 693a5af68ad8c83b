"""Entries of a journal as values: what is handed over, how it is written and how it is read again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from table_service.journal.chain import canonical

DURABLE_TYPES: Final = frozenset(
    {"score.counted", "sanction.imposed", "warning.given", "deal.ended", "round.ended"}
    | {"sheet.confirmed", "sheet.disputed", "sheet.written", "sheet.corrected"}
)
"""Events whose transaction reaches the disk before ``flush`` returns."""
UNSENT, SENT, ACKNOWLEDGED = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Keeping:
    """Limits of a journal's past. Older boots go one by one, whole entries, from the beginning only.

    ``space`` (bytes) and ``age`` (seconds) say when; ``boots`` and ``entries`` are kept in any case, whatever the disk
    or the clock say: what a protest may need is not lost by a clock that jumps.
    """

    space: int = 1024 * 1024 * 1024
    age: float = 400 * 86400.0
    boots: int = 20
    entries: int = 20_000


@dataclass(frozen=True, slots=True)
class Entry:
    """An event to be kept: its public envelope (``boot`` and ``seq`` included) and what only the arbitro may know."""

    public: Mapping[str, Any]
    secret: Mapping[str, Any] | None = None

    @property
    def durable(self) -> bool:
        """True if the entry must survive a power cut: a score, a sanction, a ruling."""
        kind = self.public.get("type")
        if kind == "irregularity":
            data = self.public.get("data")
            return isinstance(data, Mapping) and data.get("state") in ("ruled", "dismissed")
        return kind in DURABLE_TYPES


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as the journal keeps it; ``n`` is its place in the journal, which is the order (boot, seq)."""

    n: int
    boot: str
    seq: int
    public: dict[str, Any]
    secret: dict[str, Any] | None
    sent: bool

    @staticmethod
    def of(n: int, boot: str, seq: int, body: str, secret: str | None, state: int) -> StoredEvent:
        """Return the event that a row of the file holds."""
        return StoredEvent(
            n, boot, seq, json.loads(body), None if secret is None else json.loads(secret), state >= SENT
        )


@dataclass(frozen=True, slots=True)
class OutboxCounts:
    """Numbers of events that wait, are under way, and have arrived at the broker."""

    unsent: int
    sent: int
    acknowledged: int


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry as it is written: the columns of the file, and what is to be done with it."""

    kind: str
    boot: str
    seq: int | None
    key: str | None
    body: str
    secret: str | None
    outbox: bool
    durable: bool

    @staticmethod
    def of(entry: Entry) -> EntryRow:
        """Return the row of an event, which goes to the outbox as well."""
        public, secret = entry.public, None if entry.secret is None else canonical(entry.secret)
        boot, seq = str(public["boot"]), int(public["seq"])
        return EntryRow("event", boot, seq, None, canonical(public), secret, outbox=True, durable=entry.durable)


def row_columns(n: int, kind: str, boot: str, seq: int | None, key: str | None) -> tuple[bytes | None, ...]:
    """Return the short columns of an entry as the chain hashes them."""
    return (
        str(n).encode(),
        kind.encode(),
        boot.encode(),
        None if seq is None else str(seq).encode(),
        None if key is None else key.encode(),
    )
