"""The observation log: a header line, then observations as JSON lines in order of arrival (interfaces, section 2).

A log names hidden cards: it is secret, and files are made with mode 0600.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self, cast

from pydantic_core import from_json

from hw.errors import TavoloError
from hw.observation_json import finite, json_line, observation_from_json, observation_to_json, plain_observation
from hw.observations import Observation, Tags
from hw.seats import LINES, Line, Seat, seat_or_none
from hw.tag_uids import named_as_read, uids_as_named

_LONGEST: Final = 160
"""Most letters of a complaint about a line, which may quote its content."""
CARD_GRAMS = 1.8
"""Weight of a card if the header does not give it (interfaces, section 2)."""


SEALED_LOG: Final = "sealed-log"
"""The kind of the first line of a log that lies sealed on the disk (``table_service.journal.sealed_log``)."""


class LogError(TavoloError, ValueError):
    """A log, or one line of it, that cannot be read. ``line`` is its number, from 1; 0 for the file itself."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Header:
    """Facts that hold for a whole log: the table, its rules, the players' seats, the card of each tag."""

    table: str
    rules: str
    options: dict[str, Any] = field(default_factory=dict)
    seats: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    card_grams: float = CARD_GRAMS
    started: str = "1970-01-01T00:00:00Z"
    version: int = 1
    nodes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The sensors of each node by the table map, as ``hw.coverage`` names them; empty if the map is not known."""
    sensors: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Sensors of each zone: camera, scale, beam, gate; empty: all that the rule set's equipment asks for."""

    @property
    def keepers(self) -> dict[Line, Seat]:
        """Partner before whom the line's melds are (art. 4); N and E if the header does not say."""
        return {Line.NS: Seat.NORTH, Line.EW: Seat.EAST} | self.named_keepers

    @property
    def named_keepers(self) -> dict[Line, Seat]:
        """The keepers that the header names; a code may have none, and melds lie before who opens first."""
        given = self.options.get("keepers")
        seats = {line: seat_or_none(given.get(line)) for line in LINES} if isinstance(given, dict) else {}
        return {line: seat for line, seat in seats.items() if seat is not None}


def header_from_json(data: dict[str, Any]) -> Header:
    """Return the header in ``data``. Raises LogError if it is not one or of an unknown version."""
    _check_header(data)
    told = {name: data.get(name) or {} for name in _HEADER_OBJECTS}
    return Header(
        table=data["table"],
        rules=data["rules"],
        options=finite(dict(told["options"])),
        seats={seat: str(name) for seat, name in told["seats"].items()},
        tags=named_as_read({uid: str(card) for uid, card in told["tags"].items()}),
        card_grams=float(data.get("card_grams", CARD_GRAMS)),
        started=str(data.get("started") or "1970-01-01T00:00:00Z"),
        nodes={str(node): _sensors("nodes", named) for node, named in told["nodes"].items()},
        sensors={str(zone): _sensors("sensors", named) for zone, named in told["sensors"].items()},
    )


_HEADER_OBJECTS: Final = ("options", "seats", "tags", "nodes", "sensors")


def _check_header(data: dict[str, Any]) -> None:
    """Raise LogError if ``data`` is no header of a version that is known."""
    if data.get("kind") != "header":
        raise LogError('the first line must be the header: {"kind":"header",…}', 1)
    if data.get("version") != 1:
        raise LogError(f"log version {data.get('version')!r} is not known, this program reads version 1", 1)
    for name in ("table", "rules"):
        if not isinstance(data.get(name), str):
            raise LogError(f"the header lacks '{name}'", 1)
    for name in _HEADER_OBJECTS:
        if not isinstance(data.get(name) or {}, dict):
            raise LogError(f"the header's '{name}' must be an object", 1)
    grams = data.get("card_grams", CARD_GRAMS)
    if isinstance(grams, bool) or not isinstance(grams, int | float) or not 0.5 <= grams <= 10:
        raise LogError(f"the header's card_grams must be a weight in grams, not {grams!r}", 1)


def _sensors(name: str, named: Any) -> tuple[str, ...]:
    if not isinstance(named, list):
        whose = "node" if name == "nodes" else "zone"
        raise LogError(f"the header's '{name}' must list the sensors of each {whose}", 1)
    return tuple(map(str, named))


def header_to_json(header: Header) -> dict[str, Any]:
    """``header`` as the object of a log's first line."""
    return {
        "kind": "header",
        "version": header.version,
        "table": header.table,
        "rules": header.rules,
        "options": header.options,
        "seats": header.seats,
        "tags": header.tags,
        "card_grams": header.card_grams,
        "started": header.started,
        **({"nodes": {node: list(sensors) for node, sensors in header.nodes.items()}} if header.nodes else {}),
        **({"sensors": {zone: list(by) for zone, by in header.sensors.items()}} if header.sensors else {}),
    }


def _json(text: str) -> Any:
    """Return the value that ``text`` states, by the faster of two readers; what it refuses the other has to judge."""
    try:
        return from_json(text)
    except ValueError:
        return json.loads(text)


