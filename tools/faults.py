"""Faults put into a living hall, one after the other, and what each cost: a report.

``python tools/faults.py [--kills 300] [--signed] [--only NAME,…] [--rounds FOLDER] [--log FILE] [--json FILE]
[--markdown FILE]``

A real mosquitto, the console, and the service of a table that plays rehearsed deals (``living_hall.py``): processes of
their own, files on the disk. Each fault (``hall_faults.py``, ``clock_faults.py``) is put in while the table plays; then
it is taken away, and the time is measured until the console's file has every event that is in the table's journal
(``recovered_s``). The table plays on until a score has been counted, rests, and everything has to be complete. Told
are: events in the journal, events that the console lacks or has and the journal does not, whether the journal's chain
is whole, what was announced (heard by a plain subscriber) without being in the journal, and each item of the scores in
the console's file against what was really played (``played_rounds.py``): right, marked (not known, or named as
doubtful), or wrong and not marked. Exit code 1 where anything is lost or invented, an item is wrong and not marked, or
no score was counted.

With ``--log`` each result is added to a file as it comes; what stands there already is not tried again, so that a run
that was ended goes on. So that little of it is lost, a table is killed ``--kills-a-hall`` times in each hall. With
``--rounds`` the rehearsed rounds are kept there, and found by the next run of the same seed.

What a machine does not allow (a small disk or a network of its own need root, a clock of its own a C compiler) is named
as not run. Faults of nodes and of the camera in a living table: ``sensor_faults.py``.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

import clock_faults  # noqa: E402, F401 - registers its fault
from hall_faults import FAULTS, NotRunError  # noqa: E402
from living_hall import TABLE, Hall, make_keys  # noqa: E402
from played_rounds import judge, write_rounds  # noqa: E402

LONGEST_S: Final = 120.0
COUNTS_S: Final = 300.0
"""A deal is played and counted within so long, however busy the machine is."""
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
    right: int
    marked: int
    wrong: tuple[str, ...]
    alive: bool = True
    """Whether table and console still ran."""
    complete: bool = True
    """Whether the archive had everything in the end, when the table rested."""

    @property
    def good(self) -> bool:
        """True if nothing was lost, nothing invented, and scores were counted of which none is wrong unmarked."""
        lost = self.lacking or self.invented or self.announced_not_kept or self.audit
        back = self.complete and self.recovered_s is not None
        return self.alive and back and not (lost or self.wrong) and self.right > 0


def try_fault(name: str, asked: argparse.Namespace, rounds: Path, seed: int) -> Result:
    """Put one fault into a hall of its own, whose table plays ``rounds``."""
    from table_service.journal import audit

    with tempfile.TemporaryDirectory(prefix="tavolo-faults-") as folder:
        if asked.signed:
            make_keys(Path(folder))
        hall = Hall(Path(folder), random.Random(seed), rounds)  # noqa: S311 - moments of faults
        try:
            hall.begin_table()
            hall.let_play(2)
            what = FAULTS[name](hall, asked)
            assert hall.table is not None  # noqa: S101 - it plays
            alive = hall.table.process.poll() is None and hall.console.process.poll() is None
            recovered = until_complete(hall)
            hall.let_count(COUNTS_S)
            hall.table.rest()
            time.sleep(RESTING_S)
            complete = until_at_rest(hall)
            first = hall.journal()  # a table may speak at any time: what it told by then must be in its journal later
            heard, archive = set(hall.heard) - hall.others, hall.archive() - hall.others
            journal = hall.journal()
            scores = judge(hall.folder / "console.sqlite", rounds, hall.folder.glob("*-plays/*.json"))
        finally:
            hall.close()
        verdict = audit(hall.table_folder / f"{TABLE}.sqlite")
        return Result(
            name, what, len(journal), len(first - archive), len(archive - journal), len(heard - journal),
            recovered, "" if verdict.whole else str(verdict), scores.right, scores.marked, scores.wrong,
            alive, complete,
        )  # fmt: skip


def until_complete(hall: Hall) -> float | None:
    """Seconds until the console's file has all that the journal has now; None where it never does."""
    began, journal = time.monotonic(), hall.journal()
    while journal - hall.archive():
        if time.monotonic() - began > LONGEST_S:
            return None
        time.sleep(0.1)
    return round(time.monotonic() - began, 1)


