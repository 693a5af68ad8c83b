"""The cases through the program: ``python -m tests.independent.cases --seeds 0-4 --wordings all``."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tests.independent import (  # noqa: F401 - they fill the book
    cases_ends,
    cases_looks,
    cases_melds,
    cases_open,
    cases_orders,
    cases_people,
    cases_rounds,
    cases_turns,
    cases_wrong_turns,
)
from tests.independent.casebook import CASES, log_of
from tests.independent.oracle import compare, folded, only_true, replayed, shape, write
from tests.independent.scoring import scores
from tests.independent.sensing import Traits
from tests.independent.wordings import SOFT, TRAITS, WORDINGS, worded

SHIFTS = {"late start": 3600.25}
WITHOUT = {
    "no beams": "beams",
    "no seats": "beams",
    "no gates": "gates",
    "no shields": "shields",
    "bare header": "shields",
}


def one(name, seed, folder, wording="as it is", whole=False):
    """What the program gets wrong of one case in one wording; None where the case cannot be told in it."""
    case = CASES[name]
    if WITHOUT.get(wording) in case.needs:
        return None
    rng = random.Random(f"{name}/{seed}/{wording}")
    traits = Traits(holes=rng.random() < 0.5, **TRAITS.get(wording, {}))
    log = log_of(case, seed, traits)
    header, lines = worded(wording, log.header, log.lines, seed) if wording not in TRAITS else (log.header, log.lines)
    path = Path(folder) / f"{name}-{seed}.jsonl"
    write(header, lines, path)
    try:
        events = replayed(path) if whole else folded(path)
    except Exception as trouble:  # noqa: BLE001 - whatever it says is the finding
        return [f"raised {type(trouble).__name__}: {trouble}"]
    if wording in SOFT:
        return only_true(log.stage, events)
    wrong = compare(log.stage, events, SHIFTS.get(wording, 0.0), known_seats=traits.beams)
    return wrong + scores(log.stage, events, strict=wording == "no errors") + shape(events)


def main(arguments=None):
    """Print what is wrong, by case; 0 where nothing is, 1 where something is, 2 used wrongly."""
    parser = argparse.ArgumentParser(prog="python -m tests.independent.cases", description=__doc__)
    parser.add_argument("--seeds", default="0-2", help="first-last")
    parser.add_argument("--cases", default="all", help="parts of names, with commas")
    parser.add_argument("--wordings", default="as it is", help="names, or all, or soft, or some:N")
    parser.add_argument("--keep", help="folder for the logs")
    parser.add_argument("--quiet", action="store_true")
    given = parser.parse_args(arguments)
    first, _, last = given.seeds.partition("-")
    every = [*WORDINGS, *TRAITS, *SOFT]
    named = {"all": every, "soft": list(SOFT)}.get(given.wordings, given.wordings.split(","))
    if given.wordings.startswith("some:"):
        named = every
    if strange := [name for name in named if name not in every]:
        print(f"no such wording: {', '.join(strange)}; there are: {', '.join(every)}", file=sys.stderr)
        return 2
    parts = [""] if given.cases == "all" else given.cases.split(",")
    chosen = [name for name in CASES if any(part in name for part in parts)]
    bad = runs = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen:
            for seed in range(int(first), int(last or first) + 1):
                some = named
                if given.wordings.startswith("some:"):
                    some = random.Random(f"some/{name}/{seed}").sample(named, int(given.wordings[5:]))
                for wording in some:
                    wrong = one(name, seed, given.keep or folder, wording)
                    runs += wrong is not None
                    if wrong:
                        bad += 1
                        print(f"{name} [{wording}] seed {seed}", flush=True)
                        for line in wrong[:5]:
                            print(f"    {line}")
    print(f"{runs - bad} of {runs} right")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
