"""Sdist and wheel are whole: installed into a bare environment, the command runs and a rehearsed deal is counted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.sweep
@pytest.mark.timeout(900)
def test_the_wheel_made_from_the_sdist_replays_a_deal_in_a_bare_environment(tmp_path: Path) -> None:
    command = [sys.executable, "tools/try_wheel.py", "--offline", "--out", str(tmp_path / "dist")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "replay" in done.stdout
    made = {path.name.partition("-")[0] + path.suffix for path in (tmp_path / "dist").iterdir()}
    assert made == {"tavolo_table.whl", "tavolo_table.gz"}
