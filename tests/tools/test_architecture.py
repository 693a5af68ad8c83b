"""The drawing of the architecture is the one that the contracts and the rooms themselves tell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_drawing_is_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "tools" / "make_architecture.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_room_stands_in_the_drawing() -> None:
    drawing = (ROOT / "docs" / "architecture.svg").read_text(encoding="utf-8")
    parts = (ROOT / "table_service").iterdir()
    rooms = {path.stem for path in parts if path.suffix == ".py" or (path / "__init__.py").exists()} - {"__init__"}
    assert {room for room in rooms if f">{room}<" not in drawing} == set()
