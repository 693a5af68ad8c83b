"""The faults of ``faults.py``: each is put into a living hall while its table plays, and taken away again."""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import signal
import sqlite3
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from living_hall import KEPT, TABLE, Hall, Part, events_in, processor_s

MEMORY_LEFT: Final = 4 * 1024 * 1024
SMALL_DISK: Final = 3 * 1024 * 1024
Fault = Callable[[Hall, argparse.Namespace], str]
FAULTS: Final[dict[str, Fault]] = {}


class NotRunError(Exception):
    """This machine does not allow the fault; the message says why."""


def fault(name: str) -> Callable[[Fault], Fault]:
    """Register a fault: it is put in and taken away again while the table plays; returns what was done."""

    def register(one: Fault) -> Fault:
        FAULTS[name] = one
        return one

    return register


@fault("table-killed")
def table_killed(hall: Hall, asked: argparse.Namespace) -> str:
    """Kill the table at random moments, in the middle of its deals: it goes on with the round."""
    assert hall.table is not None  # noqa: S101 - it plays
    took, used = list[float](), list[float]()
    for _ in range(asked.kills):
        hall.let_play(hall.chance.uniform(0.05, 0.8))
        hall.table.kill()
        began = time.monotonic()
        hall.begin_table()
        took.append(time.monotonic() - began)
        used.append(processor_s(hall.table.process.pid))
    again = f"playing again after {statistics.median(took):.1f} s (median), {max(took):.1f} s (longest)"
    return f"kill -9, {asked.kills} times; {again}, with {statistics.median(used):.1f} s of a processor (median)"


@fault("console-killed")
def console_killed(hall: Hall, _asked: argparse.Namespace) -> str:
    """Kill the console in traffic, and leave it away."""
    for _ in range(5):
        hall.let_play(hall.chance.uniform(0.5, 2))
        hall.console.kill()
        hall.let_play(2)
        hall.begin_console()
    return "kill -9, 5 times, 2 s away"


@fault("broker-killed")
def broker_killed(hall: Hall, _asked: argparse.Namespace) -> str:
    """Kill the broker; it begins again with what it had kept."""
    for _ in range(5):
        hall.let_play(hall.chance.uniform(0.5, 2))
        hall.kill_broker()
        hall.let_play(1)
        hall.begin_broker()
    return "kill -9, 5 times, 1 s away"


@fault("broker-empty")
def broker_empty(hall: Hall, _asked: argparse.Namespace) -> str:
    """Kill the broker; another one begins that knows nothing, while the console is away for longer than the table."""
    for _ in range(5):
        hall.let_play(hall.chance.uniform(0.5, 2))
        hall.kill_broker()
        hall.let_play(3)
        hall.begin_broker(empty=True)
        hall.let_play(2)
    return "restarted empty, 5 times, 3 s away"


@fault("broker-stopped")
def broker_stopped(hall: Hall, _asked: argparse.Namespace) -> str:
    """Stop the broker: it is there and says nothing, as behind a cut cable."""
    assert hall.broker.process is not None  # noqa: S101 - mosquitto
    for _ in range(2):
        hall.broker.process.send_signal(signal.SIGSTOP)
        hall.let_play(25)
        hall.broker.process.send_signal(signal.SIGCONT)
        hall.let_play(2)
    return "silent for 25 s, twice"


@fault("broker-slow")
def broker_slow(hall: Hall, _asked: argparse.Namespace) -> str:
    """Slow the broker down: it works one fifth of the time."""
    assert hall.broker.process is not None  # noqa: S101 - mosquitto
    for _ in range(60):
        hall.broker.process.send_signal(signal.SIGSTOP)
        hall.let_play(0.2)
        hall.broker.process.send_signal(signal.SIGCONT)
        hall.let_play(0.05)
    return "20 % of the time, for 15 s"


@fault("handles")
def handles(hall: Hall, _asked: argparse.Namespace) -> str:
    """No file or socket can be opened by the table, while the broker goes away."""
    assert hall.table is not None  # noqa: S101 - it plays
    pid = hall.table.process.pid
    held = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE, (held, resource.prlimit(pid, resource.RLIMIT_NOFILE)[1]))
    hall.kill_broker()
    hall.let_play(4)
    hall.begin_broker()
    hall.let_play(2)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
    hall.let_play(1)
    return f"limit set to the {held} in use, broker killed meanwhile"


