"""`tools/bench_records.py` counts boards, those not sound and those with errors, and how fast they are judged."""

import re
import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "bench_records.py"


def test_boards_of_files_are_counted_and_timed(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.pbn", tmp_path / "bad.lin"
    good.write_text('[Board "1"]\n[Date "ieri"]\n\n[Board "2"]\n')
    bad.write_text("md|3SAKX,,,|")
    told = subprocess.run(
        [sys.executable, str(TOOL), str(good), str(bad)], capture_output=True, text=True, check=True, timeout=60
    )
    lines = [re.sub(r"\d+ a second", "N a second", line) for line in told.stdout.splitlines()]
    assert lines == [
        "good.pbn: 2 boards, 0 not sound, 1 with errors, N a second",
        "bad.lin: 1 boards, 1 not sound, 1 with errors, N a second",
        "all: 3 boards, 1 not sound, 2 with errors, N a second",
    ]
