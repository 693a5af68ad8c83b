"""How many processor instructions an observation costs, here and in an older tree: ``bench.py --instructions``.

Where other programs share the core times swing by a fifth; instructions do not. Each tree runs the parts of its own
``tools/bench.py`` under valgrind's callgrind, over the same logs, which this tree rehearses. One pass of each part is
counted, after one that is not: start, imports and what is read for the first time run without instrumentation.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
PARTS: Final = {
    "rules": ("verify and apply", "action"),
    "read": ("reading the log alone", "observation"),
    "track": ("tracking alone", "observation"),
    "feed": ("the whole fold without files", "observation"),
    "replay": ("replay from file to events", "observation"),
    "write": ("writing the log alone", "observation"),
}
"""What can be counted: by its name, what it is and what one of it is."""
ALLOWED: Final = 0.03
"""By so much a part may cost more than in the older tree (issue 15)."""
_TOTALS: Final = "totals:"
_READY: Final = "ready"


class InstructionsError(ValueError):
    """Instructions that cannot be counted; the message says why."""


@dataclass(frozen=True, slots=True)
class Counted:
    """``instructions`` of one pass of ``part`` over ``things`` actions or observations."""

    part: str
    things: int
    instructions: int

    @property
    def each(self) -> float:
        """Instructions for one action or observation."""
        return self.instructions / self.things


# -- the process whose instructions are counted ------------------------------------------------------------------------


def serve(tree: Path, logs: Sequence[Path], orders: IO[str], answers: IO[str]) -> None:
    """Do one pass of the part that each line of ``orders`` names; answer how many things were done."""
    bench = _bench_of(tree)
    played = [bench.actions_of(seed) for seed in range(1, len(logs) + 1)]
    loaded = [(header, list(observations)) for header, observations in map(bench.read_log, logs)]
    work: dict[str, Callable[[], int]] = {
        "rules": lambda: bench.play(played, cold=True),
        "read": lambda: bench.read(logs),
        "track": lambda: bench.track(loaded),
        "feed": lambda: bench.feed(loaded),
        "replay": lambda: bench.replay(logs),
        "write": lambda: bench.write(loaded, logs[0].parent),
    }
    print(_READY, file=answers, flush=True)
    for line in orders:
        bench.gc.collect()
        bench.gc.freeze()  # else most of a short pass is the collector, which goes through all loaded modules
        print(work[line.strip()](), file=answers, flush=True)


def _bench_of(tree: Path) -> Any:
    """Return the module ``tools/bench.py`` of ``tree``; it imports from that tree, which must be first on the path."""
    sys.path.insert(0, str(tree / "tools"))
    spec = importlib.util.spec_from_file_location("bench_of_tree", tree / "tools" / "bench.py")
    if spec is None or spec.loader is None:
        raise InstructionsError(f"{tree} has no tools/bench.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


def parts_of(tree: Path) -> tuple[str, ...]:
    """Return the parts that ``tree`` can count: one from before 28 November 2026 has no writing of the log."""
    writes = "def write(" in (tree / "tools" / "bench.py").read_text(encoding="utf-8")
    return tuple(part for part in PARTS if writes or part != "write")


# -- the process that counts -------------------------------------------------------------------------------------------


def count(tree: Path, logs: Sequence[Path], parts: Sequence[str] = tuple(PARTS)) -> list[Counted]:
    """Count the instructions of one pass of each of ``parts`` over ``logs`` by the code of ``tree``.

    Raises InstructionsError where valgrind is not installed or the counted process fails.
    """
    if shutil.which("valgrind") is None or shutil.which("callgrind_control") is None:
        raise InstructionsError("valgrind is not installed (Debian: apt install valgrind)")
    with tempfile.TemporaryDirectory() as name, _counted_process(tree, logs, Path(name)) as child:
        return [_count_part(child, part, Path(name)) for part in parts]


@contextmanager
def _counted_process(tree: Path, logs: Sequence[Path], out: Path) -> Iterator[subprocess.Popen[str]]:
    """Yield a process that serves the parts of ``tree`` under callgrind, with its dumps in ``out``; it is ready."""
    valgrind = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={out / 'counted'}", "-q"]
    command = [*valgrind, sys.executable, str(Path(__file__).resolve()), str(tree), *map(str, logs)]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": str(tree), "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(  # noqa: S603 - this very file under valgrind
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=tree
    ) as child:
        try:
            if _answer(child) != _READY:
                raise InstructionsError("the counted process did not begin")
            yield child
        finally:
            child.kill()


def _count_part(child: subprocess.Popen[str], part: str, out: Path) -> Counted:
    _order(child, part)  # the pass that is not counted
    _control(child.pid, "--instr=on")
    _control(child.pid, "--zero")
    things = _order(child, part)
    before = set(out.iterdir())
    _control(child.pid, f"--dump={part}")
    _control(child.pid, "--instr=off")
    for path in sorted(set(out.iterdir()) - before):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith(_TOTALS):
                return Counted(part, things, int(line.removeprefix(_TOTALS)))
    raise InstructionsError(f"callgrind wrote nothing about {part}")


def _order(child: subprocess.Popen[str], part: str) -> int:
    if child.stdin is not None:
        print(part, file=child.stdin, flush=True)
    return int(_answer(child))


def _answer(child: subprocess.Popen[str]) -> str:
    line = "" if child.stdout is None else child.stdout.readline().strip()
    if not line:
        raise InstructionsError("the counted process has ended: what it said stands above")
    return line


def _control(pid: int, what: str) -> None:
    command = ["callgrind_control", what, str(pid)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - valgrind's own command
    if done.returncode:
        raise InstructionsError(f"callgrind_control {what}: {done.stderr.strip() or done.stdout.strip()}")


# -- what is said of it -----------------------------------------------------------------------------------------------


def page(now: Sequence[Counted], older: Sequence[Counted] = (), revision: str = "") -> str:
    """Return what was counted as a Markdown table, with ``older`` of ``revision`` beside it.

    >>> print(page([Counted("feed", 10, 4850)], [Counted("feed", 10, 5000)], "e83e1f3"))
    | what | counted | instructions each | of e83e1f3 | difference |
    |---|--:|--:|--:|--:|
    | the whole fold without files | 10 observations | 485 | 500 | -3.0 % |
    """
    beside = {one.part: one for one in older}
    rows = ["| what | counted | instructions each |", "|---|--:|--:|"]
    if older:
        rows = [f"{rows[0]} of {revision} | difference |", f"{rows[1]}--:|--:|"]
    for one in now:
        what, unit = PARTS[one.part]
        row = f"| {what} | {one.things} {unit}s | {one.each:,.0f} |"
        if (was := beside.get(one.part)) is not None:
            row += f" {was.each:,.0f} | {one.each / was.each - 1:+.1%} |".replace("%", " %")
        rows.append(row)
    return "\n".join(rows)


def worse(now: Sequence[Counted], older: Sequence[Counted], allowed: float = ALLOWED) -> list[str]:
    """Return the parts that cost more than in the older tree, by more than ``allowed``.

    >>> older = [Counted("feed", 10, 5000), Counted("read", 10, 90)]
    >>> worse([Counted("feed", 10, 5200), Counted("read", 10, 90)], older)
    ['feed']
    """
    beside = {one.part: one.each for one in older}
    return [one.part for one in now if one.each > beside.get(one.part, one.each) * (1 + allowed)]


if __name__ == "__main__":
    serve(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]], sys.stdin, sys.stdout)
