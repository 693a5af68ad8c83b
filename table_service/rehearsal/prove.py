"""``python -m table_service.rehearsal.prove``: many rehearsed deals through the whole table, and the results.

Every case (a seed, a fault or none, a level of noise) is played, replayed through the table's fold and compared with
its truth. Results are kept case by case with a fingerprint of the code, so that an interrupted run can continue.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import hw
import table_service
from hw.observation_log import Header
from hw.observations import Observation
from hw.twin.noise import LEVELS
from table_service.events import event_to_json
from table_service.rehearsal.game_rehearsal import (
    GameRehearsal,
    JudgedFold,
    RehearsalError,
    UnknownFault,
    default_rules,
    rehearsal_of,
    rehearsed,
    rehearsed_rules,
    rows_named,
)
from table_service.rehearsal.proof_cases import listed, table_of_cases
from table_service.rehearsal.proof_page import Conditions, commit_here, markdown, put_into
from table_service.rehearsal.proof_report import flaws, summary, table_of
from table_service.rehearsal.proof_ruled import ruled_figures, ruled_markdown
from table_service.rehearsal.rehearse import Rehearsal, prepare
from table_service.rehearsal.sensing_gaps import BRANDS, choose, nodes, one_loss, with_gaps
from table_service.rehearsal.sensing_steps import STEPS, WHOLE
from table_service.rehearsal.truth import Truth
from table_service.rehearsal.truth_check import TruthReport, compare
from table_service.tracking.movements import Track
from table_service.tracking.tracker import Tracker

Object = dict[str, Any]
_TRIES: Final = 24
"""Seeds that are tried for one case."""
_TRIES_STAGED: Final = 2
"""Seeds for one whose ruling has to come in a turn that is asked for: not every deal of every seed has it."""
_FURTHER: Final = 10_000
"""Distance of the next seed, so that no other case of the run has it."""


def table_fold(header: Header) -> JudgedFold:
    """Return the table's own fold. Raises RehearsalError."""
    return rehearsed(header.rules).open_fold(header)


@dataclass(frozen=True, slots=True)
class ProofCase:
    """One round to be played: ``row`` None is a clean one. ``through``: ``table`` (events) or ``moves`` (tracking).

    ``gaps``: gaps in sensing, as ``sensing_gaps.choose`` takes them; empty if there are none.
    """

    seed: int
    row: str | None
    noise: str
    deals: int = 1
    rules: str = field(default_factory=default_rules)
    through: str = "table"
    habits: str = "lively"
    gaps: str = ""
    stage: str | None = None
    """When the arbitro rules on it (a stage of the game); None: when, and whether, as it comes."""
    players: int | None = None
    """Number of players; None: the usual one."""
    step: int = WHOLE
    """The step of sensors that the table has (``sensing_steps``)."""
    records: Path | None = None
    """A file whose deals are played as they are there; None: deals that the players make up."""

    @property
    def key(self) -> str:
        """Name of the case in a file of results."""
        key = f"{self.rules}/{self.noise}/{self.deals}/{self.row or 'clean'}/{self.seed}/{self.through}/{self.habits}"
        sitting = "" if self.players is None else f"{self.players} players"
        on = "" if self.step == WHOLE else f"step {self.step}"
        real = "" if self.records is None else self.records.name
        return "/".join(filter(None, (key, self.gaps, self.stage, sitting, on, real)))


def events_of(fold: JudgedFold, observations: Iterable[Observation]) -> tuple[list[Object], list[float], int]:
    """Return the events of ``observations`` with their secrets, the log's clock as each came out, how many were fed."""
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
    header: Header, observations: Sequence[Observation], truth: Truth, fold: Callable[[Header], JudgedFold] = table_fold
) -> TruthReport:
    """Replay ``observations`` through the table and compare with ``truth``."""
    events, arrivals, _ = events_of(fold(header), observations)
    return compare(truth, events, arrivals, observations)


def run_case(case: ProofCase) -> Object:
    """Play and judge ``case``; its report as an object, with how long the replay took and the seed that was played."""
    try:
        rehearsal, seed = _staged(case)
    except RehearsalError:
        if case.stage is None:
            raise
        return {"key": case.key, "seed": case.seed, "row": case.row, "stage": case.stage, "unstaged": True}
    observations = list(rehearsal.observations())
    truth, header = rehearsal.truth(), rehearsal.header
    game = rehearsal_of(case.rules, case.players)
    gaps = choose(observations, seed, case.gaps, game.table) if case.gaps else []
    if gaps:
        header, observations = replace(header, nodes=nodes(game.table)), with_gaps(observations, gaps)
    begun = time.perf_counter()
    if case.through == "moves":
        report = game.compare_moves(truth, _tracks(header, observations))
    else:
        report = judge(header, observations, truth)
    took = time.perf_counter() - begun
    return {
        "key": case.key,
        "seed": seed,
        "row": case.row,
        "stage": case.stage,
        "clean": report.clean,
        "observations": len(observations),
        "seconds": round(took, 3),
        "gaps": [[name, gap.start, gap.end, gap.snapped] for name, gap in gaps],
        "report": report.to_json(),
    }


