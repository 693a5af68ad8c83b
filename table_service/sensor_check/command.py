"""`tavolo doctor --walk` on a real table: its nodes, its camera, the terminal, the files."""

from __future__ import annotations

import contextlib
import json
import os
import select
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

import cv2
import typer

from firmware_bridge import Bridge
from hw.board.bench_figures import Figure, written
from hw.board.measuring import ASSUMED
from hw.config_text import ConfigError
from hw.observation_log import Header, LogError, LogWriter, read_log
from hw.observations import Observation, Sight
from hw.tablemap import TableMap
from table_service.camera.camera_loop import eye_of, open_camera
from table_service.camera.table_camera import Eye
from table_service.rulesets import equipment_of, load_table
from table_service.sensor_check.ladder import sentences
from table_service.sensor_check.leading import Leader, WalkEndedError
from table_service.sensor_check.tasks import Task, tasks
from table_service.sensor_check.trial import Image
from table_service.sensor_check.walk_course import WalkCourse
from vision.errors import CalibrationError, ModelError, SourceError
from vision.newest import Newest
from vision.packs import PackError

LATE_S: Final = 1.0
"""Seconds that a node is taken to be behind if it does not say up to when it has reported everything."""


@dataclass(frozen=True)
class WalkFiles:
    """Files that a walk writes. ``record``: the log that it can be taken up from; the others only if wanted."""

    record: Path
    report: Path | None = None
    noise: Path | None = None


def walk_table(
    config: Path,
    files: WalkFiles,
    *,
    italian: bool,
    quick: bool = False,
    chapters: Sequence[str] = (),
    fresh: bool = False,
) -> int:
    """Walk round the table of ``config``. Returns the exit code: 1 if a sensor failed or the walk is not over."""
    try:
        table = load_table(config)
    except ConfigError as error:
        for problem in error.problems:
            typer.echo(str(problem), err=True)
        return 1
    course = WalkCourse(tasks(table, quick=quick, chapters=chapters))
    if not course.tasks:
        typer.echo(f"tavolo: {config} names no node and no camera: there is nothing to walk to", err=True)
        return 1
    try:
        before, last = _earlier(files.record, course, table, fresh=fresh)
        with contextlib.closing(LogWriter(files.record, _header(table))) as log, Devices(table, last) as devices:
            log.write_all(before)
            typer.echo(_begin(course, files.record, italian=italian))
            kept = table.camera.calibration
            leader = Leader(course, devices, Terminal(), table.layout(), _keeper(log), italian=italian, kept=kept)
            with contextlib.suppress(WalkEndedError, KeyboardInterrupt):
                leader.lead()
        return _end(course, table, files, italian=italian)
    except LogError as error:
        typer.echo(f"tavolo: {error}; --fresh begins anew", err=True)
    except OSError as error:
        typer.echo(f"tavolo: cannot write {error.filename or files.record}: {error.strerror or error}", err=True)
    return 1


