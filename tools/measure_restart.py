"""How a deal outlives the power: a table is cut at random moments of rehearsed deals, started again, and judged.

``python tools/measure_restart.py [--cuts 40] [--rules fibur2024,…] [--seed 1] [--seeds 2] [--deals 2] [--json FILE]``

Each cut plays a rehearsed round, clean or with faults, into a table service with journal and sealed log,
and stops it without a word at a random observation: by ``kill -9`` of a process of its own, or as a power cut does
(files have only what had been synced; nothing of the log's last half second was, but for what led to events). A new
service starts on the folder; what is sensed while it is off is lost (``--off-s``, seconds of the deal), nodes and
camera tell their state as they do when a link opens, and it is told the rest, rulings included. Half of the cuts of a
round with faults are made while something waits for a ruling. Judged at the end, against the same log without a cut:

``right``: every item of the score is the same; ``marked``: what differs is marked doubtful or unknown; ``wrong``: an
item differs and is not marked (must be 0); ``false_stops``: irregularities that the table without a cut never reports
(must be 0); ``twice``: events of the journal that say the same of the same moment twice (must be 0); ``alerts``:
irregularities open at the cut, and ``ruled``, how many of them end as without it; ``ready_s``: from the start until it
watches. Exit code 1 where one that must be 0 is not.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self, cast

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from nacl.public import PrivateKey  # noqa: E402

from hw.observation_log import Header  # noqa: E402
from hw.observations import Observation, Scale, Screen, Shield, Sight, Tray  # noqa: E402
from table_service.events import Event, event_to_json  # noqa: E402
from table_service.publish import BrokerAddress  # noqa: E402
from table_service.rehearsal.game_rehearsal import rehearsal_of  # noqa: E402
from table_service.rehearsal.rehearse import prepare  # noqa: E402
from table_service.rulesets import RULE_SETS, open_fold  # noqa: E402
from table_service.service import Places, TableService  # noqa: E402
from table_service.service.kept_log import SYNC_S  # noqa: E402

ARBITRO: Final = bytes(PrivateKey(bytes(range(32))).public_key).hex()
NOWHERE: Final = BrokerAddress("127.0.0.1", 1)


class Synced:
    """What of a folder's files is on the disk: their length at the last sync; a power cut leaves no more of them."""

    def __init__(self) -> None:
        self.length: dict[str, int] = {}
        self._calls = os.fsync, os.fdatasync

    def __enter__(self) -> Self:
        os.fsync = os.fdatasync = cast("Any", self._synced)
        return self

    def __exit__(self, *_: object) -> None:
        os.fsync, os.fdatasync = self._calls

    def _synced(self, handle: int) -> None:
        self._calls[1](handle)
        self.length[str(Path(f"/proc/self/fd/{handle}").readlink())] = os.fstat(handle).st_size


