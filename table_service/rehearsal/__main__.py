"""``python -m table_service.rehearsal``: write one rehearsed log and its truth."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from hw.twin.noise import LEVELS, NoiseError
from table_service.rehearsal.game_rehearsal import (
    RehearsalError,
    UnknownFault,
    default_rules,
    rehearsal_of,
    rehearsed_rules,
    rows_named,
)
from table_service.rehearsal.rehearse import rehearse, truth_path


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 0 done, 1 could not be written, 2 used wrongly."""
    parser = argparse.ArgumentParser(prog="python -m table_service.rehearsal", description=__doc__)
    parser.add_argument("--rules", default=default_rules(), help=f"one of {', '.join(rehearsed_rules())}")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--deals", type=int, help="how many deals; else one for each fault")
    parser.add_argument("--faults", default="", help=f"rows, or all: {','.join(rehearsal_of(default_rules()).kinds)}")
    parser.add_argument("--noise", default="normal", choices=LEVELS)
    parser.add_argument("--log", type=Path, required=True)
    given = parser.parse_args(arguments)
    try:
        rows = rows_named(given.faults, rehearsal_of(given.rules).kinds)
        truth = rehearse(given.rules, given.seed, given.log, given.deals, rows, given.noise)
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
