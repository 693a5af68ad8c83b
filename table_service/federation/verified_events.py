"""Messages of halls' tables as rows of the archive: only what a table of that hall has signed, and nothing hidden."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, NoReturn

import msgspec
from cryptography.hazmat.primitives.serialization import Encoding

from table_service.events.message_sizes import is_too_long
from table_service.events.resending import read_answer, read_contents
from table_service.events.sequence import HIGHEST, Run
from table_service.events.signing import CERTIFICATES_MOST, Kind, Voices
from table_service.events.topics import Address, level
from table_service.events.untrusted import as_list, as_number, as_whole

_NAME_MOST: Final = 64
_NAMED: Final = re.compile(r"[^\x00-\x1f\x7f]{1,64}")
"""A table or a type of events."""
_BOOT: Final = re.compile(r"[0-9a-f]{6}")
_DEAL_MOST: Final = 2**31 - 1
_EARLIEST: Final = date(2026, 1, 1)
"""No table told anything before: an older date is a clock that was not set."""
BootKey = tuple[str, str, str]
"""Hall, table and boot."""


@dataclass(frozen=True, slots=True)
class ArchivedEvent:
    """One event as the archive keeps it. ``body``: its JSON with the signature, without ``late``."""

    hall: str
    table: str
    boot: str
    seq: int
    type: str
    deal: int | None
    t: float | None
    time: datetime | None
    body: str

    @property
    def boot_key(self) -> BootKey:
        """The boot that the event belongs to."""
        return self.hall, self.table, self.boot


@dataclass(slots=True)
class VerifiedBatch:
    """Contents of some messages: events, the ends that journals tell by boot, what journals do not have any more."""

    events: list[ArchivedEvent] = field(default_factory=list)
    told: dict[BootKey, tuple[int, str]] = field(default_factory=dict)
    """The last number that a table has of a boot, and when that began."""
    gone: list[tuple[str, str, Run]] = field(default_factory=list)
    refused: dict[tuple[str, str, str], int] = field(default_factory=dict)
    """By hall, table and reason, how many messages or events were not believed."""
    certificates: dict[tuple[str, str, str], tuple[str, str]] = field(default_factory=dict)
    """By hall, table and number: a table's certificate and the authority that it is from, PEM."""

    heard: dict[tuple[str, str], datetime] = field(default_factory=dict)
    """By hall and table, when something of it was heard last."""

    def refuse(self, hall: str, table: str, reason: str) -> None:
        """Count something that is not taken."""
        key = (hall, table, reason)
        self.refused[key] = self.refused.get(key, 0) + 1

    def boots(self) -> dict[BootKey, datetime | None]:
        """Every boot that is named, with a moment of it, by whose month its events are kept if it is new."""
        found: dict[BootKey, datetime | None] = {event.boot_key: event.time for event in self.events}
        found.update({key: _moment(began) for key, (_, began) in self.told.items()})
        found.update({(hall, table, boot): None for hall, table, (boot, _, _) in self.gone})
        return found


def month_of(moment: datetime | None, now: datetime | None = None) -> date:
    """Return the first day of the month in which a boot that began then is kept.

    A moment that cannot be right (before 2026, or from tomorrow on) comes from a clock that was not set: then it is
    the present month.

    >>> month_of(datetime(2026, 5, 17, tzinfo=UTC)), month_of(None, datetime(2027, 2, 3, tzinfo=UTC))
    (datetime.date(2026, 5, 1), datetime.date(2027, 2, 1))
    """
    today = now or datetime.now(UTC)
    if moment is None or moment.date() < _EARLIEST or moment > today + timedelta(days=1):
        moment = today
    return moment.date().replace(day=1)