@fault("memory")
def memory(hall: Hall, _asked: argparse.Namespace) -> str:
    """Limit the table to the memory it has, and a little, while the broker goes away and comes again.

    Where that ends it, it is begun again at once and without the limit, as systemd begins a service that used more
    than its ``MemoryMax``.
    """
    assert hall.table is not None  # noqa: S101 - it plays
    pid = hall.table.process.pid
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[0])
    limit = pages * resource.getpagesize() + MEMORY_LEFT
    before = resource.prlimit(pid, resource.RLIMIT_AS, (limit, resource.prlimit(pid, resource.RLIMIT_AS)[1]))
    again = list[float]()

    def let_play(seconds: float) -> None:
        until = time.monotonic() + seconds
        while (now := time.monotonic()) < until:
            if hall.table is not None and hall.table.process.poll() is not None:
                hall.begin_table()
                again.append(time.monotonic() - now)
            hall.let_play(0.1)

    let_play(3)
    hall.kill_broker()
    let_play(2)
    hall.begin_broker()
    let_play(4)
    if not again and hall.table.process.poll() is None:
        resource.prlimit(pid, resource.RLIMIT_AS, before)
    let_play(1)
    ended = f"ended by it and begun again within {max(again):.1f} s" if again else "not ended by it"
    limited = f"at most {MEMORY_LEFT // 2**20} MB more of address space than it had, for 9 s, broker killed meanwhile"
    return f"{limited}; {ended}"


@fault("disk-full")
def disk_full(hall: Hall, _asked: argparse.Namespace) -> str:
    """Another file takes all the room, and goes again."""
    with small_disk(hall):
        filler = hall.table_folder / "filler"
        with filler.open("wb", buffering=0) as file:
            try:
                while file.write(b"\0" * 4096):
                    pass
            except OSError:
                pass
        hall.let_play(6)
        filler.unlink()
        hall.let_play(3)
    return f"a disk of {SMALL_DISK // 2**20} MB, full for 6 s"


@fault("disk-read-only")
def disk_read_only(hall: Hall, _asked: argparse.Namespace) -> str:
    """Let the disk take nothing: Linux refuses to mount it read-only over the open journal, so no file may grow."""
    assert hall.table is not None  # noqa: S101 - it plays
    pid = hall.table.process.pid
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]))
    hall.let_play(6)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
    hall.let_play(3)
    return "every write is refused (EFBIG) for 6 s"


@fault("journal-looked-at")
def journal_looked_at(hall: Hall, _asked: argparse.Namespace) -> str:
    """Another program that may write looks into the journal of the table that plays, as ``sqlite3`` does; a kill."""
    for _ in range(5):
        hall.let_play(1)
        with closing(sqlite3.connect(hall.table_folder / f"{TABLE}.sqlite")) as db:
            db.execute("SELECT count(*) FROM entries").fetchone()
        hall.let_play(1)
        assert hall.table is not None  # noqa: S101 - it plays
        hall.table.kill()
        hall.begin_table()
    return "another program opened the journal, read and closed it, and the table was killed 1 s later, 5 times"


@fault("two-tables-one-name")
def two_tables(hall: Hall, _asked: argparse.Namespace) -> str:
    """Another machine with the same name of a table in the same hall."""
    other = Part("--role", "table", "--port", hall.port, "--folder", hall.folder / "other", "--rounds", hall.rounds)
    hall.let_play(8)
    other.kill()
    hall.others = events_in(hall.folder / "other" / f"{TABLE}.sqlite", KEPT)
    hall.let_play(2)
    return "another table T1 with a journal of its own for 8 s"


