"""A hall of processes that faults are put into: mosquitto, the console, a table that plays, and one who listens.

Used by ``faults.py`` and ``soak.py``. Run as a program it is one of the parts: ``--role table`` or ``--role console``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import select
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from table_service.events.signing import SigningIdentity, Voices

PROGRAM: Final = Path(__file__).resolve()
ROOT: Final = PROGRAM.parent.parent
sys.path[:0] = [str(ROOT)]

HALL: Final = "prova"
TABLE: Final = "T1"
PACE_S: Final = 0.004
RESTS: Final = "rests"
"""What a table says when nothing more comes into its journal."""
RESTS_S: Final = 120.0
KEPT: Final = "SELECT body FROM entries WHERE kind = 'event'"
Events = set[tuple[str, int, str]]
"""Boot, number, and the mark of what the event says: another table's event at the same place is another one."""


def play(port: int, folder: Path, rounds: Path, host: str = "127.0.0.1") -> None:
    """Run a table that plays until a line of input, then waits for the end of it. Its health is reported each second.

    ``rounds``: what it plays (``played_rounds.py``); it goes on where the start before this one was.
    """
    from played_rounds import Play

    from table_service.publish import BrokerAddress
    from table_service.service import TableFiles, TableService

    resting, ended = threading.Event(), threading.Event()

    def listen() -> None:
        sys.stdin.readline()
        resting.set()
        sys.stdin.read()
        ended.set()

    played, began = Play(rounds, plays_of(folder)), time.monotonic()
    service = TableService(
        played.header, HALL, TableFiles.under(folder, TABLE), BrokerAddress(host, port),
        lambda: time.monotonic() - began, voice=own_voice(folder.parent), sealed_for=sealed_for(folder.parent),
    )  # fmt: skip
    played.note(service.journal.boot)
    service.start()
    threading.Thread(target=listen, daemon=True).start()
    print("playing", flush=True)
    due = 0.0
    for one in played.observations():
        if resting.is_set():
            break
        service.observe(one)
        resting.wait(PACE_S)
        if time.monotonic() > due:
            service.health({})
            due = time.monotonic() + 1.0
    print(RESTS, flush=True)
    while not ended.wait(1.0):
        service.health({})
    service.close(5.0)


def plays_of(folder: Path) -> Path:
    """Where a table with its files in ``folder`` notes how far its play is: never on a disk that is being filled."""
    return folder.with_name(f"{folder.name}-plays")


