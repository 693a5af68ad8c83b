"""Faults put into a living hall, one after the other, and what each cost: a report.

``python tools/faults.py [--kills 300] [--signed] [--only NAME,…] [--json FILE] [--markdown FILE]``

A real mosquitto, the console, and the service of a table that plays rehearsed deals: processes of their own, files on
the disk. Each fault is put in while the table plays; then it is taken away, and the time is measured until the
console's file has every event of the table's journal (``recovered_s``). After each: events in the journal, events
that the console lacks or has and the journal does not, whether the journal's chain is whole, and what was announced
(heard by a plain subscriber) without being in the journal. Exit code 1 where anything is lost or invented.

What a machine does not allow (mounting a small disk needs root) is named as not run. Faults of nodes and of the
camera are put in by ``firmware_bridge.prove`` and the tests of ``tests/camera``; clocks that jump by the tests of the
journal.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from table_service.events.signing import Voice, Voices

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

HALL: Final = "prova"
TABLE: Final = "T1"
PACE_S: Final = 0.004
LONGEST_S: Final = 120.0
RESTING_S: Final = 1.5
"""A table that was told to rest, and whose journal did not grow for so long, rests."""
MEMORY_LEFT: Final = 4 * 1024 * 1024
SMALL_DISK: Final = 3 * 1024 * 1024
Events = set[tuple[str, int, str]]
"""Boot, number, and the mark of what the event says: another table's event at the same place is another one."""


# --- the processes ---------------------------------------------------------------------------------------------------


def play(port: int, folder: Path, seed: int) -> None:
    """A table that plays until a line of input, then waits for the end of it. Its health is told each second."""
    from table_service.publish import BrokerAddress
    from table_service.rehearsal.rehearse import prepare
    from table_service.service import Places, TableService

    resting, ended = threading.Event(), threading.Event()

    def listen() -> None:
        sys.stdin.readline()
        resting.set()
        sys.stdin.read()
        ended.set()

    rehearsal, began = prepare("fibur2024", seed, 4, table=TABLE), time.monotonic()
    service = TableService(
        rehearsal.header, HALL, Places.under(folder, TABLE), BrokerAddress("127.0.0.1", port),
        lambda: time.monotonic() - began, voice=own_voice(folder.parent), sealed_for=sealed_for(folder.parent),
    )  # fmt: skip
    service.start()
    threading.Thread(target=listen, daemon=True).start()
    print("playing", flush=True)
    due = 0.0
    for one in rehearsal.observations():
        if resting.is_set():
            break
        service.observe(one)
        resting.wait(PACE_S)
        if time.monotonic() > due:
            service.health({})
            due = time.monotonic() + 1.0
    while not ended.wait(1.0):
        service.health({})
    service.close(5.0)


def console(port: int, folder: Path) -> None:
    """The console, until its input ends."""
    from table_service.console import ConsoleSettings, serving

    settings = ConsoleSettings(
        hall=HALL, broker_port=port, data=folder / "console.sqlite", copies=0, voices=believed(folder)
    )
    with serving(settings) as running:
        print(running.url, flush=True)
        sys.stdin.read()


def make_keys(folder: Path) -> None:
    """Keys of a hall in which tables sign and seal: an authority, the table's certificate, the arbitro's public key."""
    from cryptography.hazmat.primitives.serialization import Encoding
    from nacl.public import PrivateKey

    from table_service.hall.authority import new_authority, now
    from table_service.install.contents import table_user

    authority = new_authority(HALL, now())
    made = authority.issue(table_user(TABLE), "client", now())
    (folder / "authority.crt").write_bytes(authority.certificate.public_bytes(Encoding.PEM))
    (folder / "table.crt").write_bytes(made.certificate)
    (folder / "table.pem").write_bytes(made.key)
    (folder / "arbitro.hex").write_text(bytes(PrivateKey.generate().public_key).hex(), encoding="ascii")


