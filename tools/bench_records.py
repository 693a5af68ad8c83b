"""How many boards a second of CPU ``tavolo pbn check`` judges of given files, and of how many it says what is wrong.

``python tools/bench_records.py FILE…``: a line a file and one for all, the best of five passes each.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from table_service.games.bridge.pbn.check import check_file, is_bad

_PASSES: Final = 5
_AT_LEAST_S: Final = 0.2
"""A pass repeats its files for so long: shorter times are the clock's."""


def boards_a_second(files: Sequence[tuple[str, bytes]]) -> float:
    """Boards a second of CPU, the best of some passes over ``files`` (names with their bytes)."""
    best = 0.0
    for _ in range(_PASSES):
        boards, began = 0, time.process_time()
        while (spent := time.process_time() - began) < _AT_LEAST_S:
            boards += sum(sum(1 for _ in check_file(data, name)) for name, data in files)
        best = max(best, boards / spent)
    return best


def main(names: Sequence[str]) -> int:
    """Print the figures of the files ``names``; 2 where none is given."""
    if not names:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    files = [(name, Path(name).read_bytes()) for name in names]
    for about, some in [*((name, [one]) for name, one in zip(names, files, strict=True)), ("all", files)]:
        answers = [answer for name, data in some for answer in check_file(data, name)]
        wrong = sum(map(is_bad, answers))
        told = sum(bool(answer["errors"]) for answer in answers)
        rate = f"{boards_a_second(some):.0f} a second" if answers else "no board"
        print(f"{Path(about).name}: {len(answers)} boards, {wrong} not sound, {told} with errors, {rate}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
