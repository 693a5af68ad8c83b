"""The options of `tavolo doctor --walk`, for the command line."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

import typer

from hw.board.procedure import CHAPTERS

Walk = Annotated[
    bool, typer.Option("--walk", help="Go round the table of --config: from an empty table to a verdict, step by step.")
]
Record = Annotated[
    Path | None, typer.Option(help="With --walk: the log that it is taken up again from (default: NAME.walk.jsonl).")
]
Report = Annotated[Path | None, typer.Option(help="With --walk: write the verdict here, as JSON.")]
Noise = Annotated[Path | None, typer.Option(help="With --walk: write the measured rates here, as a noise file.")]
Only = Annotated[
    list[str] | None, typer.Option("--only", help=f"With --walk: one chapter; repeatable. {', '.join(CHAPTERS)}.")
]
Quick = Annotated[bool, typer.Option("--quick", help="With --walk: few times each: finds faults, measures no rate.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="With --walk: begin anew, whatever an earlier walk has found.")]
English = Annotated[bool, typer.Option("--english", help="With --walk: ask in English instead of Italian.")]


@dataclass(frozen=True)
class WalkOptions:
    """Options of a walk."""

    record: Path | None = None
    report: Path | None = None
    noise: Path | None = None
    only: list[str] | None = None
    quick: bool = False
    fresh: bool = False
    english: bool = False

    def walk(self, config: Path | None) -> int:
        """Walk round the table of ``config``; returns the exit code."""
        from table_service.sensor_check.command import WalkFiles, record_beside, walk_table

        if config is None:
            typer.echo("tavolo: --walk needs --config, the table's configuration", err=True)
            return 2
        unknown = [name for name in self.only or () if name not in CHAPTERS]
        if unknown:
            typer.echo(f"tavolo: '{unknown[0]}' is no chapter: write {', '.join(CHAPTERS)}", err=True)
            return 2
        files = WalkFiles(self.record or record_beside(config), self.report, self.noise)
        return walk_table(
            config,
            files,
            italian=not self.english,
            quick=self.quick,
            chapters=tuple(self.only or ()),
            fresh=self.fresh,
        )

    def misused(self) -> bool:
        """Return True if one of these was given without --walk."""
        return any(getattr(self, one.name) for one in fields(self))
