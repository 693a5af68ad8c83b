"""``python -m tests.independent.run --seeds 0-9 --kinds clean,F-31a``: logs of this generator through the program."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.independent.game import KINDS
from tests.independent.judge import judge, make, replay
from tests.independent.wordings import SOFT, TRAITS, WORDINGS


def one(kind, seed, folder, wording="as it is"):
    """What the program got wrong of one log."""
    path = Path(folder) / f"{kind}-{seed}.jsonl"
    truth = make(kind, seed, path, wording)
    wrong = judge(truth, replay(path), soft=wording in SOFT)
    path.unlink()
    return wrong


def main(arguments=None):
    """Print a table; 0 where everything was right, 1 where not, 2 used wrongly."""
    parser = argparse.ArgumentParser(prog="python -m tests.independent.run", description=__doc__)
    parser.add_argument("--seeds", default="0-4", help="first-last")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--wordings", default="as it is", help="names with commas, or all, or soft (sensors that fail)")
    parser.add_argument("--quiet", action="store_true", help="the table alone")
    given = parser.parse_args(arguments)
    kinds = given.kinds.split(",")
    strange = [kind for kind in kinds if kind not in KINDS]
    first, _, last = given.seeds.partition("-")
    if strange or not first.isdecimal() or not (last or first).isdecimal():
        print(f"kinds are {', '.join(KINDS)}; seeds are written as 0-9", file=sys.stderr)
        return 2
    seeds = range(int(first), int(last or first) + 1)
    every = [*WORDINGS, *TRAITS, *SOFT]
    wordings = {"all": every, "soft": list(SOFT)}.get(given.wordings, given.wordings.split(","))
    if strange := [wording for wording in wordings if wording not in every]:
        print(f"no such wording: {', '.join(strange)}; there are {', '.join(every)}", file=sys.stderr)
        return 2
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            results = {(seed, wording): one(kind, seed, folder, wording) for seed in seeds for wording in wordings}
            right = sum(not wrong for wrong in results.values())
            bad += len(results) - right
            print(f"{kind:8}{right:5} of {len(results)} right", flush=True)
            for (seed, wording), wrong in results.items() if not given.quiet else ():
                for line in wrong[:6]:
                    print(f"    seed {seed} [{wording}]: {line}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
