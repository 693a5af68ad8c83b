"""`tavolo demo`: a simulated table plays a round. Behind the sensors nothing is faked.

Gestures become sensor values, which a node's firmware reads under MicroPython and sends over a pseudo-terminal, and
camera frames, which the reader reads; what follows is the same service that runs a real table. Of a pack that is not
yet read well enough from frame to frame the frames are taken and kept as evidence, and the sights come from the twin's
error model; the demo says so.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import typer

from firmware_bridge import Bridge
from hw.twin.camera import Camera
from hw.twin.camera_cards import artwork_of
from hw.twin.live import ScaledClock
from hw.twin.node_host import NodeHost
from hw.twin.provide_micropython import MicroPython, NoMicroPython, find
from table_service.camera.table_camera import Eye, sightings_of
from table_service.commands.demo.demo_arbitro import Arbitro
from table_service.commands.demo.demo_settings import DemoSettings
from table_service.commands.demo.drawn_pack import drawn_pack
from table_service.commands.demo.hall_round import begin_hall_round
from table_service.commands.demo.modelled_sightings import ModelledSightings
from table_service.commands.demo.other_tables import OtherTables, begun_now, other_tables
from table_service.commands.demo.play_round import HURRIED_S, play_round
from table_service.commands.demo.progress import Progress
from table_service.commands.demo.running_demo import Demo
from table_service.commands.demo.signing_lines import SigningLines
from table_service.commands.demo.summary import Summary
from table_service.commands.demo.visitor import GESTURES_BEFORE, Visitor
from table_service.commands.demo.wall_dates import wall_dates
from table_service.console import ConsoleSettings, RunningConsole
from table_service.display import serving_display
from table_service.events import Event
from table_service.publish import Broker, BrokerAddress, BrokerError, start_broker
from table_service.rehearsal.game_rehearsal import rehearsal_of
from table_service.rehearsal.rehearse import Rehearsal, prepare
from table_service.rulesets import rule_set
from table_service.service import ServiceError, TableFiles, TableService

HALL: Final = "demo"
BOARD_CAMERA_PX: Final = 3040
WEBCAM_PX: Final = 1080
"""Side of the square of a picture that shows the table: of the parts list's camera, and of a webcam in full HD."""


def run_demo(settings: DemoSettings) -> int:
    """Play the demo. Returns the exit code; what this machine lacks is named in the summary, never a traceback.

    An interrupt ends it at once: 1 while the round is played, 0 if only the page was still open.
    """
    if threading.current_thread() is threading.main_thread():
        # a shell that starts us in the background has interrupts ignored; a sender means it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with ExitStack() as stack:
            return _run(settings, stack)
    except (ServiceError, BrokerError) as error:
        typer.echo(f"tavolo: {error}", err=True)
        return 1
    except (KeyboardInterrupt, asyncio.CancelledError):
        typer.echo("tavolo: interrupted before the round was over", err=True)
        return 1


def _interpreter() -> tuple[MicroPython | None, str]:
    try:
        return find(), ""
    except NoMicroPython as reason:
        return None, str(reason)


def _folder(keep: Path | None, stack: ExitStack) -> Path:
    """Return the folder of journal, log and frames: ``keep``, else one removed with ``stack``. Raises ServiceError."""
    if keep is None:
        return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tavolo-demo-")))
    try:
        keep.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=keep):
            return keep
    except OSError as error:
        raise ServiceError(f"nothing can be kept in {keep}: {error.strerror or error}") from error


def _run(settings: DemoSettings, stack: ExitStack) -> int:
    began = time.monotonic()
    folder = _folder(settings.keep, stack)
    progress = stack.enter_context(Progress(settings.lang, settings.rules))
    interpreter, reason = None, ""
    if not settings.camera_only:
        progress.step("micropython")
        interpreter, reason = _interpreter()
    if interpreter is None and not settings.camera_only:
        # Without the node nothing can be sensed: that is the one part the demo cannot leave out.
        raise ServiceError(f"the simulated table's node needs MicroPython, and {reason}")
    progress.step("broker")
    broker = start_broker()
    stack.callback(broker.stop)
    page = _open_page(settings, broker, stack, progress)
    progress.step("table")
    demo = _build(settings, folder, broker, interpreter, progress, stack, page)
    if settings.tables > 1:
        progress.step("tables")
        stack.enter_context(
            other_tables(
                OtherTables(
                    settings.rules, settings.round_seed, settings.tables - 1, settings.round_deals, HALL, folder,
                    _address(broker), page.office.public_key, settings.visited,
                )
            )
        )  # fmt: skip
    begin_hall_round(page.office.book, demo.rehearsal, settings.tables)
    if settings.visited:
        door = page.door if settings.tables > 1 else f"{page.door}table/{demo.rehearsal.header.table}"
        progress.step("door", url=door)
    asyncio.run(play_round(demo))
    wall = time.monotonic() - began
    summary = Summary(demo.rehearsal, demo.events, settings.lang, visited=settings.visited)
    for line in summary.lines(
        report=demo.service.publisher.report(),
        outbox=demo.service.delivered or demo.service.journal.outbox(),
        table_seconds=demo.clock.now(),
        wall_seconds=demo.progress.played_wall,
        whole_seconds=wall,
        left_out=_left_out(broker, interpreter),
        modelled=demo.modelled is not None,
        camera_only=settings.camera_only,
        replayed=_replays_alike(folder, demo) if demo.service.is_closed else None,
        link=demo.bridge.counters(),
    ):
        typer.echo(line)
    if settings.visited or (not settings.headless and sys.stdout.isatty()):
        progress.wait_for_interrupt(page.door)
    return 0


