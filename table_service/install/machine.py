"""A Debian system below a root folder: its files, its programs, and the record of what an installation brought.

``/`` is the machine itself. Another root is a Debian tree in a folder: programs run in it by ``chroot``, and what only
a running system can do (start a service, reload udev) is left out.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from hw.errors import TavoloError
from hw.whole_files import write_whole

RECORD: Final = "/var/lib/tavolo/installed.json"
"""Record of what an installation has brought, so that its removal takes away no more than that."""


class InstallError(TavoloError):
    """A step that cannot be done; the message is one sentence."""


Run = Callable[[Sequence[str]], "subprocess.CompletedProcess[str]"]


def run_program(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run ``command`` without a question on the terminal; its output is kept for the error's sentence."""
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    return subprocess.run(  # noqa: S603 - commands of this package
        command, env=quiet, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


class Machine:
    """A Debian system below ``root``. ``run`` starts programs; a test may put its own in."""

    def __init__(self, root: Path = Path("/"), run: Run = run_program) -> None:
        self.root = root
        self._run = run
        self.record: dict[str, Any] = {}
        try:
            self.record = json.loads(self.path(RECORD).read_text("utf-8"))
        except (OSError, ValueError):
            self.record = {}

    @property
    def runs(self) -> bool:
        """True if this is the system that runs now, under systemd."""
        return self.root == Path("/") and Path("/run/systemd/system").is_dir()

    def path(self, name: str) -> Path:
        """Return our path of the machine's ``name`` (absolute)."""
        return self.root / name.lstrip("/")

    def call(self, *command: str, at: str = "") -> str:
        """Run a program on the machine and return what it said. Raises InstallError with the end of its complaint."""
        whole = list(command) if self.root == Path("/") else ["chroot", str(self.root), *command]
        try:
            done = self._run(whole)
        except OSError as error:
            raise InstallError(f"{command[0]} cannot be run: {error.strerror or error}") from None
        if done.returncode:
            lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
            said = f": {lines[-1].strip()}" if lines else ""
            raise InstallError(f"{at or ' '.join(command[:3])} failed{said}")
        return done.stdout

    def asks(self, *command: str) -> str | None:
        """Return the output of a program; None if it fails or is not there."""
        try:
            return self.call(*command)
        except InstallError:
            return None

    def accounts(self) -> dict[str, list[str]]:
        """Return the users: the fields of their line in ``/etc/passwd`` by name."""
        return self._lines("/etc/passwd")

    def groups(self) -> dict[str, list[str]]:
        """Return the groups: the fields of their line in ``/etc/group`` by name."""
        return self._lines("/etc/group")

    def _lines(self, file: str) -> dict[str, list[str]]:
        lines = (read_text(self.path(file)) or "").splitlines()
        return {fields[0]: fields for line in lines if len(fields := line.split(":")) > 2}

    def owner(self, path: Path) -> str:
        """Return who owns a file of ours, as ``user:group`` by the machine's names."""
        found = path.stat()
        users = {fields[2]: name for name, fields in self.accounts().items()}
        groups = {fields[2]: name for name, fields in self.groups().items()}
        return f"{users.get(str(found.st_uid), found.st_uid)}:{groups.get(str(found.st_gid), found.st_gid)}"

    def brought(self, kind: str) -> list[str]:
        """Return what earlier runs have brought of one kind (``packages``, ``accounts``)."""
        found = self.record.get(kind)
        return list(found) if isinstance(found, list) else []

    def note(self, kind: str, name: str) -> None:
        """Remember that ``name`` was brought by this installation."""
        self.record[kind] = sorted({*self.brought(kind), name})

    def note_file(self, path: str, text: str) -> None:
        """Remember what was written to ``path``."""
        self.record.setdefault("files", {})[path] = _sum(text)

    def is_ours(self, path: str) -> bool:
        """Return True if the file at ``path`` is as an installation wrote it."""
        known = self.record.get("files", {}).get(path)
        return known is not None and known == _sum(read_text(self.path(path)) or "")

    def save_record(self) -> None:
        """Write down what was brought."""
        path = self.path(RECORD)
        text = json.dumps(self.record, indent=1, sort_keys=True) + "\n"
        if path.parent.is_dir() and read_text(path) != text:
            write_text(path, text, 0o644)


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def read_text(path: Path) -> str | None:
    """Return a file's text; None if there is none that can be read."""
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def write_text(path: Path, text: str, mode: int) -> None:
    """Put a whole new file in the place of ``path``: a cut leaves the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text.encode("utf-8"), mode=mode)