def console(port: int, folder: Path, host: str = "127.0.0.1") -> None:
    """Run the console, until its input ends."""
    from table_service.console import ConsoleSettings, serving

    settings = ConsoleSettings(
        hall=HALL, broker_host=host, broker_port=port, data=folder / "console.sqlite", copies=0, voices=believed(folder)
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


def own_voice(folder: Path) -> SigningIdentity | None:
    """Return what the table signs with, if the hall has keys."""
    from table_service.events.signing import SigningIdentity

    if not (folder / "table.crt").exists():
        return None
    return SigningIdentity((folder / "table.crt").read_bytes(), (folder / "table.pem").read_bytes())


def sealed_for(folder: Path) -> str | None:
    """Return the arbitro's key, for which hidden cards and the observation log are sealed, if the hall has keys."""
    file = folder / "arbitro.hex"
    return file.read_text(encoding="ascii") if file.exists() else None


def believed(folder: Path) -> Voices | None:
    """Whom the console believes: in a hall with keys nobody who has not signed."""
    from table_service.events.signing import Voices, load_authority
    from table_service.install.contents import table_user

    file = folder / "authority.crt"
    return Voices(load_authority(file.read_bytes()), table_user, must_sign=True) if file.exists() else None


def processor_s(pid: int) -> float:
    """Processor seconds that a process has used (Linux): a busy machine takes longer, and no more of them."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Part:
    """A process of the hall that can be ended, stopped and begun again."""

    def __init__(
        self,
        *arguments: object,
        within: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        program: Path = PROGRAM,
    ) -> None:
        """``within``: what is put before the command; ``env``: what is added to the environment."""
        command = [*within, sys.executable, str(program), *map(str, arguments)]
        pipe, around = subprocess.PIPE, {**os.environ, **(env or {})}
        self.process = subprocess.Popen(  # noqa: S603
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, env=around
        )
        assert self.process.stdout is not None  # noqa: S101 - a pipe
        self.said = self.process.stdout.readline().strip()

    def kill(self) -> None:
        """End it as a power cut does."""
        self.process.kill()
        self.process.wait()

    def rest(self) -> None:
        """No more traffic; it stays, to be asked. Waits until it says so: on a busy machine it plays on for a while."""
        if self.process.poll() is None and self.process.stdin is not None and self.process.stdout is not None:
            self.process.stdin.write("rest\n")
            self.process.stdin.flush()
            if select.select([self.process.stdout], [], [], RESTS_S)[0]:
                self.process.stdout.readline()

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

    def __init__(self, folder: Path, chance: random.Random, rounds: Path | None = None) -> None:
        """Prepare the hall; ``rounds``: what its tables play."""
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        from table_service.publish.broker import free_port

        self.folder, self.chance, self.rounds = folder, chance, rounds
        self.table_folder = folder / "table"
        self.port, self._brokers = free_port(), 0
        self.heard: Events = set()
        self.others: Events = set()
        """What another table of the same name told: nothing of this one's, and nothing invented."""
        self.begin_broker()
        self.begin_console()
        self.table: Part | None = None
        self.reached_at = "127.0.0.1"
        """Where the table finds the broker."""
        self.within: Sequence[str] = ()
        self.env: Mapping[str, str] = {}
        """In which surroundings the table is begun."""
        self.ear = Client(CallbackAPIVersion.VERSION2)
        self.ear.reconnect_delay_set(0.1, 0.5)
        self.ear.on_connect = lambda client, *_: client.subscribe(f"tavolo/v1/{HALL}/+/event/+", 1)
        self.ear.on_message = self._hear
        self.ear.connect("127.0.0.1", self.port)
        self.ear.loop_start()

    def _hear(self, _client: Any, _data: Any, message: Any) -> None:
        self.heard.add(mark_of(message.payload))

    def begin_broker(self, *, empty: bool = False) -> None:
        """Begin a broker at the hall's port, with what the one before kept on the disk, or empty."""
        from table_service.publish.broker import start_broker

        self._brokers += empty
        self.broker = start_broker(self.folder / f"broker-{self._brokers}", kind="mosquitto", port=self.port)

    def hear_at(self, host: str) -> None:
        """Begin the broker anew, so that it hears at ``host``, too."""
        from table_service.publish.broker import find_mosquitto

        self.kill_broker()
        config = self.folder / f"broker-{self._brokers}" / "mosquitto.conf"
        config.write_text(config.read_text() + f"listener {self.port} {host}\n")
        null = subprocess.DEVNULL
        made = subprocess.Popen([str(find_mosquitto()), "-c", config], stdin=null, stdout=null, stderr=null)  # noqa: S603

        def stop() -> None:
            made.terminate()
            made.wait(10)

        self.broker = replace(self.broker, process=made, stop=stop, alive=lambda: made.poll() is None)

    def kill_broker(self) -> None:
        """As a power cut does."""
        assert self.broker.process is not None  # noqa: S101 - mosquitto
        self.broker.process.kill()
        self.broker.process.wait()
        self.broker.stop()

    def begin_console(self, host: str = "127.0.0.1", within: Sequence[str] = ()) -> None:
        """Begin the console, which finds the broker at ``host``."""
        where = ("--port", self.port, "--folder", self.folder, "--host", host)
        self.console = Part("--role", "console", *where, within=within)

    def begin_table(self) -> None:
        """Begin the table, playing on where it was."""
        self.table = Part(
            "--role", "table", "--port", self.port, "--folder", self.table_folder, "--rounds", self.rounds,
            "--host", self.reached_at, within=self.within, env=self.env,
        )  # fmt: skip

    def let_play(self, seconds: float) -> None:
        """Wait while the table plays: the time in which a fault does what it does."""
        time.sleep(seconds)

    def let_count(self, longest: float) -> bool:
        """Wait while the table plays until a score is counted that was not; False where none was within ``longest``."""
        until, before = time.monotonic() + longest, self._counted()
        while (counted := self._counted()) == before and time.monotonic() < until:
            time.sleep(0.2)
        return counted != before

    def _counted(self) -> int:
        kind = f"{KEPT} AND json_extract(body, '$.type') = 'score.counted'"
        return len(events_in(self.table_folder / f"{TABLE}.sqlite", kind))

    def journal(self) -> Events:
        """Every event in the table's journal that can have been announced."""
        return events_in(self.table_folder / f"{TABLE}.sqlite", KEPT)

    def archive(self) -> Events:
        """Every event in the console's file."""
        return events_in(self.folder / "console.sqlite", "SELECT body FROM event WHERE place = 'T1'")

    def close(self) -> None:
        """End everything."""
        for part in (self.table, self.console):
            if part is not None:
                part.end()
        self.ear.disconnect()
        self.ear.loop_stop()
        self.broker.stop()


def events_in(file: Path, sql: str) -> Events:
    """Every event that ``sql`` finds in a database."""
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=30)) as db:
        return {mark_of(body) for (body,) in db.execute(sql)}


def mark_of(body: str | bytes) -> tuple[str, int, str]:
    """Return an event's place, and the mark of what it says."""
    event = json.loads(body)
    said = json.dumps([event[name] for name in ("type", "t", "time", "data")], sort_keys=True)
    return event["boot"], event["seq"], hashlib.sha256(said.encode()).hexdigest()


def main() -> int:
    """Play one of the parts in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--role", choices=("table", "console"), required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--rounds", type=Path, help="what the table plays")
    parser.add_argument("--host", default="127.0.0.1")
    asked = parser.parse_args()
    if asked.role == "table":
        play(asked.port, asked.folder, asked.rounds, asked.host)
    else:
        console(asked.port, asked.folder, asked.host)
    return 0


if __name__ == "__main__":
    sys.exit(main())
