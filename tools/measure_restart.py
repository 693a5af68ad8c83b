"""How a deal outlives the power: a table is cut at random moments of rehearsed deals, started again, and judged.

``python tools/measure_restart.py [--cuts 40] [--rules fibur2024,…] [--seed 1] [--each 10] [--shift-g 0] [--json FILE]
[--again SEED/clean|faults/AT/kill|power …]``

A rehearsed round, clean or with faults, is played once into a table service with journal and sealed log. At random
observations its files are copied as a cut leaves them: as they are (what ``kill -9`` leaves: nothing of what the
process holds in memory), or only what had been synced (a power cut; ``tests/service/test_disk_that_goes_down.py``
takes a real file system away). A new service starts on each copy; what is sensed while it is off is lost
(``--off-s``, seconds of the deal), nodes and camera tell their state as they do when a link opens, and it is told the
rest, rulings included. Half of the cuts of a round with faults are made while something waits for a ruling. Judged at
the end, against the journal of the table that was not cut; rounds are played, from ``--seed`` on, until there are
``--cuts`` of each rule set:

``right``: every item of the score is the same; ``marked``: what differs is marked doubtful or unknown; ``wrong``: an
item differs and is not marked (must be 0); ``false_stops``: irregularities that the table without a cut never reports
(must be 0); ``missed``: irregularities that it reports and that this one never does; ``twice``: events of the journal
that say the same of the same moment twice (must be 0); ``alerts``: irregularities open at the cut, and ``ruled``, how
many of them end as without it; ``ready_s``: from the start until it watches. Exit code 1 where one that must be 0 is
not. ``notes`` name each cut that is not right, as ``--again`` makes it once more.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from bisect import bisect_right
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
from table_service.events import event_to_json  # noqa: E402
from table_service.journal import Journal, load_or_make_key  # noqa: E402
from table_service.publish import BrokerAddress  # noqa: E402
from table_service.rehearsal.game_rehearsal import RehearsalError, rehearsal_of  # noqa: E402
from table_service.rehearsal.rehearse import prepare  # noqa: E402
from table_service.rulesets import RULE_SETS, open_fold  # noqa: E402
from table_service.service import TableFiles, TableService  # noqa: E402
from table_service.service.kept_log import SYNC_S  # noqa: E402

ARBITRO: Final = bytes(PrivateKey(bytes(range(32))).public_key).hex()
AFTER_S: Final = (2.0, 6.0, 12.0, 20.0)
"""Seconds after the last observation at which the table is seen again."""
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
    missed: int = 0
    twice: int = 0
    alerts: int = 0
    ruled: int = 0
    ready_s: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def begin(header: Header, folder: Path, clock: list[float]) -> TableService:
    """Begin a table on the files in ``folder``, whose clock is ``clock``."""
    started = replace(header, started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
    return TableService(
        started, "prova", TableFiles.under(folder, header.table), NOWHERE, lambda: clock[0], sealed_for=ARBITRO
    )


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
    """Return the newest count of every deal."""
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
    """Return the irregularities, by row, offender and deal, that were not taken back."""
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


def copied(folder: Path, into: Path, kind: str, synced: Synced) -> Path:
    """Copy what a cut of ``kind`` at this moment leaves of a table's files."""
    shutil.copytree(folder, into)
    if kind == "power":
        for path in folder.rglob("*"):
            copy = into / path.relative_to(folder)
            cut_short = path.name.endswith("-wal") or path.suffix in (".sealed", ".jsonl")
            if copy.is_file() and cut_short:
                os.truncate(copy, min(synced.length.get(str(path), 0), copy.stat().st_size))
    return into


def events_of(folder: Path, table: str) -> list[dict[str, Any]]:
    """Return what the journal in ``folder`` holds."""
    places = TableFiles.under(folder, table)
    with Journal.open(places.journal, table, load_or_make_key(places.key)) as journal:
        return [kept.public for kept in journal.events()]


def played(one: Round, folder: Path, cuts: dict[int, str]) -> tuple[list[dict[str, Any]], dict[int, Path]]:
    """Play a round to its end; what its journal holds then, and by cut what that leaves of the files."""
    clock, copies = [0.0], dict[int, Path]()
    times = [observation.t for observation in one.log]
    syncs = {bisect_right(times, times[at - 1] - SYNC_S) for at in cuts}
    with Synced() as synced:
        service = begin(one.header, folder / "whole", clock)
        service.start()
        for at, observation in enumerate(one.log, 1):
            clock[0] = observation.t
            service.observe(observation)
            if at in syncs:
                service._log.sync()  # noqa: SLF001 - what a thread does every half second of a table that nobody hurries
            if at in cuts:
                if cuts[at] == "power":
                    service.journal.sync()  # as the publisher does before it announces anything
                    ahead = TableFiles.under(folder / "whole", one.header.table).journal
                    ahead = ahead.with_name(f"{ahead.name}-wal")  # SQLite may have synced it before, by itself
                    synced.length[str(ahead)] = ahead.stat().st_size
                copies[at] = copied(folder / "whole", folder / f"{at}", cuts[at], synced)
        after_end(service, clock, one.log, 0.0)
        service.close(0.0)
    return events_of(folder / "whole", one.header.table), copies


