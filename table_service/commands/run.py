"""``tavolo run``: the parts of a table, started, watched and ended.

Modules for a camera or a display are loaded only if there is one: most of a start is the loading of modules.
"""

from __future__ import annotations

import contextlib
import gc
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, Literal

import sdnotify
import structlog
import typer

from firmware_bridge import Bridge
from hw.machine_state import machine_state
from hw.observation_log import Header
from hw.power_supply import PowerWatch
from hw.tablemap import TableMap
from table_service.commands.arguments import machine_language
from table_service.commands.broker_access import broker_address, table_voice
from table_service.commands.crashes import trace_without_values
from table_service.commands.mains import switch_off, tell_supply
from table_service.commands.supervision import Beat, Supervisor, stop_event
from table_service.commands.table_reports import reports_of
from table_service.evidence import Ring
from table_service.journal import Keeping, Limits
from table_service.rulesets import equipment_of, rule_set
from table_service.service import ServiceError, TableFiles, TableService, load_tags
from table_service.table.resuming import scores_of

log = structlog.get_logger("tavolo")
HEALTH_FIRST_S: Final = 1.0
HEALTH_EVERY_S: Final = 5.0
STUCK_S: Final = 15.0
"""Hearing waits half a second at most; after this many seconds an observation will never be processed."""
CAMERA_STUCK_S: Final = 90.0
"""A first picture with the networks to load, on a busy Pi."""
OUTBOX_STUCK_S: Final = 60.0
MEGABYTE: Final = 1024 * 1024
PATIENCE_S: Final = 10.0
"""Seconds that the end waits for a broker to take what is still to be sent; an absent one is not waited for."""


def header_of(table: TableMap) -> Header:
    """Return the header with which a table that begins now writes its log."""
    named = rule_set(table.table.rules).keepers_are_named
    keepers = {
        str(line): str(seat) for line, seat in (table.keeper_seats() if named else table.named_keepers()).items()
    }
    return Header(
        table=table.table.name,
        rules=table.table.rules,
        options={**table.options, **({"keepers": keepers} if keepers else {})},
        seats={str(seat): name for seat, name in table.seats.items()},
        tags=load_tags(table.storage.tags),
        card_grams=table.table.card_grams,
        started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        nodes={name: node.sensors for name, node in table.nodes.items()},
        sensors=table.sensors(equipment_of(table.table.rules)),
    )


def run_table(table: TableMap) -> int:
    """Run a table until it is ended. Raises ServiceError if it cannot begin; later faults are reported as health."""
    trace_without_values()
    stop = stop_event()
    began = time.monotonic()

    def clock() -> float:
        return time.monotonic() - began

    header = header_of(table)
    journal = table.storage.journal
    places = TableFiles(journal, journal.with_suffix(".evidence"), journal.with_suffix(".key"), table.storage.log)
    service = TableService(
        header,
        table.table.hall,
        places,
        broker_address(table.broker),
        clock,
        console_keys=table.console_keys,
        sealed_for=table.sealing.arbitro,
        keeps_deal=table.storage.keep_deal,
        voice=table_voice(table.broker),
        ring=Ring(table.evidence.seconds, round(table.evidence.memory_mb * MEGABYTE)),
        keeping=Keeping(round(table.storage.journal_mb * MEGABYTE), table.storage.journal_days * 86400.0),
        limits=Limits(round(table.evidence.space_mb * MEGABYTE), table.evidence.days * 86400.0),
    )
    language = machine_language()
    gaps = (*table.gaps(equipment_of(table.table.rules)), *reports_of(table))
    notes = (*gaps, *table.in_the_open(), *_box_notes(table, language))
    for note in notes:
        typer.echo(f"note: {note}")
    typer.echo(f"table {header.table}: journal {journal}, broker {table.broker.host}:{table.broker.port}")
    bridge = _bridge(table, clock)
    service.displays.append(bridge.show)
    with contextlib.ExitStack() as screens:
        _open_display(table, service, screens)
        return _run_table(table, service, bridge, clock, stop)


def _box_notes(table: TableMap, language: Literal["it", "en"]) -> list[str]:
    """Return what is to be said of the table's bidding box, where its camera reads one."""
    if table.camera.source == "none" or table.camera.box is None:
        return []
    from table_service.camera.enrolled_box import box_notes

    return box_notes(table, language)


