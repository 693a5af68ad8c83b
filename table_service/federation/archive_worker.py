"""A worker of the archive: takes its share of all halls' events, verifies, writes, and acknowledges what is written.

It holds nothing that the broker, the archive or the tables' journals have not: it may be killed and begun at any
moment, and as many may run as are wanted.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from table_service.events.topics import Address, parse
from table_service.federation.archive_address import ArchiveAddress
from table_service.federation.archive_writer import ArchiveWriter, WorkerCounts, halves
from table_service.federation.errors import ArchiveAwayError, FederationError, RowRefusedError
from table_service.federation.gap_leader import GapLeader
from table_service.federation.hall_authorities import HallAuthorities
from table_service.federation.migrating import newest_revision
from table_service.federation.shared_subscription import (
    BRIDGE,
    BrokerAwayError,
    FederationBroker,
    SharedMessage,
    SharedSubscription,
)
from table_service.federation.verified_events import EventVerifier, VerifiedBatch

log = logging.getLogger(__name__)
BATCH: Final = 1000
"""Most messages that are written in one transaction."""
_IDLE_S: Final = 0.25
_GATHER_S: Final = 0.1
"""Seconds for which a batch gathers: messages come one by one, and each transaction costs as much as many rows."""
_TOPICS_KNOWN: Final = 100_000
_parsed = lru_cache(_TOPICS_KNOWN)(parse)
_LOOK_EVERY_S: Final = 1.0
_REPORT_EVERY_S: Final = 2.0
_FIRST_RETRY: Final = 0.25
_LONGEST_RETRY: Final = 5.0
_IDENTITIES_EVERY_S: Final = 10.0


class ArchiveWorker:
    """One worker, run in the thread that calls ``run``."""

    def __init__(
        self,
        name: str,
        broker: FederationBroker,
        archive: ArchiveAddress,
        halls: HallAuthorities,
        *,
        said: Callable[[str], None] = log.warning,
    ) -> None:
        """``name``: its own among the workers; ``said`` is told, in a sentence each, what went away and came back."""
        self.name = name
        self._broker = broker
        self._said = said
        self._verifier = EventVerifier(halls.of)
        self._writer = ArchiveWriter(archive)
        self._leader = GapLeader(archive, self._ask)
        self._link: SharedSubscription | None = None
        self._ready = False
        self._held: list[SharedMessage] = []
        self._looked = self._reported = self._asked_identities = 0.0
        self._trouble = ""
        self.counts = WorkerCounts(datetime.now(UTC))

    def run(self, stop: threading.Event) -> None:
        """Work until ``stop`` is set; a broker or an archive that is away is waited for.

        Raises FederationError if the archive has no tables, or older ones than this version writes.
        """
        with asyncio.Runner() as runner:
            try:
                self._patiently(lambda: runner.run(self._check_tables()), stop)
                while not stop.is_set():
                    self._patiently(self._connect, stop)
                    with suppress(BrokerAwayError):
                        self._serve(runner, stop)
                    self._disconnect()
                runner.run(self._writer.report(self.name, self.counts))
            except ArchiveAwayError:
                pass  # at the end: nobody waits for it
            finally:
                runner.run(self._writer.close())
                runner.run(self._leader.close())

    async def _check_tables(self) -> None:
        found, wanted = await self._writer.revision(), newest_revision()
        if found < wanted:
            what = f"is at revision {found}, this program writes {wanted}" if found else "has no tables yet"
            raise FederationError(f"the archive {what}: run 'tavolo federation migrate'")

    def _patiently(self, work: Callable[[], None], stop: threading.Event) -> None:
        """Do ``work`` again until broker and archive are there; the first failure is said, and that it is over."""
        wait = _FIRST_RETRY
        while not stop.is_set():
            try:
                work()
            except (BrokerAwayError, ArchiveAwayError) as error:
                if self._trouble != str(error):
                    self._said(f"worker {self.name}: {error}; tried again")
                self._trouble = str(error)
                stop.wait(wait)
                wait = min(_LONGEST_RETRY, wait * 2)
            else:
                if self._trouble:
                    self._said(f"worker {self.name}: goes on")
                self._trouble = ""
                return

    def _connect(self) -> None:
        link = SharedSubscription(self._broker, self.name)
        link.open()
        self._link, self._ready, self._held = link, False, []
        if self._leader.leads:
            link.lead(wanted=True)

    def _disconnect(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None

    def _ask(self, topic: str, question: bytes) -> None:
        if self._link is not None:
            self._link.ask(topic, question)

    def _serve(self, runner: asyncio.Runner, stop: threading.Event) -> None:
        """Work on an open connection. Raises BrokerAwayError once it is over."""
        link = self._link
        assert link is not None  # noqa: S101 - opened just before
        while not stop.is_set():
            messages = link.take(BATCH, _IDLE_S, _GATHER_S)
            batch, taken = self._sorted(link, messages)
            self._write(runner, batch, stop)
            if stop.is_set() and self._trouble:
                return  # not written: it comes again
            link.acknowledge(taken)
            self.counts.taken += len(taken)
            self._beside(runner, link, calm=len(messages) < BATCH)

    def _sorted(
        self, link: SharedSubscription, messages: Sequence[SharedMessage]
    ) -> tuple[VerifiedBatch, list[SharedMessage]]:
        """Return what is to be written, and the messages that it is from.

        Until the mark has come, not all certificates may be known: events wait for it.
        """
        batch, taken, now = VerifiedBatch(), list[SharedMessage](), datetime.now(UTC)
        for message in messages:
            if message.topic == link.mark:
                self._ready = True
                link.acknowledge([message])
                for held in self._held:
                    self._judge(held, batch, taken, now)
                self._held = []
            else:
                self._judge(message, batch, taken, now)
        if any(reason.startswith("no certificate") for _, _, reason in batch.refused):
            self._ask_identities(link)
        return batch, taken

    def _ask_identities(self, link: SharedSubscription) -> None:
        if time.monotonic() - self._asked_identities > _IDENTITIES_EVERY_S:
            self._asked_identities = time.monotonic()
            link.ask_identities()

    def _judge(self, message: SharedMessage, batch: VerifiedBatch, taken: list[SharedMessage], now: datetime) -> None:
        address = _parsed(message.topic)
        if address is None:
            taken.append(message)
        elif address.kind == "identity":
            taken.append(message)
            self._verifier.introduce(address, message.payload, batch)
        elif address.table == BRIDGE or address.kind == "status":
            taken.append(message)
            self._told_state(address, message.payload)
        elif not self._ready:
            self._held.append(message)
        else:
            taken.append(message)
            before = len(batch.events)
            self._verifier.take(address, message.payload, batch)
            if len(batch.events) > before:
                batch.heard[address.hall, address.table] = now

    def _told_state(self, address: Address, payload: bytes) -> None:
        if address.table == BRIDGE:
            self._leader.heard_state(address.hall, there=payload == b"1")
        else:
            self._leader.heard_status(address.hall, address.table, payload)

    def _write(self, runner: asyncio.Runner, batch: VerifiedBatch, stop: threading.Event) -> None:
        """Write ``batch``, however long that takes; what PostgreSQL never takes is found by halves and left out."""
        if not (batch.events or batch.told or batch.gone or batch.refused or batch.certificates):
            return
        new = 0

        def write() -> None:
            nonlocal new
            new = runner.run(self._writer.write(batch))

        try:
            self._patiently(write, stop)
        except RowRefusedError as error:
            if len(batch.events) > 1:
                for half in halves(batch):
                    self._write(runner, half, stop)
            elif not batch.events:
                log.warning("%s", error)
            else:
                for event in batch.events:
                    batch.refuse(event.hall, event.table, "the archive takes no such row")
                self._write(runner, replace(batch, events=[]), stop)
            return
        self.counts.archived += new
        self.counts.repeated += len(batch.events) - new
        self.counts.refused += sum(batch.refused.values())

    def _beside(self, runner: asyncio.Runner, link: SharedSubscription, *, calm: bool) -> None:
        """Report, and look for gaps while nothing waits; an archive that is away is noticed by the next batch."""
        now = time.monotonic()
        try:
            if now - self._reported >= _REPORT_EVERY_S:
                self._reported = now
                runner.run(self._writer.report(self.name, self.counts))
            if calm and now - self._looked >= _LOOK_EVERY_S:
                self._looked = now
                led = self.counts.leads
                self.counts.leads = runner.run(self._leader.tick())
                if self.counts.leads != led:
                    link.lead(wanted=self.counts.leads)
        except ArchiveAwayError as error:
            if self.counts.leads:
                link.lead(wanted=False)
            self.counts.leads = False
            log.info("%s", error)