def own_voice(folder: Path) -> Voice | None:
    """What the table signs with, where the hall has keys."""
    from table_service.events.signing import Voice

    if not (folder / "table.crt").exists():
        return None
    return Voice((folder / "table.crt").read_bytes(), (folder / "table.pem").read_bytes())


def sealed_for(folder: Path) -> str | None:
    """The arbitro's key, for which hidden cards and the observation log are sealed, where the hall has keys."""
    file = folder / "arbitro.hex"
    return file.read_text(encoding="ascii") if file.exists() else None


def believed(folder: Path) -> Voices | None:
    """Whom the console believes: in a hall with keys nobody who has not signed."""
    from table_service.events.signing import Voices, load_authority
    from table_service.install.contents import table_user

    file = folder / "authority.crt"
    return Voices(load_authority(file.read_bytes()), table_user, must_sign=True) if file.exists() else None


class Part:
    """A process of the hall that can be ended, stopped and begun again."""

    def __init__(self, *arguments: object) -> None:
        command = [sys.executable, str(Path(__file__).resolve()), *map(str, arguments)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)  # noqa: S603
        assert self.process.stdout is not None  # noqa: S101 - a pipe
        self.said = self.process.stdout.readline().strip()

    def kill(self) -> None:
        """End it as a power cut does."""
        self.process.kill()
        self.process.wait()

    def rest(self) -> None:
        """No more traffic; it stays, to be asked."""
        if self.process.poll() is None and self.process.stdin is not None:
            self.process.stdin.write("rest\n")
            self.process.stdin.flush()

    def end(self) -> None:
        """End it in order."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()


class Hall:
    """Broker, console, table, and one who listens."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        from table_service.publish.broker import free_port

        self.folder, self.chance = folder, chance
        self.table_folder = folder / "table"
        self.port, self._brokers, self._seed = free_port(), 0, chance.randrange(10**6)
        self.heard: Events = set()
        self.others: Events = set()
        """What another table of the same name told: nothing of this one's, and nothing invented."""
        self.begin_broker()
        self.console = Part("--role", "console", "--port", self.port, "--folder", folder)
        self.table: Part | None = None
        self.ear = Client(CallbackAPIVersion.VERSION2)
        self.ear.reconnect_delay_set(0.1, 0.5)
        self.ear.on_connect = lambda client, *_: client.subscribe(f"tavolo/v1/{HALL}/+/event/+", 1)
        self.ear.on_message = self._hear
        self.ear.connect("127.0.0.1", self.port)
        self.ear.loop_start()

    def _hear(self, _client: Any, _data: Any, message: Any) -> None:
        self.heard.add(_mark(message.payload))

    def begin_broker(self, *, empty: bool = False) -> None:
        """A broker at the hall's port, with what the one before kept on the disk, or empty."""
        from table_service.publish.broker import start_broker

        self._brokers += empty
        self.broker = start_broker(self.folder / f"broker-{self._brokers}", kind="mosquitto", port=self.port)

    def kill_broker(self) -> None:
        """As a power cut does."""
        assert self.broker.process is not None  # noqa: S101 - mosquitto
        self.broker.process.kill()
        self.broker.process.wait()
        self.broker.stop()

    def begin_table(self) -> None:
        """The table, playing."""
        self._seed += 1
        self.table = Part("--role", "table", "--port", self.port, "--folder", self.table_folder, "--seed", self._seed)

    def let_play(self, seconds: float) -> None:
        """Wait while the table plays: the time in which a fault does what it does."""
        time.sleep(seconds)

    def journal(self) -> Events:
        """Every event in the table's journal that can have been announced."""
        return _events(self.table_folder / f"{TABLE}.sqlite", KEPT)

    def archive(self) -> Events:
        """Every event in the console's file."""
        return _events(self.folder / "console.sqlite", "SELECT body FROM event WHERE place = 'T1'")

    def close(self) -> None:
        """End everything."""
        for part in (self.table, self.console):
            if part is not None:
                part.end()
        self.ear.disconnect()
        self.ear.loop_stop()
        self.broker.stop()


