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

from hw.camera_address import NETWORK, shown_address
from hw.config_text import ConfigError
from hw.machine_state import HOT_C, MachineState, machine_state
from hw.tablemap import TableMap
from table_service.commands.broker_access import broker_tls
from table_service.commands.doctor_words import NAMES, VERDICTS, Language, say
from table_service.rulesets import equipment_of, load_table
from table_service.service import ServiceError

Verdict = Literal["ok", "missing", "bad"]
NODES_ANSWER_S: Final = 6.0
"""A node that has power calls twice a second; one that has just been reset needs three seconds."""
CAMERA_ANSWERS_S: Final = 5.0
"""A camera in the network gives its first picture within so long."""
_SOON: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """One thing examined. ``missing`` leaves a part out; ``bad`` means that the table cannot run."""

    what: str
    verdict: Verdict
    detail: str


def examine(config: Path | None, *, as_json: bool, language: Language = "en") -> int:
    """Examine this machine, and the table that ``config`` describes; say what was found, in JSON in English always.

    Returns the exit code: 1 if something is bad, else 0.
    """
    language = "en" if as_json else language
    findings = list(machine(language))
    if config is not None:
        try:
            table = load_table(config)
        except ConfigError as error:
            said = "; ".join((p.it if language == "it" and p.it else p.message) for p in error.problems)
            findings.append(DoctorFinding(str(config), "bad", said))
        else:
            findings.extend(table_findings(table, language))
    if as_json:
        rows = [{"what": f.what, "verdict": f.verdict, "detail": f.detail} for f in findings]
        typer.echo(json.dumps(rows, ensure_ascii=False))
    else:
        rows_said = [_row(one, language) for one in findings]
        width = max(len(what) for _, what, _ in rows_said)
        for verdict, what, detail in rows_said:
            typer.echo(f"{verdict:8}{what:{width + 2}}{detail}")
    return 1 if any(f.verdict == "bad" for f in findings) else 0


def _row(finding: DoctorFinding, language: Language) -> tuple[str, str, str]:
    """Verdict, name and detail of a finding as they are printed."""
    if language == "en":
        return finding.verdict, finding.what, finding.detail
    first, _, name = finding.what.partition(" ")
    what = f"nodo {name}" if first == "node" else NAMES.get(finding.what, finding.what)
    return VERDICTS[finding.verdict], what, finding.detail


def machine(language: Language = "en") -> Iterator[DoctorFinding]:
    """Return what this machine has of what Tavolo uses."""
    yield DoctorFinding("python", "ok", sys.version.split()[0])
    yield _interpreter(language)
    mosquitto = shutil.which("mosquitto") or shutil.which("/usr/sbin/mosquitto")
    if mosquitto:
        yield DoctorFinding("broker", "ok", mosquitto)
    else:
        yield DoctorFinding("broker", "missing", say(language, "no_mosquitto"))
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    yield (
        DoctorFinding("browser", "ok", browser)
        if browser
        else DoctorFinding("browser", "missing", say(language, "no_browser"))
    )
    yield _reader(language)
    free = shutil.disk_usage(Path.cwd()).free / 1e9
    yield DoctorFinding("disk", "ok" if free > 1 else "bad", say(language, "free", free=free))
    state = machine_state()
    if state.under_voltage is not None or state.celsius is not None:
        yield _state(state, language)
    year = time.gmtime().tm_year
    yield DoctorFinding("clock", "ok" if year >= 2026 else "bad", time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime()))


def _state(state: MachineState, language: Language) -> DoctorFinding:
    heat = "" if state.celsius is None else f"{state.celsius:.0f} °C"
    troubles = [say(language, "supply")] if state.under_voltage else []
    if state.celsius is not None and state.celsius >= HOT_C:
        troubles.append(say(language, "hot", celsius=state.celsius))
    return DoctorFinding("machine", "missing" if troubles else "ok", " ".join(troubles) or heat)


def _interpreter(language: Language) -> DoctorFinding:
    from hw.twin.provide_micropython import NoMicroPython, find

    try:
        found = find(fetch=False)
    except NoMicroPython:
        return DoctorFinding("micropython", "missing", say(language, "no_micropython"))
    return DoctorFinding("micropython", "ok", f"{found.version} ({found.kind})")


def _reader(language: Language) -> DoctorFinding:
    from vision.errors import ModelError
    from vision.index_reader import IndexReader

    try:
        IndexReader()
    except ModelError as error:
        return DoctorFinding("card reader", "bad", str(error))
    return DoctorFinding("card reader", "ok", say(language, "models"))


