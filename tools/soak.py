"""A long evening at one table: deal after deal, and the memory, handles and threads of table and console.

``python tools/soak.py [--deals 1000] [--minutes M] [--distinct 16] [--json FILE]``

A real mosquitto, the console and one table that signs its events and seals its log: processes of their own. The table
plays rounds of four rehearsed deals by the rules of ``fibur2024``, as fast as they are understood; ``--distinct`` of
them differ, then they come again. Every twelve deals both processes' memory (resident, MB), open handles and threads
are noted. With ``--minutes`` it ends after so long and says how many deals were played.

Flat means: between the sample after a fifth of the deals and the last one no handle and no thread more, and at most
``--aim-mb`` MB of memory more (default 50). Exit code 1 where that is missed, a deal was not counted, or the console's
file lacks an event.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from living_hall import HALL, TABLE, Hall, Part, make_keys, own_voice, sealed_for  # noqa: E402

DEALS: Final = 4
"""Deals a round."""
EVERY: Final = 12
"""Deals between two samples: whole rounds."""
COMPLETE_S: Final = 60.0


def play(port: int, folder: Path, deals: int, distinct: int) -> None:
    """Play so many deals; after each round its number of deals counted goes to the output. Ends with its input."""
    from hw.observations import Console
    from table_service.publish import BrokerAddress
    from table_service.rehearsal.rehearse import prepare
    from table_service.service import TableFiles, TableService

    rounds = [prepare("fibur2024", seed, DEALS, table=TABLE) for seed in range(1, max(1, distinct // DEALS) + 1)]
    header, now, counted = rounds[0].header, [0.0], 0
    for one in rounds:
        one.header = header  # the same pack of cards all evening
    played = [list(one.observations()) for one in rounds]
    service = TableService(
        header, HALL, TableFiles.under(folder, TABLE), BrokerAddress("127.0.0.1", port), lambda: now[0],
        voice=own_voice(folder.parent), sealed_for=sealed_for(folder.parent),
    )  # fmt: skip
    service.start()
    print("playing", flush=True)
    began = 0.0
    for number in range((deals + DEALS - 1) // DEALS):
        service.observe(Console(round(began, 6), "Anna", "start-round", {"deals": DEALS}))
        for observation in played[number % len(played)]:
            now[0] = round(began + 1 + observation.t, 6)
            counted += sum(event.type == "score.counted" for event in service.observe(replace(observation, t=now[0])))
        service.observe(Console(now[0] + 1, "Anna", "end-round", {}))
        service.health({})
        service.publisher.drain(30.0)
        began = now[0] + 60
        print(counted, flush=True)
    sys.stdin.read()
    service.close(10.0)


def standing(process: subprocess.Popen[str]) -> dict[str, float]:
    """Return what a process holds (Linux)."""
    place = Path(f"/proc/{process.pid}")
    lines = (line.split() for line in (place / "status").read_text(encoding="ascii").splitlines())
    told = {words[0].rstrip(":"): words[1] for words in lines if len(words) > 1}
    handles = len(list((place / "fd").iterdir()))
    return {"mb": round(int(told["VmRSS"]) / 1024, 1), "handles": handles, "threads": int(told["Threads"])}


def measure(deals: int, minutes: float, distinct: int) -> dict[str, Any]:
    """Play and say what was held."""
    with tempfile.TemporaryDirectory(prefix="tavolo-soak-") as name:
        folder = Path(name)
        make_keys(folder)
        hall = Hall(folder, random.Random(1))  # noqa: S311 - ports and seeds
        began, samples, counted = time.monotonic(), list[dict[str, Any]](), 0
        try:
            hall.table = Part(
                "--port", hall.port, "--folder", hall.table_folder, "--deals", deals, "--distinct", distinct,
                program=Path(__file__).resolve(),
            )  # fmt: skip
            assert hall.table.process.stdout is not None  # noqa: S101 - a pipe
            played = 0
            for line in hall.table.process.stdout:
                counted, played = int(line), played + DEALS
                if played % EVERY == 0 or played >= deals:
                    samples.append({
                        "deals": played, "minutes": round((time.monotonic() - began) / 60, 2),
                        "table": standing(hall.table.process), "console": standing(hall.console.process),
                        "journal_mb": round((hall.table_folder / f"{TABLE}.sqlite").stat().st_size / 2**20, 1),
                    })  # fmt: skip
                    print(json.dumps(samples[-1]), flush=True)
                if played >= deals or (minutes and time.monotonic() - began > minutes * 60):
                    break
            until = time.monotonic() + COMPLETE_S
            while (lacking := len(hall.journal() - hall.archive())) and time.monotonic() < until:
                time.sleep(0.5)
            events = len(hall.journal())
            if played < deals:
                hall.table.kill()  # it would play on
        finally:
            hall.close()
    return {
        "played": played, "counted": counted, "events": events, "lacking": lacking, "distinct": distinct,
        "load_after": [round(one, 2) for one in os.getloadavg()], "samples": samples,
    }  # fmt: skip


def grown(report: dict[str, Any]) -> dict[str, dict[str, float]]:
    """By process, by how much what it holds has grown since a fifth of the deals were played."""
    samples = report["samples"]
    first, last = samples[len(samples) // 5], samples[-1]
    return {
        part: {key: round(last[part][key] - first[part][key], 1) for key in ("mb", "handles", "threads")}
        for part in ("table", "console")
    }


def main() -> int:
    """Measure, print, judge; or be the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=0.0, help="end after so long")
    parser.add_argument("--distinct", type=int, default=16)
    parser.add_argument("--aim-mb", type=float, default=50.0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.port is not None:
        play(asked.port, asked.folder, asked.deals, asked.distinct)
        return 0
    report = measure(asked.deals, asked.minutes, asked.distinct)
    report["grown"] = grown(report)
    if asked.json is not None:
        asked.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({key: value for key, value in report.items() if key != "samples"}, indent=1))
    more = report["grown"].values()
    flat = all(one["handles"] <= 0 and one["threads"] <= 0 and one["mb"] <= asked.aim_mb for one in more)
    return 0 if flat and not report["lacking"] and report["counted"] == report["played"] else 1


if __name__ == "__main__":
    sys.exit(main())
