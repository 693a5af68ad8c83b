"""Parts that end are begun again, with a limit; a part that stands still starves the watchdog."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hw.cards import BURRACO
from table_service.commands.supervision import STORM_MOST, STORM_S, Beat, Supervisor


class Bench:
    """A supervisor with a clock of its own."""

    def __init__(self) -> None:
        self.now, self.said, self.stop = 1000.0, list[str](), threading.Event()
        self.parts = Supervisor(self.stop, self.said.append, lambda: self.now)


def until(wanted: Callable[[], Any], seconds: float = 20.0) -> Any:
    end = time.monotonic() + seconds
    while not (found := wanted()):
        assert time.monotonic() < end
        threading.Event().wait(0.01)
    return found


def test_a_part_that_fails_is_begun_again_and_the_reason_is_handed_on() -> None:
    bench, begun, told = Bench(), threading.Semaphore(0), list[str]()
    wrong = [True]

    def run(_beat: Beat) -> None:
        begun.release()
        if wrong[0]:
            BURRACO.parse("7C#x")
        bench.stop.wait(20)

    bench.parts.add("hearing", run, patience=5, on_restart=told.append)
    bench.parts.start()
    assert begun.acquire(timeout=20)
    wrong[0] = False
    until(lambda: bench.parts.check() and bench.parts.restarts == 1)
    assert begun.acquire(timeout=20)
    (why,) = told
    assert re.fullmatch(r"hearing stopped \(CardError at hw/cards\.py:\d+\)", why), "the error's place, not its text"
    assert not any("7C#x" in line for line in bench.said), "what is said goes to the log, and told is a public event"
    bench.stop.set()
    bench.parts.join(20)
    assert bench.parts.check()  # the end of the program is no failure


def test_a_part_that_fails_again_and_again_ends_the_program() -> None:
    bench = Bench()
    bench.parts.add("the camera", lambda _beat: None, patience=5)
    bench.parts.start()
    until(lambda: not bench.parts.check())
    assert bench.parts.restarts == STORM_MOST
    assert "begins anew" in bench.said[-1]


def test_a_part_that_fails_now_and_then_is_begun_again_for_ever() -> None:
    bench = Bench()
    bench.parts.add("the camera", lambda _beat: None, patience=5)
    bench.parts.start()
    for n in range(3 * STORM_MOST):
        bench.now += STORM_S / 2
        until(lambda wanted=n + 1: bench.parts.check() and bench.parts.restarts >= wanted)  # type: ignore[misc]


def test_a_part_that_stands_still_is_named_until_it_moves() -> None:
    bench, beats = Bench(), list[Beat]()
    there = threading.Event()

    def run(beat: Beat) -> None:
        beats.append(beat)
        there.set()
        bench.stop.wait(20)

    outbox = [1000.0]
    bench.parts.add("hearing", run, patience=15)
    bench.parts.watch("the outbox", lambda: outbox[0], patience=60)
    bench.parts.start()
    assert there.wait(20)
    bench.now += 16
    assert bench.parts.stuck() == {"hearing"}
    beats[0]()
    assert bench.parts.stuck() == frozenset()
    bench.now += 61
    assert bench.parts.stuck() == {"hearing", "the outbox"}
    outbox[0] = bench.now
    beats[0]()
    assert not bench.parts.stuck()
    assert [line.split(" stands")[0] for line in bench.said] == ["hearing", "hearing", "the outbox"]
    bench.stop.set()


CONFIG = """
[table]
name = "T1"
hall = "prova"
rules = "fibur2024"
[broker]
port = 1
[storage]
journal = "{folder}/T1.sqlite"
"""


@pytest.mark.slow(seconds=4)
def test_a_running_table_feeds_its_watchdog_even_without_a_broker(tmp_path: Path) -> None:
    """The socket that systemd gives hears READY and then WATCHDOG."""
    (tmp_path / "table.toml").write_text(CONFIG.format(folder=tmp_path), encoding="utf-8")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(tmp_path / "notify"))
        ear.settimeout(60)
        command = [sys.executable, "-m", "table_service.cli", "run", "--config", str(tmp_path / "table.toml")]
        with subprocess.Popen(command, env={"NOTIFY_SOCKET": str(tmp_path / "notify"), "PATH": "/usr/bin"}) as table:
            assert ear.recv(100) == b"READY=1"
            assert ear.recv(100) == b"WATCHDOG=1"
            table.terminate()
            assert table.wait(30) == 0
