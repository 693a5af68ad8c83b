"""``python -m table_service.rehearsal.prove``: many rehearsed deals through the whole table, and what came of them.

Every case (a seed, a fault or none, a level of noise) is played, replayed through the table's fold and compared with
its truth. Results are kept case by case with a fingerprint of the code, so that a run that was cut short goes on.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Protocol, cast

import hw
import table_service
from hw.observation_log import Header
from hw.observations import Observation
from hw.twin.noise import LEVELS
from table_service.events import event_to_json
from table_service.events.envelope import Event
from table_service.rehearsal.check import Report, compare
from table_service.rehearsal.faults import KINDS, UnknownFault, rows_named
from table_service.rehearsal.gaps import BRANDS, choose, nodes, with_gaps
from table_service.rehearsal.habits import HABITS
from table_service.rehearsal.moves import compare_moves
from table_service.rehearsal.proof_page import Conditions, commit_here, markdown, put_into
from table_service.rehearsal.proof_report import flaws, summary, table_of
from table_service.rehearsal.rehearse import RULES, Rehearsal, RehearsalError, prepare
from table_service.rehearsal.truth import Truth
from table_service.tracking.movements import Track
from table_service.tracking.tracker import Tracker

Object = dict[str, Any]
_TRIES: Final = 6
"""Seeds that are tried for one case."""
_FURTHER: Final = 10_000
"""How far the next seed lies, so that no other case of the run has it."""


class Fold(Protocol):
    """The program that is judged: observations in, events out."""

    def feed(self, observation: Observation) -> Iterable[Event]:
        """Take one observation."""

    def close(self) -> Iterable[Event]:
        """The log has ended."""


def table_fold(header: Header) -> Fold:
    """The table's own fold. It stands on floors above this room, so it is looked up when it is needed."""
    module = importlib.import_module("table_service.games.burraco.fold")
    return cast("Fold", module.TableFold(header))


@dataclass(frozen=True, slots=True)
class Case:
    """One round to be played: ``row`` None is a clean one. ``through``: ``table`` (events) or ``moves`` (tracking).

    ``gaps``: how gaps in sensing are told (``gaps.BRANDS``); empty where there are none.
    """

    seed: int
    row: str | None
    noise: str
    deals: int = 1
    rules: str = RULES[0]
    through: str = "table"
    habits: str = "lively"
    gaps: str = ""

    @property
    def key(self) -> str:
        """What names the case in a file of results."""
        key = f"{self.rules}/{self.noise}/{self.deals}/{self.row or 'clean'}/{self.seed}/{self.through}/{self.habits}"
        return f"{key}/{self.gaps}" if self.gaps else key


def events_of(fold: Fold, observations: Iterable[Observation]) -> tuple[list[Object], list[float], int]:
    """The events of ``observations`` with their secrets, the log's clock as each came out, how many were fed."""
    events: list[Object] = []
    arrivals: list[float] = []
    now, count = 0.0, 0
    for observation in observations:
        now = max(now, observation.t)
        count += 1
        for event in fold.feed(observation):
            events.append(event_to_json(event, secret=True))
            arrivals.append(now)
    for event in fold.close():
        events.append(event_to_json(event, secret=True))
        arrivals.append(now)
    return events, arrivals, count


def judge(
    header: Header, observations: Sequence[Observation], truth: Truth, fold: Callable[[Header], Fold] = table_fold
) -> Report:
    """Replay ``observations`` through the table and compare with ``truth``."""
    events, arrivals, _ = events_of(fold(header), observations)
    return compare(truth, events, arrivals, observations)


def run_case(case: Case) -> Object:
    """Play and judge ``case``; its report as an object, with how long the replay took and the seed that was played."""
    rehearsal, seed = _staged(case)
    observations = list(rehearsal.observations())
    truth, header = rehearsal.truth(), rehearsal.header
    gaps = choose(observations, seed, case.gaps) if case.gaps else []
    if gaps:
        header, observations = replace(header, nodes=nodes()), with_gaps(observations, gaps)
    begun = time.perf_counter()
    if case.through == "moves":
        report = compare_moves(truth, _tracks(header, observations))
    else:
        report = judge(header, observations, truth)
    took = time.perf_counter() - begun
    return {
        "key": case.key,
        "seed": seed,
        "row": case.row,
        "clean": report.clean,
        "observations": len(observations),
        "seconds": round(took, 3),
        "gaps": [[name, gap.start, gap.end, gap.snapped] for name, gap in gaps],
        "report": report.to_json(),
    }


def _staged(case: Case) -> tuple[Rehearsal, int]:
    """The case as it is played, and by which seed: where the row can happen in no deal of its own, in a later one."""
    rows = (case.row,) if case.row else ()
    for seed in range(case.seed, case.seed + _TRIES * _FURTHER, _FURTHER):
        try:
            return prepare(case.rules, seed, case.deals, rows, case.noise, habits=case.habits), seed
        except RehearsalError:
            continue
    raise RehearsalError(
        f"{case.row} can be staged with none of {_TRIES} seeds from {case.seed} on: take another --seed"
    )


