"""A running table: it folds what its sensors say, keeps and publishes the events, and takes orders."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

import structlog

from firmware_bridge import Lights
from hw.errors import ServiceError
from hw.observation_log import Header
from hw.observations import Console, Health, Observation
from table_service import __version__
from table_service.events import Event, event_to_json, public
from table_service.events.envelope import Envelope, stamp
from table_service.events.signing import SigningIdentity, introduction
from table_service.events.topics import Topics
from table_service.evidence import EvidenceDesk, Picture, Ring
from table_service.journal import (
    Disk,
    Entry,
    EvidenceStore,
    Journal,
    JournalError,
    JournalFullError,
    Keeping,
    Limits,
    OutboxCounts,
    inspect,
    load_or_make_key,
    was_cut_off,
)
from table_service.publish import SEALED, BrokerAddress, CommandGate, Publisher, Sealing
from table_service.referee.round_options import BOOT
from table_service.rulesets import rule_set
from table_service.seat_lights import DARK, lights_of
from table_service.service.pending_calls import AlertSigner, Calls, calls_of, disputes
from table_service.service.round_before import ClockWatch
from table_service.service.start import begin, gap_of
from table_service.service.table_files import TableFiles, first_boot_of
from table_service.table.resuming import keys_of

log = structlog.get_logger("tavolo")
EVIDENCE: Final = "evidence"
"""Name under which trouble with keeping pictures is reported as health; no sensor's."""
JOURNAL: Final = "journal"
"""Name under which a damaged journal is reported."""
CERTIFICATE: Final = "certificate"
"""The kind of the note that keeps a certificate whose key has signed events of this journal."""
DISK: Final = "disk"
"""Name under which trouble with keeping events is reported as health."""

_PICTURED: Final = ("boot", "done", "missing", "film")


