"""``python -m table_service.rehearsal``: write one rehearsed log and its truth."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from hw.twin.noise import LEVELS, NoiseError
from table_service.rehearsal.faults import KINDS, UnknownFault, rows_named
from table_service.rehearsal.rehearse import RULES, RehearsalError, rehearse, truth_path


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 0 done, 1 could not be written, 2 used wrongly."""
    parser = argparse.ArgumentParser(prog="python -m table_service.rehearsal", description=__doc__)
    parser.add_argument("--rules", default=RULES[0], help=f"one of {', '.join(RULES)}")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--deals", type=int, help="how many deals; else one for each fault")
    parser.add_argument("--faults", default="", help=f"rows, or all: {','.join(KINDS)}")
    parser.add_argument("--noise", default="normal", choices=LEVELS)
    parser.add_argument("--log", type=Path, required=True)
    given = parser.parse_args(arguments)
    try:
        truth = rehearse(given.rules, given.seed, given.log, given.deals, rows_named(given.faults), given.noise)
    except (RehearsalError, UnknownFault, NoiseError) as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"cannot write {given.log}: {error.strerror or error}", file=sys.stderr)
        return 1
    print(f"{given.log} and {truth_path(given.log)}: {len(truth.actions)} actions, {truth.until_t:.0f} s of play")
    return 0


if __name__ == "__main__":
    sys.exit(main())