def _staged(case: ProofCase) -> tuple[Rehearsal, int]:
    """Return the case as it is played, and its seed: a later one if the row can happen in no deal of its own."""
    rows = (case.row,) if case.row else ()
    tries = _TRIES if case.stage is None else _TRIES_STAGED
    records = b"" if case.records is None else case.records.read_bytes()
    how: Object = {"habits": case.habits, "stage": case.stage, "players": case.players, "step": case.step}
    for seed in range(case.seed, case.seed + tries * _FURTHER, _FURTHER):
        try:
            return prepare(case.rules, seed, case.deals, rows, case.noise, **how, records=records), seed
        except RehearsalError:
            if records:
                raise
    raise RehearsalError(
        f"{case.row} can be staged with none of {_TRIES} seeds from {case.seed} on: take another --seed"
    )


def _tracks(header: Header, observations: Iterable[Observation]) -> list[Track]:
    tracker = Tracker(header, rehearsed(header.rules).equipment)
    tracks: list[Track] = []
    for observation in observations:
        tracks += tracker.feed(observation)
    return tracks + tracker.close()


def fingerprint() -> str:
    """Return a short digest of the code that results depend on: a result of other code is not taken over."""
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
    rules: str = "",
) -> list[ProofCase]:
    """``clean`` rounds without a fault and ``each`` with every row, on seeds of their own from ``seed`` on."""
    common: Object = {"rules": rules or default_rules(), "through": through, "habits": habits, "gaps": gaps}
    found = [ProofCase(seed + n, None, noise, deals, **common) for n in range(clean)]
    for place, row in enumerate(rows, start=1):
        found += [ProofCase(seed + 100_000 * place + n, row, noise, deals, **common) for n in range(each)]
    return found


def cases_ruled(
    each: int, rows: Sequence[str], noise: str, seed: int, habits: str, stages: Sequence[str], rules: str = ""
) -> list[ProofCase]:
    """``each`` rounds of every row that can be ruled in each of ``stages``, on seeds of their own from ``seed`` on."""
    rules = rules or default_rules()
    game = rehearsal_of(rules)
    return [
        ProofCase(seed + 100_000 * place + 1_000 * number + n, row, noise, 1, rules, habits=habits, stage=stage)
        for place, row in enumerate(rows, start=1)
        for number, stage in enumerate(game.stages)
        if stage in stages and game.can_be_ruled(row, stage)
        for n in range(each)
    ]


def prove(todo: Sequence[ProofCase], kept: Path | None, jobs: int, tell: Callable[[Object], None]) -> list[Object]:
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


def _run(missing: Sequence[ProofCase], jobs: int) -> Iterable[Object]:
    if jobs <= 1 or len(missing) < 2:
        yield from map(run_case, missing)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(run_case, missing)


def _parser() -> argparse.ArgumentParser:
    usual = rehearsal_of(default_rules())
    parser = argparse.ArgumentParser(prog="python -m table_service.rehearsal.prove", description=__doc__)
    parser.add_argument("--rules", default=default_rules(), choices=rehearsed_rules())
    parser.add_argument("--clean", type=int, default=20, help="rounds without a fault")
    parser.add_argument("--each", type=int, default=20, help="rounds with each row")
    parser.add_argument("--faults", default="all", help=f"rows, or all: {','.join(usual.kinds)}")
    parser.add_argument("--noise", default="normal", choices=LEVELS)
    parser.add_argument("--seed", type=int, default=1000, help="the first seed")
    parser.add_argument("--deals", type=int, default=1, help="deals in a clean round")
    parser.add_argument("--players", type=int, help="how many sit at the table; else as usual")
    parser.add_argument("--step", type=int, default=WHOLE, choices=STEPS, help="sensors: 1 is a camera alone")
    parser.add_argument("--from", dest="records", type=Path, help="a file of deals: each clean round plays them")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--ruled", type=int, default=0, help="rounds of each row that can be ruled, in each stage")
    parser.add_argument("--stages", default="", help=f"when it is ruled: {', '.join(usual.stages)}")
    parser.add_argument("--through", default="table", choices=("table", "moves"))
    parser.add_argument("--habits", default="lively", help=f"how people handle the table: {', '.join(usual.habits)}")
    parser.add_argument(
        "--gaps",
        default="",
        help=f"sensors are not heard: {' or '.join(BRANDS)}, for 3 to 30 s, or once for as long as you say: scales:10",
    )
    parser.add_argument("--cases", type=Path, help="a list of cases to run instead, each with --each deals")
    parser.add_argument("--kept", type=Path, help="results case by case; a later run goes on from there")
    parser.add_argument("--json", type=Path, help="where the figures are written")
    parser.add_argument("--markdown", type=Path, help="where the figures are written as tables")
    parser.add_argument("--into", type=Path, help="a page that has marks for them, as docs/measured/deals.md has")
    parser.add_argument("--quiet", action="store_true", help="the table alone, no flaws one by one")
    return parser