@dataclass
class Found:
    """What the cuts of one rule set have shown."""

    cuts: int = 0
    right: int = 0
    marked: int = 0
    wrong: int = 0
    lost: int = 0
    false_stops: int = 0
    twice: int = 0
    alerts: int = 0
    ruled: int = 0
    ready_s: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def begin(header: Header, folder: Path, clock: list[float]) -> TableService:
    """A table on the files in ``folder``, whose clock is ``clock``."""
    started = replace(header, started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
    return TableService(
        started, "prova", Places.under(folder, header.table), NOWHERE, lambda: clock[0], sealed_for=ARBITRO
    )


def play(service: TableService, clock: list[float], log: list[Observation]) -> None:
    """Tell a table what ``log`` says; its last half second is not synced but for what leads to events."""
    service.start()
    synced = False
    for one in log:
        if not synced and one.t > log[-1].t - SYNC_S:
            service.health({})
            synced = True
        clock[0] = one.t
        service.observe(one)


def cut_copy(folder: Path, into: Path, synced: Synced) -> None:
    """Copy what is on the disk after a power cut: only what was synced."""
    shutil.copytree(folder, into)
    for path in folder.rglob("*"):
        copy = into / path.relative_to(folder)
        if not copy.is_file() or path.name.endswith((".sqlite", ".lock", "-shm")):
            continue
        kept = synced.length.get(str(path))
        if path.name.endswith("-wal") or path.suffix in (".sealed", ".jsonl"):
            os.truncate(copy, min(kept or 0, copy.stat().st_size))


def states(log: list[Observation], t: float) -> list[Observation]:
    """Return what nodes and camera say of their state at ``t``: scales, shields, screen, tray, the newest picture."""
    newest: dict[tuple[object, ...], Observation] = {}
    for one in log:
        match one:
            case Scale(zone=zone) if one.t <= t:
                newest["scale", zone] = one
            case Shield(seat=seat) if one.t <= t:
                newest["shield", seat] = one
            case Screen(part=part) if one.t <= t:
                newest["screen", part] = one
            case Tray() | Sight() if one.t <= t:
                newest[(one.kind,)] = one
    return list(newest.values())


def scores(events: list[dict[str, Any]]) -> dict[int, dict[str, Any]]:
    """The newest count of every deal."""
    found: dict[int, dict[str, Any]] = {}
    for one in events:
        if one["type"] == "score.counted":
            found[one["deal"]] = one["data"]
        elif one["type"] == "event.retracted":
            found = {n: data for n, data in found.items() if data.get("_id") != one["data"]["event"]}
    return found


def named(one: dict[str, Any]) -> tuple[str, str | None, int | None]:
    """Row, offender and deal of an irregularity."""
    return one["data"]["row"], one["seat"], one["deal"]


def stops(events: list[dict[str, Any]]) -> Counter[tuple[str, str | None, int | None]]:
    """The irregularities, by row, offender and deal, that were not taken back."""
    newest = {one["data"]["key"]: one for one in events if one["type"] == "irregularity"}
    return Counter(named(one) for one in newest.values() if one["data"]["state"] != "dismissed")


def differing(one: dict[str, Any], other: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Items of ``one`` (after a cut) that differ from ``other``: those that are marked, and those that are not."""
    marked, wrong = list[str](), list[str]()
    for line, own in other["lines"].items():
        mine = one["lines"].get(line, {"items": {}, "total": None})
        pairs = [(name, mine["items"].get(name), value) for name, value in own["items"].items()]
        for name, here, there in [*pairs, ("total", mine["total"], own["total"])]:
            if here == there:
                continue
            doubtful = here is None or any(d in (f"{line}.{name}", name, line) for d in one["doubtful"])
            (marked if doubtful or (name == "total" and one["doubtful"]) else wrong).append(
                f"{line}.{name}:{here}/{there}"
            )
    return marked, wrong


def one_cut(
    header: Header, log: list[Observation], truth: list[dict[str, Any]], at: int, kind: str, off_s: float, found: Found
) -> None:
    """Cut a table at observation ``at`` of ``log``, start it again, and judge what it says at the end."""
    with tempfile.TemporaryDirectory(prefix="tavolo-cut-") as name:
        first, second, clock = Path(name) / "1", Path(name) / "2", [0.0]
        if kind == "kill":
            if (child := os.fork()) == 0:
                play(begin(header, first, clock), clock, log[:at])
                os.kill(os.getpid(), signal.SIGKILL)
            os.waitpid(child, 0)
            second = first
        else:
            with Synced() as synced:
                service = begin(header, first, clock)
                play(service, clock, log[:at])
                service.journal.sync()  # as the publisher does before it announces anything
                cut_copy(first, second, synced)
            service.close(0.0)
        resume = log[at - 1].t + off_s
        clock[0] = 0.0
        began = time.perf_counter()
        service = begin(header, second, clock)
        service.start()
        found.ready_s.append(time.perf_counter() - began)
        for again in (0.1, 1.1):  # a node tells its state when the link opens, and when it is asked again
            for one in states(log, resume):
                clock[0] = again
                service.observe(replace(one, t=again))
        for one in log[at:]:
            if one.t >= resume or one.kind == "console":
                clock[0] = max(max(one.t, resume) - resume, 1.1)
                service.observe(replace(one, t=clock[0]))
        service.close(0.0)
        from table_service.journal import Journal, load_or_make_key

        places = Places.under(second, header.table)
        with Journal.open(places.journal, header.table, load_or_make_key(places.key)) as journal:
            told = [kept.public for kept in journal.events()]
    judge(told, truth, at, kind, found)


def judge(told: list[dict[str, Any]], truth: list[dict[str, Any]], at: int, kind: str, found: Found) -> None:
    """Add what ``told`` shows to ``found``."""
    found.cuts += 1
    mine, theirs = scores(told), scores(truth)
    marked, wrong = list[str](), list[str]()
    for n, data in theirs.items():
        if n not in mine:
            marked.append(f"deal {n} not counted")
            continue
        doubt, bad = differing(mine[n], data)
        marked, wrong = marked + doubt, wrong + bad
    found.lost += any(one["type"] == "round.resumed" and one["data"]["lost"] for one in told)
    known = {named(one) for one in truth if one["type"] == "irregularity"}  # one may have another name later
    false = Counter({name: n for name, n in (stops(told) - stops(truth)).items() if name not in known})
    found.false_stops += sum(false.values())
    first = min(one["boot"] for one in told)
    before = {one["data"]["key"]: one for one in told if one["type"] == "irregularity" and one["boot"] == first}
    after = {one["data"]["key"]: one for one in told if one["type"] == "irregularity"}
    ended = {named(one): one["data"]["state"] for one in truth if one["type"] == "irregularity"}
    for key, one in before.items():
        if one["data"]["state"] == "open":
            found.alerts += 1
            found.ruled += after[key]["data"]["state"] == ended.get(named(one))
    said = Counter(
        (one["type"], one["deal"], one["seat"], one["t"], json.dumps(one["data"], sort_keys=True)) for one in told
    )
    found.twice += sum(n - 1 for key, n in said.items() if key[0] != "table.health")
    found.wrong += bool(wrong)
    found.marked += bool(marked) and not wrong
    found.right += not marked and not wrong
    if marked or wrong or false:
        found.notes.append(f"{kind} at {at}: marked {marked}, wrong {wrong}, false stops {dict(false)}")


@dataclass(frozen=True)
class Round:
    """A rehearsed round: what is sensed, what an uncut table says, and where something waits for a ruling."""

    header: Header
    log: list[Observation]
    truth: list[dict[str, Any]]
    waiting: list[int]


def plays(rules: str, seed: int, deals: int, players: int | None) -> list[Round]:
    """A clean round of ``deals`` and one with as many faults."""
    kinds = rehearsal_of(rules, players).kinds
    made, draw = [], random.Random(seed)  # noqa: S311 - a simulation
    for faults in ((), tuple(draw.sample(sorted(kinds), min(deals, len(kinds))))):
        rehearsal = prepare(rules, seed, deals, faults=faults, players=players)
        log = list(rehearsal.observations())
        fold, told, waiting, opened = open_fold(rehearsal.header), list[Event](), list[int](), set[str]()
        for at, one in enumerate(log, 1):
            said = fold.feed(one)
            for irregularity in (event_to_json(event)["data"] for event in said if event.type == "irregularity"):
                (opened.add if irregularity["state"] == "open" else opened.discard)(irregularity["key"])
            waiting += [at] if opened and at < len(log) else []
            told += said
        told += fold.close()
        made.append(Round(rehearsal.header, log, [event_to_json(one) for one in told], waiting))
    return made


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuts", type=int, default=40, help="of each rule set")
    parser.add_argument("--rules", default=",".join(RULE_SETS))
    parser.add_argument("--players", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=2, help="a clean round and one with faults of each")
    parser.add_argument("--deals", type=int, default=2, help="of each round")
    parser.add_argument("--off-s", type=float, default=3.0)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    report: dict[str, Any] = {}
    for rules in asked.rules.split(","):
        found, draw = Found(), random.Random(asked.seed)  # noqa: S311 - as above
        made = [
            one
            for seed in range(asked.seed, asked.seed + asked.seeds)
            for one in plays(rules, seed, asked.deals, asked.players)
        ]
        for n in range(asked.cuts):
            one = made[n % len(made)]
            kind = ("kill", "power")[n // len(made) % 2]
            anywhere = range(1, len(one.log))
            at = draw.choice(one.waiting if one.waiting and n // len(made) % 4 > 1 else anywhere)
            one_cut(one.header, one.log, one.truth, at, kind, asked.off_s, found)
        report[rules] = {**vars(found), "ready_s": round(max(found.ready_s), 2)}
        print(rules, json.dumps(report[rules], indent=1), flush=True)
    if asked.json is not None:
        asked.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return int(any(one["wrong"] or one["false_stops"] or one["twice"] for one in report.values()))


if __name__ == "__main__":
    sys.exit(main())
