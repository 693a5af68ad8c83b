"""`make demo` installs what the demo needs, at the versions that the tests use, and nothing that only they need."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def pinned(lock: str) -> dict[str, str]:
    lines = (ROOT / lock).read_text("utf-8").splitlines()
    return dict(found.groups() for line in lines if (found := re.match(r"([a-z0-9-]+)==(\S+)", line)))  # type: ignore[misc]


def test_the_demos_packages_are_a_part_of_all_at_the_same_versions_and_all_that_a_table_needs() -> None:
    demo, every = pinned("requirements-demo.lock"), pinned("requirements.lock")
    assert demo.items() <= every.items()
    assert pinned("requirements-table.lock").items() <= demo.items()
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    named = [one for group in ("dev", "interop") for one in groups[group] if isinstance(one, str)]
    of_tests = {re.split(r"[>=<\[]", one)[0] for one in named}
    assert of_tests
    assert not of_tests & demo.keys()


def test_make_demo_sets_up_the_demo_alone() -> None:
    done = subprocess.run(["make", "-n", "demo"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "tools/setup.sh demo" in done.stdout
    assert not re.search(r"tools/setup\.sh$", done.stdout, re.MULTILINE)