def _events(file: Path, sql: str) -> Events:
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=30)) as db:
        return {_mark(body) for (body,) in db.execute(sql)}


def _mark(body: str | bytes) -> tuple[str, int, str]:
    event = json.loads(body)
    said = json.dumps([event[name] for name in ("type", "t", "time", "data")], sort_keys=True)
    return event["boot"], event["seq"], hashlib.sha256(said.encode()).hexdigest()


# --- the faults ------------------------------------------------------------------------------------------------------

KEPT: Final = "SELECT body FROM entries WHERE kind = 'event'"
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
    """Kill the table at random moments."""
    assert hall.table is not None  # noqa: S101 - it plays
    for _ in range(asked.kills):
        hall.let_play(hall.chance.uniform(0.05, 0.8))
        hall.table.kill()
        hall.begin_table()
    return f"kill -9, {asked.kills} times"


@fault("console-killed")
def console_killed(hall: Hall, _asked: argparse.Namespace) -> str:
    """Kill the console in traffic, and leave it away."""
    for _ in range(5):
        hall.let_play(hall.chance.uniform(0.5, 2))
        hall.console.kill()
        hall.let_play(2)
        hall.console = Part("--role", "console", "--port", hall.port, "--folder", hall.folder)
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
    """The broker is there and says nothing, as behind a cut cable."""
    assert hall.broker.process is not None  # noqa: S101 - mosquitto
    for _ in range(2):
        hall.broker.process.send_signal(signal.SIGSTOP)
        hall.let_play(25)
        hall.broker.process.send_signal(signal.SIGCONT)
        hall.let_play(2)
    return "silent for 25 s, twice"


@fault("broker-slow")
def broker_slow(hall: Hall, _asked: argparse.Namespace) -> str:
    """The broker works one fifth of the time."""
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
    """The table can have no more memory than it has, and a little, while the broker goes away and comes again."""
    assert hall.table is not None  # noqa: S101 - it plays
    pid = hall.table.process.pid
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[0])
    limit = pages * resource.getpagesize() + MEMORY_LEFT
    before = resource.prlimit(pid, resource.RLIMIT_AS, (limit, resource.prlimit(pid, resource.RLIMIT_AS)[1]))
    hall.let_play(3)
    hall.kill_broker()
    hall.let_play(2)
    hall.begin_broker()
    hall.let_play(4)
    if hall.table.process.poll() is None:
        resource.prlimit(pid, resource.RLIMIT_AS, before)
    hall.let_play(1)
    return f"at most {MEMORY_LEFT // 2**20} MB more of address space than it had, for 9 s, broker killed meanwhile"


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
    """The disk takes nothing: mounted read-only over the open journal is refused by Linux, so no file may grow."""
    assert hall.table is not None  # noqa: S101 - it plays
    pid = hall.table.process.pid
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]))
    hall.let_play(6)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
    hall.let_play(3)
    return "every write is refused (EFBIG) for 6 s"


@fault("two-tables-one-name")
def two_tables(hall: Hall, _asked: argparse.Namespace) -> str:
    """Another machine with the same name of a table in the same hall."""
    other = Part("--role", "table", "--port", hall.port, "--folder", hall.folder / "other", "--seed", 99)
    hall.let_play(8)
    other.kill()
    hall.others = _events(hall.folder / "other" / f"{TABLE}.sqlite", KEPT)
    hall.let_play(2)
    return "another table T1 with a journal of its own for 8 s"


@contextmanager
def small_disk(hall: Hall) -> Iterator[None]:
    """The table's folder on a disk of its own while the context lasts; the table is begun anew there."""
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


