"""Take back what an installation brought. What is its user's stays: settings, journals, changed files, packages."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from table_service.install import step_kinds as kinds
from table_service.install.machine import RECORD, Machine, read_text
from table_service.install.step_state import has_package, state


def undo(step: kinds.Step, machine: Machine) -> kinds.StepOutcome:
    """Take back what an installation brought and the user has not changed since; the user's own stays and is named."""
    name = kinds.name_of(step)
    match step:
        case kinds.Release():
            return kinds.StepOutcome(name, "not there")
        case kinds.Packages():
            ours = [one for one in machine.brought("packages") if has_package(machine, one)]
            if not ours:
                return kinds.StepOutcome(name, "not there")
            return kinds.StepOutcome(name, "kept", f"others may need them; else: apt-get remove {' '.join(ours)}")
        case kinds.Account():
            return _undo_account(step, machine)
        case kinds.Folder():
            return _undo_folder(step, machine)
        case kinds.File():
            return _undo_file(step, machine)
        case kinds.Environment():
            return _undo_environment(step, machine)
        case kinds.BrokerUser():
            return _undo_broker_user(step, machine)
    return _undo_service(step, machine)


def _undo_account(step: kinds.Account, machine: Machine) -> kinds.StepOutcome:
    name = kinds.name_of(step)
    if step.name not in machine.accounts() or step.name not in machine.brought("accounts"):
        return kinds.StepOutcome(name, "kept", "not made by an installation")
    uid = int(machine.accounts()[step.name][2])
    left = next((p for p in _below(machine.path("/var/lib")) if p.lstat().st_uid == uid and p.is_file()), None)
    if left is not None:
        return kinds.StepOutcome(name, "kept", f"files of his are there: {_name(left, machine)}")
    machine.call("userdel", step.name)
    return kinds.StepOutcome(name, "removed")


def _below(path: Path) -> Iterable[Path]:
    return path.rglob("*") if path.is_dir() else ()


def _name(path: Path, machine: Machine) -> str:
    return "/" + str(path.relative_to(machine.root))


def _undo_folder(step: kinds.Folder, machine: Machine) -> kinds.StepOutcome:
    path = machine.path(step.path)
    if not path.is_dir():
        return kinds.StepOutcome(kinds.name_of(step), "not there")
    held = sorted(p.name for p in path.iterdir() if _name(p, machine) != RECORD)
    if held:
        return kinds.StepOutcome(
            kinds.name_of(step), "kept", f"it holds {', '.join(held[:4])}{' …' if len(held) > 4 else ''}"
        )
    shutil.rmtree(path)
    return kinds.StepOutcome(kinds.name_of(step), "removed")


def _undo_file(step: kinds.File, machine: Machine) -> kinds.StepOutcome:
    path = machine.path(step.path)
    if not path.exists():
        return kinds.StepOutcome(kinds.name_of(step), "not there")
    if step.keep:
        return kinds.StepOutcome(kinds.name_of(step), "kept", "its owner's")
    if not machine.is_ours(step.path):
        return kinds.StepOutcome(kinds.name_of(step), "kept", "changed since it was installed")
    path.unlink()
    before = path.with_name(path.name + ".before-tavolo")
    if before.exists():
        before.replace(path)
        return kinds.StepOutcome(kinds.name_of(step), "removed", "what stood there before is back")
    return kinds.StepOutcome(kinds.name_of(step), "removed")


def _undo_environment(step: kinds.Environment, machine: Machine) -> kinds.StepOutcome:
    path = machine.path(step.path)
    if not path.is_dir() or step.path not in machine.brought("environments"):
        return kinds.StepOutcome(kinds.name_of(step), "kept", "not made by an installation")
    shutil.rmtree(path)
    return kinds.StepOutcome(kinds.name_of(step), "removed")


def _undo_broker_user(step: kinds.BrokerUser, machine: Machine) -> kinds.StepOutcome:
    passwords = machine.path(step.passwords)
    if passwords.exists():
        machine.asks("mosquitto_passwd", "-D", step.passwords, step.name)
        if not (read_text(passwords) or "").strip():
            passwords.unlink()
    path = machine.path(step.secret)
    if not path.exists():
        return kinds.StepOutcome(kinds.name_of(step), "not there")
    path.unlink()
    return kinds.StepOutcome(kinds.name_of(step), "removed")


def _undo_service(step: kinds.Service, machine: Machine) -> kinds.StepOutcome:
    if not step.ours:
        return kinds.StepOutcome(kinds.name_of(step), "kept", "it is the system's")
    if state(step, machine)[0] == "to do":
        return kinds.StepOutcome(kinds.name_of(step), "not there", "not enabled")
    machine.call("systemctl", "disable", *(("--now",) if machine.runs else ()), step.unit)
    return kinds.StepOutcome(kinds.name_of(step), "removed")
