"""An interrupt ends the demo at once, wherever it is: exit code 1, one sentence, nothing left behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hw.twin.provide_micropython import NoMicroPython, find
from table_service.journal import audit
from tests.sweeps import rest_in_proof

ROOT = Path(__file__).resolve().parents[2]
HANGS_S = 60
"""A hang is meant, not slowness: it used to take minutes."""


@pytest.mark.slow(seconds=20)
@pytest.mark.parametrize(
    ("when", "options", "ignored"),
    rest_in_proof(
        [
            (r"^\s+10 %", ["--headless", "--deals", "1", "--seed", "1136"], False),  # pictures wait to be read
            (r"players' screen", ["--auto"], True),  # the journal is open; a shell that ignores interrupts
            (r"http://\S+", ["--headless"], False),  # the parts are still being started
        ],
        2,
    ),
)
def test_an_interrupt_ends_the_demo_at_once(tmp_path: Path, when: str, options: list[str], *, ignored: bool) -> None:
    try:
        find()
    except NoMicroPython as reason:
        pytest.skip(str(reason))
    command = [sys.executable, "-m", "table_service.cli", "demo", "--lang", "en", "--keep", str(tmp_path), *options]
    if ignored:
        command = ["/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh", *command]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    said = []
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
        env=environment,
        start_new_session=True,
    ) as demo:
        assert demo.stdout is not None
        for line in demo.stdout:
            said.append(line)
            if re.search(when, line):
                break
        os.killpg(demo.pid, signal.SIGINT)  # as a terminal does it: every process hears it
        try:
            rest, _ = demo.communicate(timeout=HANGS_S)
        except subprocess.TimeoutExpired:
            demo.kill()
            raise
    output = "".join([*said, rest])
    assert demo.returncode == 1, output
    assert "interrupted" in output
    assert "Traceback" not in output
    assert "rror" not in rest, rest
    assert not (tmp_path / "T1.sqlite-wal").exists(), "the journal was closed in order"
    if (tmp_path / "T1.sqlite").exists():
        assert audit(tmp_path / "T1.sqlite", evidence=tmp_path / "evidence").whole