def after_end(service: TableService, clock: list[float], log: list[Observation], ahead: float) -> None:
    """Let the cards lie on the table for a while: feed what nodes and camera report of them then."""
    end = log[-1].t
    for later in AFTER_S:
        for one in states(log, end):
            clock[0] = max(end + later - ahead, clock[0])
            service.observe(replace(one, t=clock[0]))


def shifted(log: list[Observation], seed: int, most_g: float) -> list[Observation]:
    """``log`` as scales tell it whose zero was lost: each weighs at most ``most_g`` grams otherwise."""
    draw = random.Random(seed)  # noqa: S311 - a simulation
    by = {zone: draw.uniform(-most_g, most_g) for zone in sorted({one.zone for one in log if isinstance(one, Scale)})}
    return [replace(one, grams=round(one.grams + by[one.zone], 3)) if isinstance(one, Scale) else one for one in log]


def one_cut(one: Round, folder: Path, at: int, off_s: float, shift_g: float) -> tuple[list[dict[str, Any]], float]:
    """Start a table again that was cut at observation ``at``, and play on; what its journal holds at the end.

    And the seconds until it watched.
    """
    log, clock = one.log, [0.0]
    if shift_g:  # what was heard before is in the kept deal; of the log it is only asked how a scale stands now
        log = shifted(log, at, shift_g)
    resume = log[at - 1].t + off_s
    began = time.perf_counter()
    service = begin(one.header, folder, clock)
    service.start()
    ready = time.perf_counter() - began
    for again in (0.1, 1.1):  # a node tells its state when the link opens, and when it is asked again
        for told in states(log, resume):
            clock[0] = again
            service.observe(replace(told, t=again))
    for told in log[at:]:
        if told.t >= resume or told.kind == "console":
            clock[0] = max(max(told.t, resume) - resume, 1.1)
            service.observe(replace(told, t=clock[0]))
    after_end(service, clock, log, resume)
    service.close(0.0)
    return events_of(folder, one.header.table), ready


def first_of(told: list[dict[str, Any]]) -> str:
    """Return the first start of a journal."""
    return min(str(one["boot"]) for one in told)


def judge(told: list[dict[str, Any]], truth: list[dict[str, Any]], cut: str, found: Found) -> None:
    """Add what ``told`` shows of ``cut`` to ``found``."""
    found.cuts += 1
    mine, theirs = scores(told), scores(truth)
    marked, wrong = list[str](), list[str]()
    for n, data in theirs.items():
        if n not in mine:
            marked.append(f"deal {n} not counted")
            continue
        doubt, bad = differing(mine[n], data)
        marked, wrong = marked + doubt, wrong + bad
    if any(one["type"] == "round.resumed" and one["data"]["lost"] for one in told):
        found.lost += 1
        found.notes.append(f"{cut}: the deal was not taken up")
    known = {named(one) for one in truth if one["type"] == "irregularity"}  # one may have another name later
    false = Counter({name: n for name, n in (stops(told) - stops(truth)).items() if name not in known})
    found.false_stops += sum(false.values())
    said_at_all = {named(one) for one in told if one["type"] == "irregularity"}
    missed = [name for name in stops(truth).elements() if name not in said_at_all]
    found.missed += len(missed)
    first = first_of(told)
    before = {one["data"]["key"]: one for one in told if one["type"] == "irregularity" and one["boot"] == first}
    after = {one["data"]["key"]: one for one in told if one["type"] == "irregularity"}
    ended = {one["data"]["key"].removeprefix(first_of(truth)): one for one in truth if one["type"] == "irregularity"}
    for key, one in before.items():
        if one["data"]["state"] == "open":
            found.alerts += 1
            same = ended.get(key.removeprefix(first))
            if same is not None and after[key]["data"]["state"] == same["data"]["state"]:
                found.ruled += 1
            else:
                found.notes.append(f"{cut}: {key} {one['data']['row']} does not end as without the cut")
    said = Counter(
        (one["type"], one["deal"], one["seat"], one["t"], json.dumps(one["data"], sort_keys=True)) for one in told
    )
    twice = [f"{key[0]} at {key[3]}" for key, n in said.items() if key[0] != "table.health" and n > 1]
    found.twice += sum(n - 1 for key, n in said.items() if key[0] != "table.health")
    found.wrong += bool(wrong)
    found.marked += bool(marked) and not wrong
    found.right += not marked and not wrong
    if marked or wrong or false or twice or missed:
        more = f"false stops {dict(false)}, missed {missed}, twice {twice}"
        found.notes.append(f"{cut}: marked {marked}, wrong {wrong}, {more}")


