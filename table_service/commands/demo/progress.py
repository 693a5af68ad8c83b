"""Progress of the demo: bars on a terminal, a line now and then in a pipe."""

from __future__ import annotations

import sys
import time
from collections import Counter
from types import TracebackType
from typing import Any, Self

import typer
from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.table import Table

from table_service.commands.demo.texts import text
from table_service.events import Event
from table_service.rulesets import rule_set


class Progress:
    """Shows how far the demo is: bars on a terminal, a line now and then in a pipe. A context manager."""

    def __init__(self, lang: str, rules: str) -> None:
        self._lang = lang
        self._moves = rule_set(rules).pages.moves
        self._console = Console()
        self._live: Live | None = None
        self._bars: Bars | None = None
        self._task: Any = None
        self._total = 1
        self._done = 0
        self._told = 0
        self._began = time.monotonic()
        self._counts: Counter[str] = Counter()
        self._last = ""
        self.played_wall = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def step(self, name: str, **terms: str) -> None:
        """Print a line: which part is being prepared, where a page is, what play waits for."""
        typer.echo(f"· {text(self._lang, name, **terms)}")
        sys.stdout.flush()

    def begin(self, total: int) -> None:
        """Begin the deal, which has ``total`` gestures."""
        self._total = max(1, total)
        self._began = time.monotonic()
        if self._console.is_terminal:
            self._bars = Bars(
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.percentage:>3.0f}%"),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
            )
            self._task = self._bars.add_task(text(self._lang, "playing"), total=self._total)
            self._live = Live(self._view(), console=self._console, refresh_per_second=4)
            self._live.start()

    def advance(self, table_seconds: float) -> None:
        """One gesture is over."""
        self._done += 1
        if self._live is not None and self._bars is not None:
            self._bars.update(self._task, completed=self._done)
            self._live.update(self._view())
            return
        percent = 100 * self._done // self._total
        if percent >= self._told + 10:
            self._told = percent - percent % 10
            wall = time.monotonic() - self._began
            left = wall * (self._total - self._done) / self._done
            typer.echo(
                f"  {self._told:3d} %  {table_seconds:5.0f} s / {wall:4.0f} s  "
                f"{text(self._lang, 'remains', seconds=f'{left:.0f}')}  "
                f"{sum(self._counts.values())} events, {self._counts['irregularity']} alerts  {self._last}"
            )
            sys.stdout.flush()

    def event(self, event: Event) -> None:
        """Count an event of the table."""
        self._counts[event.type] += 1
        if event.type in self._moves:
            self._last = f"{event.seat or '?'} {event.type}"
        elif event.type == "irregularity":
            data = event.data.model_dump(mode="json")
            self._last = f"! {data['row']} {data['offender'] or '?'}: {data['title'][self._lang]} ({data['state']})"

    def end(self) -> None:
        """End the deal."""
        self.played_wall = time.monotonic() - self._began
        self._stop()

    def wait_for_interrupt(self, url: str) -> None:
        """Keep the page open until the user ends it."""
        typer.echo(text(self._lang, "interrupt", url=url))
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            return

    def _view(self) -> Table:
        grid = Table.grid(padding=(0, 2))
        if self._bars is not None:
            grid.add_row(self._bars)
        grid.add_row(f"{sum(self._counts.values())} events   {self._counts['irregularity']} alerts   {self._last}")
        return grid

    def _stop(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None
