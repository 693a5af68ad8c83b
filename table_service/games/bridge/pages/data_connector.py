"""The Bridgemate Data Connector's side of its protocol: a club's scoring program asks it for results. Pure.

A scoring program posts requests of a command, the club's licence key and data as JSON text, and gets one answer each
(numbers of commands, data and errors as in the makers' client for Python, 1.2.1, for the service 5.0). It creates an
event with its own sections, tables and pairs, polls for new results, and accepts what it has got: what was accepted
comes no more, unless it changes. Tables are matched in order, table 1 of the hall to the first table of the first
section. What is not done here is refused as not implemented, and never silently taken.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from table_service.events.untrusted import as_list, as_map, as_name, as_whole
from table_service.games.reports import ScoringProtocol

GREETING: Final = "Bridgemate dataconnector service version 5.0 (Tavolo)"
"""A client takes an address for a Data Connector's if its answer holds these words."""
_PING: Final = 4
_BEGIN: Final = 5
_CONTINUE: Final = 31
_SETTINGS: Final = frozenset({14, 15})
"""Settings of handsets, of which this hall has none: taken, and nothing follows."""
_OK: Final = 1
_ERROR: Final = 4
_NOT_DONE: Final = 8
_INVALID: Final = 5
_UNKNOWN_ENTRY: Final = 6
_NO_CONNECTION: Final = 10
_MOST_SESSIONS: Final = 20


@dataclass(frozen=True, slots=True)
class _QueueKind:
    """Kind of data: commands that ask for what is new and for all and that accept it; ``part`` of the results' file."""

    data: int
    new: int
    every: int
    accept: int
    part: str = ""


_QUEUES: Final = (
    _QueueKind(12, 19, 23, 27, "Results"),
    _QueueKind(10, 20, 24, 28),
    _QueueKind(11, 21, 25, 29),
    _QueueKind(13, 22, 26, 30, "Handrecords"),
    _QueueKind(21, 36, 37, 38),
)
Item = Mapping[str, Any]


