"""How long a table takes from its start until it watches, after a ``kill -9`` in the middle of a round.

``python tools/restart_time.py [--times 10] [--deals 3] [--observations 600] [--aim-s 3] [--json FILE]``
``python tools/restart_time.py --console 1000000 [--times 5]``: a hall's console on a file with so many kept events

A real mosquitto and ``tavolo run`` with a journal in which a round of rehearsed deals is being played, hidden cards and
log sealed; ``--observations`` of the running deal were sensed (where a deal has not so many, its scales tell for long
that they are at rest). Each time the service is begun as systemd begins it, and killed a moment after it is ready.
Measured from the start of the process: ``ready_s``, until it tells systemd READY (the round of before is taken up, it
hears its sensors); ``said_s``, until the hall's broker has its word ``ready`` of this start; ``resumed_s``, until
``round.resumed`` is heard, which must say that the deal goes on; and ``processor_s``, what it used of a processor
until READY, however busy the machine is. No nodes and no camera are connected: what their own start takes is not in
it. A console has no broker here: ``ready_s`` and ``processor_s`` are until its pages are served. Exit code 1 where one
of the times is above the aim, or a round was not resumed.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from living_hall import HALL, TABLE, processor_s  # noqa: E402

from hw.observations import Scale  # noqa: E402

LONGEST_S: Final = 60.0
REST_S: Final = 0.2
"""Seconds between two words of scales at rest."""
CONFIG: Final = """
[table]
name = "{table}"
hall = "{hall}"
rules = "fibur2024"
[broker]
port = {port}
[storage]
journal = "{folder}/{table}.sqlite"
log = "{folder}/{table}.jsonl"
[sealing]
arbitro = "{arbitro}"
"""


HALL_CONFIG: Final = """
[hall]
name = "{hall}"
[broker]
port = {port}
[console]
port = {pages}
data = "{folder}/console.sqlite"
copies = 0
"""


LAST: Final = 400
"""Observations of play that come last: what a start has to fold is no table at rest."""


def begin_round(folder: Path, deals: int, arbitro: str, observations: int) -> int:
    """Play the first deals of a round into a journal and ``observations`` of the next; returns the journal's events."""
    from dataclasses import replace
    from datetime import UTC, datetime

    from table_service.publish import BrokerAddress
    from table_service.rehearsal.rehearse import prepare
    from table_service.service import TableFiles, TableService

    rehearsal, counted = prepare("fibur2024", 1, deals + 1, table=TABLE), 0
    header = replace(rehearsal.header, started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
    journal = folder / f"{TABLE}.sqlite"
    places = TableFiles(
        journal, journal.with_suffix(".evidence"), journal.with_suffix(".key"), folder / f"{TABLE}.jsonl"
    )
    service = TableService(header, HALL, places, BrokerAddress("127.0.0.1", 1), lambda: 0.0, sealed_for=arbitro)
    from hw.observations import Console

    service.observe(Console(0.0, "Anna", "start-round", {"deals": deals + 1}))
    after, rest_s, plates = 0, 0.0, dict[str, Scale]()
    for observation in rehearsal.observations():
        if after == LAST // 2:  # a while into the next deal
            for again in islice(cycle(plates.values()), max(0, observations - after - LAST)):
                rest_s += REST_S
                service.observe(replace(again, t=observation.t + rest_s))
                after += 1
        told = service.observe(replace(observation, t=observation.t + rest_s))
        if isinstance(observation, Scale) and observation.settled:
            plates[observation.zone] = observation
        counted += sum(event.type == "score.counted" for event in told)
        after += counted == deals
        if after >= observations:
            break
    events = service.journal.head()[0]
    service.close(0.0)
    return events


class Ear:
    """Hears what the table says of itself."""

    def __init__(self, port: int) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        self.heard: list[tuple[float, str, dict[str, Any]]] = []
        self.news = threading.Condition()
        self.client = Client(CallbackAPIVersion.VERSION2)
        topics = [f"tavolo/v1/{HALL}/{TABLE}/{kind}" for kind in ("status", "event/round.resumed")]
        self.client.on_connect = lambda client, *_: client.subscribe([(topic, 1) for topic in topics])
        self.client.on_message = self._hear
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()

    def _hear(self, _client: Any, _data: Any, message: Any) -> None:
        with self.news:
            if message.payload and not message.retain:
                kind = message.topic.rpartition("/")[2]
                told = json.loads(message.payload)
                told["lost"] = told.get("data", {}).get("lost") is not None
                self.heard.append((time.monotonic(), kind, told))
                self.news.notify_all()

    def when(self, kind: str, since: float, **fields: object) -> float:
        """Return when something was first heard after ``since``. Raises TimeoutError."""

        def found() -> float | None:
            fits = (
                at for at, what, told in self.heard if at > since and what == kind and fields.items() <= told.items()
            )
            return next(fits, None)

        with self.news:
            if not self.news.wait_for(lambda: found() is not None, LONGEST_S):
                raise TimeoutError(f"no {kind} was heard within {LONGEST_S:g} s")
            at = found()
            assert at is not None  # noqa: S101 - it was waited for
            return at


@contextmanager
def begun(command: str, config: Path, folder: Path) -> Iterator[tuple[float, dict[str, float]]]:
    """Begin ``tavolo COMMAND`` as systemd does, yield when that was and how long it took; kill it at the end."""
    place = folder / "notify"
    place.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(place))
        systemd.settimeout(LONGEST_S)
        null = subprocess.DEVNULL
        began = time.monotonic()
        service = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "table_service.cli", command, "--config", str(config)], stdin=null, stdout=null,
            stderr=null, cwd=ROOT, env={**os.environ, "NOTIFY_SOCKET": str(place)},
        )  # fmt: skip
        try:
            while b"READY=1" not in systemd.recv(4096):
                pass
            ready, used = time.monotonic(), processor_s(service.pid)
            yield began, {"ready_s": round(ready - began, 2), "processor_s": round(used, 2)}
        finally:
            service.kill()
            service.wait()