def _asked(given: argparse.Namespace, game: GameRehearsal) -> list[ProofCase]:
    """Return the cases that the command line asks for. Raises UnknownFault, RehearsalError."""
    rules, noise, seed, habits = given.rules, given.noise, given.seed, given.habits
    rows = rows_named(given.faults, game.kinds)
    stages = given.stages.split(",") if given.stages else game.stages
    todo = cases(given.clean, given.each, rows, noise, seed, given.deals, given.through, habits, given.gaps, rules)
    todo += cases_ruled(given.ruled, rows, noise, seed, habits, stages, rules)
    if given.records is not None and (given.each or given.ruled):
        raise RehearsalError("deals of a file are played without faults: give --each 0 --ruled 0")
    return [replace(case, players=given.players, step=given.step, records=given.records) for case in todo]


def _listed(given: argparse.Namespace) -> int:
    """Run the list of ``--cases`` and print its table; 0 if no deal has a flaw, 1 if one has, 2 used wrongly."""
    try:
        todo = [
            (
                one.name,
                ProofCase(
                    given.seed + 1_000 * place + n, one.row, one.noise, 1, one.rules, gaps=one.gaps, stage=one.stage
                ),
            )
            for place, one in enumerate(listed(given.cases))
            for n in range(given.each)
        ]
        results = prove([case for _, case in todo], given.kept, given.jobs, lambda _result: None)
    except (OSError, ValueError, TypeError, UnknownFault, RehearsalError) as error:
        print(error, file=sys.stderr)
        return 2
    by_name: dict[str, list[Object]] = {}
    for (name, _), result in zip(todo, results, strict=True):
        by_name.setdefault(name, []).append(result)
        if not given.quiet:
            print("\n".join(flaws(result)), end="\n" if flaws(result) else "")
    print(table_of_cases(by_name))
    return int(any(flaws(result) for result in results))


def _written(given: argparse.Namespace, conditions: Conditions, figures: Object, ruled: str, regular: bool) -> None:
    """Write the figures to the places that the command line names. Raises OSError, and ValueError without a mark."""
    if given.markdown is not None:
        given.markdown.write_text(f"{markdown(figures, conditions)}\n{ruled}\n", encoding="utf-8")
    if given.into is None:
        return
    if regular:
        put_into(given.into, conditions.mark, markdown(figures, conditions))
    if ruled:
        put_into(given.into, "ruled", f"{conditions.sentence()}\n\n{ruled}\n")


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 0 if every case is without a flaw, 1 if not, 2 used wrongly."""
    given = _parser().parse_args(arguments)
    if given.cases is not None:
        return _listed(given)
    try:
        game = rehearsal_of(given.rules, given.players)
        if given.gaps not in ("", *BRANDS):
            one_loss(given.gaps, game.table)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
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
        given.ruled,
        given.rules,
        given.step,
    )
    try:
        results = prove(_asked(given, game), given.kept, given.jobs, lambda _result: None)
    except (OSError, UnknownFault, RehearsalError) as error:
        print(error, file=sys.stderr)
        return 2
    if not given.quiet:
        for result in results:
            print("\n".join(flaws(result)), end="\n" if flaws(result) else "")
    regular = [result for result in results if result.get("stage") is None]
    figures = summary(regular, game.kinds)
    figures["ruled"] = ruled_figures(results, game.kinds, game.stages)
    ruled = "\n".join(ruled_markdown(figures["ruled"], game.stages))
    print("\n".join(filter(None, (table_of(figures) if regular else "", ruled))))
    if given.json is not None:
        given.json.write_text(
            json.dumps({"conditions": asdict(conditions), "figures": figures, "results": results}, indent=1) + "\n",
            encoding="utf-8",
        )
    try:
        _written(given, conditions, figures, ruled, bool(regular))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0 if all(not flaws(result) for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
