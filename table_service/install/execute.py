"""Bring the steps of a plan about."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

from table_service.install import step_kinds as kinds
from table_service.install.machine import InstallError, Machine, read_text, write_text
from table_service.install.step_state import has_package, source_sum, state


def do(step: kinds.Step, machine: Machine) -> None:
    """Bring ``step`` about. Raises InstallError."""
    match step:
        case kinds.Release():
            raise InstallError(state(step, machine)[1])
        case kinds.Packages(names=names):
            _do_packages(names, machine)
        case kinds.Account():
            _do_account(step, machine)
        case kinds.Folder(path=name, owner=owner, mode=mode):
            machine.path(name).mkdir(parents=True, exist_ok=True)
            machine.path(name).chmod(mode)
            machine.call("chown", owner, name)
        case kinds.File():
            _do_file(step, machine)
        case kinds.Environment():
            _do_environment(step, machine)
        case kinds.BrokerUser():
            _do_broker_user(step, machine)
        case kinds.Service(unit=unit):
            if machine.runs:
                machine.call("systemctl", "daemon-reload")
            machine.call("systemctl", "enable", unit)
            if machine.runs:  # the screen waits for the table's page, and nothing waits for the screen
                machine.call("systemctl", "start", "--no-block", unit)


def _do_packages(names: Sequence[str], machine: Machine) -> None:
    missing = [name for name in names if not has_package(machine, name)]
    machine.call("apt-get", "update", "-q", at="asking the package servers")
    unknown = [name for name in missing if machine.asks("apt-cache", "show", name) in (None, "")]
    if unknown:
        hint = "; it comes with Raspberry Pi OS: use that, or --camera v4l2" if "python3-picamera2" in unknown else ""
        raise InstallError(f"the package servers have no {' '.join(unknown)}{hint}")
    machine.call("apt-get", "install", "-q", "-y", "--no-install-recommends", *missing, at="installing packages")
    for name in missing:
        machine.note("packages", name)


def _do_account(step: kinds.Account, machine: Machine) -> None:
    if step.name not in machine.accounts():
        shell = "/usr/sbin/nologin"
        machine.call(
            "useradd", "--system", "--user-group", "--home-dir", step.home, "--no-create-home", "--shell", shell,
            step.name,
        )  # fmt: skip
        machine.note("accounts", step.name)
    groups = [name for name in step.groups if name in machine.groups()]
    if groups:
        machine.call("usermod", "--append", "--groups", ",".join(groups), step.name)


def _do_file(step: kinds.File, machine: Machine) -> None:
    path = machine.path(step.path)
    if not (step.keep and path.exists()):
        there = read_text(path)
        if there is not None and not step.keep and not machine.is_ours(step.path):
            write_text(path.with_name(path.name + ".before-tavolo"), there, 0o600)
        write_text(path, step.text, step.mode)
        if not step.keep:
            machine.note_file(step.path, step.text)
    path.chmod(step.mode)
    machine.call("chown", step.owner, step.path)


def _do_environment(step: kinds.Environment, machine: Machine) -> None:
    created = not machine.path(f"{step.path}/pyvenv.cfg").exists()
    flags = ["--system-site-packages"] if step.system else []
    # on an environment that is there this only sets whether it sees the system's packages
    machine.call("/usr/bin/python3", "-m", "venv", *flags, step.path, at="making the environment")
    if created:
        machine.note("environments", step.path)
    pip = (f"{step.path}/bin/python", "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check")
    if step.pins:
        pins = f"{step.path}/requirements.lock"
        write_text(machine.path(pins), step.pins, 0o644)
        machine.call(*pip, "--require-hashes", "--no-deps", "-r", pins, at="installing the pinned libraries")
        machine.call(*pip, "--no-deps", "--force-reinstall", step.source, at="installing Tavolo")
    else:
        machine.call(*pip, "--force-reinstall", step.source, at="installing Tavolo")
    write_text(machine.path(f"{step.path}/.tavolo-source"), source_sum(machine.path(step.source)), 0o644)


def _do_broker_user(step: kinds.BrokerUser, machine: Machine) -> None:
    path = machine.path(step.secret)
    password = (read_text(path) or "").strip()
    if not password:
        password = secrets.token_urlsafe(24)
        write_text(path, password + "\n", 0o640)
    path.chmod(0o640)
    machine.call("chown", step.owner, step.secret)
    passwords = machine.path(step.passwords)
    if not passwords.exists():
        write_text(passwords, "", 0o600)
    machine.call("mosquitto_passwd", "-b", step.passwords, step.name, password, at="telling the broker a password")
    machine.call("chown", "mosquitto:mosquitto", step.passwords)
    passwords.chmod(0o600)
    machine.note_file(step.passwords, read_text(passwords) or "")


def settle(changed: Sequence[kinds.Step], machine: Machine) -> None:
    """Let the running system take up what has changed: udev's rules, programs whose settings are new."""
    if not machine.runs:
        return
    for whose, calls in _TAKEN_UP.items():
        if any(whose in _affected(step) for step in changed):
            for call in calls:
                machine.call(*call)


_TAKEN_UP: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "udev": (
        ("udevadm", "control", "--reload"),
        ("udevadm", "trigger", "--subsystem-match=tty", "--subsystem-match=video4linux"),
    ),
    "mosquitto": (("systemctl", "restart", "mosquitto.service"),),
    "chrony": (("systemctl", "restart", "chrony.service"),),
    "systemd": (
        ("systemctl", "daemon-reload"),
        ("systemctl", "try-restart", "tavolo-table@*.service", "tavolo-console.service"),
    ),
}
"""By which commands each part of the system takes up what has changed, in this order."""


def _affected(step: kinds.Step) -> frozenset[str]:
    """Return the parts of the system for which ``step`` changes something: the folders of a file's path among them."""
    match step:
        case kinds.File():
            return frozenset(step.path.split("/")[:-1])
        case kinds.BrokerUser():
            return frozenset({"mosquitto"})
        case kinds.Environment():
            return frozenset({"systemd"})
    return frozenset()
