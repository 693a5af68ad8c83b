"""The firmware for real pins against simulated chips, under a real MicroPython and under CPython.

What is checked stands in ``check_board.py``, one function a statement; here each is one test.
"""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from hw.twin.provide_micropython import NoMicroPython, find

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SCRIPT = HERE / "check_board.py"
NODE, TWIN, SCHEMA = ROOT / "hw" / "node", ROOT / "hw" / "twin", ROOT / "hw" / "link_schema.json"
CHECKS = re.findall(r"^def check_(\w+)\(\)", SCRIPT.read_text(), re.MULTILINE)
INTERPRETERS = ("cpython", "micropython")


@cache
def outcome(interpreter: str) -> dict[str, str] | str:
    """What each check said, or why it could not be run."""
    arguments = [str(SCRIPT), str(NODE), str(TWIN), str(SCHEMA)]
    if interpreter == "cpython":
        command = [sys.executable, *arguments]
    else:
        try:
            found = find()
        except NoMicroPython as reason:
            return str(reason)
        command = [*found.command, *arguments]
        if found.kind == "npm":
            code = "import check_board; check_board.main('/node', '/node', '/node/link_schema.json')"
            sims = [TWIN / "pn5180_sim.py", TWIN / "chips_sim.py"]
            files = [*NODE.glob("*.py"), NODE / "pins.json", SCHEMA, SCRIPT, *sims]
            node, library = found.command
            command = [node, str(HERE / "run_wasm.mjs"), library, code, *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    told = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
    return told | {"": (done.stdout + done.stderr)[-2000:]}


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("interpreter", INTERPRETERS)
@pytest.mark.xdist_group("board")
def test_on_simulated_chips(interpreter: str, check: str) -> None:
    told = outcome(interpreter)
    if isinstance(told, str):
        pytest.skip(told)
    assert told.get(check, told[""]) == "ok"
