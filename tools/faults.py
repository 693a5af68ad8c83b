"""Faults put into a living hall, one after the other, and what each cost: a report.

``python tools/faults.py [--kills 300] [--signed] [--only NAME,…] [--json FILE] [--markdown FILE]``

A real mosquitto, the console, and the service of a table that plays rehearsed deals (``living_hall.py``): processes of
their own, files on the disk. Each fault (``hall_faults.py``) is put in while the table plays; then it is taken away,
and the time is measured until the console's file has every event of the table's journal (``recovered_s``). After each:
events in the journal, events that the console lacks or has and the journal does not, whether the journal's chain is
whole, and what was announced (heard by a plain subscriber) without being in the journal. Exit code 1 where anything is
lost or invented.

What a machine does not allow (a small disk or a network of its own need root, a clock of its own a C compiler) is named
as not run. Faults of nodes and of the camera in a living table: ``sensor_faults.py``.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from hall_faults import FAULTS, NotRunError  # noqa: E402
from living_hall import TABLE, Hall, make_keys  # noqa: E402

LONGEST_S: Final = 120.0
RESTING_S: Final = 1.5
"""A table that was told to rest, and whose journal did not grow for so long, rests."""


@dataclass(frozen=True, slots=True)
class Result:
    """What one fault cost. Counts are of events; ``audit`` is what the journal's audit says where it is not whole."""

    fault: str
    what: str
    journal: int
    lacking: int
    invented: int
    announced_not_kept: int
    recovered_s: float | None
    audit: str
    alive: bool = True
    """Whether table and console still ran."""

    @property
    def good(self) -> bool:
        """Whether nothing was lost and nothing invented."""
        return self.alive and not (self.lacking or self.invented or self.announced_not_kept or self.audit)


def try_fault(name: str, asked: argparse.Namespace) -> Result:
    """Put one fault into a hall of its own."""
    from table_service.journal import audit

    with tempfile.TemporaryDirectory(prefix="tavolo-faults-") as folder:
        if asked.signed:
            make_keys(Path(folder))
        hall = Hall(Path(folder), random.Random(asked.seed))  # noqa: S311 - moments of faults
        try:
            hall.begin_table()
            hall.let_play(2)
            what = FAULTS[name](hall, asked)
            assert hall.table is not None  # noqa: S101 - it plays
            alive = hall.table.process.poll() is None and hall.console.process.poll() is None
            hall.table.rest()
            began = time.monotonic()
            journal, took, lacking = hall.journal(), 0.0, True
            while lacking and time.monotonic() - began < LONGEST_S:
                lacking = bool(journal - hall.archive())
                took = round(time.monotonic() - began, 1)
                time.sleep(0.2 if lacking else RESTING_S)
                if (now := hall.journal()) != journal:  # a line of input takes a while to be read: it played on
                    journal, lacking = now, True
            heard = set(hall.heard) - hall.others
            archive = hall.archive() - hall.others
        finally:
            hall.close()
        verdict = audit(hall.table_folder / f"{TABLE}.sqlite")
        return Result(
            name, what, len(journal), len(journal - archive), len(archive - journal), len(heard - journal),
            None if lacking else took, "" if verdict.whole else str(verdict), alive,
        )  # fmt: skip


def table_of(results: list[Result], not_run: dict[str, str]) -> str:
    """The report as Markdown."""
    lines = ["| fault | what | events | lacking | invented | announced, not kept | complete after | journal |"]
    lines.append("|---|---|---|---|---|---|---|---|")
    for one in results:
        took = "never" if one.recovered_s is None else f"{one.recovered_s:g} s"
        cells = (one.fault, one.what, one.journal, one.lacking, one.invented, one.announced_not_kept, took)
        journal = ("whole" if not one.audit else one.audit) + ("" if one.alive else "; a part ENDED")
        lines.append("| " + " | ".join(map(str, cells)) + f" | {journal} |")
    lines += [f"| {name} | not run: {why} | | | | | | |" for name, why in not_run.items()]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Put the faults in."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=300, help="how often the table is killed")
    parser.add_argument("--only", help=f"of {', '.join(FAULTS)}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--signed", action="store_true", help="tables sign, consoles want it, logs are sealed")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--markdown", type=Path)
    asked = parser.parse_args()
    wanted = asked.only.split(",") if asked.only else list(FAULTS)
    if unknown := [name for name in wanted if name not in FAULTS]:
        parser.error(f"no such fault: {', '.join(unknown)}")
    results, not_run = list[Result](), dict[str, str]()
    for name in wanted:
        try:
            results.append(try_fault(name, asked))
        except NotRunError as why:
            not_run[name] = str(why)
            print(f"{name}: not run: {why}", flush=True)
            continue
        print(f"{name}: {'nothing lost' if results[-1].good else 'LOST'}; {results[-1]}", flush=True)
    report = table_of(results, not_run)
    print(report)
    if asked.markdown is not None:
        asked.markdown.write_text(report, encoding="utf-8")
    if asked.json is not None:
        told = {"results": [asdict(one) for one in results], "not_run": not_run}
        asked.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return 0 if all(one.good for one in results) else 1


if __name__ == "__main__":
    sys.exit(main())
