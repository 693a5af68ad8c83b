"""Run pytest; run at most two failed tests again, alone, once; list those that then pass as unsteady.

``python tools/run_tests.py ARGS…`` hands ARGS to pytest. Exit code: pytest's, but 0 if at most two tests failed and
each passed alone. Three failures or more are never taken for chance. An unsteady test is a defect of the test: make it
steady before anything new is built.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

MOST_UNSTEADY: Final = 2
_FAILED: Final = 1
"""Exit code of pytest if tests ran and some failed."""
_LAST_FAILED: Final = Path(".pytest_cache/v/cache/lastfailed")
_GROUP: Final = re.compile(r"@(?:board|alone|emulated-|kept-)[^@\[\]:]*$")
"""Suffix that ``tests/conftest.py`` gives to tests which share a worker; no part of the test's own name."""


def run_pytest(arguments: Sequence[str]) -> int:
    """Return pytest's exit code for ``arguments``."""
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], check=False).returncode  # noqa: S603 - ourselves


def failed_tests() -> list[str]:
    """Return the node ids of the tests that failed in the last run, without the groups of xdist."""
    if not _LAST_FAILED.exists():
        return []
    return sorted({_GROUP.sub("", name) for name in json.loads(_LAST_FAILED.read_text())})


def main(arguments: Sequence[str]) -> int:
    """Run the tests; return the exit code of the whole."""
    _LAST_FAILED.unlink(missing_ok=True)
    code = run_pytest(arguments)
    failed = failed_tests()
    if code != _FAILED or not 0 < len(failed) <= MOST_UNSTEADY:
        return code
    print(f"\nrun again, alone: {', '.join(failed)}", flush=True)
    code = run_pytest(["-q", "-p", "no:cacheprovider", *failed])
    if code == 0:
        print("UNSTEADY, passed alone; make them steady before anything new is built:")
        print("\n".join(f"  {name}" for name in failed))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
