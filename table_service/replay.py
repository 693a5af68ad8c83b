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
from table_service.events import Event, dumps
from table_service.games.burraco.rulebook import UnknownRulesError
from table_service.table import TableFold


@dataclass(slots=True)
class Tally:
    """What a replay saw, for the line that ends it."""

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


def events_of(path: Path, on_broken: Callable[[LogError], None]) -> Iterator[Event]:
    """The events of the log at ``path``. Raises LogError where the file or its header cannot be read."""
    header, observations = read_log(path, on_broken)
    try:
        table = TableFold(header)
    except UnknownRulesError as error:
        raise LogError(f"{path}: {error}", 1) from None
    for observation in observations:
        yield from table.feed(observation)
    yield from table.close()


def replay_logs(logs: list[Path], out: str | None, *, secret: bool) -> int:
    """Replay ``logs`` one after another; write events to ``out`` (``-``: standard output), a summary without it.

    Returns the exit code: 1 where a log, or a line of one, could not be read; the rest is still replayed.
    """
    broken = 0

    def on_broken(error: LogError) -> None:
        nonlocal broken
        broken += 1
        typer.echo(f"tavolo: {path}: {error}; the line is passed over", err=True)

    try:
        sink = _sink(out, private=secret)
    except OSError as error:
        typer.echo(f"tavolo: cannot write {out}: {error.strerror or error}", err=True)
        return 1
    for path in logs:
        tally = Tally()
        try:
            for event in events_of(path, on_broken):
                tally.add(event)
                if sink is not None:
                    sink.write(dumps(event, secret=secret) + "\n")
        except LogError as error:
            broken += 1
            typer.echo(f"tavolo: {error}", err=True)
            continue
        if out != "-":
            _summary(path, tally)
    if sink is not None and sink is not sys.stdout:
        sink.close()
    elif sink is not None:
        sink.flush()
    return 1 if broken else 0


def _sink(out: str | None, *, private: bool) -> IO[str] | None:
    if out is None:
        return None
    if out == "-":
        return sys.stdout
    descriptor = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600 if private else 0o644)
    return os.fdopen(descriptor, "w", encoding="utf-8", newline="\n")


def _summary(path: Path, tally: Tally) -> None:
    typer.echo(f"{path}: {sum(tally.events.values())} events")
    for name, number in sorted(tally.events.items()):
        typer.echo(f"  {number:5} {name}")
    for line in tally.alerts.values():
        typer.echo(f"  ! {line}")