class EventVerifier:
    """Judges messages by the certificates of each hall's authority. ``voices``: a hall's; None: no hall of ours."""

    def __init__(self, voices: Callable[[str], Voices | None]) -> None:
        self._voices = voices

    def introduce(self, address: Address, payload: bytes, batch: VerifiedBatch | None = None) -> bool:
        """Take in the certificates that a table shows. False if one is not its own or its hall is not known.

        ``batch``: they are noted there, so that its events can be verified when the table is no more.
        """
        voices, document = self._voices(address.hall), _object(payload)
        if voices is None or document is None:
            return False
        for pem in as_list(document.get("certificates"))[-CERTIFICATES_MOST:] if batch is not None else ():
            serial = voices.own_serial(address.table, pem)
            if serial is not None and batch is not None:
                authority = voices.authority.public_bytes(Encoding.PEM).decode()
                batch.certificates[address.hall, address.table, f"{serial:x}"] = (str(pem), authority)
        return voices.introduce(address.table, document) == 0

    def take(self, address: Address, payload: bytes, batch: VerifiedBatch) -> None:
        """Put what one message says into ``batch``; what is not the table's own word is counted as refused."""
        hall, table = address.hall, address.table
        voices = self._voices(hall)
        if voices is None:
            batch.refuse(hall[:_NAME_MOST], "", "no hall of this federation")
        elif max(len(hall), len(table)) > _NAME_MOST or is_too_long(address.kind, len(payload)):
            batch.refuse(hall[:_NAME_MOST], table[:_NAME_MOST], "longer than any table's own")
        elif (document := _object(payload)) is None:
            batch.refuse(hall, table, "no JSON object")
        elif address.kind == "event":
            self._event(voices, address, document, batch)
        elif address.kind == "resent":
            self._resent(voices, address, document, batch)
        elif address.kind == "journal" and self._own("journal", voices, address, document, batch):
            for boot, one in read_contents(document).items():
                batch.told[hall, table, boot] = (one.last, one.began)

    def _own(
        self, kind: Kind, voices: Voices, address: Address, document: Mapping[str, Any], batch: VerifiedBatch
    ) -> bool:
        if voices.judge(kind, address.table, document) != "refused":
            return True
        known = "not signed by it" if voices.knows(address.table) else "no certificate was shown"
        batch.refuse(address.hall, address.table, known)
        return False

    def _event(self, voices: Voices, address: Address, document: dict[str, Any], batch: VerifiedBatch) -> None:
        if not self._own("event", voices, address, document, batch):
            return
        event = read_event(address.hall, document)
        if event is None or level(event.table) != address.table:
            batch.refuse(address.hall, address.table, "no event that a table makes")
        else:
            batch.events.append(event)

    def _resent(self, voices: Voices, address: Address, document: dict[str, Any], batch: VerifiedBatch) -> None:
        part = read_answer(document)
        if part is None or not self._own("resent", voices, address, document, batch):
            return
        for one in part.events:
            self._event(voices, address, one, batch)
        batch.gone += [(address.hall, address.table, run) for run in part.gone]


def read_event(hall: str, document: Mapping[str, Any]) -> ArchivedEvent | None:
    """Return ``document`` as a row; None if no table makes such an event, or it names something hidden in the open."""
    table, boot, kind = document.get("table"), document.get("boot"), document.get("type")
    seq, deal = _whole(document.get("seq"), 1, HIGHEST), _whole(document.get("deal"), 0, _DEAL_MOST)
    if "secret" in document or seq is None:
        return None
    if not isinstance(table, str) or not isinstance(kind, str) or not isinstance(boot, str):
        return None
    if not _NAMED.fullmatch(table) or not _NAMED.fullmatch(kind) or not _BOOT.fullmatch(boot):
        return None
    t = as_number(document.get("t"))
    t = t if t is not None and math.isfinite(t) else None
    return ArchivedEvent(hall, table, boot, seq, kind, deal, t, _moment(document.get("time")), body_of(document))


def _whole(value: object, least: int, most: int) -> int | None:
    found = as_whole(value)
    return found if found is not None and least <= found <= most else None


def body_of(document: Mapping[str, Any]) -> str:
    """Return the JSON that is kept of an event: all that its signature covers, and the signature.

    What UTF-8 cannot say is written as JSON's own escape; PostgreSQL takes no NUL, and JSON escapes it.
    """
    told = {name: value for name, value in document.items() if name != "late"}
    try:
        return msgspec.json.encode(told).decode()  # ten times as fast as the standard library's
    except (UnicodeEncodeError, OverflowError, msgspec.MsgspecError):
        return json.dumps(told, separators=(",", ":"))


def _moment(value: object) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _object(payload: bytes) -> dict[str, Any] | None:
    try:
        told = msgspec.json.decode(payload)
    except (ValueError, RecursionError):
        told = _patient(payload)
    return told if isinstance(told, dict) else None


def _patient(payload: bytes) -> object:
    """Read what only the standard library takes: text that UTF-8 cannot say, and a mark of its encoding."""
    try:
        return json.loads(payload, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return None


def _no_number(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which are no JSON: no other program could read such an event."""
    raise ValueError(name)
