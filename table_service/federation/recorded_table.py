"""A table that says what a recorded deal said, under numbers and a signature of its own: for demo, tests, measurements.

Its events come from a rehearsed deal, folded once; journal, signatures, sealing and the way to the broker are a real
table's.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from nacl.public import PrivateKey

from table_service.events.envelope import event_to_json, stamp
from table_service.events.signing import SigningIdentity, introduction
from table_service.events.topics import Topics
from table_service.journal import Entry, Journal, load_or_make_key
from table_service.publish import SEALED, BrokerAddress, Publisher, Sealing
from table_service.rehearsal.rehearse import prepare
from table_service.rulesets import open_fold

RULES: Final = "fibur2024"
_PATIENCE_S: Final = 20.0


@lru_cache(4)
def recorded_events(seed: int, deals: int = 1) -> tuple[dict[str, Any], ...]:
    """Return the events of a rehearsed round, hidden parts included, as JSON values."""
    rehearsal = prepare(RULES, seed, deals, table="T1")
    fold = open_fold(rehearsal.header)
    events = [event for one in rehearsal.observations() for event in fold.feed(one)]
    return tuple(event_to_json(event, secret=True) for event in [*events, *fold.close()])


@dataclass(frozen=True, slots=True)
class TableVoice:
    """A table's certificate and key, PEM."""

    certificate: bytes
    key: bytes


class RecordedTable:
    """One table of a hall: ``say`` keeps and publishes the next events of its recording, again and again."""

    def __init__(
        self, folder: Path, hall: str, table: str, broker: BrokerAddress, voice: TableVoice, seed: int
    ) -> None:
        """``folder``: for its journal; ``seed``: which round it says."""
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{table}.sqlite"
        key = load_or_make_key(folder / f"{table}.key")
        self.journal = Journal.open(self.path, table, key, first_boot=1 + seed % 64)
        self._topics = Topics(hall, table)
        self._identity = SigningIdentity(voice.certificate, voice.key)
        self._sealing = Sealing(bytes(PrivateKey.generate().public_key), key)
        self._recorded = self._endless(recorded_events(seed))
        self.said = 0
        self.publisher = Publisher(
            self._topics, broker, self.journal, boot=self.journal.boot, sealing=self._sealing,
            identity=introduction(table, [self._identity.certificate]), voice=self._identity,
        )  # fmt: skip
        self.publisher.start()
        self.publisher.status("ready")

    @staticmethod
    def _endless(events: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        while True:
            yield from events

    def say(self, count: int) -> None:
        """Keep and publish the next ``count`` events."""
        for _ in range(count):
            told = next(self._recorded)
            seq, boot, table = self.journal.next_seq(), self.journal.boot, self._topics.table
            public = {name: value for name, value in told.items() if name not in ("secret", "late")}
            public |= {"id": f"{table}-{boot}-{seq:06d}", "table": table, "boot": boot, "seq": seq}
            public["time"] = stamp(datetime.now(UTC))
            secret, sealed = told.get("secret"), None
            if secret is not None:
                sealed = {SEALED: self._sealing.seal(self._topics, public["id"], told.get("deal"), secret).decode()}
            self.journal.add(Entry({**self._identity.sign("event", public), "late": False}, sealed))
        self.said += count
        self.journal.flush()
        self.publisher.notify()

    def play(self, rate: float, stop: threading.Event) -> None:
        """Say ``rate`` events a second until ``stop``."""
        while not stop.wait(1.0 / rate):
            self.say(1)

    def drain(self, patience: float = _PATIENCE_S) -> bool:
        """Wait until the hall's broker has all; False after ``patience`` seconds."""
        return self.publisher.drain(patience)

    def close(self) -> None:
        """Say that the table stops, and close its journal."""
        self.publisher.stop()
        self.journal.close()