def table_findings(table: TableMap, language: Language = "en") -> Iterator[DoctorFinding]:
    """Return what is there of the devices that a table's configuration names."""
    yield from _nodes(table, language)
    kind, _, where = table.camera.source.partition(":")
    if kind in ("v4l2", "file"):
        there = Path(where).exists()
        yield DoctorFinding(
            "camera", "ok" if there else "bad", where if there else say(language, "not_there", where=where)
        )
    elif kind in NETWORK:
        yield _network_camera(table, language)
    elif kind == "picamera2":
        from vision.picamera import library_problem

        problem = library_problem()
        yield DoctorFinding("camera", "bad" if problem else "ok", problem or say(language, "picamera"))
    elif kind == "none":
        yield DoctorFinding("camera", "missing", say(language, "no_camera"))
    if table.camera.box is not None and kind != "none":
        yield _bidding_box(table, language)
    yield _broker(table, language)
    for gap in table.gaps(equipment_of(table.table.rules), language):
        yield DoctorFinding("senses", "missing", gap)
    for said in table.in_the_open(language):
        yield DoctorFinding("sealing", "missing", said)


def _network_camera(table: TableMap, language: Language) -> DoctorFinding:
    """Say the size of a network camera's picture, or why it gives none."""
    from table_service.camera.camera_loop import open_camera
    from vision.errors import SourceError
    from vision.newest import Newest

    where = shown_address(table.camera.source)
    try:
        with Newest(open_camera(table, time.monotonic)) as camera:
            frame = camera.get(CAMERA_ANSWERS_S)
    except SourceError as error:
        return DoctorFinding("camera", "bad", str(error))
    if frame is None:
        return DoctorFinding("camera", "bad", say(language, "no_picture", where=where))
    high, wide = frame.picture.shape[:2]
    return DoctorFinding("camera", "ok", say(language, "camera_gives", where=where, wide=wide, high=high))


def _nodes(table: TableMap, language: Language) -> Iterator[DoctorFinding]:
    """Say which nodes answer, and whether each is the one that the table map has at its port."""
    from firmware_bridge.bridge import Bridge

    there = {name: node.port for name, node in table.nodes.items() if Path(node.port).exists()}
    sensors = {name: node.sensors for name, node in table.nodes.items()}
    with Bridge(there, time.monotonic, expected=sensors) as bridge:
        ends = time.monotonic() + NODES_ANSWER_S
        while time.monotonic() < ends and any(one["state"] != "ok" for one in bridge.counters().values()):
            bridge.get(0.1)
        reports = bridge.counters()
    for name, node in table.nodes.items():
        report = reports.get(name)
        if name not in there and (report is None or report["state"] != "ok"):
            yield DoctorFinding(f"node {name}", "bad", say(language, "no_port", port=node.port))
        elif report is None or report["problem"]:
            said = "" if report is None else report["problem"]
            yield DoctorFinding(f"node {name}", "missing", say(language, "silent", port=node.port, said=said))
        else:
            yield DoctorFinding(f"node {name}", "ok", " ".join((report["port"], *report["notes"])))


def _bidding_box(table: TableMap, language: Language) -> DoctorFinding:
    """Say whether the enrolled bidding box is whole: of any other no card is named, and the table runs without."""
    from table_service.camera.enrolled_box import box_notes, calls_not_enrolled
    from vision.packs import PackError

    try:
        missing = calls_not_enrolled(table)
    except PackError as error:
        return DoctorFinding("bidding box", "missing", str(error))
    if missing:
        return DoctorFinding("bidding box", "missing", box_notes(table, language)[0])
    return DoctorFinding("bidding box", "ok", say(language, "box_whole", box=table.camera.box))


def _broker(table: TableMap, language: Language) -> DoctorFinding:
    address = f"{table.broker.host}:{table.broker.port}"
    try:
        tls = broker_tls(table.broker)
        with socket.create_connection((table.broker.host, table.broker.port), timeout=2) as plain:
            if tls is None:
                return DoctorFinding("mqtt", "ok", address)
            with tls.wrap_socket(plain, server_hostname=table.broker.host):
                return _certificate(table, address, language)
    except ServiceError as error:
        return DoctorFinding("mqtt", "bad", str(error))
    except ssl.SSLError as error:
        return DoctorFinding(
            "mqtt", "bad", say(language, "not_the_hall", address=address, reason=error.reason or error)
        )
    except OSError as error:
        return DoctorFinding("mqtt", "bad", say(language, "no_broker", address=address, reason=error.strerror or error))


def _certificate(table: TableMap, address: str, language: Language) -> DoctorFinding:
    """Return what is to be said of the table's own certificate, once the broker has shown the hall's."""
    from table_service.hall.authority import end_of, now

    if table.broker.certificate_file is None:
        return DoctorFinding("mqtt", "ok", say(language, "encrypted", address=address))
    end = end_of(table.broker.certificate_file.read_bytes())
    over, soon = now() >= end, end - now() <= _SOON
    word = "certificate_over" if over else "certificate_soon" if soon else "certificate"
    return DoctorFinding("mqtt", "bad" if over else "ok", say(language, word, address=address, end=end))
