"""A test that fails once is run again alone and listed; one that fails twice, and more than two, fail the run."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ALONE, KEPT_TOGETHER
from tools.run_tests import failed_tests, has_memory

TOOL = Path(__file__).resolve().parents[2] / "tools" / "run_tests.py"
UNSTEADY = """
from pathlib import Path

def test_once():
    mark = Path({mark!r})
    seen = mark.exists()
    mark.touch()
    assert seen
"""


def run(folder: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, str(TOOL), "-q", "-n", "0", "--rootdir", str(folder), str(folder)],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


def write(folder: Path, *, unsteady: int = 0, broken: int = 0) -> None:
    for n in range(unsteady):
        (folder / f"test_unsteady_{n}.py").write_text(UNSTEADY.format(mark=str(folder / f"mark{n}")))
    for n in range(broken):
        (folder / f"test_broken_{n}.py").write_text("def test_no():\n    assert False\n")
    (folder / "test_right.py").write_text("def test_yes():\n    pass\n")


def test_two_unsteady_tests_pass_and_are_named(tmp_path: Path) -> None:
    write(tmp_path, unsteady=2)
    code, out = run(tmp_path)
    assert code == 0
    assert "UNSTEADY" in out
    assert out.count("test_unsteady_1.py::test_once") >= 2
    assert out.rstrip().endswith("test_unsteady_1.py::test_once")


@pytest.mark.parametrize(("unsteady", "broken"), [(3, 0), (0, 1), (1, 1)], ids=["three", "broken", "one of each"])
def test_what_is_broken_or_too_unsteady_fails(tmp_path: Path, unsteady: int, broken: int) -> None:
    write(tmp_path, unsteady=unsteady, broken=broken)
    code, out = run(tmp_path)
    assert code == 1
    assert "UNSTEADY" not in out


def test_folders_of_the_tests_lie_in_memory_where_there_is_room_and_are_gone_afterwards(tmp_path: Path) -> None:
    told = tmp_path / "where"
    (tmp_path / "test_where.py").write_text(
        f"def test_it(tmp_path):\n    open({str(told)!r}, 'w').write(str(tmp_path))\n"
    )
    assert run(tmp_path)[0] == 0
    if has_memory():
        assert told.read_text().startswith("/dev/shm/")  # noqa: S108 - only read
        assert not Path(told.read_text()).exists()


def test_a_run_that_is_told_to_end_leaves_nothing_in_memory(tmp_path: Path) -> None:
    told = tmp_path / "where"
    (tmp_path / "test_long.py").write_text(
        f"import time\ndef test_it(tmp_path):\n    open({str(told)!r}, 'w').write(str(tmp_path))\n    time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, str(TOOL), "-q", "-n", "0", str(tmp_path)], cwd=tmp_path) as run_:
        while not told.exists() or not told.read_text():
            assert run_.poll() is None
            time.sleep(0.05)
        run_.terminate()
        assert run_.wait(60) == 143
    assert not (has_memory() and Path(told.read_text()).exists())


@pytest.mark.parametrize("group", [ALONE, *(f"{name}x" for name in KEPT_TOGETHER)])
def test_the_group_of_a_failed_test_is_no_part_of_the_name_under_which_it_is_run_again(
    group: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / ".pytest_cache" / "v" / "cache"
    kept.mkdir(parents=True)
    (kept / "lastfailed").write_text(json.dumps({f"tests/test_a.py::test_b[one]@{group}": True}))
    monkeypatch.chdir(tmp_path)
    assert failed_tests() == ["tests/test_a.py::test_b[one]"]


def test_a_run_without_a_failure_or_without_a_test_keeps_pytests_exit_code(tmp_path: Path) -> None:
    write(tmp_path)
    assert run(tmp_path)[0] == 0
    (tmp_path / "test_right.py").unlink()
    assert run(tmp_path)[0] == 5