class TableService:
    """One running table. ``observe`` may be called from several threads; observations are folded in order of call."""

    def __init__(
        self,
        header: Header,
        hall: str,
        places: TableFiles,
        broker: BrokerAddress,
        clock: Callable[[], float],
        *,
        console_keys: Mapping[str, str] | None = None,
        sealed_for: str | None = None,
        ring: Ring | None = None,
        limits: Limits | None = None,
        keeping: Keeping | None = None,
        voice: SigningIdentity | None = None,
        keeps_deal: bool = True,
        date_of: Callable[[float], datetime] | None = None,
    ) -> None:
        """Start the service. ``clock``: the table's seconds; ``console_keys``: persons' public keys in hexadecimal.

        ``date_of``: the UTC moment of a table second, if the clock does not run at the wall's rate.

        ``keeping``: limits of the journal's past; ``keeps_deal``: a start in the middle of a deal resumes
        it, for which the deal's key is kept on the disk while it is played.

        ``sealed_for``: the arbitro's public Curve25519 key in hexadecimal; hidden cards are published sealed for it,
        and not at all without it; the observation log is sealed for it, too.

        ``voice`` signs events before they are written, and alerts. ``ring`` holds recent pictures in memory, ``limits``
        bound what is kept on the disk.

        Raises ServiceError if a file cannot be used, UnknownRulesError if its rules cannot be played.
        """
        self.clock = clock
        self._lock = threading.RLock()
        self._seq = 0
        self._rules = rule_set(header.rules)
        self._calls = Calls()
        self._wall_clock = ClockWatch()
        self._keeping = keeping or Keeping()
        self._ring = ring or Ring()
        self._voice = voice
        self._topics = Topics(hall, header.table)
        self.listeners: list[Callable[[Event], None]] = []
        self.displays: list[Callable[[Lights], None]] = []
        """Displays of whose turn it is and that play stops: the bridge to the nodes."""
        self.screens: list[Callable[[Mapping[str, Any], Sequence[Mapping[str, Any]]], None]] = []
        """Displays of the public state and of what waits for the arbitro: the table's small screen."""
        self._lights = DARK
        self._refused = False  # True if the journal could not write the last time
        self._disk = ""  # what was said of it last
        self._closed = False
        self.delivered: OutboxCounts | None = None
        """State of the outbox when the service was closed; None before."""
        try:
            self._open(header, places, sealed_for, limits, keeps_deal=keeps_deal)
        except (JournalError, OSError) as error:
            raise ServiceError(str(error)) from error
        self._alerts = AlertSigner(voice, header.table, self.journal.boot)
        self._earlier = keys_of(self.header)
        """Irregularities of before this start: of their moments there are no pictures here."""
        self._redates = date_of is not None
        self._date_of = date_of or Envelope(self.header.table, self.header.started).moment
        self.pictures = self._evidence_desk()
        self.publisher = self._publisher(broker, console_keys or {})

    def _open(
        self, header: Header, places: TableFiles, sealed_for: str | None, limits: Limits | None, *, keeps_deal: bool
    ) -> None:
        """Open the table's files, and resume the earlier round. Raises JournalError, OSError."""
        lost_key = was_cut_off(places.key)
        key = load_or_make_key(places.key)
        first_boot = first_boot_of(datetime.now(UTC), bytes(key.verify_key))
        self.journal = Journal.open(
            places.journal, header.table, key, version=__version__, first_boot=first_boot, lost_key=lost_key
        )
        self.evidence = EvidenceStore(places.evidence, self.journal, limits)
        header = replace(header, options={**header.options, BOOT: self.journal.boot})
        self._sealing = None if sealed_for is None else Sealing(bytes.fromhex(sealed_for), key)
        begun = begin(header, self.journal, places, key, self._sealing, self.clock, keeps_deal=keeps_deal)
        self.table, self.header, self.ahead, self._late = begun.fold, begun.header, begun.ahead, begun.late
        self._log, self._deal = begun.log, begun.deal
        self._calls.open.update(calls_of(begun.before))

    def _evidence_desk(self) -> EvidenceDesk:
        """Return who collects the pictures around a fact."""
        return EvidenceDesk(
            self.journal.boot,
            self._ring,
            self.evidence,
            self._pictured,
            self._evidence_trouble,
            self.seconds,
            time.time,
            self._moment,
            self._rules.zone_of,
        )

    def _publisher(self, broker: BrokerAddress, console_keys: Mapping[str, str]) -> Publisher:
        """Make the table's voice, and the gate through which orders come."""
        self._gate = CommandGate(
            self.header.table,
            console_keys,
            self.journal,
            self._fold,
            self.seconds,
            standing=self.evidence.standing,
            orders=self._rules.orders,
        )
        return Publisher(
            self._topics,
            broker,
            self.journal,
            boot=self.journal.boot,
            version=__version__,
            gate=self._gate,
            frames=self.evidence.read,
            sealing=self._sealing,
            identity=self._introduction(),
            voice=self._voice,
        )

    @property
    def unlogged(self) -> int:
        """Observations that the log lacks, because its disk refused them."""
        return self._log.unlogged

    @property
    def shows_time(self) -> bool:
        """True if the code that is played wants the time of an action seen: then its state contains it."""
        return "countdown" in self.table.state()

    @property
    def is_closed(self) -> bool:
        """True if ``close`` has closed the files."""
        return self._closed

    def seconds(self) -> float:
        """Return the table's seconds now, as its events and its state have them."""
        return self.clock() + self.ahead

    def start(self) -> None:
        """Begin to publish."""
        self.pictures.start()
        self.publisher.start()
        self.publisher.status("ready")
        with self._lock:
            self._take([*self._late, *self.table.drain()])
            self.tell_state()
        if self.ahead:
            for gap in gap_of(self.header, self.clock()):
                self.observe(gap)
        if self.journal.mended is not None:
            log.error("journal", problem=str(self.journal.mended))
            self.observe(Health(round(self.clock(), 6), JOURNAL, "reset", str(self.journal.mended)))

    def observe(self, observation: Observation) -> list[Event]:
        """Fold one observation, dated by the table's clock of this start; its events are kept and published.

        Returns them. Raises ServiceError once closed.
        """
        ahead = self.ahead
        return self._fold(replace(observation, t=round(observation.t + ahead, 6)) if ahead else observation)

    def _fold(self, observation: Observation) -> list[Event]:
        """Fold as ``observe`` does, for an observation that is dated in the table's seconds."""
        with self._lock:
            if self._closed:
                raise ServiceError("the table has been stopped")
            self._log.write(observation)
            events = self.table.feed(observation)
            if events or isinstance(observation, Console):
                self._log.sync()  # what is announced or answered rests on observations that the disk has
            self._deal.follow(events)
            self._take(events)
            self._deal.settle(events)
            self._answer()
            if (due := self.table.next_deal()) is not None:
                events = [*events, *self._fold(due.model_copy(update={"t": observation.t}).as_console())]
        self.pictures.tick()
        return events

    def stumbled(self, why: str) -> None:
        """Mark what every source saw as to be verified, and show it as such: an observation could not be understood."""
        log.error("tracking", problem=why)
        for node in self.header.nodes:
            self.observe(Health(round(self.clock(), 6), node, "reset", why))

    def frame(self, picture: Picture) -> None:
        """Hold a picture for a while; those around a fact become its evidence."""
        self.pictures.frame(replace(picture, t=picture.t + self.ahead) if self.ahead else picture)

    def health(self, document: Mapping[str, Any]) -> None:
        """Publish the counters of the table's parts; what the log holds goes to the disk."""
        with self._lock:
            self._log.flush()
        try:
            self._wall_clock.note(self.journal)
            self.evidence.prune(time.time())
            self.journal.prune(time.time(), self._keeping)
        except JournalError as error:
            log.error("journal", problem=str(error))  # noqa: TRY400 - said in one sentence
        self._log.prune()
        pictures = {**self._ring.report(), **self.evidence.report()}
        disk = {**self._look_at_disk().as_dict(), "unlogged": self.unlogged}
        self.publisher.health({**document, DISK: disk, "evidence": pictures})

    def _look_at_disk(self) -> Disk:
        """Return the state of the disk; what waits for it is tried again, and every change is reported as health."""
        self._write()
        waiting, unkept = self.journal.waiting, self.journal.unkept
        disk = inspect(self.journal.path, waiting=waiting, unkept=unkept, refused=self._refused)
        told = f"{disk.standing} {disk.unkept}"
        if told != self._disk and (self._disk or disk.problem):
            self.observe(Health(round(self.clock(), 6), DISK, "lost" if disk.problem else "ok", disk.problem))
        self._disk = told
        return disk

    def _write(self) -> None:
        """Write what waits; a disk that takes nothing is said once, and when it takes something again."""
        try:
            self.journal.flush()
        except JournalFullError as error:
            if not self._refused:
                log.error("journal", problem=str(error))  # noqa: TRY400 - said in one sentence
            self._refused = True
        else:
            self._refused = False

    def close(self, patience: float = 10.0) -> list[Event]:
        """Say what was still pending, send what the broker takes within ``patience`` seconds, and close the files."""
        with self._lock:
            events = [] if self._deal.is_kept else self.table.close()  # a deal that continues: nothing is at its end
            self._take(events)
            self._answer()
        self.pictures.close()
        self.publisher.drain(patience)
        self.delivered = self.journal.outbox()
        self.publisher.stop()
        with self._lock:
            self._closed = True
            try:
                self.journal.close()
            except JournalError as error:
                log.error("journal", problem=f"{self.journal.waiting} entries are lost with the end: {error}")  # noqa: TRY400
            self._log.close()
        return events

    def _answer(self) -> None:
        """Answer the orders that have been carried out or refused, once their events are kept; some report none."""
        for answer in self.table.answers():
            self._gate.decided(answer.order, answer.why, answer.foreseen)
            self.publisher.wake()
            self.tell_state()

    def _take(self, events: list[Event]) -> None:
        if not events:
            return
        if self._redates:
            events = [one.model_copy(update={"time": stamp(self._date_of(one.t))}) for one in events]
        for event in events:
            self._seq = event.seq if event.boot == self.journal.boot else 0
            self._calls.note(event)
            self._keep(event)
            if getattr(event.data, "key", None) not in self._earlier:
                self.pictures.on_event(event)
        self._write()
        self.publisher.notify()
        self.tell_state()
        for event in events:
            for listener in self.listeners:
                listener(event)

    def _keep(self, event: Event) -> None:
        with suppress(JournalFullError):  # it stays in the journal's memory; ``_write`` tries again, and says so
            told = event_to_json(public(event))
            signed = told if self._voice is None else self._voice.sign("event", told)
            self.journal.add(Entry(signed, self._sealed(event)))

    def _introduction(self) -> dict[str, Any] | None:
        """Return the certificates whose keys the journal's events are signed with; None if nothing is signed."""
        if self._voice is None:
            return None
        with suppress(JournalError):  # a disk that takes nothing: only the newest is sent then
            self.journal.note(CERTIFICATE, {"pem": self._voice.certificate}, self._voice.name)
        kept = [str(one.get("pem")) for one in self.journal.notes(CERTIFICATE)]
        earlier = [pem for pem in kept if pem != self._voice.certificate]
        return introduction(self._topics.table, [*earlier, self._voice.certificate])

    def _sealed(self, event: Event) -> dict[str, str] | None:
        """Return what is hidden in ``event``, as it may lie on the disk: sealed for the arbitro, or not at all."""
        if event.secret is None or self._sealing is None:
            return None
        block = event.data.SEALED_BYTES
        return {SEALED: self._sealing.seal(self._topics, event.id, event.deal, event.secret, block).decode()}

    def _pictured(self, key: str, document: dict[str, Any]) -> None:
        """Publish that pictures of an irregularity are there, or why not: arbitri are informed."""
        self.publisher.pictures(key, document)
        with self._lock:
            self.tell_state()

    def _evidence_trouble(self, problem: str) -> None:
        """Report that the disk does not take pictures, or does again: the table plays on."""
        self.observe(Health(round(self.clock(), 6), EVIDENCE, "lost" if problem else "ok", problem))

    def _moment(self, t: float) -> str:
        """Return a moment as it is painted into a picture: table, day and hour at the table's place."""
        return f"{self.header.table} {self._date_of(t).astimezone():%d.%m. %H:%M:%S}"

    def tell_state(self) -> None:
        """Publish the state of the table and what waits for the arbitro; show both on its screens and lights."""
        state = self.table.state()
        self.publisher.state({**state, "boot": self.journal.boot, "seq": self._seq})
        waiting = {one["key"]: self.with_pictures(one) for one in state["irregularities"] if one["state"] == "open"}
        alerts = waiting | self._calls.open | disputes(state)
        self.publisher.alerts(self._alerts.sign(alerts))
        for show in self.screens:
            show(state, tuple(alerts.values()))
        lights = lights_of(state, alerts.values())
        if lights != self._lights:
            self._lights = lights
            for display in self.displays:
                display(lights)

    def with_pictures(self, one: dict[str, Any]) -> dict[str, Any]:
        """Return an open irregularity with the pictures of its fact in the place of bare frame numbers."""
        about = self.pictures.about(str(one["key"]))
        if about is None:
            return one
        logs = [item for item in one.get("evidence", ()) if item.get("kind") != "frame"]
        return {**one, "evidence": [*about["pictures"], *logs], "pictures": {n: about[n] for n in _PICTURED}}


def lost(node: str, t: float, note: str) -> Health:
    """Return the observation that a source of observations is gone."""
    return Health(round(t, 6), node, "lost", note)
