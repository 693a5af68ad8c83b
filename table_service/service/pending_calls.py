"""Matters waiting for the arbitro beside irregularities: players' calls and disputed score sheets; signed alerts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from table_service.events import Event
from table_service.events.signing import SigningIdentity

CALL_ENDS: Final = frozenset({"warning.given", "turn.started", "deal.started", "deal.ended"})
Alerts = Mapping[str, Mapping[str, Any]]
"""Matters waiting for the arbitro, by key."""


class Calls:
    """Players' calls that wait for the arbitro, by key: until he acts at the table, or play continues."""

    def __init__(self) -> None:
        self.open: dict[str, dict[str, Any]] = {}

    def note(self, event: Event) -> None:
        """Take an event: a call may begin or end with it."""
        if event.type == "referee.called" and event.seat is not None:
            call = _call(event.seat, event.t, event.time)
            self.open[call["key"]] = call
        elif event.type in CALL_ENDS or (event.type == "irregularity" and _judged(getattr(event.data, "state", None))):
            self.open.clear()


class AlertSigner:
    """Alerts as a table sends them: signed if it has a key."""

    def __init__(self, voice: SigningIdentity | None, table: str, boot: str) -> None:
        self._voice = voice
        self._table = table
        self._boot = boot
        self._signed: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}
        """Alerts as they are and as they were signed: one that has not changed is not said again."""

    def sign(self, alerts: Alerts) -> Alerts:
        """All that waits now, as it is said."""
        if self._voice is None:
            return alerts
        before, self._signed = self._signed, {}
        for key, told in alerts.items():
            plain = dict(told)
            kept = before.get(key)
            whole = {**plain, "table": self._table, "boot": self._boot}
            signed = kept[1] if kept is not None and kept[0] == plain else self._voice.sign("alert", whole)
            self._signed[key] = (plain, signed)
        return {key: signed for key, (_, signed) in self._signed.items()}


def disputes(state: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the score sheets that a line disputes, as alerts, until it confirms or the sheet is corrected."""
    found = {}
    for number, sheet in state.get("sheets", {}).items():
        for line, since in sheet["disputed"].items():
            key = f"sheet-{number}-{line}"
            found[key] = {"key": key, "call": True, "sheet": int(number), "line": line, "offender": None, **since}
    return found


def calls_of(events: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the calls of players that wait for the arbitro after ``events`` of an earlier start, oldest first."""
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
