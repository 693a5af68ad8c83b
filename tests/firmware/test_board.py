"""The firmware for real pins against simulated chips, under a real MicroPython and under CPython.

What is checked stands in ``check_chips.py`` and ``check_board.py``, one function a statement; here each is one test.
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
SCRIPTS = ("check_chips", "check_board")
NODE, CHIPS, SCHEMA = ROOT / "hw" / "node", ROOT / "lab" / "chips", ROOT / "hw" / "link_schema.json"
LONG = "check_board"
"""Half a minute and more of processor time under each interpreter: not for `make quick`."""
CHECKS = [
    pytest.param(script, check, marks=[pytest.mark.slow] if script == LONG else [])
    for script in SCRIPTS
    for check in re.findall(r"^def check_(\w+)\(\)", (HERE / f"{script}.py").read_text(), re.MULTILINE)
]
INTERPRETERS = ("cpython", "micropython")


@cache
def outcome(interpreter: str, script: str) -> dict[str, str] | str:
    """What each check said, or why it could not be run."""
    path = HERE / f"{script}.py"
    arguments = [str(path), str(NODE), str(CHIPS), str(SCHEMA)]
    if interpreter == "cpython":
        command = [sys.executable, *arguments]
    else:
        try:
            found = find()
        except NoMicroPython as reason:
            return str(reason)
        command = [*found.command, *arguments]
        if found.kind == "npm":
            code = f"import {script}; {script}.main('/node', '/node', '/node/link_schema.json')"
            sims = [CHIPS / f"{name}_sim.py" for name in ("iso15693", "pn5180", "i2c", "chips")]
            files = [*NODE.glob("*.py"), NODE / "pins.json", SCHEMA, path, *sims]
            node, library = found.command
            command = [node, str(HERE / "run_wasm.mjs"), library, code, *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    told = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
    return told | {"": (done.stdout + done.stderr)[-2000:]}


@pytest.mark.parametrize(("script", "check"), CHECKS)
@pytest.mark.parametrize("interpreter", INTERPRETERS)
@pytest.mark.xdist_group("board")
def test_on_simulated_chips(interpreter: str, script: str, check: str) -> None:
    told = outcome(interpreter, script)
    if isinstance(told, str):
        pytest.skip(told)
    assert told.get(check, told[""]) == "ok"