def once(config: Path, folder: Path, ear: Ear) -> dict[str, float]:
    """Begin the service, measure, and kill it."""
    with begun("run", config, folder) as (began, found):
        said = ear.when("status", began, state="ready")
        resumed = ear.when("round.resumed", began, lost=False)
        time.sleep(0.3)
    return {**found, "said_s": round(said - began, 2), "resumed_s": round(resumed - began, 2)}


def measure_console(times: int, events: int) -> dict[str, Any]:
    """Begin a console on a file of so many kept events and say how long each start took."""
    from bench_console import fill

    from table_service.publish.broker import free_port

    load = os.getloadavg()
    with tempfile.TemporaryDirectory(prefix="tavolo-restart-") as name:
        folder = Path(name)
        fill(folder, events)
        config = folder / "hall.toml"
        config.write_text(
            HALL_CONFIG.format(hall=HALL, folder=folder, port=free_port(), pages=free_port()), encoding="utf-8"
        )
        found = []
        for _ in range(times):
            with begun("console", config, folder) as (_, took):
                found.append(took)
    return _report({"times": times, "events": events, "load_before": [round(one, 2) for one in load]}, found)


def _report(about: dict[str, Any], found: list[dict[str, float]]) -> dict[str, Any]:
    worst = {key: max(one[key] for one in found) for key in found[0]}
    middle = {key: statistics.median(one[key] for one in found) for key in found[0]}
    return {**about, "median": middle, "greatest": worst, "each": found}


def measure(times: int, deals: int, observations: int) -> dict[str, Any]:
    """Begin the service so many times and say how long each took."""
    from nacl.public import PrivateKey

    from table_service.publish.broker import start_broker

    load = os.getloadavg()
    with tempfile.TemporaryDirectory(prefix="tavolo-restart-") as name:
        folder = Path(name)
        arbitro = bytes(PrivateKey.generate().public_key).hex()
        entries = begin_round(folder, deals, arbitro, observations)
        broker = start_broker(folder / "broker", kind="mosquitto")
        config = folder / "table.toml"
        config.write_text(
            CONFIG.format(table=TABLE, hall=HALL, port=broker.port, folder=folder, arbitro=arbitro), encoding="utf-8"
        )
        ear = Ear(broker.port)
        try:
            found = [once(config, folder, ear) for _ in range(times)]
        finally:
            ear.client.disconnect()
            ear.client.loop_stop()
            broker.stop()
    about = {"times": times, "observations": observations, "entries": entries}
    return _report({**about, "load_before": [round(one, 2) for one in load]}, found)


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--deals", type=int, default=3, help="deals that were counted before the table was killed")
    parser.add_argument("--observations", type=int, default=600, help="of the deal in which it is killed")
    parser.add_argument("--console", type=int, metavar="EVENTS", help="begin a console on so many kept events instead")
    parser.add_argument("--aim-s", type=float, default=3.0)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    if asked.console is None:
        report = measure(asked.times, asked.deals, asked.observations)
    else:
        report = measure_console(asked.times, asked.console)
    text = json.dumps(report, indent=1)
    print(text)
    if asked.json is not None:
        asked.json.write_text(text + "\n", encoding="utf-8")
    return 0 if max(report["greatest"].values()) <= asked.aim_s else 1


if __name__ == "__main__":
    sys.exit(main())