@contextmanager
def small_disk(hall: Hall) -> Iterator[None]:
    """Put the table's folder on a disk of its own while the context lasts; the table is begun anew there."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        raise NotRunError("mounting a small disk needs root")
    assert hall.table is not None  # noqa: S101 - it plays
    hall.table.rest()
    hall.table.end()
    kept = hall.folder / "kept"
    shutil.copytree(hall.table_folder, kept)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK + _size(kept)},mode=0700", "tmpfs", hall.table_folder]
    if subprocess.run(mount, check=False, stderr=subprocess.DEVNULL).returncode:  # noqa: S603
        shutil.rmtree(kept)
        hall.begin_table()
        raise NotRunError("this machine does not let a small disk be mounted")
    try:
        shutil.copytree(kept, hall.table_folder, dirs_exist_ok=True)
        hall.begin_table()
        hall.let_play(2)
        yield
        hall.table.rest()
        hall.table.end()
        shutil.rmtree(kept)
        shutil.copytree(hall.table_folder, kept)
    finally:
        subprocess.run(["umount", "-l", hall.table_folder], check=False)  # noqa: S603, S607
        shutil.copytree(kept, hall.table_folder, dirs_exist_ok=True)
        shutil.rmtree(kept)
        hall.begin_table()


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


# --- a cut network ---------------------------------------------------------------------------------------------------

CABLE: Final = ("10.213.77.1", "10.213.77.2")
"""Addresses of both ends of the cable between the broker and the rest: a network of this machine's own."""
UNDER_WAY: Final = 25
"""So many events may still come when the cable has been pulled."""


def _ip(*words: str, may_fail: bool = False) -> None:
    done = subprocess.run(["ip", *words], check=False, capture_output=True, text=True)  # noqa: S603, S607
    if done.returncode and not may_fail:
        raise NotRunError(f"'ip {' '.join(words)}' is refused here: {done.stderr.strip()}")


@contextmanager
def cable(hall: Hall) -> Iterator[tuple[Sequence[str], Callable[[float], None]]]:
    """Lay a cable between the broker and a network name space; yield a prefix for commands there, and its pulling."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        raise NotRunError("a network of its own needs root and the command 'ip'")
    name, here, there = f"tavolo{os.getpid()}", f"tvh{os.getpid()}", f"tvt{os.getpid()}"

    def pull(seconds: float) -> None:
        _ip("-n", name, "link", "set", there, "down")
        hall.let_play(seconds)
        _ip("-n", name, "link", "set", there, "up")

    _ip("netns", "add", name)
    try:
        _ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", name)
        _ip("addr", "add", f"{CABLE[0]}/30", "dev", here)
        _ip("link", "set", here, "up")
        _ip("-n", name, "addr", "add", f"{CABLE[1]}/30", "dev", there)
        _ip("-n", name, "link", "set", there, "up")
        hall.hear_at(CABLE[0])
        yield ("ip", "netns", "exec", name), pull
    finally:
        _ip("link", "del", here, may_fail=True)
        _ip("netns", "del", name, may_fail=True)


@fault("network-cut")
def network_cut(hall: Hall, _asked: argparse.Namespace) -> str:
    """Pull the cable of its own behind which the table sits (a network name space): no end hears of it."""
    assert hall.table is not None  # noqa: S101 - it plays
    with cable(hall) as (within, pull):
        hall.table.kill()
        hall.reached_at, hall.within = CABLE[0], within
        hall.begin_table()
        for seconds in (8.0, 25.0):
            hall.let_play(3)
            before = len(hall.heard)
            pull(seconds)
            if len(hall.heard) - before > UNDER_WAY:
                raise NotRunError("the cable was pulled, and the table was heard all the same")
        hall.let_play(3)
        hall.table.kill()
        hall.reached_at, hall.within = "127.0.0.1", ()
        hall.begin_table()
    return "the table's cable pulled for 8 s and for 25 s (network name space)"


@fault("console-cut")
def console_cut(hall: Hall, _asked: argparse.Namespace) -> str:
    """Cut off the console, behind the cable, while the table plays and the broker keeps for it what it may."""
    with cable(hall) as (within, pull):
        hall.console.kill()
        hall.begin_console(CABLE[0], within)
        for seconds in (8.0, 25.0):
            hall.let_play(3)
            before, told = hall.archive(), len(hall.heard)
            pull(seconds)
            if len(hall.heard) == told or len(hall.archive() - before) > UNDER_WAY:
                raise NotRunError("the cable was pulled, and the console heard all the same")
        hall.let_play(3)
        hall.console.kill()
        hall.begin_console()
    return "the console's cable pulled for 8 s and for 25 s (network name space)"
