"""Make sdist and wheel, install the wheel into a bare environment, use it there.

``python tools/try_wheel.py [--out dist] [--offline]``: the wheel is made from the sdist, so that both are whole.
Libraries come from a package index by the hashes of ``requirements-table.lock``; with ``--offline`` the fresh
environment sees those of this one instead, and nothing is fetched. Each step is reported with its seconds; the exit
code is 1 if one fails.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
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
    """Make the sdist in ``out``, the wheel from it, and return the wheel."""
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", out)
    pip = (sys.executable, "-m", "pip", "wheel", *QUIET)
    run(*pip, _newest(out, "tavolo_table-*.tar.gz"), "--no-deps", "--no-build-isolation", "--no-index", "-w", out)
    return _newest(out, "tavolo_table-*.whl")


def _newest(folder: Path, pattern: str) -> Path:
    return max(folder.glob(pattern), key=lambda one: one.stat().st_mtime)


def use(wheel: Path, place: Path, *, offline: bool) -> None:
    """Install ``wheel`` into a bare environment and run its command from an empty folder."""
    run(sys.executable, "-m", "venv", place / "venv")
    python, tavolo = place / "venv/bin/python", place / "venv/bin/tavolo"
    pip = (python, "-m", "pip", "install", *QUIET, "--no-compile", "--no-deps")
    if offline:
        packages = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
        # a path in a .pth is searched for libraries; this checkout's own .pth, which lies there, is not followed
        (Path(packages) / "libraries.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    else:
        run(*pip, "--require-hashes", "-r", ROOT / "requirements-table.lock")
    run(*pip, "--no-index", wheel)
    empty = place / "empty"
    empty.mkdir()
    where = run(python, "-c", "import table_service; print(table_service.__file__)", at=empty)
    if not where.startswith(str(place)):
        raise WheelError(f"the environment runs {where.strip()}, not what the wheel brought")
    version = wheel.name.split("-")[1]
    if run(tavolo, "--version", at=empty).strip() != f"tavolo {version}":
        raise WheelError(f"tavolo --version does not say {version}")
    _use_commands(tavolo, empty)


def _use_commands(tavolo: Path, empty: Path) -> None:
    shown = run(tavolo, "--help", at=empty)
    if missing := [name for name in NAMED if name not in shown]:
        raise WheelError(f"tavolo --help does not name {', '.join(missing)}")
    shutil.copy(ROOT / "examples/deal.json", empty)
    if "burraco" not in run(tavolo, "count", "deal.json", at=empty).lower():
        raise WheelError("tavolo count deal.json does not count")
    shutil.copy(ROOT / "examples/table.toml", empty)
    if "right" not in run(tavolo, "check", "table.toml", "--lang", "en", at=empty):
        raise WheelError("tavolo check does not find the example's configuration right")
    run(tavolo, "rehearse", "--seed", "7", "--log", "deal.jsonl", at=empty)
    if "score.counted" not in run(tavolo, "replay", "deal.jsonl", "--events", "-", at=empty):
        raise WheelError("tavolo replay does not count a rehearsed deal")
    run(tavolo, "doctor", at=empty)
    if "tavolo-table@T12" not in run(tavolo, "install", "--table", "T12", "--dry-run", at=empty, may_end_with=(0, 1)):
        raise WheelError("tavolo install --dry-run does not name the table's unit")


def main() -> int:
    """Make it, try it."""
    parser = argparse.ArgumentParser(description="Make sdist and wheel, and try the wheel in a bare environment.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder for both (default: dist)")
    parser.add_argument("--only-make", action="store_true", help="do not try it")
    parser.add_argument("--offline", action="store_true", help="use the libraries of this environment")
    asked = parser.parse_args()
    try:
        began = time.monotonic()
        wheel = make(asked.out)
        print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB, made in {time.monotonic() - began:.0f} s")
        if not asked.only_make:
            began = time.monotonic()
            with tempfile.TemporaryDirectory(prefix="tavolo-wheel-") as place:
                use(wheel, Path(place), offline=asked.offline)
            print(f"version, check, count, replay, doctor and install run from it, {time.monotonic() - began:.0f} s")
    except WheelError as error:
        print(f"try_wheel: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
