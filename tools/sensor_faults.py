"""Faults of a node and of the camera put into a living table, one after the other, and what each cost: a report.

``python tools/sensor_faults.py [--deals 1] [--seed 1] [--speed 6] [--only NAME,…] [--json FILE] [--markdown FILE]``

A real mosquitto and the console, and a table (``sensed_table.py``) whose node is the real firmware under MicroPython
on a serial line and whose camera's loop is the real one; tables sign, logs are sealed. A fault is put in twice in a
deal, at a third and at two thirds of its acts, and taken away after some seconds. Told are: how long until what
failed was told to be well again (``ok``, wall time), what the journal, the console's file and a listener have, and each
item of the score against what was really played: right, marked (not known, or named as doubtful), or wrong and not
marked. A line that is disturbed need not be told as lost: it is well again once the bridge has every reading that the
node sensed until the disturbance ended, and it was disturbed where the bridge refused broken frames meanwhile.
Exit code 1 where an item is wrong and not marked, an event is lost or invented, a part that failed was not told as
failed, or does not come back.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from living_hall import TABLE, Hall, make_keys  # noqa: E402
from sensed_table import Sees, SensedTable  # noqa: E402

AT: Final = (33, 66)
"""When a fault is put in: so many of a hundred acts are over."""
LONGEST_S: Final = 60.0
Fault = Callable[[SensedTable], None]


@dataclass(frozen=True, slots=True)
class Kind:
    """One fault: what is done, what takes it away after ``lasts_s`` seconds of wall time, and which part fails."""

    what: str
    begin: Fault
    end: Fault
    lasts_s: float
    part: str
    is_told: bool = True
    """Whether the part is lost by it, and that is told; else its readings come late at most."""


def _reset(table: SensedTable) -> None:
    table.host.restart()


def _see(sees: Sees) -> Fault:
    return lambda table: table.pictures.break_(sees)


def _babble(*, on: bool) -> Fault:
    def switch(table: SensedTable) -> None:
        table.line.babbling = on

    return switch


def _nothing(_table: SensedTable) -> None:
    pass


KINDS: Final[Mapping[str, Kind]] = {
    "none": Kind("nothing fails", _nothing, _nothing, 0.0, ""),
    "node-reset": Kind("the node starts anew", _reset, _nothing, 0.0, "table"),
    "node-dead": Kind("the node has no power for 4 s", lambda t: t.host.kill(), _reset, 4.0, "table"),
    "node-unplugged": Kind("the cable pulled for 4 s", lambda t: t.line.cut(), lambda t: t.line.join(), 4.0, "table"),
    "node-babbling": Kind(
        "3 000 random bytes a second on the line for 4 s",
        _babble(on=True),
        _babble(on=False),
        4.0,
        "table",
        is_told=False,
    ),
    "camera-gone": Kind("unplugged for 4 s", _see("gone"), _see("well"), 4.0, "camera"),
    "camera-frozen": Kind("the same picture for 4 s", _see("frozen"), _see("well"), 4.0, "camera"),
    "camera-blinded": Kind("white for 4 s", _see("white"), _see("well"), 4.0, "camera"),
    "camera-dark": Kind("black for 4 s", _see("black"), _see("well"), 4.0, "camera"),
}


@dataclass(frozen=True, slots=True)
class Result:
    """What one fault cost. ``back_s``: by putting in, wall seconds from its end until the part was well.

    ``told``: how often the part was told as failed; ``broken``: frames that the bridge refused while the fault lasted.
    """

    fault: str
    what: str
    told: int
    broken: int
    back_s: tuple[float | None, ...]
    right: int
    marked: int
    wrong: tuple[str, ...]
    accused: tuple[str, ...]
    journal: int
    lacking: int
    invented: int
    announced_not_kept: int
    audit: str

    @property
    def good(self) -> bool:
        """True if nothing is wrong unmarked, lost or invented, and the part is back."""
        kind = KINDS[self.fault]
        lost = self.lacking or self.invented or self.announced_not_kept or self.audit
        put_in = not kind.part or (len(self.back_s) == len(AT) and bool(self.told if kind.is_told else self.broken))
        return put_in and not self.wrong and not lost and None not in self.back_s and bool(self.right + self.marked)


def scores(table: SensedTable) -> tuple[int, int, tuple[str, ...]]:
    """Items of the score that are right, that are marked, and those that are wrong without a mark."""
    newest = {one.deal: one.data for one in table.events if one.type == "score.counted"}
    right, marked, wrong = 0, 0, list[str]()
    for end in table.rehearsal.script.ends:
        told: Any = newest.get(end.deal)
        for line, items in end.items.items():
            own = {} if told is None else told.lines[str(line)]["items"]
            for item, really in items.items():
                value = own.get(item)
                if value is None or f"{line}.{item}" in told.doubtful:
                    marked += 1
                elif value == really:
                    right += 1
                else:
                    wrong.append(f"deal {end.deal} {line}.{item}: {value}, really {really}")
    return right, marked, tuple(wrong)


def try_fault(name: str, asked: argparse.Namespace) -> Result:
    """Play with one fault in a hall of its own."""
    from hw.twin.provide_micropython import find
    from table_service.journal import audit

    kind, ended, caught_up, broken = KINDS[name], list[float](), list[float | None](), list[int]()

    def put_in(table: SensedTable) -> None:
        before = _broken(table)
        kind.begin(table)

        def take_away() -> None:
            ended.append(time.monotonic())
            kind.end(table)
            broken.append(_broken(table) - before)
            if not kind.is_told:
                caught_up.append(_caught_up(table))

        if kind.lasts_s:
            threading.Timer(kind.lasts_s, take_away).start()
        else:
            take_away()

    with tempfile.TemporaryDirectory(prefix="tavolo-sensors-") as folder:
        make_keys(Path(folder))
        hall = Hall(Path(folder), random.Random(asked.seed))  # noqa: S311 - ports
        try:
            hall.table_folder.mkdir()
            table = SensedTable(
                hall.port, hall.table_folder, asked.seed, asked.deals, asked.speed, find(), dict.fromkeys(AT, put_in)
            )
            table.play()
            until = time.monotonic() + LONGEST_S
            while (journal := hall.journal()) - hall.archive() and time.monotonic() < until:
                time.sleep(0.2)
            archive, heard = hall.archive(), set(hall.heard)
        finally:
            hall.close()
        verdict = audit(hall.table_folder / f"{TABLE}.sqlite")
    told = [(at, one) for at, _, one in table.health if kind.part and one.node == kind.part]
    well = [at for at, one in told if one.state == "ok"]
    back = tuple(_first(well, end) for end in ended) if kind.part and kind.is_told else tuple(caught_up)
    right, marked, wrong = scores(table)
    accused = tuple(
        f"{one.data.row} {one.data.offender}"  # type: ignore[attr-defined]
        for one in table.events
        if one.type == "irregularity" and one.data.state == "open"  # type: ignore[attr-defined]
    )
    return Result(
        name, kind.what, sum(one.state != "ok" for _, one in told), sum(broken), back, right,
        marked, wrong, accused, len(journal), len(journal - archive),
        len(archive - journal), len(heard - journal), "" if verdict.whole else str(verdict),
    )  # fmt: skip


def _first(well: list[float], end: float) -> float | None:
    """Seconds from ``end`` to the first moment after it at which the part was told to be well."""
    return next((round(at - end, 2) for at in well if at >= end), None)


def _broken(table: SensedTable) -> int:
    """Frames that the bridge has refused as broken."""
    return sum(int(one["broken"]) for one in table.bridge.counters().values())


def _caught_up(table: SensedTable) -> float | None:
    """Seconds until the bridge has every reading that was sensed until now; None where it never has."""
    began, now = time.monotonic(), table.clock.now()
    while (table.bridge.complete_until() or 0.0) <= now:
        if time.monotonic() - began > LONGEST_S:
            return None
        time.sleep(0.01)
    return round(time.monotonic() - began, 2)


def table_of(results: list[Result]) -> str:
    """Return the report as Markdown."""
    titles = ("fault", "what, twice a deal", "well again after", "items right, marked, wrong", "accused", "events",
              "lacking, invented, not kept", "journal")  # fmt: skip
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    for one in results:
        back = ", ".join("never" if took is None else f"{took:g} s" for took in one.back_s) or "–"
        items = f"{one.right}, {one.marked}, {len(one.wrong)}"
        lost = f"{one.lacking}, {one.invented}, {one.announced_not_kept}"
        accused = ", ".join(one.accused) or "–"
        cells = (one.fault, one.what, back, items, accused, one.journal, lost, one.audit or "whole")
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Put the faults in."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help=f"of {', '.join(KINDS)}")
    parser.add_argument("--deals", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--speed", type=float, default=6.0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--markdown", type=Path)
    asked = parser.parse_args()
    wanted = asked.only.split(",") if asked.only else list(KINDS)
    if unknown := [name for name in wanted if name not in KINDS]:
        parser.error(f"no such fault: {', '.join(unknown)}")
    results = list[Result]()
    for name in wanted:
        results.append(try_fault(name, asked))
        print(f"{name}: {'good' if results[-1].good else 'NOT GOOD'}; {results[-1]}", flush=True)
    print(table_of(results))
    if asked.markdown is not None:
        asked.markdown.write_text(table_of(results), encoding="utf-8")
    if asked.json is not None:
        asked.json.write_text(json.dumps([asdict(one) for one in results], indent=1) + "\n", encoding="utf-8")
    return 0 if all(one.good for one in results) else 1


if __name__ == "__main__":
    sys.exit(main())
