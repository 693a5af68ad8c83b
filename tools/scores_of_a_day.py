"""How long the scores of a whole day take as CSV: `scores.csv` of a console that has heard every table of a hall.

``python tools/scores_of_a_day.py [--tables 200] [--rounds 4] [--deals 4] [--times 5] [--json FILE]``

The events are those of rehearsed rounds (``--kinds`` different ones), told by every table under its own name, as the
console keeps them in its file. Measured: from the request to the last byte at a plain client beside the served console.
``processor_s`` is what console and client worked for it together, which other programs on the machine lengthen little.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from console_load import memory_mb, sign_in  # noqa: E402

from table_service.console import ConsoleSettings, serving  # noqa: E402
from table_service.console.storage import Book  # noqa: E402
from table_service.events import event_to_json  # noqa: E402
from table_service.rehearsal.rehearse import prepare  # noqa: E402
from table_service.rulesets import open_fold  # noqa: E402

RULES: Final = "fibur2024"
_TABLE: Final = "~table~"
_BOOT: Final = "~boot~"


def told(seed: int, deals: int) -> list[dict[str, Any]]:
    """Return the public events of a rehearsed round, as JSON objects."""
    rehearsal = prepare(RULES, seed, deals, table="T1")
    fold = open_fold(rehearsal.header, "000001")
    events = [event for one in rehearsal.observations() for event in fold.feed(one)] + fold.close()
    return [event_to_json(event) for event in events]


def fill(path: Path, tables: int, rounds: int, kinds: list[list[dict[str, Any]]]) -> int:
    """Write the file of a console that has heard a day; returns how many events."""
    book, count = Book(path), 0
    texts = [[(event, json.dumps({**event, "table": _TABLE, "boot": _BOOT})) for event in kind] for kind in kinds]
    try:
        for number in range(tables):
            place = f"T{number + 1}"
            for round_ in range(rounds):
                boot, at = f"{round_ + 1:06x}", 1_800_000_000.0 + round_ * 3600
                for event, text in texts[(number + round_) % len(kinds)]:
                    body = text.replace(_TABLE, place).replace(_BOOT, boot)
                    book.kept.event(place, {**event, "boot": boot}, body, now=at)
                    count += 1
            book.kept.flush()
    finally:
        book.close()
    return count


def measure(tables: int, rounds: int, deals: int, kinds: int, times: int) -> dict[str, Any]:
    """Fill a console's file, serve it, and ask ``times`` times."""
    with tempfile.TemporaryDirectory(prefix="tavolo-day-") as name:
        path = Path(name) / "console.sqlite"
        events = fill(path, tables, rounds, [told(1000 + n, deals) for n in range(kinds)])
        took, spent, body = list[float](), list[float](), b""
        with serving(ConsoleSettings(hall="prova", broker_port=1, data=path, open_link=True)) as running:
            cookie, url = sign_in(running.door), f"{running.url}reports/scores.csv"
            for _ in range(times):
                began, worked = time.perf_counter(), time.process_time()
                request = urllib.request.Request(url, headers={"Cookie": cookie})  # noqa: S310 - our own console
                with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310
                    body = answer.read()
                took.append(round(time.perf_counter() - began, 3))
                spent.append(round(time.process_time() - worked, 3))
        return {
            "tables": tables,
            "deals": tables * rounds * deals,
            "events": events,
            "file_mb": round(path.stat().st_size / 1e6, 1),
            "rows": body.count(b"\r\n") - 1,
            "bytes": len(body),
            "seconds": took,
            "processor_s": spent,
            "greatest_s": max(took),
            "memory_mb": memory_mb(os.getpid()),
            "load": [round(one, 2) for one in os.getloadavg()],
        }


def main() -> int:
    """Measure and print; 1 where a request took longer than a second."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--deals", type=int, default=4)
    parser.add_argument("--kinds", type=int, default=4, help="so many different rehearsed rounds")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    report = measure(asked.tables, asked.rounds, asked.deals, asked.kinds, asked.times)
    text = json.dumps(report, indent=1)
    print(text)
    if asked.json is not None:
        asked.json.write_text(text + "\n", encoding="utf-8")
    return 0 if report["greatest_s"] <= 1.0 else 1


if __name__ == "__main__":
    sys.exit(main())
