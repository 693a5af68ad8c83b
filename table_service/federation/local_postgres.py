"""A PostgreSQL server of one's own on this machine, from the system's packages: for the demo, tests and measurements.

PostgreSQL refuses to run as root: then it runs as the system's user ``postgres``, else as ``nobody``.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from table_service.federation.archive_address import ArchiveAddress
from table_service.federation.errors import FederationError
from table_service.publish.broker import HOST, free_port, guard_of

_START_S: Final = 60.0
_PLACES: Final = (
    "usr/lib/postgresql/*/bin",
    "usr/pgsql-*/bin",
    "usr/local/pgsql/bin",
    "opt/homebrew/opt/postgresql*/bin",
)
USER: Final = "tavolo"


def find_postgres() -> Path | None:
    """Return the folder of the newest PostgreSQL programs on this machine; None if there are none."""
    found = [path for pattern in _PLACES for path in Path("/").glob(pattern) if (path / "initdb").exists()]
    on_path = shutil.which("initdb")
    if not found and on_path:
        found = [Path(on_path).resolve().parent]
    return max(found, key=lambda path: [int(part) for part in path.parts if part.isdigit()], default=None)


class LocalPostgres:
    """A server with one database, on a free port of 127.0.0.1, whose folder goes when it ends."""

    def __init__(self, settings: tuple[str, ...] = ()) -> None:
        """Make and start it. ``settings``: further ones, ``name=value``. Raises FederationError."""
        programs = find_postgres()
        if programs is None:
            raise FederationError("PostgreSQL is not installed on this machine: apt-get install postgresql")
        self._programs, self._settings = programs, settings
        self._process: subprocess.Popen[bytes] | None = None
        self._guard: subprocess.Popen[bytes] | None = None
        self._user = _unprivileged()
        self.folder = Path(tempfile.mkdtemp(prefix="tavolo-postgres-"))
        self._data = self.folder / "data"
        password = secrets.token_hex(16)
        told = self.folder / "password"
        told.write_text(password, encoding="ascii")
        if self._user is not None:
            for path in (self.folder, told):
                shutil.chown(path, self._user)
        self.address = ArchiveAddress(HOST, free_port(), "postgres", USER, password)
        try:
            self._run(
                "initdb", "-D", str(self._data), "-U", USER, "-A", "scram-sha-256", "--pwfile", str(told), "-E",
                "UTF8", "--no-locale", "--no-sync",
            )  # fmt: skip
            self.start()
        except BaseException:
            self.stop()
            raise

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(  # noqa: S603
            [self._programs / program, *arguments], user=self._user, cwd=self.folder, capture_output=True, check=False,
        )  # fmt: skip
        if done.returncode:
            lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["it says nothing"]
            raise FederationError(f"{program} failed: {lines[-1]}")

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """The server's first process."""
        if self._process is None:
            raise FederationError("PostgreSQL does not run")
        return self._process

    def start(self) -> None:
        """Start it, or start it again, and wait until it takes connections. Raises FederationError."""
        own = (f"port={self.address.port}", f"listen_addresses={HOST}", "unix_socket_directories=")
        settings = [one for said in (*own, *self._settings) for one in ("-c", said)]
        deadline = time.monotonic() + _START_S
        while time.monotonic() < deadline:
            with (self.folder / "log").open("ab") as log:
                self._process = subprocess.Popen(  # noqa: S603
                    [self._programs / "postgres", "-D", self._data, *settings],
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log, user=self._user, cwd=self.folder,
                    start_new_session=True,
                )  # fmt: skip
            self._guard = guard_of(self._process.pid)
            while self._process.poll() is None and time.monotonic() < deadline:
                if self._answers():
                    return
                time.sleep(0.05)
            self._end_guard()  # after a kill -9 its children may hold the port or the memory for a moment
            time.sleep(0.2)
        raise FederationError(
            f"PostgreSQL does not start: {(self.folder / 'log').read_text('utf-8', 'replace')[-300:]}"
        )

    def _answers(self) -> bool:
        asked: list[str | Path] = [
            self._programs / "pg_isready",
            "-q",
            "-h",
            HOST,
            "-p",
            str(self.address.port),
            "-d",
            "postgres",
        ]
        return subprocess.run(asked, check=False).returncode == 0  # noqa: S603

    def kill(self) -> None:
        """End it as a power cut would: its first process is killed, and its children find it gone."""
        self.process.kill()
        self.process.wait()
        self._end_guard()

    def stop(self) -> None:
        """End it in order and remove its folder; repeatable."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)  # fast: sessions are ended
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._end_guard()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _end_guard(self) -> None:
        if self._guard is not None:
            self._guard.kill()
            self._guard.wait()
            if self._guard.stdin is not None:
                self._guard.stdin.close()
            self._guard = None


def _unprivileged() -> str | None:
    """Return the user as whom it must run; None: as ourselves."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    raise FederationError("PostgreSQL does not run as root, and this machine has no user 'postgres' or 'nobody'")
