"""Steps on a machine: what is there is left alone, a second run changes nothing, and what is its user's stays.

Programs are stood in for here, so this proves the order of things and the bookkeeping; ``tools/try_install.py`` does
the same in a real Debian, with real ones.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from table_service.install import command
from table_service.install.machine import RECORD, Machine

TRIXIE = 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nVERSION_CODENAME=trixie\n'
BOOKWORM = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\n'


class Programs:
    """The programs of a small Debian below ``root``, as far as an installation calls them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.packages = {"python3-venv"}
        self.known = {"python3-venv", "chrony", "mosquitto", "cog"}
        self.enabled: set[str] = set()
        self.owners: dict[str, str] = {}
        self.calls: list[str] = []
        self.broken = ""

    def __call__(self, line: Sequence[str]) -> subprocess.CompletedProcess[str]:
        assert list(line[:2]) == ["chroot", str(self.root)]
        program, *rest = line[2:]
        self.calls.append(f"{Path(program).name} {' '.join(rest)}")
        if self.broken and self.broken in self.calls[-1]:
            return subprocess.CompletedProcess(line, 1, "", "one thing\nit is broken\n")
        said = getattr(self, "_" + Path(program).name.replace("-", "_"))(*rest)
        return subprocess.CompletedProcess(line, 1 if said is None else 0, said or "", "")

    def _dpkg(self, *_: str) -> str:
        return "arm64\n"

    def _dpkg_query(self, *rest: str) -> str | None:
        return "installed" if rest[-1] in self.packages else None

    def _apt_cache(self, _show: str, name: str) -> str | None:
        return f"Package: {name}" if name in self.known else None

    def _apt_get(self, verb: str, *rest: str) -> str:
        if verb == "install":
            self.packages |= {name for name in rest if not name.startswith("-")}
        return ""

    def _useradd(self, *rest: str) -> str:
        number = 990 + len((self.root / "etc/passwd").read_text("utf-8"))
        for file, line in (("passwd", f"{rest[-1]}:x:{number}:{number}::/:\n"), ("group", f"{rest[-1]}:x:{number}:\n")):
            with (self.root / "etc" / file).open("a", encoding="utf-8") as stream:
                stream.write(line)
        return ""

    def _userdel(self, name: str) -> str:
        path = self.root / "etc/passwd"
        lines = path.read_text("utf-8").splitlines(keepends=True)
        path.write_text("".join(line for line in lines if not line.startswith(f"{name}:")), "utf-8")
        return ""

    def _usermod(self, _append: str, _groups: str, names: str, user: str) -> str:
        path = self.root / "etc/group"
        lines = path.read_text("utf-8").splitlines()
        joined = [f"{line}{user}," if line.split(":")[0] in names.split(",") else line for line in lines]
        path.write_text("\n".join(joined) + "\n", "utf-8")
        return ""

    def _chown(self, owner: str, name: str) -> str:
        self.owners[name] = owner
        return ""

    def _python3(self, *rest: str) -> str:
        place = self.root / rest[-1].lstrip("/")
        (place / "bin").mkdir(parents=True, exist_ok=True)
        sees = str("--system-site-packages" in rest).lower()
        (place / "pyvenv.cfg").write_text(f"include-system-site-packages = {sees}\n", "utf-8")
        return ""

    def _python(self, *_: str) -> str:
        (self.root / "opt/tavolo/bin/tavolo").write_text("", "utf-8")
        return ""

    def _mosquitto_passwd(self, flag: str, file: str, name: str, *_: str) -> str:
        path = self.root / file.lstrip("/")
        kept = [line for line in path.read_text("utf-8").splitlines() if not line.startswith(f"{name}:")]
        kept += [f"{name}:hash"] if flag == "-b" else []
        path.write_text("".join(f"{line}\n" for line in kept), "utf-8")
        return ""

    def _systemctl(self, verb: str, *rest: str) -> str | None:
        if verb == "is-enabled":
            return "enabled\n" if rest[-1] in self.enabled else None
        (self.enabled.add if verb == "enable" else self.enabled.discard)(rest[-1])
        return ""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    root = tmp_path / "root"
    for folder in ("etc/mosquitto/conf.d", "var/lib", "opt/src/hw"):
        (root / folder).mkdir(parents=True)
    (root / "etc/os-release").write_text(TRIXIE, "utf-8")
    (root / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\n", "utf-8")
    (root / "etc/group").write_text("root:x:0:\ndialout:x:20:\nvideo:x:44:\n", "utf-8")
    (root / "opt/src/pyproject.toml").write_text("", "utf-8")
    programs = Programs(root)
    monkeypatch.setattr(command, "Machine", lambda place: Machine(place, programs))
    monkeypatch.setattr(
        Machine, "owner", lambda self, path: programs.owners.get("/" + str(path.relative_to(self.root)), "root:root")
    )
    monkeypatch.setattr("os.geteuid", lambda: 0)
    return programs


TABLE = ("--table", "T12", "--camera", "v4l2")


def _install(machine: Programs, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, object]]:
    code = command.main(["--root", str(machine.root), "--from", "/opt/src", "--json", *arguments])
    out = capsys.readouterr().out
    return code, json.loads(out) if out else {}


