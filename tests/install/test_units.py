"""The units as systemd's own tools judge them: valid, and exposed no more than 1.5 each."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from table_service.install.machine_plan import PlanError, Wish, plan
from table_service.install.step_kinds import Account

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNITS = sorted(path.name for path in SYSTEMD.glob("*.service"))
EXPOSED = {"tavolo-table@.service": 1.4, "tavolo-console.service": 1.2, "tavolo-screen.service": 1.4}
"""As systemd 252 judges them; a later one finds less, never more. The issue asks for 1.5 at most."""


def _analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    return subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, check=False)


def test_there_are_units_for_table_console_and_screen() -> None:
    assert UNITS == ["tavolo-console.service", "tavolo-screen.service", "tavolo-table@.service"]


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_valid(unit: str, tmp_path: Path) -> None:
    """The programs it starts are not here: they become one that is; everything else is judged as it stands."""
    text = (SYSTEMD / unit).read_text("utf-8")
    text = re.sub(r"(?m)^(Exec\w+=)(/opt/tavolo/bin/tavolo|/usr/bin/\w+)", r"\1/bin/true", text)
    (tmp_path / unit).write_text(text, "utf-8")
    done = _analyze("verify", "--man=no", "--generators=no", str(tmp_path / unit))
    own = [line for line in done.stderr.splitlines() if re.split("[@.]", unit)[0] in line]
    assert not own, done.stderr


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_exposed_no_more_than_one_and_a_half(unit: str) -> None:
    done = _analyze("security", "--offline=true", str(SYSTEMD / unit))
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert found is not None, done.stderr
    assert float(found[1]) <= EXPOSED[unit]


@pytest.mark.parametrize("unit", UNITS)
def test_a_library_that_tries_a_forbidden_call_is_told_so_and_not_killed(unit: str) -> None:
    assert "SystemCallErrorNumber=EPERM" in (SYSTEMD / unit).read_text("utf-8").splitlines()


@pytest.mark.parametrize("unit", UNITS)
def test_a_service_that_crashes_leaves_no_picture_of_its_memory(unit: str) -> None:
    assert "\nLimitCORE=0\n" in (SYSTEMD / unit).read_text(encoding="utf-8"), "hidden cards and keys are in its memory"


@pytest.mark.parametrize("unit", [unit for unit in UNITS if "screen" not in unit])
def test_a_service_that_grows_without_end_is_begun_anew_before_the_machine_is_full(unit: str) -> None:
    lines = dict(line.split("=", 1) for line in (SYSTEMD / unit).read_text("utf-8").splitlines() if "=" in line)
    sizes = {"M": 1, "G": 1024}
    high, most = (int(lines[name][:-1]) * sizes[lines[name][-1]] for name in ("MemoryHigh", "MemoryMax"))
    assert 300 <= high < most <= 1024
    assert lines["Restart"] == "always"
    assert int(lines["TasksMax"]) <= 512


@pytest.mark.parametrize("unit", [unit for unit in UNITS if "screen" not in unit])
def test_secrets_come_by_systemd_and_one_that_is_not_there_does_not_stop_the_service(unit: str) -> None:
    """``SetCredential`` of the same name is what ``LoadCredential`` falls back to."""
    lines = (SYSTEMD / unit).read_text("utf-8").splitlines()
    given = [line.removeprefix("LoadCredential=").split(":")[0] for line in lines if line.startswith("LoadCredential=")]
    empty = [line.removeprefix("SetCredential=") for line in lines if line.startswith("SetCredential=")]
    assert given
    assert empty == [f"{name}:\\n" for name in given]
    user = unit.removeprefix("tavolo-").split("@")[0].removesuffix(".service")
    assert any(name.startswith((user, "table-%i")) and name.endswith(".password") for name in given)


def test_a_table_may_touch_its_boards_and_its_camera_and_no_other_device() -> None:
    lines = (SYSTEMD / "tavolo-table@.service").read_text("utf-8").splitlines()
    allowed = {line.split("=")[1].split()[0] for line in lines if line.startswith("DeviceAllow=")}
    assert "DevicePolicy=closed" in lines
    assert allowed == {"char-166", "char-188", "char-81", "char-media", "char-dma_heap"}


def test_each_service_is_a_user_of_its_own_that_the_installation_makes() -> None:
    """Two services of one user read each other's journals, keys and memory; ``%i`` is the table's name."""
    users = {}
    for unit in UNITS:
        lines = dict(line.split("=", 1) for line in (SYSTEMD / unit).read_text("utf-8").splitlines() if "=" in line)
        users[unit] = lines["User"]
    assert len(set(users.values())) == len(UNITS)
    assert "%i" in users["tavolo-table@.service"]
    steps = plan(Wish("/src", tables=("T1", "T2"), console=True))
    screen = plan(Wish("/src", tables=("T1",), screen=True))
    made = {step.name for step in (*steps, *screen) if isinstance(step, Account)}
    wanted = {users[unit].replace("%i", name) for unit in UNITS for name in ("T1", "T2")}
    assert len(wanted) == 4
    assert wanted <= made


@pytest.mark.parametrize("name", ["console", "screen", "a-name-of-more-than-24-signs"])
def test_a_table_whose_user_would_be_another_services_or_too_long_is_refused(name: str) -> None:
    with pytest.raises(PlanError):
        Wish("/src", tables=(name,))
    assert Wish("/src", console=True, guests=(name,)).guests == (name,), "one that runs elsewhere needs no user here"