def _left_out(broker: Broker, interpreter: MicroPython | None) -> list[str]:
    left = []
    if broker.kind == "embedded":
        left.append("mosquitto: an embedded broker carried the public topics; nothing sealed went through it")
    if interpreter is not None and interpreter.kind == "npm":
        left.append("MicroPython's unix port: its WebAssembly build ran the node's firmware instead")
    return left


def _open_page(settings: DemoSettings, broker: Broker, stack: ExitStack, progress: Progress) -> RunningConsole:
    from table_service.commands.console_process import serve_console

    tables = tuple(f"T{n}" for n in range(1, settings.tables + 1))
    choices = ConsoleSettings(
        port=settings.port, language="en" if settings.lang == "en" else "it", open_link=True, tables=tables,
        by_browser=settings.visited, guide=settings.visited and settings.tables == 1, scripted=True,
    )  # fmt: skip
    page = stack.enter_context(serve_console(HALL, _address(broker), choices))
    if not settings.visited:
        progress.step("page", url=page.door)
    return page


def _address(broker: Broker) -> BrokerAddress:
    return BrokerAddress(broker.host, broker.port, embedded=broker.kind == "embedded")


def _build(
    settings: DemoSettings,
    folder: Path,
    broker: Broker,
    interpreter: MicroPython | None,
    progress: Progress,
    stack: ExitStack,
    page: RunningConsole,
) -> Demo:
    game = rehearsal_of(settings.rules)
    habits = game.shown_habits or game.habits[0]
    rehearsal = begun_now(
        prepare(
            settings.rules, settings.round_seed, settings.round_deals, settings.faults, "normal", table="T1",
            habits=habits, step=settings.step,
        )
    )  # fmt: skip
    clock = ScaledClock(settings.speed)
    arbitro = Arbitro(HALL, rehearsal.header.table, broker.host, broker.port)
    places = TableFiles.under(folder, rehearsal.header.table)
    service = TableService(
        rehearsal.header,
        HALL,
        places,
        _address(broker),
        clock.now,
        console_keys={**arbitro.keys, "*": page.office.public_key},
        keeps_deal=False,
        date_of=wall_dates(clock.now, settings.speed),
    )
    stack.callback(_close_unplayed, service)
    events: list[Event] = []
    service.listeners += [events.append, progress.event]
    visitor = None
    if settings.visited:
        visitor = Visitor(page, clock, progress.step)
        service.listeners.append(visitor.alerts.heard)
    lines = SigningLines()
    service.listeners.append(lines.heard)
    shown = stack.enter_context(serving_display(service, clock.now, language="en" if settings.lang == "en" else "it"))
    progress.step("display", url=shown.url)
    host = None if interpreter is None else stack.enter_context(NodeHost(micropython=interpreter, table=game.table))
    bridge = Bridge([] if host is None else [host.port], clock.now)
    service.displays.append(bridge.show)
    layout, equipment, played = game.table.layout, game.table.equipment, rule_set(settings.rules)
    side = WEBCAM_PX if settings.camera_only else BOARD_CAMERA_PX
    camera = Camera(
        layout,
        seed=settings.round_seed,
        width=side,
        height=side,
        artwork=artwork_of(played.drawing),
        equipment=equipment,
    )
    modelled = ModelledSightings(layout) if settings.sights == "error model" else None
    enrolled = None
    if settings.sights == "whole faces" and played.drawing is not None:
        enrolled = drawn_pack(played.pack, played.drawing)
    watch = sightings_of(layout, equipment, rehearsal.header.keepers, enrolled)
    if modelled is not None:
        watch = lambda _calibration, _empty: modelled  # noqa: E731
    eye = Eye(layout, rehearsal.header.keepers, service.journal.boot, watch, sees_hands=settings.camera_only)
    return Demo(
        rehearsal,
        service,
        host,
        bridge,
        camera,
        eye,
        clock,
        arbitro,
        progress,
        visitor,
        modelled,
        settings.sights,
        _waits_after(rehearsal) if visitor is not None and settings.tables == 1 else None,
        lines,
        events,
    )


def _waits_after(rehearsal: Rehearsal) -> int:
    """After how many gestures a table that is played for one visitor waits for him."""
    first = min((fault.committed for fault in rehearsal.script.injected), default=0)
    return max(0, first - GESTURES_BEFORE)


def _close_unplayed(service: TableService) -> None:
    """Close the files where an interrupt came after they were opened and before play, which closes them at its end."""
    if not service.is_closed:
        service.close(HURRIED_S)


def _replays_alike(folder: Path, demo: Demo) -> bool | None:
    """Return True if the log that was written gives the same events again; None if there is no log."""
    from hw.observation_log import read_log
    from table_service.rulesets import open_fold

    path = folder / f"{demo.rehearsal.header.table}.jsonl"
    if not path.exists():
        return None
    header, observations = read_log(path)
    table = open_fold(header, demo.service.journal.boot)
    again = [event for observation in observations for event in table.feed(observation)] + table.close()
    told = [(event.type, event.seat, event.data) for event in demo.events]
    return told == [(event.type, event.seat, event.data) for event in again]
