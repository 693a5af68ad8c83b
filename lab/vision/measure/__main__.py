"""Run one suite of counts: ``python -m lab.vision.measure SUITE [OPTIONS]``, ``SUITE --help`` for its options."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Final

SUITES: Final = ("tables", "bidding", "by_cards", "faces", "rows", "scenes", "small", "tray_rows", "tricks", "votes")


def main() -> None:
    """Run the suite that the command line names; exit with 2 if it names none."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in SUITES:
        print(f"usage: python -m lab.vision.measure SUITE [OPTIONS]; SUITE is one of {', '.join(SUITES)}")
        sys.exit(0 if name in ("-h", "--help") else 2)
    suite = import_module(f"lab.vision.measure.{name}")
    sys.argv = [f"python -m lab.vision.measure {name}", *sys.argv[2:]]
    suite.main()


if __name__ == "__main__":
    main()
