"""The logs of a corpus: which there are, and how each is made. See ``tools/corpus.py``."""

from __future__ import annotations

import contextlib
import itertools
import random
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hw.observation_log import Header, read_log  # noqa: E402
from hw.observations import Observation  # noqa: E402
from table_service.events import event_to_json  # noqa: E402
from table_service.rehearsal.game_rehearsal import RehearsalError, rehearsal_of  # noqa: E402
from table_service.rehearsal.rehearse import Rehearsal, prepare  # noqa: E402
from table_service.rulesets import rule_set  # noqa: E402
from table_service.table.resuming import newest_round, resumed  # noqa: E402

GROUPS: Final = ("clean", "rows", "rough", "ruled", "restarts", "independent", "codes")
RULES: Final = "fibur2024"
OTHERS: Final = ("feburit", "online", "tarocco", "bridge")
"""The rule sets of the group ``codes``."""
_SEED: Final = 150_000
_TRIES: Final = 6
_RESTARTED: Final = "000001"
"""The boot of the events before a restart."""


class CorpusError(ValueError):
    """A corpus that cannot be recorded or compared with; the message says why."""


@dataclass(frozen=True, slots=True)
class Case:
    """One log to be made. ``row``: the fault that is staged; ``name``: of the file and, in a case, of the script.

    ``stage``: when the arbitro rules on it, a stage of the game; None: when, and whether, as it comes.
    """

    name: str
    group: str
    seed: int
    deals: int = 1
    row: str | None = None
    noise: str = "normal"
    habits: str = "lively"
    stage: str | None = None
    rules: str = RULES


def cases() -> list[Case]:
    """Every log of a corpus, group by group."""
    from tests.independent.cases import CASES

    seeds, kinds = itertools.count(_SEED), [*rehearsal_of(RULES).kinds]
    found = [Case(f"clean-{n}", "clean", next(seeds)) for n in range(30)]
    found += [Case(f"clean-tidy-{n}", "clean", next(seeds), noise="none", habits="tidy") for n in range(6)]
    found += [Case(f"clean-round-{n}", "clean", next(seeds), deals=2 + n // 3) for n in range(6)]
    found += [Case(f"{row}-{n}", "rows", next(seeds), row=row) for row in kinds for n in range(2)]
    found += [Case(f"rough-{n}", "rough", next(seeds), noise="rough") for n in range(15)]
    found += [Case(f"rough-{row}", "rough", next(seeds), row=row, noise="rough") for row in kinds[::3]]
    found += [Case(f"restart-{n}", "restarts", next(seeds), deals=2) for n in range(10)]
    found += [Case(name, "independent", 70) for name in CASES]
    return [*found, *_ruled(itertools.count(_SEED + 1_000)), *_of_other_codes(itertools.count(_SEED + 2_000))]


def _ruled(seeds: Iterator[int]) -> Iterator[Case]:
    """Every fourth row that can be ruled, in each stage in which it can be."""
    game = rehearsal_of(RULES)
    for row in [*game.kinds][::4]:
        for stage in game.stages:
            if game.can_be_ruled(row, stage):
                yield Case(f"ruled-{row}-{stage}", "ruled", next(seeds), row=row, stage=stage)


def _of_other_codes(seeds: Iterator[int]) -> Iterator[Case]:
    """Yield the cases of the other rule sets: clean deals, and every row that is staged."""
    for rules in OTHERS:
        yield from (Case(f"{rules}-clean-{n}", "codes", next(seeds), rules=rules) for n in range(4))
        for row in rehearsal_of(rules).kinds:
            yield Case(f"{rules}-{row}", "codes", next(seeds), row=row, rules=rules)


def chosen(groups: Sequence[str], every: int) -> list[Case]:
    """Each ``every``-th case of each of ``groups``."""
    return [case for group in groups for case in [one for one in cases() if one.group == group][::every]]


def logs_of(case: Case) -> list[tuple[str, Header, list[Observation]]]:
    """Return the logs of ``case``, each with its name; two if the table is started again. Raises CorpusError."""
    if case.group == "independent":
        return [(case.name, *_independent(case))]
    rehearsal = _staged(case)
    observations = list(rehearsal.observations())
    if case.group != "restarts":
        return [(case.name, rehearsal.header, observations)]
    header, before, after = _cut(rehearsal.header, observations, random.Random(case.seed))  # noqa: S311 - seeded
    return [(f"{case.name}-before", rehearsal.header, before), (f"{case.name}-after", header, after)]


def _staged(case: Case) -> Rehearsal:
    """Return the rehearsed round of ``case``, by a later seed if its row can happen in no deal of its own."""
    rows = (case.row,) if case.row else ()
    for seed in range(case.seed, case.seed + _TRIES * 10_000, 10_000):
        with contextlib.suppress(RehearsalError):
            return prepare(case.rules, seed, case.deals, rows, case.noise, habits=case.habits, stage=case.stage)
    raise CorpusError(f"{case.name} can be staged with none of {_TRIES} seeds from {case.seed} on")


def _independent(case: Case) -> tuple[Header, list[Observation]]:
    """Return the log that tests/independent writes of one of its cases."""
    from tests.independent.cases import CASES, log_of
    from tests.independent.oracle import write

    log = log_of(CASES[case.name], case.seed)
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "case.jsonl"
        write(log.header, log.lines, path)
        header, observations = read_log(path)
        return header, list(observations)


def _cut(
    header: Header, observations: Sequence[Observation], rng: random.Random
) -> tuple[Header, list[Observation], list[Observation]]:
    """Return a log cut in two where the table was started again: the second header, and the observations of each."""
    at = rng.randrange(len(observations) // 3, len(observations))
    before, rest = list(observations[:at]), observations[at:]
    restart = before[-1].t
    after = [replace(one, t=round(one.t - restart, 6)) for one in rest if one.t >= restart]
    again = replace(header, started="2026-11-29T15:00:00Z")
    return resumed(again, round_of(header, before)), before, after


def round_of(header: Header, observations: Iterable[Observation]) -> list[dict[str, Any]]:
    """Return what a table that is started again after ``observations`` knows of its round."""
    table = rule_set(header.rules).open_fold(header, _RESTARTED)
    return newest_round(event_to_json(event) for one in observations for event in table.feed(one))
