"""A whole federation on this machine: PostgreSQL, its broker, halls with theirs, workers as processes.

Its parts can be killed and begun again. What arrived is counted by readers that share nothing with the workers: the
journals by SQLite, the archive by PostgreSQL's own ``psql``.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self

from table_service.federation import federation_folder
from table_service.federation.cuttable_line import CuttableLine
from table_service.federation.errors import FederationError
from table_service.federation.local_hall import LocalBroker, LocalHall
from table_service.federation.local_postgres import LocalPostgres, find_postgres
from table_service.federation.migrating import migrate
from table_service.hall.authority import now
from table_service.publish.broker import HOST, free_port

_ARCHIVED: Final = (
    "copy (select b.hall, b.table_name, b.boot, e.seq, e.body from event e join boot b on b.id = e.boot_id)"
    " to stdout with (format csv)"
)
_PAGE_S: Final = 60.0
_FIRST: Final = re.compile(r"first sign-in.*: (http\S+)")
EventKey = tuple[str, str, str, int]
"""Hall in the federation, table, boot, number."""


@dataclass(frozen=True, slots=True)
class ArchiveCount:
    """The archive beside the journals. ``altered``: other words under one number; ``foreign``: in no journal."""

    said: int
    archived: int
    lost: int
    doubled: int
    altered: int
    foreign: int

    @property
    def is_whole(self) -> bool:
        """True if every event of every journal is there once, and nothing else."""
        return not (self.lost or self.doubled or self.altered or self.foreign)

    def as_dict(self) -> dict[str, int]:
        """Return it as JSON has it."""
        return asdict(self)


class LocalFederation:
    """All parts, under ``folder``. ``halls``: their names; each has ``tables`` tables."""

    def __init__(self, folder: Path, halls: tuple[str, ...], tables: int) -> None:
        """Make and start everything but tables and workers. Raises FederationError, BrokerError."""
        self._folder = folder
        self._workers: dict[str, subprocess.Popen[bytes]] = {}
        self.halls: dict[str, LocalHall] = {}
        self.lines: dict[str, CuttableLine] = {}
        self.postgres = LocalPostgres()
        try:
            self.archive = self.postgres.address
            migrate(self.archive)
            self.config = self._make_folder()
            self.broker = LocalBroker(folder / "federation-broker", [folder / "federation" / "broker"], self._ports[0])
            named = [f"T{number + 1}" for number in range(tables)]
            for name in halls:
                self.lines[name] = CuttableLine(self._ports[0])
                hall = LocalHall(folder / name, folder / "federation", name, named)
                hall.reach(self.lines[name].port)
                self.halls[name] = hall
            self.broker.start()
            for number, hall in enumerate(self.halls.values()):
                hall.broker.start()
                hall.begin_tables(1 + number % 2)
        except BaseException:
            self.close()
            raise

    def _make_folder(self) -> Path:
        password = self._folder / "archive.password"
        password.write_text(f"{self.archive.password}\n", encoding="ascii")
        password.chmod(0o600)
        self._ports = (free_port(), free_port())
        told: dict[str, Any] = {
            "host": self.archive.host, "port": self.archive.port, "database": self.archive.database,
            "user": self.archive.user, "password_file": str(password),
        }  # fmt: skip
        self.page = f"http://{HOST}:{(page_port := free_port())}/"
        book = federation_folder.FederationBook("federation", HOST, *self._ports, told, page_port=page_port)
        return federation_folder.create(self._folder / "federation", book, now())

    def begin_worker(self, name: str) -> None:
        """Begin a worker, or begin it again, as the process that `tavolo federation work` is."""
        self._begin(name, "work", "--name", name)

    def begin_page(self) -> str:
        """Serve the page, as the process that `tavolo federation page` is, and return its first chief's link.

        Raises FederationError if it does not start.
        """
        self._begin("page", "page")
        deadline = time.monotonic() + _PAGE_S
        while time.monotonic() < deadline and self._workers["page"].poll() is None:
            found = _FIRST.search(self.worker_log("page"))
            if found is not None:
                return found[1]
            time.sleep(0.1)
        raise FederationError(f"the page does not start: {self.worker_log('page')[-300:]}")

    def _begin(self, name: str, verb: str, *more: str) -> None:
        command = [sys.executable, "-m", "table_service.cli", "federation", verb]
        with (self._folder / f"worker-{name}.log").open("ab") as log:
            self._workers[name] = subprocess.Popen(  # noqa: S603
                [*command, "--config", self.config, *more], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, "PYTHONUNBUFFERED": "1"}, start_new_session=True,
            )  # fmt: skip

    def kill_worker(self, name: str) -> None:
        """End a worker as a power cut would."""
        self._workers[name].kill()
        self._workers[name].wait()

    def worker_log(self, name: str) -> str:
        """Return what a worker said on its standard output and error."""
        return (self._folder / f"worker-{name}.log").read_text("utf-8", "replace")

    def said(self) -> dict[EventKey, dict[str, Any]]:
        """Every event in the tables' journals, read from their files."""
        found = {}
        for name, hall in self.halls.items():
            for table in hall.tables:
                with closing(sqlite3.connect(f"file:{table.path}?mode=ro", uri=True)) as db:
                    for boot, seq, body in db.execute("SELECT boot, seq, body FROM entries WHERE kind = 'event'"):
                        found[name, table.path.stem, boot, seq] = json.loads(body)
        return found

    def archived(self) -> list[tuple[EventKey, dict[str, Any]]]:
        """Every row of the archive, read with ``psql``. Raises FederationError."""
        programs = find_postgres()
        if programs is None:
            raise FederationError("PostgreSQL is not installed on this machine: apt-get install postgresql")
        done = subprocess.run(  # noqa: S603
            [programs / "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", HOST, "-p", str(self.archive.port), "-U",
             self.archive.user, "-d", self.archive.database, "-c", _ARCHIVED],
            env={**os.environ, "PGPASSWORD": self.archive.password or ""}, capture_output=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise FederationError(f"psql: {done.stderr.decode('utf-8', 'replace').strip()}")
        rows = csv.reader(io.StringIO(done.stdout.decode()))
        return [((hall, table, boot, int(seq)), json.loads(body)) for hall, table, boot, seq, body in rows]

    def count(self) -> ArchiveCount:
        """Compare the archive with the journals, event by event."""
        said, archived = self.said(), self.archived()
        times = Counter(key for key, _ in archived)
        own = {key: {**event, "late": False} for key, event in said.items()}
        altered = sum(key in own and own[key] != {**event, "late": False} for key, event in archived)
        return ArchiveCount(
            len(said), len(archived), len(said.keys() - times.keys()), sum(n - 1 for n in times.values()), altered,
            len(times.keys() - said.keys()),
        )  # fmt: skip

    def wait_whole(self, patience: float, each: Callable[[ArchiveCount], None] = lambda _: None) -> ArchiveCount:
        """Count until nothing is lost, or for ``patience`` seconds; return the last count."""
        deadline = time.monotonic() + patience
        while True:
            found = self.count()
            each(found)
            if not found.lost or time.monotonic() > deadline:
                return found
            time.sleep(0.5)

    def close(self) -> None:
        """End everything."""
        for worker in self._workers.values():
            worker.terminate()
        for worker in self._workers.values():
            try:
                worker.wait(15)
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()
        for hall in self.halls.values():
            hall.close()
        for line in self.lines.values():
            line.cut()
        if hasattr(self, "broker"):
            self.broker.stop()
        self.postgres.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
