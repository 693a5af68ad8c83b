"""Schemathesis against the console's own API, once for each role and once for nobody: a report.

``python tools/api_fuzz.py --st PROGRAM [--examples 25] [--only ROLE,…] [--seed 1] [--json FILE]``

``PROGRAM`` is Schemathesis's ``st`` from an environment of its own (it is no dependency). A console is served on this
machine with an evening of tables in it (``tests/console/console_feed.py``), and its own description is what requests
are made from: all checks but ``ignored_auth``, which knows nothing of roles. Told are the requests, each check that
failed, and answers of 5xx. Exit code 1 where a check failed, 2 where it cannot be run.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from table_service.console import ConsoleSettings  # noqa: E402
from table_service.console.console_server import RunningConsole, serving  # noqa: E402
from table_service.console.storage import Role  # noqa: E402
from tests.console import console_feed  # noqa: E402

NOBODY: Final = "nobody"
LONGEST_S: Final = 900.0


def token_of(console: RunningConsole, role: str) -> str:
    """Return a program's token with that role."""
    accounts, now = console.office.book.accounts, time.time()
    person = accounts.named(f"api {role}") or accounts.add(f"api {role}", Role(role), now=now)
    assert person is not None  # noqa: S101 - the book is new
    return str(accounts.link(person.id, "api", expires=now + 3600))


def ask(console: RunningConsole, role: str, given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """One run of Schemathesis; what it found."""
    words = [
        given.st, "run", f"{console.url}api/v1/openapi.json", "--url", f"{console.url}", "--checks", "all",
        "--exclude-checks", "ignored_auth", "--max-examples", str(given.examples), "--seed", str(given.seed),
        "--no-shrink", "--continue-on-failure", "--request-timeout", "20",
        "--report", "ndjson", "--report-ndjson-path", str(folder / f"{role}.ndjson"),
    ]  # fmt: skip
    if role != NOBODY:
        words += ["--header", f"Authorization: Bearer {token_of(console, role)}"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=LONGEST_S, cwd=folder)  # noqa: S603
    report = folder / f"{role}.ndjson"
    codes: dict[str, int] = {}
    for code in re.findall(r'"status_code": ?(\d{3})', report.read_text("utf-8")) if report.exists() else ():
        codes[code] = codes.get(code, 0) + 1
    return {"role": role, "rc": done.returncode, "answers": codes, "said": (done.stdout + done.stderr)[-6000:]}


def main() -> int:
    """Exit code 1 where a check failed, 2 where it cannot be run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--st", required=True)
    parser.add_argument("--examples", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default=",".join([*(str(role) for role in Role), NOBODY]))
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory(prefix="tavolo-api-") as scratch:
        folder = Path(scratch)
        settings = ConsoleSettings(host="127.0.0.1", port=0, data=folder / "hall.sqlite", undo=0)
        with serving(settings) as console:
            for topic, payload in console_feed.evening():
                console.store.apply(topic, payload, now=time.time())
            for role in given.only.split(","):
                found = ask(console, role, given, folder)
                results.append(found)
                bad = sum(count for code, count in found["answers"].items() if code.startswith("5"))
                told = ", ".join(f"{code}: {count}" for code, count in sorted(found["answers"].items()))
                sys.stdout.write(f"{role}: exit {found['rc']}, answers of 5xx {bad} ({told})\n{found['said']}\n")
                sys.stdout.flush()
    if given.json:
        given.json.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    return max((min(one["rc"], 1) for one in results), default=2)


if __name__ == "__main__":
    sys.exit(main())