def _tracks(header: Header, observations: Iterable[Observation]) -> list[Track]:
    tracker = Tracker(header)
    tracks: list[Track] = []
    for observation in observations:
        tracks += tracker.feed(observation)
    return tracks + tracker.close()


def fingerprint() -> str:
    """A short digest of the code that results depend on: a result of other code is not taken over."""
    digest = hashlib.sha256()
    for package in (hw, table_service):
        root = Path(str(package.__file__)).parent
        for path in sorted([*root.rglob("*.py"), *root.rglob("*.toml")]):
            digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def cases(
    clean: int,
    each: int,
    rows: Sequence[str],
    noise: str,
    seed: int,
    deals: int,
    through: str = "table",
    habits: str = "lively",
    gaps: str = "",
) -> list[Case]:
    """``clean`` rounds without a fault and ``each`` with every row, on seeds of their own from ``seed`` on."""
    common: Object = {"through": through, "habits": habits, "gaps": gaps}
    found = [Case(seed + n, None, noise, deals, **common) for n in range(clean)]
    for place, row in enumerate(rows, start=1):
        found += [Case(seed + 100_000 * place + n, row, noise, deals, **common) for n in range(each)]
    return found


def prove(todo: Sequence[Case], kept: Path | None, jobs: int, tell: Callable[[Object], None]) -> list[Object]:
    """Run ``todo``, taking over what ``kept`` holds from the same code; results in the order of ``todo``."""
    code = fingerprint()
    done: dict[str, Object] = {}
    if kept is not None and kept.exists():
        for line in kept.read_text(encoding="utf-8").splitlines():
            result = _result(line)
            if result is not None and result.get("code") == code:
                done[result["key"]] = result
    missing = [case for case in todo if case.key not in done]
    for result in _run(missing, jobs):
        result["code"] = code
        done[result["key"]] = result
        tell(result)
        if kept is not None:
            with kept.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(result) + "\n")
    return [done[case.key] for case in todo]


def _result(line: str) -> Object | None:
    try:
        result = json.loads(line)
    except json.JSONDecodeError:
        return None  # the line that a cut-off run did not finish
    return result if isinstance(result, dict) and "key" in result else None


def _run(missing: Sequence[Case], jobs: int) -> Iterable[Object]:
    if jobs <= 1 or len(missing) < 2:
        yield from map(run_case, missing)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(run_case, missing)


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 0 where every case is without a flaw, 1 where not, 2 used wrongly."""
    parser = argparse.ArgumentParser(prog="python -m table_service.rehearsal.prove", description=__doc__)
    parser.add_argument("--clean", type=int, default=20, help="rounds without a fault")
    parser.add_argument("--each", type=int, default=20, help="rounds with each row")
    parser.add_argument("--faults", default="all", help=f"rows, or all: {','.join(KINDS)}")
    parser.add_argument("--noise", default="normal", choices=LEVELS)
    parser.add_argument("--seed", type=int, default=1000, help="the first seed")
    parser.add_argument("--deals", type=int, default=1, help="deals in a clean round")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--through", default="table", choices=("table", "moves"))
    parser.add_argument("--habits", default="lively", choices=HABITS, help="how people handle the table")
    parser.add_argument("--gaps", default="", choices=BRANDS, help="sensors are not heard for 3 to 30 s, told or not")
    parser.add_argument("--kept", type=Path, help="results case by case; a later run goes on from there")
    parser.add_argument("--json", type=Path, help="where the figures are written")
    parser.add_argument("--markdown", type=Path, help="where the figures are written as tables")
    parser.add_argument("--into", type=Path, help="a page that has marks for them, as docs/proof.md has")
    parser.add_argument("--quiet", action="store_true", help="the table alone, no flaws one by one")
    given = parser.parse_args(arguments)
    conditions = Conditions(
        given.noise,
        given.habits,
        given.seed,
        given.clean,
        given.each,
        given.deals,
        fingerprint(),
        commit_here(),
        given.gaps,
    )
    try:
        rows = rows_named(given.faults)
        clean, each = given.clean, given.each
        todo = cases(clean, each, rows, given.noise, given.seed, given.deals, given.through, given.habits, given.gaps)
        results = prove(todo, given.kept, given.jobs, lambda _result: None)
    except (UnknownFault, RehearsalError) as error:
        print(error, file=sys.stderr)
        return 2
    if not given.quiet:
        for result in results:
            print("\n".join(flaws(result)), end="\n" if flaws(result) else "")
    figures = summary(results)
    print(table_of(figures))
    if given.json is not None:
        given.json.write_text(
            json.dumps({"conditions": asdict(conditions), "figures": figures, "results": results}, indent=1) + "\n",
            encoding="utf-8",
        )
    if given.markdown is not None:
        given.markdown.write_text(markdown(figures, conditions), encoding="utf-8")
    if given.into is not None:
        try:
            put_into(given.into, conditions.mark, markdown(figures, conditions))
        except (OSError, ValueError) as error:
            print(error, file=sys.stderr)
            return 2
    return 0 if all(not flaws(result) for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