def _header(table: TableMap) -> Header:
    return Header(
        table=table.table.name,
        rules=table.table.rules,
        card_grams=table.table.card_grams,
        started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


def _earlier(record: Path, course: WalkCourse, table: TableMap, *, fresh: bool) -> tuple[list[Observation], float]:
    """Return what an earlier walk has written, and its last moment; its results are in ``course``. Raises LogError."""
    if fresh or not record.exists():
        return [], 0.0
    # a walk that was cut off may have left half a line
    header, log = read_log(record, on_broken=lambda _: None)
    if header.table != table.table.name:
        raise LogError(f"{record} is the walk of table {header.table}, not of {table.table.name}")
    before = list(log)
    return before, course.resume(before)


def _keeper(log: LogWriter) -> Callable[[Observation], None]:
    def keep(observation: Observation) -> None:
        log.write(observation)
        log.flush()

    return keep


def _begin(course: WalkCourse, record: Path, *, italian: bool) -> str:
    done, count = len(course.results), len(course.tasks)
    if italian:
        rest = f", {done} già fatte" if done else ""
        return f"{count} prove{rest}. s salta, q interrompe; si riprende da {record}."
    rest = f", {done} done already" if done else ""
    return f"{count} steps{rest}. s leaves one out, q breaks off; it can be taken up again from {record}."


def _verdict(course: WalkCourse, *, italian: bool) -> Iterator[str]:
    """Yield whether the table is in order; if it is not, the findings and what has not been looked at."""
    if course.passed:
        yield "VERDETTO: il tavolo è a posto." if italian else "VERDICT: the table is in order."
        return
    left = [task.name for task in course.tasks if task.name not in course.results]
    skipped = [name for name, result in course.results.items() if result.outcome == "skipped"]
    yield "VERDETTO: il tavolo NON è a posto." if italian else "VERDICT: the table is NOT in order."
    for finding in course.findings:
        yield f"  {finding.sentence(italian=italian)}"
    for names, it, en in ((skipped, "saltate", "left out"), (left, "ancora da fare", "still to do")):
        if names:
            yield f"  {it if italian else en}: {', '.join(names)}"


def _end(course: WalkCourse, table: TableMap, files: WalkFiles, *, italian: bool) -> int:
    """Say the verdict and write what was asked for."""
    for line in _verdict(course, italian=italian):
        typer.echo(line)
    for line in sentences(course, table, equipment_of(table.table.rules), italian=italian):
        typer.echo(f"  {line}")
    figures = course.figures()
    for one in figures:
        typer.echo(f"  {_figure(one)}")
    if files.report is not None:
        when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        text = json.dumps(course.report(table.table.name, when), indent=1, ensure_ascii=False) + "\n"
        files.report.write_text(text, "utf-8")
    if files.noise is not None:
        files.noise.write_text(written(ASSUMED.read_text("utf-8"), figures), "utf-8")
    return 0 if course.passed else 1


def _figure(one: Figure) -> str:
    span = f" (95 %: {one.low:.3g} … {one.high:.3g}; {one.count}/{one.tries})" if one.is_rate else f" ({one.tries})"
    return f"{one.name} {one.estimate:.4g}{span}{'' if one.enough else ' –'}"


class Terminal:
    """The person at the terminal."""

    def say(self, text: str) -> None:
        """Print a sentence."""
        typer.echo(text)

    def tone(self) -> None:
        """Ring the terminal's bell."""
        if sys.stdout.isatty():
            sys.stdout.write("\a")
            sys.stdout.flush()

    def begins(self, task: Task) -> None:
        """Do nothing: all has been said."""

    def line(self) -> str | None:
        """Return the typed line. Without a terminal the answer is empty: what is asked is taken for granted."""
        if not sys.stdin.isatty():
            return ""
        ready, _, _ = select.select([sys.stdin], [], [], 0)
        if not ready:
            return None
        line = sys.stdin.readline()
        if not line:
            raise WalkEndedError
        return line.rstrip("\n")


class Devices:
    """The nodes and the camera of a table; a context manager. ``since``: beginning of the log's clock."""

    def __init__(self, table: TableMap, since: float = 0.0) -> None:
        self._table = table
        self._began = time.monotonic() - since
        self._bridge = Bridge({name: node.port for name, node in table.nodes.items()}, self.now)
        self._open = contextlib.ExitStack()
        self._source: Any = None
        self._newest: Newest | None = None
        self._problem = ""
        self._eye: Eye | None = None

    def __enter__(self) -> Self:
        self._open.enter_context(self._bridge)
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def now(self) -> float:
        """Return the log's clock."""
        return time.monotonic() - self._began

    def hear(self, seconds: float) -> Observation | None:
        """Return the next observation of the nodes."""
        return self._bridge.get(seconds)

    def heard_until(self) -> float:
        """Return what the nodes vouch for, else a second ago."""
        known = self._bridge.complete_until()
        return self.now() - LATE_S if known is None else known

    def counters(self) -> Mapping[str, Mapping[str, Any]]:
        """Return what the bridge knows of each node."""
        return self._bridge.counters()

    def frame(self) -> tuple[Image, float] | None:
        """Return the newest frame; the camera is opened when one is first wanted."""
        if self._newest is None and not self._problem:
            self._open_camera()
        if self._newest is None:
            return None
        try:
            frame = self._newest.get(0.05)
        except SourceError as error:
            self._problem = str(error)
            return None
        return None if frame is None else (frame.picture, frame.t)

    def _open_camera(self) -> None:
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # a failure is reported in one sentence
        try:
            self._source = open_camera(self._table, self.now)
        except SourceError as error:
            self._problem = str(error)
            return
        self._newest = self._open.enter_context(Newest(self._source))

    def camera_problem(self) -> str:
        """Why there are no frames."""
        return self._problem

    def camera_notes(self) -> tuple[str, ...]:
        """Return what the camera could not lock."""
        return tuple(getattr(self._source, "notes", ()))

    def calibrate(self, picture: Image) -> None:
        """Take ``picture`` as that of the empty table."""
        with contextlib.suppress(CalibrationError, ModelError, PackError):
            self._reader().calibrate(picture)

    def look(self, picture: Image, t: float) -> Sight | None:
        """Read the cards in a frame."""
        try:
            return self._reader().look(picture, t)
        except (CalibrationError, ModelError, PackError) as error:
            self._problem = str(error)
            return None

    def _reader(self) -> Eye:
        """Return the table's own reader, of the pack and the box that it has enrolled. Raises what that raises."""
        if self._eye is None:
            self._eye = eye_of(self._table, "walk")()
        return self._eye


def record_beside(config: Path) -> Path:
    """Return where a walk of ``config`` is kept: in the working folder, under the table file's name."""
    return Path(os.curdir) / f"{config.stem}.walk.jsonl"
