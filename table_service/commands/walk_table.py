"""`tavolo doctor --walk`: a person goes round the table, and every sensor must answer to its own hand."""

from __future__ import annotations

import contextlib
import json
import queue
import select
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import cv2
import typer

from firmware_bridge import Bridge
from hw.config_text import ConfigError
from hw.observations import Health, Observation
from hw.tablemap import TableMap
from table_service.camera.camera_loop import open_camera
from table_service.commands.sensor_check import Walk, go, report, wishes
from table_service.rulesets import load_table
from vision.condition import Condition
from vision.errors import SourceError
from vision.newest import Newest

JOIN_S = 5.0
"""Nodes have so long to be heard of before the walk begins."""


def walk_table(config: Path, report_file: Path | None, *, italian: bool) -> int:
    """Walk round the table of ``config``. Returns the exit code: 1 where a sensor failed or the walk was broken off."""
    try:
        table = load_table(config)
    except ConfigError as error:
        for problem in error.problems:
            typer.echo(str(problem), err=True)
        return 1
    asked = wishes(table)
    if not asked:
        typer.echo(f"tavolo: {config} names no node and no camera: there is nothing to walk to", err=True)
        return 1
    began = time.monotonic()
    heard: queue.SimpleQueue[Observation] = queue.SimpleQueue()
    stop = threading.Event()
    typer.echo(_begin(len(asked), italian=italian))
    with Bridge({name: node.port for name, node in table.nodes.items()}, lambda: time.monotonic() - began) as bridge:
        threads = [threading.Thread(target=_listen, args=(bridge, heard, stop), daemon=True)]
        if table.camera.source != "none":
            threads.append(threading.Thread(target=_look, args=(table, heard, stop), daemon=True))
        for thread in threads:
            thread.start()
        _settle(bridge, heard)
        walk = Walk(asked, time.monotonic())
        with contextlib.suppress(KeyboardInterrupt):
            go(walk, _hearer(heard), _enter_pressed, time.monotonic, typer.echo, italian=italian)
        stop.set()
    return _end(walk, table, report_file, italian=italian)


def _begin(count: int, *, italian: bool) -> str:
    if italian:
        return f"{count} sensori, uno per volta. Invio salta quello chiesto, Ctrl-C interrompe."
    return f"{count} sensors, one at a time. Enter leaves one out, Ctrl-C breaks off."


def _end(walk: Walk, table: TableMap, report_file: Path | None, *, italian: bool) -> int:
    failed = [one for one in walk.answers if one.outcome != "answered"]
    if walk.passed:
        typer.echo("Tutti i sensori hanno risposto." if italian else "Every sensor answered to its own hand.")
    else:
        names = ", ".join(one.wish.sensor for one in failed) or ("interrotto" if italian else "broken off")
        typer.echo(f"NON a posto: {names}" if italian else f"NOT well: {names}")
    if report_file is not None:
        when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        try:
            report_file.write_text(json.dumps(report(walk, table, when), indent=1, ensure_ascii=False) + "\n", "utf-8")
        except OSError as error:
            typer.echo(f"tavolo: cannot write the report {report_file}: {error.strerror}", err=True)
            return 1
    return 0 if walk.passed else 1


def _settle(bridge: Bridge, heard: queue.SimpleQueue[Observation]) -> None:
    """Wait until the nodes have joined and told their state, which is no person's doing; then forget it."""
    deadline = time.monotonic() + JOIN_S
    while time.monotonic() < deadline and any(one["state"] != "ok" for one in bridge.counters().values()):
        time.sleep(0.05)
    for name, one in bridge.counters().items():
        if one["state"] != "ok":
            typer.echo(f"node {name}: {one['problem']}", err=True)
    quiet = time.monotonic() + 0.5
    while time.monotonic() < quiet:
        with contextlib.suppress(queue.Empty):
            heard.get(timeout=0.1)


def _hearer(heard: queue.SimpleQueue[Observation]) -> Callable[[float], Observation | None]:
    def hear(seconds: float) -> Observation | None:
        try:
            return heard.get(timeout=seconds)
        except queue.Empty:
            return None

    return hear


def _listen(bridge: Bridge, heard: queue.SimpleQueue[Observation], stop: threading.Event) -> None:
    while not stop.is_set():
        observation = bridge.get(0.2)
        if observation is not None:
            heard.put(observation)


def _look(table: TableMap, heard: queue.SimpleQueue[Observation], stop: threading.Event) -> None:
    """Only whether the camera sees: nothing is read."""
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # a camera that fails is told in one sentence
    condition, began = Condition(), time.monotonic()
    try:
        source = open_camera(table, lambda: time.monotonic() - began)
        with Newest(source) as newest:
            while not stop.is_set():
                frame = newest.get(0.2)
                t = time.monotonic() - began
                change = condition.tick(t) if frame is None else condition.frame(t, frame.picture)
                if change is not None:
                    heard.put(Health(t, "camera", "ok" if change.well else "lost", change.note))
    except SourceError as error:
        typer.echo(f"camera: {error}", err=True)


def _enter_pressed() -> bool:
    if not sys.stdin.isatty():
        return False
    ready, _, _ = select.select([sys.stdin], [], [], 0)
    return bool(ready) and sys.stdin.readline() != ""
