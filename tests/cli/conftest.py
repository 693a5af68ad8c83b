"""The command `tavolo` as a person or a script calls it; a rehearsed log to ask about. No answer may be a traceback."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from table_service.cli import app
from table_service.rehearsal.rehearse import rehearse

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 60.0
"""Seconds until something that must happen counts as not happening, on a loaded machine too."""


class Command:
    """`tavolo` as a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _environment(self, extra: dict[str, str] | None) -> dict[str, str]:
        known = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
        return {**known, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", **(extra or {})}

    def __call__(
        self,
        *args: object,
        stdin: bytes = b"",
        env: dict[str, str] | None = None,
        cwd: Path | None = None,
    ) -> subprocess.CompletedProcess[bytes]:
        with self.process(
            *args, env=env, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            try:
                out, errors = process.communicate(stdin, 2 * PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        assert b"Traceback" not in errors, errors.decode(errors="replace")
        return subprocess.CompletedProcess(args, process.returncode, out, errors)

    def process(
        self, *args: object, env: dict[str, str] | None = None, cwd: Path | None = None, **how: Any
    ) -> subprocess.Popen[bytes]:
        """The command started, with standard streams as ``how`` says."""
        program = [sys.executable, "-m", "table_service.cli", *map(str, args)]
        return subprocess.Popen(program, env=self._environment(env), cwd=cwd or self.folder, **how)

    @contextlib.contextmanager
    def running(self, *args: object) -> Iterator[Running]:
        """A command that runs until it is ended."""
        said = self.folder / "said.txt"
        with said.open("wb") as out:
            process = self.process(*args, env={"PYTHONUNBUFFERED": "1"}, stdout=out, stderr=subprocess.STDOUT)
        try:
            yield Running(process, said)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        assert "Traceback" not in said.read_text(encoding="utf-8"), said.read_text(encoding="utf-8")


class Running:
    """A running command and what it has said so far."""

    def __init__(self, process: subprocess.Popen[bytes], said: Path) -> None:
        self.process = process
        self._said = said

    @property
    def said(self) -> str:
        """All it has said so far, standard output and errors."""
        return self._said.read_text(encoding="utf-8")

    def until(self, done: Callable[[], Any], what: str) -> Any:
        """The first true answer of ``done``; a failure that names ``what`` where none comes."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if answer := done():
                return answer
            assert self.process.poll() is None, f"ended instead of {what}: {self.said}"
            time.sleep(0.05)
        pytest.fail(f"never: {what}; it said: {self.said}")

    def until_said(self, words: str) -> str:
        """Wait until it has said ``words``; returns all that it said."""
        self.until(lambda: words in self.said, f"saying '{words}'")
        return self.said

    def end(self) -> int:
        """Ask it to end as a service manager does; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


@pytest.fixture
def tavolo(tmp_path: Path) -> Command:
    """The command as a process, in a folder of its own."""
    return Command(tmp_path)


@pytest.fixture
def invoke() -> Callable[..., Result]:
    """The command in this process: quick; an exception that would be a traceback fails the test."""

    def call(*args: object, stdin: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(app, [str(arg) for arg in args], input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert "Traceback" not in result.output
        return result

    return call


@pytest.fixture(scope="session")
def rehearsed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of one rehearsed deal."""
    path = tmp_path_factory.mktemp("rehearsed") / "deal.jsonl"
    rehearse("fibur2024", 15, path)  # a deal of few turns
    return path


@pytest.fixture(scope="session")
def rehearsed_lines(rehearsed: Path) -> list[str]:
    """Its lines, the header first."""
    return rehearsed.read_text(encoding="utf-8").splitlines()


@pytest.fixture
def events_in() -> Callable[[str], list[dict[str, Any]]]:
    """The events in a text: one JSON object a line, no constant that JSON does not know."""

    def refuse(word: str) -> None:
        raise ValueError(f"{word} is not JSON")

    def read(text: str) -> list[dict[str, Any]]:
        return [json.loads(line, parse_constant=refuse) for line in text.splitlines()]

    return read
