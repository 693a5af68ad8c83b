"""State of a plan's steps on a machine."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Literal

from table_service.install import step_kinds as kinds
from table_service.install.machine import Machine, read_text

State = Literal["done", "to do", "refused"]


def state(step: kinds.Step, machine: Machine) -> tuple[State, str]:
    """Return whether ``step`` is done on ``machine``; a note says what is missing, or why it is refused."""
    match step:
        case kinds.Release():
            return _release(step, machine)
        case kinds.Packages(names=names):
            missing = [name for name in names if not has_package(machine, name)]
            return ("to do", f"missing: {' '.join(missing)}") if missing else ("done", "")
        case kinds.Account():
            return _account(step, machine)
        case kinds.Folder():
            return _folder(step, machine)
        case kinds.File():
            return _file(step, machine)
        case kinds.Environment():
            return _environment(step, machine)
        case kinds.BrokerUser():
            return _broker_user(step, machine)
    return _service(step, machine)


def _release(step: kinds.Release, machine: Machine) -> tuple[State, str]:
    text = read_text(machine.path("/etc/os-release")) or ""
    found = dict(re.findall(r'(?m)^(\w+)="?([^"\n]*)"?$', text))
    codename = found.get("VERSION_CODENAME", "")
    name = found.get("PRETTY_NAME", "an unknown system")
    if codename not in step.codenames:
        return "refused", f"this is {name}; {step.why}"
    architecture = (machine.asks("dpkg", "--print-architecture") or "").strip()
    if architecture not in step.architectures:
        return "refused", f"this is {name} for {architecture or 'an unknown processor'}; {step.why}"
    return "done", f"{name}, {architecture}"


def has_package(machine: Machine, name: str) -> bool:
    """Return True if a Debian package is installed."""
    said = machine.asks("dpkg-query", "-W", "-f", "${db:Status-Status}", name)
    return said is not None and said.strip() == "installed"


def _account(step: kinds.Account, machine: Machine) -> tuple[State, str]:
    if step.name not in machine.accounts():
        return "to do", "no such user"
    groups = machine.groups()
    missing = [name for name in step.groups if name in groups and step.name not in groups[name][-1].strip().split(",")]
    return ("to do", f"not in {', '.join(missing)}") if missing else ("done", "")


def _right(path: Path, owner: str, mode: int, machine: Machine) -> str:
    """Return the fault of a file's owner or mode; empty if there is none."""
    if path.stat().st_mode & 0o7777 != mode:
        return f"mode {path.stat().st_mode & 0o7777:o} instead of {mode:o}"
    there = machine.owner(path)
    return "" if there == owner else f"owned by {there} instead of {owner}"


def _folder(step: kinds.Folder, machine: Machine) -> tuple[State, str]:
    path = machine.path(step.path)
    if not path.is_dir():
        return "to do", "not there"
    wrong = _right(path, step.owner, step.mode, machine)
    return ("to do", wrong) if wrong else ("done", "")


def _file(step: kinds.File, machine: Machine) -> tuple[State, str]:
    path = machine.path(step.path)
    there = read_text(path)
    if there is None:
        return "to do", "not there"
    if step.keep:
        return "done", "" if there == step.text else "its owner's, left as it is"
    if there != step.text:
        return "to do", "it says something else"
    wrong = _right(path, step.owner, step.mode, machine)
    return ("to do", wrong) if wrong else ("done", "")


def source_sum(source: Path) -> str:
    """Return a checksum of what is to be installed: a wheel's bytes, or the packages of a checkout."""
    total = hashlib.sha256()
    if source.is_file():
        total.update(source.read_bytes())
        return total.hexdigest()
    for package in ("hw", "vision", "firmware_bridge", "table_service", "pyproject.toml"):
        for path in sorted((source / package).rglob("*")) if (source / package).is_dir() else [source / package]:
            if path.is_file() and "__pycache__" not in path.parts:
                total.update(f"{path.relative_to(source)}\0".encode())
                total.update(path.read_bytes())
    return total.hexdigest()


def _environment(step: kinds.Environment, machine: Machine) -> tuple[State, str]:
    settings = read_text(machine.path(f"{step.path}/pyvenv.cfg"))
    if settings is None:
        return "to do", "not there"
    sees = re.search(r"(?m)^include-system-site-packages\s*=\s*true", settings) is not None
    if step.system and not sees:
        return "to do", "it does not see the system's camera libraries"
    if not machine.path(f"{step.path}/bin/tavolo").is_file():
        return "to do", "Tavolo is not in it"
    if read_text(machine.path(f"{step.path}/.tavolo-source")) != source_sum(machine.path(step.source)):
        return "to do", "it holds another version"
    return "done", ""


def _broker_user(step: kinds.BrokerUser, machine: Machine) -> tuple[State, str]:
    if not (read_text(machine.path(step.secret)) or "").strip():
        return "to do", "no password"
    known = re.search(rf"(?m)^{re.escape(step.name)}:", read_text(machine.path(step.passwords)) or "")
    if known is None:
        return "to do", "the broker does not know him"
    wrong = _right(machine.path(step.secret), step.owner, 0o640, machine)
    return ("to do", wrong) if wrong else ("done", "")


def _service(step: kinds.Service, machine: Machine) -> tuple[State, str]:
    said = (machine.asks("systemctl", "is-enabled", step.unit) or "").strip()
    return ("done", "") if said == "enabled" else ("to do", "does not start with the machine")
