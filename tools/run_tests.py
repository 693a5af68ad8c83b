"""Run pytest; run at most two failed tests again, alone, once; list those that then pass as unsteady.

``python tools/run_tests.py ARGS…`` hands ARGS to pytest. Exit code: pytest's, but 0 if at most two tests failed and
each passed alone. Three failures or more are never taken for chance. An unsteady test is a defect of the test: make it
steady before anything new is built.

Folders of the tests lie in memory where there is room for them: on a disk every journal and every console's file waits
for it, hundreds of times a minute.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

MOST_UNSTEADY: Final = 2
_FAILED: Final = 1
"""Exit code of pytest if tests ran and some failed."""
_LAST_FAILED: Final = Path(".pytest_cache/v/cache/lastfailed")
_GROUP: Final = re.compile(r"@(?:board|alone|emulated-|kept-)[^@\[\]:]*$")
"""Suffix that ``tests/conftest.py`` gives to tests which share a worker; no part of the test's own name."""
_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - what is made there has a name of its own
_ROOM: Final = 3 << 30
"""Bytes that must be free in memory; a whole run leaves half a gigabyte."""


def has_memory() -> bool:
    """Return True if the folders of a whole run fit in memory, and programs may be started from there."""
    if not os.access(_MEMORY, os.W_OK | os.X_OK) or os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC:
        return False
    return shutil.disk_usage(_MEMORY).free >= _ROOM


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
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what lies in memory goes with a run that is ended
    with ExitStack() as kept:
        if has_memory():
            made = tempfile.TemporaryDirectory(prefix="tv-", dir=_MEMORY, ignore_cleanup_errors=True)
            os.environ["TMPDIR"] = kept.enter_context(made)
            Path(made.name).chmod(0o711)  # PostgreSQL's programs run as another user and must come through
        sys.exit(main(sys.argv[1:]))