@dataclass(slots=True)
class _ScoredSession:
    """A session of the scoring program: the table of each of the hall's, pairs by section, table and round.

    ``sent``: all that was ever put into a queue, with the last form of each thing; ``accepted``: up to where.
    """

    tables: tuple[tuple[str, int], ...] = ()
    pairs: dict[tuple[str, int, int], tuple[int, int]] = field(default_factory=dict)
    sent: dict[int, list[Item]] = field(default_factory=dict)
    accepted: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class DataConnector:
    """Answers of a hall to scoring programs, by their sessions."""

    _sessions: dict[str, _ScoredSession] = field(default_factory=dict)

    def answer(self, request: Mapping[str, Any], results: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
        """Answer one request. ``results``: the hall's results as ``bridgemate.json`` has them, asked for if needed."""
        command, guid = as_whole(request.get("Command")) or 0, as_name(request.get("SessionGuid")) or ""
        data = _decoded(request.get("SerializedData"))
        if command == _PING:
            return _said(command, _OK, guid, data)
        if command in (_BEGIN, _CONTINUE):
            return self._begin(command, as_map(data))
        if command in _SETTINGS:
            return _said(command, _OK, guid, "This hall has no handsets to set.")
        for queue in _QUEUES:
            if command in (queue.new, queue.every, queue.accept):
                session = self._sessions.get(guid)
                if session is None:
                    return _refused(command, _UNKNOWN_ENTRY, guid, f"No session {guid or '?'}: initialize it first.")
                if command == queue.accept:
                    session.accepted[queue.data] = as_whole(data) or 0
                    return _said(command, _OK, guid, "Accepted.")
                return _polled(command, queue, guid, session, results)
        return _refused(command, _NOT_DONE, guid, f"Command {command} is not done by this hall.")

    def refuse(self, request: Mapping[str, Any], text: str, *, known: bool) -> dict[str, Any]:
        """Return an error as the protocol has it: a number of its list, and ``text``."""
        return _refused(as_whole(request.get("Command")) or 0, _INVALID if known else _NO_CONNECTION, "", text)

    def _begin(self, command: int, event: Item) -> dict[str, Any]:
        sessions = [as_map(one) for one in as_list(event.get("Sessions"))]
        named = [(guid, one) for one in sessions if (guid := as_name(one.get("SessionGuid")))]
        if command == _BEGIN and not named:
            return _refused(command, _INVALID, "", "The event has no session with a SessionGuid.")
        for guid, one in named[:_MOST_SESSIONS]:
            self._sessions.pop(guid, None)
            self._sessions[guid] = _session_of(one)
        for old in list(self._sessions)[: -_MOST_SESSIONS or None]:
            del self._sessions[old]
        return _said(command, _OK, "", "The event is known.")


def _session_of(document: Item) -> _ScoredSession:
    made, tables = _ScoredSession(), list[tuple[str, int]]()
    for section in _inner(_inner([document], "ScoringGroups"), "Sections"):
        letters = as_name(section.get("Letters")) or ""
        for table in _inner([section], "Tables"):
            number = as_whole(table.get("TableNumber")) or 0
            tables.append((letters, number))
            for one in _inner([table], "Rounds"):
                key = letters, number, as_whole(one.get("RoundNumber")) or 0
                made.pairs[key] = as_whole(one.get("PairNS")) or 0, as_whole(one.get("PairEW")) or 0
    made.tables = tuple(tables)
    return made


def _inner(documents: Sequence[Item], name: str) -> list[Item]:
    return [as_map(one) for document in documents for one in as_list(document.get(name))]


def _polled(
    command: int, queue: _QueueKind, guid: str, session: _ScoredSession, results: Callable[[], Mapping[str, Any]]
) -> dict[str, Any]:
    """Content of a queue: all that is valid now, or new and changed things since the last that was accepted."""
    sent = session.sent.setdefault(queue.data, [])
    if queue.part:
        latest = {_key(one): one for one in sent}
        fresh = {_key(one): one for one in _in_session(results(), queue.part, guid, session)}
        sent += [one for key, one in fresh.items() if latest.get(key) != one]
        gone = [one for key, one in latest.items() if key not in fresh and not one.get("IsDeleted")]
        sent += [{**one, "IsDeleted": True} for one in gone if queue.part == "Results"]
    since = 0 if command == queue.every else session.accepted.get(queue.data, 0)
    valid = {_key(one): one for one in sent[since:]}
    return {**_said(command, queue.data, guid, list(valid.values())), "LastQueueItemId": len(sent)}


def _key(item: Item) -> tuple[Any, ...]:
    return tuple(item.get(name) for name in ("SectionLetters", "TableNumber", "RoundNumber", "BoardNumber"))


def _in_session(document: Mapping[str, Any], part: str, guid: str, session: _ScoredSession) -> Iterator[Item]:
    """Yield the hall's objects with the section, table and pairs that the scoring program has given them."""
    first = session.tables[0][0] if session.tables else "A"
    for one in map(as_map, as_list(document.get(part))):
        table, number = as_whole(one.get("TableNumber")), as_whole(one.get("RoundNumber")) or 0
        if table is None:
            yield {**one, "SessionGuid": guid, "SectionLetters": first}
            continue
        known = session.tables[table - 1] if 1 <= table <= len(session.tables) else (first, table)
        pairs = session.pairs.get((*known, number))
        yield {**one, "SessionGuid": guid, "SectionLetters": known[0], "TableNumber": known[1], **_named(one, pairs)}


def _named(one: Item, pairs: tuple[int, int] | None) -> Item:
    if pairs is None or 0 in pairs:
        return {}
    declares_ns = one.get("DeclaringPair") == one.get("PairNorthSouth")
    return {"PairNorthSouth": pairs[0], "PairEastWest": pairs[1], "DeclaringPair": pairs[not declares_ns]}


def _decoded(text: object) -> Any:
    """Return data of a request, which is JSON as text; None for what is not."""
    try:
        return json.loads(text) if isinstance(text, str) and text else None
    except ValueError:
        return None


def _said(command: int, kind: int, guid: str, data: object) -> dict[str, Any]:
    return {
        "RequestCommand": command,
        "DataType": kind,
        "LastQueueItemId": 0,
        "ErrorType": 0,
        "SessionGuid": guid,
        "SerializedData": json.dumps(data, ensure_ascii=False),
    }


def _refused(command: int, error: int, guid: str, text: str) -> dict[str, Any]:
    return {**_said(command, _ERROR, guid, text), "ErrorType": error}


DATA_CONNECTOR: Final = ScoringProtocol(
    name="bridgemate",
    door="dc-scoringprogram",
    greeting=GREETING,
    file="bridgemate.json",
    key="LicenceKey",
    talk=DataConnector,
)
