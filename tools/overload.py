"""The arbitro's console while others take the machine: alerts first, and nothing lost in the end.

``python tools/overload.py [--tables 200] [--rate 5] [--seconds 60] [--hogs 2] [--signed] [--json FILE]``

Simulated tables, a real mosquitto, the console and one who watches, each in a session of its own as services are, and
``--hogs`` processes that only compute, as another service; the scheduler shares the processors among the sessions.
Measured: from an alert's publication until a plain client of the hall's stream has it; the console's memory at its
greatest; what was shed and replaced; which share of a processor console, broker, tables and client took. Then the
traffic ends and everything that the tables told has to be in the console's file: ``complete`` says so, and
``complete_after_s`` how long that took. All alerts have ended by then, those of tables that sign by their signed state:
``alerts_standing`` are those that the console still shows. Exit code 1 where an alert was not seen or stands on,
something is lacking, anything was shed though nothing else computed, or an aim (``--aim-ms`` for the 99th percentile,
``--aim-mb``) is missed. Needs mosquitto; no browser.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from console_load import memory_mb, processors_s, quantiles, sign_in, spawn, start  # noqa: E402
from living_hall import processor_s  # noqa: E402
from load_tables import make_keys  # noqa: E402

from table_service.publish.broker import free_port  # noqa: E402

LONGEST_S: Final = 300.0
"""So long everything may take to be complete."""
COMPUTE: Final = """
import os, sys
for _ in range(int(sys.argv[1]) - 1):
    if os.fork() == 0:
        break
while True:
    sum(i * i for i in range(100_000))
"""


def hogs(count: int) -> subprocess.Popen[bytes] | None:
    """Start processes that only compute, in a session of their own."""
    if count < 1:
        return None
    return subprocess.Popen([sys.executable, "-c", COMPUTE, str(count)], start_new_session=True)  # noqa: S603


def put_ahead(*processes: subprocess.Popen[Any] | None) -> None:
    """Let the sessions of these go before all other work on the machine; among each other they stay equal."""
    for process in processes:
        if process is not None:
            Path(f"/proc/{process.pid}/autogroup").write_text("-16", encoding="ascii")


def kept(file: Path) -> int:
    """How many events the console's file has."""
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as db:
        return int(db.execute("select count(*) from event").fetchone()[0])


def health(url: str) -> dict[str, Any]:
    """Return what the console says of itself."""
    with urllib.request.urlopen(f"{url}/health", timeout=60) as answer:  # noqa: S310 - our own console
        told: dict[str, Any] = json.loads(answer.read())
    return told


def until_complete(url: str, file: Path, told: int) -> tuple[int, float]:
    """Wait until the file has everything; returns what it has, and the seconds that it took."""
    began = time.monotonic()
    while (has := kept(file)) < told and time.monotonic() - began < LONGEST_S:
        time.sleep(0.5)
    while health(url)["events_lacking"] and time.monotonic() - began < LONGEST_S:
        time.sleep(0.5)
    return has, time.monotonic() - began


