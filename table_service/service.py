"""One table's service: observations in; events judged, kept in the journal, published; frames kept as evidence.

``TableService`` is the same for a real table (``run_table``) and for the demo: only what feeds it differs.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import structlog
from nacl.signing import SigningKey

from firmware_bridge import Lights
from hw.errors import TavoloError
from hw.observation_log import Header, LogWriter
from hw.observations import Health, Observation
from table_service import __version__
from table_service.events import Event, event_to_json, public
from table_service.events.envelope import Envelope
from table_service.events.payloads import TableHealth
from table_service.events.signing import Voice, introduction
from table_service.events.topics import Topics
from table_service.evidence import EvidenceDesk, Picture, Ring
from table_service.games.definition import Fold
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
    SealedLogWriter,
    inspect,
    load_or_make_key,
)
from table_service.journal.old_logs import prune_logs
from table_service.publish import SEALED, BrokerAddress, CommandGate, Publisher, Sealing
from table_service.referee.round_options import BOOT
from table_service.rulesets import open_fold, rule_set
from table_service.seat_lights import DARK, lights_of
from table_service.table.resuming import as_begun, keys_of, newest_round, resumed

log = structlog.get_logger("tavolo")
CALL_ENDS: Final = frozenset({"warning.given", "turn.started", "deal.started", "deal.ended"})
GOES_ON: Final = timedelta(hours=12)
"""A round of which nothing was told for so long is over, whatever its table was doing when it ended."""
LAST_FIRST_BOOT: Final = 0xF00000
"""A first boot has a number below: the rest are for those that follow (boots have six hexadecimal digits)."""
EVIDENCE: Final = "evidence"
"""The name under which trouble with keeping pictures is told as health; no sensor's."""
JOURNAL: Final = "journal"
"""The name under which it is told that the journal was damaged."""
CERTIFICATE: Final = "certificate"
"""The kind of the note that keeps a certificate whose key has signed events of this journal."""
LOGS_EVERY: Final = 3600.0
"""Seconds between two looks at old logs."""
DISK: Final = "disk"
"""The name under which trouble with keeping events is told as health."""


_PICTURED: Final = ("boot", "done", "missing")