def parse_line(text: str, line: int) -> Observation:
    """Return the observation on line number ``line`` of a log. Raises LogError that names the line.

    >>> parse_line('{"t": 12.5, "kind": "scale", "zone": "stock", "grams": 104.2, "settled": true}', 2)
    Scale(t=12.5, zone='stock', grams=104.2, settled=True)
    >>> parse_line('{"t": 12.5, "kind": "scale", "zone": "stock"}', 3)
    Traceback (most recent call last):
    hw.observation_log.LogError: line 3 is broken: 'grams' is missing
    """
    if (made := plain_observation(text)) is not None:
        return made
    try:
        data = _json(text)
        if not isinstance(data, dict):
            raise TypeError("not an object")
        return observation_from_json(data)
    except json.JSONDecodeError as error:
        raise LogError(f"line {line} is broken: not JSON ({error.msg} at column {error.colno})", line) from None
    except KeyError as error:
        raise LogError(f"line {line} is broken: {error} is missing", line) from None
    except RecursionError:
        raise LogError(f"line {line} is broken: too deeply nested", line) from None
    except (ValueError, TypeError, AttributeError, OverflowError) as error:
        raise LogError(f"line {line} is broken: {_short(str(error))}", line) from None


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def open_text(path: Path) -> IO[str]:
    """Open a log for reading, unpacked if its name ends in ``.gz``, without byte order mark. Raises LogError."""
    try:
        if path.suffix == ".gz":
            return gzip.open(path, "rt", encoding="utf-8-sig", errors="replace")
        return path.open("r", encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise LogError(f"cannot read the log {path}: {error.strerror or error}") from None


def read_log(
    path: Path, on_broken: Callable[[LogError], None] | None = None, unsealed: IO[str] | None = None
) -> tuple[Header, Iterator[Observation]]:
    """Return the header of the log at ``path`` and its observations, read as they are asked for.

    ``unsealed``: its lines, if they were sealed and have been opened.

    A broken line goes to ``on_broken`` and is passed over; without ``on_broken`` it is raised.
    Raises LogError if the file or its header cannot be read.
    """
    stream = open_text(path) if unsealed is None else unsealed
    try:
        first = stream.readline()
        if not first.strip():
            raise LogError("there is nothing on its first line: the header belongs there", 1)
        data = json.loads(first)
        if not isinstance(data, dict):
            raise LogError('the first line must be the header: {"kind":"header",…}', 1)
        if data.get("kind") == SEALED_LOG:
            raise LogError("it is sealed: `tavolo replay` opens it with --key, --table-key and --reason", 1)
        header = header_from_json(data)
    except (OSError, EOFError, zlib.error) as error:
        stream.close()
        raise LogError(f"cannot read the log {path}: {error}") from None
    except LogError as error:
        stream.close()
        raise LogError(f"{path}: {error}", error.line) from None
    except (ValueError, RecursionError):
        stream.close()
        raise LogError(f"{path} is no observation log: its first line is not a JSON header", 1) from None
    return header, _observations(stream, path, on_broken, header.tags)


def _observations(
    stream: IO[str], path: Path, on_broken: Callable[[LogError], None] | None, named: Mapping[str, str]
) -> Iterator[Observation]:
    number = 1
    with stream:
        while True:
            number += 1
            try:
                text = stream.readline()
            except (OSError, EOFError, zlib.error) as error:
                if on_broken is None:
                    raise LogError(f"{path} breaks off at line {number}: {error}", number) from None
                on_broken(LogError(f"line {number} and what follows cannot be read: {error}", number))
                return
            if not text:
                return
            if not text.strip():
                continue
            try:
                observation = parse_line(text, number)
            except LogError as error:
                if on_broken is None:
                    raise LogError(f"{path}: {error}", number) from None
                on_broken(error)
                continue
            if isinstance(observation, Tags) and not all(uid in named for uid in observation.tags):
                observation = replace(observation, tags=uids_as_named(observation.tags, named))
            yield observation


def lines_after(path: Path, position: int) -> tuple[list[str], str]:
    """Return the lines of a log after the first ``position``, and what ended them before its end; or nothing.

    A last line without its end, as a power cut leaves it, is no line.
    """
    found: list[str] = []
    try:
        with open_text(path) as stream:
            for _ in range(position):
                stream.readline()
            while text := stream.readline():
                if not text.endswith("\n"):
                    return found, "its last line is torn"
                found.append(text)
    except (OSError, EOFError, zlib.error) as error:
        return found, f"it breaks off after {position + len(found)} lines ({error})"
    except LogError as error:
        return found, str(error)
    return found, ""


class LogWriter:
    """Writes a log line by line; a context manager. The file is new, private (0600), gzip where ``.gz``."""

    def __init__(self, path: Path, header: Header) -> None:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.fchmod(descriptor, 0o600)
        raw = os.fdopen(descriptor, "wb")
        self._stream: IO[bytes] = (
            cast("IO[bytes]", gzip.GzipFile(fileobj=raw, mode="wb", mtime=0)) if path.suffix == ".gz" else raw
        )
        self._raw = raw
        self._line(header_to_json(header))

    def _line(self, data: dict[str, Any]) -> None:
        self._stream.write(json_line(data) + b"\n")

    def write(self, observation: Observation) -> None:
        """Append one observation."""
        self._line(observation_to_json(observation))

    def write_all(self, observations: Iterable[Observation]) -> None:
        """Append observations in the order given, which is the order of arrival."""
        for observation in observations:
            self.write(observation)

    def fileno(self) -> int:
        """Return the descriptor of the open file."""
        return self._raw.fileno()

    def flush(self) -> None:
        """Hand everything written so far to the operating system."""
        self._stream.flush()
        self._raw.flush()

    def close(self) -> None:
        """Finish the file."""
        self._stream.close()
        self._raw.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
