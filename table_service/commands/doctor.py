"""`tavolo doctor`: is everything here that a table needs, and what is missing."""

from __future__ import annotations

import json
import shutil
import socket
import ssl
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final, Literal

import typer

from hw.config_text import ConfigError
from hw.machine_state import machine_state
from hw.tablemap import TableMap
from table_service.commands.broker_access import broker_tls
from table_service.rulesets import equipment_of, load_table
from table_service.service import ServiceError

Verdict = Literal["ok", "missing", "bad"]
_NODES_ANSWER_S: Final = 6.0
"""A node that has power calls twice a second; one that has just been reset needs three seconds."""
_SOON: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing examined. ``missing`` leaves a part out; ``bad`` means that the table cannot run."""

    what: str
    verdict: Verdict
    detail: str


def examine(config: Path | None, *, as_json: bool) -> int:
    """Examine this machine, and the table that ``config`` describes; say what was found.

    Returns the exit code: 1 where something is bad, else 0.
    """
    findings = list(machine())
    if config is not None:
        try:
            table = load_table(config)
        except ConfigError as error:
            findings.append(Finding(str(config), "bad", "; ".join(p.message for p in error.problems)))
        else:
            findings.extend(table_findings(table))
    if as_json:
        rows = [{"what": f.what, "verdict": f.verdict, "detail": f.detail} for f in findings]
        typer.echo(json.dumps(rows, ensure_ascii=False))
    else:
        width = max(len(f.what) for f in findings)
        for finding in findings:
            typer.echo(f"{finding.verdict:8}{finding.what:{width + 2}}{finding.detail}")
    return 1 if any(f.verdict == "bad" for f in findings) else 0


def machine() -> Iterator[Finding]:
    """Return what this machine has of what Tavolo uses."""
    yield Finding("python", "ok", sys.version.split()[0])
    yield _interpreter()
    mosquitto = shutil.which("mosquitto") or shutil.which("/usr/sbin/mosquitto")
    if mosquitto:
        yield Finding("broker", "ok", mosquitto)
    else:
        yield Finding("broker", "missing", "mosquitto is not installed; the demo uses an embedded broker instead")
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    yield (
        Finding("browser", "ok", browser)
        if browser
        else Finding("browser", "missing", "no Chromium; the page is not tested")
    )
    yield _reader()
    free = shutil.disk_usage(Path.cwd()).free / 1e9
    yield Finding("disk", "ok" if free > 1 else "bad", f"{free:.1f} GB free here")
    state = machine_state()
    if state.under_voltage is not None or state.celsius is not None:
        heat = "" if state.celsius is None else f"{state.celsius:.0f} °C"
        yield Finding("machine", "missing" if state.troubles else "ok", " ".join(state.troubles) or heat)
    year = time.gmtime().tm_year
    yield Finding("clock", "ok" if year >= 2026 else "bad", time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime()))


def _interpreter() -> Finding:
    from hw.twin.provide_micropython import NoMicroPython, find

    try:
        found = find(fetch=False)
    except NoMicroPython:
        return Finding("micropython", "missing", "none yet; only a simulated table needs it, and the demo fetches one")
    return Finding("micropython", "ok", f"{found.version} ({found.kind})")


def _reader() -> Finding:
    from vision.errors import ModelError
    from vision.index_reader import Reader

    try:
        Reader()
    except ModelError as error:
        return Finding("card reader", "bad", str(error))
    return Finding("card reader", "ok", "the trained models load")


def table_findings(table: TableMap) -> Iterator[Finding]:
    """Return what is there of the devices that a table's configuration names."""
    yield from _nodes(table)
    kind, _, where = table.camera.source.partition(":")
    if kind in ("v4l2", "file"):
        there = Path(where).exists()
        yield Finding("camera", "ok" if there else "bad", where if there else f"{where} is not there")
    elif kind == "picamera2":
        from vision.picamera import library_problem

        problem = library_problem()
        yield Finding("camera", "bad" if problem else "ok", problem or "Picamera2 loads")
    elif kind == "none":
        yield Finding("camera", "missing", "none is named")
    if table.camera.box is not None and kind != "none":
        yield _bidding_box(table)
    yield _broker(table)
    for gap in table.gaps(equipment_of(table.table.rules)):
        yield Finding("senses", "missing", gap)
    for said in table.in_the_open():
        yield Finding("sealing", "missing", said)


def _nodes(table: TableMap) -> Iterator[Finding]:
    """Say which nodes answer, and whether each is the one that the table map has at its port."""
    from firmware_bridge.bridge import Bridge

    there = {name: node.port for name, node in table.nodes.items() if Path(node.port).exists()}
    sensors = {name: node.sensors for name, node in table.nodes.items()}
    with Bridge(there, time.monotonic, expected=sensors) as bridge:
        ends = time.monotonic() + _NODES_ANSWER_S
        while time.monotonic() < ends and any(one["state"] != "ok" for one in bridge.counters().values()):
            bridge.get(0.1)
        reports = bridge.counters()
    for name, node in table.nodes.items():
        report = reports.get(name)
        if name not in there and (report is None or report["state"] != "ok"):
            why = f"{node.port} is not there: is the board plugged in, the udev rule installed?"
            yield Finding(f"node {name}", "bad", why)
        elif report is None or report["problem"]:
            said = "" if report is None else report["problem"]
            yield Finding(f"node {name}", "missing", f"{node.port}: it does not answer ({said})")
        else:
            yield Finding(f"node {name}", "ok", " ".join((report["port"], *report["notes"])))


def _bidding_box(table: TableMap) -> Finding:
    """Say whether the enrolled bidding box is whole: of any other no card is named, and the table runs without."""
    from table_service.camera.enrolled_box import box_notes, calls_not_enrolled
    from vision.packs import PackError

    try:
        missing = calls_not_enrolled(table)
    except PackError as error:
        return Finding("bidding box", "missing", str(error))
    if missing:
        return Finding("bidding box", "missing", box_notes(table, "en")[0])
    return Finding("bidding box", "ok", f"{table.camera.box}, every face enrolled")


def _broker(table: TableMap) -> Finding:
    address = f"{table.broker.host}:{table.broker.port}"
    try:
        tls = broker_tls(table.broker)
        with socket.create_connection((table.broker.host, table.broker.port), timeout=2) as plain:
            if tls is None:
                return Finding("mqtt", "ok", address)
            with tls.wrap_socket(plain, server_hostname=table.broker.host):
                return _certificate(table, address)
    except ServiceError as error:
        return Finding("mqtt", "bad", str(error))
    except ssl.SSLError as error:
        return Finding(
            "mqtt", "bad", f"{address} is not the hall's broker, or does not encrypt ({error.reason or error})"
        )
    except OSError as error:
        return Finding("mqtt", "bad", f"no broker answers at {address} ({error.strerror or error})")


def _certificate(table: TableMap, address: str) -> Finding:
    """Return what is to be said of the table's own certificate, once the broker has shown the hall's."""
    from table_service.hall.authority import end_of, now

    if table.broker.certificate_file is None:
        return Finding("mqtt", "ok", f"{address}, encrypted")
    end = end_of(table.broker.certificate_file.read_bytes())
    said = f"{address}, encrypted; this table's certificate holds until {end:%d/%m/%Y}"
    if now() >= end:
        return Finding("mqtt", "bad", f"{said}: ask for a new card")
    return Finding("mqtt", "ok", said + ("" if end - now() > _SOON else ": 'tavolo hall renew' makes a new card"))