class ServiceError(TavoloError, RuntimeError):
    """Something the table needs is missing or in use; the message is one sentence for a person."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where one table keeps its files."""

    journal: Path
    evidence: Path
    key: Path
    log: Path | None = None

    @classmethod
    def under(cls, folder: Path, table: str) -> Places:
        """All files of ``table`` in ``folder``, which is made if missing (mode 0700)."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return cls(folder / f"{table}.sqlite", folder / "evidence", folder / f"{table}.key", folder / f"{table}.jsonl")


class TableService:
    """One running table. ``observe`` may be called from several threads; observations are folded in order of call."""

    def __init__(
        self,
        header: Header,
        hall: str,
        places: Places,
        broker: BrokerAddress,
        clock: Callable[[], float],
        *,
        console_keys: Mapping[str, str] | None = None,
        sealed_for: str | None = None,
        ring: Ring | None = None,
        limits: Limits | None = None,
        keeping: Keeping | None = None,
        voice: Voice | None = None,
    ) -> None:
        """``clock``: the table's seconds; ``console_keys``: who may order, and their public keys in hexadecimal.

        ``keeping``: how much of the past the journal keeps.

        ``sealed_for``: the arbitro's public Curve25519 key in hexadecimal; hidden cards are published sealed for it,
        and not at all without it; the observation log is sealed for it, too.

        ``voice`` signs events before they are written, and alerts.

        ``ring`` holds recent pictures in memory, ``limits`` bound what is kept on the disk.

        Raises ServiceError where a file cannot be used, UnknownRulesError where nobody can play its rules.
        """
        self._clock = clock
        self._lock = threading.RLock()
        self._calls: dict[str, dict[str, Any]] = {}
        self._seq = 0
        self._rules = rule_set(header.rules)
        try:
            key = load_or_make_key(places.key)
            first_boot = first_boot_of(datetime.now(UTC), bytes(key.verify_key))
            self.journal = Journal.open(places.journal, header.table, key, version=__version__, first_boot=first_boot)
            self.evidence = EvidenceStore(places.evidence, self.journal, limits)
            header = replace(header, options={**header.options, BOOT: self.journal.boot})
            self.table, header = self._fold(header)
            self.header = header
            self._sealing = None if sealed_for is None else Sealing(bytes.fromhex(sealed_for), key)
            self._log = _new_log(places.log, header, self.journal.boot, key, self._sealing)
        except (JournalError, OSError) as error:
            raise ServiceError(str(error)) from error
        self.listeners: list[Callable[[Event], None]] = []
        self.displays: list[Callable[[Lights], None]] = []
        """Who shows the players whose turn it is and that play stops: the bridge to the nodes."""
        self.screens: list[Callable[[Mapping[str, Any], Sequence[Mapping[str, Any]]], None]] = []
        """Who shows the public state and what waits for the arbitro: the table's small screen."""
        self._lights = DARK
        self._keeping = keeping or Keeping()
        self._refused = False
        """Whether the journal could not write the last time."""
        self.unlogged = 0
        """Observations that the log lacks, because its disk refused them."""
        self._log_refused = False
        self._log_place = places.log
        self._logs_due = 0.0
        self._disk = ""
        """What was said last of the disk."""
        self._closed = False
        self.delivered: OutboxCounts | None = None
        """How the outbox stood when the service was closed; None before."""
        self._earlier = keys_of(header)
        """Irregularities of before this start: of their moments there are no pictures here."""
        self._dates = Envelope(header.table, header.started, self.journal.boot)
        self._ring = ring or Ring()
        self.pictures = EvidenceDesk(
            self.journal.boot,
            self._ring,
            self.evidence,
            self._pictured,
            self._evidence_trouble,
            clock,
            time.time,
            self._moment,
            self._rules.zone_of,
        )
        gate = CommandGate(
            header.table,
            console_keys or {},
            self.journal,
            self._ordered,
            clock,
            standing=self.evidence.standing,
        )
        self._topics = Topics(hall, header.table)
        self._voice = voice
        self._signed_alerts: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}
        """Alerts as they are and as they were signed: one that has not changed is not said again."""
        self.publisher = Publisher(
            self._topics,
            broker,
            self.journal,
            boot=self.journal.boot,
            version=__version__,
            gate=gate,
            frames=self.evidence.read,
            sealing=self._sealing,
            identity=self._introduction(),
            voice=voice,
        )

    @property
    def shows_time(self) -> bool:
        """Whether the code that is played wants the time of an action seen: then its state tells it."""
        return "countdown" in self.table.state()

    @property
    def is_closed(self) -> bool:
        """Whether ``close`` has closed the files."""
        return self._closed

    def start(self) -> None:
        """Begin to publish."""
        self.pictures.start()
        self.publisher.start()
        self.publisher.status("ready")
        with self._lock:
            self._take(self.table.drain())
            self.tell_state()
        if self.journal.mended is not None:
            log.error("journal", problem=str(self.journal.mended))
            self.observe(Health(round(self._clock(), 6), JOURNAL, "reset", str(self.journal.mended)))

    def _fold(self, header: Header) -> tuple[Fold, Header]:
        """The fold of this start, which goes on with the round of before, and the header that says so."""
        try:
            before = self._round_of_before()
            begun, said = as_begun(header, before, self._rules.options)
            if said:
                log.warning("round", problem=said)
            gone_on = resumed(begun, before)
            return open_fold(gone_on, self.journal.boot), gone_on
        except (LookupError, TypeError, ValueError) as error:
            fold = open_fold(header, self.journal.boot)
            log.error("round", problem=f"the round of before the start cannot be taken up again: {error!r}")  # noqa: TRY400
            return fold, header

    def _round_of_before(self) -> list[dict[str, Any]]:
        """What the journal tells of a round that this table was playing, or had just played, when it ended."""
        began = self.journal.newest("round.started")
        if began is None:
            return []
        kept = [one.public for one in self.journal.events(after=began - 1)]
        told = newest_round(kept)
        newest = max((datetime.fromisoformat(one["time"]) for one in told), default=None)
        if newest is None or datetime.now(UTC) - newest >= GOES_ON:
            return []
        self._calls = calls_of(kept)
        return told

    def observe(self, observation: Observation) -> list[Event]:
        """Fold one observation: its events are kept and published. Returns them. Raises ServiceError once closed."""
        with self._lock:
            if self._closed:
                raise ServiceError("the table has been stopped")
            self._write_log(observation)
            events = self.table.feed(observation)
            self._take(events)
        self.pictures.tick()
        return events

    def _write_log(self, observation: Observation | None) -> None:
        """Write an observation into the log, None: what waits for the disk. One that refuses stops no play."""
        if self._log is None:
            return
        try:
            if observation is None:
                self._log.flush()
            else:
                self._log.write(observation)
        except OSError as error:
            self.unlogged += observation is not None
            if not self._log_refused:
                log.error("log", problem=f"the observation log cannot be written: {error.strerror or error}")  # noqa: TRY400
            self._log_refused = True
            return
        if self._log_refused and observation is None:
            self._log_refused = False
            log.error("log", problem=f"the observation log is written again; {self.unlogged} lines are not in it")

    def stumbled(self, why: str) -> None:
        """An observation could not be understood: what every source saw is to be verified, and shown as such."""
        log.error("tracking", problem=why)
        for node in self.header.nodes:
            self.observe(Health(round(self._clock(), 6), node, "reset", why))

    def frame(self, picture: Picture) -> None:
        """Hold a picture for a while; those around a fact become its evidence."""
        self.pictures.frame(picture)

    def health(self, document: Mapping[str, Any]) -> None:
        """Publish the counters of the table's parts; what the log holds goes to the disk."""
        with self._lock:
            self._write_log(None)
        try:
            self.evidence.prune(time.time())
            self.journal.prune(time.time(), self._keeping)
        except JournalError as error:
            log.error("journal", problem=str(error))  # noqa: TRY400 - said in one sentence
        self._prune_logs()
        pictures = {**self._ring.report(), **self.evidence.report()}
        disk = {**self._look_at_disk().as_dict(), "unlogged": self.unlogged}
        self.publisher.health({**document, DISK: disk, "evidence": pictures})

    def _prune_logs(self) -> None:
        """Let the oldest logs of earlier starts go, once an hour."""
        if self._log_place is None or time.monotonic() < self._logs_due:
            return
        self._logs_due = time.monotonic() + LOGS_EVERY
        try:
            gone = prune_logs(self._log_place, time.time())
        except OSError as error:
            log.error("log", problem=f"old observation logs cannot be looked through: {error.strerror or error}")  # noqa: TRY400
            return
        if gone:
            log.warning("log", problem=f"observation logs removed for age or space: {', '.join(p.name for p in gone)}")

    def _look_at_disk(self) -> Disk:
        """How the disk stands; what waits for it is tried again, and every change is told as health."""
        self._write()
        waiting, unkept = self.journal.waiting, self.journal.unkept
        disk = inspect(self.journal.path, waiting=waiting, unkept=unkept, refused=self._refused)
        told = f"{disk.standing} {disk.unkept}"
        if told != self._disk and (self._disk or disk.problem):
            self.observe(Health(round(self._clock(), 6), DISK, "lost" if disk.problem else "ok", disk.problem))
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
            events = self.table.close()
            self._take(events)
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
            if self._log is not None:
                with suppress(OSError):
                    self._log.close()
        return events

    def _ordered(self, order: Observation) -> str | None:
        """Fold an order; one sentence where the table could do nothing with it."""
        for event in self.observe(order):
            data = event.data
            if isinstance(data, TableHealth) and data.what == "order" and data.state == "ignored":
                return data.note or "the order fits nothing at the table"
        return None

    def _take(self, events: list[Event]) -> None:
        if not events:
            return
        for event in events:
            self._seq = event.seq
            self._note_call(event)
            self._keep(event)
            if getattr(event.data, "key", None) not in self._earlier:
                self.pictures.told(event)
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
        """The certificates whose keys the journal's events are signed with; None where nothing is signed."""
        if self._voice is None:
            return None
        with suppress(JournalError):  # a disk that takes nothing: only the newest is told then
            self.journal.note(CERTIFICATE, {"pem": self._voice.certificate}, self._voice.name)
        kept = [str(one.get("pem")) for one in self.journal.notes(CERTIFICATE)]
        earlier = [pem for pem in kept if pem != self._voice.certificate]
        return introduction(self._topics.table, [*earlier, self._voice.certificate])

    def _signed(self, alerts: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Mapping[str, Any]]:
        """What waits for the arbitro, signed where the table signs."""
        if self._voice is None:
            return alerts
        before, self._signed_alerts = self._signed_alerts, {}
        for key, told in alerts.items():
            plain = dict(told)
            kept = before.get(key)
            whole = {**plain, "table": self._topics.table, "boot": self.journal.boot}
            signed = kept[1] if kept is not None and kept[0] == plain else self._voice.sign("alert", whole)
            self._signed_alerts[key] = (plain, signed)
        return {key: signed for key, (_, signed) in self._signed_alerts.items()}

    def _sealed(self, event: Event) -> dict[str, str] | None:
        """What is hidden in ``event``, as it may lie on the disk: sealed for the arbitro, or not at all."""
        if event.secret is None or self._sealing is None:
            return None
        return {SEALED: self._sealing.seal(self._topics, event.id, event.deal, event.secret).decode()}

    def _pictured(self, key: str, document: dict[str, Any]) -> None:
        """Pictures of an irregularity are there, or it is known why not: arbitri are told."""
        self.publisher.pictures(key, document)
        with self._lock:
            self.tell_state()

    def _evidence_trouble(self, problem: str) -> None:
        """The disk does not take pictures, or does again: the table plays on, and says so."""
        self.observe(Health(round(self._clock(), 6), EVIDENCE, "lost" if problem else "ok", problem))

    def _moment(self, t: float) -> str:
        """A moment as it is painted into a picture: table, day and hour at the table's place."""
        return f"{self.header.table} {self._dates.moment(t).astimezone():%d.%m. %H:%M:%S}"

    def _note_call(self, event: Event) -> None:
        """A player's call waits for the arbitro until he acts at the table, or play goes on."""
        if event.type == "referee.called" and event.seat is not None:
            call = _call(event.seat, event.t, event.time)
            self._calls[call["key"]] = call
        elif event.type in CALL_ENDS or (event.type == "irregularity" and _judged(getattr(event.data, "state", None))):
            self._calls.clear()

    def tell_state(self) -> None:
        """Publish how the table stands and what waits for the arbitro; show both on its screens and lights."""
        state = self.table.state()
        self.publisher.state({**state, "boot": self.journal.boot, "seq": self._seq})
        waiting = {one["key"]: self.with_pictures(one) for one in state["irregularities"] if one["state"] == "open"}
        alerts = waiting | self._calls | disputes(state)
        self.publisher.alerts(self._signed(alerts))
        for show in self.screens:
            show(state, tuple(alerts.values()))
        lights = lights_of(state, alerts.values())
        if lights != self._lights:
            self._lights = lights
            for display in self.displays:
                display(lights)

    def with_pictures(self, one: dict[str, Any]) -> dict[str, Any]:
        """An open irregularity with the pictures of its fact in the place of bare frame numbers."""
        about = self.pictures.about(str(one["key"]))
        if about is None:
            return one
        logs = [item for item in one.get("evidence", ()) if item.get("kind") != "frame"]
        return {**one, "evidence": [*about["pictures"], *logs], "pictures": {n: about[n] for n in _PICTURED}}


