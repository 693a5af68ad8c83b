"""Measure a table's latency: from handing over the observation that decides an event until a subscriber has the event.

``python tools/event_latency.py [--deals 3] [--aim-ms 20] [--json FILE]``

A real table service (fold, synced log, signed and chained journal, hidden cards sealed) plays rehearsed deals
one observation every 8 ms into a real mosquitto; a subscriber in a process of its own notes when each event arrives.
Printed in milliseconds: ``observe``, until the table has folded, written and synced; ``arrived``, until the subscriber
has the event. Each as median, 99th percentile and greatest. Exit code 1 when the percentile of ``arrived`` is above the
aim. On a busy machine run it with priority (``nice -n -10``) and read the load beside the figures.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from living_hall import HALL, TABLE, make_keys, own_voice, sealed_for  # noqa: E402

PACE_S: Final = 0.008
"""Between two observations: a table sends some 10 a second, so nothing waits for the one before."""
LATE_S: Final = 10.0


def subscribe(port: int) -> None:
    """Print the number of each event and the monotonic clock's seconds at which it arrived, until the input ends."""
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion

    client = Client(CallbackAPIVersion.VERSION2)
    client.on_connect = lambda one, *_: one.subscribe(f"tavolo/v1/{HALL}/{TABLE}/event/#", 1)
    client.on_subscribe = lambda *_: print("ready", flush=True)
    client.on_message = lambda _c, _d, message: print(
        json.loads(message.payload)["seq"], time.monotonic(), flush=True
    )  # fmt: skip
    client.connect("127.0.0.1", port)
    client.loop_start()
    sys.stdin.read()
    client.loop_stop()


def measure(deals: int) -> dict[str, Any]:
    """Play ``deals`` and return the latencies in milliseconds, with the machine's load before."""
    from table_service.publish import BrokerAddress
    from table_service.publish.broker import start_broker
    from table_service.rehearsal.rehearse import prepare
    from table_service.service import TableFiles, TableService

    load = os.getloadavg()
    with tempfile.TemporaryDirectory(prefix="tavolo-latency-") as name:
        folder = Path(name)
        make_keys(folder)
        (folder / TABLE).mkdir()
        broker = start_broker(folder / "broker", kind="mosquitto")
        heard = subprocess.Popen(  # noqa: S603
            [sys.executable, __file__, "--subscribe", str(broker.port)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert heard.stdout is not None  # noqa: S101
        heard.stdout.readline()
        rehearsal, began = prepare("fibur2024", 1, deals, table=TABLE), time.monotonic()
        service = TableService(
            replace(rehearsal.header, started=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())), HALL,
            TableFiles.under(folder / TABLE, TABLE), BrokerAddress("127.0.0.1", broker.port),
            lambda: time.monotonic() - began, voice=own_voice(folder), sealed_for=sealed_for(folder),
        )  # fmt: skip
        service.start()
        gc.freeze()  # as `tavolo run` does
        given: dict[int, float] = {}
        spent: list[float] = []
        for one in rehearsal.observations():
            at = time.monotonic()
            events = service.observe(one)
            spent.append(time.monotonic() - at)
            given |= dict.fromkeys((event.seq for event in events), at)
            time.sleep(PACE_S)
        service.close(LATE_S)
        broker.stop()
        out, _ = heard.communicate("", LATE_S)
    arrived = {int(seq): float(at) for seq, at in (line.split() for line in out.splitlines())}
    return {
        "load_before": [round(one, 2) for one in load],
        "observations": len(spent),
        "events": len(given),
        "not_arrived": len(given.keys() - arrived.keys()),
        "observe": _figures(spent),
        "arrived": _figures([arrived[seq] - at for seq, at in given.items() if seq in arrived]),
    }


def _figures(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    at = {"median": len(ordered) // 2, "p99": len(ordered) * 99 // 100, "greatest": -1}
    return {name: round(1000 * ordered[index], 2) for name, index in at.items()}


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=3)
    parser.add_argument("--aim-ms", type=float, default=20.0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--subscribe", type=int, metavar="PORT", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.subscribe:
        subscribe(asked.subscribe)
        return 0
    report = measure(asked.deals)
    text = json.dumps(report, indent=1)
    print(text)
    if asked.json is not None:
        asked.json.write_text(text + "\n", encoding="utf-8")
    return int(report["arrived"]["p99"] > asked.aim_ms or report["not_arrived"] > 0)


if __name__ == "__main__":
    sys.exit(main())
