"""What a crash leaves: no core dump, and traces without values. The memory of a table holds hidden cards and keys."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

CRASH = """
import os, signal, sys
sys.argv = ["tavolo", "--version"]
from table_service import cli
if "guarded" in os.environ["WHICH"]:
    try:
        cli.main()
    except SystemExit:
        pass
os.kill(os.getpid(), signal.SIGSEGV)
"""
LIMITS = """
import ctypes, resource, sys
from table_service import cli
sys.argv, told = ["tavolo", "--version"], [ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)]
sys.stdout, kept = sys.stderr, sys.stdout
try:
    cli.main()
except SystemExit:
    pass
print(*told, ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), *resource.getrlimit(resource.RLIMIT_CORE), file=kept)
"""
"""``PR_GET_DUMPABLE`` before and after, and the limit."""
TRACE = """
import logging, threading
from hw.cards import BURRACO
from table_service.commands.crashes import trace_without_values
trace_without_values()
def fold():
    BURRACO.parse("7C#x")
thread = threading.Thread(target=fold); thread.start(); thread.join()
try:
    fold()
except ValueError:
    logging.getLogger("table").exception("a part stopped")
fold()
"""


def dumped(which: str, folder: Path) -> bool:
    """Whether a program that crashes has left a core dump, by what the kernel says of its end."""
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    pid = os.fork()
    if pid == 0:
        resource.setrlimit(resource.RLIMIT_CORE, (most, most))
        os.chdir(folder)
        os.environ["WHICH"] = which
        os.execv(sys.executable, [sys.executable, "-c", CRASH])  # noqa: S606
    status = os.waitpid(pid, 0)[1]
    assert os.WIFSIGNALED(status), status
    assert os.WTERMSIG(status) == signal.SIGSEGV
    return os.WCOREDUMP(status) or any(folder.glob("core*"))


@pytest.mark.slow(seconds=2)
def test_a_command_that_crashes_leaves_no_picture_of_its_memory(tmp_path: Path) -> None:
    assert not dumped("guarded", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_command_may_write_no_core_dump_nor_be_read_by_others_whatever_the_machine_allows() -> None:
    """Some machines write no core dump of anything: what keeps a command from it is asked of the kernel."""
    done = subprocess.run([sys.executable, "-c", LIMITS], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["1", "0", "0", "0"]


def test_the_trace_of_an_error_names_places_and_no_card() -> None:
    """Of a thread, of the log and of the program's end."""
    done = subprocess.run([sys.executable, "-c", TRACE], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr.count("CardError (its text is not shown") == 3
    assert done.stderr.count("hw/cards.py") == 3
    assert "a part stopped" in done.stderr
    assert "'7C#x'" not in done.stderr