def first_boot_of(now: datetime, public_key: bytes) -> int:
    """The number of the first boot of a journal that is begun now: minutes since 2026, and some by the table's key.

    A table whose card was changed then comes after itself, and another one of the same name, begun on the same evening,
    is hardly ever taken for it. With a clock that is not set (before 2026) only the key counts.
    """
    minutes = int((now - datetime(2026, 1, 1, tzinfo=UTC)).total_seconds() // 60)
    return (minutes if 0 < minutes < LAST_FIRST_BOOT else 1) + public_key[0] % 64


def disputes(state: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The score sheets that a line disputes, as alerts; they wait until the line confirms or the sheet is corrected."""
    found = {}
    for number, sheet in state.get("sheets", {}).items():
        for line, since in sheet["disputed"].items():
            key = f"sheet-{number}-{line}"
            found[key] = {"key": key, "call": True, "sheet": int(number), "line": line, "offender": None, **since}
    return found


def calls_of(events: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The calls of players that wait for the arbitro after ``events`` of an earlier start, oldest first."""
    calls: dict[str, dict[str, Any]] = {}
    for event in events:
        kind, seat = event["type"], event.get("seat")
        if kind == "referee.called" and seat is not None:
            call = _call(seat, 0.0, event["time"])
            calls[call["key"]] = call
        elif kind in CALL_ENDS or (kind == "irregularity" and _judged(event["data"].get("state"))):
            calls.clear()
    return calls


def _call(seat: str, t: float, time: str) -> dict[str, Any]:
    return {"key": f"call-{seat}", "call": True, "offender": seat, "t": t, "time": time}


def _judged(state: object) -> bool:
    return state in ("ruled", "dismissed")


def _new_log(
    path: Path | None, header: Header, boot: str, key: SigningKey, sealing: Sealing | None
) -> LogWriter | SealedLogWriter | None:
    """A log for this boot; an earlier one is kept beside it, under a name of its own. Raises OSError.

    Where there is an arbitro to seal for, nothing of it is on the disk in the open, and its name ends in ``.sealed``.
    """
    if path is None:
        return None
    if sealing is not None:
        path = path.with_name(f"{path.name.partition('.')[0]}.sealed")
    if path.exists():
        stem, dot, suffixes = path.name.partition(".")
        number = f"before-{boot}"
        while (aside := path.with_name(f"{stem}.{number}{dot}{suffixes}")).exists():
            number += "x"
        path.rename(aside)
    if sealing is not None:
        return SealedLogWriter(path, header, sealing.arbitro, key, boot)
    return LogWriter(path, header)


def load_tags(path: Path | None) -> dict[str, str]:
    """The map from tag UID to card in the JSON file at ``path``; none without one. Raises ServiceError."""
    if path is None:
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ServiceError(f"the tags file {path} cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise ServiceError(f"the tags file {path} is not JSON") from None
    if not isinstance(data, dict):
        raise ServiceError(f'the tags file {path} must be an object {{"UID": "7H#1", …}}')
    return {str(uid): str(card) for uid, card in data.items()}


def lost(node: str, t: float, note: str) -> Health:
    """The observation that a source of observations is gone."""
    return Health(round(t, 6), node, "lost", note)
