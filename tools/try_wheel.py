"""Makes the wheel, installs it into a bare environment and uses it there: ``python tools/try_wheel.py [--out dist]``.

Needs a package index or a cache for the libraries. What is shown is said with its seconds; the exit code is 1 where
something is not as it should be.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
QUIET: Final = ("--quiet", "--disable-pip-version-check", "--no-input")
NAMED: Final = (
    "count",
    "score",
    "see",
    "check",
    "doctor",
    "install",
    "node",
    "hall",
    "run",
    "console",
    "audit",
    "demo",
)
"""Commands that its help must name."""


class WheelError(Exception):
    """Something that was to be shown is not so."""


def run(*command: str | Path, at: Path = ROOT, may_end_with: tuple[int, ...] = (0,)) -> str:
    """Run a program without what this environment says of Python; what it said."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    parts = [str(part) for part in command]
    done = subprocess.run(parts, cwd=at, env=clean, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode not in may_end_with:
        raise WheelError(f"{' '.join(parts[:4])}: {(done.stderr or done.stdout).strip()[-400:]}")
    return done.stdout


def make(out: Path) -> Path:
    """Make the wheel in ``out`` and return it."""
    pip = (sys.executable, "-m", "pip", "wheel", *QUIET)
    run(*pip, ".", "--no-deps", "--no-build-isolation", "--no-index", "-w", out)
    return max(out.glob("tavolo_table-*.whl"), key=lambda one: one.stat().st_mtime)


def use(wheel: Path, place: Path) -> None:
    """Install ``wheel`` into a bare environment and run its command from an empty folder."""
    run(sys.executable, "-m", "venv", place / "venv")
    python, tavolo = place / "venv/bin/python", place / "venv/bin/tavolo"
    pip = (python, "-m", "pip", "install", *QUIET, "--no-compile", "--no-deps")
    run(*pip, "--require-hashes", "-r", ROOT / "requirements-table.lock")
    run(*pip, "--no-index", wheel)
    empty = place / "empty"
    empty.mkdir()
    shown = run(tavolo, "--help", at=empty)
    if missing := [name for name in NAMED if name not in shown]:
        raise WheelError(f"tavolo --help does not name {', '.join(missing)}")
    shutil.copy(ROOT / "examples/deal.json", empty)
    if "burraco" not in run(tavolo, "count", "deal.json", at=empty).lower():
        raise WheelError("tavolo count deal.json does not count")
    run(tavolo, "doctor", at=empty)
    if "tavolo-table@T12" not in run(tavolo, "install", "--table", "T12", "--dry-run", at=empty, may_end_with=(0, 1)):
        raise WheelError("tavolo install --dry-run does not name the table's unit")


def main() -> int:
    """Make it, try it."""
    parser = argparse.ArgumentParser(description="Make the wheel and try it in a bare environment.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the wheel is laid (default: dist)")
    parser.add_argument("--only-make", action="store_true", help="do not try it")
    asked = parser.parse_args()
    try:
        began = time.monotonic()
        wheel = make(asked.out)
        print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB, made in {time.monotonic() - began:.0f} s")
        if not asked.only_make:
            began = time.monotonic()
            with tempfile.TemporaryDirectory(prefix="tavolo-wheel-") as place:
                use(wheel, Path(place))
            print(f"help, count, doctor and install --dry-run run from it, {time.monotonic() - began:.0f} s")
    except WheelError as error:
        print(f"try_wheel: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
