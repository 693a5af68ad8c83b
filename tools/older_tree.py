"""An older tree of this project: checked out below ``.work``, its ``tavolo replay`` asked, the commits since then."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

ROOT: Final = Path(__file__).resolve().parent.parent
TREES: Final = ROOT / ".work" / "trees"
"""Where older trees are checked out; git ignores it."""
_FOLD: Final = ("hw/*.py", "table_service/*.py")
"""What the events of a log depend on."""
_SERVER: Final = """
import contextlib, sys
from table_service.cli import app
answers = sys.stdout
for line in sys.stdin:
    log, out = line.rstrip("\\n").split("\\t")
    with contextlib.redirect_stdout(sys.stderr):
        try:
            code = app(args=["replay", log, "--events", out, "--secret"], standalone_mode=False)
        except BaseException as error:
            code = getattr(error, "code", None) or getattr(error, "exit_code", None) or repr(error)
    print("done" if not code else f"failed: {code}", file=answers, flush=True)
"""


class TreeError(ValueError):
    """An older tree that cannot be had or asked; the message says why."""


def git(*arguments: str) -> str:
    """Return what git says of this project. Raises TreeError."""
    command = ["git", "-C", str(ROOT), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - the project's own tree
    if done.returncode:
        raise TreeError(f"git {arguments[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def commit_of(revision: str) -> str:
    """Return the short name of the commit ``revision``. Raises TreeError."""
    try:
        return git("rev-parse", "--short", "--verify", f"{revision}^{{commit}}")
    except TreeError:
        raise TreeError(f"git knows no commit {revision}") from None


def checked_out(revision: str) -> Path:
    """Return a folder with the tree of ``revision``, checked out below ``.work`` if need be. Raises TreeError."""
    commit = commit_of(revision)
    folder = TREES / commit
    if not folder.exists():
        git("worktree", "add", "--detach", str(folder), commit)
    return folder


def removed(revision: str) -> None:
    """Give the folder of ``revision`` back. Raises TreeError."""
    git("worktree", "remove", "--force", str(TREES / commit_of(revision)))


class OlderTree:
    """The command ``tavolo replay`` of the tree of ``revision``, kept running while it is entered."""

    def __init__(self, revision: str) -> None:
        self._folder = checked_out(revision)
        self._child: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        environment = {**os.environ, "PYTHONPATH": str(self._folder), "PYTHONHASHSEED": "0"}
        self._child = subprocess.Popen(  # noqa: S603 - the project's own command
            [sys.executable, "-c", _SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
            cwd=self._folder,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.communicate()

    def replayed(self, log: Path) -> bytes | None:
        """Return what its ``tavolo replay LOG --events OUT --secret`` writes; None where it refuses the log."""
        child = self._child
        if child is None or child.stdin is None or child.stdout is None:
            raise TreeError("the tree is not entered")
        with tempfile.TemporaryDirectory() as name:
            out = Path(name) / "events.jsonl"
            print(log.resolve(), out, sep="\t", file=child.stdin, flush=True)
            answer = child.stdout.readline()
            if not answer:
                raise TreeError(f"{self._folder.name} cannot replay: its command has ended")
            return out.read_bytes() if answer.strip() == "done" and out.exists() else None


Told = Callable[[int, Sequence[str]], Mapping[str, bytes | None]]
"""What is told of each of some logs at a place in a row of trees."""


def halved(told: Told, first: int, last: int, names: Sequence[str]) -> dict[int, list[str]]:
    """By place the logs of ``names`` of which the tree there tells otherwise than the one before it.

    Between two trees that tell the same of a log none is taken to tell otherwise.

    >>> halved(lambda place, names: {name: b"old" if place < 5 else b"new" for name in names}, 0, 9, ["a", "b"])
    {5: ['a', 'b']}
    """
    before, after = told(first, names), told(last, names)
    changed = [name for name in names if before[name] != after[name]]
    if not changed or last - first <= 1:
        return {last: changed} if changed else {}
    middle = (first + last) // 2
    return {**halved(told, first, middle, changed), **halved(told, middle, last, changed)}


def changed_by(logs: Mapping[str, Path], revision: str, until: str = "HEAD") -> dict[str, list[str]]:
    """Return which commits after ``revision``, up to ``until``, have changed what is told of each of ``logs``.

    Commits in their order, each with its first line, and the names of the logs that it changed.
    """
    commits = [commit_of(revision), *git("rev-list", "--reverse", f"{revision}..{until}", "--", *_FOLD).split()]
    known: dict[tuple[int, str], bytes | None] = {}

    def told(place: int, names: Sequence[str]) -> dict[str, bytes | None]:
        missing = [name for name in names if (place, name) not in known]
        if missing:
            with OlderTree(commits[place]) as tree:
                known.update({(place, name): tree.replayed(logs[name]) for name in missing})
            removed(commits[place])
        return {name: known[place, name] for name in names}

    found = halved(told, 0, len(commits) - 1, list(logs))
    return {git("log", "-1", "--format=%h %s", commits[place]): names for place, names in sorted(found.items())}
