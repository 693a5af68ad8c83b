"""How much a table writes to its disk while a deal is played: what an SD card has to bear.

``python tools/disk_writes.py [--rules fibur2024] [--seed 1] [--deals 1] [--folder DIR]``

A rehearsed round is played into a table service with journal, sealed log and kept deal in ``--folder`` (a real disk:
one of memory counts nothing), synced as a running table does it: the log every ``SYNC_S`` seconds of play, the journal
before events are published. ``bytes``: what the kernel sent to the disk for this process (``write_bytes`` of
``/proc/self/io``: whole pages; what the file system writes of its own comes on top); ``an_hour``: the same for an hour
of play; ``lying``: how large the files are afterwards.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from measure_restart import begin  # noqa: E402

from table_service.rehearsal.rehearse import prepare  # noqa: E402
from table_service.service.kept_log import SYNC_S  # noqa: E402


def written() -> int:
    """Bytes that the kernel has sent to a disk for this process."""
    lines = Path("/proc/self/io").read_text(encoding="utf-8").splitlines()
    return next(int(line.partition(":")[2]) for line in lines if line.startswith("write_bytes:"))


def measure(rules: str, seed: int, deals: int, folder: Path) -> dict[str, Any]:
    """Play a round into ``folder`` and say what was written."""
    rehearsal = prepare(rules, seed, deals)
    log, clock, synced = list(rehearsal.observations()), [0.0], 0.0
    service = begin(rehearsal.header, folder, clock)
    service.start()
    before, syncs = written(), 0
    for observation in log:
        clock[0] = observation.t
        told = service.observe(observation)
        if told:
            service.journal.sync()
            syncs += 1
        if observation.t >= synced + SYNC_S:
            service._log.sync()  # noqa: SLF001 - as its thread does at a table that nobody hurries
            synced, syncs = observation.t, syncs + 1
    service.close(0.0)
    found, seconds = written() - before, log[-1].t - log[0].t
    lying = {path.name: path.stat().st_size for path in sorted(folder.rglob("*")) if path.is_file()}
    return {
        "rules": rules, "observations": len(log), "minutes": round(seconds / 60, 1), "syncs": syncs, "bytes": found,
        "an_hour": round(found * 3600 / seconds), "lying": lying,
    }  # fmt: skip


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="fibur2024")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deals", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=ROOT, help="on the disk that is asked about")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tavolo-writes-", dir=asked.folder) as name:
        print(json.dumps(measure(asked.rules, asked.seed, asked.deals, Path(name)), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