# --- the judgement ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Result:
    """What one fault cost. Counts are of events; ``audit`` is what the journal's audit says where it is not whole."""

    fault: str
    what: str
    journal: int
    lacking: int
    invented: int
    announced_not_kept: int
    recovered_s: float | None
    audit: str
    alive: bool = True
    """Whether table and console still ran."""

    @property
    def good(self) -> bool:
        """Whether nothing was lost and nothing invented."""
        return self.alive and not (self.lacking or self.invented or self.announced_not_kept or self.audit)


def try_fault(name: str, asked: argparse.Namespace) -> Result:
    """Put one fault into a hall of its own."""
    from table_service.journal import audit

    with tempfile.TemporaryDirectory(prefix="tavolo-faults-") as folder:
        if asked.signed:
            make_keys(Path(folder))
        hall = Hall(Path(folder), random.Random(asked.seed))  # noqa: S311 - moments of faults
        try:
            hall.begin_table()
            hall.let_play(2)
            what = FAULTS[name](hall, asked)
            assert hall.table is not None  # noqa: S101 - it plays
            alive = hall.table.process.poll() is None and hall.console.process.poll() is None
            hall.table.rest()
            began = time.monotonic()
            journal, took, lacking = hall.journal(), 0.0, True
            while lacking and time.monotonic() - began < LONGEST_S:
                lacking = bool(journal - hall.archive())
                took = round(time.monotonic() - began, 1)
                time.sleep(0.2 if lacking else RESTING_S)
                if (now := hall.journal()) != journal:  # a line of input takes a while to be read: it played on
                    journal, lacking = now, True
            heard = set(hall.heard) - hall.others
            archive = hall.archive() - hall.others
        finally:
            hall.close()
        verdict = audit(hall.table_folder / f"{TABLE}.sqlite")
        return Result(
            name, what, len(journal), len(journal - archive), len(archive - journal), len(heard - journal),
            None if lacking else took, "" if verdict.whole else str(verdict), alive,
        )  # fmt: skip


def table_of(results: list[Result], not_run: dict[str, str]) -> str:
    """The report as Markdown."""
    lines = ["| fault | what | events | lacking | invented | announced, not kept | complete after | journal |"]
    lines.append("|---|---|---|---|---|---|---|---|")
    for one in results:
        took = "never" if one.recovered_s is None else f"{one.recovered_s:g} s"
        cells = (one.fault, one.what, one.journal, one.lacking, one.invented, one.announced_not_kept, took)
        journal = ("whole" if not one.audit else one.audit) + ("" if one.alive else "; a part ENDED")
        lines.append("| " + " | ".join(map(str, cells)) + f" | {journal} |")
    lines += [f"| {name} | not run: {why} | | | | | | |" for name, why in not_run.items()]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Put the faults in, or play one of the parts in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=300, help="how often the table is killed")
    parser.add_argument("--only", help=f"of {', '.join(FAULTS)}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--signed", action="store_true", help="tables sign, consoles want it, logs are sealed")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--role", choices=("table", "console"), help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.role == "table":
        play(asked.port, asked.folder, asked.seed)
        return 0
    if asked.role == "console":
        console(asked.port, asked.folder)
        return 0
    wanted = asked.only.split(",") if asked.only else list(FAULTS)
    if unknown := [name for name in wanted if name not in FAULTS]:
        parser.error(f"no such fault: {', '.join(unknown)}")
    results, not_run = list[Result](), dict[str, str]()
    for name in wanted:
        try:
            results.append(try_fault(name, asked))
        except NotRunError as why:
            not_run[name] = str(why)
            print(f"{name}: not run: {why}", flush=True)
            continue
        print(f"{name}: {'nothing lost' if results[-1].good else 'LOST'}; {results[-1]}", flush=True)
    report = table_of(results, not_run)
    print(report)
    if asked.markdown is not None:
        asked.markdown.write_text(report, encoding="utf-8")
    if asked.json is not None:
        told = {"results": [asdict(one) for one in results], "not_run": not_run}
        asked.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return 0 if all(one.good for one in results) else 1


if __name__ == "__main__":
    sys.exit(main())