def _open_display(table: TableMap, service: TableService, screens: contextlib.ExitStack) -> None:
    """Serve the table's small screen if one is configured. Raises ServiceError."""
    if table.display.port is None:
        return
    from table_service.display import DisplayError, serving_display  # a table without one starts without its web server

    try:
        port, language = table.display.port, table.display.language
        shown = screens.enter_context(serving_display(service, service.clock, port=port, language=language))
    except DisplayError as error:
        raise ServiceError(str(error)) from error
    shown.screen.ahead = service.ahead
    shown.screen.remember(scores_of(service.header))
    typer.echo(f"the table's display: {shown.url}")


def _run_table(
    table: TableMap, service: TableService, bridge: Bridge, clock: Callable[[], float], stop: threading.Event
) -> int:
    service.start()
    parts = Supervisor(stop, _say_aside)
    parts.add("hearing", lambda beat: _hear(bridge, service, stop, beat), patience=STUCK_S, on_restart=service.stumbled)
    parts.watch("the outbox", service.publisher.moved, patience=OUTBOX_STUCK_S)
    watch = None
    if table.camera.source != "none":
        from table_service.camera.camera_loop import CameraWatch  # and one without a camera without what reads pictures

        watch = CameraWatch(table, service, clock, stop, boot=service.journal.boot, say=_say_aside)
        service.listeners.append(watch.heard)
        parts.add("the camera", watch.run, patience=CAMERA_STUCK_S)
    bridge.start()
    parts.start()
    gc.freeze()  # what is loaded now stays: a full collection would go through it, 40 ms in which no event leaves
    notifier = sdnotify.SystemdNotifier()
    notifier.notify("READY=1")
    told, pause = "", HEALTH_FIRST_S
    supply = (
        None if table.power is None else PowerWatch(table.power.off_after_minutes * 60, table.power.off_below_percent)
    )
    goes_on = True
    while goes_on and not stop.wait(pause):
        pause = _next_pause(service, bridge, pause)
        if supply is not None and table.power is not None and tell_supply(supply, service, clock()):
            switch_off(table.power)
        report = {"nodes": bridge.counters(), "uptime_s": round(clock(), 1)}
        machine = machine_state()
        report["machine"] = {"under_voltage": machine.under_voltage, "celsius": machine.celsius}
        report["parts"] = {"restarts": parts.restarts, "stuck": sorted(parts.stuck())}
        if watch is not None:
            report["camera"] = watch.report()
        service.health(report)
        goes_on = parts.check() and not (watch is not None and watch.must_end)
        if not parts.stuck():
            notifier.notify("WATCHDOG=1")
        told = _say_trouble(report["nodes"], service.publisher.report().retrying, told, machine.troubles)
    stop.set()
    bridge.close()
    parts.join(3)
    service.close(PATIENCE_S if service.publisher.report().connected else 0.0)
    return 0 if goes_on else 1


def _next_pause(service: TableService, bridge: Bridge, pause: float) -> float:
    """Return the seconds until the next report; after the first pause ask the nodes of a resumed table once more."""
    if service.ahead and pause == HEALTH_FIRST_S:
        bridge.request_snapshot()  # a second reading of each scale that is at rest settles what it holds
    return HEALTH_EVERY_S


def _bridge(table: TableMap, clock: Callable[[], float]) -> Bridge:
    """Return the link to the nodes; readings are noted on both clocks beside the journal. Raises ServiceError."""
    ledgers = table.storage.journal.with_suffix(".clocks")
    try:
        ledgers.mkdir(parents=True, exist_ok=True, mode=0o700)
        ports = {name: node.port for name, node in table.nodes.items()}
        sensors = {name: node.sensors for name, node in table.nodes.items()}
        return Bridge(ports, clock, ledgers=ledgers, expected=sensors)
    except OSError as error:
        raise ServiceError(f"the clocks' ledgers in {ledgers} cannot be written: {error.strerror or error}") from None


def _say_aside(sentence: str) -> None:
    typer.echo(sentence, err=True)


def _say_trouble(nodes: Any, broker: str | None, told: str, more: tuple[str, ...] = ()) -> str:
    """Say what is wrong once, until something else is. Returns what was said last."""
    troubles = [str(node["problem"]) for node in nodes.values() if node["problem"]]
    troubles += [note for node in nodes.values() for note in node["notes"]]
    stale = [name for name, node in nodes.items() if node["stale"]]
    troubles += [f"Node {name} has other files than this program's: run 'tavolo node update'." for name in stale]
    if broker is not None:
        troubles.append(broker.partition(";")[0] + "; trying again")
    said = "\n".join((*troubles, *more))
    if said != told:
        typer.echo(said or "all is well again", err=bool(said))
    return said


def _hear(bridge: Bridge, service: TableService, stop: threading.Event, beat: Beat) -> None:
    while not stop.is_set():
        beat()
        observation = bridge.get(0.5)
        if observation is not None:
            service.observe(observation)