def until_at_rest(hall: Hall) -> bool:
    """Wait until the journal grows no more and the console's file has all of it; False where it never does."""
    began, journal = time.monotonic(), hall.journal()
    while time.monotonic() - began < LONGEST_S:
        complete = not journal - hall.archive()
        time.sleep(RESTING_S if complete else 0.2)
        now = hall.journal()
        if complete and now == journal:  # a line of input takes a while to be read: it may have played on
            return True
        journal = now
    return False


def parts_of(wanted: list[str], asked: argparse.Namespace) -> list[tuple[str, int, int]]:
    """Return what is to be tried: fault, its seed, and how many kills are in it."""
    parts = list[tuple[str, int, int]]()
    for name in wanted:
        left = asked.kills if name == "table-killed" else 1
        while left > 0:
            kills = min(left, asked.kills_a_hall)
            parts.append((name, asked.seed + len(parts), kills))
            left -= kills
    return parts


def before(log: Path | None) -> dict[str, dict[str, Any]]:
    """By mark, the results that a run before this one has added to its file."""
    if log is None or not log.exists():
        return {}
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    return {line.pop("mark"): line for line in lines}


def table_of(results: list[Result], not_run: dict[str, str]) -> str:
    """Return the report as Markdown."""
    lines = ["| fault | what | events | lacking, invented, announced and not kept | complete after | journal"]
    lines[0] += " | items of scores right, marked, wrong unmarked |"
    lines.append("|---|---|---|---|---|---|---|")
    for one in results:
        if one.complete and one.recovered_s is not None:
            took = f"{one.recovered_s:g} s"
        else:
            took = f"not within {LONGEST_S:g} s while it played on, then complete" if one.complete else "never"
        lost = f"{one.lacking}, {one.invented}, {one.announced_not_kept}"
        journal = ("whole" if not one.audit else one.audit) + ("" if one.alive else "; a part ENDED")
        items = f"{one.right}, {one.marked}, {len(one.wrong)}"
        lines.append("| " + " | ".join(map(str, (one.fault, one.what, one.journal, lost, took, journal, items))) + " |")
    lines += [f"| {name} | not run: {why} | | | | | |" for name, why in not_run.items()]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Put the faults in."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=300, help="how often the table is killed")
    parser.add_argument("--kills-a-hall", type=int, default=50)
    parser.add_argument("--only", help=f"of {', '.join(FAULTS)}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--signed", action="store_true", help="tables sign, consoles want it, logs are sealed")
    parser.add_argument("--rounds", type=Path, help="an existing folder in which rehearsed rounds are kept")
    parser.add_argument("--log", type=Path, help="a file that results are added to, and that a later run goes on with")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--markdown", type=Path)
    asked = parser.parse_args()
    wanted = asked.only.split(",") if asked.only else list(FAULTS)
    if unknown := [name for name in wanted if name not in FAULTS]:
        parser.error(f"no such fault: {', '.join(unknown)}")
    results, not_run = list[Result](), dict[str, str]()
    with tempfile.TemporaryDirectory(prefix="tavolo-rounds-") as folder:
        rounds = (asked.rounds or Path(folder)) / f"rounds-{asked.seed}"
        if not rounds.exists():
            shutil.rmtree(made := rounds.with_name(f"{rounds.name}.new"), ignore_errors=True)
            write_rounds(made, asked.seed, TABLE)
            made.rename(rounds)
        for name, seed, kills in parts_of(wanted, asked):
            mark = f"{name}/{seed}/{kills}/{'signed' if asked.signed else 'plain'}"
            if (told := before(asked.log).get(mark)) is not None:
                results.append(Result(**{**told, "wrong": tuple(told["wrong"])}))
                continue
            try:
                one = try_fault(name, argparse.Namespace(**{**vars(asked), "kills": kills}), rounds, seed)
            except NotRunError as why:
                not_run[name] = str(why)
                print(f"{name}: not run: {why}", flush=True)
                continue
            results.append(one)
            if asked.log is not None:
                with asked.log.open("a", encoding="utf-8") as log:
                    log.write(json.dumps({"mark": mark, **asdict(one)}) + "\n")
            print(f"{name}: {'nothing lost' if one.good else 'NOT GOOD'}; {one}", flush=True)
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
