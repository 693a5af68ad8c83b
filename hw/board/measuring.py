"""``python -m hw.board.measuring LOG [--noise OUT]``: what a bench log measured, and the noise file it makes."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from hw.board.bench_figures import ENOUGH, measure, written
from hw.observation_log import LogError, read_log

ASSUMED = Path(__file__).parent.parent / "noise.toml"


def main(arguments: list[str] | None = None) -> int:
    """Return the exit code: 1 for a log that cannot be read or holds no bench step, 2 used wrongly."""
    parser = argparse.ArgumentParser(prog="python -m hw.board.measuring", description=__doc__)
    parser.add_argument("log", type=Path)
    parser.add_argument("--noise", type=Path, help="write a noise file with what was measured")
    given = parser.parse_args(arguments)
    try:
        figures = measure(read_log(given.log)[1])
    except (LogError, OSError) as error:
        sys.stderr.write(f"tavolo: {given.log}: {error}\n")
        return 1
    if not figures:
        sys.stderr.write(f"tavolo: {given.log} holds no bench step; docs/board.md tells how one is recorded\n")
        return 1
    for one in figures:
        span = f"   {one.low:.4f} to {one.high:.4f} (95 %)" if one.is_rate else ""
        few = "" if one.enough else f"   too few tries: at least {ENOUGH} are needed"
        sys.stdout.write(f"{one.name:24}{one.value:10.4f}   {one.count} of {one.tries}{span}{few}\n")
    if given.noise is not None:
        try:
            given.noise.write_text(written(ASSUMED.read_text("utf-8"), figures), "utf-8")
        except OSError as error:
            sys.stderr.write(f"tavolo: cannot write {given.noise}: {error.strerror}\n")
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
