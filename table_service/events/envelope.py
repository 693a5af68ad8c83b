"""The envelope that every event travels in, and the split between what is public and what is sealed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, SerializeAsAny

from hw.seats import Line, Seat
from table_service.events.payloads import PAYLOADS, Payload, Raw

REPLAY_BOOT: Final = "replay"
"""The boot of every event that a replay makes."""


class Event(BaseModel):
    """One event. ``data`` is public; ``secret`` holds what only the arbitro may learn, under the names of ``data``.

    ``t``: seconds of the observation that completed the evidence; ``committed_t``: of the first that shows the fact.
    ``turn``: 0 before play. ``line`` follows from ``seat`` if there is one. ``late`` is set when the event is sent
    after its time, never by the game.
    """

    model_config = ConfigDict(frozen=True)

    v: Literal[1] = 1
    id: str
    table: str
    boot: str
    seq: int
    t: float
    time: str
    deal: int | None
    turn: int | None
    type: str
    seat: Seat | None
    line: Line | None
    data: SerializeAsAny[Payload]
    confidence: float = 1.0
    basis: tuple[str, ...] = ()
    late: bool = False
    committed_t: float | None = None
    secret: dict[str, Any] | None = None


def public(event: Event) -> Event:
    """``event`` without what is hidden: what may leave the table unsealed."""
    return event if event.secret is None else event.model_copy(update={"secret": None})


def event_to_json(event: Event, *, secret: bool = False) -> dict[str, Any]:
    """Return ``event`` as the object of one line; with ``secret`` its hidden part too, if it has one."""
    data = event.data.model_dump(mode="json", by_alias=True)
    answer: dict[str, Any] = {
        "v": event.v,
        "id": event.id,
        "table": event.table,
        "boot": event.boot,
        "seq": event.seq,
        "t": round(event.t, 6),
        "time": event.time,
        "deal": event.deal,
        "turn": event.turn,
        "type": event.type,
        "seat": event.seat,
        "line": event.line,
        "data": data,
        "confidence": round(event.confidence, 3),
        "basis": list(event.basis),
        "late": event.late,
    }
    if event.committed_t is not None:
        answer["committed_t"] = round(event.committed_t, 6)
    if secret and event.secret is not None:
        answer["secret"] = event.secret
    return answer


def dumps(event: Event, *, secret: bool = False) -> str:
    """``event`` as one line of JSON without the line's end; the same event gives the same bytes everywhere."""
    return json.dumps(event_to_json(event, secret=secret), ensure_ascii=False, separators=(",", ":"))


def event_from_json(data: dict[str, Any], payloads: Mapping[str, type[Payload]] = PAYLOADS) -> Event:
    """Return the event that ``data`` states; a type not known keeps its data as it is. Raises pydantic.ValidationError.

    ``payloads``: the models of the types; those of a game are ``rulesets.payloads_of``.

    >>> from table_service.events.payloads import RefereeCalled
    >>> envelope = Envelope("T12", started="2026-05-01T20:00:00Z")
    >>> called = envelope.make("referee.called", RefereeCalled(), t=61.0, seat=Seat.EAST)
    >>> called.id, called.time, called.line
    ('T12-replay-000001', '2026-05-01T20:01:01.000Z', <Line.EW: 'EW'>)
    >>> event_from_json(event_to_json(called)) == called
    True
    """
    model = payloads.get(str(data.get("type")), Raw)
    return Event(**{**data, "data": model.model_validate(data.get("data") or {})})


def stamp(moment: datetime) -> str:
    """Return ``moment`` (UTC) as events are dated: ISO 8601 to the millisecond.

    >>> stamp(datetime(2026, 5, 1, 20, 1, 1, tzinfo=UTC))
    '2026-05-01T20:01:01.000Z'
    """
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


class Envelope:
    """Numbers events and dates them: ``id`` is table, boot and number; ``time`` is ``started`` plus ``t``.

    ``started``: UTC moment of the log's zero, ISO 8601; one that cannot be read counts as the epoch.
    """

    def __init__(self, table: str, started: str, boot: str = REPLAY_BOOT, first: int = 1) -> None:
        self._table = table
        self._boot = boot
        self._seq = first - 1
        try:
            moment = datetime.fromisoformat(started)
        except ValueError:
            moment = datetime.fromtimestamp(0, UTC)
        self._started = moment if moment.tzinfo else moment.replace(tzinfo=UTC)

    @property
    def seq(self) -> int:
        """The number of the last event made; one below the first if none was."""
        return self._seq

    @property
    def next_id(self) -> str:
        """The id that the next event will have."""
        return self._id(self._seq + 1)

    def _id(self, seq: int) -> str:
        return f"{self._table}-{self._boot}-{seq:06d}"

    def moment(self, t: float) -> datetime:
        """Return the date of the table's second ``t`` (UTC)."""
        try:
            return (self._started + timedelta(seconds=t)).astimezone(UTC)
        except (OverflowError, ValueError):
            return self._started.astimezone(UTC)

    def _time(self, t: float) -> str:
        return stamp(self.moment(t))

    def make(
        self,
        type_: str,
        data: Payload,
        *,
        t: float,
        deal: int | None = None,
        turn: int | None = None,
        seat: Seat | None = None,
        line: Line | None = None,
        confidence: float = 1.0,
        basis: tuple[str, ...] = (),
        committed_t: float | None = None,
        secret: dict[str, Any] | None = None,
    ) -> Event:
        """Make the next event. ``line`` is taken from ``seat`` if it is not given."""
        self._seq += 1
        return Event(
            id=self._id(self._seq),
            table=self._table,
            boot=self._boot,
            seq=self._seq,
            t=t,
            time=self._time(t),
            deal=deal,
            turn=turn,
            type=type_,
            seat=seat,
            line=line if line is not None or seat is None else seat.line,
            data=data,
            confidence=min(1.0, max(0.0, confidence)),
            basis=basis,
            committed_t=committed_t,
            secret=secret,
        )
