"""`tavolo replay`: observation logs to events. No clock, no randomness: the same log gives the same bytes."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import typer

from hw.observation_log import LogError, read_log
from hw.observations import Other
from table_service.commands.unseal import Unsealing
from table_service.events import Event, dumps
from table_service.games.definition import UnknownRulesError, WrongHeaderError
from table_service.journal import JournalError, is_sealed
from table_service.publish import SealError
from table_service.rulesets import open_fold


@dataclass(slots=True)
class Tally:
    """Counts of a replay, for the line that ends it."""

    events: Counter[str] = field(default_factory=Counter)
    alerts: dict[str, str] = field(default_factory=dict)
    """By key: how each irregularity stood last, as a line for a person."""

    def add(self, event: Event) -> None:
        """Take one event into account."""
        self.events[event.type] += 1
        if event.type == "irregularity":
            data = event.data.model_dump(mode="json")
            self.alerts[data["key"]] = (
                f"{data['row']} art. {data['article']} {data['offender'] or '?'} "
                f"at {data['committed_t']:.1f} s: {data['title']['en']} ({data['state']})"
            )


class RefusedLogError(LogError):
    """A log that can be read and is asked for wrongly: of another code, or of one that does not know its choices."""


def events_of(
    path: Path,
    on_broken: Callable[[LogError], None],
    on_unknown: Callable[[Other], None] = lambda _other: None,
    rules: str = "",
    unsealing: Unsealing | None = None,
) -> Iterator[Event]:
    """Yield the events of the log at ``path``; ``on_unknown`` hears of observations of a kind that is not known.

    ``rules``: the code that the log must be of; empty: any. ``unsealing`` opens a sealed log.

    Raises LogError if the file or its header cannot be
    read, RefusedLogError where the header names what its code does not have, or another code.
    """
    unsealed = unsealing.log(path, on_broken) if unsealing is not None and is_sealed(path) else None
    header, observations = read_log(path, on_broken, unsealed)
    if rules and header.rules != rules:
        raise RefusedLogError(f"{path}: this is a log of {header.rules}, and it is to be replayed by {rules}", 1)
    try:
        table = open_fold(header)
    except (UnknownRulesError, WrongHeaderError) as error:
        raise RefusedLogError(f"{path}: {error}", 1) from None
    for observation in observations:
        if isinstance(observation, Other):
            on_unknown(observation)
        yield from table.feed(observation)
    yield from table.close()


class EventSink:
    """Output of events, one a line, in UTF-8 whatever the machine's locale: a file, or standard output."""

    def __init__(self, out: str, *, private: bool) -> None:
        """``out``: a path, or ``-``; ``private``: a file only its owner may read. Raises OSError."""
        self._own = out != "-"
        self._stream: IO[bytes] = _private_file(out, private=private) if self._own else sys.stdout.buffer

    def write(self, event: Event, *, secret: bool) -> None:
        """Write one event. Raises OSError."""
        # What UTF-8 cannot say (half a surrogate pair) is written as JSON's own escape.
        self._stream.write(dumps(event, secret=secret).encode("utf-8", "backslashreplace") + b"\n")

    def close(self) -> None:
        """Finish the file, or hand on what was written. Raises OSError."""
        if self._own:
            self._stream.close()
        else:
            self._stream.flush()


def _private_file(out: str, *, private: bool) -> IO[bytes]:
    mode = 0o600 if private else 0o644
    descriptor = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    if private:
        os.fchmod(descriptor, mode)
    return os.fdopen(descriptor, "wb")


def replay_logs(
    logs: list[Path], out: str | None, *, secret: bool, rules: str = "", unsealing: Unsealing | None = None
) -> int:
    """Replay ``logs`` one after another; write events to ``out`` (``-``: standard output), a summary without it.

    ``rules``: the code that they must be of; empty: any. ``unsealing`` opens those that are sealed.

    Returns the exit code: 1 if a log, or a line of one, could
    not be read, 2 if one was refused; the rest is still replayed.
    """
    if out not in (None, "-") and _same_file(Path(str(out)), logs):
        typer.echo(f"tavolo: {out} is the log itself: write the events to another file", err=True)
        return 1
    try:
        sink = None if out is None else EventSink(out, private=secret)
        codes = [
            _replay(path, sink, secret=secret, quiet=out == "-", rules=rules, unsealing=unsealing) for path in logs
        ]
        if sink is not None:
            sink.close()
    except BrokenPipeError:
        raise
    except OSError as error:
        to = "standard output" if out in (None, "-") else out
        typer.echo(f"tavolo: cannot write {to}: {error.strerror or error}", err=True)
        return 1
    return max(codes, default=0)


def _same_file(out: Path, logs: list[Path]) -> bool:
    return out.exists() and any(log.exists() and out.samefile(log) for log in logs)


def _replay(
    path: Path, sink: EventSink | None, *, secret: bool, quiet: bool, rules: str, unsealing: Unsealing | None
) -> int:
    """Replay one log. Returns 0, 1 if not all of it could be read, 2 if it was refused.

    Raises OSError if nothing can be written.
    """
    tally = Tally()
    broken = 0
    unknown: Counter[str] = Counter()

    def on_broken(error: LogError) -> None:
        nonlocal broken
        broken += 1
        typer.echo(f"tavolo: {path}: {error}; passed over", err=True)

    def on_unknown(other: Other) -> None:
        unknown[other.kind] += 1
        if unknown[other.kind] == 1:
            typer.echo(f"tavolo: {path}: observations of the unknown kind '{other.kind}' are ignored", err=True)

    try:
        for event in events_of(path, on_broken, on_unknown, rules, unsealing):
            tally.add(event)
            if sink is not None:
                sink.write(event, secret=secret)
    except (LogError, SealError, JournalError) as error:
        typer.echo(f"tavolo: {error}", err=True)
        return 2 if isinstance(error, RefusedLogError) else 1
    if not quiet:
        _summary(path, tally)
    return 1 if broken else 0


def _summary(path: Path, tally: Tally) -> None:
    typer.echo(f"{path}: {sum(tally.events.values())} events")
    for name, number in sorted(tally.events.items()):
        typer.echo(f"  {number:5} {name}")
    for line in tally.alerts.values():
        typer.echo(f"  ! {line}")
