"""The reader's runtime keeps no number of the machine and reports to nobody."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

OPENS = "from vision.finder import WEIGHTS, open_model; open_model(WEIGHTS / 'reader.onnx')"


def test_reading_cards_leaves_nothing_in_the_home_folder(tmp_path: Path) -> None:
    told = {name: value for name, value in os.environ.items() if not name.startswith(("ORT_", "XDG_"))}
    subprocess.run([sys.executable, "-c", OPENS], env={**told, "HOME": str(tmp_path)}, check=True)
    assert list(tmp_path.rglob("*")) == []