def test_a_second_run_changes_nothing_and_needs_no_arguments(
    machine: Programs, capsys: pytest.CaptureFixture[str]
) -> None:
    code, told = _install(machine, capsys, *TABLE)
    assert code == 0
    assert told["changed"]
    before = {p: p.read_bytes() for p in machine.root.rglob("*") if p.is_file()}
    machine.calls.clear()
    assert _install(machine, capsys)[1]["changed"] == 0
    assert {p: p.read_bytes() for p in machine.root.rglob("*") if p.is_file()} == before
    assert {call.split()[0] for call in machine.calls} <= {"dpkg", "dpkg-query", "systemctl"}


def test_a_dry_run_touches_nothing_and_names_every_step(machine: Programs, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(machine.root.rglob("*"))
    code, told = _install(machine, capsys, *TABLE, "--dry-run")
    assert code == 0
    assert sorted(machine.root.rglob("*")) == before
    steps = told["steps"]
    assert isinstance(steps, list)
    assert {one["change"] for one in steps} == {"there", "would do"}


@pytest.mark.parametrize("system", [BOOKWORM, 'PRETTY_NAME="Fedora"\nVERSION_CODENAME=""\n', ""])
def test_a_dry_run_shows_every_step_on_any_machine_and_what_is_refused_there(
    machine: Programs, capsys: pytest.CaptureFixture[str], system: str
) -> None:
    wanted = (*TABLE, "--camera", "picamera2", "--dry-run")
    every: Any = _install(machine, capsys, *wanted)[1]["steps"]
    (machine.root / "etc/os-release").write_text(system, "utf-8")
    before = sorted(machine.root.rglob("*"))
    code, told = _install(machine, capsys, *wanted)
    steps: Any = told["steps"]
    assert code == 1
    assert [one["step"] for one in steps] == [one["step"] for one in every]
    assert [one["step"] for one in steps if one["change"] == "refused"] == ["release"]
    assert sorted(machine.root.rglob("*")) == before
    command.main(["--root", str(machine.root), "--from", "/opt/src", *wanted])
    shown = capsys.readouterr()
    assert "steps would change" in shown.out
    assert "to do: " in shown.out
    assert "release: this is" in shown.err


def test_bookworm_is_refused_before_anything_is_done_and_the_reason_is_named(
    machine: Programs, capsys: pytest.CaptureFixture[str]
) -> None:
    (machine.root / "etc/os-release").write_text(BOOKWORM, "utf-8")
    code = command.main(["--root", str(machine.root), "--from", "/opt/src", "--table", "T1"])
    told = capsys.readouterr()
    assert code == 1
    assert "numpy 2" in told.err
    assert "trixie" in told.err
    assert told.err.count("\n") == 1
    assert not (machine.root / "etc/tavolo").exists()


def test_picamera2_that_no_package_server_has_is_told_with_the_way_out(
    machine: Programs, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--root", str(machine.root), "--from", "/opt/src", "--table", "T1"]) == 1
    assert "--camera v4l2" in capsys.readouterr().err


def test_a_program_that_fails_ends_the_run_with_its_last_line_and_the_next_run_goes_on(
    machine: Programs, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.broken = "mosquitto_passwd"
    assert command.main(["--root", str(machine.root), "--from", "/opt/src", *TABLE]) == 1
    assert "it is broken" in capsys.readouterr().err
    assert "tavolo-table@T12.service" not in machine.enabled
    machine.broken = ""
    assert _install(machine, capsys, *TABLE)[0] == 0
    assert "tavolo-table@T12.service" in machine.enabled


def test_settings_that_their_owner_changed_are_never_written_again(
    machine: Programs, capsys: pytest.CaptureFixture[str]
) -> None:
    _install(machine, capsys, *TABLE)
    settings = machine.root / "etc/tavolo/T12.toml"
    settings.write_text("# mine\n", "utf-8")
    _install(machine, capsys, *TABLE)
    assert settings.read_text("utf-8") == "# mine\n"


def test_removal_leaves_what_is_the_users_and_names_it(machine: Programs, capsys: pytest.CaptureFixture[str]) -> None:
    _install(machine, capsys, *TABLE)
    journal = machine.root / "var/lib/tavolo/T12/T12.sqlite"
    journal.parent.mkdir()
    journal.write_text("journal", "utf-8")
    rules = machine.root / "etc/udev/rules.d/99-tavolo.rules"
    rules.write_text(rules.read_text("utf-8") + "# mine\n", "utf-8")
    code, told = _install(machine, capsys, "--uninstall")
    assert code == 0
    steps = told["steps"]
    assert isinstance(steps, list)
    kept = {one["step"] for one in steps if one["change"] == "kept"}
    assert {"file /etc/tavolo/T12.toml", "file /etc/udev/rules.d/99-tavolo.rules", "folder /var/lib/tavolo"} <= kept
    assert journal.exists()
    assert (machine.root / "etc/tavolo/T12.toml").exists()
    assert not (machine.root / "opt/tavolo").exists()
    assert not (machine.root / "etc/systemd/system/tavolo-table@.service").exists()
    assert "tavolo-table@T12.service" not in machine.enabled
    assert machine.packages >= {"mosquitto", "chrony"}


def test_removal_of_an_untouched_installation_leaves_only_settings_and_packages(
    machine: Programs, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {p for p in machine.root.rglob("*") if p.is_file()}
    _install(machine, capsys, *TABLE)
    _install(machine, capsys, "--uninstall")
    left = {str(p.relative_to(machine.root)) for p in machine.root.rglob("*") if p.is_file() and p not in before}
    assert left == {"etc/tavolo/T12.toml"}
    assert "tavolo:" not in (machine.root / "etc/passwd").read_text("utf-8")
    assert not (machine.root / RECORD.lstrip("/")).exists()


def test_a_removal_where_nothing_is_installed_is_done_already(
    machine: Programs, capsys: pytest.CaptureFixture[str]
) -> None:
    _install(machine, capsys, *TABLE)
    _install(machine, capsys, "--uninstall")
    code, told = _install(machine, capsys, "--uninstall")
    assert (code, told["steps"]) == (0, [])


def test_a_file_that_stood_there_before_comes_back(machine: Programs, capsys: pytest.CaptureFixture[str]) -> None:
    there = machine.root / "etc/chrony/conf.d/tavolo.conf"
    there.parent.mkdir(parents=True)
    there.write_text("# of old\n", "utf-8")
    _install(machine, capsys, *TABLE)
    assert there.read_text("utf-8") != "# of old\n"
    _install(machine, capsys, "--uninstall")
    assert there.read_text("utf-8") == "# of old\n"


def test_an_environment_that_does_not_see_the_system_is_made_to(
    machine: Programs, capsys: pytest.CaptureFixture[str]
) -> None:
    _install(machine, capsys, *TABLE)
    settings = machine.root / "opt/tavolo/pyvenv.cfg"
    assert "false" in settings.read_text("utf-8")
    machine.known.add("python3-picamera2")
    _install(machine, capsys, "--camera", "picamera2")
    assert "true" in settings.read_text("utf-8")


def test_a_source_that_changed_is_installed_anew(machine: Programs, capsys: pytest.CaptureFixture[str]) -> None:
    _install(machine, capsys, *TABLE)
    (machine.root / "opt/src/hw/new.py").write_text("x = 1\n", "utf-8")
    _, told = _install(machine, capsys)
    steps = told["steps"]
    assert isinstance(steps, list)
    assert [one["step"] for one in steps if one["change"] == "done"] == ["environment /opt/tavolo"]


def test_the_only_board_plugged_in_gives_its_serial_number(
    machine: Programs, capsys: pytest.CaptureFixture[str]
) -> None:
    usb = machine.root / "sys/bus/usb/devices/1-1"
    usb.mkdir(parents=True)
    (usb / "idVendor").write_text("2e8a\n", "utf-8")
    (usb / "serial").write_text("E66038B71345\n", "utf-8")
    assert _install(machine, capsys, *TABLE, "--gates", "plugged")[0] == 0
    rules = (machine.root / "etc/udev/rules.d/99-tavolo.rules").read_text("utf-8")
    assert '"E66038B71345", SYMLINK+="tavolo-gates"' in rules
    _install(machine, capsys, "--seats", "E66038B79999")
    rules = (machine.root / "etc/udev/rules.d/99-tavolo.rules").read_text("utf-8")
    assert "E66038B71345" in rules
    assert "E66038B79999" in rules


def test_the_third_board_is_asked_for_only_where_a_table_names_its_port(
    machine: Programs, capsys: pytest.CaptureFixture[str]
) -> None:
    _, told = _install(machine, capsys, *TABLE)
    assert not [note for note in _left(told) if "'places'" in note]
    for path in (machine.root / "etc/tavolo").glob("*.toml"):
        path.write_text(path.read_text("utf-8").replace("/dev/tavolo-gates", "/dev/tavolo-places"), "utf-8")
    _, told = _install(machine, capsys)
    assert len([note for note in _left(told) if "--places plugged" in note]) == 1
    _install(machine, capsys, "--places", "E66038B72222")
    rules = (machine.root / "etc/udev/rules.d/99-tavolo.rules").read_text("utf-8")
    assert '"E66038B72222", SYMLINK+="tavolo-places"' in rules


def _left(told: dict[str, object]) -> list[str]:
    left = told["left"]
    assert isinstance(left, list)
    return left


def test_nobody_but_root_installs(
    machine: Programs, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert command.main(["--root", str(machine.root), "--from", "/opt/src", *TABLE]) == 1
    assert "sudo" in capsys.readouterr().err
    assert command.main(["--root", str(machine.root), "--from", "/opt/src"]) == 2
