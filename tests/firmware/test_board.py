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
"""Half a minute and more of processor time: not for `make quick`, as MicroPython is not."""
LONGEST = (
    *("who_was_there_stays_while_something_there_cannot_be_read", "one_reader_that_dies_leaves_the_others_reading"),
    *("a_reader_that_fails_says_how_and_reads_on_when_it_can", "a_reader_that_dies_is_told_and_so_is_its_return"),
    *("a_scale_that_cannot_know_says_why_and_never_zero_grams", "a_supply_that_an_input_tells_of_blinds_the_barriers"),
    "a_knock_is_told_once_through_a_peak_that_is_held_and_mostly_missed_without",
    "a_snapshot_does_not_call_empty_what_cannot_be_read",
    "an_expander_that_forgets_its_settings_is_told_and_set_anew",
    "the_link_speaks_on_while_every_scan_takes_as_long_as_it_may",
    "a_hall_switch_of_twenty_hertz_is_told_within_its_fifty_milliseconds",
    "a_barrier_that_stays_broken_is_told_and_a_resting_arm_is_not",
    "a_beam_broken_while_the_reader_listens_is_told_at_its_moment",
    "barriers_that_are_all_dark_at_once_are_a_supply_that_is_gone_and_no_reaches",
    "tags_that_differ_in_one_bit_at_either_end_are_told_apart",
    "a_tag_at_the_edge_is_missed_or_read_and_never_another",
    "a_chip_that_hangs_at_any_moment_is_an_error_and_not_an_empty_answer",
)
"""Checks that `make test` runs under CPython, and `make proof` under MicroPython too, where they take two minutes."""


def _marks(interpreter: str, script: str, check: str) -> list[pytest.MarkDecorator]:
    if interpreter == "cpython":
        return [pytest.mark.slow] if script == LONG else []
    return [pytest.mark.slow, pytest.mark.sweep] if check in LONGEST else [pytest.mark.slow]


INTERPRETERS = ("cpython", "micropython")
CHECKS = [
    pytest.param(interpreter, script, check, marks=_marks(interpreter, script, check))
    for interpreter in INTERPRETERS
    for script in SCRIPTS
    for check in re.findall(r"^def check_(\w+)\(\)", (HERE / f"{script}.py").read_text(), re.MULTILINE)
]


@cache
def outcome(interpreter: str, script: str, left_out: tuple[str, ...]) -> dict[str, str] | str:
    """What each check but those ``left_out`` said, or why it could not be run."""
    path = HERE / f"{script}.py"
    arguments = [str(path), str(NODE), str(CHIPS), str(SCHEMA), *left_out]
    if interpreter == "cpython":
        command = [sys.executable, *arguments]
    else:
        try:
            found = find()
        except NoMicroPython as reason:
            return str(reason)
        command = [*found.command, *arguments]
        if found.kind == "npm":
            given = ("/node", "/node", "/node/link_schema.json", *left_out)
            code = f"import {script}; {script}.main(*{given!r})"
            sims = [CHIPS / f"{name}_sim.py" for name in ("iso15693", "pn5180", "i2c", "chips")]
            files = [*NODE.glob("*.py"), NODE / "pins.json", SCHEMA, path, *sims]
            node, library = found.command
            command = [node, str(HERE / "run_wasm.mjs"), library, code, *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    told = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
    return told | {"": (done.stdout + done.stderr)[-2000:]}


@pytest.mark.parametrize(("interpreter", "script", "check"), CHECKS)
@pytest.mark.xdist_group("board")
def test_on_simulated_chips(interpreter: str, script: str, check: str) -> None:
    kept_back = LONGEST if interpreter == "micropython" and check not in LONGEST else ()
    told = outcome(interpreter, script, kept_back)
    if isinstance(told, str):
        pytest.skip(told)
    assert told.get(check, told[""]) == "ok"