def measure(tables: int, rate: float, seconds: float, busy: int, *, ahead: bool, signed: bool) -> dict[str, Any]:
    """Run the hall for ``seconds`` beside ``busy`` other processes and say what was measured."""
    load_before = os.getloadavg()
    with tempfile.TemporaryDirectory(prefix="tavolo-overload-") as name:
        folder = Path(name)
        port = free_port()
        if signed:
            make_keys(folder, tables)
        broker = start(port, folder, apart=True)
        served = spawn("--role", "console", "--port", port, "--folder", folder, apart=True)
        assert served.stdout is not None  # noqa: S101 - a pipe
        door = served.stdout.readline().strip()
        url, cookie = door.partition("/enter/")[0], sign_in(door)
        players = spawn(
            "--role", "tables", "--port", port, "--folder", folder, "--tables", tables, "--rate", rate,
            "--seconds", seconds, apart=True,
        )  # fmt: skip
        assert players.stdout is not None  # noqa: S101 - a pipe
        assert players.stdin is not None  # noqa: S101 - a pipe
        players.stdout.readline()
        plain = spawn("--role", "stream", "--url", url, "--cookie", cookie, apart=True)
        said, heard = list[str](), list[str]()
        readers = [
            threading.Thread(target=lines.extend, args=(process.stdout,), daemon=True)
            for lines, process in ((said, players), (heard, plain))
        ]
        for reader in readers:
            reader.start()
        while not heard:
            time.sleep(0.1)
        others = hogs(busy)
        if ahead:
            put_ahead(broker, served, players, plain, others)
        parts = {"console": served.pid, "broker": broker.pid, "tables": players.pid, "browser": plain.pid}
        began, before, own = time.monotonic(), processors_s(), {name: processor_s(pid) for name, pid in parts.items()}
        players.stdin.write("go\n")
        players.stdin.flush()
        while not any(line.startswith("end") for line in said):
            time.sleep(0.1)
        lasted, after = time.monotonic() - began, processors_s()
        shares = {name: round((processor_s(pid) - own[name]) / lasted, 3) for name, pid in parts.items()}
        last = next(line.split() for line in said if line.startswith("end"))
        has, took = until_complete(url, folder / "console.sqlite", int(last[3]))
        if others is not None:
            os.killpg(others.pid, signal.SIGKILL)
            others.wait()
        memory = memory_mb(served.pid)
        for process, patience in ((plain, 20), (players, 20), (served, 20)):
            assert process.stdin is not None  # noqa: S101 - a pipe
            process.stdin.close()
            process.wait(patience)
        counts = next((json.loads(line) for line in served.stdout if line.startswith("{")), {})
        for reader in readers:
            reader.join(5)
        broker.terminate()
        broker.wait(10)
    sent = {key: float(at) for key, _, at in (line.strip().partition(" ") for line in said) if key != "end"}
    came = {key: float(at) for key, _, at in (line.strip().partition(" ") for line in heard)}
    listening = came.pop("listening", 0.0)
    due = {key for key, at in sent.items() if listening < at}
    whole, ours = ((now - then) / lasted for now, then in zip(after, before, strict=True))
    return {
        "tables": tables,
        "events_per_s": float(last[1]),
        "tables_late_ms": float(last[2]),
        "hogs": busy,
        "ahead": ahead,
        "signed": signed,
        "processors": {
            "of": os.cpu_count(),
            "all": round(whole, 2),
            **shares,
            "neither_hall_nor_hogs": round(max(0.0, whole - ours), 2),
        },
        "load_before": [round(one, 2) for one in load_before],
        "load_after": [round(one, 2) for one in os.getloadavg()],
        "alert_to_stream_ms": quantiles([(came[key] - sent[key]) * 1000 for key in due if key in came]),
        "alerts_not_seen": sorted(due - came.keys()),
        "console_mb": memory,
        "intake": counts,
        "events_told": int(last[3]),
        "events_kept": has,
        "alerts_standing": counts["alerts_standing"],
        "complete": has == int(last[3]),
        "complete_after_s": round(took, 1),
    }


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rate", type=float, default=5.0, help="events per second and table")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--hogs", type=int, default=os.cpu_count() or 2, help="processes that only compute")
    parser.add_argument("--ahead", action="store_true", help="of all other work on this machine (root; autogroup -16)")
    parser.add_argument("--signed", action="store_true", help="tables sign, and the console believes no other")
    parser.add_argument("--aim-ms", type=float, default=300.0)
    parser.add_argument("--aim-mb", type=float, default=300.0)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    report = measure(asked.tables, asked.rate, asked.seconds, asked.hogs, ahead=asked.ahead, signed=asked.signed)
    text = json.dumps(report, indent=1)
    print(text)
    if asked.json is not None:
        asked.json.write_text(text + "\n", encoding="utf-8")
    p99 = report["alert_to_stream_ms"]["p99"]
    good = report["complete"] and not report["alerts_not_seen"] and not report["alerts_standing"]
    left_out = [report["intake"][way][what] for way in ("pressing", "rest") for what in ("shed", "dropped")]
    good = good and (asked.hogs > 0 or not any(left_out))
    good = good and p99 is not None and p99 <= asked.aim_ms and report["console_mb"]["greatest"] <= asked.aim_mb
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