@dataclass(frozen=True)
class Round:
    """A rehearsed round: what is sensed, and where something waits for a ruling. ``name``: seed, clean or faults."""

    name: str
    header: Header
    log: list[Observation]
    waiting: list[int]


def rounds(rules: str, seed: int, deals: int, players: int | None) -> list[Round]:
    """Return a clean round of ``deals`` and one with as many faults."""
    kinds = rehearsal_of(rules, players).kinds
    made, draw = [], random.Random(seed)  # noqa: S311 - a simulation
    for faults in ((), tuple(draw.sample(sorted(kinds), min(deals, len(kinds))))):
        try:
            rehearsal = prepare(rules, seed, deals, faults=faults, players=players)
        except RehearsalError:  # no deal of this seed has room for that fault
            continue
        log = list(rehearsal.observations())
        fold, waiting, opened = open_fold(rehearsal.header), list[int](), set[str]()
        for at, one in enumerate(log if faults else (), 1):
            for event in fold.feed(one):
                if event.type == "irregularity":
                    data = event_to_json(event)["data"]
                    (opened.add if data["state"] == "open" else opened.discard)(data["key"])
            waiting += [at] if opened and at < len(log) else []
        made.append(Round(f"{seed}/{'faults' if faults else 'clean'}", rehearsal.header, log, waiting))
    return made


def drawn(one: Round, count: int, draw: random.Random) -> dict[int, str]:
    """Draw ``count`` moments of a round, and how it is cut there."""
    cuts = dict[int, str]()
    while len(cuts) < min(count, len(one.log) - 1):
        anywhere = cuts.keys() >= set(one.waiting) or len(cuts) % 2
        at = draw.choice(range(1, len(one.log)) if anywhere else one.waiting)
        cuts.setdefault(at, ("kill", "power")[len(cuts) // 2 % 2])
    return cuts


def measured(one: Round, cuts: dict[int, str], off_s: float, shift_g: float, found: Found) -> None:
    """Cut a round as ``cuts`` say; it is played once."""
    with tempfile.TemporaryDirectory(prefix="tavolo-cut-") as name:
        truth, copies = played(one, Path(name), cuts)
        for at, folder in copies.items():
            told, ready = one_cut(one, folder, at, off_s, shift_g)
            found.ready_s.append(ready)
            judge(told, truth, f"{one.name}/{at}/{cuts[at]}", found)
            shutil.rmtree(folder)


def named_cuts(names: list[str]) -> dict[str, dict[int, str]]:
    """Return the cuts of each round that ``names`` (``SEED/clean/AT/kill``) stand for."""
    found = dict[str, dict[int, str]]()
    for name in names:
        one, at, kind = name.rsplit("/", 2)
        found.setdefault(one, {})[int(at)] = kind
    return found


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuts", type=int, default=40, help="of each rule set")
    parser.add_argument("--rules", default=",".join(RULE_SETS))
    parser.add_argument("--players", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=10, help="cuts of each round")
    parser.add_argument("--deals", type=int, default=1, help="of each round")
    parser.add_argument("--off-s", type=float, default=3.0)
    parser.add_argument("--shift-g", type=float, default=0.0, help="grams by which scales weigh otherwise after a cut")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--again", nargs="+", default=[], help="cuts to make once more, as notes name them; no others")
    asked = parser.parse_args()
    report: dict[str, Any] = {}
    for rules in asked.rules.split(","):
        found, draw = Found(), random.Random(asked.seed)  # noqa: S311 - as above
        seed, again = asked.seed, named_cuts(asked.again)
        for name, cuts in again.items():
            for one in rounds(rules, int(name.partition("/")[0]), asked.deals, asked.players):
                if one.name == name:
                    measured(one, cuts, asked.off_s, asked.shift_g, found)
        while found.cuts < asked.cuts and not again:
            for one in rounds(rules, seed, asked.deals, asked.players):
                cuts = drawn(one, min(asked.each, asked.cuts - found.cuts), draw)
                measured(one, cuts, asked.off_s, asked.shift_g, found)
            seed += 1
        report[rules] = {**vars(found), "ready_s": round(max(found.ready_s), 2)}
        print(rules, json.dumps(report[rules], indent=1), flush=True)
    if asked.json is not None:
        asked.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return int(any(one["wrong"] or one["false_stops"] or one["twice"] for one in report.values()))


if __name__ == "__main__":
    sys.exit(main())
